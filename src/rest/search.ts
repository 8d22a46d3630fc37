import { PathError } from '../base/errors.ts'
import { text } from '../base/keys.ts'
import { isObject, isPlain } from '../base/plain.ts'
import type { UrlParams } from './template.ts'

/**
 * A query string, sorted by name so that equal parameters give equal URLs. Lists repeat their name, objects become
 * `a[b]=1`, and `undefined` is left out. A list or an object inside of a list becomes JSON. Brackets in names are encoded
 * and those of objects are not, so different parameters have different query strings.
 */
export function searchToString(params: UrlParams): string {
  const parts: string[] = []
  for (const name of Object.keys(params).sort()) {
    try {
      add(parts, encodeURIComponent(name), params[name])
    } catch {
      throw new PathError(`The parameter "${name}" has half a surrogate pair, or contains itself.`, name)
    }
  }
  return parts.join('&')
}

function add(parts: string[], name: string, given: unknown): void {
  const value = dataOf(given)
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) if (item !== undefined) parts.push(`${name}=${encodeURIComponent(text(dataOf(item)))}`)
  } else if (isObject(value)) {
    for (const key of Object.keys(value).sort()) add(parts, `${name}[${encodeURIComponent(key)}]`, (value as UrlParams)[key])
  } else if (value !== undefined) parts.push(`${name}=${encodeURIComponent(String(value))}`)
}

/** Dates and other classes with `toJSON` as JSON, other iterables as lists. */
function dataOf(value: unknown): unknown {
  if (!isObject(value) || isPlain(value)) return value
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON === 'function') return (toJSON as () => unknown).call(value)
  return Symbol.iterator in value ? [...(value as Iterable<unknown>)] : value
}
