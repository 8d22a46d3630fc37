import { isPlain } from './plain.ts'

/**
 * Text that identifies: the same thing, spelled in any key order, has one key; different things have different ones.
 */

/**
 * A JSON object of strings with sorted keys, as used for the pk of a collection.
 * Members become strings (objects and arrays as canonical JSON), `undefined` ones are left out.
 */
export function recordKey(members: object): string {
  return sorted(members, member => JSON.stringify(text(member)))
}

/** The string form of one argument: itself, or canonical JSON for objects and arrays. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null) return canonical(value)
  return String(value)
}

/**
 * JSON with sorted keys. What JSON cannot say (`NaN`, `undefined` in a list, bigints) is spelled out, so that it stays
 * distinct. `nameOf` says what stands for something that shows nothing of what it holds: a function, a pattern.
 */
export function canonical(value: unknown, nameOf: (hidden: object) => string = String): string {
  if (typeof value === 'function') return nameOf(value)
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'string') return JSON.stringify(value)
    if (typeof value === 'bigint') return `${value}n`
    return Object.is(value, -0) ? '-0' : String(value)
  }
  if (Array.isArray(value)) return `[${Array.from(value, each => canonical(each, nameOf)).join(',')}]`
  const toJSON = (Object.getPrototypeOf(value) as { toJSON?: unknown } | null)?.toJSON
  if (typeof toJSON === 'function' && Object.getPrototypeOf(value) !== Object.prototype) return canonical(toJSON.call(value), nameOf)
  // Sets, maps, search parameters; but what gives its members only once is not to be used up.
  if (Symbol.iterator in value && !('next' in value)) return Object.prototype.toString.call(value) + canonical([...(value as Iterable<unknown>)], nameOf)
  if (Object.keys(value).length === 0 && !isPlain(value)) return nameOf(value)
  return sorted(value, member => canonical(member, nameOf))
}

/** An object by the names of its members, which `spell` makes a text of. */
function sorted(members: object, spell: (member: unknown) => string): string {
  const parts: string[] = []
  for (const name of Object.keys(members).sort()) {
    const member = (members as { [name: string]: unknown })[name]
    if (member !== undefined) parts.push(`${JSON.stringify(name)}:${spell(member)}`)
  }
  return `{${parts.join(',')}}`
}

/** Names for `canonical` by which object it is: two functions of one text may close over different things. */
export function createNames(): (hidden: object) => string {
  const names = new WeakMap<object, string>()
  let last = 0
  return hidden => {
    if (!names.has(hidden)) names.set(hidden, `#${++last}`)
    return names.get(hidden)!
  }
}

/** Names that lead out of the data, into what all objects share. */
export function isReserved(name: unknown): boolean {
  return name === '__proto__' || name === 'constructor' || name === 'prototype'
}

/** The object or list that a text is the JSON of. */
export function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
