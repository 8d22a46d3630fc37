import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createNetwork, createResource, Endpoint, RestEndpoint } from '../../../src/index.ts'
import { AbortError, NetworkError, ResetError, TimeoutError } from '../../../src/index.ts'
import type { AnyEndpoint, NetworkOptions } from '../../../src/index.ts'
import { mockFetch, type MockRoutes } from '../../../src/testing/index.ts'
import { Todo } from '../../support/todo.ts'
import { rejected } from '../../support/caught.ts'
import { ask, createWorld, pass, settle, type Asked } from './world.ts'

const test = suite('the network manager')

const never = (): Promise<never> => new Promise(() => {})
const hang = { 'GET /hang': never, 'PUT /hang': never, 'PUT /a': { body: 1 } }

/** Chance is a half: waits are three quarters of their upper bound. */
function set(routes: MockRoutes = {}, options: NetworkOptions = {}) {
  const world = createWorld()
  const fetch = mockFetch(routes, { clock: world.clock })
  const network = createNetwork({ fetch, random: () => 0.5, ...options })
  network.start?.(world.host)
  /** All that was asked for. */
  const asked: Asked[] = []
  const request = (method: string, path: string, more?: Parameters<typeof ask>[2]): Asked => {
    asked.push(ask(network, new RestEndpoint({ method, path }) as unknown as AnyEndpoint, more))
    return asked.at(-1)!
  }
  /** The paths that were sent, in their order. */
  const sent = (): string[] => fetch.calls.map(({ url }) => url)
  return { ...world, network, fetch, asked, request, sent }
}
type Setting = ReturnType<typeof set>

/** An endpoint that is answered by the test: `going` has the answers that are awaited, by argument. */
function byHand(): { going: Map<unknown, (value: unknown) => void>; endpoint: AnyEndpoint } {
  const going = new Map<unknown, (value: unknown) => void>()
  const endpoint = new Endpoint((name: unknown) => new Promise(resolve => void going.set(name, resolve)), { name: 'n', sideEffect: true })
  return { going, endpoint: endpoint as unknown as AnyEndpoint }
}

/** The rest of an action that is dispatched by hand. */
const base = { type: 'fetch', key: 'a', signal: new AbortController().signal, outcome: never(), fail() {} } as const

test('answers once, and leaves no timer and no listener', async () => {
  const { request, clock, fetch } = set({ 'GET /a': { body: { id: 1 } } })
  const asked = request('GET', '/a')
  assert.equal(await asked.promise, { id: 1 })
  assert.equal([clock.pending, fetch.calls.length], [0, 1])
  asked.abort.abort()
  assert.is(asked.outcomes.length, 1)
})

test('leaves actions that are no requests to others', () => assert.is(set().network.action?.({ type: 'reset' }), undefined))

const long = { attempts: 5, base: 100, cap: 300 }
const schedules: [title: string, options: NetworkOptions, sent: number[]][] = [
  ['sends three times, later and later, and fails with the last error', {}, [0, 375, 1125]],
  ['no wait is longer than the cap, and chance spreads it over its upper half: at least', { retry: long, random: () => 0 }, [0, 50, 150, 300, 450]],
  ['no wait is longer than the cap, and chance spreads it over its upper half: at most', { retry: long, random: () => 1 }, [0, 100, 300, 600, 900]],
  ['never again with retry: false', { retry: false }, [0]],
]
for (const [title, options, expected] of schedules) {
  test(title, async () => {
    const { request, clock, fetch } = set({ 'GET /a': [...expected.slice(1).map(() => ({ status: 503 })), { status: 500 }] }, options)
    const asked = request('GET', '/a')
    const sent: number[] = []
    for (let ms = 0; ms <= 2000; ms += 25) {
      await settle()
      if (fetch.calls.length > sent.length) sent.push(clock.now())
      clock.advance(25)
    }
    assert.equal(sent, expected)
    assert.is((await rejected<NetworkError>(asked.promise)).status, 500)
    assert.equal([asked.outcomes.length, clock.pending], [1, 0])
  })
}

const failures: readonly (readonly [string, MockRoutes[string], boolean])[] = [
  ['a transport that fails', { error: new TypeError('fetch failed') }, true],
  ...[408, 429, 500, 503].map(status => [String(status), { status }, true] as const),
  ...[400, 401, 404, 409].map(status => [String(status), { status }, false] as const),
  ['JSON that is none', { body: '{', headers: { 'content-type': 'application/json' } }, false],
]
for (const [name, route, again] of failures) {
  test(`${name} is ${again ? '' : 'not '}tried again, where nothing is changed or twice comes to the same`, async () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'POST', 'PATCH']) {
      // A deletion of what is not there has succeeded, and HEAD has no body to be wrong.
      if ((method === 'DELETE' && name === '404') || (method === 'HEAD' && name.startsWith('JSON'))) continue
      const { request, clock, fetch } = set({ [`${method} /a`]: route })
      const asked = request(method, '/a')
      await pass(clock, 5000, 500)
      await rejected(asked.promise)
      assert.is(fetch.calls.length, again && method !== 'POST' && method !== 'PATCH' ? 3 : 1, method)
      assert.is(asked.outcomes.length, 1)
    }
  })
}

async function* chunks(): AsyncGenerator<string> {
  yield 'a'
}
const down = new NetworkError('down')
const restOf = (options: object) => () => new RestEndpoint({ path: '/a', ...options }) as unknown as AnyEndpoint
const custom = (sideEffect: boolean, error: Error) => (run: (error: Error) => never) =>
  new Endpoint(async () => run(error), { name: 'custom', sideEffect }) as AnyEndpoint
/** Endpoints over a server that answers 503, how often they are sent, and their body. */
const attempts: [title: string, ...(readonly [make: (run: (error: Error) => never) => AnyEndpoint, times: number, body?: unknown])[]][] = [
  ['what an endpoint says of itself counts more than its method',
    [restOf({ method: 'POST', sideEffect: false }), 3], [restOf({ method: 'GET', sideEffect: true }), 1], [restOf({ sideEffect: true }), 1]],
  ['an endpoint without HTTP is tried again when it has no side effect and says that the network failed',
    [custom(false, down), 3], [custom(true, down), 1], [custom(false, new TypeError('a mistake')), 1]],
  ['a stream can be sent once, so its first failure is what it comes to',
    [restOf({ method: 'PUT' }), 1, new Blob(['a']).stream()], [restOf({ method: 'PUT' }), 1, chunks()], [restOf({ method: 'PUT' }), 3, new Blob(['a'])]],
]
for (const [title, ...cases] of attempts) {
  test(title, async () => {
    for (const [make, times, body] of cases) {
      const errors: Error[] = []
      const { network, clock } = set({}, { fetch: async () => (errors.push(down), new Response('{}', { status: 503 })) })
      const endpoint = make(error => {
        errors.push(error)
        throw error
      })
      const asked = ask(network, endpoint, { args: body === undefined ? [] : [body] })
      await pass(clock, 5000, 500)
      assert.is(errors.length, times)
      assert.is((await rejected(asked.promise)).name, errors[0]!.name)
    }
  })
}

const date = 1_700_000_000_000
const http = (ms: number): string => new Date(ms).toUTCString()
const waits: readonly (readonly [string, number | 'rejects'])[] = [
  ['2', 2000],
  [http(date + 3000), 3000],
  ...['0', http(date - 60_000), '-1', 'soon', '', '1.5', 'Jan 1 2050', '1e12'].map(header => [header, 375] as const),
  ...['2050', '31', '1000000000000', http(date + 3_600_000)].map(header => [header, 'rejects'] as const),
]
for (const [header, wait] of waits) {
  test(`Retry-After: ${header || '(empty)'} ${wait === 'rejects' ? 'is too long: rejects at once, with the time' : `waits ${wait} ms`}`, async () => {
    const { request, clock, fetch } = set({ 'GET /a': [{ status: 429, headers: { 'retry-after': header } }, { body: 1 }] })
    const asked = request('GET', '/a')
    await settle()
    if (wait === 'rejects') {
      const { status, retryAt } = await rejected<NetworkError>(asked.promise)
      assert.equal([status, retryAt, clock.pending], [429, /^\d+$/.test(header) ? date + Number(header) * 1000 : Date.parse(header), 0])
      return
    }
    clock.advance(wait - 1)
    await settle()
    assert.is(fetch.calls.length, 1)
    clock.advance(1)
    assert.is(await asked.promise, 1)
  })
}

test('a deadline over an endpoint that ignores its signal', async () => {
  const { network, clock } = set({}, { timeout: 1000, retry: false })
  let signal: AbortSignal | undefined
  const endpoint = new Endpoint(
    function (this: { readonly signal?: AbortSignal }) {
      signal = this.signal
      return never()
    },
    { name: 'deaf' },
  )
  const asked = ask(network, endpoint)
  clock.advance(999)
  await settle()
  assert.is(asked.outcomes.length, 0)
  clock.advance(1)
  const error = await rejected(asked.promise, TimeoutError, 'deaf')
  assert.is(signal?.reason, error)
})

test('a deadline for each attempt, and an answer that comes too late is not heard', async () => {
  const late: ((value: unknown) => void)[] = []
  const { network, clock } = set({}, { timeout: 1000 })
  const asked = ask(network, new Endpoint(() => new Promise(resolve => void late.push(resolve)), { name: 'slow' }))
  await pass(clock, 1500, 25)
  assert.is(late.length, 2)
  late[0]!('late')
  await settle()
  assert.is(asked.outcomes.length, 0)
  late[1]!('in time')
  assert.is(await asked.promise, 'in time')
  assert.is(clock.pending, 0)
})

test('a limit at a time, first come, first served, and every end frees a slot', async () => {
  const { going, endpoint } = byHand()
  const { network } = set({}, { concurrency: 2 })
  const asked = [0, 1, 2, 3, 4, 5].map(n => ask(network, endpoint, { args: [n] }))
  assert.equal([...going.keys()], [0, 1])
  going.get(1)!('one')
  await settle()
  assert.equal([...going.keys()], [0, 1, 2])
  // One that waits leaves the line, one that goes makes room.
  asked[3]!.abort.abort()
  asked[0]!.abort.abort()
  assert.equal([...going.keys()], [0, 1, 2, 4])
  going.get(4)!('four')
  await settle()
  assert.equal([...going.keys()], [0, 1, 2, 4, 5])
})

test('sixteen at a time by default', async () => {
  const { request, fetch } = set(hang)
  for (let n = 0; n < 40; n++) request('GET', '/hang')
  await settle()
  assert.is(fetch.calls.length, 16)
})

test('a request that waits for another attempt frees its slot', async () => {
  const { request, clock, sent } = set({ 'GET /a': [{ status: 500 }, { body: 'a' }], 'GET /b': { body: 'b' } }, { concurrency: 1 })
  const a = request('GET', '/a')
  assert.is(await request('GET', '/b').promise, 'b')
  assert.is(a.outcomes.length, 0)
  await pass(clock, 500)
  assert.is(await a.promise, 'a')
  assert.equal(sent(), ['/a', '/b', '/a'])
})

test('a request that has freed its slot, and is aborted then, frees no other', async () => {
  const { request, sent } = set({ ...hang, 'GET /fails': { status: 500 } }, { concurrency: 1 })
  const asked = request('GET', '/fails')
  await settle()
  request('GET', '/hang')
  asked.abort.abort()
  request('GET', '/hang')
  await settle()
  assert.equal(sent(), ['/fails', '/hang'])
})

test('an abort reaches the request itself', async () => {
  const { request, fetch } = set(hang)
  const asked = request('GET', '/hang')
  await settle()
  asked.abort.abort()
  assert.is(fetch.calls[0]!.signal!.reason, asked.outcomes[0]!.error)
})

test('arguments are asked for when the request goes out, after the answer of the one before it', async () => {
  const { network } = set({}, { concurrency: 1 })
  let real: unknown = 'temporary'
  const create = new Endpoint(async () => 'real', { name: 'create', sideEffect: true })
  const echo = new Endpoint(async (id: unknown) => id, { name: 'echo', sideEffect: true }) as unknown as AnyEndpoint
  network.action?.({ ...base, endpoint: create, args: [], answer: value => (real = value) })
  const seen = await new Promise(answer => network.action?.({ ...base, endpoint: echo, get args() { return [real] }, answer }))
  assert.is(seen, 'real')
})

test('offline: the first attempt is made, the others wait for the network', async () => {
  const { request, clock, platform, fetch } = set({ 'GET /a': [{ error: new TypeError('offline') }, { body: 1 }] })
  platform.set({ online: false })
  const asked = request('GET', '/a')
  await pass(clock, 100_000, 10_000)
  assert.equal([fetch.calls.length, platform.watchers], [1, 1])
  platform.set({ visible: false })
  await settle()
  assert.is(fetch.calls.length, 1)
  platform.set({ online: true })
  assert.is(await asked.promise, 1)
  assert.equal([fetch.calls.length, platform.watchers], [2, 0])
})

const Todos = createResource({ path: '/todos/:id', schema: Todo, optimistic: true })
const calls: [verb: string, waits: boolean, call: (controller: Controller) => Promise<unknown>, visible: string[]][] = [
  ['update', true, controller => controller.fetch(Todos.update, { id: 1 }, { id: 1, title: 'new' }), ['new']],
  ['delete', true, controller => controller.fetch(Todos.delete, { id: 1 }), []],
  ['partialUpdate', false, controller => controller.fetch(Todos.partialUpdate, { id: 1 }, { title: 'new' }), ['new']],
  ['push', false, controller => controller.fetch(Todos.getList.push, { title: 'new' }), ['old', 'new']],
]
for (const [verb, waits, call, visible] of calls) {
  const outcome = waits ? 'waits for the network, and shows its layer until then' : 'fails with an error that says so, and its layer goes'
  test(`offline: ${verb} ${outcome}`, async () => {
    const { clock, platform } = createWorld()
    let sent = 0
    const fetch = async (): Promise<Response> => {
      sent++
      if (!platform.online()) throw new TypeError('Failed to fetch')
      return Response.json({ id: 1, title: 'new' })
    }
    const controller = new Controller({ clock, platform, fetch })
    controller.setResponse(Todos.getList, [{ id: 1, title: 'old' }])
    const shows = (titles: string[], requests: number): void =>
      assert.equal([controller.getResponse(Todos.getList).data!.map(({ title }) => title), sent], [titles, requests])
    platform.set({ online: false })
    const called = call(controller)
    shows(visible, 0)
    if (waits) {
      await pass(clock, 100_000, 10_000)
      shows(visible, 1)
      platform.set({ online: true })
      await called
      shows(visible, 2)
    } else {
      await rejected(called, NetworkError, 'offline')
      shows(['old'], 1)
    }
    controller.dispose()
  })
}

test('offline: a platform that tells whoever listens, also those who come meanwhile, comes to an end', async () => {
  const listeners = new Set<() => void>()
  const watch = (listener: () => void) => (listeners.add(listener), () => void listeners.delete(listener))
  const { host, clock } = createWorld({ platform: { online: () => false, visible: () => true, watch } })
  const network = createNetwork({ fetch: mockFetch({ 'GET /fails': { status: 503 } }) })
  network.start?.(host)
  ask(network, new RestEndpoint({ path: '/fails' }) as unknown as AnyEndpoint)
  await pass(clock, 1000)
  let reports = 0
  for (const listener of listeners) {
    listener()
    if (++reports > 100) break
  }
  assert.is(reports, 1)
})

const aborted = (): AbortController => {
  const abort = new AbortController()
  abort.abort()
  return abort
}
const moments: readonly (readonly [string, (setting: Setting) => Promise<Asked>])[] = [
  ['before it is sent', async ({ request }) => request('GET', '/hang', { abort: aborted() })],
  ['under way', async ({ request }) => request('GET', '/hang')],
  ['while it waits for a slot', async ({ request }) => (request('GET', '/hang'), request('GET', '/hang'))],
  ['while it waits for another attempt', async ({ request }) => request('GET', '/fails')],
  ['while it waits for the network', async ({ request, clock, platform }) => {
    platform.set({ online: false })
    const asked = request('GET', '/fails')
    await pass(clock, 1000)
    assert.is(platform.watchers, 1)
    return asked
  }],
]
const endings: readonly (readonly [string, (setting: Setting, asked: Asked) => void, new (message: string) => Error])[] = [
  ['aborted', (_, { abort }) => abort.abort(), AbortError],
  ['reset', (_, { abort }) => abort.abort(new ResetError()), ResetError],
  ['past the deadline of its caller', (_, { abort }) => abort.abort(new DOMException('too long', 'TimeoutError')), TimeoutError],
  ['disposed of', ({ asked }) => asked.reverse().forEach(({ abort }) => abort.abort(new AbortError('The controller was disposed of.'))), AbortError],
]
for (const [when, prepare] of moments) {
  for (const [how, end, expected] of endings) {
    if (when.startsWith('before') && how !== 'aborted') continue
    test(`${how} ${when}: fails at once, and leaves nothing`, async () => {
      const setting = set({ ...hang, 'GET /a': never, 'GET /fails': { status: 500 } }, { concurrency: 1, timeout: 1e9 })
      const asked = await prepare(setting)
      await settle()
      end(setting, asked)
      assert.is(asked.outcomes.length, 1)
      assert.instance(asked.outcomes[0]!.error, expected)
      for (const { abort } of setting.asked) abort.abort()
      await pass(setting.clock, 100_000, 10_000)
      assert.equal([asked.outcomes.length, setting.clock.pending, setting.platform.watchers, setting.reported], [1, 0, 0, []])
    })
  }
}

test('a caller who ends his request from inside of it gets one outcome, and no slot is lost', async () => {
  const { network } = set({}, { concurrency: 1 })
  const abort = new AbortController()
  const asked = ask(network, new Endpoint(() => (abort.abort(), never()), { name: 'suicidal' }), { abort })
  assert.instance(await rejected(asked.promise), AbortError)
  assert.is(asked.outcomes.length, 1)
  assert.is(await ask(network, new Endpoint(async () => 1, { name: 'next' })).promise, 1)
})

test('an answer that cannot be taken is reported, and no slot is lost', async () => {
  const { network, reported } = set({}, { concurrency: 1 })
  const endpoint = new Endpoint(async () => 1, { name: 'a' })
  const error = new Error('not taken')
  const answer = (): never => { throw error }
  network.action?.({ ...base, endpoint, args: [], answer })
  assert.is(await ask(network, endpoint).promise, 1)
  assert.equal(reported, [error])
})

const hidden = {
  get status(): never {
    throw new Error('hidden')
  },
}
const partial = new NetworkError('busy', { status: 503, response: { status: 503, headers: undefined } as unknown as Response })
for (const [title, reason, expected] of [
  ['what throws at once is a failure like any other', new Error('no'), 'Error: no'],
  ['a failure that cannot be looked into is one all the same: its status', hidden, 'Error: hidden'],
  ['a failure that cannot be looked into is one all the same: its headers', partial, 'NetworkError: busy'],
] as const) {
  test(title, async () => {
    const { network, reported, clock } = set({}, { concurrency: 1 })
    const fails = (): Promise<never> => { throw reason }
    const { outcomes } = ask(network, new Endpoint(fails, { name: 'fails' }))
    await pass(clock, 2000)
    assert.equal([outcomes.map(({ error }) => String(error)), reported, clock.pending], [[expected], [], 0])
  })
}

test.run()
