import { PathError } from '../base/errors.ts'
import { parseTemplate, type Part, type Template } from './template.ts'

/** A template, what stands before it, and the origin that all its URLs have; '' is the page's own. */
export interface Route {
  readonly template: Template
  readonly prefix: string
  readonly origin: string
}

/** No such host exists (RFC 2606): what resolves against it and stays there is relative. */
const NOWHERE = 'http://relative.invalid'

/** An origin with or without a path, or a path on the page's own. */
const PREFIX = /^(https?:\/\/[^?#\\\s]+|\/(?!\/)[^?#\\\s]*)?$/i

/** Templates are written by hand, so this is room for all of an application's; prefixes may come from data, so it has an end. */
const LIMIT = 500
const routes: Map<string, Route> = /* @__PURE__ */ new Map()

/** The origin of a URL; '' when it is the page's. Anything but http, and credentials in the address, are refused. */
export function originOf(url: string): string {
  // Not shown in the error: what is refused may have a password in it.
  const parsed = URL.canParse(url, NOWHERE) && new URL(url, NOWHERE)
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password) {
    throw new PathError('An address must be http or https, and have no credentials in it: send those in a header.')
  }
  return parsed.origin === NOWHERE || parsed.origin === globalThis.location?.origin ? '' : parsed.origin
}

/** The template for `urlPrefix` and `path`, taken apart and checked once. */
export function routeOf(urlPrefix: string, path: string): Route {
  const key = `${urlPrefix} ${path}`
  let route = routes.get(key)
  if (route === undefined) {
    const template = parseTemplate(path)
    const start = startOf(template.parts)
    // Either may have the slash between them, and both may.
    const prefix = start.startsWith('/') ? urlPrefix.replace(/\/$/, '') : urlPrefix
    checkStart(prefix, template, start)
    const origin = originOf(prefix + start)
    if (origin !== originOf(prefix) && prefix !== '') throw leaves(prefix + path)
    if (globalThis.location?.protocol === 'https:' && origin.startsWith('http:')) {
      console.warn(`Requests to ${origin} are not encrypted. Use https.`)
    }
    if (routes.size >= LIMIT) routes.delete(routes.keys().next().value!)
    routes.set(key, (route = { template, prefix, origin }))
  }
  return route
}

/** The path begins with text that ends the host, so that no parameter can become part of one. */
function checkStart(urlPrefix: string, { source, parts, names }: Template, start: string): void {
  const host = urlPrefix === '' ? /^https?:\/\/[^/]+/i.exec(start)?.[0] : undefined
  const after = host === start ? startOf(parts.slice(1)) : start.slice(host?.length)
  const isEnded = after.startsWith('/') || urlPrefix.endsWith('/') || (after === '' && parts.length === (host ? 1 : 0))
  if (!isEnded || !PREFIX.test(urlPrefix)) {
    const [param] = names
    throw new PathError(`"${urlPrefix}${source}" must begin with "/", or with an origin that ends before ${param === undefined ? 'its path' : `"${param}"`}.`, param)
  }
  if (!host && urlPrefix === '' && start.startsWith('//')) throw leaves(source)
}

/** The text at the start of a template, or of the group that it starts with. */
function startOf(parts: readonly Part[]): string {
  const first = parts[0]
  if (typeof first === 'string') return first
  return first === undefined || 'name' in first ? '' : startOf(first)
}

function leaves(url: string): PathError {
  return new PathError(`"${url}" is not on the origin that urlPrefix states.`)
}

/** Stops a URL that is not on the route's origin. */
export function checkOrigin({ origin }: Route, url: string): void {
  if (originOf(url) !== origin) throw leaves(url)
}
