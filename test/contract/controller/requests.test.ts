import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AbortError, Controller, createResource, Entity, PathError, subscribe, type Action, type FetchAction, type Manager } from '../../../src/index.ts'
import { createClock, mockFetch } from '../../../src/testing/index.ts'

class Post extends Entity {
  static override key = 'Post'
  id = 0
  title = ''
}

const PostResource = createResource({ path: '/posts/:id', schema: Post })
const { get, getList } = PostResource

/** A network that answers on request. */
class Desk implements Manager {
  readonly requests: FetchAction[] = []

  action(action: Action): boolean {
    if (action.type !== 'fetch') return false
    this.requests.push(action)
    return true
  }

  get last(): FetchAction {
    return this.requests[this.requests.length - 1]!
  }
}

function world(): { controller: Controller; desk: Desk } {
  const desk = new Desk()
  return { controller: new Controller({ managers: [desk], clock: createClock() }), desk }
}

const outcome = (promise: Promise<unknown>): Promise<unknown> => promise.then(value => JSON.parse(JSON.stringify(value)) as unknown, (error: unknown) => error)

const test = suite('requests')

test('reads of one key are one request, and all who asked get the same object', async () => {
  const { controller, desk } = world()
  const asked = [controller.fetch(get, { id: 1 }), controller.fetch(get, { id: '1' }), controller.fetchIfStale(get, { id: 1 })]
  assert.is(desk.requests.length, 1)
  desk.last.answer({ id: 1, title: 'sow' })
  const [first, ...others] = await Promise.all(asked)
  assert.is(first!.title, 'sow')
  for (const other of others) assert.is(other, first)
})

test('when it fails, all who asked get the same error', async () => {
  const { controller, desk } = world()
  const asked = [controller.fetch(get, { id: 1 }), controller.fetch(get, { id: 1 })]
  const error = new Error('no')
  desk.last.fail(error)
  for (const each of asked) assert.is(await outcome(each), error)
})

test('what an answer says after it was settled is nothing', async () => {
  const { controller, desk } = world()
  const asked = controller.fetch(get, { id: 1 })
  desk.last.answer({ id: 1, title: 'sow' })
  desk.last.answer({ id: 1, title: 'reap' })
  desk.last.fail(new Error('late'))
  assert.is((await asked).title, 'sow')
  assert.is(controller.get(Post, { id: 1 })!.title, 'sow')
  assert.is(controller.getError(get, { id: 1 }), undefined)
})

test('after it is over a read is a new request', async () => {
  const { controller, desk } = world()
  void controller.fetch(get, { id: 1 })
  desk.last.answer({ id: 1 })
  void controller.fetch(get, { id: 1 })
  assert.is(desk.requests.length, 2)
})

test('calls that change something are one request each', () => {
  const { controller, desk } = world()
  void controller.fetch(getList.push, { title: 'sow' })
  void controller.fetch(getList.push, { title: 'sow' })
  assert.is(desk.requests.length, 2)
})

test('one of two readers leaves: the other gets the answer', async () => {
  const { controller, desk } = world()
  const abort = new AbortController()
  const leaves = outcome(controller.fetch(get.extend({ signal: abort.signal }), { id: 1 }))
  const stays = controller.fetch(get, { id: 1 })
  abort.abort()
  assert.instance(await leaves, AbortError)
  assert.not(desk.last.signal.aborted)
  desk.last.answer({ id: 1, title: 'sow' })
  assert.is((await stays).title, 'sow')
  assert.is(desk.requests.length, 1)
})

test('all readers leave: the request ends, and nothing is written', async () => {
  const { controller, desk } = world()
  const aborts = [new AbortController(), new AbortController()]
  const asked = aborts.map(({ signal }) => outcome(controller.fetch(get.extend({ signal }), { id: 1 })))
  aborts.forEach(each => each.abort())
  for (const each of asked) assert.instance(await each, AbortError)
  assert.ok(desk.last.signal.aborted)
  desk.last.answer({ id: 1 })
  assert.is(controller.get(Post, { id: 1 }), undefined)
  assert.is(controller.getError(get, { id: 1 }), undefined)
  assert.not(controller.isFetching(get, { id: 1 }))
})

test('all readers leave, and one whom that wakes throws: it is reported, and the request ends all the same', async () => {
  const reported: unknown[] = []
  const desk = new Desk()
  const controller = new Controller({ managers: [desk], onError: error => void reported.push(error) })
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
  assert.ok(desk.last.signal.aborted)
  assert.equal(reported, [broken])
  assert.is(runs, 2)
})

test('who leaves because the answer is there has it', async () => {
  const { controller, desk } = world()
  for (const at of ['read', 'call']) {
    controller.reset()
    const abort = new AbortController()
    const stop = effect(() => void (controller.get(Post, { id: 1 }) && abort.abort()))
    const { signal } = abort
    const asked = at === 'call' ? controller.fetch(PostResource.partialUpdate.extend({ signal }), { id: 1 }, {}) : controller.fetch(get.extend({ signal }), { id: 1 })
    desk.last.answer({ id: 1, title: 'sow' })
    assert.equal(await outcome(asked), { id: 1, title: 'sow' }, at)
    assert.ok(signal.aborted)
    stop()
  }
})

test('a signal that is aborted already sends nothing', async () => {
  const { controller, desk } = world()
  assert.instance(await outcome(controller.fetch(get.extend({ signal: AbortSignal.abort() }), { id: 1 })), AbortError)
  assert.is(desk.requests.length, 0)
})

test('abort ends a request for everybody, and twice is once', async () => {
  const { controller, desk } = world()
  const asked = [controller.fetch(get, { id: 1 }), controller.fetch(get, { id: 1 })].map(outcome)
  const other = controller.fetch(get, { id: 2 })
  controller.abort(get, { id: 1 })
  controller.abort(get, { id: 1 })
  for (const each of asked) assert.instance(await each, AbortError)
  desk.last.answer({ id: 2, title: 'reap' })
  assert.is((await other).title, 'reap')
})

test('a path that must not be built is an error before any request', async () => {
  const { controller, desk } = world()
  assert.instance(await outcome(controller.fetch(get, { id: '..' })), PathError)
  assert.is(desk.requests.length, 0)
})

test('an answer that cannot be normalized fails the request and leaves the data', async () => {
  const { controller, desk } = world()
  controller.setResponse(get, { id: 1 }, { id: 1, title: 'sow' })
  const asked = outcome(controller.fetch(get, { id: 1 }))
  desk.last.answer({ title: 'nameless' })
  assert.is(((await asked) as Error).name, 'MissingPkError')
  assert.is(controller.getResponse(get, { id: 1 }).data!.title, 'sow')
  assert.is((controller.getError(get, { id: 1 }) as Error).name, 'MissingPkError')
})

test('dispose ends what is under way, and what comes after it', async () => {
  const { controller, desk } = world()
  const asked = outcome(controller.fetch(get, { id: 1 }))
  controller.dispose()
  controller.dispose()
  assert.instance(await asked, AbortError)
  assert.ok(desk.last.signal.aborted)
  assert.instance(await outcome(controller.fetch(get, { id: 1 })), AbortError)
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
  const rename = PostResource.partialUpdate.extend({ getOptimisticResponse: (_snap: unknown, { id }: { id: string | number }, body: object) => ({ id: Number(id), ...body }) })
  for (const id of [1, 2]) controller.set(Post, { id, title: 'sow' })
  const asked = [controller.fetch(get, { id: 3 }), ...[1, 2].map(id => controller.fetch(rename, { id }, { title: 'reap' }))].map(outcome)
  subscribe(controller, getList.extend({ pollFrequency: 1000 }))
  clock.advance(0)
  controller.set(Post, { id: 1 }, (post: Post) => {
    post.title = 'mow'
    controller.dispose()
  })
  for (const each of await Promise.all(asked)) assert.instance(each, AbortError)
  assert.is(signals.length, 4)
  assert.ok(signals.every(({ aborted }) => aborted))
  assert.is(clock.pending, 0)
  // What the calls had expected goes after what was just being written.
  assert.equal([reported, controller.get(Post, { id: 2 })!.title], [[], 'sow'])
})

test('managers see what is asked, in their order, before it is done', async () => {
  const seen: string[] = []
  const watcher = (name: string): Manager => ({
    start: () => void seen.push(`${name} start`),
    action: ({ type }) => void seen.push(`${name} ${type}`),
    commit: ({ cause }) => void seen.push(`${name} commit ${cause}`),
    stop: () => void seen.push(`${name} stop`),
  })
  const controller = new Controller({ managers: [watcher('a'), watcher('b')], fetch: mockFetch({ 'GET /posts/1': { body: { id: 1 } } }) })
  await controller.fetch(get, { id: 1 })
  controller.invalidate(get, { id: 1 })
  controller.expireAll(get)
  controller.invalidateAll(get)
  controller.set(Post, { id: 1, title: 'reap' })
  controller.setResponse(get, { id: 1 }, { id: 1, title: 'mow' })
  controller.setError(get, { id: 1 }, new Error('no'))
  controller.abort(get, { id: 1 })
  controller.reset()
  controller.dispose()
  const of = (name: string): string[] => seen.filter(each => each.startsWith(name)).map(each => each.slice(2))
  assert.equal(of('a'), of('b'))
  assert.equal(of('a'), [
    'start',
    ...['fetch', 'commit fetch', 'invalidate', 'expireAll', 'invalidateAll', 'set', 'commit set', 'setResponse', 'commit setResponse', 'setError'],
    ...['abort', 'reset', 'commit reset', 'stop'],
  ])
})

test('a manager that throws is reported, and stops nobody', () => {
  const reported: unknown[] = []
  const broken: Manager = {
    commit() {
      throw new Error('broken')
    },
  }
  const controller = new Controller({ managers: [broken], onError: error => void reported.push(error) })
  controller.setResponse(get, { id: 1 }, { id: 1, title: 'sow' })
  assert.is(controller.get(Post, { id: 1 })!.title, 'sow')
  assert.equal(reported.map(String), ['Error: broken'])
})

test('what is no endpoint is named, with what to look for', async () => {
  const { controller } = world()
  for (const verb of ['fetch', 'fetchIfStale'] as const) {
    const error = await outcome((async () => (controller[verb] as (endpoint: undefined) => Promise<unknown>)(undefined))())
    assert.match((error as Error).message, 'needs an endpoint, not undefined')
    assert.match((error as Error).message, 'spelling')
  }
})

test.run()
