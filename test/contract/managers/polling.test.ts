import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, Endpoint, RestEndpoint, subscribe } from '../../../src/index.ts'
import type { AnyEndpoint, FetchAction, Manager, PollingHost } from '../../../src/index.ts'
import { createClock, mockFetch } from '../../../src/testing/index.ts'
import { createWorld, pass, settle, type World } from './world.ts'

const test = suite('polling')

interface Setting extends World {
  /** What was asked of the host, and when. */
  readonly asked: (readonly [verb: string, at: number, key: string])[]
  /** Settles the oldest request that is under way. */
  readonly answers: { resolve(value: never): void; reject(error: Error): void }[]
  subscribe(endpoint: AnyEndpoint): () => void
  reset(): void
  stop(): void
}

/** Every request is answered at once; with `isDelayed`, by the test. */
function set({ isDelayed = false } = {}): Setting {
  const asked: (readonly [string, number, string])[] = []
  const answers: Setting['answers'] = []
  const verb = (name: string) => (endpoint: AnyEndpoint, ...args: readonly unknown[]): Promise<never> => {
    const key = endpoint.key(...(args as unknown[]))
    asked.push([name, world.clock.now(), key])
    polling?.action?.({ type: 'fetch', key } as FetchAction)
    return new Promise((resolve, reject) => (isDelayed ? void answers.push({ resolve, reject }) : resolve(undefined as never)))
  }
  const world = createWorld({ fetch: verb('fetch'), fetchIfStale: verb('fetchIfStale') })
  let polling: Manager | undefined
  const manager = <M extends Manager>(make: () => M): M => {
    if (polling === undefined) (polling = make()).start?.(world.host)
    return polling as M
  }
  const host: PollingHost = { ...world.host, manager }
  return {
    ...world, asked, answers,
    subscribe: endpoint => subscribe(host, endpoint),
    reset: () => void polling?.action?.({ type: 'reset' }),
    stop: () => polling?.stop?.(),
  }
}

const every = (pollFrequency: number | undefined, name = 'news'): AnyEndpoint =>
  new Endpoint(async () => 1, { name, ...(pollFrequency !== undefined && { pollFrequency }) })
const times = ({ asked }: Setting): number[] => asked.map(([, at]) => at)

test('fetches at once what is stale, then at every interval after the last was over', async () => {
  const setting = set()
  setting.subscribe(every(1000))
  await pass(setting.clock, 3500)
  assert.equal(setting.asked, [['fetchIfStale', 0, 'news []'], ['fetch', 1000, 'news []'], ['fetch', 2000, 'news []'], ['fetch', 3000, 'news []']])
  setting.stop()
  assert.is(setting.clock.pending, 0)
})

test('leaves endpoints without an interval alone', async () => {
  const setting = set()
  const intervals = [undefined, 0, -1, Number.NaN]
  const ends = intervals.map(interval => setting.subscribe(every(interval)))
  await pass(setting.clock, 5000, 500)
  for (const end of ends) end()
  assert.equal(setting.asked, [])
})

test('counts per key: one poll for all, until the last has left', async () => {
  const setting = set()
  const [first, second, third] = [1, 2, 3].map(() => setting.subscribe(every(1000)))
  await pass(setting.clock, 1500)
  assert.is(setting.asked.length, 2)
  first!()
  second!()
  second!()
  await pass(setting.clock, 1000)
  assert.is(setting.asked.length, 3, 'who leaves twice takes nobody with him')
  third!()
  assert.is(setting.clock.pending, 0)
  await pass(setting.clock, 5000, 500)
  assert.is(setting.asked.length, 3)
  third!()
  setting.subscribe(every(1000))
  await pass(setting.clock, 1500)
  assert.is(setting.asked.length, 5, 'one too many has not been counted')
})

test('who leaves is who came: the one who stays is polled for, by its own endpoint', async () => {
  const clock = createClock()
  const controller = new Controller({ clock })
  const sent: string[] = []
  const [full, brief] = ['full', 'brief'].map(name => new Endpoint(async () => sent.push(name), { name: 'news', pollFrequency: 1000 }))
  subscribe(controller, full!)
  subscribe(controller, brief!)()
  await pass(clock, 2500)
  assert.equal(sent, ['full', 'full', 'full'])
  controller.dispose()
})

test('each key has its own', async () => {
  const setting = set()
  setting.subscribe(every(1000, 'a'))
  setting.subscribe(every(400, 'b'))
  await pass(setting.clock, 1000)
  assert.equal(setting.asked.map(([, , key]) => key), ['a []', 'b []', 'b []', 'b []', 'a []'])
})

test('takes the smallest interval, as long as its subscriber is there', async () => {
  const setting = set()
  setting.subscribe(every(10_000))
  await pass(setting.clock, 1000)
  const leave = setting.subscribe(every(500))
  await pass(setting.clock, 1000)
  assert.equal(times(setting), [0, 1000, 1500, 2000])
  leave()
  await pass(setting.clock, 12_000)
  assert.equal(times(setting), [0, 1000, 1500, 2000, 12_000])
})

test('never two at once: the interval begins when the last is over', async () => {
  const setting = set({ isDelayed: true })
  setting.subscribe(every(1000))
  await pass(setting.clock, 5000)
  assert.is(setting.asked.length, 1)
  setting.subscribe(every(100))
  await pass(setting.clock, 1000)
  assert.is(setting.asked.length, 1)
  setting.answers[0]!.resolve(undefined as never)
  await settle()
  await pass(setting.clock, 100)
  assert.is(setting.asked.length, 2)
})

test('an error does not end it', async () => {
  const setting = set({ isDelayed: true })
  setting.subscribe(every(1000))
  for (let n = 0; n < 3; n++) {
    await pass(setting.clock, 1000)
    setting.answers[n]!.reject(new Error('no'))
    await settle()
  }
  await pass(setting.clock, 1000)
  assert.is(setting.asked.length, 4)
})

test('a server that asks to be left alone is, as long as it says, and no longer than 30 seconds', async () => {
  for (const [seconds, expected] of [['5', [0, 5000]], ['120', [0, 30_000]], ['1', [0, 2000]], ['soon', [0, 2000]]] as const) {
    const clock = createClock(1_700_000_000_000)
    const asked: number[] = []
    const fetch = mockFetch({ 'GET /news': [() => (asked.push(clock.now()), { status: 429, headers: { 'retry-after': seconds } }), () => (asked.push(clock.now()), { body: 1 })] })
    const controller = new Controller({ clock, fetch, retry: { attempts: 1 } })
    const news = new RestEndpoint({ path: '/news', pollFrequency: 2000 })
    subscribe(controller, news)
    await pass(clock, expected[1] + 1000, 500)
    assert.equal(asked, expected)
    await pass(clock, 1000, 500)
    assert.is(asked[2], expected[1] + 2000, 'once it has answered the interval is what it was')
    controller.dispose()
  }
})

for (const away of [{ online: false }, { visible: false }]) {
  const back = { online: true, visible: true }
  test(`stands still while ${JSON.stringify(away)}, and catches up at once`, async () => {
    const setting = set()
    setting.subscribe(every(1000))
    await pass(setting.clock, 500)
    setting.platform.set(away)
    await pass(setting.clock, 10_000)
    assert.equal(times(setting), [0])
    setting.platform.set(back)
    await settle()
    assert.equal(times(setting), [0, 10_500])
    await pass(setting.clock, 1000)
    assert.equal(times(setting), [0, 10_500, 11_500])
  })

  test(`a short absence (${JSON.stringify(away)}) changes nothing`, async () => {
    const setting = set()
    setting.subscribe(every(1000))
    await pass(setting.clock, 500)
    setting.platform.set(away)
    await pass(setting.clock, 300)
    setting.platform.set(back)
    await pass(setting.clock, 500)
    assert.equal(times(setting), [0, 1000])
  })
}

test('coming back does not start a second one beside one that is under way', async () => {
  const setting = set({ isDelayed: true })
  setting.subscribe(every(1000))
  await pass(setting.clock, 500)
  setting.platform.set({ visible: false })
  setting.platform.set({ visible: true })
  await pass(setting.clock, 3000)
  assert.is(setting.asked.length, 1)
})

test('a reset keeps the subscription and forgets the request under way', async () => {
  const setting = set({ isDelayed: true })
  setting.subscribe(every(1000))
  await pass(setting.clock, 500)
  setting.reset()
  await pass(setting.clock, 900)
  assert.is(setting.asked.length, 1, 'not at once: what is fetched may be why there was a reset')
  await pass(setting.clock, 100)
  assert.is(setting.asked.length, 2)
  // The old one is nobody's: its end does not begin another interval.
  setting.answers[0]!.reject(new Error('reset'))
  await pass(setting.clock, 3000)
  assert.is(setting.asked.length, 2)
})

test('who leaves while it is fetched, and comes back, has one poll', async () => {
  const setting = set({ isDelayed: true })
  const leave = setting.subscribe(every(1000))
  await pass(setting.clock, 500)
  leave()
  setting.subscribe(every(1000))
  await pass(setting.clock, 500)
  for (const { resolve } of setting.answers) resolve(undefined as never)
  await settle()
  await pass(setting.clock, 1000)
  assert.equal(setting.asked.map(([verb]) => verb), ['fetchIfStale', 'fetchIfStale', 'fetch'])
})

test('stopped: no timer, no listener, and what was under way begins nothing', async () => {
  const setting = set({ isDelayed: true })
  setting.subscribe(every(1000, 'a'))
  await pass(setting.clock, 500)
  setting.subscribe(every(1000, 'b'))
  setting.stop()
  assert.is(setting.clock.pending, 0)
  assert.is(setting.platform.watchers, 0)
  setting.answers[0]!.resolve(undefined as never)
  await settle()
  assert.is(setting.clock.pending, 0)
  await pass(setting.clock, 5000, 500)
  assert.equal(setting.asked.map(([, at]) => at), [0, 500])
})

for (const interval of [5000, 9999]) {
  test(`a clock that is advanced by ${interval} runs a poll of 5,000 that was just subscribed`, async () => {
    const clock = createClock()
    const fetch = mockFetch({ 'GET /news': { body: 1 } })
    const controller = new Controller({ clock, fetch })
    const news = new RestEndpoint({ path: '/news', pollFrequency: 5000 })
    // A page takes its time to read a body.
    const answered = async (): Promise<void> => {
      do await settle()
      while (controller.isFetching(news))
    }
    await controller.fetch(news)
    subscribe(controller, news)
    clock.advance(interval)
    await answered()
    assert.is(fetch.calls.length, 2)
    clock.advance(4999)
    await answered()
    assert.is(fetch.calls.length, 2)
    clock.advance(1)
    await answered()
    assert.is(fetch.calls.length, 3)
    controller.dispose()
  })
}

test('an interval that ends while the first request is in flight sends no second one', async () => {
  const clock = createClock()
  const fetch = mockFetch({ 'GET /news': { body: 1, delay: 7000 } }, { clock })
  const controller = new Controller({ clock, fetch })
  subscribe(controller, new RestEndpoint({ path: '/news', pollFrequency: 5000 }))
  await pass(clock, 11_900)
  assert.is(fetch.calls.length, 1)
  await pass(clock, 200)
  assert.is(fetch.calls.length, 2)
  controller.dispose()
})

test.run()
