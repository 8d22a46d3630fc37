import { identical, isObject, isPlain, type Plain } from '../base/plain.ts'

/** `next`, or `old` when both are lists, or plain objects, with the same members: an unchanged part of a view keeps its reference. */
export function keepView<T>(old: unknown, next: T): T {
  if (old === next || !isObject(old) || !isObject(next)) return next
  if (Array.isArray(old) || Array.isArray(next)) return Array.isArray(old) && Array.isArray(next) && sameMembers(old, next) ? (old as T) : next
  if (!isPlain(old) || !isPlain(next)) return next
  const fields = Object.keys(next)
  let isSame = fields.length === Object.keys(old).length
  for (const field of fields) {
    const kept = keepView(old[field], next[field])
    if (!identical(kept, old[field]) || !Object.hasOwn(old, field)) isSame = false
    // Frozen objects are made by schemas; an open one is being filled and can take the older part.
    if (kept !== next[field] && !Object.isFrozen(next)) (next as Plain)[field] = kept
  }
  return isSame ? (old as T) : next
}

/** Whether two instances of one class show the same in every field. */
export function sameFields(old: unknown, next: unknown): boolean {
  if (!isObject(old) || !isObject(next) || Object.getPrototypeOf(old) !== Object.getPrototypeOf(next) || Array.isArray(old)) return false
  const fields = Object.keys(next)
  return fields.length === Object.keys(old).length && fields.every(field => Object.hasOwn(old, field) && identical((old as Plain)[field], (next as Plain)[field]))
}

function sameMembers(old: readonly unknown[], next: readonly unknown[]): boolean {
  if (old.length !== next.length) return false
  for (let i = 0; i < next.length; i++) if (!identical(old[i], next[i])) return false
  return true
}
