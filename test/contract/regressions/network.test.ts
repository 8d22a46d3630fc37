import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AbortError, dehydrate, Endpoint, Entity, hydrate, NetworkError, PathError, RestEndpoint, subscribe, systemClock } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { mockFetch } from '../../../src/testing/index.ts'
import { warnings, rejected } from '../../support/caught.ts'
import { pass } from '../managers/world.ts'
import { begun, get, getList, open, partialUpdate, remove, Todo, titleOf } from './page.ts'

const test = suite('regressions: requests and optimistic updates')

test('apollo-client#7436 #9450 #10992 #10997 #9720 views that overwrite each other, each time with another answer, ask once each', async () => {
  let n = 0
  const answer = (deep: unknown) => () => ({ body: { id: '1', title: `title ${n}`, n: n++, deep } })
  const fetch = mockFetch({ 'GET /a': answer({ a: 1 }), 'GET /b': answer({ b: 1 }), 'GET /c': answer(null) })
  const { controller, clock, reported } = open({ fetch })
  for (const path of ['/a', '/a', '/b', '/c']) {
    const endpoint = new RestEndpoint({ path, schema: Todo })
    effect(() => {
      controller.getResponse(endpoint)
      controller.fetchIfStale(endpoint).catch(() => {})
    })
  }
  await pass(clock, 59_000, 1000)
  assert.equal([fetch.calls.map(({ url }) => url).sort(), reported], [['/a', '/b', '/c'], []])
  controller.dispose()
})

test('urql#2737 #2876 #2761 what the user asks for is sent, however often; only readers can go in a circle', async () => {
  const fetch = mockFetch({ 'GET /todos/1': { body: { id: '1' } } })
  const { controller } = open({ fetch })
  for (let i = 0; i < 50; i++) {
    await controller.fetch(get, { id: '1' })
    controller.invalidate(get, { id: '1' })
  }
  assert.is(fetch.calls.length, 50)
})

test('data-client B14, fast-uri CVE-2026-6321 a segment of dots is an error before any request and any expectation', async () => {
  const { controller, wire } = begun()
  const before = controller.snapshot()
  assert.instance(await rejected(controller.fetch(remove, { id: '..' })), PathError)
  assert.is(controller.snapshot(), before)
  assert.equal(wire.sent, [])
})

test('TanStack/query#10401 a timer whose name is 0 is cancelled like any other', () => {
  const { setTimeout, clearTimeout } = globalThis
  const cleared: unknown[] = []
  Object.assign(globalThis, { setTimeout: () => 0, clearTimeout: (timer: unknown) => void cleared.push(timer) })
  try {
    systemClock.after(10, () => {})()
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout })
  }
  assert.equal(cleared, [0])
})

test('relay RelayModernStore-SubscriptionGc: what is polled stays when those who read it have gone', async () => {
  const { controller, clock } = open({ fetch: mockFetch({ 'GET /todos/1': { body: { id: '1', title: 'polled' } } }) })
  const polled = get.extend({ pollFrequency: 600_000 })
  subscribe(controller, polled, { id: '1' })
  await pass(clock, 0)
  effect(() => void controller.getResponse(polled, { id: '1' }))()
  await pass(clock, 1_500_000, 30_000)
  assert.is(controller.getResponse(polled, { id: '1' }).data?.title, 'polled')
  controller.dispose()
})

test('TanStack/query#9752 #8969 a page that arrives broken is a warning, and everything is fetched as usual', async () => {
  for (const data of ['', 'null', new Error('x'), new Proxy({}, { get: () => { throw new Error('trap') } })]) {
    const { controller, wire } = open()
    assert.is(warnings(() => assert.not(hydrate(controller, data))).length, 1)
    const asked = controller.fetchIfStale(get, { id: '1' })
    await wire.answer('/todos/1', { id: '1', title: 'fetched' })
    assert.is((await asked).title, 'fetched')
  }
})

test('urql#2458 what is written down after a reset has nothing from before it', async () => {
  const { controller, wire } = begun()
  const deleted = controller.fetch(remove, { id: '1' })
  await wire.answer('/todos/1', null, 204)
  await deleted
  controller.reset()
  const { entities, endpoints, freshness } = dehydrate(controller)
  assert.equal([entities.flatMap(([, rows]) => rows), [...endpoints], [...freshness]], [[], [], []])
})

test('apollo-client#13281 #3723 every way to read, begun before or in the tick of the call, shows what is expected and never what was', () => {
  const page = begun()
  const { controller } = page
  const view = controller.view(get, { id: '1' })
  const live = controller.live(get, { id: '1' }) as Todo
  void controller.fetch(partialUpdate, { id: '1' }, { title: 'new' }).catch(() => {})
  const seen: unknown[] = []
  effect(() => void seen.push(titleOf(page), controller.getResponse(get, { id: '1' }).data!.title, view.value!.title, live.title))
  assert.equal(seen, ['new', 'new', 'new', 'new'])
  controller.dispose()
})

test('TanStack/query#5968 a refetch that is ended, and a create that fails meanwhile, leave no row and nothing that loads', async () => {
  const { controller, wire } = open()
  controller.setResponse(getList, [{ id: '1', title: 'old' }])
  const created = rejected(controller.fetch(getList.push, { title: 'mine' }))
  const refetched = rejected(controller.fetch(getList))
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

test.run()
