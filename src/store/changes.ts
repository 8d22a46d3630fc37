import type { Cell, CellTable } from './cell.ts'
import { movedSlot, type Row, type Rows } from './rows.ts'
import { rowsOf, stampsOf, type State } from './state.ts'
import { compareVectors, onlyPlace } from './vector.ts'

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
  const from = rowsOf(before, table)
  const to = rowsOf(after, table)
  // Where rows stand elsewhere among each other, more has changed than one of them.
  const slot = from.late === to.late ? onlyPlace(from.records, to.records) : -1
  if (slot < 0) compareRecords(table, from, to, visit)
  else {
    // Most commits change one row: this is done for every one of them, and makes nothing.
    const old = from.records.get(slot)
    const row = to.records.get(slot)
    if (old !== row) visit(table.at(slot)!, old, row)
    if (row !== undefined && onlyPlace(stampsOf(before, table), stampsOf(after, table)) === slot) return
  }
  compareMarks(table, before, after, visit)
}

function compareRecords(table: CellTable, from: Rows, to: Rows, visit: RowVisit): void {
  if (from === to) return
  compareVectors(from.records, to.records, (slot, old, row) => visit(table.at(slot)!, old, row))
  const moved = movedSlot(from, to)
  // Nothing of the row has changed but its place among the others; whoever shows them all must know.
  if (moved !== undefined) visit(table.at(moved)!, undefined, undefined)
}

function compareMarks(table: CellTable, before: State, after: State, visit: RowVisit): void {
  const { records: from } = rowsOf(before, table)
  const { records: to } = rowsOf(after, table)
  compareVectors(stampsOf(before, table), stampsOf(after, table), (slot, old, stamp) => {
    if (old?.deleted === stamp?.deleted || to.get(slot) !== undefined || from.get(slot) !== undefined) return
    visit(table.at(slot)!, undefined, undefined)
  })
}
