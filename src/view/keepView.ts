import { identical, isObject, keep, type Plain } from '../base/plain.ts'

/** Views are compared this deep: lists and objects that schemas build are rarely nested deeper, and user values may contain themselves. */
const LEVELS = 6

/** `next`, with lists and plain objects that show the same as in `old` replaced by those. */
export function keepView<T>(old: unknown, next: T): T {
  return keep(old, next, LEVELS)
}

/** Whether two instances of one class have the same fields: a default may give way to an equal value. */
export function sameFields(old: unknown, next: unknown): boolean {
  if (!isObject(old) || !isObject(next) || Object.getPrototypeOf(old) !== Object.getPrototypeOf(next)) return false
  const names = Object.keys(next)
  const [a, b] = [old, next] as Plain[]
  return names.length === Object.keys(old).length && names.every(name => Object.hasOwn(old, name) && identical(a![name], keepView(a![name], b![name])))
}
