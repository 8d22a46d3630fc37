import { equal, hasOwn, isPlain } from '../base/plain.ts'
import type { Cell } from '../store/cell.ts'
import { eachChange } from '../store/changes.ts'
import { pathOf } from '../store/patches.ts'
import type { State } from '../store/State.ts'
import type { RowPatch } from './Change.ts'

/** The positions of writes that left the stamp of their row as it was. */
export const positions: WeakMap<Cell, number> = /* @__PURE__ */ new WeakMap()

/**
 * The rows that differ between two states, whole: an index of a list means something else where somebody has inserted a
 * member. `at` is the position of the writes that changed them, where no stamp tells it.
 */
export function rowPatches(from: State, to: State, at?: number): RowPatch[] {
  const found: { readonly rank: number; readonly patch: RowPatch }[] = []
  eachChange(from, to, (cell, before, value) => {
    if (equal(before, value)) return
    const stamp = to.stamp(cell)
    if (at && cell.table.ordinal >= 0 && stamp === from.stamp(cell)) positions.set(cell, at)
    const op = value === undefined ? 'remove' : before === undefined ? 'add' : 'replace'
    const isNeeded = Array.isArray(before) || (isPlain(before) && isPlain(value) && Object.keys(before).some(field => !hasOwn(value, field)))
    found.push({ rank: to.rows(cell.table).rank(cell.slot), patch: { op, path: pathOf(cell), value, at: positions.get(cell), ...(isNeeded && { before }) } })
  })
  // Rows of a table arrive elsewhere in the same order.
  return found.sort((a, b) => a.rank - b.rank).map(({ patch }) => patch)
}
