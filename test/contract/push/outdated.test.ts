import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Endpoint } from '../../../src/index.ts'
import { effectOf } from './reading.ts'
import { set, TodoResource, type Setting, type Todo } from './wire.ts'

const test = suite('push: reads that are fetched again')

const urls = ({ fetch }: Setting): string[] => fetch.calls.map(({ method, url }) => `${method} ${url}`)

test('invalidate by a key prefix fetches what is on screen again, and goes on showing it', async () => {
  const setting = set()
  const { controller, routes, send, pass } = setting
  const list = effectOf(controller, TodoResource.getList)
  const one = effectOf(controller, TodoResource.get, { id: 1 })
  await pass(100)
  await controller.fetch(TodoResource.get, { id: 2 })
  const before = urls(setting).length
  routes['GET /todos/1'] = { body: { id: 1, title: 'mow', done: true }, delay: 50 }
  await send({ id: '1', type: 'invalidate', key: 'GET /todos/' })
  assert.is((one.data() as Todo).title, 'sow')
  await pass(100)
  assert.equal(urls(setting).slice(before), ['GET /todos/1'])
  assert.is((one.data() as Todo).title, 'mow')
  // What was not on screen is fetched when it is shown.
  await controller.fetchIfStale(TodoResource.get, { id: 2 })
  assert.equal(urls(setting).slice(before), ['GET /todos/1', 'GET /todos/2'])
  list.stop()
  one.stop()
})

test('invalidate of an entity fetches the reads that show it', async () => {
  const setting = set()
  const { controller, routes, send, pass } = setting
  routes['GET /todos/2'] = { body: { id: 2, title: 'reap', done: false, owner: { id: 7, name: 'Ann' } } }
  const getTime = new Endpoint(async () => (await setting.fetch('/time')).text(), { name: 'getTime' })
  routes['GET /time'] = { body: 'noon' }
  const readers = [effectOf(controller, TodoResource.get, { id: 1 }), effectOf(controller, TodoResource.get, { id: 2 }), effectOf(controller, getTime)]
  await pass(100)
  const before = urls(setting).length
  await send({ id: '1', type: 'invalidate', entity: 'User', pk: 7 })
  await pass(100)
  assert.equal(urls(setting).slice(before), ['GET /todos/2'])
  await send({ id: '2', type: 'invalidate', entity: 'User', pk: 8 })
  await pass(1100)
  assert.is(urls(setting).length, before + 1)
  for (const { stop } of readers) stop()
})

test('invalidate of an entity reaches a detail that is shown from a list, on screen and later', async () => {
  const setting = set()
  const { controller, send, pass } = setting
  routesWithOwner(setting)
  await controller.fetch(TodoResource.getList)
  const one = effectOf(controller, TodoResource.get, { id: 1 })
  await pass(100)
  assert.equal(urls(setting), ['GET /todos'])
  await send({ id: '1', type: 'invalidate', entity: 'Todo', pk: '1' })
  await pass(100)
  assert.equal(urls(setting), ['GET /todos', 'GET /todos/1'])
  one.stop()
  await send({ id: '2', type: 'invalidate', entity: 'Todo', pk: '2' })
  await pass(1100)
  await controller.fetchIfStale(TodoResource.get, { id: 2 })
  assert.equal(urls(setting), ['GET /todos', 'GET /todos/1', 'GET /todos/2'])
})

test('reset fetches everything that is on screen, and makes nothing invalid', async () => {
  const setting = set()
  const { controller, send, pass } = setting
  routesWithOwner(setting)
  const list = effectOf(controller, TodoResource.getList)
  await pass(100)
  await send({ id: '9', type: 'reset' })
  assert.is((list.data() as Todo[]).length, 2)
  await pass(100)
  assert.equal(urls(setting), ['GET /todos', 'GET /todos'])
  list.stop()
  // Also what is shown from rows alone is not fresh.
  await send({ id: '10', type: 'reset' })
  await pass(1100)
  await controller.fetchIfStale(TodoResource.get, { id: 1 })
  assert.is(urls(setting).at(-1), 'GET /todos/1')
})

test('a request in flight at a reset may be too old: the read is fetched once more after it', async () => {
  const setting = set()
  const { controller, routes, send, pass } = setting
  routes['GET /todos'] = [{ body: [{ id: 1, title: 'old', done: false }], delay: 300 }, { body: [{ id: 1, title: 'new', done: false }] }]
  const list = effectOf(controller, TodoResource.getList)
  await send({ id: '1', type: 'reset' })
  await pass(400)
  assert.is((list.data() as Todo[])[0]!.title, 'old')
  await pass(1100)
  assert.is((list.data() as Todo[])[0]!.title, 'new')
  await pass(60_000)
  assert.is(urls(setting).length, 2)
  list.stop()
})

test('a slow server is not asked again and again by resets that come faster than it answers', async () => {
  const setting = set()
  const { controller, routes, send, pass } = setting
  const list = effectOf(controller, TodoResource.getList)
  await pass(100)
  routes['GET /todos'] = { body: [{ id: 1, title: 'slow', done: false }], delay: 3000 }
  for (let n = 0; n < 60; n++) {
    await send({ id: `${n}`, type: 'reset' })
    await pass(100)
  }
  assert.is((list.data() as Todo[])[0]!.title, 'slow')
  assert.ok(urls(setting).length <= 5, `${urls(setting).length} requests`)
  await pass(10_000)
  assert.ok(urls(setting).length <= 5, `${urls(setting).length} requests`)
  list.stop()
})

test('ten thousand invalidations in a second are at most two requests', async () => {
  const setting = set()
  const { controller, wire, pass } = setting
  const list = effectOf(controller, TodoResource.getList)
  await pass(100)
  for (let n = 0; n < 50; n++) {
    wire.send(...Array.from({ length: 200 }, (_, i) => ({ id: `${n} ${i}`, type: 'invalidate', key: 'GET /todos' })))
    await pass(20)
  }
  await pass(3000)
  assert.ok(urls(setting).length <= 3, `${urls(setting).length} requests`)
  list.stop()
})

test('a read that cannot be fetched after a reset is tried until it can', async () => {
  const setting = set()
  const { controller, routes, send, pass } = setting
  const list = effectOf(controller, TodoResource.getList)
  await pass(100)
  routes['GET /todos'] = { status: 503 }
  await send({ id: '1', type: 'reset' })
  await pass(30_000)
  assert.is((list.data() as Todo[])[0]!.title, 'sow')
  const asked = urls(setting).length
  assert.ok(asked >= 3 && asked <= 5, `${asked} requests`)
  routes['GET /todos'] = { body: [{ id: 1, title: 'at last', done: false }] }
  await pass(15_000)
  assert.is((list.data() as Todo[])[0]!.title, 'at last')
  await pass(60_000)
  assert.is(urls(setting).length, asked + 1)
  list.stop()
})

test('a read that the server refuses is not tried again', async () => {
  const setting = set()
  const { controller, routes, send, pass } = setting
  const list = effectOf(controller, TodoResource.getList)
  await pass(100)
  routes['GET /todos'] = { status: 403 }
  await send({ id: '1', type: 'reset' })
  await pass(60_000)
  assert.is(urls(setting).length, 2)
  list.stop()
})

/** Rows with every field that the class declares: a detail is shown from them without a request. */
function routesWithOwner({ routes }: Setting): void {
  const body = [{ id: 1, title: 'sow', done: false, owner: null }, { id: 2, title: 'reap', done: false, owner: null }]
  Object.assign(routes, { 'GET /todos': { body }, 'GET /todos/1': { body: body[0] }, 'GET /todos/2': { body: body[1] } })
}

test.run()
