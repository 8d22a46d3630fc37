import { NetworkError, ParseError } from '../base/errors.ts'
import { failure } from './failure.ts'

/**
 * How a body is to be read, whatever its content-type says.
 *
 * @example
 * const getFile = new RestEndpoint({ path: '/files/*path', content: 'blob' })
 */
export type Content = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream'

/** What reading a response depends on. */
export interface Reader {
  readonly method: string
  readonly schema: unknown
  readonly content: Content | undefined
  readonly signal: AbortSignal | undefined
}

/** The value of a response, or a typed error. */
export async function readResponse(reader: Reader, response: Response): Promise<unknown> {
  const { status } = response
  const method = reader.method.toUpperCase()
  const request = `${method} ${response.url}`.trim()
  const type = response.headers.get('content-type')?.toLowerCase() ?? ''
  if (!response.ok) {
    if (method === 'DELETE' && (status === 404 || status === 410)) {
      // What is not there is deleted. Nobody reads why, and what is not read to its end keeps a connection.
      response.body?.cancel().catch(() => {})
      return null
    }
    // An override may have read it already, to log it; what there is to say is said by the status.
    const body = response.bodyUsed ? undefined : parsed(await response.clone().text().catch(() => ''))
    throw new NetworkError(`${request} answered ${status} ${response.statusText}`.trim() + '.', { status, response, body })
  }
  if (status === 204 || status === 205 || method === 'HEAD') return null
  const { content } = reader
  if (content === 'stream') return response.body
  if (content && content !== 'json') return read<unknown>(response[content]())
  const isJson = content === 'json' || /^[^;]*[/+]json\b(?!-)/.test(type)
  const isText = /^text\/|[/+]xml\b|javascript/.test(type)
  if (!isJson && type && !reader.schema) return read<unknown>(isText ? response.text() : response.blob())
  const text = await read(response.text())
  // A deletion says all by its status; pages are for people and mean that something else has answered.
  if (method === 'DELETE' && (text === '' || (!isJson && isText && !type.includes('html')))) return text || null
  if (!isJson && type) throw unreadable(`is ${type.split(';')[0]!}, not JSON. If it is all the same, set content: "json"`)
  const value = parsed(text)
  if (value !== undefined) return value
  if (!isJson && text === '') return null
  if (!isJson && !reader.schema) return text
  throw unreadable(text === '' ? 'is empty' : 'is not valid JSON')

  function unreadable(problem: string): ParseError {
    return new ParseError(`The answer to ${request} ${problem}.${text && ` It begins: ${text.slice(0, 300)}`}`, text, { response })
  }

  async function read<T>(body: Promise<T>): Promise<T> {
    try {
      return await body
    } catch (error) {
      throw failure(error, reader.signal, request)
    }
  }
}

/** The value of JSON; undefined when it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
