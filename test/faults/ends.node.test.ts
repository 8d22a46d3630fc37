import { getEventListeners } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AbortError, Controller, Endpoint, NetworkError, ResetError, RestEndpoint, TimeoutError } from '../../src/index.ts'
import { rejected, unhandledIn } from '../support/caught.ts'
import { deserted } from '../support/listening.ts'
import { pause, until } from '../support/waiting.ts'
import { Item, serveFaults } from './server.ts'
import { steadyClock } from './steadyClock.ts'
import type { Step } from './steps.ts'

const test = suite('how requests end')
const server = await serveFaults()
const unhandled = unhandledIn(test)
test.after(() => server.close())

const getItem = (signal?: AbortSignal) => new RestEndpoint({ urlPrefix: server.url, path: '/items/:id', schema: Item, ...(signal && { signal }) })
const { gc } = globalThis as { gc?: () => void }

test('every promise is settled within its deadline, over headers and body', async () => {
  const clock = steadyClock()
  const controller = new Controller({ clock, timeout: 200, retry: false })
  for (const step of ['stall before headers', 'stall in the body'] as const) {
    for (let n = 0; n < 3; n++) {
      server.scripts.set('late', [step])
      const start = clock.now()
      assert.instance(await rejected(controller.fetch(getItem(), { id: 'late' })), TimeoutError)
      const took = clock.now() - start
      assert.ok(took >= 200 && took <= 300, `${step}: ${took}`)
    }
  }
  controller.dispose()
  clock.stop()
})

const stalls: readonly Step[] = ['stall before headers', 'stall in the body']
const endings = [
  ['abort', (controller: Controller) => controller.abort(getItem(), { id: 'x' }), AbortError],
  ['its signal', (_: Controller, own: AbortController) => own.abort(), AbortError],
  ['reset', (controller: Controller) => controller.reset(), ResetError],
  ['dispose', (controller: Controller) => controller.dispose(), AbortError],
] as const
for (const step of stalls) {
  for (const [how, end, expected] of endings) {
    test(`ended by ${how}, ${step}: at once, at the server too, and nothing is written or left`, async () => {
      server.scripts.set('x', [step])
      const controller = new Controller()
      const own = new AbortController()
      const before = controller.snapshot()
      const { requests, cut } = server.counts
      const promise = rejected(controller.fetch(getItem(own.signal), { id: 'x' }))
      await until(() => server.counts.requests > requests)
      await pause(20)
      end(controller, own)
      assert.instance(await promise, expected)
      end(controller, own)
      own.abort()
      await until(() => server.counts.cut > cut)
      assert.is(getEventListeners(own.signal, 'abort').length, 0)
      if (how !== 'reset') assert.is(controller.snapshot(), before)
      controller.dispose()
    })
  }
}

/** A test of one controller, which is disposed of at its end, and of somebody who may leave. */
const alone = (title: string, play: (controller: Controller, own: AbortController) => Promise<void>): void =>
  test(title, async () => {
    const controller = new Controller()
    await play(controller, new AbortController())
    controller.dispose()
  })

alone('ended after the body has come, before it is in the store', async (controller, own) => {
  const endpoint = getItem(own.signal).extend({ process: (value: unknown) => (own.abort(), value) })
  assert.instance(await rejected(controller.fetch(endpoint, { id: 'y' })), AbortError)
  assert.is(controller.get(Item, { id: 'y' }), undefined)
})

alone('ended after it is in the store: nothing', async (controller, own) => {
  const promise = controller.fetch(getItem(own.signal), { id: 'z' })
  await promise
  own.abort()
  controller.abort(getItem(), { id: 'z' })
  assert.is((await promise)?.text, 'from the server')
  assert.is(controller.get(Item, { id: 'z' })?.text, 'from the server')
})

alone('of two who share a request one leaves; the other is served, and it was one request', async (controller, own) => {
  server.scripts.set('two', ['slow'])
  const leaving = rejected(controller.fetch(getItem(own.signal), { id: 'two' }))
  const staying = controller.fetch(getItem(), { id: 'two' })
  own.abort()
  assert.instance(await leaving, AbortError)
  assert.is((await staying)?.text, 'from the server')
  assert.equal(server.log.get('GET two'), ['slow'])
})

alone('401 once, then well: surfaced, not tried again by itself, and the next call is a new one', async (controller) => {
  server.scripts.set('auth', ['401'])
  assert.is((await rejected<NetworkError>(controller.fetch(getItem(), { id: 'auth' }))).status, 401)
  await pause(20)
  assert.equal(server.log.get('GET auth'), ['401'])
  assert.is((await controller.fetch(getItem(), { id: 'auth' }))?.text, 'from the server')
})

alone('one signal, used a thousand times, has no listener afterwards', async (controller, { signal }) => {
  const quick = new Endpoint(async (id: number) => id, { name: 'quick', signal })
  for (let n = 0; n < 1000; n++) await controller.fetch(quick, n)
  assert.is(getEventListeners(signal, 'abort').length, 0)
})

const nowhere: readonly (readonly [title: string, address: () => Promise<string>])[] = [
  ['refused: a failure of the transport, tried three times, and no data is lost', deserted],
  // No such name can exist (RFC 2606).
  ['a host that nobody knows is a NetworkError, asked for as often as any, and what was on screen stays', async () => 'http://nobody.invalid'],
]
for (const [title, address] of nowhere) {
  test(title, async () => {
    const urlPrefix = await address()
    let sent = 0
    const controller = new Controller({ retry: { attempts: 3, base: 1, cap: 2 }, fetch: (input, init) => (sent++, fetch(input, init)) })
    const read = new RestEndpoint({ urlPrefix, path: '/items/:id', schema: Item })
    const create = new RestEndpoint({ urlPrefix, path: '/items', method: 'POST', schema: Item })
    controller.setResponse(read, { id: 'a' }, { id: 'a', text: 'there' })
    // What waits for another attempt does not keep the process alive.
    const hold = setTimeout(() => {}, 10_000)
    const error = await rejected<NetworkError>(controller.fetch(read, { id: 'a' }))
    assert.instance(error, NetworkError)
    assert.equal([error.status, sent, controller.getResponse(read, { id: 'a' }).data?.text], [undefined, 3, 'there'])
    assert.is(controller.getError(read, { id: 'a' }), error)
    assert.instance(await rejected(controller.fetch(create, { id: 'b' })), NetworkError)
    assert.is(sent, 4)
    clearTimeout(hold)
    controller.dispose()
  })
}

test('ten thousand requests that never answer, and are aborted or reset: nothing of them is left', async () => {
  const never = new Endpoint((id: number) => new Promise<never>(() => void id), { name: 'never' })
  const change = never.extend({ name: 'change', sideEffect: true })
  const controller = new Controller()
  const round = async (): Promise<number> => {
    const own = new AbortController()
    const promises: Promise<unknown>[] = []
    for (let n = 0; n < 5000; n++) {
      const endpoint = n % 10 === 0 ? change : never
      promises.push(controller.fetch(endpoint.extend({ signal: own.signal }), n), controller.fetch(endpoint, -n - 1))
    }
    // Node warns of a leak when there are more than ten.
    assert.is(getEventListeners(own.signal, 'abort').length, 1)
    own.abort()
    controller.reset()
    const errors = await Promise.all(promises.map(each => rejected(each)))
    assert.equal(['AbortError', 'ResetError'].map((name) => errors.filter((error) => error.name === name).length), [5000, 5000])
    assert.is(getEventListeners(own.signal, 'abort').length, 0)
    await pause()
    gc?.()
    return process.memoryUsage().heapUsed
  }
  await round()
  const before = await round()
  const after = await round()
  if (gc) assert.ok(after - before < 1_000_000, `${after - before} bytes are left of 10,000 requests`)
  controller.dispose()
})

test('nothing of this suite has left a rejection unhandled', async () => {
  await pause(20)
  assert.equal(unhandled, [])
})

test.run()
