import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AbortError, Controller, createResource, PathError, subscribe, type NetworkError } from '../../../src/index.ts'
import { createClock, mockFetch } from '../../../src/testing/index.ts'
import { createDesk, outcome, Post, Posts, settled } from './posts.ts'

const { delete: remove, get, getList, partialUpdate, update } = Posts

const test = suite('requests')

test('reads of one key are one request and one object, until it is over; calls that change something are one request each', async () => {
  const { controller, requests } = createDesk()
  const asked = [controller.fetch(get, { id: 1 }), controller.fetch(get, { id: '1' }), controller.fetchIfStale(get, { id: 1 })]
  assert.is(requests.length, 1)
  requests[0]!.answer({ id: 1, title: 'sow' })
  const [first, ...others] = await Promise.all(asked)
  assert.is(first!.title, 'sow')
  for (const other of others) assert.is(other, first)
  void controller.fetch(get, { id: 1 })
  assert.is(requests.length, 2)
  for (let i = 0; i < 2; i++) void controller.fetch(getList.push.extend({ serial: false }), { title: 'sow' })
  assert.is(requests.length, 4)
})

test('when it fails, all who asked get the same error', async () => {
  const { controller, requests } = createDesk()
  const asked = [controller.fetch(get, { id: 1 }), controller.fetch(get, { id: 1 })]
  const error = new Error('no')
  requests[0]!.fail(error)
  for (const each of asked) assert.is(await outcome(each), error)
})

test('what an answer says after it was settled is nothing', async () => {
  const { controller, requests } = createDesk()
  const asked = controller.fetch(get, { id: 1 })
  requests[0]!.answer({ id: 1, title: 'sow' })
  requests[0]!.answer({ id: 1, title: 'reap' })
  requests[0]!.fail(new Error('late'))
  assert.equal([(await asked).title, controller.get(Post, { id: 1 })!.title, controller.getError(get, { id: 1 })], ['sow', 'sow', undefined])
})

test('one of two readers leaves: the other gets the answer', async () => {
  const { controller, requests } = createDesk()
  const abort = new AbortController()
  const leaves = outcome(controller.fetch(get.extend({ signal: abort.signal }), { id: 1 }))
  const stays = controller.fetch(get, { id: 1 })
  abort.abort()
  assert.instance(await leaves, AbortError)
  assert.not(requests[0]!.signal.aborted)
  requests[0]!.answer({ id: 1, title: 'sow' })
  assert.is((await stays).title, 'sow')
  assert.is(requests.length, 1)
})

test('all readers leave: the request ends, and nothing is written', async () => {
  const { controller, requests } = createDesk()
  const aborts = [new AbortController(), new AbortController()]
  const asked = aborts.map(({ signal }) => outcome(controller.fetch(get.extend({ signal }), { id: 1 })))
  for (const abort of aborts) abort.abort()
  for (const each of asked) assert.instance(await each, AbortError)
  assert.ok(requests[0]!.signal.aborted)
  requests[0]!.answer({ id: 1 })
  assert.equal([controller.get(Post, { id: 1 }), controller.getError(get, { id: 1 })], [undefined, undefined])
  assert.not(controller.isFetching(get, { id: 1 }))
})

test('all readers leave, and one whom that wakes throws: it is reported, and the request ends all the same', async () => {
  const { controller, requests, reported } = createDesk()
  const broken = new Error('mine')
  const abort = new AbortController()
  const asked = outcome(controller.fetch(get.extend({ signal: abort.signal }), { id: 1 }))
  let runs = 0
  effect(() => {
    const [fetching] = [controller.isFetching(get, { id: 1 }), controller.getResponse(get, { id: 1 })]
    runs++
    if (!fetching) throw broken
  })
  abort.abort()
  assert.instance(await asked, AbortError)
  assert.equal([requests[0]!.signal.aborted, reported, runs], [true, [broken], 2])
})

test('who leaves because the answer is there has it', async () => {
  const { controller, requests } = createDesk()
  for (const at of ['read', 'call']) {
    controller.reset()
    const abort = new AbortController()
    const stop = effect(() => void (controller.get(Post, { id: 1 }) && abort.abort()))
    const { signal } = abort
    const args = [{ id: 1 }, {}] as const
    const asked = at === 'call' ? controller.fetch(partialUpdate.extend({ signal }), ...args) : controller.fetch(get.extend({ signal }), args[0])
    requests.at(-1)!.answer({ id: 1, title: 'sow' })
    assert.is((await asked).title, 'sow', at)
    assert.ok(signal.aborted)
    stop()
  }
})

for (const [title, endpoint, id, error] of [
  ['a signal that is aborted already sends nothing', get.extend({ signal: AbortSignal.abort() }), 1, AbortError],
  ['a path that must not be built is an error before any request', get, '..', PathError],
] as const) {
  test(title, async () => {
    const { controller, requests } = createDesk()
    assert.instance(await outcome(controller.fetch(endpoint, { id })), error)
    assert.is(requests.length, 0)
  })
}

test('abort ends a request for everybody, and twice is once', async () => {
  const { controller, requests } = createDesk()
  const asked = [controller.fetch(get, { id: 1 }), controller.fetch(get, { id: 1 })].map(outcome)
  const other = controller.fetch(get, { id: 2 })
  for (let i = 0; i < 2; i++) controller.abort(get, { id: 1 })
  for (const each of asked) assert.instance(await each, AbortError)
  requests[1]!.answer({ id: 2, title: 'reap' })
  assert.is((await other).title, 'reap')
})

test('an answer that cannot be normalized fails the request and leaves the data', async () => {
  const { controller, requests } = createDesk()
  controller.setResponse(get, { id: 1 }, { id: 1, title: 'sow' })
  const asked = outcome(controller.fetch(get, { id: 1 }))
  requests[0]!.answer({ title: 'nameless' })
  const error = await asked
  assert.is((error as Error).name, 'MissingPkError')
  assert.is(controller.getError(get, { id: 1 }), error)
  assert.is(controller.getResponse(get, { id: 1 }).data!.title, 'sow')
})

test('dispose ends what is under way, writes nothing, and ends what comes after it', async () => {
  const { controller, requests } = createDesk()
  const before = controller.snapshot()
  const asked = outcome(controller.fetch(get, { id: 1 }))
  for (let i = 0; i < 2; i++) controller.dispose()
  requests[0]!.answer({ id: 1 })
  assert.instance(await asked, AbortError)
  assert.ok(requests[0]!.signal.aborted)
  assert.instance(await outcome(controller.fetch(get, { id: 1 })), AbortError)
  assert.is(controller.snapshot(), before)
})

test('dispose ends everything also from inside of a write, while calls are under way', async () => {
  const clock = createClock()
  const reported: unknown[] = []
  const signals: AbortSignal[] = []
  const fetch = (_input: string, { signal }: RequestInit = {}): Promise<Response> => {
    signals.push(signal!)
    return new Promise(() => {})
  }
  const controller = new Controller({ clock, fetch, onError: error => void reported.push(error) })
  const rename = createResource({ path: '/posts/:id', schema: Post, optimistic: true }).partialUpdate
  for (const id of [1, 2]) controller.set(Post, { id, title: 'sow' })
  const asked = [controller.fetch(get, { id: 3 }), ...[1, 2].map(id => controller.fetch(rename, { id }, { title: 'reap' }))].map(outcome)
  subscribe(controller, getList.extend({ pollFrequency: 1000 }))
  clock.advance(0)
  controller.set(Post, { id: 1 }, post => {
    post.title = 'mow'
    controller.dispose()
  })
  for (const each of await Promise.all(asked)) assert.instance(each, AbortError)
  assert.equal([signals.map(({ aborted }) => aborted), clock.pending], [[true, true, true, true], 0])
  // What the calls had expected goes after what was just being written.
  assert.equal([reported, controller.get(Post, { id: 2 })!.title], [[], 'sow'])
})

test('what is no endpoint is named, with what to look for', async () => {
  const { controller } = createDesk()
  for (const verb of ['fetch', 'fetchIfStale'] as const) {
    const error = await outcome((async () => (controller[verb] as (endpoint: undefined) => Promise<unknown>)(undefined))())
    assert.match((error as Error).message, /needs an endpoint, not undefined.*spelling/s)
  }
})

test('calls to one entity are sent one after the other; others do not wait', async () => {
  const { controller, requests } = createDesk()
  const abort = new AbortController()
  const { signal } = abort
  const change = (id: unknown, title: string, options = {}): Promise<unknown> => outcome(controller.fetch(partialUpdate.extend(options), { id: id as number }, { title }))
  const sent = (): unknown[] => requests.map(({ args }) => (args[1] as { title: string }).title)
  const [first, second] = [change(1, 'a'), change(1, 'b', { signal }), change('1', 'c'), change(2, 'd'), change(1, 'e', { serial: false })]
  assert.equal(sent(), ['a', 'd', 'e'])
  // One that waits is gone at once; the next does not take its turn before the first has settled.
  abort.abort()
  assert.instance(await second, AbortError)
  assert.equal(sent(), ['a', 'd', 'e'])
  requests[0]!.answer({ id: 1, title: 'a' })
  await first
  assert.equal(sent(), ['a', 'd', 'e', 'c'])
})

test('a reset sends no call that waits behind one which was made after it', async () => {
  const { controller, requests } = createDesk()
  controller.setResponse(getList, [])
  const push = getList.push.extend({ getOptimisticResponse: (_, body) => body })
  void outcome(controller.fetch(push, { title: 'new' }))
  const temporary = controller.get(getList.schema)![0]!.id
  void outcome(controller.fetch(partialUpdate, { id: temporary }, { title: 'waits' }))
  void outcome(controller.fetch(partialUpdate, { id: 7 }, { title: 'knows' }))
  requests[0]!.answer({ id: 7, title: 'new' })
  controller.reset()
  assert.equal(requests.map(({ args }) => (args.at(-1) as { title: string }).title), ['new', 'knows'])
})

test('the next call to an entity goes when the one before it has failed for good, and not while it is tried again', async () => {
  const clock = createClock(1_000_000)
  const fetch = mockFetch({ 'PUT /posts/1': { status: 500 }, 'DELETE /posts/1': { status: 204 } }, { clock })
  const controller = new Controller({ fetch, clock })
  const put = outcome(controller.fetch(update, { id: 1 }, {}))
  const done = controller.fetch(remove, { id: 1 })
  for (let i = 0; i < 10; i++) {
    await settled()
    clock.advance(500)
  }
  assert.is(((await put) as NetworkError).status, 500)
  await done
  assert.equal(fetch.calls.map(({ method }) => method), ['PUT', 'PUT', 'PUT', 'DELETE'])
})

test('a call that is ended from inside of its request keeps its lane for the call that it made there', async () => {
  const controller = new Controller()
  const abort = new AbortController()
  const { signal } = abort
  const never = (): Promise<never> => new Promise(() => {})
  const log: string[] = []
  const run = (name: string, work: () => Promise<unknown> = never, options = {}): Promise<unknown> =>
    outcome(controller.fetch(partialUpdate.extend({ ...options, fetch: ((): Promise<unknown> => (log.push(name), work())) as never }), { id: 1 }, {}))
  void run('first', async () => ({ id: 1 }))
  const ended = run('ended', () => {
    void run('inner')
    abort.abort()
    return never()
  }, { signal })
  assert.instance(await ended, AbortError)
  void run('last')
  await settled()
  assert.equal(log, ['first', 'ended', 'inner'])
})

test.run()
