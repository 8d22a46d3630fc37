import type { UrlParams } from './fill.ts'
import { routeOf, type Route } from './origin.ts'

/** What is asked of an endpoint to read its arguments. */
export interface Addressed {
  readonly method: string
  readonly path: unknown
  readonly urlPrefix: string | undefined
  readonly body: unknown
}

/** Where an endpoint's requests go. */
export function routeFor({ urlPrefix = '', path = '' }: Addressed): Route {
  return routeOf(urlPrefix, path as string)
}

/** Whether the last argument is a body: never for reads, for DELETE when `body` says so, else unless `body` is undefined. */
export function takesBody(endpoint: Addressed): boolean {
  if (/^(get|head|options)$/i.test(endpoint.method)) return false
  return Reflect.has(endpoint, 'body') ? endpoint.body !== undefined : !/^delete$/i.test(endpoint.method)
}

/** The arguments as URL parameters and body. One argument is the body where the path has no parameter. */
export function splitArgs(endpoint: Addressed, args: readonly unknown[]): [params: UrlParams | undefined, body: unknown] {
  if (!takesBody(endpoint)) return [args[0] as UrlParams | undefined, undefined]
  if (args.length < 2 && routeFor(endpoint).template.names.size === 0) return [undefined, args[0]]
  return [args[0] as UrlParams | undefined, args[1]]
}

/** The reverse: the arguments that say `params` and `body`. */
export function joinArgs(endpoint: Addressed, params: UrlParams, body: unknown): readonly unknown[] {
  return Object.keys(params).length === 0 && routeFor(endpoint).template.names.size === 0 ? [body] : [params, body]
}
