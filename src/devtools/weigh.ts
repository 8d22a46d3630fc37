import type { CellChange } from '../store/patches.ts'
import type { State } from '../store/State.ts'

/** What a commit retains whatever it changes: itself, and the path of vector pages that it replaced. */
const COMMIT = 2600
/** The same for each further row: part of a page, and a slot. */
const CELL = 60
/** A cell with its entry in a table. */
const TABLE_CELL = 200
/** How many changed rows are looked at; the others are taken to be like them. */
const SAMPLE = 16

/** About how many bytes the state before a commit holds that the state after it does not. */
export function weighChanges(changes: readonly CellChange[]): number {
  const { length } = changes
  const step = Math.ceil(length / SAMPLE)
  let bytes = 0
  let seen = 0
  for (let i = 0; i < length; i += step, seen++) bytes += weigh(changes[i]!.before, changes[i]!.after)
  return COMMIT + Math.round(length * (CELL + bytes / (seen || 1)))
}

/** Garbage collection gives tables new cells; the state before it keeps the old ones. */
export function weighTables({ directory: before }: State, { directory: after }: State): number {
  return before === after ? 0 : before!.tables.reduce((sum, { key, bySlot }) => sum + (after!.find(key)?.bySlot === bySlot ? 0 : bySlot.length * TABLE_CELL), 0)
}

/** What `before` takes without the parts that it shares with `after`. Members of a list count as shared; a list that grew has a third of room to spare. */
function weigh(before: unknown, after: unknown, depth = 0): number {
  if (typeof before === 'string') return 24 + before.length
  if (typeof before !== 'object' || before === null) return 8
  if (Array.isArray(before)) return 32 + before.length * (Array.isArray(after) || depth > 2 ? 12 : 12 + weigh(before[0], undefined, depth + 1))
  let bytes = 40
  const other = (after ?? {}) as { readonly [name: string]: unknown }
  for (const name in before) {
    const value = (before as { readonly [name: string]: unknown })[name]
    bytes += value === other[name] || depth > 2 ? 8 : weigh(value, other[name], depth + 1)
  }
  return bytes
}
