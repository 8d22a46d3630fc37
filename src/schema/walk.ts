import { equal } from '../base/plain.ts'

/**
 * Copying and comparing the fields of records, by functions that are the same and are many on purpose.
 *
 * V8 learns, for each place in the source, which name is read or written there. A place that always sees one name takes
 * 2 ns, a place that sees many takes 20; and a response consists of fields. So each class has a walker of its own, for
 * as long as there are any left, and in it each field a place of its own. Where classes must share one, nothing is lost
 * but that.
 */

interface Source {
  readonly [field: string]: unknown
}

/**
 * With `to`, copies what `from` owns, and says how many of the values are objects, which still belong to the caller.
 * Without, says whether `stored` has all of it: 0, or below zero. What `except` has is not compared.
 * Below zero is also for what is no ordinary object, because it inherits names or has one that must not be copied.
 */
export type Walker = (from: Source, to: { [field: string]: unknown } | undefined, stored: Source, except: ReadonlyMap<string, unknown>) => number

const walk0: Walker = (from, to, stored, except) => {
  let at = 0
  let objects = 0
  let last = ''
  for (const field in from) {
    const value = from[field]
    let old: unknown
    last = field
    if (value === undefined) continue
    if (field === '__proto__') return -1
    switch (at++) {
      case 0: if (to) to[field] = value; else old = stored[field]; break
      case 1: if (to) to[field] = value; else old = stored[field]; break
      case 2: if (to) to[field] = value; else old = stored[field]; break
      case 3: if (to) to[field] = value; else old = stored[field]; break
      case 4: if (to) to[field] = value; else old = stored[field]; break
      case 5: if (to) to[field] = value; else old = stored[field]; break
      case 6: if (to) to[field] = value; else old = stored[field]; break
      case 7: if (to) to[field] = value; else old = stored[field]; break
      case 8: if (to) to[field] = value; else old = stored[field]; break
      case 9: if (to) to[field] = value; else old = stored[field]; break
      case 10: if (to) to[field] = value; else old = stored[field]; break
      case 11: if (to) to[field] = value; else old = stored[field]; break
      default: if (to) to[field] = value; else old = stored[field]
    }
    if (to) {
      if (typeof value === 'object' && value !== null) objects++
    } else if (typeof value === 'string' && typeof old === 'string' ? value !== old && !except.has(field) : value !== old && !except.has(field) && !equal(value, old)) return -1
  }
  return isOwn(from, last) ? objects : -1
}

const walk1: Walker = (from, to, stored, except) => {
  let at = 0
  let objects = 0
  let last = ''
  for (const field in from) {
    const value = from[field]
    let old: unknown
    last = field
    if (value === undefined) continue
    if (field === '__proto__') return -1
    switch (at++) {
      case 0: if (to) to[field] = value; else old = stored[field]; break
      case 1: if (to) to[field] = value; else old = stored[field]; break
      case 2: if (to) to[field] = value; else old = stored[field]; break
      case 3: if (to) to[field] = value; else old = stored[field]; break
      case 4: if (to) to[field] = value; else old = stored[field]; break
      case 5: if (to) to[field] = value; else old = stored[field]; break
      case 6: if (to) to[field] = value; else old = stored[field]; break
      case 7: if (to) to[field] = value; else old = stored[field]; break
      case 8: if (to) to[field] = value; else old = stored[field]; break
      case 9: if (to) to[field] = value; else old = stored[field]; break
      case 10: if (to) to[field] = value; else old = stored[field]; break
      case 11: if (to) to[field] = value; else old = stored[field]; break
      default: if (to) to[field] = value; else old = stored[field]
    }
    if (to) {
      if (typeof value === 'object' && value !== null) objects++
    } else if (typeof value === 'string' && typeof old === 'string' ? value !== old && !except.has(field) : value !== old && !except.has(field) && !equal(value, old)) return -1
  }
  return isOwn(from, last) ? objects : -1
}

const walk2: Walker = (from, to, stored, except) => {
  let at = 0
  let objects = 0
  let last = ''
  for (const field in from) {
    const value = from[field]
    let old: unknown
    last = field
    if (value === undefined) continue
    if (field === '__proto__') return -1
    switch (at++) {
      case 0: if (to) to[field] = value; else old = stored[field]; break
      case 1: if (to) to[field] = value; else old = stored[field]; break
      case 2: if (to) to[field] = value; else old = stored[field]; break
      case 3: if (to) to[field] = value; else old = stored[field]; break
      case 4: if (to) to[field] = value; else old = stored[field]; break
      case 5: if (to) to[field] = value; else old = stored[field]; break
      case 6: if (to) to[field] = value; else old = stored[field]; break
      case 7: if (to) to[field] = value; else old = stored[field]; break
      case 8: if (to) to[field] = value; else old = stored[field]; break
      case 9: if (to) to[field] = value; else old = stored[field]; break
      case 10: if (to) to[field] = value; else old = stored[field]; break
      case 11: if (to) to[field] = value; else old = stored[field]; break
      default: if (to) to[field] = value; else old = stored[field]
    }
    if (to) {
      if (typeof value === 'object' && value !== null) objects++
    } else if (typeof value === 'string' && typeof old === 'string' ? value !== old && !except.has(field) : value !== old && !except.has(field) && !equal(value, old)) return -1
  }
  return isOwn(from, last) ? objects : -1
}

const walk3: Walker = (from, to, stored, except) => {
  let at = 0
  let objects = 0
  let last = ''
  for (const field in from) {
    const value = from[field]
    let old: unknown
    last = field
    if (value === undefined) continue
    if (field === '__proto__') return -1
    switch (at++) {
      case 0: if (to) to[field] = value; else old = stored[field]; break
      case 1: if (to) to[field] = value; else old = stored[field]; break
      case 2: if (to) to[field] = value; else old = stored[field]; break
      case 3: if (to) to[field] = value; else old = stored[field]; break
      case 4: if (to) to[field] = value; else old = stored[field]; break
      case 5: if (to) to[field] = value; else old = stored[field]; break
      case 6: if (to) to[field] = value; else old = stored[field]; break
      case 7: if (to) to[field] = value; else old = stored[field]; break
      case 8: if (to) to[field] = value; else old = stored[field]; break
      case 9: if (to) to[field] = value; else old = stored[field]; break
      case 10: if (to) to[field] = value; else old = stored[field]; break
      case 11: if (to) to[field] = value; else old = stored[field]; break
      default: if (to) to[field] = value; else old = stored[field]
    }
    if (to) {
      if (typeof value === 'object' && value !== null) objects++
    } else if (typeof value === 'string' && typeof old === 'string' ? value !== old && !except.has(field) : value !== old && !except.has(field) && !equal(value, old)) return -1
  }
  return isOwn(from, last) ? objects : -1
}

const walk4: Walker = (from, to, stored, except) => {
  let at = 0
  let objects = 0
  let last = ''
  for (const field in from) {
    const value = from[field]
    let old: unknown
    last = field
    if (value === undefined) continue
    if (field === '__proto__') return -1
    switch (at++) {
      case 0: if (to) to[field] = value; else old = stored[field]; break
      case 1: if (to) to[field] = value; else old = stored[field]; break
      case 2: if (to) to[field] = value; else old = stored[field]; break
      case 3: if (to) to[field] = value; else old = stored[field]; break
      case 4: if (to) to[field] = value; else old = stored[field]; break
      case 5: if (to) to[field] = value; else old = stored[field]; break
      case 6: if (to) to[field] = value; else old = stored[field]; break
      case 7: if (to) to[field] = value; else old = stored[field]; break
      case 8: if (to) to[field] = value; else old = stored[field]; break
      case 9: if (to) to[field] = value; else old = stored[field]; break
      case 10: if (to) to[field] = value; else old = stored[field]; break
      case 11: if (to) to[field] = value; else old = stored[field]; break
      default: if (to) to[field] = value; else old = stored[field]
    }
    if (to) {
      if (typeof value === 'object' && value !== null) objects++
    } else if (typeof value === 'string' && typeof old === 'string' ? value !== old && !except.has(field) : value !== old && !except.has(field) && !equal(value, old)) return -1
  }
  return isOwn(from, last) ? objects : -1
}

const walk5: Walker = (from, to, stored, except) => {
  let at = 0
  let objects = 0
  let last = ''
  for (const field in from) {
    const value = from[field]
    let old: unknown
    last = field
    if (value === undefined) continue
    if (field === '__proto__') return -1
    switch (at++) {
      case 0: if (to) to[field] = value; else old = stored[field]; break
      case 1: if (to) to[field] = value; else old = stored[field]; break
      case 2: if (to) to[field] = value; else old = stored[field]; break
      case 3: if (to) to[field] = value; else old = stored[field]; break
      case 4: if (to) to[field] = value; else old = stored[field]; break
      case 5: if (to) to[field] = value; else old = stored[field]; break
      case 6: if (to) to[field] = value; else old = stored[field]; break
      case 7: if (to) to[field] = value; else old = stored[field]; break
      case 8: if (to) to[field] = value; else old = stored[field]; break
      case 9: if (to) to[field] = value; else old = stored[field]; break
      case 10: if (to) to[field] = value; else old = stored[field]; break
      case 11: if (to) to[field] = value; else old = stored[field]; break
      default: if (to) to[field] = value; else old = stored[field]
    }
    if (to) {
      if (typeof value === 'object' && value !== null) objects++
    } else if (typeof value === 'string' && typeof old === 'string' ? value !== old && !except.has(field) : value !== old && !except.has(field) && !equal(value, old)) return -1
  }
  return isOwn(from, last) ? objects : -1
}

const WALKERS: readonly Walker[] = [walk0, walk1, walk2, walk3, walk4, walk5]

/** The walker of the class that was met as the `ordinal`-th. */
export function walkerOf(ordinal: number): Walker {
  return WALKERS[ordinal % WALKERS.length]!
}

/** A loop meets own names first and inherited ones last: if `last` is own, all were. Asking this once is what makes the loop safe. */
function isOwn(from: object, last: string): boolean {
  return last === '' || Object.hasOwn(from, last)
}
