import { equal, hasOwn } from '../base/plain.ts'
import { eachChange, pathOf } from '../store/patches.ts'
import type { Cell, State } from '../store/State.ts'
import type { RowPatch } from './Change.ts'

/**
 * Patches that replace whole rows. A patch inside of a list would name an index, and the receiver may have inserted
 * members before it.
 */
export function rowPatches(from: State, to: State, positionOf: (cell: Cell) => number): RowPatch[] {
  const found: { readonly rank: number; readonly patch: RowPatch }[] = []
  eachChange(from, to, (cell, before, value) => {
    if (equal(before, value)) return
    const isNeeded = value && (Array.isArray(before) || Object.keys(before ?? {}).some(field => !hasOwn(value, field)))
    found.push({ rank: to.rows(cell.table).rank(cell.slot), patch: { op: value ? 'replace' : 'remove', path: pathOf(cell), value, at: positionOf(cell), ...(isNeeded && { before }) } })
  })
  // Rows of a table arrive elsewhere in the same order.
  return found.sort((a, b) => a.rank - b.rank).map(({ patch }) => patch)
}
