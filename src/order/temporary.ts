import { obtain } from '../base/obtain.ts'
import { DEPTH_LIMIT, isPlain, type Plain } from '../base/plain.ts'
import { Write } from '../normalize/operation.ts'
import type { Prepared } from './prepare.ts'

/** A temporary pk and what it has become. */
export interface Moved {
  readonly key: string
  readonly from: string
  readonly to: string
}

/** Calls `visit` with each string in `value`. What nests too deep is not looked into: it is refused elsewhere. */
export function forEachText(value: unknown, visit: (text: string) => void, depth = 0): void {
  if (typeof value === 'string') visit(value)
  else if (depth > DEPTH_LIMIT) return
  else if (Array.isArray(value)) for (const member of value as unknown[]) forEachText(member, visit, depth + 1)
  else if (isPlain(value)) for (const name of Object.keys(value)) forEachText(value[name], visit, depth + 1)
}

/** `value` with strings replaced by what `names` says of them; the very same where it says nothing. */
export function renamed<T>(value: T, names: ReadonlyMap<string, string>, depth = 0): T {
  if (names.size === 0 || depth > DEPTH_LIMIT) return value
  if (typeof value === 'string') return (names.get(value) ?? value) as T
  if (Array.isArray(value)) {
    const list = value.map(member => renamed<unknown>(member, names, depth + 1))
    return list.every((member, i) => Object.is(member, value[i])) ? value : (list as T)
  }
  if (!isPlain(value)) return value
  let copy: Plain | undefined
  for (const name of Object.keys(value)) {
    const member = renamed(value[name], names, depth + 1)
    if (!Object.is(member, value[name])) (copy ??= { ...value })[name] = member
  }
  return (copy ?? value) as T
}

/**
 * Which pk each temporary one has become: what stands in the answer where it stood in what was expected of it, and the
 * same again in the records and lists that were matched so.
 */
export function matchCreated(expected: Prepared, answer: Prepared, keyOf: (pk: string) => string | undefined): Moved[] {
  const moved = new Map<string, Moved>()
  const wanted = writesOf(expected)
  const made = writesOf(answer)
  const match = (a: unknown, b: unknown): void => {
    if (typeof a === 'string') {
      if (typeof b !== 'string' || moved.has(a)) return
      const key = keyOf(a)
      if (key !== undefined) moved.set(a, { key, from: a, to: b })
      for (const { cell, about, record } of wanted.get(a) ?? []) {
        // A list that is nested in something new has a name of its own, and what is in it is no less new.
        if (cell.table.key === key || about.plan === undefined) match(record, made.get(b)?.find(other => other.cell.table === cell.table)?.record)
      }
    } else if (typeof a === 'object' && a !== null && typeof b === 'object' && b !== null) {
      for (const name of Object.keys(a)) if (Object.hasOwn(b, name)) match((a as Plain)[name], (b as Plain)[name])
    }
  }
  match(expected.result, answer.result)
  return [...moved.values()].filter(({ from, to }) => from !== to)
}

/** By pk. */
function writesOf({ operations }: Prepared): Map<string, Write[]> {
  const writes = new Map<string, Write[]>()
  for (const step of operations) if (step instanceof Write) obtain(writes, step.cell.pk, () => []).push(step)
  return writes
}
