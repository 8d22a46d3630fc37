import { identical, isObject, isPlain, type Plain } from '../base/plain.ts'

/** Views are compared this deep: lists and objects that schemas build are rarely nested deeper, and user values may contain themselves. */
const LEVELS = 6

/** `next`, with lists and plain objects that show the same as in `old` replaced by those, so that they keep their references. */
export function keepView<T>(old: unknown, next: T, levels: number = LEVELS): T {
  if (identical(old, next)) return old as T
  if (levels === 0 || !isObject(old) || !isObject(next)) return next
  if (Array.isArray(next)) return (Array.isArray(old) ? keepMembers(old, next, levels - 1) : next) as T
  if (old instanceof Date && next instanceof Date && old.getTime() === next.getTime()) return old as T
  if (!isPlain(old) || !isPlain(next)) return next
  const names = Object.keys(next)
  let copy: Plain | undefined
  let isSame = Object.keys(old).length === names.length
  for (const name of names) {
    const member = keepView(old[name], next[name], levels - 1)
    if (!identical(member, old[name]) || !Object.hasOwn(old, name)) isSame = false
    if (member !== next[name]) (copy ??= { ...next })[name] = member
  }
  return (isSame ? old : copy ? Object.freeze(copy) : next) as T
}

/** Members of a list that became longer or shorter are compared from the end, once they differ from the front. */
function keepMembers(old: readonly unknown[], next: readonly unknown[], levels: number): readonly unknown[] {
  let shift = 0
  let copy: unknown[] | undefined
  let isSame = old.length === next.length
  for (let i = 0; i < next.length; i++) {
    if (next[i] === old[i + shift]) continue
    let member = keepView(old[i + shift], next[i], levels)
    if (shift === 0 && old.length !== next.length && member === next[i]) {
      shift = old.length - next.length
      member = keepView(old[i + shift], next[i], levels)
    }
    if (!identical(member, old[i])) isSame = false
    if (member !== next[i]) (copy ??= [...next])[i] = member
  }
  return isSame ? old : copy ? Object.freeze(copy) : next
}

/** Whether two instances of one class have the same fields: a default may give way to an equal value. */
export function sameFields(old: unknown, next: unknown): boolean {
  if (!isObject(old) || !isObject(next) || Object.getPrototypeOf(old) !== Object.getPrototypeOf(next)) return false
  const names = Object.keys(next)
  const [a, b] = [old, next] as Plain[]
  return names.length === Object.keys(old).length && names.every(name => Object.hasOwn(old, name) && identical(a![name], keepView(a![name], b![name])))
}
