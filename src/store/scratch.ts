import type { Stamp } from '../base/stamp.ts'
import type { StampGroup } from './apply.ts'
import { Cells, type Cell, type CellTable } from './cell.ts'
import { diffValues } from './diff.ts'
import type { Writing } from './draft.ts'
import type { Patch } from './immer.ts'
import type { Row } from './rows.ts'
import { rowOf, stampOf, type State } from './state.ts'

/** What became of one cell. */
class Touch {
  readonly owner: Scratch
  readonly cell: Cell
  row: Row | undefined = undefined
  stamp: Stamp | undefined = undefined
  wrote: boolean = false
  marked: boolean = false

  constructor(owner: Scratch, cell: Cell) {
    this.owner = owner
    this.cell = cell
  }
}

/**
 * A draft that will never be a state: it only has to say which patches would make it one. So it copies no pages, and
 * leaves no trace in the cells, which all versions of the state share.
 */
export class Scratch implements Writing {
  readonly before: State
  readonly cells: Cells
  readonly #touches: Touch[] = []
  /** Those that were written, in the order of their first write. */
  readonly #written: Touch[] = []
  readonly #made: Cell[] = []
  /** How many tables there were before. */
  readonly #tables: number

  constructor(before: State) {
    this.before = before
    this.cells = before.cells ?? new Cells()
    this.#tables = this.cells.tables.length
  }

  intern(table: CellTable, pk: string): Cell {
    return table.intern(pk, this.#made)
  }

  row(cell: Cell): Row | undefined {
    const touch = cell.touch as Touch | undefined
    return touch !== undefined && touch.owner === this && touch.wrote ? touch.row : rowOf(this.before, cell)
  }

  write(cell: Cell, record: Row | undefined): void {
    // Removing what is not there is no write: the row has not arrived by it.
    if (record === undefined && this.row(cell) === undefined) return
    const touch = this.#touch(cell)
    touch.row = record
    if (touch.wrote) return
    touch.wrote = true
    this.#written.push(touch)
  }

  stamp(cell: Cell): Stamp | undefined {
    const touch = cell.touch as Touch | undefined
    return touch !== undefined && touch.owner === this && touch.marked ? touch.stamp : stampOf(this.before, cell)
  }

  mark(cell: Cell, stamp: Stamp | undefined): void {
    const touch = this.#touch(cell)
    touch.stamp = stamp
    touch.marked = true
  }

  filled(table: CellTable): Cell[] {
    const slots = this.before.entities.tables[table.ordinal]?.slots() ?? []
    const cells = slots.map(slot => table.at(slot)!)
    for (const { cell } of this.#written) {
      if (cell.table === table && rowOf(this.before, cell) === undefined) cells.push(cell)
    }
    return cells.filter(cell => this.row(cell) !== undefined)
  }

  /** What leads from the state to what was written; rows in the order in which they were first written. */
  patches(): Patch[] {
    const patches: Patch[] = []
    for (let i = 0; i < this.#written.length; i++) {
      const { cell, row } = this.#written[i]!
      const before = rowOf(this.before, cell)
      if (before === row) continue
      if (before === undefined) patches.push({ op: 'add', path: ['entities', cell.table.key, cell.pk], value: row })
      else if (row === undefined) patches.push({ op: 'remove', path: ['entities', cell.table.key, cell.pk] })
      else diffValues(['entities', cell.table.key, cell.pk], before, row, patches)
    }
    return patches
  }

  /** The stamps that go with the patches. */
  stamps(): StampGroup[] {
    const groups: { key: string; pks: string[]; stamp: Stamp | null }[] = []
    const open: (typeof groups)[number][] = []
    for (let i = 0; i < this.#touches.length; i++) {
      const { cell, stamp = null, marked } = this.#touches[i]!
      if (!marked) continue
      const at = cell.table.ordinal
      let group = open[at]
      if (group === undefined || group.stamp !== stamp) groups.push((group = open[at] = { key: cell.table.key, pks: [], stamp }))
      group.pks.push(cell.pk)
    }
    return groups
  }

  /** Leaves the cells as they were. */
  end(): void {
    for (const touch of this.#touches) touch.cell.touch = undefined
    // Cells of a state that had none are nobody else's; the patches may still speak of them.
    if (this.before.cells === undefined) return
    for (let i = this.#made.length - 1; i >= 0; i--) this.#made[i]!.table.forget(this.#made[i]!)
    this.cells.shrink(this.#tables)
  }

  #touch(cell: Cell): Touch {
    const known = cell.touch as Touch | undefined
    if (known !== undefined && known.owner === this) return known
    const touch = new Touch(this, cell)
    cell.touch = touch
    this.#touches.push(touch)
    return touch
  }
}
