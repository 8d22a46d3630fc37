import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, Endpoint, RestEndpoint, subscribe } from '../../../src/index.ts'
import type { AnyEndpoint, FetchAction, Manager, PollingHost } from '../../../src/index.ts'
import { createClock, mockFetch } from '../../../src/testing/index.ts'
import { createWorld, pass, settle } from './world.ts'

const test = suite('polling')

/** Every request is answered at once; with `isDelayed`, by the test. */
function set({ isDelayed = false } = {}) {
  /** What was asked of the host, and when. */
  const asked: (readonly [verb: string, at: number, key: string])[] = []
  /** What settles each request, the oldest first. */
  const answers: { resolve(): void; reject(error: Error): void }[] = []
  const verb = (name: string) => (endpoint: AnyEndpoint, ...args: readonly unknown[]): Promise<never> => {
    const key = endpoint.key(...(args as unknown[]))
    asked.push([name, world.clock.now(), key])
    polling?.action?.({ type: 'fetch', key } as FetchAction)
    return new Promise((resolve, reject) => (isDelayed ? void answers.push({ resolve: resolve as () => void, reject }) : resolve(undefined as never)))
  }
  const world = createWorld({ fetch: verb('fetch'), fetchIfStale: verb('fetchIfStale') })
  const { clock, platform } = world
  let polling: Manager | undefined
  const manager = <M extends Manager>(make: () => M): M => {
    if (polling === undefined) (polling = make()).start?.(world.host)
    return polling as M
  }
  const host: PollingHost = { ...world.host, manager }
  return {
    ...{ clock, platform, asked, answers },
    times: (): number[] => asked.map(([, at]) => at),
    subscribe: (endpoint: AnyEndpoint) => subscribe(host, endpoint),
    wait: (ms: number) => pass(clock, ms),
    reset: () => void polling?.action?.({ type: 'reset' }),
    stop: () => polling?.stop?.(),
  }
}

const every = (pollFrequency: number | undefined, name = 'news'): AnyEndpoint =>
  new Endpoint(async () => 1, { name, ...(pollFrequency !== undefined && { pollFrequency }) })

test('fetches at once what is stale, then at every interval after the last was over', async () => {
  const { clock, asked, subscribe, wait, stop } = set()
  subscribe(every(1000))
  await wait(3500)
  assert.equal(asked, [['fetchIfStale', 0, 'news []'], ['fetch', 1000, 'news []'], ['fetch', 2000, 'news []'], ['fetch', 3000, 'news []']])
  stop()
  assert.is(clock.pending, 0)
})

test('leaves endpoints without an interval alone', async () => {
  const { asked, subscribe, wait } = set()
  const ends = [undefined, 0, -1, Number.NaN].map(interval => subscribe(every(interval)))
  await wait(5000)
  for (const end of ends) end()
  assert.equal(asked, [])
})

test('counts per key: one poll for all, until the last has left', async () => {
  const { clock, asked, subscribe, wait } = set()
  const [first, second, third] = [1, 2, 3].map(() => subscribe(every(1000)))
  await wait(1500)
  assert.is(asked.length, 2)
  for (const leave of [first, second, second]) leave!()
  await wait(1000)
  assert.is(asked.length, 3, 'who leaves twice takes nobody with him')
  third!()
  assert.is(clock.pending, 0)
  await wait(5000)
  assert.is(asked.length, 3)
  third!()
  subscribe(every(1000))
  await wait(1500)
  assert.is(asked.length, 5, 'one too many has not been counted')
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
  const { asked, subscribe, wait } = set()
  subscribe(every(1000, 'a'))
  subscribe(every(400, 'b'))
  await wait(1000)
  assert.equal(asked.map(([, , key]) => key), ['a []', 'b []', 'b []', 'b []', 'a []'])
})

test('takes the smallest interval, as long as its subscriber is there', async () => {
  const { times, subscribe, wait } = set()
  subscribe(every(10_000))
  await wait(1000)
  const leave = subscribe(every(500))
  await wait(1000)
  assert.equal(times(), [0, 1000, 1500, 2000])
  leave()
  await wait(12_000)
  assert.equal(times(), [0, 1000, 1500, 2000, 12_000])
})

test('never two at once: the interval begins when the last is over', async () => {
  const { times, answers, platform, subscribe, wait } = set({ isDelayed: true })
  subscribe(every(1000))
  await wait(5000)
  subscribe(every(100))
  // Nor does coming back start a second one.
  for (const visible of [false, true]) platform.set({ visible })
  await wait(1000)
  assert.equal(times(), [0])
  answers[0]!.resolve()
  await settle()
  await wait(100)
  assert.equal(times(), [0, 6100])
})

test('an error does not end it', async () => {
  const { times, answers, subscribe, wait } = set({ isDelayed: true })
  subscribe(every(1000))
  for (let n = 0; n < 3; n++) {
    await wait(1000)
    answers[n]!.reject(new Error('no'))
    await settle()
  }
  await wait(1000)
  assert.is(times().length, 4)
})

for (const [seconds, until] of [['5', 5000], ['120', 30_000], ['1', 2000], ['soon', 2000]] as const) {
  test(`a server that asks to be left alone is, as long as it says, and no longer than 30 seconds (Retry-After: ${seconds})`, async () => {
    const clock = createClock(1_700_000_000_000)
    const asked: number[] = []
    const answer = (fixture: object) => () => (asked.push(clock.now()), fixture)
    const fetch = mockFetch({ 'GET /news': [answer({ status: 429, headers: { 'retry-after': seconds } }), answer({ body: 1 })] })
    const controller = new Controller({ clock, fetch, retry: { attempts: 1 } })
    subscribe(controller, new RestEndpoint({ path: '/news', pollFrequency: 2000 }))
    await pass(clock, until + 2000, 500)
    assert.equal(asked, [0, until, until + 2000], 'once it has answered the interval is what it was')
    controller.dispose()
  })
}

for (const away of [{ online: false }, { visible: false }]) {
  for (const [title, absence, expected] of [
    [`stands still while ${JSON.stringify(away)}, and catches up at once`, 10_000, [0, 10_500, 11_500]],
    [`a short absence (${JSON.stringify(away)}) changes nothing`, 300, [0, 1000]],
  ] as const) {
    test(title, async () => {
      const { times, platform, subscribe, wait } = set()
      subscribe(every(1000))
      await wait(500)
      platform.set(away)
      await wait(absence)
      assert.equal(times(), [0])
      platform.set({ online: true, visible: true })
      await wait(1000)
      assert.equal(times(), expected)
    })
  }
}

test('a reset keeps the subscription and forgets the request under way', async () => {
  const { times, answers, subscribe, wait, reset } = set({ isDelayed: true })
  subscribe(every(1000))
  await wait(500)
  reset()
  await wait(1000)
  assert.equal(times(), [0, 1500], 'not at once: what is fetched may be why there was a reset')
  // The old one is nobody's: its end does not begin another interval.
  answers[0]!.reject(new Error('reset'))
  await wait(3000)
  assert.equal(times(), [0, 1500])
})

test('who leaves while it is fetched, and comes back, has one poll', async () => {
  const { asked, answers, subscribe, wait } = set({ isDelayed: true })
  const leave = subscribe(every(1000))
  await wait(500)
  leave()
  subscribe(every(1000))
  await wait(500)
  for (const { resolve } of answers) resolve()
  await settle()
  await wait(1000)
  assert.equal(asked.map(([verb]) => verb), ['fetchIfStale', 'fetchIfStale', 'fetch'])
})

test('stopped: no timer, no listener, and what was under way begins nothing', async () => {
  const { clock, platform, times, answers, subscribe, wait, stop } = set({ isDelayed: true })
  subscribe(every(1000, 'a'))
  await wait(500)
  subscribe(every(1000, 'b'))
  stop()
  assert.equal([clock.pending, platform.watchers], [0, 0])
  answers[0]!.resolve()
  await settle()
  assert.is(clock.pending, 0)
  await wait(5000)
  assert.equal(times(), [0, 500])
})

for (const interval of [5000, 9999]) {
  test(`a clock that is advanced by ${interval} runs a poll of 5,000 that was just subscribed`, async () => {
    const clock = createClock()
    const fetch = mockFetch({ 'GET /news': { body: 1 } })
    const controller = new Controller({ clock, fetch })
    const news = new RestEndpoint({ path: '/news', pollFrequency: 5000 })
    await controller.fetch(news)
    subscribe(controller, news)
    for (const [ms, sent] of [[interval, 2], [4999, 2], [1, 3]] as const) {
      clock.advance(ms)
      // A page takes its time to read a body.
      do await settle()
      while (controller.isFetching(news))
      assert.is(fetch.calls.length, sent)
    }
    controller.dispose()
  })
}

test.run()
