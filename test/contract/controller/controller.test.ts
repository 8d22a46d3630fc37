import { effect } from '@preact/signals-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { AbortError, Controller, createLive, createResource, Entity, exportState, PatchcordError, schema, SchemaError, type Commit, type Tracker } from '../../../src/index.ts'
import { createClock, mockFetch } from '../../../src/testing/index.ts'

class User extends Entity {
  static override key = 'User'
  id = 0
  name = ''
}

class Todo extends Entity {
  static override key = 'Todo'
  static override schema = { owner: User }
  id = 0
  title = ''
  done = false
  owner = User.fromJS()
}

const TodoResource = createResource({ path: '/todos/:id', schema: Todo })
const two = [
  { id: 1, title: 'sow', done: false, owner: { id: 7, name: 'ann' } },
  { id: 2, title: 'reap', done: false, owner: 7 },
]

function started(routes: Parameters<typeof mockFetch>[0] = {}): { controller: Controller; commits: Commit[] } {
  const controller = new Controller({ fetch: mockFetch({ 'GET /todos': { body: two }, ...routes }), clock: createClock() })
  const commits: Commit[] = []
  controller.subscribePatches(commit => commits.push(commit))
  return { controller, commits }
}

test('fetch settles after the store has the answer, with the view of it', async () => {
  const { controller } = started()
  const list = await controller.fetch(TodoResource.getList)
  assert.is(list[0]!.owner, list[1]!.owner)
  assert.is(controller.get(User, { id: 7 }), list[0]!.owner)
})

test('the result of a read is retained under its key, that of a mutation is not', async () => {
  const { controller, commits } = started({ 'PATCH /todos/2': { body: { id: 2, done: true } } })
  await controller.fetch(TodoResource.getList)
  await controller.fetch(TodoResource.partialUpdate, { id: 2 }, { done: true })
  const roots = commits.map(({ patches }) => patches.filter(({ path }) => path[0] === 'endpoints').length)
  assert.equal(roots, [1, 0])
})

test('the same answer again commits no patch and wakes nobody', async () => {
  const { controller, commits } = started()
  const before = await controller.fetch(TodoResource.getList)
  let runs = 0
  const stop = effect(() => {
    controller.get(TodoResource.getList.schema)
    runs++
  })
  assert.is(await controller.fetch(TodoResource.getList), before)
  assert.is(runs, 1)
  assert.equal(commits.flatMap(({ patches }) => patches).filter(({ path }) => path[1] === 'Todo').length, 2)
  stop()
})

test('what is read outside of effects is the same object after a wait, and is released after a minute', async () => {
  const clock = createClock()
  const controller = new Controller({ clock })
  controller.setResponse(TodoResource.getList, two)
  const before = controller.get(Todo, { id: 1 })
  await new Promise(resolve => setTimeout(resolve))
  assert.is(controller.get(Todo, { id: 1 }), before)
  clock.advance(60_000)
  await new Promise(resolve => setTimeout(resolve))
  assert.is.not(controller.get(Todo, { id: 1 }), before)
})

test('of reads outside of effects only the newest are retained', async () => {
  const controller = new Controller({ clock: createClock() })
  controller.setResponse(TodoResource.getList, Array.from({ length: 65 }, (_, id) => ({ id })))
  const views = Array.from({ length: 65 }, (_, id) => controller.get(Todo, { id }))
  await new Promise(resolve => setTimeout(resolve))
  assert.is(controller.get(Todo, { id: 64 }), views[64])
  assert.is.not(controller.get(Todo, { id: 0 }), views[0])
})

test('every method works detached', async () => {
  const { controller } = started()
  const { fetch, get, set, snapshot } = controller
  await fetch(TodoResource.getList)
  set(Todo, { id: 1 }, { id: 1, title: 'plough' })
  assert.is(get(Todo, { id: 1 })?.title, 'plough')
  assert.is(snapshot(), controller.snapshot())
})

test('a view is a signal of the same read', async () => {
  const { controller } = started()
  const title = controller.view(Todo, { id: 1 })
  assert.is(title.value, undefined)
  await controller.fetch(TodoResource.getList)
  assert.is(title.value?.title, 'sow')
})

test('an updater gets a draft of the record, where nested entities are pks', async () => {
  const { controller, commits } = started()
  await controller.fetch(TodoResource.getList)
  controller.set(Todo, { id: 1 }, record => {
    assert.is(record.owner, '7')
    record.done = true
  })
  assert.equal(commits.at(-1)!.patches, [{ op: 'replace', path: ['entities', 'Todo', '1', 'done'], value: true }])
  assert.equal(commits.at(-1)!.inversePatches, [{ op: 'replace', path: ['entities', 'Todo', '1', 'done'], value: false }])
  assert.is(commits.at(-1)!.cause, 'set')
})

test('an object that an updater writes into a schema field is normalized', async () => {
  const { controller } = started()
  await controller.fetch(TodoResource.getList)
  controller.set(Todo, { id: 1 }, record => ({ ...record, owner: { id: 8, name: 'bob' } }))
  assert.is(controller.get(Todo, { id: 1 })?.owner.name, 'bob')
  assert.is(controller.get(User, { id: 8 })?.name, 'bob')
})

test('an updater of an entity that is not there is an error, and changes nothing', () => {
  const { controller } = started()
  const before = controller.snapshot()
  assert.throws(() => controller.set(Todo, { id: 9 }, () => {}), (error: unknown) => error instanceof PatchcordError && error.code === 'MISSING')
  assert.throws(() => controller.set([Todo], {}, () => {}), (error: unknown) => error instanceof SchemaError)
  assert.is(controller.snapshot(), before)
})

test('patches from outside carry their origin, and are refused whole', async () => {
  const { controller, commits } = started()
  await controller.fetch(TodoResource.getList)
  controller.applyPatches([{ op: 'replace', path: ['entities', 'Todo', '1', 'title'], value: 'rest' }], { origin: 'tab' })
  assert.is(commits.at(-1)!.origin, 'tab')
  const before = controller.snapshot()
  assert.throws(() =>
    controller.applyPatches([
      { op: 'replace', path: ['entities', 'Todo', '1', 'title'], value: 'lost' },
      { op: 'replace', path: ['entities', 'Todo', '99', 'title'], value: 'nobody' },
    ]),
  )
  assert.is(controller.snapshot(), before)
})

test('a listener that throws is reported and stops nobody', async () => {
  const reported: unknown[] = []
  const controller = new Controller({ onError: error => void reported.push(error) })
  const heard: string[] = []
  controller.subscribePatches(() => {
    throw new Error('mine')
  })
  const stop = controller.subscribePatches(({ cause }) => heard.push(cause))
  controller.setResponse(TodoResource.getList, two)
  assert.equal(reported.map(String), ['Error: mine'])
  assert.equal(heard, ['setResponse'])
  stop()
  controller.set(Todo, { id: 1 }, { id: 1, done: true })
  assert.is(heard.length, 1)
})

test('nor when it throws who is reported it: what he throws goes where errors go that nobody hears of', () => {
  const host = globalThis as { reportError?: ((error: unknown) => void) | undefined }
  const uncaught: unknown[] = []
  const { reportError } = host
  host.reportError = error => void uncaught.push(error)
  try {
    const fail = (error: unknown): never => {
      throw error
    }
    const controller = new Controller({ onError: fail })
    const heard: string[] = []
    controller.subscribePatches(() => fail(new Error('mine')))
    controller.subscribePatches(({ cause }) => heard.push(cause))
    controller.setResponse(TodoResource.getList, two)
    assert.equal(heard, ['setResponse'])
    assert.equal(uncaught.map(String), ['Error: mine'])
  } finally {
    host.reportError = reportError
  }
})

test('live objects keep their identity while their fields change', async () => {
  const { controller } = started()
  await controller.fetch(TodoResource.getList)
  const list = controller.live(TodoResource.getList.schema)!
  const seen: string[] = []
  const stop = effect(() => void seen.push(list[0]!.title))
  controller.set(Todo, { id: 1 }, { id: 1, title: 'harrow' })
  controller.set(Todo, { id: 1 }, { id: 1, done: true })
  assert.equal(seen, ['sow', 'harrow'])
  assert.is(controller.live(TodoResource.getList.schema), list)
  stop()
})

test('another library tracks live objects by its own means', async () => {
  const { controller } = started()
  await controller.fetch(TodoResource.getList)
  const events: string[] = []
  const tracker: Tracker = {
    isTracking: () => true,
    source: () => ({ track: () => void events.push('track'), trigger: () => void events.push('trigger') }),
    untracked: read => read(),
    batch: work => work(),
    memo: compute => compute,
  }
  const live = createLive(controller, tracker)
  const todo = live.query(Todo, { id: 1 })!
  events.length = 0
  assert.is(todo.title, 'sow')
  controller.set(Todo, { id: 1 }, { id: 1, title: 'mow' })
  assert.equal(events, ['track', 'trigger'])
  live.dispose()
})

test('what is in flight when the controller is disposed of ends with an AbortError and writes nothing', async () => {
  const { controller } = started()
  const before = controller.snapshot()
  const request = controller.fetch(TodoResource.getList)
  controller.dispose()
  await request.then(
    () => assert.unreachable('it must not resolve'),
    (error: unknown) => assert.instance(error, AbortError),
  )
  assert.is(controller.snapshot(), before)
})

test('a block that uses a controller disposes of it at its end', async () => {
  let request: Promise<unknown>
  {
    using controller = started().controller
    request = controller.fetch(TodoResource.getList)
  }
  assert.instance(await request.catch((error: unknown) => error), AbortError)
})

test('a page is appended to its list, and carries its cursor into the result of the list', async () => {
  const Feed = createResource({ path: '/feed/:id', schema: Todo }).extend({
    getList: { schema: { results: new schema.Collection([Todo]), cursor: '' } },
  })
  const { controller } = started({
    'GET /feed': { body: { results: [two[0]], cursor: 'b' } },
    'GET /feed?cursor=b': { body: { results: [two[1]], cursor: 'c' } },
  })
  const first = await controller.fetch(Feed.getList)
  await controller.fetch(Feed.getList.paginated('cursor'), { cursor: first.cursor })
  const [[, stored]] = exportState(controller.snapshot()).endpoints as [[string, { cursor: string }]]
  assert.is(stored.cursor, 'c')
  assert.equal(controller.get(Feed.getList.schema.results)?.map(({ title }) => title), ['sow', 'reap'])
})

test('an answer of 304 keeps the data; without any it is an error', async () => {
  let status = 304
  const controller = new Controller({
    fetch: () => Promise.resolve(new Response(status === 304 ? null : JSON.stringify(two), { status, headers: { 'content-type': 'application/json' } })),
  })
  await controller.fetch(TodoResource.getList).then(
    () => assert.unreachable('there is nothing to keep'),
    (error: unknown) => assert.is((error as { status?: number }).status, 304),
  )
  status = 200
  const list = await controller.fetch(TodoResource.getList)
  status = 304
  const before = controller.snapshot()
  assert.is(await controller.fetch(TodoResource.getList), list)
  assert.is(controller.snapshot(), before)
})

test('a clock that stands still or steps back does not make a later answer older', async () => {
  let now = 5000
  const still = { now: () => now, date: () => now, after: () => () => {} }
  const controller = new Controller({ clock: still })
  controller.setResponse(TodoResource.get, { id: 1 }, { id: 1, title: 'first' })
  now = 1000
  controller.setResponse(TodoResource.get, { id: 1 }, { id: 1, title: 'second' })
  assert.is(controller.get(Todo, { id: 1 })?.title, 'second')
})

test('a listener that another one sends away does not hear the commit under way', () => {
  const controller = new Controller()
  const heard: string[] = []
  const leave: (() => void)[] = []
  controller.subscribePatches(() => {
    heard.push('first')
    leave.forEach(each => each())
  })
  leave.push(controller.subscribePatches(() => void heard.push('second')))
  controller.set(Todo, { id: 1 })
  assert.equal(heard, ['first'])
})

test('a listener that writes during the commit of foreign patches writes above them, also when their stamps lie in the future', () => {
  const controller = new Controller({ gc: false })
  const later = Date.now() + 60_000
  let isFirst = true
  controller.subscribePatches(() => {
    if (!isFirst) return
    isFirst = false
    controller.setResponse(TodoResource.get, { id: '1' }, { id: '1', title: 'of the listener' })
  })
  controller.applyPatches([{ op: 'add', path: ['entities', 'Todo', '1'], value: { id: '1', title: 'theirs' } }], { stamps: [{ key: 'Todo', pks: ['1'], stamp: { fetchedAt: later, date: later, expiresAt: later } }] })
  assert.is(controller.get(Todo, { id: '1' })?.title, 'of the listener')
})

test.run()
