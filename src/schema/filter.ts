import { text } from '../base/keys.ts'
import { hasOwn, isObject } from '../base/plain.ts'

/** The key of a stored collection: what its pk is the JSON of. */
export type CollectionKey = { readonly [name: string]: string }

/**
 * Decides from the arguments of a creation which collections it is added to.
 *
 * @example
 * const everywhere: CollectionFilter = () => () => true
 * const todos = new schema.Collection([Todo], { createCollectionFilter: everywhere })
 */
export type CollectionFilter = FilterMethod['of']

/** A method, because its arguments are compared both ways: a filter may annotate the arguments that it expects. */
interface FilterMethod {
  of(urlParams: unknown, body?: unknown): (collectionKey: CollectionKey) => boolean
}

/**
 * Names of key members that do not filter: a function, a pattern, or a list.
 *
 * @example
 * const shown: NonFilterKeys = ['sort', 'limit']
 * const Todos = createResource({ path: '/todos/:id', schema: Todo, nonFilterArgumentKeys: shown })
 */
export type NonFilterKeys = ((name: string) => boolean) | RegExp | readonly string[]

/** Whether a name is among `keys`. The default is every name that begins with `order`. */
export function isNonFilter(name: string, keys: NonFilterKeys = /^order/): boolean {
  if (typeof keys === 'function') return keys(name)
  // search() ignores lastIndex, so a pattern with the flag g answers the same every time.
  return keys instanceof RegExp ? name.search(keys) >= 0 : keys.includes(name)
}

/** Matches names of arguments that sort a list, or select a part of it. The first group is there only for those that select a part. */
export function pagingIn(name: string): RegExpExecArray | null {
  return /^[_$]?(?:sort|order|(limit|per_?[pP]age|size|page|offset|skip|cursor|after|before|start|end))/.exec(name)
}

/** Whether `source` has a member `name` that equals `expected`: loosely, so that 1 is '1', or by its string form. */
export function matches(source: unknown, name: string, expected: string): boolean {
  const value = memberOf(source, name)
  if (value === undefined) return false
  // eslint-disable-next-line eqeqeq -- numbers and strings are the same in a URL; objects are not asked, because their toString may be data
  return (!isObject(value) && value == expected) || text(value) === expected
}

/** A member of the arguments or of a record. */
export function memberOf(source: unknown, name: string): unknown {
  if (!isObject(source)) return undefined
  if (source instanceof FormData || source instanceof URLSearchParams) return source.get(name) ?? undefined
  return hasOwn(source, name) ? (source as { [name: string]: unknown })[name] : undefined
}
