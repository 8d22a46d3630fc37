import { PathError } from '../base/errors.ts'
import { text } from '../base/keys.ts'
import { isObject, isPlain } from '../base/plain.ts'
import { isReadMethod } from '../endpoint/callable.ts'
import { Template, type UrlParams } from './template.ts'

/** The members of an endpoint that decide where its requests go and what its arguments mean. */
export interface RoutedEndpoint {
  readonly method: string
  readonly path: unknown
  readonly urlPrefix: string | undefined
  readonly body: unknown
}

/** A template with its prefix and the origin of all its URLs; '' is the origin of the page. */
export interface Route {
  readonly template: Template
  readonly prefix: string
  readonly origin: string
}

/** A host that cannot exist (RFC 2606). A URL that resolves to it is relative. */
const NOWHERE = 'http://relative.invalid'

/** An http origin up to its end, or nothing before a path on the page's own origin. */
const START = /^(https?:\/\/[^/?#\\\s]+(?=\/|$)|(?=\/(?!\/)|$))/i

const routes: Map<string, Route> = /* @__PURE__ */ new Map()

/** The origin of a URL; '' for the page's own. Rejects protocols other than http, and credentials in the URL. */
function originOf(url: string): string {
  const parsed = URL.canParse(url, NOWHERE) && new URL(url, NOWHERE)
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password) {
    // The message omits the URL, which may contain a password.
    throw new PathError('An address is http(s) without credentials.')
  }
  return parsed.origin === NOWHERE || parsed.origin === globalThis.location?.origin ? '' : parsed.origin
}

/** The route of an endpoint, parsed and checked once for each prefix and path. */
export function routeOf({ urlPrefix = '', path }: RoutedEndpoint): Route {
  const source = (path ?? '') as string
  const key = `${urlPrefix} ${source}`
  let route = routes.get(key)
  if (!route) {
    const template = new Template(source)
    const { start, names } = template
    // Both the prefix and the path may have the slash between them.
    const prefix = start.startsWith('/') ? urlPrefix.replace(/\/$/, '') : urlPrefix
    const url = prefix + start
    const isJoined = !prefix || !source || start.startsWith('/') || prefix.endsWith('/')
    const host = START.exec(url)?.[0]
    // The host must end before the first parameter, or a parameter could become part of it.
    if (!isJoined || !START.test(prefix) || /[?#\\\s]/.test(prefix) || host == null || (host === url && names.size)) {
      const [param] = names
      throw new PathError(`"${urlPrefix}${source}" must begin with "/", or with an origin before "${param ?? source}".`, param)
    }
    const origin = originOf(url)
    // Prefixes may come from data, so their number has a limit.
    if (routes.size >= 500) routes.clear()
    routes.set(key, (route = { template, prefix, origin }))
  }
  return route
}

/** Rejects a URL outside of the route's origin. */
export function checkOrigin({ origin }: Route, url: string): void {
  if (originOf(url) !== origin) throw new PathError(`"${url}" is not on the origin of urlPrefix.`)
}

/** Whether the last argument is a body: never for reads, for DELETE when `body` is given, else unless `body` is undefined. */
export function takesBody(endpoint: RoutedEndpoint): boolean {
  if (isReadMethod(endpoint.method)) return false
  return 'body' in (endpoint as object) ? endpoint.body !== undefined : !/^delete$/i.test(endpoint.method)
}

/** Splits arguments into URL parameters and body. A single argument is the body when the path has no parameter. */
export function splitArgs(endpoint: RoutedEndpoint, args: readonly unknown[]): [params: UrlParams | undefined, body: unknown] {
  const [first, second] = args as readonly [UrlParams | undefined, unknown]
  if (!takesBody(endpoint)) return [first, undefined]
  return args.length < 2 && !routeOf(endpoint).template.names.size ? [undefined, first] : [first, second]
}

/** The reverse of `splitArgs`. */
export function joinArgs(endpoint: RoutedEndpoint, params: UrlParams = {}, body: unknown): readonly unknown[] {
  return !Object.keys(params).length && !routeOf(endpoint).template.names.size ? [body] : [params, body]
}

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
