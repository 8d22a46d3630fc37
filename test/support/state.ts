import { Controller, dehydrate, exportState, type Entity, type ExportedRow, type Stamp, type State } from '../../src/index.ts'
import { quietly } from './settings.ts'

type Row = NonNullable<ExportedRow[1]>

interface Tables {
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, ExportedRow>>
  readonly results: ReadonlyMap<string, unknown>
}

const exported = new WeakMap<State, Tables>()

/** Exports a state once; a state never changes. */
function tablesOf(state: State): Tables {
  const known = exported.get(state)
  if (known !== undefined) return known
  // The warning about values that JSON cannot express has its own test.
  const { entities, endpoints } = quietly(() => exportState(state))
  const tables = { rows: new Map(entities.map(([key, rows]) => [key, new Map(rows.map(row => [row[0], row]))])), results: new Map(endpoints) }
  exported.set(state, tables)
  return tables
}

/** The stored record of (key, pk); the same object for as long as the record has not changed. */
export const readRow = (state: State, key: string, pk: string): Row | undefined => tablesOf(state).rows.get(key)?.get(pk)?.[1] ?? undefined

/** The stamp of (key, pk). A deleted row has one too. */
export const readStamp = (state: State, key: string, pk: string): Stamp | undefined => tablesOf(state).rows.get(key)?.get(pk)?.[2] ?? undefined

/** The pks of a table in the order of their first arrival; undefined for a type that was never stored. */
export function readPks(state: State, key: string): string[] | undefined {
  const rows = tablesOf(state).rows.get(key)
  return rows && [...rows.values()].flatMap(([pk, record]) => (record === null ? [] : [pk]))
}

/** The stored result of an endpoint. */
export const readResult = (state: State, key: string): unknown => tablesOf(state).results.get(key)

/** What a controller over `state` shows for `schema` and these arguments, without fetching. */
export function query<T = unknown>(schema: unknown, args: readonly unknown[], state: State): T | undefined {
  if (asked?.state !== state) {
    asked?.controller.dispose()
    asked = { state, controller: new Controller({ initialState: state, gc: false }) }
  }
  return asked.controller.get(schema, ...args) as T | undefined
}

/** Several questions about one state are asked of one controller: making it takes longer than to answer. */
let asked: { readonly state: State; readonly controller: Controller } | undefined

/** The pk of the entity that these arguments find. */
export function findPk(entity: { pk(value: object): unknown } & (new () => Entity), args: readonly unknown[], state: State): unknown {
  const found = query<object>(entity, args, state)
  return found && entity.pk(found)
}

/** Whether the controller shows confirmed data only: no optimistic change is pending. */
export function isSettled(controller: Controller): boolean {
  const [visible, dehydrated] = quietly(() => [exportState(controller.snapshot()), dehydrate(controller)])
  const rowsOf = ({ entities }: typeof visible): unknown[] => entities.flatMap(([key, rows]) => rows.flatMap(([pk, record]) => (record === null ? [] : [key, pk, record])))
  const [a, b] = [[...rowsOf(visible), ...visible.endpoints.flat()], [...rowsOf(dehydrated), ...dehydrated.endpoints.flat()]]
  return a.length === b.length && a.every((part, i) => Object.is(part, b[i]))
}
