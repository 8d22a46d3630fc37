import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHistory } from '../../../src/history/index.ts'
import { AbortError, Controller, dehydrate, Endpoint, Entity, hydrate, NetworkError, type FetchAction, type Fields } from '../../../src/index.ts'
import { createClock, mockFetch } from '../../../src/testing/index.ts'
import { quiet, until } from '../bindings/wire.ts'
import { pass, rejection } from '../managers/world.ts'
import { begun, get, getList, open, partialUpdate, remove, Todo, titleOf, update } from './page.ts'
import { isSettled } from '../../support/state.ts'

const test = suite('regressions: optimistic updates, through the controller')

test('apollo-client#3723 who begins to watch in the tick of the call sees what is expected, and never what was', () => {
  const page = begun()
  void page.controller.fetch(partialUpdate, { id: '1' }, { title: 'new' }).catch(() => {})
  const seen: unknown[] = []
  effect(() => void seen.push(titleOf(page)))
  assert.equal(seen, ['new'])
  page.controller.dispose()
})

test('apollo-client#13281 every way to read shows what is expected', () => {
  const page = begun()
  const { controller } = page
  const view = controller.view(get, { id: '1' })
  const live = controller.live(get, { id: '1' }) as Todo
  void controller.fetch(partialUpdate, { id: '1' }, { title: 'new' }).catch(() => {})
  assert.equal([titleOf(page), controller.getResponse(get, { id: '1' }).data!.title, view.value!.title, live.title], ['new', 'new', 'new', 'new'])
  controller.dispose()
})

test('TanStack/query#5968 a refetch that is ended, and a create that fails meanwhile, leave no row and nothing that loads', async () => {
  const page = open()
  const { controller, wire } = page
  controller.setResponse(getList, [{ id: '1', title: 'old' }])
  const created = rejection(controller.fetch(getList.push, { title: 'mine' }))
  const refetched = rejection(controller.fetch(getList))
  assert.is(controller.getResponse(getList).data!.length, 2)
  controller.abort(getList)
  controller.invalidate(getList)
  // The create was sent first, so this answers it.
  await wire.answer('/todos', {}, 500)
  assert.instance(await refetched, AbortError)
  assert.instance(await created, NetworkError)
  assert.equal([controller.isFetching(getList), controller.isFetching(getList.push, { title: 'mine' })], [false, false])
  assert.equal(controller.getResponse(getList).data!.map(todo => todo.id), ['1'])
})

test('TanStack/query#9601 a refetch that is ended takes nothing along that was written meanwhile', async () => {
  const page = begun()
  const ended = rejection(page.controller.fetch(get, { id: '1' }))
  page.controller.set(Todo, { id: '1' }, todo => void (todo.title = 'by hand'))
  page.controller.abort(get, { id: '1' })
  assert.instance(await ended, AbortError)
  assert.is(titleOf(page), 'by hand')
})

test('TanStack/query#7085 a refetch does not interrupt the call that is under way', async () => {
  const page = begun()
  const { controller, wire } = page
  const called = controller.fetch(update, { id: '1' }, { title: 'new' })
  controller.invalidate(get, { id: '1' })
  const read = controller.fetch(get, { id: '1' })
  await until(() => wire.pending === 2)
  await wire.answer('/todos/1', { id: '1', title: 'new' })
  await wire.answer('/todos/1', { id: '1', title: 'new' })
  assert.equal([(await called).title, (await read).title, titleOf(page)], ['new', 'new', 'new'])
})

test('TanStack/query#4906, TanStack/db#1300, urql#2882, replicache#6340 calls to one entity go one by one, in their order, though the first is tried again', async () => {
  const clock = createClock()
  const fetch = mockFetch({ 'PUT /todos/1': [{ status: 503 }, ({ body }) => ({ body: { id: '1', ...(body as object) } })] }, { clock })
  const controller = new Controller({ fetch, clock, retry: { base: 100 } })
  const called = ['a', 'b', 'c'].map(title => controller.fetch(update, { id: '1' }, { title }))
  await pass(clock, 1000)
  await Promise.all(called)
  assert.equal(fetch.calls.map(({ body }) => (body as Todo).title), ['a', 'a', 'b', 'c'])
  assert.is(controller.get(Todo, { id: '1' })!.title, 'c')
})

test('urql#3142 #3158 what creates is sent once, also when nobody can say whether it has arrived', async () => {
  for (const route of [{ status: 503 }, { error: new TypeError('reset') }]) {
    const clock = createClock()
    const fetch = mockFetch({ 'POST /todos': route }, { clock })
    const controller = new Controller({ fetch, clock })
    const failed = rejection(controller.fetch(getList.push, { title: 'once' }))
    await pass(clock, 60_000, 5000)
    assert.instance(await failed, NetworkError)
    assert.is(fetch.calls.length, 1)
  }
})

test('urql#2740 an expectation that names one field hides none of the others', () => {
  const page = begun()
  const like = new Endpoint(async () => ({}), { name: 'like', sideEffect: true, schema: Todo, getOptimisticResponse: () => ({ id: '1', n: 2 }) })
  void page.controller.fetch(like).catch(() => {})
  const { title, n } = page.controller.getResponse(get, { id: '1' }).data!
  assert.equal([title, n], ['old', 2])
  page.controller.dispose()
})

test('urql#2478 an expectation that contains itself is shown', () => {
  class Node extends Entity {
    id = ''
    next: Node | undefined = undefined
    static override key = 'Node'
    static override schema: Fields = {}
  }
  Node.schema = { next: Node }
  const { controller } = open()
  const circle: { id: string; next?: object } = { id: 'a' }
  circle.next = { id: 'b', next: circle }
  const tie = new Endpoint(() => new Promise(() => {}), { name: 'tie', sideEffect: true, schema: Node, getOptimisticResponse: () => circle })
  void controller.fetch(tie).catch(() => {})
  const a = controller.get(Node, { id: 'a' })!
  assert.is(a.next!.id, 'b')
  assert.is(a.next!.next, a)
  controller.dispose()
})

test('TanStack/db#621 a deletion is reported once: when it is expected, and not again when it is answered', async () => {
  const { controller, wire } = begun()
  const received: unknown[] = []
  controller.subscribePatches(({ patches }) => void received.push(...patches))
  const deleted = controller.fetch(remove, { id: '1' })
  await wire.answer('/todos/1', null, 204)
  await deleted
  assert.equal(received, [{ op: 'remove', path: ['entities', 'Todo', '1'] }])
})

test('TanStack/db#558 #376 a call that fails says so to who called, and nothing of it is left', async () => {
  const page = begun()
  const history = createHistory(page.controller)
  const failed = rejection(page.controller.fetch(partialUpdate, { id: '1' }, { title: 'new' }))
  await page.wire.answer('/todos/1', {}, 409)
  assert.is(((await failed) as NetworkError).status, 409)
  assert.equal([titleOf(page), history.canUndo.value], ['old', false])
  assert.ok(isSettled(page.controller))
})

test('TanStack/db#879, apollo-client#6551 what is only expected is not written down', async () => {
  const page = begun()
  void page.controller.fetch(partialUpdate, { id: '1' }, { title: 'hoped for' }).catch(() => {})
  const elsewhere = open().controller
  hydrate(elsewhere, JSON.stringify(dehydrate(page.controller)))
  assert.is(elsewhere.get(Todo, { id: '1' })!.title, 'old')
  page.controller.dispose()
})

test('replicache#5923 what is put into a list is there once, whatever was there', async () => {
  const { controller, wire } = open()
  controller.setResponse(getList, [{ id: '1' }, { id: '2' }])
  const pushed = controller.fetch(getList.push, [{ id: '2' }, { id: '3' }, { id: '3' }] as never)
  assert.equal(controller.getResponse(getList).data!.map(todo => todo.id), ['1', '2', '3'])
  await wire.answer('/todos', [{ id: '2' }, { id: '3' }, { id: '3' }])
  await pushed
  assert.equal(controller.getResponse(getList).data!.map(todo => todo.id), ['1', '2', '3'])
})

test('zero#5389 a poll that was under way while two calls were answered undoes neither', async () => {
  const asked: FetchAction[] = []
  const page = begun({ managers: [{ action: action => action.type === 'fetch' && asked.push(action) > 0 }] })
  const { controller } = page
  const all = [controller.fetch(get, { id: '1' }), ...['a', 'b'].map(title => controller.fetch(partialUpdate, { id: '1' }, { title }))]
  asked[1]!.answer({ id: '1', title: 'a' })
  asked[2]!.answer({ id: '1', title: 'b' })
  asked[0]!.answer({ id: '1', title: 'stale', n: 9 })
  await Promise.all(all)
  assert.equal([titleOf(page), controller.get(Todo, { id: '1' })!.n], ['b', 9])
})

test('TanStack/query#471 who asks again after an invalidation does not get the answer of the first request', async () => {
  const page = begun()
  const { controller, wire } = page
  const first = controller.fetch(get, { id: '1' }).catch(() => undefined)
  await until(() => wire.pending === 1)
  controller.invalidate(get, { id: '1' })
  const second = controller.fetch(get, { id: '1' })
  await wire.answer('/todos/1', { id: '1', title: 'before' })
  await first
  await wire.answer('/todos/1', { id: '1', title: 'after' })
  assert.is((await second).title, 'after')
  await quiet()
  assert.equal([titleOf(page), wire.sent.length], ['after', 2])
})

test.run()
