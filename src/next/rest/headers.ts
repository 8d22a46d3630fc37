import { PatchcordError } from '../base/errors.ts'

/** What goes to another origin without asking it first, and therefore carries no secret. */
const HARMLESS = /^(accept(-language)?|content-(language|type))$/

/** Headers as an object of lower-case names; one that HTTP cannot carry is an error that names it. */
export function plainHeaders(headers: HeadersInit | undefined): { [name: string]: string } {
  const isList = headers !== undefined && Symbol.iterator in headers
  const entries = isList ? [...(headers as Iterable<[string, string]>)] : Object.entries(headers ?? {})
  const checked = new Headers()
  for (const [name, value] of entries) {
    try {
      // A list may name a header twice. An object that spells one in two ways, ours and theirs, means the later.
      if (value !== undefined) checked[isList ? 'append' : 'set'](name, value)
    } catch (cause) {
      throw new PatchcordError('HEADER', `The header "${name}" cannot be sent. Encode it in getHeaders.`, { cause })
    }
  }
  return Object.fromEntries(checked)
}

/** A copy of an init that nothing is lent to: `fetch` would read what a polluted `Object.prototype` has. */
export function ownInit(init: RequestInit): RequestInit {
  return Object.assign(Object.create(null) as RequestInit, init)
}

/** An init whose own headers stay at home: `fetch` would carry them along to wherever a redirect leads, tokens included. */
export function guardedInit(init: RequestInit): RequestInit {
  const own = ownInit(init)
  const headers = (own.headers = plainHeaders(own.headers))
  if (!Object.keys(headers).every(name => HARMLESS.test(name))) own.redirect ??= 'error'
  if (own.keepalive && sizeOf(own.body) > KEEPALIVE_LIMIT) own.keepalive = false
  return own
}

/** Of a request that outlives its page, browsers send so many bytes, and refuse longer ones: those are sent as others are. */
const KEEPALIVE_LIMIT = 65_536

/** In bytes. A form's is not known. */
function sizeOf(body: BodyInit | null | undefined): number {
  if (typeof body === 'string' || body instanceof URLSearchParams) return new TextEncoder().encode(String(body)).length
  const { size, byteLength } = (body ?? {}) as { readonly size?: number; readonly byteLength?: number }
  return byteLength ?? size ?? 0
}
