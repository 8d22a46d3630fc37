import type { Stamp } from '../base/stamp.ts'
import { Cells, type Cell, type CellTable } from './cell.ts'
import { RowsEditor, type Row } from './rows.ts'
import type { Splice } from './splices.ts'
import { Entities, rowOf, rowsOf, stampOf, Stamps, stampsOf, type State } from './state.ts'
import { VectorEditor } from './vector.ts'

/** Where what concerns one row is done. */
export interface RowWriting {
  readonly before: State
  row(cell: Cell): Row | undefined
  /** `record` must be frozen; undefined removes the row. `splice` says how a list became this one, where that is known. */
  write(cell: Cell, record: Row | undefined, splice?: Splice): unknown
  stamp(cell: Cell): Stamp | undefined
  mark(cell: Cell, stamp: Stamp | undefined): void
}

/** Slots of a table that follow each other. */
interface Run {
  readonly table: CellTable
  readonly start: number
  end: number
  /** Others of the table, where something else was given a slot between. */
  readonly before: Run | undefined
}

/** Tables and cells that exist because of a draft. */
export interface Made {
  readonly tables: readonly CellTable[]
  /** The last of each table first. Undefined stands for one that is gone. */
  readonly cells: readonly (Cell | undefined)[]
}

/** A row that is new, with its cell. */
export interface Added {
  readonly cell: Cell
  readonly record: Row
}

/**
 * The next state while it is being written. Nothing is visible before `finish`; after `abandon` it is as if
 * the draft had never been.
 */
export class Draft implements RowWriting {
  declare readonly before: State
  declare readonly cells: Cells
  // By the ordinal of the table, those of the results first.
  readonly #rows: (RowsEditor | undefined)[] = []
  readonly #stamps: (VectorEditor<Stamp> | undefined)[] = []
  /** For each table the slots of cells that exist because of this draft; the results of endpoints come first. */
  readonly #made: (Run | undefined)[] = []
  /** Cells that were emptied for good. */
  readonly #emptied: Cell[] = []
  /** How many tables there were before this draft. */
  readonly #tables: number

  constructor(before: State) {
    this.before = before
    this.cells = before.cells ?? new Cells()
    this.#tables = this.cells.tables.length
  }

  intern(table: CellTable, pk: string): Cell {
    const { ordinal, slots } = table
    const cell = table.intern(pk)
    if (cell.slot === slots) {
      const run = this.#made[ordinal + 1]
      if (run?.end === slots) run.end++
      else this.#made[ordinal + 1] = { table, start: slots, end: slots + 1, before: run }
    }
    return cell
  }

  row(cell: Cell): Row | undefined {
    const editor = this.#rows[cell.table.ordinal + 1]
    return editor === undefined ? rowOf(this.before, cell) : editor.get(cell.slot)
  }

  /** Says whether this was the first change of the row. */
  write(cell: Cell, record: Row | undefined, _splice?: Splice): boolean {
    cell.used = 0
    return this.#editor(cell.table).set(cell.slot, record)
  }

  /** Writes and marks a row of which nobody knows anything, because its cell is new. */
  insert({ cell, record }: Added, stamp: Stamp): void {
    this.#editor(cell.table).insert(cell.slot, record)
    this.#stampEditor(cell.table).set(cell.slot, stamp)
  }

  /** Gives a row another arrival number than that of the order of writing. */
  arriveAt(cell: Cell, number: number): void {
    this.#editor(cell.table).arriveAt(cell.slot, number)
  }

  stamp(cell: Cell): Stamp | undefined {
    const editor = this.#stamps[cell.table.ordinal + 1]
    return editor === undefined ? stampOf(this.before, cell) : editor.get(cell.slot)
  }

  mark(cell: Cell, stamp: Stamp | undefined): void {
    this.#stampEditor(cell.table).set(cell.slot, stamp)
    cell.used = 0
  }

  /** Empties a cell for good: nothing of it remains, and nobody says that it was deleted. */
  drop(cell: Cell): void {
    const { table, slot } = cell
    this.#emptied.push(cell)
    this.#editor(table).drop(slot)
    if (table.ordinal >= 0) this.#stampEditor(table).drop(slot)
  }

  /** The cells of one table that have a row right now. */
  filled(table: CellTable): Cell[] {
    const editor = this.#rows[table.ordinal + 1]
    const rows = editor === undefined ? rowsOf(this.before, table) : editor.finish()
    return rows.slots().map(slot => table.at(slot)!)
  }

  /** The new state; what did not change is the old state's, by reference. */
  finish(): State {
    const before = this.before
    const entities = this.#finishEntities()
    const endpoints = this.#rows[0]?.finish() ?? before.endpoints
    const stamps = this.#stamps.length > 0 ? new Stamps(merged(before.stamps.tables, this.#stamps)) : before.stamps
    const emptied = this.#emptied.length > 0
    if (!emptied && entities === before.entities && endpoints === before.endpoints && stamps === before.stamps) return before
    return Object.freeze({ entities, endpoints, stamps, cells: emptied ? this.cells.without(this.#emptied) : this.cells })
  }

  /** Takes back the cells that were made, so that a failed write leaves nothing behind. */
  abandon(): Made {
    const made = this.made()
    for (const cell of made.cells) cell!.table.forget(cell!)
    this.cells.shrink(this.#tables)
    return made
  }

  protected made(): Made {
    const cells: (Cell | undefined)[] = []
    for (let run of this.#made) {
      for (; run !== undefined; run = run.before) for (let slot = run.end; slot > run.start; slot--) cells.push(run.table.at(slot - 1))
    }
    return { tables: this.cells.tables.slice(this.#tables), cells }
  }

  #editor(table: CellTable): RowsEditor {
    return (this.#rows[table.ordinal + 1] ??= new RowsEditor(rowsOf(this.before, table)))
  }

  #stampEditor(table: CellTable): VectorEditor<Stamp> {
    return (this.#stamps[table.ordinal + 1] ??= new VectorEditor(stampsOf(this.before, table)))
  }

  #finishEntities(): Entities {
    const before = this.before.entities
    if (this.#rows.length < 2) return before
    const tables = merged(before.tables, this.#rows)
    for (let at = 0; at < tables.length; at++) {
      const from = before.tables[at]
      if (tables[at] !== from && (from !== undefined || tables[at]!.next > 0)) return new Entities(tables)
    }
    return before
  }
}

/** `before` with the finished editors in their places. */
function merged<T>(before: readonly (T | undefined)[], editors: readonly ({ finish(): T } | undefined)[]): (T | undefined)[] {
  const after = before.slice()
  for (let at = 0; at + 1 < editors.length; at++) {
    const editor = editors[at + 1]
    if (editor === undefined) continue
    while (after.length < at) after.push(undefined)
    after[at] = editor.finish()
  }
  return after
}
