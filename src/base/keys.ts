import { isObject, isPlain } from './plain.ts'
import { attempt } from './report.ts'

/** Text that identifies a value: equal values have one key in any key order, different values have different keys. */

/** A JSON object of strings with sorted keys: the pk of a collection. Members that a URL cannot show are left out: `undefined`, and lists and objects without anything in them. */
export function recordKey(members: object): string {
  return sorted(members, member => {
    const spelled = text(member)
    return isObject(member) && /^(\[]|{})$/.test(spelled) ? '' : JSON.stringify(spelled)
  })
}

/** The string form of one argument; objects and lists become canonical JSON. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : isObject(value) ? canonical(value) : String(value)
}

/**
 * JSON with sorted keys, in which `NaN`, bigints and `undefined` in lists stay distinct. `nameOf` names values that
 * show nothing of their content, such as functions.
 */
export function canonical(value: unknown, nameOf: (hidden: object) => string = String): string {
  if (typeof value === 'function') return nameOf(value)
  if (!isObject(value)) {
    if (typeof value === 'string') return JSON.stringify(value)
    if (typeof value === 'bigint') return `${value}n`
    return Object.is(value, -0) ? '-0' : String(value)
  }
  if (Array.isArray(value)) return `[${Array.from(value, each => canonical(each, nameOf)).join(',')}]`
  if (!isPlain(value)) {
    const { toJSON } = Object.getPrototypeOf(value) as { toJSON?: unknown }
    if (typeof toJSON === 'function') return canonical(toJSON.call(value), nameOf)
    // Sets, maps, search parameters; an iterator would be used up.
    if (Symbol.iterator in value && !('next' in value)) return Object.prototype.toString.call(value) + canonical([...(value as Iterable<unknown>)], nameOf)
    if (Object.keys(value).length === 0) return nameOf(value)
  }
  return sorted(value, member => canonical(member, nameOf))
}

function sorted(members: object, spell: (member: unknown) => string): string {
  const parts: string[] = []
  for (const name of Object.keys(members).sort()) {
    const member = (members as { [name: string]: unknown })[name]
    const spelled = member !== undefined && spell(member)
    if (spelled) parts.push(`${JSON.stringify(name)}:${spelled}`)
  }
  return `{${parts.join(',')}}`
}

/** Names for `canonical` by identity: two functions with the same text may close over different values. */
export function createNames(): (hidden: object) => string {
  const names = new WeakMap<object, string>()
  let last = 0
  return hidden => {
    if (!names.has(hidden)) names.set(hidden, `#${++last}`)
    return names.get(hidden)!
  }
}

/** Names that lead out of the data into what all objects share. */
export function isReserved(name: string): boolean {
  return /^(__proto__|constructor|prototype)$/.test(name)
}

/** The object or list that `json` contains, if it is JSON of one. */
export function parseObject(json: string): object | undefined {
  const value = parseJson(json)
  return isObject(value) ? value : undefined
}

/** The value of JSON text; undefined when it is not valid JSON. */
export function parseJson(text: string): unknown {
  return attempt(() => JSON.parse(text) as unknown)
}
