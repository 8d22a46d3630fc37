import { AbortError, NetworkError, ParseError, PatchcordError, TimeoutError } from '../base/errors.ts'
import { canonical, parseJson } from '../base/keys.ts'

/** Headers that do not cause a CORS preflight, and therefore contain no secret. */
const SAFE_HEADER = /^(accept(-language)?|content-(language|type))$/

/** Whether a body is sent as JSON. The tag of forms, files, buffers and streams shows that they are not. */
export function isData(body: unknown): boolean {
  return /t (Object|Array)]$/.test(Object.prototype.toString.call(body)) && !(Symbol.asyncIterator in (body as object))
}

/** Adds `body` to a request init. A content type that is already set wins over that of JSON. */
export function withBody(init: RequestInit, body: unknown): RequestInit {
  if (body == null) return init
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
  const isList = Symbol.iterator in Object(headers)
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

/** The error of a request that broke off: the reason of its signal if that aborted it, else the error of the transport. */
export function failure(error: unknown, signal: AbortSignal | null | undefined, request: string): Error {
  const reason: unknown = signal?.aborted ? signal.reason : error
  if (reason instanceof PatchcordError) return reason
  const { name } = Object(reason) as Partial<Error>
  if (name === 'TimeoutError') return new TimeoutError(`${request} took too long.`, { cause: reason })
  if (signal?.aborted || name === 'AbortError') return new AbortError(undefined, { cause: reason })
  return new NetworkError(`${request} failed: ${String((Object(error) as Partial<Error>).message ?? error)}.`, { cause: error })
}

/**
 * How to read a body, whatever its content type is.
 *
 * @example
 * const getFile = new RestEndpoint({ path: '/files/*path', content: 'blob' })
 */
export type Content = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream'

/** Returns an ok response and throws a `NetworkError` for any other. Deleting what does not exist is ok. */
export async function requireOk(response: Response, method: string, url: string = response.url): Promise<Response> {
  const { status, statusText } = response
  if (response.ok) return response
  if (method === 'DELETE' && [404, 410].includes(status)) {
    // An unread body would keep the connection open.
    response.body?.cancel().catch(() => {})
    return new Response(null, { status: 204 })
  }
  // A transport may have read the body already, to log it.
  const body = response.bodyUsed ? undefined : parseJson(await response.clone().text().catch(() => ''))
  throw new NetworkError(`${`${method} ${url} answered ${status} ${statusText}`.trim()}.`, { response, body })
}

/** The value of a response, or a typed error. */
export async function readResponse(endpoint: { readonly method: string; readonly content: Content | undefined; readonly signal: AbortSignal | undefined; readonly schema: unknown }, given: Response): Promise<unknown> {
  const { content, signal, schema } = endpoint
  const method = endpoint.method.toUpperCase()
  const response = await requireOk(given, method)
  const request = `${method} ${response.url}`.trim()
  const read = <T>(body: Promise<T>): Promise<T> =>
    body.catch((error: unknown) => {
      throw failure(error, signal, request)
    })
  if ([204, 205].includes(response.status) || method === 'HEAD') return null
  if (content === 'stream') return response.body
  if (content && content !== 'json') return read<unknown>(response[content]())
  const type = response.headers.get('content-type')?.toLowerCase() ?? ''
  const isOther = type && !content && !/^[^;]*[/+]json\b(?!-)/.test(type)
  const isText = /^text\/|[/+]xml\b|javascript/.test(type)
  if (isOther && !schema) return read<unknown>(isText ? response.text() : response.blob())
  const text = await read(response.text())
  // The status of a deletion is its result. An HTML page means that something other than the API responded.
  if (method === 'DELETE' && (!text || (isOther && isText && !type.includes('html')))) return text || null
  const value = isOther ? undefined : parseJson(text)
  if (value !== undefined) return value
  if (!type && !content && (!text || !schema)) return text || null
  const problem = isOther ? `is ${type.split(';')[0]!}, not JSON. If it is JSON, set content: "json"` : text ? 'is not valid JSON' : 'is empty'
  throw new ParseError(`The answer to ${request} ${problem}.${text && ` It begins: ${text.slice(0, 300)}`}`, text, { response })
}
