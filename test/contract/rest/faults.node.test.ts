import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AbortError, Entity, NetworkError, PatchcordError, ResetError, RestEndpoint, TimeoutError } from '../../../src/index.ts'
import { rejected } from './recorder.ts'

const test = suite('faults of the network')

class User extends Entity {
  id = 0
  static override key = 'User'
}

/** A server that answers each connection by hand: bytes, silence, or a slammed door. */
let act: (socket: Socket) => void = () => {}
const sockets = new Set<Socket>()
const server = createServer((socket) => {
  sockets.add(socket)
  socket.on('error', () => {})
  socket.once('data', () => act(socket))
})
let origin = ''
const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(reason)

test.before(async () => {
  process.on('unhandledRejection', note)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
test.after(async () => {
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
  process.off('unhandledRejection', note)
})

const head = (headers: string): string => `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${headers}\r\n\r\n`
const endpoint = (signal?: AbortSignal) => new RestEndpoint({ urlPrefix: origin, path: '/x', schema: User, ...(signal && { signal }) })

/** A failure of the transport: no status, a cause, soft. */
async function assertTransport(promise: Promise<unknown>): Promise<void> {
  const error = await rejected(promise)
  assert.instance(error, NetworkError)
  assert.is(error['status'], undefined)
  assert.ok(error.cause, 'has a cause')
  assert.is(endpoint().errorPolicy(error), 'soft')
  assert.match(error.message, `GET ${origin}/x`)
}

test('refused', async () => {
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  const error = await rejected(new RestEndpoint({ urlPrefix: `http://127.0.0.1:${port}`, path: '/x' })())
  assert.instance(error, NetworkError)
  assert.is(error['status'], undefined)
  assert.ok(error.cause)
})

test('reset before the headers', async () => {
  act = (socket) => socket.resetAndDestroy()
  await assertTransport(endpoint()())
})

test('closed before the headers', async () => {
  act = (socket) => socket.end()
  await assertTransport(endpoint()())
})

test('no HTTP at all', async () => {
  act = (socket) => socket.end('SSH-2.0-x\r\n')
  await assertTransport(endpoint()())
})

test('reset in the middle of the body', async () => {
  act = (socket) => void socket.write(`${head('content-length: 100')}{"id":`, () => setTimeout(() => socket.resetAndDestroy(), 5))
  await assertTransport(endpoint()())
})

test('a body shorter than its content-length', async () => {
  act = (socket) => socket.end(`${head('content-length: 100')}{"id":1}`)
  await assertTransport(endpoint()())
})

test('a chunk that breaks off', async () => {
  act = (socket) => socket.end(`${head('transfer-encoding: chunked')}50\r\n{"id":1}`)
  await assertTransport(endpoint()())
})

test('compression that is none', async () => {
  // Closed, with the header that announces it: the next test would else ask on a connection that is just going, and get no answer at all.
  act = (socket) => socket.end(`${head('connection: close\r\ncontent-encoding: gzip\r\ncontent-length: 8')}{"id":1}`)
  await assertTransport(endpoint()())
})

test('an error whose body breaks off keeps its status', async () => {
  let breakOff = (): void => {}
  act = (socket) => {
    breakOff = () => void socket.end()
    socket.write('HTTP/1.1 503 No\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":')
  }
  // Only once the status has arrived: an end that comes with it may be heard first, and then there is none to keep.
  const transport: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    breakOff()
    return response
  }
  const error = await rejected(endpoint().extend({ transport })())
  assert.is(error['status'], 503)
  assert.is(error['body'], undefined)
})

const stall = (socket: Socket): void => void socket.write(`${head('content-length: 100')}{"id":`)

test('headers, then silence, ended by a deadline', async () => {
  act = stall
  const error = await rejected(endpoint(AbortSignal.timeout(30))())
  assert.instance(error, TimeoutError)
  assert.ok(error.cause)
})

test('a deadline of the one who runs it, in his own words', async () => {
  act = stall
  for (const reason of [new TimeoutError('30 s are over'), new ResetError(), new AbortError('left')]) {
    const abort = new AbortController()
    setTimeout(() => abort.abort(reason), 10)
    assert.is(await rejected(endpoint(abort.signal)()), reason)
  }
})

for (const [when, prepare, delay] of [
  ['before it is sent', stall, -1],
  ['before the headers', () => {}, 10],
  ['between headers and body', stall, 10],
] as const) {
  test(`aborted ${when}`, async () => {
    act = prepare
    const abort = new AbortController()
    if (delay < 0) abort.abort()
    else setTimeout(() => abort.abort(), delay)
    const error = await rejected(endpoint(abort.signal)())
    assert.instance(error, AbortError)
    assert.instance(error, PatchcordError)
    assert.is(error.name, 'AbortError')
    abort.abort()
  })
}

test('aborted while an override reads the body', async () => {
  act = stall
  const abort = new AbortController()
  setTimeout(() => abort.abort('gone'), 10)
  const error = await rejected(endpoint(abort.signal).extend({ parseResponse: (response) => response.json() })())
  assert.instance(error, AbortError)
  assert.is(error.cause, 'gone')
})

test('aborted while the body of an error is read', async () => {
  act = (socket) => void socket.write('HTTP/1.1 500 No\r\ncontent-length: 100\r\n\r\n{')
  const abort = new AbortController()
  setTimeout(() => abort.abort(), 10)
  assert.instance(await rejected(endpoint(abort.signal)()), AbortError)
})

test('an abort after the answer changes nothing', async () => {
  act = (socket) => socket.end(`${head('content-length: 8')}{"id":1}`)
  const abort = new AbortController()
  const answered = endpoint(abort.signal)()
  assert.equal(await answered, { id: 1 })
  abort.abort()
  assert.equal(await answered, { id: 1 })
})

test('no fault of this suite has left a rejection unhandled, not even of fifty at once', async () => {
  act = (socket) => socket.resetAndDestroy()
  await Promise.allSettled(Array.from({ length: 50 }, () => endpoint()()))
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(unhandled, [])
})

test.run()
