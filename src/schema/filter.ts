import { text } from '../base/keys.ts'

/**
 * Says, for the arguments of a creation, which collections it goes into.
 *
 * @example
 * const everywhere: CollectionFilter = () => () => true
 * const todos = new schema.Collection([Todo], { createCollectionFilter: everywhere })
 */
export type CollectionFilter = Filters['of']

/** As a method, because the arguments of methods are compared both ways: a filter may say which it expects. */
interface Filters {
  of(urlParams: unknown, body?: unknown): (collectionKey: { readonly [name: string]: string }) => boolean
}

/**
 * Names of key members that do not filter: a test, a pattern, or a list.
 *
 * @example
 * const shown: NonFilterKeys = ['sort', 'limit']
 * const Todos = createResource({ path: '/todos/:id', schema: Todo, nonFilterArgumentKeys: shown })
 */
export type NonFilterKeys = ((name: string) => boolean) | RegExp | readonly string[]

/**
 * A collection matches when each member of its key that filters equals the URL parameter, or the body's member,
 * of that name: loosely, so that `1` is `'1'`, or by their string forms, so that `true` and lists match too.
 */
export function defaultFilter(nonFilter?: NonFilterKeys): CollectionFilter {
  const skips = skipper(nonFilter)
  return (urlParams, body) => collectionKey =>
    Object.keys(collectionKey).every(
      name => skips(name) || matches(urlParams, name, collectionKey[name]!) || matches(body, name, collectionKey[name]!),
    )
}

/** The list that a page continues: every member of its key is an argument, and all arguments but the cursor are in its key. */
export const pageFilter: CollectionFilter = urlParams => collectionKey => {
  const names = Object.keys(collectionKey)
  const given = typeof urlParams === 'object' && urlParams !== null ? Object.values(urlParams).filter(value => value !== undefined).length : 0
  return names.length >= given - 1 && names.every(name => matches(urlParams, name, collectionKey[name]!))
}

function skipper(nonFilter: NonFilterKeys | undefined): (name: string) => boolean {
  if (nonFilter === undefined) return name => name.startsWith('order')
  if (typeof nonFilter === 'function') return nonFilter
  // search() ignores lastIndex, so a pattern with the flag g gives the same answer every time.
  if (nonFilter instanceof RegExp) return name => name.search(nonFilter) >= 0
  return name => nonFilter.includes(name)
}

function matches(source: unknown, name: string, expected: string): boolean {
  const value = memberOf(source, name)
  if (value === undefined) return false
  // An object would be asked for its text by methods that may have come with it, or be none at all.
  if (typeof value === 'object') return text(value) === expected
  // eslint-disable-next-line eqeqeq -- numbers and strings are one thing in a URL
  return value == expected || text(value) === expected
}

function memberOf(source: unknown, name: string): unknown {
  if (typeof source !== 'object' || source === null) return undefined
  if (typeof FormData !== 'undefined' && source instanceof FormData) return source.get(name) ?? undefined
  if (source instanceof URLSearchParams) return source.get(name) ?? undefined
  return Object.hasOwn(source, name) ? (source as { [name: string]: unknown })[name] : undefined
}
