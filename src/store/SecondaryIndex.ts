import { rowIn, type Cell, type Entry, type Row, type State, type Table } from './State.ts'
import { compareVectors, type Vector } from './vector.ts'

/** The text under which a value is indexed; objects and missing values are not. */
export function indexText(row: Row | undefined, field: string): string | undefined {
  const value: unknown = row && Object.hasOwn(row, field) ? (row as { [field: string]: unknown })[field] : undefined
  return value == null || typeof value === 'symbol' || Object(value) === value ? undefined : `${value as string}`
}

/** The rows of a table by the value of one field, exact for any state: it follows by comparing with the state it last saw. */
export class SecondaryIndex {
  readonly #table: Table
  readonly #field: string
  readonly #slots = new Map<string, Set<number>>()
  #at: Vector<Entry> | undefined

  constructor(table: Table, field: string) {
    this.#table = table
    this.#field = field
  }

  /** The first row, in order of arrival, whose field has this value. */
  find(state: State, value: unknown): Cell | undefined {
    const rows = state.rows(this.#table)
    compareVectors(this.#at, rows.records, (slot, before, after) => this.#move(slot, indexText(rowIn(before), this.#field), indexText(rowIn(after), this.#field)))
    this.#at = rows.records
    const text = indexText({ value }, 'value')
    let first: number | undefined
    for (const slot of (text !== undefined && this.#slots.get(text)) || []) if (first === undefined || rows.rank(slot) < rows.rank(first)) first = slot
    return first === undefined ? undefined : this.#table.bySlot[first]
  }

  #move(slot: number, from: string | undefined, to: string | undefined): void {
    if (from === to) return
    const old = from !== undefined && this.#slots.get(from)
    if (old && old.delete(slot) && old.size === 0) this.#slots.delete(from)
    if (to !== undefined) this.#slots.set(to, (this.#slots.get(to) ?? new Set()).add(slot))
  }
}

/** The row of a table whose `field` has this value in `state`. */
export function findByIndex(state: State, key: string, field: string, value: unknown): Cell | undefined {
  const table = state.directory?.find(key)
  if (!table) return undefined
  let index = table.indexes.get(field) as SecondaryIndex | undefined
  if (!index) table.indexes.set(field, (index = new SecondaryIndex(table, field)))
  return index.find(state, value)
}
