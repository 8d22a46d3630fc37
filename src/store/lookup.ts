import { obtain } from '../base/obtain.ts'
import type { Cell, CellTable } from './cell.ts'
import type { Row } from './rows.ts'
import { rowsOf, type State } from './state.ts'
import { compareVectors, NOTHING, type Vector } from './vector.ts'

/**
 * A secondary index is derived, never stored: it stands at one version of its table, and a look-up moves it to the
 * version that was asked about by comparing the two. Pages that both share are skipped, so moving costs what
 * differs; a write costs nothing; and the answer is exact for every version, old ones included.
 */
class FieldIndex {
  readonly #field: string
  #at: Vector<Row> = NOTHING
  /** Slots by the string form of the value. */
  readonly #slots = new Map<string, Set<number>>()

  constructor(field: string) {
    this.#field = field
  }

  find(records: Vector<Row>, value: string): ReadonlySet<number> | undefined {
    this.moveTo(records)
    return this.#slots.get(value)
  }

  moveTo(records: Vector<Row>): void {
    compareVectors(this.#at, records, (slot, before, after) => {
      const old = indexed(before, this.#field)
      const next = indexed(after, this.#field)
      if (old === next) return
      if (old !== undefined) this.#drop(old, slot)
      if (next === undefined) return
      const slots = this.#slots.get(next)
      if (slots) slots.add(slot)
      else this.#slots.set(next, new Set([slot]))
    })
    this.#at = records
  }

  #drop(value: string, slot: number): void {
    const slots = this.#slots.get(value)
    slots?.delete(slot)
    if (slots?.size === 0) this.#slots.delete(value)
  }
}

/** The cell of the first row, by arrival, whose `field` has this value. */
export function lookup(state: State, key: string, field: string, value: unknown): Cell | undefined {
  const table = state.cells?.find(key)
  const name = indexName(value)
  if (table === undefined || name === undefined) return undefined
  const rows = rowsOf(state, table)
  const slots = indexOf(table, field).find(rows.records, name)
  if (slots === undefined) return undefined
  let first: number | undefined
  for (const slot of slots) if (first === undefined || rows.born(slot)! < rows.born(first)!) first = slot
  return table.at(first!)
}

/** Lets no index hold on to rows that are gone. */
export function moveIndexes(state: State): void {
  for (const table of state.cells!.tables) {
    for (const index of table.indexes?.values() ?? []) (index as FieldIndex).moveTo(rowsOf(state, table).records)
  }
}

function indexOf(table: CellTable, field: string): FieldIndex {
  return obtain((table.indexes ??= new Map()) as Map<string, FieldIndex>, field, () => new FieldIndex(field))
}

/** By what an index finds a row, if its field has a value. */
export function indexed(row: Row | undefined, field: string): string | undefined {
  return row !== undefined && Object.hasOwn(row, field) ? indexName((row as { [field: string]: unknown })[field]) : undefined
}

/** `1` and `'1'` are one value, as they are one pk. Objects, null and undefined are none. */
export function indexName(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
    ? String(value)
    : undefined
}
