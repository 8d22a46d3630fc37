import { DepthError } from './errors.ts'

/**
 * Plain data: what JSON can say. The store keeps nothing else, keeps its own copy, and freezes it,
 * so no caller can write into a state. Depth is bounded here, at the way in; every later walk
 * (compare, share, differ) may recurse because of that.
 */

/** How deep plain data may nest. Far beyond any API, and well inside every engine's stack. */
export const DEPTH_LIMIT = 500

/** A JSON object. */
export type Plain = { [field: string]: unknown }

/** What taking data in had to leave out. */
export interface Losses {
  /** An own key `__proto__` was dropped. */
  proto?: boolean
}

/** Not `Object.hasOwn`: V8 knows that what a loop meets is own only when it is asked in this way. */
const { hasOwnProperty } = Object.prototype

/** Whether `value` is an object literal, or what `JSON.parse` would give for one. */
export function isPlain(value: unknown): value is Plain {
  if (typeof value !== 'object' || value === null) return false
  const proto: unknown = Object.getPrototypeOf(value)
  return proto === Object.prototype || proto === null
}

/** The same for those who look at what it owns only, and need not know what it inherits: a name is quicker to read than a prototype. */
function seemsPlain(value: object): value is Plain {
  return value.constructor === Object || isPlain(value)
}

/**
 * A frozen copy of `value` that nobody else can reach. What is frozen through and through already is
 * returned as it is. Values that are more than data (`Blob`, streams, buffers, maps) pass by reference.
 */
export function own(value: unknown, losses?: Losses, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || isOwned(value, depth)) return value
  if (Array.isArray(value)) {
    const list: unknown[] = []
    for (let i = 0; i < value.length; i++) list.push(own(value[i], losses, depth + 1))
    return Object.freeze(list)
  }
  if (!seemsPlain(value)) {
    // Only a prototype's toJSON counts: one that came as data must never be called.
    const toJSON: unknown = (Object.getPrototypeOf(value) as { toJSON?: unknown }).toJSON
    if (typeof toJSON === 'function') return own(toJSON.call(value), losses, depth + 1)
    if (isForeign(value)) return value
  }
  const copy: Plain = {}
  // A loop also meets what is inherited, after all that is own.
  for (const field in value) {
    if (field === '__proto__') {
      if (losses) losses.proto = true
    } else if (hasOwnProperty.call(value, field)) {
      const member = own((value as Plain)[field], losses, depth + 1)
      if (member !== undefined) put(copy, field, member)
    }
  }
  return Object.freeze(copy)
}

/** `value` without what somebody could still write to: lists and literals are copied, all else is what it is. */
export function detached(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(detached)
  return isPlain(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, detached(member)])) : value
}

/** Buffers, streams, maps and the like say by their tag that they are more than an object. */
function isForeign(value: object): boolean {
  return Object.prototype.toString.call(value) !== '[object Object]'
}

/** Whether a value is frozen through and through. */
function isOwned(value: object | null, depth: number): boolean {
  if (value === null) return true
  if (depth > DEPTH_LIMIT) throw tooDeep()
  if (!Object.isFrozen(value)) return false
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const member: unknown = value[i]
      if (typeof member === 'object' && !isOwned(member, depth + 1)) return false
    }
    return true
  }
  if (!isPlain(value)) return false
  for (const field of Object.keys(value)) {
    // By descriptor: what is frozen may still have getters, which can answer differently every time.
    const member: unknown = Object.getOwnPropertyDescriptor(value, field)!.value
    if (member === undefined || field === '__proto__') return false
    if (typeof member === 'object' && !isOwned(member, depth + 1)) return false
  }
  return true
}

/**
 * Writes a member. Where somebody has frozen `Object.prototype`, an assignment to a name that it has throws, though the
 * object itself is open.
 */
export function put(to: Plain, field: string, value: unknown): void {
  try {
    to[field] = value
  } catch {
    Object.defineProperty(to, field, { value, writable: true, enumerable: true, configurable: true })
  }
}

/**
 * An open copy of a record. Not a spread: V8 gives every frozen spread a hidden class of its own, which makes
 * each later look at it several times slower.
 */
export function copyRecord(record: { readonly [field: string]: unknown }): Plain {
  const copy: Plain = {}
  for (const field of Object.keys(record)) put(copy, field, record[field])
  return copy
}

/** The same value: `NaN` is itself, and `0` and `-0` are one, as they are in JSON and for Immer. */
export function identical(a: unknown, b: unknown): boolean {
  return a === b || (a !== a && b !== b)
}

/** Deep equality of plain data, key order aside. */
export function equal(a: unknown, b: unknown): boolean {
  if (identical(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    for (let i = 0; i < a.length; i++) if (!equal(a[i], b[i])) return false
    return true
  }
  if (!seemsPlain(a) || !seemsPlain(b)) return false
  let count = 0
  for (const field in a) {
    if (!hasOwnProperty.call(a, field)) continue
    count++
    if (!hasOwnProperty.call(b, field) || (a[field] !== b[field] && !equal(a[field], b[field]))) return false
  }
  return count === Object.keys(b).length
}

/**
 * `next`, with every part that equals its counterpart in `previous` replaced by that counterpart:
 * what did not change keeps its reference. Both must be owned.
 */
export function share(previous: unknown, next: unknown): unknown {
  if (identical(previous, next)) return previous
  if (typeof previous !== 'object' || typeof next !== 'object' || previous === null || next === null) return next
  if (Array.isArray(next)) return Array.isArray(previous) ? shareArray(previous, next) : next
  if (!isPlain(previous) || !isPlain(next)) return next
  const fields = Object.keys(next)
  let same = fields.length === Object.keys(previous).length
  const copy: Plain = {}
  let kept = 0
  for (const field of fields) {
    const known = Object.hasOwn(previous, field)
    const member = known ? share(previous[field], next[field]) : next[field]
    if (!known || !Object.is(member, previous[field])) same = false
    if (!Object.is(member, next[field])) kept++
    put(copy, field, member)
  }
  if (same) return previous
  return kept > 0 ? Object.freeze(copy) : next
}

function shareArray(previous: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  const shorter = Math.min(previous.length, next.length)
  let start = 0
  while (start < shorter && equal(previous[start], next[start])) start++
  if (start === previous.length && start === next.length) return previous
  let end = 0
  while (end < shorter - start && equal(previous[previous.length - 1 - end], next[next.length - 1 - end])) end++
  const copy: unknown[] = []
  let kept = 0
  for (let i = 0; i < next.length; i++) {
    const fromEnd = next.length - i
    const counterpart = fromEnd <= end ? previous[previous.length - fromEnd] : previous[i]
    const member = i < previous.length || fromEnd <= end ? share(counterpart, next[i]) : next[i]
    if (!Object.is(member, next[i])) kept++
    copy.push(member)
  }
  return kept > 0 ? Object.freeze(copy) : next
}

function tooDeep(): DepthError {
  return new DepthError(
    `The data nests deeper than ${DEPTH_LIMIT} levels, or contains itself. ` +
      'Flatten it, or give it a schema with entities: those may refer to each other in circles.',
  )
}
