import type { Stamp } from '../base/stamp.ts'
import type { Cell, Cells, CellTable } from './cell.ts'
import { NO_ROWS, Rows, type Row } from './rows.ts'
import { compareVectors, NOTHING, type Vector } from './vector.ts'

/** The tables of a state. Opaque: read it with `denormalize`, export it with `exportState`. */
export class Entities {
  /** @internal By the ordinal of their table. */
  declare readonly tables: readonly (Rows | undefined)[]

  constructor(tables: readonly (Rows | undefined)[] = []) {
    this.tables = tables
  }
}

/** The stamps of a state, beside its rows and never part of them. */
export class Stamps {
  /** @internal By the ordinal of their table. */
  declare readonly tables: readonly (Vector<Stamp> | undefined)[]

  constructor(tables: readonly (Vector<Stamp> | undefined)[] = []) {
    this.tables = tables
  }
}

/**
 * One immutable version of everything known. Keeping one costs nothing, and it never changes.
 *
 * @example
 * const { patches, stamps } = normalize(Todo, { id: 1, title: 'sow' })
 * const state: State = applyPatches(emptyState, patches, stamps)
 */
export interface State {
  readonly entities: Entities
  /** Results by endpoint key. Opaque, like `entities`. */
  readonly endpoints: Endpoints
  readonly stamps: Stamps
  /** @internal The identities that this version and its branches share; undefined until something was written. */
  readonly cells: Cells | undefined
}

/** The results of endpoints. */
export type Endpoints = Rows<unknown>

/**
 * A state that knows nothing.
 *
 * @example
 * const { patches, stamps } = normalize(Todo, { id: 1, title: 'sow' })
 * const state = applyPatches(emptyState, patches, stamps)
 */
export const emptyState: State = /* @__PURE__ */ Object.freeze({
  entities: /* @__PURE__ */ new Entities(),
  endpoints: /* @__PURE__ */ new Rows<unknown>(),
  stamps: /* @__PURE__ */ new Stamps(),
  cells: undefined,
})

/** The cell of (key, pk), if this lineage ever saw it. */
export function cellOf(state: { readonly cells: Cells | undefined }, key: string, pk: string): Cell | undefined {
  return state.cells?.find(key)?.find(pk)
}

/** What `state` holds of a table: rows, or results, which stand beside the tables. */
export function rowsOf(state: State, { ordinal }: CellTable): Rows {
  return ordinal < 0 ? (state.endpoints as Rows) : (state.entities.tables[ordinal] ?? NO_ROWS)
}

/** The stamps that `state` holds of a table. */
export function stampsOf(state: State, table: CellTable): Vector<Stamp> {
  return state.stamps.tables[table.ordinal] ?? NOTHING
}

/** What `state` holds for a cell. */
export function rowOf(state: State, cell: Cell): Row | undefined {
  return rowsOf(state, cell.table).records.get(cell.slot)
}

/** The stamp that `state` holds for a cell. */
export function stampOf(state: State, cell: Cell): Stamp | undefined {
  return stampsOf(state, cell.table).get(cell.slot)
}

/** The record of (key, pk), or undefined. */
export function readRow(state: State, key: string, pk: string): Row | undefined {
  const cell = cellOf(state, key, pk)
  return cell && rowOf(state, cell)
}

/** The result of an endpoint, or undefined. */
export function readResult(state: State, key: string): unknown {
  const cell = state.cells?.endpoints.find(key)
  return cell && rowOf(state, cell)
}

/** The cells of the live rows of a table in the order of their first arrival; undefined when the type was never stored. */
export function cellsOf(state: State, key: string): Cell[] | undefined {
  const table = state.cells?.find(key)
  if (table === undefined) return undefined
  const rows = rowsOf(state, table)
  // A stamp without a row is a deletion: the type is known, and empty.
  if (rows.size === 0) return compareVectors(NOTHING, stampsOf(state, table), () => true) ? [] : undefined
  return rows.slots().map(slot => table.at(slot)!)
}
