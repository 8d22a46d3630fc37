import { isPlain, type Plain } from '../base/plain.ts'
import type { Fields } from '../schema/interface.ts'

/** The same value, or a list or plain object with the very same members. */
export function alike(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((member, i) => Object.is(member, b[i]))
  return isPlain(a) && isPlain(b) && sameFields(a, b, Object.is)
}

/** Whether two objects have the same fields, and `same` says so of what each of them holds. */
export function sameFields(a: Fields, b: Fields, same: (a: unknown, b: unknown) => boolean): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every(name => Object.hasOwn(b, name) && same(a[name], b[name]))
}

/** The same moment, or no moment both times. */
export function sameDate(a: unknown, b: unknown): boolean {
  return a instanceof Date && b instanceof Date && Object.is(a.getTime(), b.getTime())
}

/** So deep do we look into what a query, a class or a deserializer made: it may lead back to itself. */
export const DEPTH = 8

/**
 * `fresh`, with every plain object and date in it that shows what its counterpart in `old` showed replaced by that counterpart.
 * Lists and entities are other nodes' to keep, and may not be filled yet.
 */
export function reuse(old: unknown, fresh: unknown, depth: number = DEPTH): unknown {
  if (sameDate(old, fresh)) return old
  if (depth === 0 || Object.is(old, fresh) || !isPlain(old) || !isPlain(fresh)) return fresh
  let same = Object.keys(fresh).length === Object.keys(old).length
  const next = withMembers(fresh, name => {
    const kept = reuse(old[name], fresh[name], depth - 1)
    if (!Object.hasOwn(old, name) || !Object.is(kept, old[name])) same = false
    return kept
  })
  return same ? old : next
}

/** `value`, or a copy of it where `member` gives other members. What a query made is its own, and not to be copied; our own objects are frozen. */
export function withMembers(value: Plain, member: (name: string) => unknown): Plain {
  let copy: Plain | undefined
  for (const name of Object.keys(value)) {
    const next = member(name)
    if (!Object.is(next, value[name]) && Object.isFrozen(value)) (copy ??= { ...value })[name] = next
  }
  return copy === undefined ? value : Object.freeze(copy)
}
