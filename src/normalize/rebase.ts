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

/** A list takes over which members came and went; any other value is replaced. */
export function rebaseValue(current: unknown, before: unknown, after: unknown): unknown {
  if (!Array.isArray(current) || !Array.isArray(before) || !Array.isArray(after) || equal(current, before)) return after
  const has = (list: readonly unknown[], member: unknown): boolean => list.some(each => equal(each, member))
  const next = current.filter(member => has(after, member) || !has(before, member))
  // An added member goes behind the one that it stood behind.
  let at = 0
  for (const member of after) {
    const known = next.findIndex(each => equal(each, member))
    if (known >= 0) at = known + 1
    else if (!has(before, member)) next.splice(at++, 0, member)
  }
  return Object.freeze(next)
}
