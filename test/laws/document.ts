import { enableMapSet, enablePatches, Immer } from 'immer'
import { exportState } from '../../src/index.ts'
import type { Patch, State } from '../../src/index.ts'
import { readResult, readRow } from '../adapter.ts'
import { same } from '../support/same.ts'

/** What a state says, as the document that its patches are about. */
export interface Document {
  readonly entities: Map<string, Map<string, unknown>>
  readonly endpoints: Map<string, unknown>
}

enablePatches()
enableMapSet()
/** Not the library's instance, nor the one that an application shares. */
export const immer: Immer = new Immer({ autoFreeze: false })

/** The document of a state. Tables are there as soon as they have a row. */
export function documentOf(state: State): Document {
  const { entities, endpoints } = exportState(state)
  const tables = new Map<string, Map<string, unknown>>()
  for (const [key, rows] of entities) {
    const table = new Map<string, unknown>()
    // The rows themselves: what is exported may be a copy of them, made ready for JSON.
    for (const [pk, record] of rows) if (record !== null) table.set(pk, readRow(state, key, pk))
    if (table.size > 0) tables.set(key, table)
  }
  return { entities: tables, endpoints: new Map(endpoints.map(([key]) => [key, readResult(state, key)])) }
}

/** What real Immer makes of patches. Tables exist implicitly: no patch makes one, so they are made before. */
export function patchDocument(document: Document, patches: readonly Patch[]): Document {
  if (patches.length === 0) return document
  let { entities } = document
  for (const { path } of patches) {
    if (path[0] !== 'entities' || entities.has(path[1] as string)) continue
    if (entities === document.entities) entities = new Map(entities)
    entities.set(path[1] as string, new Map())
  }
  return immer.applyPatches({ entities, endpoints: document.endpoints }, patches)
}

/** Equal documents; a table without rows is no table, and order is not part of a map of Immer's. */
export function sameDocuments(a: Document, b: Document): boolean {
  if (!sameTables(a, b) || !sameTables(b, a)) return false
  return a.endpoints === b.endpoints || same(a.endpoints, b.endpoints)
}

function sameTables(a: Document, b: Document): boolean {
  for (const [key, table] of a.entities) {
    const other = b.entities.get(key)
    if (table.size === 0 ? (other?.size ?? 0) > 0 : other === undefined || !same(table, other)) return false
  }
  return true
}

/** The pks of each table in their order. */
export function orderOf(document: Document): Map<string, string[]> {
  return new Map([...document.entities].map(([key, table]) => [key, [...table.keys()]]))
}
