import type { Stamp } from '../base/stamp.ts'
import { vectorGet, vectorPut, type Vector } from './vector.ts'

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
    if (!cell) {
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
    if (!table) this.adopt((table = new Table(key, this.tables.length)))
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

/** The stored value of a cell: the record of an entity, the members of a collection, or the result of an endpoint. */
export type Row = object

/** Stands for a row that was removed, so that the row keeps its rank in the order of arrival. */
export const REMOVED: unique symbol = Symbol('removed')
/** An entry of a vector of rows. */
export type Entry = Row | typeof REMOVED

export function rowIn(entry: Entry | undefined): Row | undefined {
  return entry === REMOVED ? undefined : entry
}

/** The rows of one table in one state, and the order in which they first arrived. Only the draft that made it writes to it. */
export class Rows {
  /** The draft that may write to this object. */
  declare readonly owner: number
  declare records: Vector<Entry> | undefined
  declare size: number
  /** The highest slot that ever had a row. */
  declare last: number
  /** How many rows arrived after a row with a higher slot. */
  declare lates: number
  /** Their ranks in the order of arrival, by slot. */
  declare ranks: Vector<number> | undefined

  constructor(owner = 0, from?: Rows) {
    this.owner = owner
    this.records = from?.records
    this.size = from?.size ?? 0
    this.last = from?.last ?? -1
    this.lates = from?.lates ?? 0
    this.ranks = from?.ranks
  }

  get(slot: number): Row | undefined {
    return rowIn(vectorGet(this.records, slot))
  }

  put(slot: number, row: Row | undefined): void {
    const before = vectorGet(this.records, slot)
    if (row === rowIn(before)) return
    if (row === undefined) this.size--
    else if (rowIn(before) === undefined) this.size++
    if (before === undefined) {
      if (slot > this.last) this.last = slot
      else this.ranks = vectorPut(this.ranks, slot, this.last + ++this.lates / 2 ** 20, this.owner)
    }
    this.records = vectorPut(this.records, slot, row === undefined ? REMOVED : row, this.owner)
  }

  /** Rows of lower rank arrived earlier. */
  rank(slot: number): number {
    return vectorGet(this.ranks, slot) ?? slot
  }
}

export const NO_ROWS: Rows = /* @__PURE__ */ new Rows()

/** The tables of a state. Opaque: read it with `denormalize`, export it with `exportState`. */
export interface Entities extends ReadonlyArray<Rows | undefined> {}

/**
 * One immutable version of everything the store knows. Keeping one is free, and it never changes.
 *
 * @example
 * const { patches, stamps } = normalize(Todo, { id: 1, title: 'sow' })
 * const state: State = applyPatches(emptyState, patches, stamps)
 */
export class State {
  declare readonly entities: Entities
  /** Results by endpoint key. Opaque, like `entities`. */
  declare readonly endpoints: Rows
  /** @internal */ declare readonly stamps: readonly (Vector<Stamp> | undefined)[]
  /** @internal Two states with the same value have the same marks "deleted". */ declare readonly marks: object | undefined
  /** @internal Undefined until something was written. */ declare readonly directory: Directory | undefined

  constructor(directory: Directory | undefined, entities: Entities = [], endpoints: Rows = NO_ROWS, stamps: readonly (Vector<Stamp> | undefined)[] = [], marks?: object) {
    this.directory = directory
    this.entities = entities
    this.endpoints = endpoints
    this.stamps = stamps
    this.marks = marks
  }

  /** @internal */
  rows(table: Table): Rows {
    return table.ordinal < 0 ? this.endpoints : (this.entities[table.ordinal] ?? NO_ROWS)
  }

  /** @internal */
  read(cell: Cell): Row | undefined {
    return this.rows(cell.table).get(cell.slot)
  }

  /** @internal */
  stamp(cell: Cell): Stamp | undefined {
    return vectorGet(this.stamps[cell.table.ordinal], cell.slot)
  }

  /** @internal The cells of a table that have a row, in order of first arrival; undefined when the type was never stored. */
  all(key: string): Cell[] | undefined {
    const table = this.directory?.find(key)
    if (!table) return undefined
    const rows = this.rows(table)
    // A type of which every entity was deleted is known, and empty.
    if (!rows.size) return table.bySlot.some(cell => this.stamp(cell)?.deleted) ? [] : undefined
    const found: Cell[] = []
    for (let slot = 0; slot <= rows.last; slot++) if (rows.get(slot) !== undefined) found.push(table.bySlot[slot]!)
    return rows.ranks ? found.sort((a, b) => rows.rank(a.slot) - rows.rank(b.slot)) : found
  }

  /** @internal The cell of (key, pk), if this store ever used it. */
  cell(key: string, pk: string): Cell | undefined {
    return this.directory?.find(key)?.find(pk)
  }

  /** @internal The stored result of an endpoint. */
  result(key: string): unknown {
    const cell = this.directory!.results.find(key)
    return cell && this.read(cell)
  }

  /** @internal The row of (key, pk). */
  row(key: string, pk: string): { readonly [field: string]: unknown } | undefined {
    const cell = this.cell(key, pk)
    return cell && (this.read(cell) as { readonly [field: string]: unknown } | undefined)
  }
}

/**
 * A state without any data.
 *
 * @example
 * const { patches, stamps } = normalize(Todo, { id: 1, title: 'sow' })
 * const state = applyPatches(emptyState, patches, stamps)
 */
export const emptyState: State = /* @__PURE__ */ Object.freeze(/* @__PURE__ */ new State(undefined))
