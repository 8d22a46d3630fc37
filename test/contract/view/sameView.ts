/** Whether two views show the same: the same classes, fields and lists; where one has a circle, the other has it too. */
export function sameView(a: unknown, b: unknown, met: Map<object, object> = new Map()): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const proto: unknown = Object.getPrototypeOf(a)
  if (proto !== Object.getPrototypeOf(b)) return false
  // Circles go through entities; a list or plain object may well occur twice in one view and not of the other.
  if (proto !== Object.prototype && proto !== Array.prototype) {
    if (met.has(a)) return met.get(a) === b
    met.set(a, b)
  }
  if (a instanceof Date) return Object.is(a.getTime(), (b as Date).getTime())
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every(name => Object.hasOwn(b, name) && sameView((a as Fields)[name], (b as Fields)[name], met))
}

interface Fields {
  readonly [name: string]: unknown
}

/** Every object that a view reaches. */
export function reached(view: unknown, into: Set<object> = new Set()): Set<object> {
  if (typeof view !== 'object' || view === null || into.has(view)) return into
  into.add(view)
  for (const member of Object.values(view)) reached(member, into)
  return into
}
