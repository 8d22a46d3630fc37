import { equal, hasOwn, isPlain } from '../base/plain.ts'
import type { Cell } from '../store/cell.ts'
import { eachChange } from '../store/changes.ts'
import { pathOf } from '../store/patches.ts'
import type { State } from '../store/State.ts'
import type { RowPatch } from './Change.ts'

/** The positions of writes that left the stamp of their row as it was. */
export const positions: WeakMap<Cell, number> = /* @__PURE__ */ new WeakMap()

/**
 * Patches that replace whole rows. A patch inside of a list would name an index, and the receiver may have inserted
 * members before it. A write that leaves the stamp of its row as it was gets the position `at`.
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
