import type { Blank } from './blank.ts'

/**
 * Copying the fields of records, by functions that are the same and are many on purpose.
 *
 * V8 learns, for each place in the source, what is made there and which name is written there. A place that always sees
 * one takes 2 ns, a place that sees many takes 20; and a response consists of fields. So a class of many rows has a copier
 * of its own, for as long as there are any left, and in it each field a place of its own. Where classes share one, nothing
 * is lost but that. Each place says which is next: alike, a minifier would make one of them.
 */

interface Source {
  readonly [field: string]: unknown
}

/** What a copier has to know of a class. */
export interface Layout {
  /** What its records begin as. */
  readonly blank: Blank
  /** `static schema`, as pairs. */
  readonly fields: readonly (readonly [name: string, schema: unknown])[]
}

/** Who keeps something else of an object than the object itself. */
export interface Keeper {
  /** What is kept of the fields of the entities that are being taken apart, innermost last. */
  readonly kept: unknown[]
  /** A frozen copy of plain data. */
  own(value: unknown): unknown
}

/**
 * A copy of what `from` owns. With a host, objects in it are what the host keeps of them; without, they are shared.
 * Undefined for what is no ordinary object, because it inherits names or has one that must not be copied.
 */
export type Copier = (from: Source, layout: Layout, base: number, host: Keeper | undefined) => { [field: string]: unknown } | undefined

/** Not `Object.hasOwn`: V8 knows that what a loop meets is own only when it is asked in this way. */
const { hasOwnProperty } = Object.prototype

const copy0: Copier = (from, layout, base, host) => {
  const to = new layout.blank()
  let at = 0
  for (const field in from) {
    let value = from[field]
    if (!hasOwnProperty.call(from, field)) return undefined
    if (typeof value === 'object' && value !== null && host !== undefined) value = keptOf(layout, field, value, base, host)
    if (value === undefined) continue
    if (field === '__proto__') return undefined
    switch (at) {
      case 0: to[field] = value; at = 1; break
      case 1: to[field] = value; at = 2; break
      case 2: to[field] = value; at = 3; break
      case 3: to[field] = value; at = 4; break
      case 4: to[field] = value; at = 5; break
      case 5: to[field] = value; at = 6; break
      case 6: to[field] = value; at = 7; break
      case 7: to[field] = value; at = 8; break
      case 8: to[field] = value; at = 9; break
      case 9: to[field] = value; at = 10; break
      case 10: to[field] = value; at = 11; break
      case 11: to[field] = value; at = 12; break
      default: to[field] = value
    }
  }
  return to
}

const copy1: Copier = (from, layout, base, host) => {
  const to = new layout.blank()
  let at = 0
  for (const field in from) {
    let value = from[field]
    if (!hasOwnProperty.call(from, field)) return undefined
    if (typeof value === 'object' && value !== null && host !== undefined) value = keptOf(layout, field, value, base, host)
    if (value === undefined) continue
    if (field === '__proto__') return undefined
    switch (at) {
      case 0: to[field] = value; at = 1; break
      case 1: to[field] = value; at = 2; break
      case 2: to[field] = value; at = 3; break
      case 3: to[field] = value; at = 4; break
      case 4: to[field] = value; at = 5; break
      case 5: to[field] = value; at = 6; break
      case 6: to[field] = value; at = 7; break
      case 7: to[field] = value; at = 8; break
      case 8: to[field] = value; at = 9; break
      case 9: to[field] = value; at = 10; break
      case 10: to[field] = value; at = 11; break
      case 11: to[field] = value; at = 12; break
      default: to[field] = value
    }
  }
  return to
}

const copy2: Copier = (from, layout, base, host) => {
  const to = new layout.blank()
  let at = 0
  for (const field in from) {
    let value = from[field]
    if (!hasOwnProperty.call(from, field)) return undefined
    if (typeof value === 'object' && value !== null && host !== undefined) value = keptOf(layout, field, value, base, host)
    if (value === undefined) continue
    if (field === '__proto__') return undefined
    switch (at) {
      case 0: to[field] = value; at = 1; break
      case 1: to[field] = value; at = 2; break
      case 2: to[field] = value; at = 3; break
      case 3: to[field] = value; at = 4; break
      case 4: to[field] = value; at = 5; break
      case 5: to[field] = value; at = 6; break
      case 6: to[field] = value; at = 7; break
      case 7: to[field] = value; at = 8; break
      case 8: to[field] = value; at = 9; break
      case 9: to[field] = value; at = 10; break
      case 10: to[field] = value; at = 11; break
      case 11: to[field] = value; at = 12; break
      default: to[field] = value
    }
  }
  return to
}

const copy3: Copier = (from, layout, base, host) => {
  const to = new layout.blank()
  let at = 0
  for (const field in from) {
    let value = from[field]
    if (!hasOwnProperty.call(from, field)) return undefined
    if (typeof value === 'object' && value !== null && host !== undefined) value = keptOf(layout, field, value, base, host)
    if (value === undefined) continue
    if (field === '__proto__') return undefined
    switch (at) {
      case 0: to[field] = value; at = 1; break
      case 1: to[field] = value; at = 2; break
      case 2: to[field] = value; at = 3; break
      case 3: to[field] = value; at = 4; break
      case 4: to[field] = value; at = 5; break
      case 5: to[field] = value; at = 6; break
      case 6: to[field] = value; at = 7; break
      case 7: to[field] = value; at = 8; break
      case 8: to[field] = value; at = 9; break
      case 9: to[field] = value; at = 10; break
      case 10: to[field] = value; at = 11; break
      case 11: to[field] = value; at = 12; break
      default: to[field] = value
    }
  }
  return to
}

const copy4: Copier = (from, layout, base, host) => {
  const to = new layout.blank()
  let at = 0
  for (const field in from) {
    let value = from[field]
    if (!hasOwnProperty.call(from, field)) return undefined
    if (typeof value === 'object' && value !== null && host !== undefined) value = keptOf(layout, field, value, base, host)
    if (value === undefined) continue
    if (field === '__proto__') return undefined
    switch (at) {
      case 0: to[field] = value; at = 1; break
      case 1: to[field] = value; at = 2; break
      case 2: to[field] = value; at = 3; break
      case 3: to[field] = value; at = 4; break
      case 4: to[field] = value; at = 5; break
      case 5: to[field] = value; at = 6; break
      case 6: to[field] = value; at = 7; break
      case 7: to[field] = value; at = 8; break
      case 8: to[field] = value; at = 9; break
      case 9: to[field] = value; at = 10; break
      case 10: to[field] = value; at = 11; break
      case 11: to[field] = value; at = 12; break
      default: to[field] = value
    }
  }
  return to
}

const copy5: Copier = (from, layout, base, host) => {
  const to = new layout.blank()
  let at = 0
  for (const field in from) {
    let value = from[field]
    if (!hasOwnProperty.call(from, field)) return undefined
    if (typeof value === 'object' && value !== null && host !== undefined) value = keptOf(layout, field, value, base, host)
    if (value === undefined) continue
    if (field === '__proto__') return undefined
    switch (at) {
      case 0: to[field] = value; at = 1; break
      case 1: to[field] = value; at = 2; break
      case 2: to[field] = value; at = 3; break
      case 3: to[field] = value; at = 4; break
      case 4: to[field] = value; at = 5; break
      case 5: to[field] = value; at = 6; break
      case 6: to[field] = value; at = 7; break
      case 7: to[field] = value; at = 8; break
      case 8: to[field] = value; at = 9; break
      case 9: to[field] = value; at = 10; break
      case 10: to[field] = value; at = 11; break
      case 11: to[field] = value; at = 12; break
      default: to[field] = value
    }
  }
  return to
}

export const copiers: readonly Copier[] = [copy0, copy1, copy2, copy3, copy4, copy5]

/** What is kept of a value: what its schema made of it, or a copy. */
export function keptOf(layout: Layout, field: string, value: unknown, base: number, host: Keeper): unknown {
  const { fields } = layout
  for (let i = 0; i < fields.length; i++) if (fields[i]![0] === field) return host.kept[base + i]
  return host.own(value)
}
