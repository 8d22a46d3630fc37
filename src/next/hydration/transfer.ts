import { HydrationError } from '../base/errors.ts'
import { isReserved } from '../base/keys.ts'
import { isPlain, take } from '../base/plain.ts'
import type { Stamp } from '../base/stamp.ts'
import { hasProto } from '../store/applyPatches.ts'
import { Draft } from '../store/Draft.ts'
import { emptyState, type Row, type State } from '../store/State.ts'

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
 * Everything that a state knows, as plain data. What JSON cannot say (a `Blob`, a bigint) is left out, with one warning.
 *
 * @example
 * localStorage.setItem('state', JSON.stringify(exportState(state)))
 */
export function exportState(state: State): ExportedState {
  const entities: (readonly [string, ExportedRow[]])[] = []
  const endpoints: (readonly [string, unknown])[] = []
  const left: string[] = []
  for (const table of state.directory?.tables ?? []) {
    const rows = (state.all(table.key) ?? []).map<ExportedRow>(cell => [cell.pk, sayable(Object.freeze(state.read(cell)), `${table.key} ${cell.pk}`, left) as Row, state.stamp(cell) ?? null])
    for (const cell of table.bySlot) {
      const stamp = state.stamp(cell)
      if (stamp?.deleted && state.read(cell) === undefined) rows.push([cell.pk, null, stamp])
    }
    if (rows.length > 0) entities.push([table.key, rows])
  }
  for (const cell of state.directory?.results.bySlot ?? []) {
    const result = sayable(state.read(cell), cell.pk, left)
    if (result !== undefined) endpoints.push([cell.pk, result])
  }
  if (left.length > 0) console.warn(`patchcord: ${left.length} values are not plain data and were not exported: ${left.slice(0, 5).join(', ')}.`)
  return { version: 1, entities, endpoints }
}

/** `value` without what JSON has no word for; the very same when there is nothing of that in it. `left` is told the rest. */
function sayable(value: unknown, path: string, left: string[]): unknown {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return void left.push(path)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const copy = value.map((member, i) => (member === undefined ? null : (sayable(member, `${path}.${i}`, left) ?? null)))
    return copy.every((member, i) => Object.is(member, value[i])) ? value : copy
  }
  if (!isPlain(value)) return void left.push(path)
  const said = Object.entries(value).map(([field, member]) => [field, sayable(member, `${path}.${field}`, left)] as const)
  return said.every(([field, member]) => Object.is(member, value[field])) ? value : Object.fromEntries(said.filter(([, member]) => member !== undefined))
}

/**
 * The state that `exportState` wrote down. What is not such a thing is refused whole, with a `HydrationError`.
 *
 * @example
 * const state = importState(JSON.parse(localStorage.getItem('state') ?? 'null'))
 */
export function importState(data: unknown): State {
  const { entities, endpoints } = readExported(data)
  const draft = new Draft(emptyState)
  for (const [key, rows] of entities) {
    const table = draft.directory.table(key)
    for (const [pk, record, stamp] of rows) {
      const cell = table.cell(pk)
      if (record !== null) draft.write(cell, record)
      draft.setStamp(cell, stamp ?? undefined)
    }
  }
  for (const [key, result] of endpoints) draft.write(draft.directory.results.cell(key), result as Row)
  return draft.finish()
}

/** A copy of what `exportState` wrote down, every part of it looked at. */
export function readExported(data: unknown): ExportedState {
  if (!isPlain(data) || data['version'] !== 1) throw refused('it is not an exported state of version 1')
  const entities = pairs(data['entities'], 'entities', 'the table').map(([key, rows]) => {
    if (key === '' || isReserved(key)) throw refused(`"${key}" is no table`)
    return [key, once(list(rows, `the rows of ${key}`).map(row => readRow(row, key)), key)] as const
  })
  const endpoints = pairs(data['endpoints'], 'endpoints', 'the result of').map(([key, result]) => [key, clean(result, key)] as const)
  return { version: 1, entities, endpoints }
}

function readRow(row: unknown, key: string): ExportedRow {
  const [pk, record, stamp] = list(row, `a row of ${key}`)
  if (typeof pk !== 'string' || pk === '') throw refused(`a row of ${key} has no pk`)
  if (typeof record !== 'object') throw refused(`the record of ${key} ${pk} is no object`)
  const checked = checkStamp(stamp, key)
  if (record === null && !checked?.deleted) throw refused(`${key} ${pk} has neither a record nor a deletion`)
  return [pk, clean(record, key) as Row | null, checked]
}

function list(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw refused(`${what} is no list`)
  return value as unknown[]
}

function pairs(value: unknown, what: string, one: string): readonly (readonly [string, unknown])[] {
  const all = list(value, what).map(each => {
    const pair = list(each, `an entry of ${what}`)
    if (pair.length !== 2 || typeof pair[0] !== 'string') throw refused(`an entry of ${what} is no [key, value]`)
    return pair as unknown as readonly [string, unknown]
  })
  return once(all, one)
}

/** The same, when no two of them have one name. */
function once<T extends readonly [string, ...unknown[]]>(all: readonly T[], what: string): readonly T[] {
  const seen = new Set<string>()
  for (const [name] of all) if (seen.size === seen.add(name).size) throw refused(`${what} ${name} comes twice`)
  return all
}

/**
 * JSON has no Infinity; a stamp that never expires comes back with `null`. The other times must be moments:
 * a row that was fetched infinitely late would never be updated again.
 */
function checkStamp(stamp: unknown, key: string): Stamp | null {
  if (stamp === null || stamp === undefined) return null
  if (!isPlain(stamp)) throw refused(`a stamp of ${key} is no object`)
  const time = (name: string): number => {
    const value = stamp[name]
    if (typeof value !== 'number' || !Number.isFinite(value)) throw refused(`a stamp of ${key} has no ${name}`)
    return value
  }
  const never = stamp['expiresAt'] === null || stamp['expiresAt'] === Infinity
  const times = { fetchedAt: time('fetchedAt'), date: time('date'), expiresAt: never ? Infinity : time('expiresAt') }
  return Object.freeze(stamp['deleted'] === true ? { ...times, deleted: true } : times)
}

function clean(value: unknown, key: string): unknown {
  try {
    if (!hasProto(value)) return take(value)
  } catch (cause) {
    throw refused(`${key} cannot be copied`, cause)
  }
  throw refused(`${key} has a key "__proto__"`)
}

function refused(why: string, cause?: unknown): HydrationError {
  return new HydrationError(`The state cannot be taken in: ${why}. Start with an empty state and fetch again.`, cause === undefined ? undefined : { cause })
}
