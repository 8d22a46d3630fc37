import { PathError } from '../base/errors.ts'
import { text } from '../base/keys.ts'
import { isPlain } from '../base/plain.ts'
import type { UrlParams } from './fill.ts'

/**
 * A query string: sorted by name, so that one request has one spelling. Lists repeat their name, objects are spelled
 * `a[b]=1`, what is undefined is left out; a list or an object within a list is its JSON. Sets and the like are lists.
 * Brackets that are part of a name are encoded and ours are not, so different parameters never look alike.
 */
export function searchToString(params: UrlParams): string {
  const parts: string[] = []
  for (const name of Object.keys(params).sort()) {
    try {
      add(parts, encodeURIComponent(name), params[name])
    } catch {
      throw new PathError(`The query parameter "${name}" fits in no URL: it contains itself, or half of a surrogate pair.`, name)
    }
  }
  return parts.join('&')
}

function add(parts: string[], name: string, given: unknown): void {
  const value = dataOf(given)
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) if (item !== undefined) parts.push(`${name}=${encodeURIComponent(text(dataOf(item)))}`)
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value).sort()) add(parts, `${name}[${encodeURIComponent(key)}]`, (value as UrlParams)[key])
  } else if (value !== undefined) parts.push(`${name}=${encodeURIComponent(String(value))}`)
}

/** A date, or anything else whose class says what it is as JSON, is that; what only gives its members is a list of them. */
function dataOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isPlain(value)) return value
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON === 'function') return (toJSON as () => unknown).call(value)
  return Symbol.iterator in value ? [...(value as Iterable<unknown>)] : value
}
