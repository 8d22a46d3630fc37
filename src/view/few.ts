/** None, one, or a set: most have one, and there are thousands. */
export type Few<T extends object> = T | Set<T> | undefined

export function withOne<T extends object>(few: Few<T>, one: T): Few<T> {
  if (few === undefined || few === one) return one
  return few instanceof Set ? few.add(one) : new Set([few, one])
}

export function withoutOne<T extends object>(few: Few<T>, one: T): Few<T> {
  if (few === one) return undefined
  if (!(few instanceof Set)) return few
  few.delete(one)
  return few.size > 0 ? few : undefined
}

export function hasOne<T extends object>(few: Few<T>, one: T): boolean {
  return few === one || (few instanceof Set && few.has(one))
}

export function forEachOne<T extends object>(few: Few<T>, visit: (one: T) => void): void {
  if (few instanceof Set) few.forEach(visit)
  else if (few !== undefined) visit(few)
}

export function membersOf<T extends object>(few: Few<T>): Set<T> | T[] {
  return few instanceof Set ? few : few === undefined ? [] : [few]
}
