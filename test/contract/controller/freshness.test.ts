import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createLive, createResource, Endpoint, Entity, readStatus, RestEndpoint, schema, type AnyEndpoint } from '../../../src/index.ts'
import { NetworkError, ResetError } from '../../../src/index.ts'
import { createClock, type HandClock, type MockRoutes } from '../../../src/testing/index.ts'
import { TodoResource } from '../../support/todo.ts'
import { tracker } from '../../support/tracker.ts'
import { createServer, outcome, Post, Posts, posts, settled } from './posts.ts'

const { get, getList } = Posts
const one = { id: 1 }
const slow = { 'GET /posts': { body: posts, delay: 10 } }

/** What is known of a read: data, status and expiry. */
function read(controller: Controller, endpoint: AnyEndpoint, ...args: unknown[]): unknown[] {
  const { data, expiryStatus, expiresAt } = controller.getResponse(endpoint, ...args)
  return [data === undefined ? undefined : JSON.parse(JSON.stringify(data)), expiryStatus, expiresAt]
}
const status = (controller: Controller, endpoint: AnyEndpoint, ...args: unknown[]): unknown => read(controller, endpoint, ...args)[1]

/** Lets requests be sent, and time pass. */
async function pass(clock: HandClock, ms: number): Promise<void> {
  await settled()
  clock.advance(ms)
  await settled()
}

const test = suite('freshness')

test('a reader makes the URL of its read twice, and gets data, error and requests in flight of one moment', async () => {
  let made = 0
  const counted = getList.extend({ url: () => (made++, '/posts') })
  const { controller } = createServer({ 'GET /posts': [{ body: posts }, { status: 500 }] })
  await controller.fetch(counted)
  const again = controller.fetch(counted)
  assert.is(controller.getResponse(counted).inFlight, true)
  await outcome(again)
  made = 0
  const { data, error, status, inFlight } = readStatus(controller, controller, counted, [])
  assert.ok(made <= 2, `${made} times`)
  assert.equal([data!.length, (error as NetworkError).status, status, inFlight], [posts.length, 500, 'ready', false])
})

test('what comes with other answers after an endpoint has failed does not stand for its own', async () => {
  const { controller, clock, fetch } = createServer({ 'GET /posts/1': [{ status: 404 }, { body: posts[0] }] })
  await outcome(controller.fetch(get, one))
  await controller.fetch(getList)
  assert.equal(read(controller, get, one), [posts[0], 3, 0])
  clock.advance(2000)
  await controller.fetchIfStale(get, one)
  assert.is(controller.getError(get, one), undefined, 'it was asked again')
  assert.is(fetch.calls.length, 3)
})

test('a query that comes to nothing is an answer all the same', async () => {
  const { controller, fetch } = createServer()
  const first = new schema.Query(new schema.Collection([Post]), all => all.find(({ title }) => title === 'rest'))
  const getFirst = new RestEndpoint({ path: '/posts', schema: first })
  assert.is(await controller.fetch(getFirst), undefined)
  assert.equal(read(controller, getFirst), [undefined, 3, 60_000])
  assert.is(await controller.fetchIfStale(getFirst), undefined)
  assert.is(fetch.calls.length, 1)
  controller.set(Post, { id: 2 }, post => void (post.title = 'rest'))
  assert.is(controller.getResponse(getFirst).data?.id, 2)
})

for (const [title, endpoint, expected] of [
  ['what was never fetched is invalid, and what was is valid until it expires', getList, [3, 60_005]],
  ['invalidIfStale is reported as such', getList.extend({ invalidIfStale: true, dataExpiryLength: 10 }), [2, 15]],
] as const) {
  test(title, async () => {
    const { controller, clock } = createServer()
    assert.equal(read(controller, endpoint), [undefined, 1, 0])
    clock.advance(5)
    await controller.fetch(endpoint)
    assert.equal(read(controller, endpoint), [posts, ...expected])
  })
}

test('a detail after a list needs no request, and is as fresh as the oldest row that it shows', async () => {
  const { controller, clock, fetch } = createServer()
  await controller.fetch(getList.extend({ dataExpiryLength: 100 }))
  clock.advance(40)
  assert.equal(read(controller, get, one), [posts[0], 3, 100])
  assert.is((await controller.fetchIfStale(get, one)).title, 'sow')
  assert.is(fetch.calls.length, 1)
  clock.advance(60)
  await controller.fetchIfStale(get, one)
  assert.is(fetch.calls.length, 2)
})

test('what was written locally is fresh for a minute and not for ever, also when it had to wait for a call', async () => {
  const { controller, clock, fetch } = createServer({ 'PATCH /posts/2': { body: posts[1], delay: 10 } })
  await controller.fetch(getList)
  const changed = controller.fetch(Posts.partialUpdate, { id: 2 }, { title: 'rest' })
  for (const id of [1, 2, 3]) controller.set(Post, { id }, { id, title: 'mow' })
  await pass(clock, 10)
  await changed
  assert.equal([1, 2, 3].map(id => read(controller, get, { id })), [
    [{ id: 1, title: 'mow' }, 3, 60_000],
    [{ id: 2, title: 'mow' }, 3, 60_010],
    [{ id: 3, title: 'mow' }, 3, 60_000],
  ])
  clock.advance(60_000)
  await controller.fetchIfStale(get, one)
  assert.is(fetch.calls.length, 3)
})

test('a detail that refers to what is not there is as fresh as what is, whoever has looked at it', async () => {
  const { controller, fetch } = createServer({ 'GET /todos': { body: [{ id: 1, title: '', done: false, owner: 9 }] } })
  await controller.fetch(TodoResource.getList)
  const live = createLive(controller, tracker)
  for (const reader of [live, controller]) assert.is(reader.getResponse(TodoResource.get, one).expiresAt, 60_000)
  await controller.fetchIfStale(TodoResource.get, one)
  assert.is(fetch.calls.length, 1)
})

test('a record that lacks a declared field is shown at once and fetched; defaults of undefined do not count', async () => {
  class Article extends Entity {
    static override key = 'Article'
    id = 0
    title = ''
    text = ''
    note: string | undefined = undefined
  }
  const Articles = createResource({ path: '/articles/:id', schema: Article })
  const [brief, whole] = [{ id: 1, title: 'sow' }, { id: 2, title: 'reap', text: 'whole' }]
  const { controller, fetch } = createServer({ 'GET /articles': { body: [brief, whole] }, 'GET /articles/1': { body: { ...brief, text: 'whole' } } })
  await controller.fetch(Articles.getList)
  assert.equal(read(controller, Articles.get, one), [{ id: 1, title: 'sow', text: '' }, 3, 0])
  assert.is((await controller.fetchIfStale(Articles.get, one)).text, 'whole')
  for (const id of [1, 2]) await controller.fetchIfStale(Articles.get, { id })
  assert.equal(fetch.calls.map(({ url }) => url), ['/articles', '/articles/1'])
})

test('fetchIfStale asks the network only for what is stale, also when the clock steps back', async () => {
  const { controller, clock, fetch } = createServer()
  const first = await controller.fetchIfStale(getList)
  for (const ms of [0, 59_999]) {
    clock.advance(ms)
    clock.setDate(0)
    assert.is(await controller.fetchIfStale(getList), first)
  }
  assert.is(fetch.calls.length, 1)
  clock.advance(1)
  await controller.fetchIfStale(getList)
  assert.is(fetch.calls.length, 2)
})

for (const value of [0, '', false, null, [], undefined]) {
  test(`${JSON.stringify(value)} is an answer, and is not asked for again`, async () => {
    let calls = 0
    const endpoint = new Endpoint(async () => (calls++, value), { name: 'falsy' })
    const controller = new Controller({ clock: createClock() })
    for (let i = 0; i < 2; i++) assert.equal(await controller.fetchIfStale(endpoint), value)
    assert.equal([controller.getResponse(endpoint).data, status(controller, endpoint), calls], [value, 3, 1])
  })
}

test('an error stands beside the data, and is not tried again before its time', async () => {
  const { controller, clock, fetch } = createServer({ 'GET /posts': [{ body: posts }, { status: 500 }, { body: posts }] })
  const list = await controller.fetch(getList)
  clock.advance(60_000)
  const failed = await outcome(controller.fetchIfStale(getList))
  assert.instance(failed, NetworkError)
  assert.is(controller.getError(getList), failed)
  assert.equal(controller.getResponse(getList).data, list)
  assert.is(await outcome(controller.fetchIfStale(getList)), failed)
  assert.is(fetch.calls.length, 2)
  clock.advance(1000)
  assert.equal(await controller.fetchIfStale(getList), list)
  assert.is(controller.getError(getList), undefined)
  assert.is(fetch.calls.length, 3)
})

test('a failure that nobody awaits is no unhandled rejection', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown): void => void unhandled.push(reason)
  const inNode = typeof process !== 'undefined'
  if (inNode) process.on('unhandledRejection', note)
  else globalThis.addEventListener('unhandledrejection', note)
  const { controller } = createServer({ 'GET /posts': { status: 404 } })
  for (const verb of [controller.fetch, controller.fetchIfStale]) {
    void verb(getList)
    void verb(get, { id: '..' })
  }
  await new Promise(resolve => setTimeout(resolve, 20))
  if (inNode) process.off('unhandledRejection', note)
  else globalThis.removeEventListener('unhandledrejection', note)
  assert.equal(unhandled, [])
})

test('a failure without an error is one all the same, and is not asked for in a circle', async () => {
  const reported: unknown[] = []
  const controller = new Controller({ clock: createClock(), onError: error => void reported.push(error) })
  let asked = 0
  const fails = new Endpoint(() => (asked++, Promise.reject<never>(undefined as never)), { name: 'fails' })
  effect(() => {
    controller.getResponse(fails)
    void controller.fetchIfStale(fails)
  })
  await settled()
  assert.equal([asked, reported], [1, []])
  assert.instance(controller.getError(fails), Error)
})

test('setError is an error like any other', () => {
  const { controller } = createServer()
  const error = new Error('no')
  controller.setError(get, one, error)
  assert.is(controller.getError(get, one), error)
  controller.setResponse(get, one, posts[0])
  assert.is(controller.getError(get, one), undefined)
})

const again = (controller: Controller): Promise<unknown> => (controller.invalidate(get, one), outcome(controller.fetch(get, one)))
const store = (controller: Controller): void => controller.setResponse(get, one, { id: 1, title: 'stored' })
/** Answers of a read, what happens while the first is under way, and the data, status and error that are there from then on. */
const overtaken: [title: string, routes: MockRoutes[string], meanwhile: typeof again | typeof store, expected: unknown[]][] = [
  ['an error that arrives after a newer answer says nothing',
    [{ status: 500, delay: 50 }, { body: posts[0], delay: 10 }], again, ['sow', 3, undefined]],
  ['an answer to what was asked for before an invalidation says nothing of a failure since',
    [{ body: posts[0], delay: 50 }, { status: 404 }], again, ['sow', 1, 404]],
  ['a failed request does not mark an answer that was stored after the request started',
    { status: 404, delay: 10 }, store, ['stored', 3, undefined]],
  ['a failure of what was asked for before an invalidation says nothing of what is asked for since',
    [{ status: 404, delay: 10 }, { body: posts[0], delay: 20 }], again, ['sow', 3, undefined]],
]
for (const [title, routes, meanwhile, expected] of overtaken) {
  test(title, async () => {
    const { controller, clock } = createServer({ 'GET /posts/1': routes })
    const asked = [outcome(controller.fetch(get, one)), meanwhile(controller)]
    for (let ms = 0; ms < 50; ms += 10) {
      await pass(clock, 10)
      assert.is((controller.getError(get, one) as NetworkError | undefined)?.status, expected[2])
    }
    const { data, expiryStatus } = controller.getResponse(get, one)
    assert.equal([data?.title, expiryStatus], expected.slice(0, 2))
    assert.is((await Promise.all(asked)).filter(each => each instanceof NetworkError).length, 1, 'who asked has the failure')
  })
}

test('invalidate: the data is still there, does not count, and a new answer mends it; also what no request of its own has brought', async () => {
  const { controller, fetch } = createServer()
  await controller.fetch(getList)
  for (const [endpoint, data, ...args] of [[get, posts[0], one], [getList, posts]] as const) {
    const { length } = fetch.calls
    controller.invalidate(endpoint as AnyEndpoint, ...args)
    assert.equal(read(controller, endpoint, ...args).slice(0, 2), [data, 1])
    assert.is(status(controller, get, { id: 2 }), 3)
    await controller.fetchIfStale(endpoint as AnyEndpoint, ...args)
    assert.equal([status(controller, endpoint, ...args), fetch.calls.length], [3, length + 1])
  }
})

const marks: [title: string, mark: (controller: Controller) => void, expected: [status: number, expiresAt: number]][] = [
  ['an answer that was asked for before an invalidation does not undo it, and is not shared with who asks after it',
    controller => controller.invalidate(getList), [1, 60_010]],
  ['an answer that was asked for before expireAll is not fresh', controller => controller.expireAll({ testKey: () => true }), [3, 0]],
]
for (const [title, mark, expected] of marks) {
  test(title, async () => {
    const { controller, clock, fetch } = createServer(slow)
    void controller.fetch(getList)
    await settled()
    mark(controller)
    await pass(clock, 10)
    assert.equal(read(controller, getList), [posts, ...expected])
    void controller.fetch(getList)
    await pass(clock, 10)
    assert.equal([read(controller, getList), fetch.calls.length], [[posts, 3, 60_020], 2])
  })
}

test('expireAll and invalidateAll take those whose key passes, also what somebody looks at and no request of its own has brought', async () => {
  const { controller } = createServer()
  await controller.fetch(getList)
  await controller.fetch(get, one)
  const seen: unknown[][] = []
  const readAll = (): unknown[][] => [...[1, 2].map(id => read(controller, get, { id })), read(controller, getList)]
  const stop = effect(() => void seen.push(readAll().map(each => each.slice(1))))
  controller.expireAll(get)
  controller.invalidateAll(get)
  assert.equal(seen, [[[3, 60_000], [3, 60_000], [3, 60_000]], [[3, 0], [3, 0], [3, 60_000]], [[1, 0], [1, 0], [3, 60_000]]])
  stop()
})

for (const [kind, endpoint] of [['with a schema', getList], ['without a schema', getList.extend({ schema: undefined })]] as const) {
  test(`304 keeps the data and renews its expiry; without any it is an error (${kind})`, async () => {
    const { controller, clock } = createServer({ 'GET /posts': [{ status: 304 }, { body: posts }, { status: 304 }] })
    assert.is(((await outcome(controller.fetch(endpoint))) as NetworkError).status, 304)
    const list = await controller.fetch(endpoint)
    const before = controller.snapshot()
    assert.is(await controller.fetch(endpoint), list)
    clock.advance(70_000)
    assert.equal(await controller.fetch(endpoint), list)
    assert.is(controller.snapshot(), before)
    assert.equal(read(controller, endpoint), [posts, 3, 130_000])
  })
}

for (const [kind, dates] of [['steps back', [5000, 1000]], ['stands still', [5000, 5000]], ['gives no number', [Number.NaN, Number.NaN]]] as const) {
  test(`a clock that ${kind} does not make a later answer older`, () => {
    let now = 0
    const controller = new Controller({ clock: { now: () => now, date: () => now, after: () => () => {} } })
    for (const date of dates) {
      now = date
      controller.setResponse(get, one, { id: 1, title: String(controller.get(Post, one)?.title ?? 'first') + '.' })
    }
    assert.is(controller.get(Post, one)!.title, 'first..')
  })
}

test('a deleted entity is invalid for whoever asks for it', async () => {
  const { controller } = createServer({ 'DELETE /posts/1': { status: 204 } })
  await controller.fetch(get, one)
  await controller.fetch(Posts.delete, one)
  assert.equal(read(controller, get, one).slice(0, 2), [undefined, 1])
})

test('data, freshness and what is under way change in one batch: an effect runs once for all', async () => {
  const { controller } = createServer()
  const seen: unknown[] = []
  const stop = effect(() => void seen.push([...read(controller, getList).slice(0, 2), controller.isFetching(getList), controller.getError(getList)]))
  await controller.fetch(getList)
  assert.equal(seen, [[undefined, 1, false, undefined], [undefined, 1, true, undefined], [posts, 3, false, undefined]])
  stop()
})

test('reset: nothing is known, and what was under way never lands', async () => {
  const { controller, clock } = createServer(slow)
  controller.setResponse(get, { id: 9 }, { id: 9 })
  const early = outcome(controller.fetch(getList))
  await settled()
  controller.reset()
  assert.instance(await early, ResetError)
  await pass(clock, 10)
  assert.is(controller.get(Post, one), undefined)
  assert.equal(read(controller, get, { id: 9 }), [undefined, 1, 0])
  const again = controller.fetch(getList)
  await pass(clock, 10)
  assert.is((await again).length, 2)
})

const raw = get.extend({ schema: undefined, path: '/raw/:id' })
for (const [kind, endpoint] of [['a read', get], ['a read without a schema', raw], ['a call', Posts.partialUpdate]] as const) {
  test(`reset by a listener of the very commit: what was answered is over, and what is asked for next is under way (${kind})`, async () => {
    const { controller } = createServer({ 'GET /raw/1': { body: 'text' }, 'PATCH /posts/1': { body: posts[0] } })
    const stop = controller.subscribePatches(({ cause }) => {
      if (cause !== 'fetch') return
      stop()
      controller.reset()
    })
    assert.instance(await outcome(controller.fetch(endpoint as typeof get, one)), ResetError)
    assert.equal(read(controller, endpoint, one), [undefined, 1, 0])
    assert.is(controller.getError(endpoint as typeof get, one), undefined)
    assert.is(controller.isFetching(get, one), false)
    const again = controller.fetch(get, one)
    assert.is(controller.isFetching(get, one), true)
    await again
    assert.is(controller.isFetching(get, one), false)
  })
}

test.run()
