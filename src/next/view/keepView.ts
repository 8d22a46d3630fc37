import { identical, isObject, isPlain, type Plain } from '../base/plain.ts'

/** Views are compared this deep: lists and objects that schemas build are rarely nested deeper, and user values may contain themselves. */
const LEVELS = 6

/** `next`, with lists and plain objects that show the same as in `old` replaced by those, so that they keep their references. */
export function keepView<T>(old: unknown, next: T, levels: number = LEVELS): T {
  if (identical(old, next)) return old as T
  if (old instanceof Date && next instanceof Date && old.getTime() === next.getTime()) return old as T
  if (levels === 0 || !isObject(old) || !isObject(next) || Array.isArray(old) !== Array.isArray(next)) return next
  if (!Array.isArray(next) && (!isPlain(old) || !isPlain(next))) return next
  const [before, after] = [old, next] as unknown as [Plain, Plain]
  const names = Object.keys(after)
  const count = Object.keys(before).length
  // Members of a list that became longer or shorter are compared from the end, once they differ from the front.
  let shift = 0
  let copy: Plain | undefined
  let isSame = count === names.length
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!
    let member = keepView(before[name], after[name], levels - 1)
    if (Array.isArray(next) && shift === 0 && count !== names.length && member === after[name] && member !== before[name]) shift = count - names.length
    if (shift !== 0) member = keepView(before[i + shift], after[name], levels - 1)
    if (!identical(member, before[name]) || !Object.hasOwn(before, name)) isSame = false
    if (member !== after[name]) (copy ??= (Array.isArray(next) ? [...(next as unknown[])] : { ...next }) as Plain)[name] = member
  }
  return (isSame ? old : copy ? Object.freeze(copy) : next) as T
}

/** Whether two instances of one class have the same fields. */
export function sameFields(old: unknown, next: unknown): boolean {
  if (!isObject(old) || !isObject(next) || Object.getPrototypeOf(old) !== Object.getPrototypeOf(next)) return false
  const names = Object.keys(next)
  const [a, b] = [old, next] as Plain[]
  return names.length === Object.keys(old).length && names.every(name => Object.hasOwn(old, name) && identical(a![name], b![name]))
}
