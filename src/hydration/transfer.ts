import { HydrationError } from '../base/errors.ts'
import { isReserved } from '../base/keys.ts'
import { isObject, isPlain, keep, take } from '../base/plain.ts'
import type { Stamp } from '../base/stamp.ts'
import type { EditOperation } from '../normalize/fold.ts'
import { hasProto } from '../store/applyPatches.ts'
import { Draft } from '../store/Draft.ts'
import { emptyState, type Cell, type Directory, type Row, type State } from '../store/State.ts'

/**
 * One row as plain data. A record of `null` is a row that is known to be deleted.
 *
 * @example
 * const rows: readonly ExportedRow[] = exportState(state).entities[0]?.[1] ?? []
 * console.log(rows[0]?.[0]) // 1
 */
export type ExportedRow = readonly [pk: string, record: Row | null, stamp: Stamp | null]

/**
 * A state as plain data, ready for JSON. Lists, in the order of arrival, and never objects keyed by pk:
 * a pk may be any string, `__proto__` included.
 *
 * @example
 * const saved: ExportedState = exportState(state)
 * const again = importState(saved)
 */
export interface ExportedState {
  readonly version: 1
  readonly entities: readonly (readonly [key: string, rows: readonly ExportedRow[]])[]
  readonly endpoints: readonly (readonly [key: string, result: unknown])[]
}

/**
 * The data of a controller, as plain values, ready for JSON. Times are wall times: another process has another clock.
 *
 * @example
 * const data: Dehydrated = dehydrate(controller)
 * const again = new Controller({ initialState: hydrated(data) })
 */
export interface Dehydrated extends ExportedState {
  /** When each result was fetched, and until when it is fresh: a time below 0 when it is invalid. */
  readonly freshness: readonly (readonly [key: string, date: number, expiresAt: number])[]
}

/**
 * A state as plain data. Values that JSON cannot express (a `Blob`, a bigint) are left out, with one warning.
 *
 * @example
 * localStorage.setItem('state', JSON.stringify(exportState(state)))
 */
export function exportState(state: State): ExportedState {
  const entities: (readonly [string, ExportedRow[]])[] = []
  const endpoints: (readonly [string, unknown])[] = []
  const omitted: string[] = []
  for (const { key, bySlot } of state.directory?.tables ?? []) {
    const rows = (state.all(key) ?? []).map<ExportedRow>(cell => [cell.pk, toJson(Object.freeze(state.read(cell)), `${key} ${cell.pk}`, omitted) as Row, state.stamp(cell) ?? null])
    for (const cell of bySlot) {
      const stamp = state.stamp(cell)
      if (stamp?.deleted && !state.read(cell)) rows.push([cell.pk, null, stamp])
    }
    if (rows.length) entities.push([key, rows])
  }
  for (const cell of state.directory?.results.bySlot ?? []) {
    const result = toJson(state.read(cell), cell.pk, omitted)
    if (result !== undefined) endpoints.push([cell.pk, result])
  }
  if (omitted.length) console.warn(`patchcord: ${omitted.length} values are not plain data and were not exported: ${omitted.slice(0, 5).join(', ')}.`)
  return { version: 1, entities, endpoints }
}

/** `value` without the parts that JSON cannot express; the same object when it has none. Their paths are added to `omitted`. */
function toJson(value: unknown, path: string, omitted: string[]): unknown {
  if (['function', 'symbol', 'bigint'].includes(typeof value)) return void omitted.push(path)
  if (!isObject(value)) return value
  if (!Array.isArray(value) && !isPlain(value)) return void omitted.push(path)
  const members = Object.entries(value).map(([name, member]) => {
    const made = toJson(member, `${path}.${name}`, omitted)
    return [name, made === undefined && Array.isArray(value) ? null : made] as const
  })
  if (members.every(([name, member]) => Object.is(member, (value as { [name: string]: unknown })[name]))) return value
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members.filter(([, member]) => member !== undefined))
}

/**
 * The state that `exportState` returned. Anything else is refused whole, with a `HydrationError`.
 *
 * @example
 * const state = importState(JSON.parse(localStorage.getItem('state') ?? 'null'))
 */
export function importState(data: unknown): State {
  const draft = new Draft(emptyState)
  for (const { apply } of exportedWrites(readExported(data), draft.directory)) apply(draft)
  return draft.finish()
}

/** An operation that writes one row or result. It needs no options. */
type ExportedWrite = EditOperation & { readonly apply: (draft: Draft) => void }

/** The operations that write exported rows and results. A row that the state has from a later answer stays. `toOwn` converts a stamp. */
export function exportedWrites({ entities, endpoints }: ExportedState, directory: Directory, toOwn: (stamp: Stamp) => Stamp = Object.freeze): ExportedWrite[] {
  const writeOf = (cell: Cell, row: unknown, stamp?: Stamp | null): ExportedWrite => ({
    type: 'edit',
    cell,
    apply(draft) {
      const known = draft.stamp(cell)
      if (known && known.date >= (stamp?.date ?? 0)) return
      draft.write(cell, keep(draft.read(cell), row) as Row | undefined)
      if (stamp) draft.setStamp(cell, toOwn(stamp))
    },
  })
  const writes = entities.flatMap(([key, rows]) => rows.map(([pk, record, stamp]) => writeOf(directory.table(key).cell(pk), record ?? undefined, stamp)))
  return writes.concat(endpoints.map(([key, result]) => writeOf(directory.results.cell(key), result)))
}

/** What `exportState` or `dehydrate` returned, checked and frozen: a copy, unless `copies` is false. */
export function readExported(given: unknown, copies = true): Dehydrated {
  let data: Partial<Dehydrated>
  try {
    check(isPlain(given) && given['version'] === 1 && !hasProto(given), 'it is no exported state of version 1, or has a key "__proto__"')
    data = take(given, copies) as Partial<Dehydrated>
  } catch (error) {
    check(error instanceof HydrationError, 'it cannot be copied', error)
    throw error
  }
  const entities = entries(data.entities, 'entities').map(([key, rows]) => {
    check(!!key && !isReserved(key), `"${key}" is no table`)
    return [key, entries(rows, key).map(([pk, record, stamp]) => readRow(key, pk, record, stamp))] as const
  })
  const freshness = entries(data.freshness ?? [], 'freshness').map(([key, date, expiresAt]) => {
    const until = expiresAt ?? Infinity
    check(typeof date === 'number' && typeof until === 'number', `the freshness of ${key} lacks a time`)
    return [key, date, until] as const
  })
  return { version: 1, entities, endpoints: entries(data.endpoints, 'endpoints') as Dehydrated['endpoints'], freshness }
}

/** JSON has no Infinity: `expiresAt` is `null` then. A row that was fetched infinitely late would never be updated again. */
function readRow(key: string, pk: string, record: unknown, stamp: unknown): ExportedRow {
  const { fetchedAt, date, expiresAt, deleted } = (stamp ?? {}) as Partial<Stamp>
  const until = expiresAt ?? Infinity
  check(!!pk && typeof record === 'object' && (record !== null || deleted === true), `${key} has a row without a pk, or with neither a record nor a deletion`)
  check(stamp == null || (Number.isFinite(fetchedAt) && Number.isFinite(date) && typeof until === 'number'), `the stamp of ${key} ${pk} lacks a time`)
  const times = { fetchedAt: fetchedAt!, date: date!, expiresAt: until }
  return [pk, record as Row | null, (stamp ?? null) && (deleted === true ? { ...times, deleted } : times)]
}

/** A list of lists that begin with a name, each name once. */
function entries(value: unknown, what: string): readonly (readonly [name: string, ...unknown[]])[] {
  check(Array.isArray(value) && value.every(entry => Array.isArray(entry) && entry.length > 1 && typeof entry[0] === 'string'), `${what} is no list of named entries`)
  check(new Set(value.map(([name]: unknown[]) => name)).size === value.length, `${what} has an entry twice`)
  return value as [string, ...unknown[]][]
}

function check(holds: boolean, why: string, cause?: unknown): asserts holds {
  if (!holds) throw new HydrationError(`The state cannot be imported: ${why}. Start with an empty state.`, { cause })
}
