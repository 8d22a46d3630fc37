/** Freezes `value` and everything in it; circles are fine. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const member of Object.values(value)) deepFreeze(member)
  return value
}

/** The paths below `value` that somebody could still write to. */
export function openPaths(value: unknown, path = '', seen: Set<unknown> = new Set()): string[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  const below = Object.entries(value).flatMap(([name, member]) => openPaths(member, `${path}/${name}`, seen))
  return Object.isFrozen(value) ? below : [path || '/', ...below]
}
