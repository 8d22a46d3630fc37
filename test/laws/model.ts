import type { Relation, Species } from './species.ts'

type Fields = { readonly [field: string]: unknown }

/** A row as the model keeps it: its fields, or nothing where it was deleted, and the time of the newest word on it. */
interface Entry {
  readonly fields: Fields | undefined
  readonly time: number
}

/**
 * What a store must know after some responses, for entities with default methods: a few lines without cells, patches
 * or sharing. Newer fields lie over older ones, whatever the order in which they arrived within two responses.
 */
export class Model {
  readonly #rows = new Map<string, Map<string, Entry>>()

  /** Takes in an answer about entities of one species: one, or a list. */
  take(of: Species, input: unknown, time: number): void {
    const written = new Map<Species, Map<string, Fields>>()
    const met = new Set<object>()
    if (Array.isArray(input)) for (const each of input as unknown[]) reference(of, each, written, met)
    else reference(of, input, written, met)
    for (const [species, rows] of written) for (const [pk, fields] of rows) this.#write(species.key, pk, fields, time)
  }

  /** Removes rows that are named by pk, or by an object that has it. */
  remove(of: Species, named: readonly unknown[], time: number): void {
    for (const each of named) {
      const pk = String(typeof each === 'object' && each !== null ? (each as { id: unknown }).id : each)
      const known = this.#table(of.key).get(pk)
      if (known === undefined || known.time <= time) this.#table(of.key).set(pk, { fields: undefined, time })
    }
  }

  /** The rows that are there, by table. */
  rows(): Map<string, Map<string, Fields>> {
    const tables = new Map<string, Map<string, Fields>>()
    for (const [key, entries] of this.#rows) {
      const live = new Map<string, Fields>()
      for (const [pk, { fields }] of entries) if (fields !== undefined) live.set(pk, fields)
      if (live.size > 0) tables.set(key, live)
    }
    return tables
  }

  #write(key: string, pk: string, fields: Fields, time: number): void {
    const table = this.#table(key)
    const known = table.get(pk)
    if (known === undefined) table.set(pk, { fields, time })
    else if (known.fields === undefined) {
      if (time >= known.time) table.set(pk, { fields, time })
    } else if (time < known.time) table.set(pk, { fields: merge(fields, known.fields), time: known.time })
    else table.set(pk, { fields: merge(known.fields, fields), time })
  }

  #table(key: string): Map<string, Entry> {
    let table = this.#rows.get(key)
    if (table === undefined) this.#rows.set(key, (table = new Map()))
    return table
  }
}

/** Without assignment, which treats some names as special. */
function merge(under: Fields, above: Fields): Fields {
  return Object.fromEntries([...Object.entries(under), ...Object.entries(above)])
}

type Written = Map<Species, Map<string, Fields>>

/** What stands for an entity in the record of another. */
function reference(of: Species, input: unknown, written: Written, met: Set<object>): unknown {
  if (typeof input === 'number') return String(input)
  if (typeof input !== 'object' || input === null) return input
  const pk = String((input as { id: unknown }).id)
  if (met.has(input)) return pk
  met.add(input)
  const fields = Object.fromEntries(
    Object.entries(input)
      .filter(([name, value]) => name !== '__proto__' && value !== undefined)
      .map(([name, value]) => [name, related(of.relations.get(name), value, written, met)]),
  )
  let rows = written.get(of)
  if (rows === undefined) written.set(of, (rows = new Map()))
  rows.set(pk, merge(rows.get(pk) ?? {}, fields))
  return pk
}

function related(relation: Relation | undefined, value: unknown, written: Written, met: Set<object>): unknown {
  if (relation === undefined || value === null) return plain(value)
  if ('one' in relation) return reference(relation.one, value, written, met)
  if ('many' in relation) return (value as unknown[]).map(each => reference(relation.many, each, written, met))
  return Object.fromEntries(
    Object.entries(value as object)
      .filter(([name, member]) => name !== '__proto__' && member !== undefined)
      .map(([name, member]) => {
        const species = Object.hasOwn(relation.shape, name) ? relation.shape[name] : undefined
        return [name, species === undefined ? plain(member) : reference(species, member, written, met)]
      }),
  )
}

/** Data as the store keeps it: without what JSON would not say of an object, and without the one name. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(plain)
  return Object.fromEntries(
    Object.entries(value).filter(([name, member]) => name !== '__proto__' && member !== undefined).map(([name, member]) => [name, plain(member)]),
  )
}
