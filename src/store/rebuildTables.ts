import type { Stamp } from '../base/stamp.ts'
import { Draft } from './Draft.ts'
import { Directory, State, type Cell, type Table } from './State.ts'

/** A state without some cells. Tables that lose one are made anew; `moved` tells where the cells that stay went. */
export interface RebuiltState {
  readonly state: State
  readonly moved: ReadonlyMap<Cell, Cell>
}

/** Forgets cells: their rows, their stamps and themselves. The old state keeps the old tables. */
export function rebuildTables(state: State, gone: ReadonlySet<Cell>): RebuiltState {
  const directory = new Directory()
  const before = state.directory!
  const moved = new Map<Cell, Cell>()
  const affected = new Set([...gone].map(cell => cell.table))
  for (const table of before.tables) {
    if (!affected.has(table)) directory.adopt(table)
    else {
      const next = directory.table(table.key)
      next.owner = table.owner
      // Readers still depend on these.
      for (const field of table.indexes.keys()) next.indexes.set(field, undefined)
    }
  }
  if (!affected.has(before.results)) directory.results = before.results
  const keep = <T>(values: readonly T[]): readonly T[] => values.map((value, i) => (affected.has(before.tables[i]!) ? undefined : value) as T)
  const start = new State(directory, keep(state.entities), affected.has(before.results) ? undefined : state.endpoints, keep(state.stamps), {})
  const draft = new Draft(start, directory)
  for (const table of affected) {
    const next = table === before.results ? directory.results : directory.table(table.key)
    for (const cell of inOrder(table, state)) {
      if (gone.has(cell)) continue
      const copy = next.cell(cell.pk)
      moved.set(cell, copy)
      const row = state.read(cell)
      const stamp: Stamp | undefined = state.stamp(cell)
      if (row !== undefined) draft.write(copy, row)
      if (stamp) draft.setStamp(copy, stamp)
      copy.idleAt = cell.idleAt
    }
  }
  return { state: draft.finish(), moved }
}

/** Cells in order of arrival, so that the new slots have the same order. */
function inOrder(table: Table, state: State): readonly Cell[] {
  const rows = state.rows(table)
  return rows.ranks ? [...table.bySlot].sort((a, b) => rows.rank(a.slot) - rows.rank(b.slot)) : table.bySlot
}
