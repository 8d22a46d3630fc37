import type { Stamp } from '../base/stamp.ts'
import type { Cell, Table } from './cell.ts'
import { rowIn, type Entry, type Row, type State } from './State.ts'
import { compareVectors, vectorGet, type Vector } from './vector.ts'

/** Calls `visit` for every row that differs between two states. The cost follows what differs. */
export function eachChange(from: State, to: State, visit: (cell: Cell, before: Row | undefined, after: Row | undefined) => void): void {
  eachTable(from, to, (before, after) => {
    compareTables<Entry>(before, after, [before && from.rows(before).records, after && to.rows(after).records], (cell, old, entry) => {
      if (rowIn(old) !== rowIn(entry)) visit(cell, rowIn(old), rowIn(entry))
    })
  })
}

/** A cell whose row, or whose mark "deleted", differs between two states. */
export interface CellChange {
  readonly cell: Cell
  readonly before: Row | undefined
  readonly after: Row | undefined
}

export function changesBetween(from: State, to: State): CellChange[] {
  const changes: CellChange[] = []
  eachChange(from, to, (cell, before, after) => void changes.push({ cell, before, after }))
  if (from.marks !== to.marks) {
    eachStampChange(from, to, (cell, stamp) => {
      const [before, after] = [from.read(cell), to.read(cell)]
      if (!before && !after && stamp?.deleted !== from.stamp(cell)?.deleted) changes.push({ cell, before, after })
    })
  }
  return changes
}

/** Calls `visit` for every stamp that differs between two states. */
export function eachStampChange(from: State, to: State, visit: (cell: Cell, after: Stamp | undefined) => void): void {
  if (from.stamps === to.stamps) return
  eachTable(from, to, (before, after) =>
    compareTables(before, after, [before && from.stamps[before.ordinal], after && to.stamps[after.ordinal]], (cell, _, stamp) => visit(cell, stamp)),
  )
}

function eachTable(from: State, to: State, visit: (before: Table | undefined, after: Table | undefined) => void): void {
  const later = to.directory ?? from.directory
  if (later === undefined) return
  const earlier = from.directory ?? later
  for (const table of later.tables) visit(earlier === later ? table : earlier.find(table.key), table)
  if (earlier !== later) for (const table of earlier.tables) if (!later.find(table.key)) visit(table, undefined)
  visit(earlier.results, later.results)
}

/** Garbage collection gives a table new cells; then rows are matched by pk. */
function compareTables<T>(before: Table | undefined, after: Table | undefined, [from, to]: readonly (Vector<T> | undefined)[], visit: (cell: Cell, before: T | undefined, after: T | undefined) => void): void {
  if (before === after) return compareVectors(from, to, (slot, old, value) => visit(after!.bySlot[slot]!, old, value))
  compareVectors(from, undefined, (slot, old) => {
    const cell = before!.bySlot[slot]!
    if (!after?.find(cell.pk)) visit(cell, old, undefined)
  })
  compareVectors(undefined, to, (slot, _, value) => {
    const cell = after!.bySlot[slot]!
    const match = before?.find(cell.pk)
    const old = match && vectorGet(from, match.slot)
    if (old !== value) visit(cell, old, value)
  })
}
