import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AbortError, Controller, createNetwork, createResource, Endpoint, Entity, NetworkError, ResetError, RestEndpoint, TimeoutError } from '../../../src/index.ts'
import type { AnyEndpoint, Manager, NetworkOptions } from '../../../src/index.ts'
import { mockFetch, type MockFetch, type MockRoutes } from '../../../src/testing/index.ts'
import { ask, createWorld, pass, rejection, settle, type Asked, type World } from './world.ts'

const test = suite('the network manager')

interface Setting extends World {
  readonly network: Manager
  readonly fetch: MockFetch
  /** All that was asked for. */
  readonly asked: Asked[]
  request(method: string, path: string, options?: Parameters<typeof ask>[2]): Asked
}

/** Chance is a half: waits are three quarters of their upper bound. */
function set(routes: MockRoutes, options: NetworkOptions = {}): Setting {
  const world = createWorld()
  const fetch = mockFetch(routes, { clock: world.clock })
  const network = createNetwork({ fetch, random: () => 0.5, ...options })
  network.start?.(world.host)
  const asked: Asked[] = []
  const request: Setting['request'] = (method, path, more) => {
    const one = ask(network, new RestEndpoint({ method, path }) as unknown as AnyEndpoint, more)
    asked.push(one)
    return one
  }
  return { ...world, network, fetch, asked, request }
}

const hang = { 'GET /hang': () => new Promise<never>(() => {}) }

test('answers once, and leaves no timer and no listener', async () => {
  const { request, clock, fetch } = set({ 'GET /a': { body: { id: 1 } } })
  const asked = request('GET', '/a')
  assert.equal(await asked.promise, { id: 1 })
  assert.is(clock.pending, 0)
  assert.is(fetch.calls.length, 1)
  asked.abort.abort()
  assert.is(asked.outcomes.length, 1)
})

test('leaves actions that are no requests to others', () => {
  const { network } = set({})
  assert.is(network.action?.({ type: 'reset' }), undefined)
})

test('sends three times, later and later, and fails with the last error', async () => {
  const { request, clock, fetch } = set({ 'GET /a': [{ status: 503 }, { status: 502 }, { status: 500 }] })
  const asked = request('GET', '/a')
  const sent: number[] = []
  for (let ms = 0; ms <= 2000; ms += 25) {
    await settle()
    if (fetch.calls.length > sent.length) sent.push(clock.now())
    clock.advance(25)
  }
  assert.equal(sent, [0, 375, 1125])
  assert.is(((await rejection(asked.promise)) as NetworkError).status, 500)
  assert.is(asked.outcomes.length, 1)
  assert.is(clock.pending, 0)
})

test('no wait is longer than the cap, and chance spreads it over its upper half', async () => {
  for (const [chance, expected] of [[0, [50, 100, 150, 150]], [1, [100, 200, 300, 300]]] as const) {
    const { request, clock, fetch } = set({ 'GET /a': { status: 500 } }, { retry: { attempts: 5, base: 100, cap: 300 }, random: () => chance })
    request('GET', '/a')
    for (const wait of expected) {
      const { length } = fetch.calls
      await settle()
      clock.advance(wait - 1)
      await settle()
      assert.is(fetch.calls.length, length || 1)
      clock.advance(1)
      await settle()
      assert.is(fetch.calls.length, (length || 1) + 1)
    }
  }
})

const failures: readonly (readonly [string, MockRoutes[string], boolean])[] = [
  ['a transport that fails', { error: new TypeError('fetch failed') }, true],
  ['408', { status: 408 }, true],
  ['429', { status: 429 }, true],
  ['500', { status: 500 }, true],
  ['503', { status: 503 }, true],
  ['400', { status: 400 }, false],
  ['401', { status: 401 }, false],
  ['404', { status: 404 }, false],
  ['409', { status: 409 }, false],
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
      await rejection(asked.promise)
      assert.is(fetch.calls.length, again && method !== 'POST' && method !== 'PATCH' ? 3 : 1, method)
      assert.is(asked.outcomes.length, 1)
    }
  })
}

test('what an endpoint says of itself counts more than its method', async () => {
  const options = { path: '/a' }
  const cases = [
    [new RestEndpoint({ ...options, method: 'POST', sideEffect: false }), 3],
    [new RestEndpoint({ ...options, method: 'GET', sideEffect: true }), 1],
    [new RestEndpoint({ ...options, sideEffect: true }), 1],
  ] as const
  for (const [endpoint, times] of cases) {
    const { network, clock, fetch } = set({ 'POST /a': { status: 500 }, 'GET /a': { status: 500 } })
    const asked = ask(network, endpoint as unknown as AnyEndpoint)
    await pass(clock, 5000, 500)
    await rejection(asked.promise)
    assert.is(fetch.calls.length, times)
  }
})

test('an endpoint without HTTP is tried again when it has no side effect and says that the network failed', async () => {
  for (const [sideEffect, error, times] of [[false, new NetworkError('down'), 3], [true, new NetworkError('down'), 1], [false, new TypeError('a mistake'), 1]] as const) {
    const { network, clock } = set({})
    let runs = 0
    const endpoint = new Endpoint(() => (runs++, Promise.reject(error)), { name: 'custom', sideEffect })
    const asked = ask(network, endpoint)
    await pass(clock, 5000, 500)
    assert.is(await rejection(asked.promise), error)
    assert.is(runs, times)
  }
})

test('a stream can be sent once, so its first failure is what it comes to', async () => {
  async function* chunks(): AsyncGenerator<string> {
    yield 'a'
  }
  for (const [body, times] of [[new Blob(['a']).stream(), 1], [chunks(), 1], [new Blob(['a']), 3]] as const) {
    const { request, clock, fetch } = set({ 'PUT /a': { status: 503 } })
    const asked = request('PUT', '/a', { args: [body] })
    await pass(clock, 5000, 500)
    assert.is(((await rejection(asked.promise)) as NetworkError).status, 503)
    assert.is(fetch.calls.length, times)
  }
})

test('never again with retry: false', async () => {
  const { request, fetch } = set({ 'GET /a': { status: 500 } }, { retry: false })
  await rejection(request('GET', '/a').promise)
  assert.is(fetch.calls.length, 1)
})

test('what throws at once is a failure like any other', async () => {
  const { network, clock } = set({})
  const error = new Error('no')
  const endpoint = new Endpoint((): Promise<never> => {
    throw error
  }, { name: 'throws' })
  assert.is(await rejection(ask(network, endpoint).promise), error)
  assert.is(clock.pending, 0)
})

const date = 1_700_000_000_000
const http = (ms: number): string => new Date(ms).toUTCString()
const waits: readonly (readonly [string, number | 'rejects'])[] = [
  ['2', 2000],
  [http(date + 3000), 3000],
  ['0', 375],
  [http(date - 60_000), 375],
  ['-1', 375],
  ['soon', 375],
  ['2050', 'rejects'],
  ['', 375],
  ['1.5', 375],
  ['Jan 1 2050', 375],
  ['31', 'rejects'],
  ['1000000000000', 'rejects'],
  [http(date + 3_600_000), 'rejects'],
  ['1e12', 375],
]
for (const [header, wait] of waits) {
  test(`Retry-After: ${header || '(empty)'} ${wait === 'rejects' ? 'is too long: rejects at once, with the time' : `waits ${wait} ms`}`, async () => {
    const { request, clock, fetch } = set({ 'GET /a': [{ status: 429, headers: { 'retry-after': header } }, { body: 1 }] })
    const asked = request('GET', '/a')
    await settle()
    if (wait === 'rejects') {
      const error = (await rejection(asked.promise)) as NetworkError
      assert.is(error.status, 429)
      assert.is(error.retryAt, /^\d+$/.test(header) ? date + Number(header) * 1000 : Date.parse(header))
      assert.is(clock.pending, 0)
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
      return new Promise<never>(() => {})
    },
    { name: 'deaf' },
  )
  const asked = ask(network, endpoint)
  clock.advance(999)
  await settle()
  assert.is(asked.outcomes.length, 0)
  clock.advance(1)
  const error = await rejection(asked.promise)
  assert.instance(error, TimeoutError)
  assert.match(error.message, 'deaf')
  assert.ok(signal?.aborted)
  assert.is(signal.reason, error)
})

test('a deadline for each attempt, and an answer that comes too late is not heard', async () => {
  const late: ((value: unknown) => void)[] = []
  const { network, clock } = set({}, { timeout: 1000 })
  const asked = ask(network, new Endpoint(() => new Promise((resolve) => void late.push(resolve)), { name: 'slow' }))
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
  const going = new Map<number, (value: unknown) => void>()
  const { network } = set({}, { concurrency: 2 })
  const endpoint = new Endpoint((n: number) => new Promise((resolve) => void going.set(n, resolve)), { name: 'n' }) as unknown as AnyEndpoint
  const asked = [0, 1, 2, 3, 4, 5].map((n) => ask(network, endpoint, { args: [n] }))
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

test('sixteen at a time by default', () => {
  const { request, fetch } = set(hang)
  for (let n = 0; n < 40; n++) request('GET', '/hang')
  return settle().then(() => assert.is(fetch.calls.length, 16))
})

test('a request that waits for another attempt frees its slot', async () => {
  const { request, clock, fetch } = set({ 'GET /a': [{ status: 500 }, { body: 'a' }], 'GET /b': { body: 'b' } }, { concurrency: 1 })
  const a = request('GET', '/a')
  const b = request('GET', '/b')
  assert.is(await b.promise, 'b')
  assert.is(a.outcomes.length, 0)
  await pass(clock, 500)
  assert.is(await a.promise, 'a')
  assert.equal(fetch.calls.map(({ url }) => url), ['/a', '/b', '/a'])
})

test('a request that has freed its slot, and is aborted then, frees no other', async () => {
  const { request, fetch } = set({ ...hang, 'GET /fails': { status: 500 } }, { concurrency: 1 })
  const asked = request('GET', '/fails')
  await settle()
  request('GET', '/hang')
  asked.abort.abort()
  request('GET', '/hang')
  await settle()
  assert.equal(fetch.calls.map(({ url }) => url), ['/fails', '/hang'])
})

test('an abort reaches the request itself', async () => {
  const { request, fetch } = set(hang)
  const asked = request('GET', '/hang')
  await settle()
  asked.abort.abort()
  assert.ok(fetch.calls[0]!.signal?.aborted)
  assert.is(fetch.calls[0]!.signal.reason, asked.outcomes[0]!.error)
})

test('one lane is sent one after the other; others do not wait', async () => {
  const going = new Map<string, (value: unknown) => void>()
  const { network } = set({})
  const endpoint = new Endpoint((name: string) => new Promise((resolve) => void going.set(name, resolve)), { name: 'n', sideEffect: true }) as unknown as AnyEndpoint
  const send = (name: string, lane?: string): Asked => ask(network, endpoint, { args: [name], ...(lane && { lane }) })
  const [first, second] = [send('a1', 'a'), send('a2', 'a'), send('a3', 'a'), send('b1', 'b'), send('c')]
  assert.equal([...going.keys()], ['a1', 'b1', 'c'])
  // One that waits is gone at once; the next does not take its turn before the first has settled.
  second!.abort.abort()
  assert.is(second!.outcomes.length, 1)
  assert.equal([...going.keys()], ['a1', 'b1', 'c'])
  going.get('a1')!(1)
  await first!.promise
  await settle()
  assert.equal([...going.keys()], ['a1', 'b1', 'c', 'a3'])
})

test('a lane is one lane as long as anybody is in it', async () => {
  const { request, fetch } = set({ 'PUT /a': { body: 1 }, 'PUT /hang': () => new Promise<never>(() => {}) })
  const first = request('PUT', '/a', { lane: 'a' })
  request('PUT', '/hang', { lane: 'a' })
  await first.promise
  await settle()
  request('PUT', '/a', { lane: 'a' })
  await settle()
  assert.equal(fetch.calls.map(({ url }) => url), ['/a', '/hang'])
})

test('and one that is made while the one before it ends, too', async () => {
  const { network, request, fetch } = set({ 'PUT /a': { body: 1 }, 'PUT /hang': () => new Promise<never>(() => {}) })
  const abort = new AbortController()
  const suicidal = new Endpoint(() => {
    abort.abort()
    request('PUT', '/hang', { lane: 'a' })
    return new Promise<never>(() => {})
  }, { name: 'suicidal' })
  const first = request('PUT', '/a', { lane: 'a' })
  ask(network, suicidal, { lane: 'a', abort })
  await first.promise
  await settle()
  request('PUT', '/a', { lane: 'a' })
  await settle()
  assert.equal(fetch.calls.map(({ url }) => url), ['/a', '/hang'])
})

test('the next of a lane goes when the one before it has failed for good, and not while it is tried again', async () => {
  const { request, clock, fetch } = set({ 'PUT /a': { status: 500 }, 'DELETE /a': { status: 204 } })
  const put = request('PUT', '/a', { lane: 'a' })
  const del = request('DELETE', '/a', { lane: 'a' })
  await pass(clock, 5000, 500)
  await rejection(put.promise)
  await del.promise
  assert.equal(fetch.calls.map(({ method }) => method), ['PUT', 'PUT', 'PUT', 'DELETE'])
})

test('arguments are asked for when the request goes out, after the answer of the one before it', async () => {
  const { network } = set({})
  const seen: unknown[] = []
  let real: unknown = 'temporary'
  const endpoint = new Endpoint(async (id: unknown) => void seen.push(id), { name: 'n', sideEffect: true }) as unknown as AnyEndpoint
  const create = new Endpoint(async () => 'real', { name: 'create', sideEffect: true })
  const { signal } = new AbortController()
  network.action?.({ type: 'fetch', endpoint: create, args: [], key: 'create', signal, lane: 'a', outcome: new Promise(() => {}), answer: (value) => (real = value), fail() {} })
  const done = new Promise<void>((resolve) => {
    network.action?.({ type: 'fetch', endpoint, get args() { return [real] }, key: 'n', signal, lane: 'a', outcome: new Promise(() => {}), answer: () => resolve(), fail() {} })
  })
  await done
  assert.equal(seen, ['real'])
})

test('offline: the first attempt is made, the others wait for the network', async () => {
  const { request, clock, platform, fetch } = set({ 'GET /a': [{ error: new TypeError('offline') }, { body: 1 }] })
  platform.set({ online: false })
  const asked = request('GET', '/a')
  await pass(clock, 100_000, 10_000)
  assert.is(fetch.calls.length, 1)
  assert.is(platform.watchers, 1)
  platform.set({ visible: false })
  await settle()
  assert.is(fetch.calls.length, 1)
  platform.set({ online: true })
  assert.is(await asked.promise, 1)
  assert.is(fetch.calls.length, 2)
  assert.is(platform.watchers, 0)
})

for (const verb of ['update', 'delete', 'partialUpdate', 'push'] as const) {
  const waits = verb === 'update' || verb === 'delete'
  test(`offline: ${verb} ${waits ? 'waits for the network, and shows its layer until then' : 'fails with an error that says so, and its layer goes'}`, async () => {
    class Todo extends Entity {
      id = 0
      title = ''
      static override key = 'Todo'
    }
    const Todos = createResource({ path: '/todos/:id', schema: Todo, optimistic: true })
    const { clock, platform } = createWorld()
    const sent: string[] = []
    const fetch = async (url: string, { method }: RequestInit = {}): Promise<Response> => {
      sent.push(`${method} ${url}`)
      if (!platform.online()) throw new TypeError('Failed to fetch')
      return Response.json({ id: 1, title: 'new' })
    }
    const controller = new Controller({ clock, platform, fetch })
    controller.setResponse(Todos.getList, [{ id: 1, title: 'old' }])
    const titles = (): string[] => controller.getResponse(Todos.getList).data!.map(({ title }) => title)
    platform.set({ online: false })
    const call = {
      update: () => controller.fetch(Todos.update, { id: 1 }, { id: 1, title: 'new' }),
      delete: () => controller.fetch(Todos.delete, { id: 1 }),
      partialUpdate: () => controller.fetch(Todos.partialUpdate, { id: 1 }, { title: 'new' }),
      push: () => controller.fetch(Todos.getList.push, { title: 'new' }),
    }[verb]()
    const visibleTitles = { update: ['new'], delete: [], partialUpdate: ['new'], push: ['old', 'new'] }[verb]
    assert.equal(titles(), visibleTitles)
    if (waits) {
      await pass(clock, 100_000, 10_000)
      assert.equal([titles(), sent.length], [visibleTitles, 1])
      platform.set({ online: true })
      await call
      assert.equal([titles(), sent.length], [visibleTitles, 2])
    } else {
      const error = await rejection(call)
      assert.instance(error, NetworkError)
      assert.match(error.message, 'offline')
      assert.equal([titles(), sent.length], [['old'], 1])
    }
    controller.dispose()
  })
}

test('offline: a platform that tells whoever listens, also those who come meanwhile, comes to an end', async () => {
  const listeners = new Set<() => void>()
  const platform = {
    online: () => false,
    visible: () => true,
    watch: (listener: () => void) => (listeners.add(listener), () => void listeners.delete(listener)),
  }
  const { host, clock } = createWorld({ platform })
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

const moments: readonly (readonly [string, (setting: Setting) => Promise<Asked>])[] = [
  ['before it is sent', async ({ request }) => {
    const abort = new AbortController()
    abort.abort()
    return request('GET', '/hang', { abort })
  }],
  ['before it is sent, in a lane that is taken', async ({ request }) => {
    request('GET', '/hang', { lane: 'a' })
    const abort = new AbortController()
    abort.abort()
    return request('GET', '/hang', { abort, lane: 'a' })
  }],
  ['under way', async ({ request }) => request('GET', '/hang')],
  ['while it waits for a slot', async ({ request }) => (request('GET', '/hang'), request('GET', '/hang'))],
  ['while it waits in its lane', async ({ request }) => (request('GET', '/a', { lane: 'a' }), request('GET', '/hang', { lane: 'a' }))],
  ['while it waits for another attempt', async ({ request }) => request('GET', '/fails')],
  ['while it waits for the network', async ({ request, clock, platform }) => {
    platform.set({ online: false })
    const asked = request('GET', '/fails')
    await pass(clock, 1000)
    assert.is(platform.watchers, 1)
    return asked
  }],
]
const endings: readonly (readonly [string, (setting: Setting, asked: Asked) => void, typeof AbortError | typeof ResetError | typeof TimeoutError])[] = [
  ['aborted', (_, { abort }) => abort.abort(), AbortError],
  ['reset', (_, { abort }) => abort.abort(new ResetError()), ResetError],
  ['past the deadline of its caller', (_, { abort }) => abort.abort(new DOMException('too long', 'TimeoutError')), TimeoutError],
  ['disposed of', ({ asked }) => asked.reverse().forEach(({ abort }) => abort.abort(new AbortError('The controller was disposed of.'))), AbortError],
]
for (const [when, prepare] of moments) {
  for (const [how, end, expected] of endings) {
    if (when.startsWith('before') && how !== 'aborted') continue
    test(`${how} ${when}: fails at once, and leaves nothing`, async () => {
      const setting = set({ ...hang, 'GET /a': () => new Promise<never>(() => {}), 'GET /fails': { status: 500 } }, { concurrency: 1, timeout: 1e9 })
      const asked = await prepare(setting)
      await settle()
      end(setting, asked)
      assert.is(asked.outcomes.length, 1)
      assert.instance(asked.outcomes[0]!.error, expected)
      for (const { abort } of setting.asked) abort.abort()
      await pass(setting.clock, 100_000, 10_000)
      assert.is(asked.outcomes.length, 1)
      assert.is(setting.clock.pending, 0)
      assert.is(setting.platform.watchers, 0)
      assert.equal(setting.reported, [])
    })
  }
}

test('a caller who ends his request from inside of it gets one outcome, and no slot is lost', async () => {
  const { network } = set({}, { concurrency: 1 })
  const abort = new AbortController()
  const suicidal = new Endpoint(() => (abort.abort(), new Promise<never>(() => {})), { name: 'suicidal' })
  const asked = ask(network, suicidal, { abort, lane: 'a' })
  assert.instance(await rejection(asked.promise), AbortError)
  assert.is(asked.outcomes.length, 1)
  assert.is(await ask(network, new Endpoint(async () => 1, { name: 'next' }), { lane: 'a' }).promise, 1)
})

test('an answer that cannot be taken is reported, and no slot is lost', async () => {
  const { network, reported } = set({}, { concurrency: 1 })
  const endpoint = new Endpoint(async () => 1, { name: 'a' })
  const error = new Error('not taken')
  const { signal } = new AbortController()
  const answer = (): never => {
    throw error
  }
  network.action?.({ type: 'fetch', endpoint, args: [], key: 'a', signal, lane: 'a', outcome: new Promise(() => {}), answer, fail() {} })
  assert.is(await ask(network, endpoint, { lane: 'a' }).promise, 1)
  assert.equal(reported, [error])
})

test('a failure that cannot be looked into is one all the same', async () => {
  const { network, reported, clock } = set({}, { concurrency: 1 })
  const partial = new NetworkError('busy', { status: 503, response: { status: 503, headers: undefined } as unknown as Response })
  const hidden = {
    get status(): never {
      throw new Error('hidden')
    },
  }
  const [first, second] = [hidden, partial].map(error => {
    const fails = async (): Promise<never> => {
      throw error as Error
    }
    return ask(network, new Endpoint(fails, { name: 'fails' }))
  })
  await pass(clock, 2000)
  assert.equal(first!.outcomes, [{ error: new Error('hidden') }])
  assert.equal(second!.outcomes, [{ error: partial }])
  assert.equal(reported, [])
})

test.run()
