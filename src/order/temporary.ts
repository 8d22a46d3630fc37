import { obtain } from '../base/obtain.ts'
import { isPlain, type Plain } from '../base/plain.ts'
import { Write } from '../normalize/operation.ts'
import type { Prepared } from './prepare.ts'

/** A temporary pk and what it has become. */
export interface Moved {
  readonly key: string
  readonly from: string
  readonly to: string
}

/** Each part of `value` once, itself included, and copies of those that have parts themselves: it may contain itself. */
function partsOf(value: unknown): Map<unknown, Plain | undefined> {
  const parts = new Map([[value, copyOf(value)]])
  for (const copy of parts.values()) for (const part of Object.values(copy ?? {})) if (!parts.has(part)) parts.set(part, copyOf(part))
  return parts
}

/** Not of what cannot be read, because a getter throws, or because it is a draft of Immer whose time is over: that is refused where it is sent. */
function copyOf(value: unknown): Plain | undefined {
  try {
    return Array.isArray(value) ? ([...(value as unknown[])] as unknown as Plain) : isPlain(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** Calls `visit` with each string in `value`. */
export function forEachText(value: unknown, visit: (text: string) => void): void {
  for (const part of partsOf(value).keys()) if (typeof part === 'string') visit(part)
}

/** `value` with strings replaced by what `names` says of them; the very same when it says nothing of any. */
export function renamed<T>(value: T, names: ReadonlyMap<unknown, string>): T {
  // Asked for whenever something is read.
  if (names.size === 0) return value
  const parts = partsOf(value)
  if (![...parts.keys()].some(part => names.has(part))) return value
  const next = (part: unknown): unknown => names.get(part) ?? parts.get(part) ?? part
  for (const copy of parts.values()) for (const name of Object.keys(copy ?? {})) copy![name] = next(copy![name])
  return next(value) as T
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
