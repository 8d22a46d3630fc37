import { NetworkError, ParseError } from '../base/errors.ts'
import { parseJson } from '../base/keys.ts'
import { failure } from './failure.ts'

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
  if (method === 'DELETE' && (status === 404 || status === 410)) {
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
  if (response.status === 204 || response.status === 205 || method === 'HEAD') return null
  if (content === 'stream') return response.body
  if (content && content !== 'json') return read<unknown>(response[content]())
  const type = response.headers.get('content-type')?.toLowerCase() ?? ''
  const isJson = content === 'json' || /^[^;]*[/+]json\b(?!-)/.test(type)
  const isText = /^text\/|[/+]xml\b|javascript/.test(type)
  if (!isJson && type && !schema) return read<unknown>(isText ? response.text() : response.blob())
  const text = await read(response.text())
  // The status of a deletion is its result. An HTML page means that something other than the API responded.
  if (method === 'DELETE' && (text === '' || (!isJson && isText && !type.includes('html')))) return text || null
  const value = isJson || !type ? parseJson(text) : undefined
  if (value !== undefined) return value
  if (!type && !isJson && (text === '' || !schema)) return text || null
  const problem = !isJson && type ? `is ${type.split(';')[0]!}, not JSON. If it is JSON, set content: "json"` : text === '' ? 'is empty' : 'is not valid JSON'
  throw new ParseError(`The answer to ${request} ${problem}.${text && ` It begins: ${text.slice(0, 300)}`}`, text, { response })
}
