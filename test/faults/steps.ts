import type { ServerResponse } from 'node:http'
import { MissingPkError, NetworkError, ParseError, TimeoutError, ValidationError } from '../../src/index.ts'

/** What somebody does with the network. */
export const operations = ['first load', 'refetch', 'PUT', 'DELETE', 'push'] as const
export type Operation = (typeof operations)[number]

export const attempts = 3

/** What becomes of one attempt. */
export interface Outcome {
  readonly error?: abstract new (...args: never) => Error
  readonly status?: number | undefined
  /** Whether the failure is one that passes. */
  readonly passing?: boolean
  /** The server has sent how long to wait, and it is too long. */
  readonly later?: boolean
  /** The answer is taken, and it is about other rows. */
  readonly others?: boolean
}

/** One request, and where to answer it. */
export interface Exchange { readonly response: ServerResponse; readonly method: string; readonly name: string; readonly sent: object }

type Act = (exchange: Exchange) => void

const json = { 'content-type': 'application/json' }

/** The record as the server has it: a change is taken over, a read gets what was there from the start. */
export function record(name: string, sent: object = {}): object {
  return { id: name, text: 'from the server', ...sent }
}

/** What it should be. */
export const ok: Act = ({ response, method, name, sent }) => {
  if (method === 'DELETE') return void response.writeHead(204).end()
  response.writeHead(200, json).end(JSON.stringify(record(name, sent)))
}

const status = (code: number, headers: { readonly [name: string]: string } = {}): Act => ({ response }) =>
  void response.writeHead(code, { ...json, ...headers }).end(code === 204 || code === 205 || code === 304 ? undefined : '{"reason":"a fault"}')

const text = (body: string, headers: { readonly [name: string]: string } = json): Act => ({ response }) => void response.writeHead(200, headers).end(body)

/** Bytes as they are, and then what becomes of the connection. */
const raw = (bytes: string, then: 'end' | 'reset' | 'stay'): Act => ({ response }) => {
  const { socket } = response
  if (!socket) return
  const after = (): void => {
    if (then === 'end') socket.end()
    // A moment, so that what was written arrives before the reset does.
    if (then === 'reset') setTimeout(() => socket.resetAndDestroy(), 3)
  }
  if (bytes === '') after()
  else socket.write(bytes, after)
}

/** Nobody may use such a connection again. */
const head = (headers: string): string => `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n${headers}\r\n\r\n`
const far = new Date(Date.now() + 3_600_000).toUTCString()

const fine: Outcome = {}
const broken: Outcome = { error: NetworkError, status: undefined, passing: true }
const late: Outcome = { error: TimeoutError, passing: true }
const unreadable: Outcome = { error: ParseError, status: 400 }
const wrong: Outcome = { error: ValidationError, status: 400 }
const failed = (code: number, passing = false): Outcome => ({ error: NetworkError, status: code, passing })
const later = (code: number): Outcome => ({ error: NetworkError, status: code, later: true })
/** A deletion needs only a status that confirms it. */
const unlessDeleted = (outcome: Outcome) => (operation: Operation): Outcome => (operation === 'DELETE' ? fine : outcome)

/** What a request may meet, and what comes of an attempt that meets it. */
export const steps = {
  ok: [ok, fine],
  slow: [(exchange) => void setTimeout(() => ok(exchange), 15), fine],
  'no content-type': [({ response, name, sent }) => void response.writeHead(200).end(JSON.stringify(record(name, sent))), fine],
  'byte order mark': [({ response, name, sent }) => void response.writeHead(200, json).end(`\ufeff${JSON.stringify(record(name, sent))}`), fine],
  redirect: [({ response, name }) => void response.writeHead(307, { location: `/moved/${name}` }).end(), fine],
  reset: [raw('', 'reset'), broken],
  closed: [raw('', 'end'), broken],
  'not HTTP': [raw('SSH-2.0-x\r\n', 'end'), broken],
  'reset in the body': [raw(`${head('content-length: 100')}{"id":`, 'reset'), broken],
  'short body': [raw(`${head('content-length: 100')}{"id":1}`, 'end'), broken],
  // With `connection: close` Node would take what has come for all.
  'broken chunk': [raw(`${head('transfer-encoding: chunked').replace('close', 'keep-alive')}50\r\n{"id":1}`, 'end'), broken],
  'bad gzip': [raw(`${head('content-encoding: gzip\r\ncontent-length: 8')}{"id":1}`, 'end'), broken],
  'redirect loop': [({ response, name }) => void response.writeHead(302, { location: `/loop/${name}` }).end(), broken],
  'redirect to a file': [({ response }) => void response.writeHead(302, { location: 'file:///etc/hosts' }).end(), broken],
  'stall before headers': [raw('', 'stay'), late],
  'stall in the body': [raw(`${head('content-length: 100')}{"id":`, 'stay'), late],
  'truncated JSON': [text('{"id":"1","te'), unreadable],
  'empty JSON': [text(''), unlessDeleted(unreadable)],
  'NaN in JSON': [text('{"id":NaN}'), unreadable],
  'login page': [text('<!doctype html><p>Please log in.</p>', { 'content-type': 'text/html' }), unreadable],
  // The answer to a creation needs a pk.
  'error in an envelope': [text('{"error":"no"}'), unlessDeleted({ error: MissingPkError, status: 400 })],
  true: [text('true'), unlessDeleted(wrong)],
  null: [text('null'), unlessDeleted(wrong)],
  // Numbers are pks: a deletion of these two, or a list of them, for which there are no records.
  'two numbers': [text('[1,2]'), (operation) => (operation === 'DELETE' || operation === 'push' ? { others: true } : { error: MissingPkError, status: 400 })],
  '204': [status(204), unlessDeleted(wrong)],
  '205': [status(205), unlessDeleted(wrong)],
  // What is there is what there is.
  '304': [status(304), (operation) => (operation === 'refetch' ? fine : failed(304))],
  '400': [status(400), failed(400)],
  '401': [status(401), failed(401)],
  '403': [status(403), failed(403)],
  '404': [status(404), unlessDeleted(failed(404))],
  '409': [status(409), failed(409)],
  '410': [status(410), unlessDeleted(failed(410))],
  '412': [status(412), failed(412)],
  '408': [status(408), failed(408, true)],
  '429': [status(429), failed(429, true)],
  '429, at once': [status(429, { 'retry-after': '0' }), failed(429, true)],
  '429, garbage': [status(429, { 'retry-after': 'soon' }), failed(429, true)],
  '429, negative': [status(429, { 'retry-after': '-1' }), failed(429, true)],
  '429, 2 s': [status(429, { 'retry-after': '2' }), later(429)],
  '429, 1e12 s': [status(429, { 'retry-after': '1000000000000' }), later(429)],
  '503, a date': [status(503, { 'retry-after': far }), later(503)],
  '500': [status(500), failed(500, true)],
  '502': [status(502), failed(502, true)],
  '503': [status(503), failed(503, true)],
} satisfies { readonly [name: string]: readonly [Act, Outcome | ((operation: Operation) => Outcome)] }

export type Step = keyof typeof steps

/** What a request comes to that meets `script`, and how often it is sent. A creation is sent once, whatever happens. */
export function expect(script: readonly Step[], operation: Operation): Outcome & { readonly sent: number; readonly last: Step } {
  for (let sent = 1; ; sent++) {
    const last = script[sent - 1] ?? 'ok'
    const [, outcome] = steps[last]
    const met: Outcome = typeof outcome === 'function' ? outcome(operation) : outcome
    if (!met.passing || sent === attempts || operation === 'push') return { ...met, sent, last }
  }
}
