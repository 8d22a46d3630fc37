import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createLive, createResource, Endpoint, Entity, NetworkError, ResetError, RestEndpoint, schema, type ResponseView } from '../../../src/index.ts'
import { createClock, mockFetch, type HandClock, type MockFetch, type MockRoutes } from '../../../src/testing/index.ts'
import { tracker } from '../../support/tracker.ts'

class Post extends Entity {
  static override key = 'Post'
  id = 0
  title = ''
}

const PostResource = createResource({ path: '/posts/:id', schema: Post })
const posts = [
  { id: 1, title: 'sow' },
  { id: 2, title: 'reap' },
]

interface World {
  controller: Controller
  clock: HandClock
  fetch: MockFetch
}

function world(routes: MockRoutes = {}): World {
  const clock = createClock(1_000_000)
  const fetch = mockFetch({ 'GET /posts': { body: posts }, 'GET /posts/1': { body: posts[0] }, ...routes }, { clock })
  return { controller: new Controller({ fetch, clock, retry: false }), clock, fetch }
}

/** Lets promises go on until nothing moves. */
const settled = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 5))

function brief({ data, expiryStatus, expiresAt }: ResponseView<unknown>): unknown[] {
  return [data === undefined ? undefined : JSON.parse(JSON.stringify(data)), expiryStatus, expiresAt]
}

const test = suite('freshness')

test('what comes with other answers after an endpoint has failed does not stand for its own', async () => {
  const { controller, clock, fetch } = world({ 'GET /posts/1': [{ status: 404 }, { body: posts[0] }] })
  await controller.fetch(PostResource.get, { id: 1 }).catch(() => {})
  await controller.fetch(PostResource.getList)
  assert.equal(brief(controller.getResponse(PostResource.get, { id: 1 })), [posts[0], 3, 0])
  clock.advance(2000)
  await controller.fetchIfStale(PostResource.get, { id: 1 })
  assert.is(controller.getError(PostResource.get, { id: 1 }), undefined, 'it was asked again')
  assert.is(fetch.calls.length, 3)
})

test('a query that comes to nothing is an answer all the same', async () => {
  const { controller, fetch } = world()
  const getFirst = new RestEndpoint({ path: '/posts', schema: new schema.Query(new schema.Collection([Post]), all => all.find(({ title }) => title === 'rest')) })
  assert.is(await controller.fetch(getFirst), undefined)
  assert.equal(brief(controller.getResponse(getFirst)), [undefined, 3, 60_000])
  assert.is(await controller.fetchIfStale(getFirst), undefined)
  assert.is(fetch.calls.length, 1)
  controller.set(Post, { id: 2 }, post => {
    post.title = 'rest'
  })
  assert.is(controller.getResponse(getFirst).data?.id, 2)
})

test('what was never fetched is invalid, and what was is valid until it expires', async () => {
  const { controller, clock } = world()
  assert.equal(brief(controller.getResponse(PostResource.getList)), [undefined, 1, 0])
  clock.advance(5)
  await controller.fetch(PostResource.getList)
  assert.equal(brief(controller.getResponse(PostResource.getList)), [posts, 3, 60_005])
})

test('invalidIfStale is reported as such', async () => {
  const { controller } = world()
  const strict = PostResource.get.extend({ invalidIfStale: true, dataExpiryLength: 10 })
  await controller.fetch(strict, { id: 1 })
  assert.equal(brief(controller.getResponse(strict, { id: 1 })), [posts[0], 2, 10])
})

test('a detail after a list needs no request, and is as fresh as the oldest row that it shows', async () => {
  const { controller, clock, fetch } = world()
  await controller.fetch(PostResource.getList.extend({ dataExpiryLength: 100 }))
  clock.advance(40)
  assert.equal(brief(controller.getResponse(PostResource.get, { id: 1 })), [posts[0], 3, 100])
  assert.is((await controller.fetchIfStale(PostResource.get, { id: 1 })).title, 'sow')
  assert.is(fetch.calls.length, 1)
  clock.advance(60)
  await controller.fetchIfStale(PostResource.get, { id: 1 })
  assert.is(fetch.calls.length, 2)
})

test('what was written locally is fresh for a minute and not for ever, also when it had to wait for a call', async () => {
  const { controller, clock, fetch } = world({ 'PATCH /posts/2': { body: posts[1], delay: 10 } })
  await controller.fetch(PostResource.getList)
  const changed = controller.fetch(PostResource.partialUpdate, { id: 2 }, { title: 'rest' })
  await settled()
  for (const id of [1, 2, 3]) controller.set(Post, { id }, { id, title: 'mow' })
  clock.advance(10)
  await changed
  assert.equal([1, 2, 3].map(id => brief(controller.getResponse(PostResource.get, { id }))), [
    [{ id: 1, title: 'mow' }, 3, 60_000],
    [{ id: 2, title: 'mow' }, 3, 60_010],
    [{ id: 3, title: 'mow' }, 3, 60_000],
  ])
  clock.advance(60_000)
  await controller.fetchIfStale(PostResource.get, { id: 1 })
  assert.is(fetch.calls.length, 3)
})

test('a detail that refers to what is not there is as fresh as what is, whoever has looked at it', async () => {
  class Author extends Entity {
    static override key = 'Author'
    id = 0
  }
  class Book extends Entity {
    static override key = 'Book'
    id = 0
    author: Author | undefined = undefined
    static override schema = { author: Author }
  }
  const BookResource = createResource({ path: '/books/:id', schema: Book })
  const { controller, fetch } = world({ 'GET /books': { body: [{ id: 1, author: 9 }] } })
  await controller.fetch(BookResource.getList)
  const live = createLive(controller, tracker)
  assert.is(live.getResponse(BookResource.get, { id: 1 }).expiresAt, 60_000)
  assert.is(controller.getResponse(BookResource.get, { id: 1 }).expiresAt, 60_000)
  await controller.fetchIfStale(BookResource.get, { id: 1 })
  assert.is(fetch.calls.length, 1)
})

test('fetchIfStale asks the network only for what is stale', async () => {
  const { controller, clock, fetch } = world()
  const first = await controller.fetchIfStale(PostResource.getList)
  assert.is(await controller.fetchIfStale(PostResource.getList), first)
  clock.advance(59_999)
  assert.is(await controller.fetchIfStale(PostResource.getList), first)
  assert.is(fetch.calls.length, 1)
  clock.advance(1)
  await controller.fetchIfStale(PostResource.getList)
  assert.is(fetch.calls.length, 2)
})

for (const value of [0, '', false, null, [], undefined]) {
  test(`${JSON.stringify(value)} is an answer, and is not asked for again`, async () => {
    let calls = 0
    const endpoint = new Endpoint(async () => (calls++, value), { name: 'falsy' })
    const controller = new Controller({ clock: createClock() })
    assert.equal(await controller.fetchIfStale(endpoint), value)
    assert.equal(await controller.fetchIfStale(endpoint), value)
    const { data, expiryStatus } = controller.getResponse(endpoint)
    assert.equal([data, expiryStatus, calls], [value, 3, 1])
  })
}

test('an error stands beside the data, and is not tried again before its time', async () => {
  let answer: MockRoutes[string] = { body: posts }
  const { controller, clock, fetch } = world({ 'GET /posts': () => answer as { body: unknown } })
  const list = await controller.fetch(PostResource.getList)
  answer = { status: 500, body: { why: 'down' } }
  clock.advance(60_000)
  const failed = await controller.fetchIfStale(PostResource.getList).catch((error: unknown) => error)
  assert.instance(failed, NetworkError)
  assert.is(controller.getError(PostResource.getList), failed)
  assert.equal(controller.getResponse(PostResource.getList).data, list)
  assert.is(await controller.fetchIfStale(PostResource.getList).catch((error: unknown) => error), failed)
  assert.is(fetch.calls.length, 2)
  clock.advance(1000)
  answer = { body: posts }
  assert.equal(await controller.fetchIfStale(PostResource.getList), list)
  assert.is(controller.getError(PostResource.getList), undefined)
  assert.is(fetch.calls.length, 3)
})

test('a failure that nobody awaits is no unhandled rejection', async () => {
  const unhandled: unknown[] = []
  const listen = (event: { reason?: unknown } & Event): void => {
    event.preventDefault()
    unhandled.push(event.reason)
  }
  const inNode = typeof process !== 'undefined'
  const note = (reason: unknown): void => void unhandled.push(reason)
  if (inNode) process.on('unhandledRejection', note)
  else globalThis.addEventListener('unhandledrejection', listen)
  const { controller } = world({ 'GET /posts': { status: 404 } })
  void controller.fetch(PostResource.getList)
  void controller.fetchIfStale(PostResource.getList)
  void controller.fetch(PostResource.get, { id: '..' })
  void controller.fetchIfStale(PostResource.get, { id: '..' })
  await new Promise(resolve => setTimeout(resolve, 20))
  if (inNode) process.off('unhandledRejection', note)
  else globalThis.removeEventListener('unhandledrejection', listen)
  assert.equal(unhandled, [])
})

test('an error that arrives after a newer answer says nothing', async () => {
  let calls = 0
  const { controller, clock } = world({ 'GET /posts': () => (++calls === 1 ? { status: 500, delay: 50 } : { body: posts, delay: 10 }) })
  const first = controller.fetch(PostResource.getList).catch((error: unknown) => error)
  await settled()
  controller.invalidate(PostResource.getList)
  const second = controller.fetch(PostResource.getList)
  await settled()
  clock.advance(10)
  await second
  clock.advance(40)
  assert.instance(await first, NetworkError)
  assert.is(controller.getError(PostResource.getList), undefined)
})

test('a failure without an error is one all the same, and is not asked for in a circle', async () => {
  const reported: unknown[] = []
  const controller = new Controller({ clock: createClock(), onError: error => void reported.push(error) })
  let asked = 0
  const fails = new Endpoint(
    async () => {
      asked++
      throw undefined
    },
    { name: 'fails' },
  )
  effect(() => {
    controller.getResponse(fails)
    void controller.fetchIfStale(fails)
  })
  await settled()
  assert.is(asked, 1)
  assert.instance(controller.getError(fails), Error)
  assert.equal(reported, [])
})

test('setError is an error like any other', () => {
  const { controller } = world()
  const error = new Error('no')
  controller.setError(PostResource.get, { id: 1 }, error)
  assert.is(controller.getError(PostResource.get, { id: 1 }), error)
  controller.setResponse(PostResource.get, { id: 1 }, posts[0])
  assert.is(controller.getError(PostResource.get, { id: 1 }), undefined)
})

test('invalidate: the data is still there, does not count, and a new answer mends it', async () => {
  const { controller, fetch } = world()
  await controller.fetch(PostResource.getList)
  controller.invalidate(PostResource.getList)
  assert.is(controller.getResponse(PostResource.getList).expiryStatus, 1)
  await controller.fetchIfStale(PostResource.getList)
  assert.is(controller.getResponse(PostResource.getList).expiryStatus, 3)
  assert.is(fetch.calls.length, 2)
})

test('invalidate also what no request of its own has brought', async () => {
  const { controller } = world()
  await controller.fetch(PostResource.getList)
  controller.invalidate(PostResource.get, { id: 1 })
  assert.is(controller.getResponse(PostResource.get, { id: 1 }).expiryStatus, 1)
  assert.is(controller.getResponse(PostResource.get, { id: 2 }).expiryStatus, 3)
})

test('an answer that was asked for before an invalidation does not undo it, and is not shared with who asks after it', async () => {
  const { controller, clock, fetch } = world({ 'GET /posts': { body: posts, delay: 10 } })
  const early = controller.fetch(PostResource.getList)
  await settled()
  controller.invalidate(PostResource.getList)
  clock.advance(10)
  await early
  assert.is(controller.getResponse(PostResource.getList).expiryStatus, 1)
  const late = controller.fetch(PostResource.getList)
  await settled()
  clock.advance(10)
  await late
  assert.is(controller.getResponse(PostResource.getList).expiryStatus, 3)
  assert.is(fetch.calls.length, 2)
})

test('invalidateAll and expireAll take those whose key passes', async () => {
  const { controller } = world()
  await controller.fetch(PostResource.getList)
  await controller.fetch(PostResource.get, { id: 1 })
  controller.expireAll(PostResource.get)
  assert.equal(
    [controller.getResponse(PostResource.get, { id: 1 }), controller.getResponse(PostResource.getList)].map(each => [each.expiryStatus, each.expiresAt]),
    [
      [3, 0],
      [3, 60_000],
    ],
  )
  controller.invalidateAll(PostResource.get)
  assert.is(controller.getResponse(PostResource.get, { id: 1 }).expiryStatus, 1)
  assert.is(controller.getResponse(PostResource.getList).expiryStatus, 3)
})

test('expireAll and invalidateAll reach what somebody looks at and no request of its own has brought', async () => {
  const { controller } = world()
  await controller.fetch(PostResource.getList)
  const seen: unknown[] = []
  const stop = effect(() => {
    const { expiryStatus, expiresAt } = controller.getResponse(PostResource.get, { id: 1 })
    seen.push([expiryStatus, expiresAt])
  })
  controller.expireAll(PostResource.get)
  controller.invalidateAll(PostResource.get)
  assert.equal(seen, [
    [3, 60_000],
    [3, 0],
    [1, 0],
  ])
  stop()
})

test('an answer that was asked for before expireAll is not fresh', async () => {
  const { controller, clock } = world({ 'GET /posts': { body: posts, delay: 10 } })
  const early = controller.fetch(PostResource.getList)
  await settled()
  controller.expireAll({ testKey: () => true })
  clock.advance(10)
  await early
  assert.equal(brief(controller.getResponse(PostResource.getList)), [posts, 3, 0])
})

test('304 keeps the data and renews its expiry', async () => {
  let status = 200
  const { controller, clock } = world({ 'GET /posts': () => (status === 200 ? { body: posts } : { status }) })
  const list = await controller.fetch(PostResource.getList)
  status = 304
  clock.advance(70_000)
  assert.equal(await controller.fetch(PostResource.getList), list)
  assert.is(controller.getResponse(PostResource.getList).expiresAt, 130_000)
})

test('a clock that steps back changes nothing about freshness', async () => {
  const { controller, clock, fetch } = world()
  await controller.fetch(PostResource.getList)
  clock.setDate(0)
  await controller.fetchIfStale(PostResource.getList)
  assert.is(fetch.calls.length, 1)
  clock.advance(60_000)
  await controller.fetchIfStale(PostResource.getList)
  assert.is(fetch.calls.length, 2)
})

test('a clock that gives no number changes nothing about order', async () => {
  const clock = { ...createClock(), date: () => Number.NaN }
  const controller = new Controller({ clock })
  controller.setResponse(PostResource.get, { id: 1 }, { id: 1, title: 'a' })
  controller.setResponse(PostResource.get, { id: 1 }, { id: 1, title: 'b' })
  assert.is(controller.get(Post, { id: 1 })!.title, 'b')
})

test('a deleted entity is invalid for whoever asks for it', async () => {
  const { controller } = world({ 'DELETE /posts/1': { status: 204 } })
  await controller.fetch(PostResource.get, { id: 1 })
  await controller.fetch(PostResource.delete, { id: 1 })
  assert.equal(brief(controller.getResponse(PostResource.get, { id: 1 })).slice(0, 2), [undefined, 1])
})

test('data, freshness and what is under way change in one batch: an effect runs once for all', async () => {
  const { controller } = world()
  const seen: unknown[] = []
  const stop = effect(() => {
    const { data, expiryStatus } = controller.getResponse(PostResource.getList)
    seen.push([data?.length, expiryStatus, controller.isFetching(PostResource.getList), controller.getError(PostResource.getList)])
  })
  await controller.fetch(PostResource.getList)
  assert.equal(seen, [
    [undefined, 1, false, undefined],
    [undefined, 1, true, undefined],
    [2, 3, false, undefined],
  ])
  stop()
})

test('the same answer again wakes readers of the data not at all', async () => {
  const { controller } = world()
  await controller.fetch(PostResource.getList)
  let runs = 0
  const view = controller.view(PostResource.getList)
  const stop = effect(() => void (view.value, runs++))
  await controller.fetch(PostResource.getList)
  assert.is(runs, 1)
  stop()
})

test('reset: nothing is known, and what was under way never lands', async () => {
  const { controller, clock } = world({ 'GET /posts': { body: posts, delay: 10 } })
  controller.setResponse(PostResource.get, { id: 9 }, { id: 9 })
  const early = controller.fetch(PostResource.getList).catch((error: unknown) => error)
  await settled()
  controller.reset()
  assert.instance(await early, ResetError)
  clock.advance(10)
  await settled()
  assert.is(controller.get(Post, { id: 1 }), undefined)
  assert.equal(brief(controller.getResponse(PostResource.get, { id: 9 })), [undefined, 1, 0])
  const again = controller.fetch(PostResource.getList)
  await settled()
  clock.advance(10)
  assert.is((await again).length, 2)
})

test('an answer to what was asked for before an invalidation says nothing of a failure since', async () => {
  const { controller, clock } = world({ 'GET /posts': [{ body: posts, delay: 100 }, { status: 404 }] })
  const first = controller.fetch(PostResource.getList)
  controller.invalidate(PostResource.getList)
  const second = await controller.fetch(PostResource.getList).catch((error: unknown) => error)
  clock.advance(100)
  await first
  assert.instance(second, NetworkError)
  assert.is(controller.getError(PostResource.getList), second)
  assert.is(controller.getResponse(PostResource.getList).expiryStatus, 1)
})

test('a failure of what was asked for before an invalidation says nothing of what is asked for since', async () => {
  const { controller, clock } = world({ 'GET /posts/1': [{ status: 404, delay: 10 }, { body: posts[0], delay: 20 }] })
  const before = controller.fetch(PostResource.get, { id: 1 }).catch((error: unknown) => error)
  controller.invalidate(PostResource.get, { id: 1 })
  const since = controller.fetch(PostResource.get, { id: 1 })
  await settled()
  clock.advance(10)
  assert.is(((await before) as NetworkError).status, 404)
  assert.is(controller.getError(PostResource.get, { id: 1 }), undefined)
  clock.advance(10)
  assert.is((await since).title, 'sow')
})

test('a failed request does not mark an answer that was stored after the request started', async () => {
  const { controller, clock } = world({ 'GET /posts/1': { status: 404, delay: 10 } })
  const asked = controller.fetch(PostResource.get, { id: 1 }).catch((error: unknown) => error)
  controller.setResponse(PostResource.get, { id: 1 }, { id: 1, title: 'stored' })
  await settled()
  clock.advance(10)
  assert.is(((await asked) as NetworkError).status, 404)
  assert.is(controller.getError(PostResource.get, { id: 1 }), undefined)
  assert.is(controller.getResponse(PostResource.get, { id: 1 }).data?.title, 'stored')
})

test('304 for what has no schema gives what is there', async () => {
  const { controller } = world({ 'GET /motd': [{ body: { text: 'sow' } }, { status: 304 }] })
  const motd = new RestEndpoint({ path: '/motd' })
  const first = await controller.fetch(motd)
  assert.equal(first, { text: 'sow' })
  assert.equal(await controller.fetch(motd), first)
})

test('reset by a listener of the very commit: what was answered is over, and what is asked for next is under way', async () => {
  for (const endpoint of [PostResource.get, PostResource.get.extend({ schema: undefined, path: '/raw/:id' }), PostResource.partialUpdate]) {
    const { controller } = world({ 'GET /raw/1': { body: 'text' }, 'PATCH /posts/1': { body: posts[0] } })
    const stop = controller.subscribePatches(({ cause }) => {
      if (cause !== 'fetch') return
      stop()
      controller.reset()
    })
    const outcome = await controller.fetch(endpoint as typeof PostResource.get, { id: 1 }).catch((error: unknown) => error)
    assert.instance(outcome, ResetError)
    assert.equal(brief(controller.getResponse(endpoint as typeof PostResource.get, { id: 1 })), [undefined, 1, 0])
    assert.is(controller.getError(endpoint as typeof PostResource.get, { id: 1 }), undefined)
    assert.is(controller.isFetching(PostResource.get, { id: 1 }), false)
    const again = controller.fetch(PostResource.get, { id: 1 })
    assert.is(controller.isFetching(PostResource.get, { id: 1 }), true)
    await again
    assert.is(controller.isFetching(PostResource.get, { id: 1 }), false)
  }
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
  const { controller, fetch } = world({ 'GET /articles': { body: [{ id: 1, title: 'sow' }, { id: 2, title: 'reap', text: 'whole' }] }, 'GET /articles/1': { body: { id: 1, title: 'sow', text: 'whole' } } })
  await controller.fetch(Articles.getList)
  assert.equal(brief(controller.getResponse(Articles.get, { id: 1 })), [{ id: 1, title: 'sow', text: '' }, 3, 0])
  assert.is((await controller.fetchIfStale(Articles.get, { id: 1 })).text, 'whole')
  await controller.fetchIfStale(Articles.get, { id: 1 })
  await controller.fetchIfStale(Articles.get, { id: 2 })
  assert.equal(fetch.calls.map(({ url }) => url), ['/articles', '/articles/1'])
})

test.run()
