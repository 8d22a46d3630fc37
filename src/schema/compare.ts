import { equal } from '../base/plain.ts'

/**
 * Comparing the fields of records with those that are stored, by functions that are the same and are many on purpose:
 * some classes have one of their own, with a place for each field, for the reasons given in `copy.ts`. Strings are compared as
 * such: most are, and "the same value" of anything is a question that V8 calls somebody for.
 */

interface Source {
  readonly [field: string]: unknown
}

/** Whether `stored` has all that `from` has, and what it inherits. What `except` has is not compared. */
export type Comparer = (from: Source, stored: Source, except: ReadonlyMap<string, unknown>) => boolean

const compare0: Comparer = (from, stored, except) => {
  let at = 0
  for (const field in from) {
    const value = from[field]
    let old: unknown
    switch (at) {
      case 0: old = stored[field]; at = 1; break
      case 1: old = stored[field]; at = 2; break
      case 2: old = stored[field]; at = 3; break
      case 3: old = stored[field]; at = 4; break
      case 4: old = stored[field]; at = 5; break
      case 5: old = stored[field]; at = 6; break
      case 6: old = stored[field]; at = 7; break
      case 7: old = stored[field]; at = 8; break
      case 8: old = stored[field]; at = 9; break
      case 9: old = stored[field]; at = 10; break
      case 10: old = stored[field]; at = 11; break
      case 11: old = stored[field]; at = 12; break
      default: old = stored[field]
    }
    if ((typeof value === 'string' ? value !== old : !Object.is(value, old)) && isNews(field, value, old, except)) return false
  }
  return true
}

const compare1: Comparer = (from, stored, except) => {
  let at = 0
  for (const field in from) {
    const value = from[field]
    let old: unknown
    switch (at) {
      case 0: old = stored[field]; at = 1; break
      case 1: old = stored[field]; at = 2; break
      case 2: old = stored[field]; at = 3; break
      case 3: old = stored[field]; at = 4; break
      case 4: old = stored[field]; at = 5; break
      case 5: old = stored[field]; at = 6; break
      case 6: old = stored[field]; at = 7; break
      case 7: old = stored[field]; at = 8; break
      case 8: old = stored[field]; at = 9; break
      case 9: old = stored[field]; at = 10; break
      case 10: old = stored[field]; at = 11; break
      case 11: old = stored[field]; at = 12; break
      default: old = stored[field]
    }
    if ((typeof value === 'string' ? value !== old : !Object.is(value, old)) && isNews(field, value, old, except)) return false
  }
  return true
}

const compare2: Comparer = (from, stored, except) => {
  let at = 0
  for (const field in from) {
    const value = from[field]
    let old: unknown
    switch (at) {
      case 0: old = stored[field]; at = 1; break
      case 1: old = stored[field]; at = 2; break
      case 2: old = stored[field]; at = 3; break
      case 3: old = stored[field]; at = 4; break
      case 4: old = stored[field]; at = 5; break
      case 5: old = stored[field]; at = 6; break
      case 6: old = stored[field]; at = 7; break
      case 7: old = stored[field]; at = 8; break
      case 8: old = stored[field]; at = 9; break
      case 9: old = stored[field]; at = 10; break
      case 10: old = stored[field]; at = 11; break
      case 11: old = stored[field]; at = 12; break
      default: old = stored[field]
    }
    if ((typeof value === 'string' ? value !== old : !Object.is(value, old)) && isNews(field, value, old, except)) return false
  }
  return true
}

const compare3: Comparer = (from, stored, except) => {
  let at = 0
  for (const field in from) {
    const value = from[field]
    let old: unknown
    switch (at) {
      case 0: old = stored[field]; at = 1; break
      case 1: old = stored[field]; at = 2; break
      case 2: old = stored[field]; at = 3; break
      case 3: old = stored[field]; at = 4; break
      case 4: old = stored[field]; at = 5; break
      case 5: old = stored[field]; at = 6; break
      case 6: old = stored[field]; at = 7; break
      case 7: old = stored[field]; at = 8; break
      case 8: old = stored[field]; at = 9; break
      case 9: old = stored[field]; at = 10; break
      case 10: old = stored[field]; at = 11; break
      case 11: old = stored[field]; at = 12; break
      default: old = stored[field]
    }
    if ((typeof value === 'string' ? value !== old : !Object.is(value, old)) && isNews(field, value, old, except)) return false
  }
  return true
}

const compare4: Comparer = (from, stored, except) => {
  let at = 0
  for (const field in from) {
    const value = from[field]
    let old: unknown
    switch (at) {
      case 0: old = stored[field]; at = 1; break
      case 1: old = stored[field]; at = 2; break
      case 2: old = stored[field]; at = 3; break
      case 3: old = stored[field]; at = 4; break
      case 4: old = stored[field]; at = 5; break
      case 5: old = stored[field]; at = 6; break
      case 6: old = stored[field]; at = 7; break
      case 7: old = stored[field]; at = 8; break
      case 8: old = stored[field]; at = 9; break
      case 9: old = stored[field]; at = 10; break
      case 10: old = stored[field]; at = 11; break
      case 11: old = stored[field]; at = 12; break
      default: old = stored[field]
    }
    if ((typeof value === 'string' ? value !== old : !Object.is(value, old)) && isNews(field, value, old, except)) return false
  }
  return true
}

const compare5: Comparer = (from, stored, except) => {
  let at = 0
  for (const field in from) {
    const value = from[field]
    let old: unknown
    switch (at) {
      case 0: old = stored[field]; at = 1; break
      case 1: old = stored[field]; at = 2; break
      case 2: old = stored[field]; at = 3; break
      case 3: old = stored[field]; at = 4; break
      case 4: old = stored[field]; at = 5; break
      case 5: old = stored[field]; at = 6; break
      case 6: old = stored[field]; at = 7; break
      case 7: old = stored[field]; at = 8; break
      case 8: old = stored[field]; at = 9; break
      case 9: old = stored[field]; at = 10; break
      case 10: old = stored[field]; at = 11; break
      case 11: old = stored[field]; at = 12; break
      default: old = stored[field]
    }
    if ((typeof value === 'string' ? value !== old : !Object.is(value, old)) && isNews(field, value, old, except)) return false
  }
  return true
}

/** Whether a value that is not the very same is another. */
function isNews(field: string, value: unknown, old: unknown, except: ReadonlyMap<string, unknown>): boolean {
  return field === '__proto__' || (value !== undefined && !except.has(field) && !equal(value, old))
}

export const comparers: readonly Comparer[] = [compare0, compare1, compare2, compare3, compare4, compare5]
