import type { AnyEndpoint } from '../index.ts'

/** The endpoints that change something, by name: those that are given, those of resources, and those that lists derive. */
export function endpointsIn(given: readonly object[]): Map<string, AnyEndpoint> {
  const found = new Map<string, AnyEndpoint>()
  const add = (value: unknown): void => {
    if (typeof value !== 'function' || !('sideEffect' in value)) return
    const endpoint = value as unknown as AnyEndpoint & { readonly [kind: string]: unknown }
    if (endpoint.sideEffect) return void found.set(endpoint.name, endpoint)
    for (const kind of ['push', 'unshift', 'assign', 'remove', 'move']) {
      try {
        add(endpoint[kind])
      } catch {
        // Not a list.
      }
    }
  }
  for (const each of given) {
    if (typeof each === 'function') add(each)
    else Object.values(each).forEach(add)
  }
  return found
}
