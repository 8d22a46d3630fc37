import { canonical } from '../base/keys.ts'
import { copyOf, equal, hasOwn, isPlain, put } from '../base/plain.ts'
import type { Row } from '../store/State.ts'

/** A change of one row, from `before` to `after`. */
export interface RowChange {
  readonly before: Row | undefined
  readonly after: Row | undefined
  /** Fields that were set or removed by name; undefined when the whole row was replaced. */
  readonly fields?: Iterable<string> | undefined
}

/** Repeats a change over a row that others may have changed since. */
export function rebase(current: Row | undefined, { before, after, fields }: RowChange): Row | undefined {
  if (fields === undefined || current === before) return after
  if (current === undefined || before === undefined || after === undefined) return current
  if (Array.isArray(current) || !isPlain(before) || !isPlain(after)) return rebaseValue(current, before, after) as Row
  const next = copyOf(current)
  for (const field of fields) {
    if (!hasOwn(after, field)) delete next[field]
    else put(next, field, rebaseValue(next[field], before[field], after[field]))
  }
  return Object.freeze(next)
}

/** A list takes over which members came and went; any other value is replaced. An added member goes behind the one that it stood behind. */
export function rebaseValue(current: unknown, before: unknown, after: unknown): unknown {
  if (!Array.isArray(current) || !Array.isArray(before) || !Array.isArray(after) || equal(current, before)) return after
  const [now, old, next] = [current, before, after].map(list => new Set(list.map(member => canonical(member))))
  const first: unknown[] = []
  let behind = first
  const added = new Map<string, unknown[]>()
  for (const member of after) {
    const name = canonical(member)
    if (now!.has(name)) added.set(name, (behind = []))
    else if (!old!.has(name)) behind.push(member)
  }
  const left = current.filter(member => next!.has(canonical(member)) || !old!.has(canonical(member)))
  return Object.freeze([...first, ...left.flatMap(member => [member, ...(added.get(canonical(member))?.splice(0) ?? [])])])
}
