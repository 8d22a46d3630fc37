import { isDeepStrictEqual } from 'node:util'

/** The fields of `value` that `like` has, as plain data: class instances, defaults and frozenness fall away. */
export function project(value, like) {
  if (Array.isArray(like)) {
    return Array.isArray(value) && value.length === like.length ? like.map((part, at) => project(value[at], part)) : value
  }
  if (like === null || typeof like !== 'object' || value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.keys(like).map(key => [key, project(value[key], like[key])]))
}

/** Throws unless `value` shows all that `like` says. */
export function expectShows(value, like, what) {
  if (!isDeepStrictEqual(project(value, like), like)) throw new Error(`${what} is not what went in`)
}
