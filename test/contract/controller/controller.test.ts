import { effect } from '@preact/signals-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { AbortError, Controller, SchemaError, type Commit, type Patch } from '../../../src/index.ts'
import { createClock, mockFetch, type MockRoutes } from '../../../src/testing/index.ts'
import { caught } from '../../support/caught.ts'
import { Todo, TodoResource, User } from '../../support/todo.ts'
import { outcome, settled, throwing } from './posts.ts'

const { get, getList } = TodoResource
const two = [{ id: 1, title: 'sow', done: false, owner: { id: 7, name: 'ann' } }, { id: 2, title: 'reap', done: false, owner: 7 }]

function started(routes: MockRoutes = {}): { controller: Controller; commits: Commit[] } {
  const controller = new Controller({ fetch: mockFetch({ 'GET /todos': { body: two }, ...routes }), clock: createClock() })
  const commits: Commit[] = []
  controller.subscribePatches(commit => commits.push(commit))
  return { controller, commits }
}

test('fetch settles after the store has the answer, with the view of it; a view is a signal of the same read', async () => {
  const { controller } = started()
  const view = controller.view(Todo, { id: 1 })
  assert.is(view.value, undefined)
  const list = await controller.fetch(getList)
  assert.is(view.value, list[0])
  assert.is(list[0]!.owner, list[1]!.owner)
  assert.is(controller.get(User, { id: 7 }), list[0]!.owner)
})

test('the result of a read is retained under its key, that of a mutation is not', async () => {
  const { controller, commits } = started({ 'PATCH /todos/2': { body: { id: 2, done: true } } })
  await controller.fetch(getList)
  await controller.fetch(TodoResource.partialUpdate, { id: 2 }, { done: true })
  assert.equal(commits.map(({ patches }) => patches.filter(({ path }) => path[0] === 'endpoints').length), [1, 0])
})

test('the same answer again commits no patch and wakes nobody', async () => {
  const { controller, commits } = started()
  const before = await controller.fetch(getList)
  const seen: unknown[] = []
  const stops = [() => controller.get(getList.schema), () => controller.view(getList).value].map(read => effect(() => void seen.push(read())))
  assert.is(await controller.fetch(getList), before)
  assert.is(seen.length, 2)
  assert.equal(commits.flatMap(({ patches }) => patches).filter(({ path }) => path[1] === 'Todo').length, 2)
  for (const stop of stops) stop()
})

test('what is read outside of effects is the same object after a wait, and is released after a minute', async () => {
  const clock = createClock()
  const controller = new Controller({ clock })
  controller.setResponse(getList, two)
  const before = controller.get(Todo, { id: 1 })
  await settled()
  assert.is(controller.get(Todo, { id: 1 }), before)
  clock.advance(60_000)
  await settled()
  assert.is.not(controller.get(Todo, { id: 1 }), before)
})

test('of reads outside of effects only the newest are retained', async () => {
  const { controller } = started()
  controller.setResponse(getList, Array.from({ length: 65 }, (_, id) => ({ id })))
  const views = Array.from({ length: 65 }, (_, id) => controller.get(Todo, { id }))
  await settled()
  assert.is(controller.get(Todo, { id: 64 }), views[64])
  assert.is.not(controller.get(Todo, { id: 0 }), views[0])
})

test('every method works detached', async () => {
  const { fetch, get, set, snapshot } = started().controller
  await fetch(getList)
  const before = snapshot()
  set(Todo, { id: 1 }, { id: 1, title: 'plough' })
  assert.is(get(Todo, { id: 1 })?.title, 'plough')
  assert.is.not(snapshot(), before)
})

test('an updater gets a draft of the record, where nested entities are pks', async () => {
  const { controller, commits } = started()
  await controller.fetch(getList)
  controller.set(Todo, { id: 1 }, record => {
    assert.is(record.owner, '7')
    record.done = true
  })
  const { patches, inversePatches, cause } = commits.at(-1)!
  const path = ['entities', 'Todo', '1', 'done']
  assert.equal([patches, inversePatches, cause], [[{ op: 'replace', path, value: true }], [{ op: 'replace', path, value: false }], 'set'])
})

test('an object that an updater writes into a schema field is normalized', async () => {
  const { controller } = started()
  await controller.fetch(getList)
  controller.set(Todo, { id: 1 }, record => ({ ...record, owner: { id: 8, name: 'bob' } }))
  assert.is(controller.get(User, { id: 8 })?.name, 'bob')
  assert.is(controller.get(Todo, { id: 1 })?.owner, controller.get(User, { id: 8 }))
  controller.set(Todo, { id: 1 }, record => (record.title = 'sown'))
  assert.is(controller.get(Todo, { id: 1 })?.title, 'sown', 'what an assignment returns is no record')
})

test('an updater of an entity that is not there is an error, and changes nothing', () => {
  const { controller } = started()
  const before = controller.snapshot()
  assert.is(caught(() => controller.set(Todo, { id: 9 }, () => {}))['code'], 'MISSING')
  assert.instance(caught(() => controller.set([Todo], {}, () => {})), SchemaError)
  assert.is(controller.snapshot(), before)
})

test('patches from outside carry their origin, and are refused whole', async () => {
  const { controller, commits } = started()
  await controller.fetch(getList)
  const rename = (pk: string, value: string): Patch => ({ op: 'replace', path: ['entities', 'Todo', pk, 'title'], value })
  controller.applyPatches([rename('1', 'rest')], { origin: 'tab' })
  assert.is(commits.at(-1)!.origin, 'tab')
  const before = controller.snapshot()
  assert.throws(() => controller.applyPatches([rename('1', 'lost'), rename('99', 'nobody')]))
  assert.is(controller.snapshot(), before)
})

const mine = new Error('mine')

/** What a listener hears of two commits, of which it leaves after the first, beside one that throws. */
function heardBeside(onError: (error: unknown) => void): string[] {
  const controller = new Controller({ onError })
  const heard: string[] = []
  controller.subscribePatches(throwing(mine))
  const stop = controller.subscribePatches(({ cause }) => heard.push(cause))
  controller.setResponse(getList, two)
  stop()
  controller.set(Todo, { id: 1 }, { id: 1, done: true })
  return heard
}

test('a listener that throws is reported and stops nobody', () => {
  const reported: unknown[] = []
  assert.equal([heardBeside(error => void reported.push(error)), reported], [['setResponse'], [mine, mine]])
})

test('nor when it throws who is reported it: what he throws goes where errors go that nobody hears of', () => {
  const host = globalThis as { reportError?: ((error: unknown) => void) | undefined }
  const uncaught: unknown[] = []
  const { reportError } = host
  host.reportError = error => void uncaught.push(error)
  try {
    assert.equal([heardBeside(error => throwing(error)()), uncaught], [['setResponse'], [mine, mine]])
  } finally {
    host.reportError = reportError
  }
})

test('a listener that another one sends away does not hear the commit under way', () => {
  const controller = new Controller()
  const heard: string[] = []
  controller.subscribePatches(() => {
    heard.push('first')
    leave()
  })
  const leave = controller.subscribePatches(() => void heard.push('second'))
  controller.set(Todo, { id: 1 })
  assert.equal(heard, ['first'])
})

test('a listener that writes during the commit of foreign patches writes above them, also when their stamps lie in the future', () => {
  const controller = new Controller({ gc: false })
  const later = Date.now() + 60_000
  const stamp = { fetchedAt: later, date: later, expiresAt: later }
  const stop = controller.subscribePatches(() => {
    stop()
    controller.setResponse(get, { id: '1' }, { id: '1', title: 'of the listener' })
  })
  const theirs = { op: 'add', path: ['entities', 'Todo', '1'], value: { id: '1', title: 'theirs' } } satisfies Patch
  controller.applyPatches([theirs], { stamps: [{ key: 'Todo', pks: ['1'], stamp }] })
  assert.is(controller.get(Todo, { id: '1' })?.title, 'of the listener')
})

test('after dispose neither managers nor listeners hear of a commit', () => {
  const heard: string[] = []
  const controller = new Controller({ managers: [{ commit: () => void heard.push('manager') }] })
  controller.subscribePatches(() => void heard.push('listener'))
  const add = (id: string): void => controller.applyPatches([{ op: 'add', path: ['entities', 'Todo', id], value: { id } }])
  add('1')
  controller.dispose()
  add('2')
  assert.equal(heard, ['manager', 'listener'])
})

test('a block that uses a controller disposes of it at its end', async () => {
  let request: Promise<unknown>
  {
    using controller = started().controller
    request = controller.fetch(getList)
  }
  assert.instance(await outcome(request), AbortError)
})

test.run()
