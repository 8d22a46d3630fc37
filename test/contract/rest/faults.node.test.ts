import { createServer, type AddressInfo, type Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AbortError, NetworkError, PatchcordError, ResetError, RestEndpoint, TimeoutError } from '../../../src/index.ts'
import { deserted } from '../../support/listening.ts'
import { User } from '../../support/todo.ts'
import { rejected, unhandledIn } from '../../support/caught.ts'

const test = suite('faults of the network')

/** A server that answers each connection by hand: bytes, silence, or a slammed door. */
let act: (socket: Socket) => void = () => {}
const sockets = new Set<Socket>()
const server = createServer((socket) => {
  sockets.add(socket)
  socket.on('error', () => {})
  socket.once('data', () => act(socket))
})
let origin = ''

test.before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
test.after(async () => {
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})
const unhandled = unhandledIn(test)

const head = (headers: string): string => `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${headers}\r\n\r\n`
const partOfBody = `${head('content-length: 100')}{"id":`
const endpoint = (signal?: AbortSignal) => new RestEndpoint({ urlPrefix: origin, path: '/x', schema: User, ...(signal && { signal }) })

/** A failure of the transport: no status, a cause, soft. */
async function assertTransport(address: string, promise: Promise<unknown>): Promise<Error> {
  const error = await rejected(promise, NetworkError, `GET ${address}/x`)
  assert.is(error['status'], undefined)
  assert.ok(error.cause, 'has a cause')
  assert.is(endpoint().errorPolicy(error), 'soft')
  return error.cause as Error
}

test('refused', async () => {
  const address = await deserted()
  const cause = await assertTransport(address, new RestEndpoint({ urlPrefix: address, path: '/x' })())
  assert.is((cause.cause as { code: string }).code, 'ECONNREFUSED')
})

for (const [title, fault] of [
  ['reset before the headers', (socket) => void socket.resetAndDestroy()],
  ['closed before the headers', (socket) => void socket.end()],
  ['no HTTP at all', (socket) => void socket.end('SSH-2.0-x\r\n')],
  ['reset in the middle of the body', (socket) => void socket.write(partOfBody, () => setTimeout(() => socket.resetAndDestroy(), 5))],
  ['a body shorter than its content-length', (socket) => void socket.end(`${head('content-length: 100')}{"id":1}`)],
  ['a chunk that breaks off', (socket) => void socket.end(`${head('transfer-encoding: chunked')}50\r\n{"id":1}`)],
  // Closed, with the header that announces it: the next test would else ask on a connection that is just going, and get no answer at all.
  ['compression that is none', (socket) => void socket.end(`${head('connection: close\r\ncontent-encoding: gzip\r\ncontent-length: 8')}{"id":1}`)],
] as [string, (socket: Socket) => void][]) {
  test(title, async () => {
    act = fault
    await assertTransport(origin, endpoint()())
  })
}

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

const stall = (socket: Socket): void => void socket.write(partOfBody)

test('headers, then silence, ended by a deadline', async () => {
  act = stall
  const { cause } = await rejected(endpoint(AbortSignal.timeout(30))(), TimeoutError)
  assert.ok(cause)
})

test('a deadline of the one who runs it, in his own words', async () => {
  act = stall
  for (const reason of [new TimeoutError('30 s are over'), new ResetError(), new AbortError('left')]) {
    const abort = new AbortController()
    setTimeout(() => abort.abort(reason), 10)
    assert.is(await rejected(endpoint(abort.signal)()), reason)
  }
})

for (const [when, prepare, options] of [
  ['before it is sent', stall, {}],
  ['before the headers', () => {}, {}],
  ['between headers and body', stall, {}],
  ['while an override reads the body', stall, { parseResponse: (response: Response) => response.json() }],
  ['while the body of an error is read', (socket: Socket) => void socket.write('HTTP/1.1 500 No\r\ncontent-length: 100\r\n\r\n{'), {}],
] as const) {
  test(`aborted ${when}`, async () => {
    act = prepare
    for (const reason of [undefined, 'gone']) {
      const abort = new AbortController()
      if (when === 'before it is sent') abort.abort(reason)
      else setTimeout(() => abort.abort(reason), 10)
      const error = await rejected(endpoint(abort.signal).extend(options)(), AbortError)
      assert.instance(error, PatchcordError)
      assert.is(error.name, 'AbortError')
      if (reason !== undefined) assert.is(error.cause, reason)
      abort.abort()
    }
  })
}

test('an abort after the answer changes nothing', async () => {
  act = (socket) => socket.end(`${head('content-length: 8')}{"id":1}`)
  const abort = new AbortController()
  const answered = endpoint(abort.signal)()
  await answered
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
