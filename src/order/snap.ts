import type { Snap } from '../endpoint/types.ts'
import type { Fields } from '../schema/interface.ts'
import { sameDate, sameFields } from '../view/alike.ts'

/** Thrown, or returned, by an optimistic answer that has nothing to show. */
export const ABORT: unique symbol = Symbol('abort')

/** One thing that an optimistic answer looked at, and what it saw. */
type Look = readonly [read: (snap: Snap) => unknown, seen: unknown]

/** A snapshot that remembers what was looked at. */
export interface Looks {
  readonly snap: Snap
  /** Whether `other` shows all of it as it was. */
  same(other: Snap): boolean
}

export function looksAt(snap: Snap): Looks {
  const looks: Look[] = []
  const look = <T>(read: (snap: Snap) => T): T => {
    const seen = read(snap)
    looks.push([read, seen])
    return seen
  }
  return {
    snap: {
      get: (schema, ...args) => look(from => from.get(schema, ...args)),
      getResponse: (endpoint, ...args) => look(from => from.getResponse(endpoint, ...args)),
      abort: ABORT,
    },
    same: other => looks.every(([read, seen]) => sameShown(seen, read(other))),
  }
}

/** Two views that show the same. Views may be circles, and chains of any length, so this walks instead of recursing. */
function sameShown(first: unknown, second: unknown): boolean {
  const met = new Map<object, object>()
  const pairs: [unknown, unknown][] = [[first, second]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair
    if (Object.is(a, b) || sameDate(a, b)) continue
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
    if (met.get(a) === b) continue
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b) || a instanceof Date) return false
    met.set(a, b)
    if (!sameFields(a as Fields, b as Fields, (x, y) => pairs.push([x, y]) > 0)) return false
  }
  return true
}
