import type { Cell, CellTable } from './cell.ts'
import { movedSlot, type Row } from './rows.ts'
import type { State } from './state.ts'
import { compareVectors, Vector } from './vector.ts'

/** Told of a row that differs between two versions. */
export type RowVisit = (cell: Cell, before: Row | undefined, after: Row | undefined) => void

/** Calls `visit` for each row that differs, and for each absent row whose mark "deleted" does. */
export function forEachRow(before: State, after: State, visit: RowVisit): void {
  const tables = after.cells?.tables
  if (tables === undefined) return
  for (let at = 0; at < tables.length; at++) {
    if (before.entities.tables[at] !== after.entities.tables[at] || before.stamps.tables[at] !== after.stamps.tables[at]) compareTable(tables[at]!, before, after, visit)
  }
}

/** Calls `visit` for each endpoint whose result differs. */
export function forEachResult(before: State, after: State, visit: (cell: Cell) => void): void {
  if (before.endpoints === after.endpoints) return
  compareVectors(before.endpoints.records, after.endpoints.records, slot => visit(after.cells!.endpoints.at(slot)!))
}

function compareTable(table: CellTable, before: State, after: State, visit: RowVisit): void {
  const at = table.ordinal
  const from = before.entities.tables[at]
  const to = after.entities.tables[at]
  if (from !== to) {
    compareVectors(from?.records ?? NOTHING, to?.records ?? NOTHING, (slot, old, row) => visit(table.at(slot)!, old, row))
    const moved = from && to && movedSlot(from, to)
    // Nothing of the row has changed but its place among the others; whoever shows them all must know.
    if (moved !== undefined) visit(table.at(moved)!, undefined, undefined)
  }
  compareVectors(before.stamps.tables[at] ?? NOTHING, after.stamps.tables[at] ?? NOTHING, (slot, old, stamp) => {
    if (old?.deleted === stamp?.deleted || to?.records.get(slot) !== undefined || from?.records.get(slot) !== undefined) return
    visit(table.at(slot)!, undefined, undefined)
  })
}

const NOTHING: Vector<never> = /* @__PURE__ */ new Vector<never>()
