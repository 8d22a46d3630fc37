import { isPlain, type Plain } from '../base/plain.ts'

/** The same value, or a list or plain object with the very same members. */
export function alike(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((member, i) => Object.is(member, b[i]))
  if (!isPlain(a) || !isPlain(b)) return false
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every(name => Object.hasOwn(b, name) && Object.is(a[name], b[name]))
}

/** The same moment, or no moment both times. */
export function sameDate(a: unknown, b: unknown): boolean {
  return a instanceof Date && b instanceof Date && Object.is(a.getTime(), b.getTime())
}

/**
 * `fresh`, with every plain object and date in it that shows what its counterpart in `old` showed replaced by that counterpart.
 * Lists and entities are other nodes' to keep, and may not be filled yet.
 */
export function reuse(old: unknown, fresh: unknown): unknown {
  if (sameDate(old, fresh)) return old
  if (Object.is(old, fresh) || !isPlain(old) || !isPlain(fresh)) return fresh
  const names = Object.keys(fresh)
  let same = names.length === Object.keys(old).length
  let copy: Plain | undefined
  for (const name of names) {
    const kept = reuse(old[name], fresh[name])
    if (!Object.hasOwn(old, name) || !Object.is(kept, old[name])) same = false
    // What a query made is its own, and not to be copied; our own objects are frozen.
    if (!Object.is(kept, fresh[name]) && Object.isFrozen(fresh)) (copy ??= { ...fresh })[name] = kept
  }
  return same ? old : copy === undefined ? fresh : Object.freeze(copy)
}
