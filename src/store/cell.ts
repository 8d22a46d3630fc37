/**
 * Identity, kept apart from value: one cell for each (table, pk) ever seen by a store. Every version of the
 * state shares the cells; what they hold at that version stands in its rows, at the cell's slot.
 */
export class Cell {
  readonly table: CellTable
  readonly pk: string
  /** Where the rows keep this cell's record. Never given to another cell. */
  readonly slot: number
  /** What the pass under way knows of this cell. Whoever reads it checks that it is their own pass's. */
  pass: unknown = undefined
  /** What a scratch wrote here. Whoever reads it checks that it is their own. */
  touch: unknown = undefined
  /** Something derived, like the members of a long list. Whoever reads it checks that it is still true: losing it costs time, never truth. */
  memo: unknown = undefined
  /** The readers of this cell; undefined until somebody reads it. */
  watch: unknown = undefined

  constructor(table: CellTable, pk: string, slot: number) {
    this.table = table
    this.pk = pk
    this.slot = slot
  }
}

/** The cells of one table, by pk and by slot. */
export class CellTable {
  readonly key: string
  /** Where the tables of a state keep this one. */
  readonly ordinal: number
  /** The first schema that used this table, and whether another has been told of. */
  owner: unknown = undefined
  warned: boolean = false
  /** The readers of this table as a whole; undefined until there are any. */
  watch: unknown = undefined
  /** Secondary indexes by field; made when somebody looks something up. */
  indexes: Map<string, unknown> | undefined = undefined
  readonly #byPk = new Map<string, Cell>()
  readonly #bySlot: (Cell | undefined)[] = []
  /** The slot after the last one found. Responses repeat an order, so this is often the next: a comparison instead of a hash. */
  #guess = 0

  constructor(key: string, ordinal: number) {
    this.key = key
    this.ordinal = ordinal
  }

  get size(): number {
    return this.#byPk.size
  }

  find(pk: string): Cell | undefined {
    if (this.#guess < this.#bySlot.length) {
      const guess = this.#bySlot[this.#guess]
      if (guess !== undefined && guess.pk === pk) {
        this.#guess++
        return guess
      }
    }
    const cell = this.#byPk.get(pk)
    if (cell !== undefined) this.#guess = cell.slot + 1
    return cell
  }

  /** The cell of a pk; one that had to be made is also put into `made`. */
  intern(pk: string, made: Cell[]): Cell {
    const known = this.find(pk)
    if (known !== undefined) return known
    const slot = this.#bySlot.length
    const cell = new Cell(this, pk, slot)
    this.#byPk.set(pk, cell)
    this.#bySlot.push(cell)
    this.#guess = slot + 1
    made.push(cell)
    return cell
  }

  at(slot: number): Cell | undefined {
    return slot < this.#bySlot.length ? this.#bySlot[slot] : undefined
  }

  /** Takes back a cell that no version has seen. */
  forget(cell: Cell): void {
    this.#byPk.delete(cell.pk)
    if (cell.slot === this.#bySlot.length - 1) this.#bySlot.pop()
    else this.#bySlot[cell.slot] = undefined
  }
}

/** All cells of a store, shared by every version and branch of its state. */
export class Cells {
  readonly tables: CellTable[] = []
  readonly #byKey = new Map<string, CellTable>()
  /** The cells of endpoint results; their pk is the endpoint's key. */
  readonly endpoints: CellTable = new CellTable('', -1)

  table(key: string): CellTable {
    let table = this.#byKey.get(key)
    if (table === undefined) {
      table = new CellTable(key, this.tables.length)
      this.tables.push(table)
      this.#byKey.set(key, table)
    }
    return table
  }

  find(key: string): CellTable | undefined {
    return this.#byKey.get(key)
  }

  /** Takes back the tables past the first `count`, as far as no version has seen them. */
  shrink(count: number): void {
    while (this.tables.length > count && this.tables[this.tables.length - 1]!.size === 0) this.#byKey.delete(this.tables.pop()!.key)
  }
}
