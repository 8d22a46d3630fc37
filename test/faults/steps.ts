import type { ServerResponse } from 'node:http'

/** One request, and where to answer it. */
export interface Exchange {
  readonly response: ServerResponse
  readonly method: string
  readonly name: string
  readonly sent: object
}

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

/** What a request may meet. */
export const actions = {
  ok,
  slow: (exchange) => void setTimeout(() => ok(exchange), 15),
  'no content-type': ({ response, name, sent }) => void response.writeHead(200).end(JSON.stringify(record(name, sent))),
  'byte order mark': ({ response, name, sent }) => void response.writeHead(200, json).end(`\ufeff${JSON.stringify(record(name, sent))}`),
  redirect: ({ response, name }) => void response.writeHead(307, { location: `/moved/${name}` }).end(),
  reset: raw('', 'reset'),
  closed: raw('', 'end'),
  'not HTTP': raw('SSH-2.0-x\r\n', 'end'),
  'reset in the body': raw(`${head('content-length: 100')}{"id":`, 'reset'),
  'short body': raw(`${head('content-length: 100')}{"id":1}`, 'end'),
  // With `connection: close` Node would take what has come for all.
  'broken chunk': raw(`${head('transfer-encoding: chunked').replace('close', 'keep-alive')}50\r\n{"id":1}`, 'end'),
  'bad gzip': raw(`${head('content-encoding: gzip\r\ncontent-length: 8')}{"id":1}`, 'end'),
  'redirect loop': ({ response, name }) => void response.writeHead(302, { location: `/loop/${name}` }).end(),
  'redirect to a file': ({ response }) => void response.writeHead(302, { location: 'file:///etc/hosts' }).end(),
  'stall before headers': raw('', 'stay'),
  'stall in the body': raw(`${head('content-length: 100')}{"id":`, 'stay'),
  'truncated JSON': text('{"id":"1","te'),
  'empty JSON': text(''),
  'NaN in JSON': text('{"id":NaN}'),
  'login page': text('<!doctype html><p>Please log in.</p>', { 'content-type': 'text/html' }),
  'error in an envelope': text('{"error":"no"}'),
  'true': text('true'),
  'null': text('null'),
  'two numbers': text('[1,2]'),
  '204': status(204),
  '205': status(205),
  '304': status(304),
  '400': status(400),
  '401': status(401),
  '403': status(403),
  '404': status(404),
  '409': status(409),
  '410': status(410),
  '412': status(412),
  '408': status(408),
  '429': status(429),
  '429, at once': status(429, { 'retry-after': '0' }),
  '429, garbage': status(429, { 'retry-after': 'soon' }),
  '429, negative': status(429, { 'retry-after': '-1' }),
  '429, 2 s': status(429, { 'retry-after': '2' }),
  '429, 1e12 s': status(429, { 'retry-after': '1000000000000' }),
  '503, a date': status(503, { 'retry-after': far }),
  '500': status(500),
  '502': status(502),
  '503': status(503),
} satisfies { readonly [name: string]: Act }

export type Step = keyof typeof actions
