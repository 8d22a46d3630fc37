import { PatchcordError } from '../base/errors.ts'
import { canonical } from '../base/keys.ts'

/** Headers that do not cause a CORS preflight, and therefore contain no secret. */
const SAFE_HEADER = /^(accept(-language)?|content-(language|type))$/

/** Whether a body is sent as JSON. The tag of forms, files, buffers and streams shows that they are not. */
export function isData(body: unknown): boolean {
  return /t (Object|Array)]$/.test(Object.prototype.toString.call(body)) && !(Symbol.asyncIterator in (body as object))
}

/** Adds `body` to a request init. A content type that is already set wins over that of JSON. */
export function withBody(init: RequestInit, body: unknown): RequestInit {
  if (body === undefined || body === null) return init
  // A stream can be sent only with `duplex`, which changes nothing for other bodies.
  if (!isData(body)) return { ...init, body: body as BodyInit, duplex: 'half' } as RequestInit
  let json: string
  try {
    json = JSON.stringify(body)
  } catch (cause) {
    throw new PatchcordError('BODY', 'The body cannot be JSON. Convert it in getRequestInit.', { cause })
  }
  return { ...init, body: json, headers: { 'content-type': 'application/json', ...plainHeaders(ownInit(init).headers) } }
}

/** Distinguishes the bodies of reads that have one. */
export function bodyKey(body: unknown): string {
  return canonical(body, () => {
    throw new PatchcordError('KEY', 'A read with a binary body has no key. Override key().')
  })
}

/** Headers as an object with lower-case names. The error names a header that HTTP cannot transport. */
export function plainHeaders(headers: HeadersInit | undefined): { [name: string]: string } {
  const isList = headers !== undefined && Symbol.iterator in headers
  const checked = new Headers()
  for (const [name, value] of isList ? (headers as Iterable<[string, string]>) : Object.entries(headers ?? {})) {
    try {
      // A list may repeat a header. In an object with two spellings of one header, the later one wins.
      if (value !== undefined) checked[isList ? 'append' : 'set'](name, value)
    } catch (cause) {
      throw new PatchcordError('HEADER', `The header "${name}" cannot be sent. Encode it in getHeaders.`, { cause })
    }
  }
  return Object.fromEntries(checked)
}

/** Copies an init to an object without a prototype: `fetch` would read members of a polluted `Object.prototype`. */
export function ownInit(init: RequestInit): RequestInit {
  return Object.assign(Object.create(null) as RequestInit, init)
}

/** Rejects redirects when headers may contain secrets: `fetch` would send them to the other origin. */
export function guardedInit(init: RequestInit): RequestInit {
  const guarded = ownInit(init)
  const headers = (guarded.headers = plainHeaders(guarded.headers))
  if (!Object.keys(headers).every(name => SAFE_HEADER.test(name))) guarded.redirect ??= 'error'
  // Browsers reject a larger body with `keepalive`.
  if (guarded.keepalive && guarded.body && new Blob([guarded.body as BlobPart]).size > 65_536) guarded.keepalive = false
  return guarded
}
