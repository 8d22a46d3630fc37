/** The identity of one (table, pk). Its record lives in a state, at `slot`; views and live objects hang on the cell. */
export class Cell {
  declare readonly table: Table
  declare readonly pk: string
  declare readonly slot: number
  /** The view nodes of this cell, linked by `next`. */
  node: object | null = null
  /** When garbage collection first found it unused, plus 1; 0 while it is in use, and after a write. */
  idleAt = 0

  constructor(table: Table, pk: string, slot: number) {
    this.table = table
    this.pk = pk
    this.slot = slot
  }

  /** Whether it is a row of an entity or a collection, not the result of an endpoint. */
  get isEntity(): boolean {
    return this.table.ordinal >= 0
  }
}

/** The cells of one entity type, or of all endpoint results. */
export class Table {
  declare readonly key: string
  /** Where states keep the rows of this table. */
  declare readonly ordinal: number
  readonly #cells = new Map<string, Cell>()
  readonly bySlot: Cell[] = []
  /** By the field of the lookup. Each follows the state that was asked last. */
  readonly indexes: Map<string, object | undefined> = new Map()
  /** The class or collection that first stored a row here. */
  owner: unknown = undefined

  constructor(key: string, ordinal: number) {
    this.key = key
    this.ordinal = ordinal
  }

  /** The cell of `pk`, created on first use. */
  cell(pk: string): Cell {
    let cell = this.#cells.get(pk)
    if (cell === undefined) {
      cell = new Cell(this, pk, this.bySlot.length)
      this.#cells.set(pk, cell)
      this.bySlot.push(cell)
    }
    return cell
  }

  find(pk: string): Cell | undefined {
    return this.#cells.get(pk)
  }
}

/** All tables of a store. States of one store share it; garbage collection replaces it, and older states keep the old one. */
export class Directory {
  /** Results of endpoints are rows too. */
  results: Table = new Table('', -1)
  readonly tables: Table[] = []
  readonly #byKey = new Map<string, Table>()

  table(key: string): Table {
    let table = this.#byKey.get(key)
    if (table === undefined) this.adopt((table = new Table(key, this.tables.length)))
    return table
  }

  find(key: string): Table | undefined {
    return this.#byKey.get(key)
  }

  /** Takes a table over from another directory, at the same ordinal. */
  adopt(table: Table): void {
    this.#byKey.set(table.key, table)
    this.tables.push(table)
  }
}
