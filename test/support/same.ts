/**
 * What the laws compare with: written apart from the library's own comparison, so that a fault there is not believed here.
 */

/** Equal data: order of keys aside, order of lists not; `NaN` equals itself, and `0` is `-0`, as in JSON. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b || Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  if (a instanceof Map || b instanceof Map) return a instanceof Map && b instanceof Map && sameMaps(a, b)
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  if (Array.isArray(a) && a.length !== (b as unknown[]).length) return false
  return names.every(name => Object.hasOwn(b, name) && same((a as { [name: string]: unknown })[name], (b as { [name: string]: unknown })[name]))
}

function sameMaps(a: Map<unknown, unknown>, b: Map<unknown, unknown>): boolean {
  if (a.size !== b.size) return false
  for (const [key, value] of a) if (!b.has(key) || !same(value, b.get(key))) return false
  return true
}

/** Where something can still be written to, as a path; undefined when all of it is frozen. */
export function openPart(value: unknown, path = 'it'): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!Object.isFrozen(value)) return path
  for (const name of Object.keys(value)) {
    const part = openPart((value as { [name: string]: unknown })[name], `${path}.${name}`)
    if (part !== undefined) return part
  }
  return undefined
}

/** Writes into every object that `value` reaches. A store that shares one of them would see it. */
export function scribble(value: unknown, met: Set<object> = new Set()): void {
  if (typeof value !== 'object' || value === null || met.has(value) || Object.isFrozen(value)) return
  met.add(value)
  for (const name of Object.keys(value)) scribble((value as { [name: string]: unknown })[name], met)
  if (Array.isArray(value)) value.push('scribbled')
  else Object.defineProperty(value, 'scribbled', { value: true, enumerable: true, configurable: true })
}

/** Whether JSON says all of `value`: it has no `NaN`, no `-0`, no hole. */
export function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object' || value === null) return value !== undefined && typeof value !== 'bigint'
  return Object.values(value).every(isJson)
}
