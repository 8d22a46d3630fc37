import { obtain } from '../base/obtain.ts'
import { Directory, hashOf } from './directory.ts'

/**
 * Identity, kept apart from value: one cell for each (table, pk) ever seen by a store. Every version of the
 * state shares the cells; what they hold at that version stands in its rows, at the cell's slot.
 * What the constructor fills is only declared, here and wherever many are made: the class would write undefined first.
 */
export class Cell {
  declare readonly table: CellTable
  declare readonly pk: string
  /** Where the rows keep this cell's record. Never given to another cell. */
  declare readonly slot: number
  /**
   * The place in the list of the pass that met this cell last. A number, so that it holds nothing and need not be taken
   * off: whoever reads it checks that this cell stands at that place of their own list.
   */
  entry: number = 0
  /** When collection last found it in use; 0 when it was written or read since then, or never seen. */
  used: number = 0
  /** By these its table's directory finds it. */
  declare readonly hash: number
  link: number = 0
  /** What the reading under way knows of this cell. Whoever reads it checks that it is their own. */
  pass: unknown = undefined
  /** Something derived, like the members of a long list. Whoever reads it checks that it is still true: losing it costs time, never truth. */
  memo: unknown = undefined
  /** The readers of this cell; undefined until somebody reads it. */
  watch: unknown = undefined

  constructor(table: CellTable, pk: string, slot: number, hash: number) {
    this.table = table
    this.pk = pk
    this.slot = slot
    this.hash = hash
  }
}

/** The cells of one table, by pk and by slot. */
export class CellTable {
  declare readonly key: string
  /** Where the tables of a state keep this one. */
  declare readonly ordinal: number
  /** The first schema that used this table, and whether another has been told of. */
  owner: unknown = undefined
  warned: boolean = false
  /** The readers of this table as a whole; undefined until there are any. */
  watch: unknown = undefined
  /** Secondary indexes by field; made when somebody looks something up. */
  indexes: Map<string, unknown> | undefined = undefined
  readonly #directory = new Directory<Cell>()
  #next = 0
  /** The slot after the last one found. Responses repeat an order, so this is often the next: a comparison instead of a hash. */
  #guess = 0

  constructor(key: string, ordinal: number) {
    this.key = key
    this.ordinal = ordinal
  }

  get size(): number {
    return this.#directory.size
  }

  cells(): Iterable<Cell> {
    return this.#directory.cells()
  }

  /** How many slots have been given. */
  get slots(): number {
    return this.#next
  }

  /** Of anything but a pk undefined. */
  find(pk: string): Cell | undefined {
    const guess = this.at(this.#guess)
    // Of the very same string, as stored lists have it, nothing has to be fetched: `===` would look what it is first.
    if (guess !== undefined && Object.is(guess.pk, pk)) {
      this.#guess++
      return guess
    }
    return typeof pk === 'string' ? this.#found(pk, hashOf(pk)) : undefined
  }

  /** The cell of a pk, made if there is none. */
  intern(pk: string): Cell {
    const guess = this.at(this.#guess)
    // Of another string, as responses have it, to look what it is comes first anyway.
    if (guess !== undefined && guess.pk === pk) {
      this.#guess++
      return guess
    }
    const hash = hashOf(pk)
    const known = this.#found(pk, hash)
    if (known !== undefined) return known
    const cell = new Cell(this, pk, this.#next, hash)
    this.adopt(cell)
    this.#guess = this.#next
    return cell
  }

  #found(pk: string, hash: number): Cell | undefined {
    const cell = this.#directory.find(pk, hash)
    if (cell !== undefined) this.#guess = cell.slot + 1
    return cell
  }

  /** Whether the slot of a cell that was taken back is still its own. */
  canAdopt(cell: Cell): boolean {
    return cell.slot >= this.#next || this.at(cell.slot) === cell
  }

  /** Puts a cell in its place, a new one or one that was taken back. */
  adopt(cell: Cell): void {
    if (cell.slot < this.#next) return
    this.#next = cell.slot + 1
    this.#directory.add(cell)
  }

  at(slot: number): Cell | undefined {
    return slot < this.#next ? this.#directory.at(slot) : undefined
  }

  /** Takes back a cell that no version has seen. */
  forget(cell: Cell): void {
    this.drop(cell)
    if (cell.slot === this.#next - 1) this.#next--
  }

  /** Lets go of a cell that no version can show any more. Its slot is never given again: what was derived from it may be about. */
  drop(cell: Cell): void {
    if (this.at(cell.slot) === cell) this.#directory.remove(cell, this.#next)
  }
}

/** What a cell says of its use once it has been emptied, until somebody writes to it again. */
const EMPTIED = -1

/** Versions that refer to one `Cells`: whether there are any left, and how many slots each table had given when the last was made. */
interface Era {
  readonly number: number
  readonly cells: WeakRef<Cells>
  readonly slots: readonly number[]
}

/**
 * Cells whose rows were collected. A cell cannot go with its row: somebody may hold an older version, and finds the row
 * there by its cell. So every collection begins an era: versions before and after it refer to different `Cells`, which
 * share all that they hold. When the `Cells` of an era are gone, nobody holds a version of it.
 */
class Attic {
  #eras: Era[] = []
  #count = 0
  /** With the era that was the last to show them. */
  #cells: (readonly [Cell, number])[] = []

  get size(): number {
    return this.#cells.length
  }

  /** Takes in cells that were just emptied; `before` is what versions referred to until now. */
  take(cells: readonly Cell[], before: Cells): void {
    const { endpoints, tables } = before
    const number = ++this.#count
    this.#eras.push({ number, cells: new WeakRef(before), slots: [endpoints, ...tables].map(({ slots }) => slots) })
    for (const cell of cells) {
      cell.used = EMPTIED
      cell.memo = undefined
      this.#cells.push([cell, number])
    }
  }

  /** Lets go of the cells that no version can show, except those in use. */
  clear(isInUse: (cell: Cell) => boolean): void {
    this.#eras = this.#eras.filter(({ cells }) => cells.deref() !== undefined)
    const held = ({ slot, table }: Cell, last: number): boolean =>
      this.#eras.some(({ number, slots }) => number <= last && slot < (slots[table.ordinal + 1] ?? 0))
    this.#cells = this.#cells.filter(([cell, last]) => {
      // Written to since: it is a cell like any other, and will be found again.
      if (cell.used !== EMPTIED) return false
      if (cell.watch !== undefined || isInUse(cell) || held(cell, last)) return true
      cell.table.drop(cell)
      return false
    })
  }
}

/** All cells of a store, shared by every version and branch of its state. */
export class Cells {
  declare readonly tables: CellTable[]
  readonly #byKey: Map<string, CellTable>
  #endpoints: CellTable | undefined
  #attic: Attic | undefined

  /** With `before`, the very same cells, for versions that come after a collection. */
  constructor(before?: Cells) {
    this.tables = before?.tables ?? []
    this.#byKey = before === undefined ? new Map<string, CellTable>() : before.#byKey
    this.#endpoints = before?.endpoints
    this.#attic = before?.attic
  }

  /** The cells of endpoint results; their pk is the endpoint's key. */
  get endpoints(): CellTable {
    return (this.#endpoints ??= new CellTable('', -1))
  }

  /** Those without a row that an older version may still need. */
  get attic(): Attic {
    return (this.#attic ??= new Attic())
  }

  table(key: string): CellTable {
    return obtain(this.#byKey, key, () => (this.tables[this.tables.length] = new CellTable(key, this.tables.length)))
  }

  find(key: string): CellTable | undefined {
    return this.#byKey.get(key)
  }

  /** The cells that versions refer to from now on, when these have been emptied. */
  without(emptied: readonly Cell[]): Cells {
    this.attic.take(emptied, this)
    return new Cells(this)
  }

  /** Whether the place of a table that was taken back is still its own. */
  canAdopt(table: CellTable): boolean {
    return table.ordinal >= this.tables.length ? !this.#byKey.has(table.key) : this.tables[table.ordinal] === table
  }

  /** Puts back a table that was taken back. */
  adopt(table: CellTable): void {
    this.tables[table.ordinal] = table
    this.#byKey.set(table.key, table)
  }

  /** Takes back the tables past the first `count`, as far as no version has seen them. */
  shrink(count: number): void {
    while (this.tables.length > count && this.tables[this.tables.length - 1]!.size === 0) this.#byKey.delete(this.tables.pop()!.key)
  }
}
