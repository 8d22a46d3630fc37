import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Endpoint } from '../../../src/index.ts'
import type { PushMessage } from '../../../src/push/index.ts'
import { effectOf, set, TodoResource, type Setting, type Todo } from './wire.ts'

const test = suite('push: reads that are fetched again')

const reset: PushMessage = { id: '1', type: 'reset' }

/** A list on screen, which has been fetched. */
async function show(): Promise<Setting & { readonly title: () => string; readonly stop: () => void }> {
  const setting = set()
  const { data, stop } = effectOf(setting.controller, TodoResource.getList)
  await setting.pass(100)
  return { ...setting, stop, title: () => (data() as Todo[])[0]!.title }
}

/** Rows with every field that the class declares: a detail is shown from them without a request. */
function answerWithOwner({ routes }: Setting): void {
  const body = [{ id: 1, title: 'sow', done: false, owner: null }, { id: 2, title: 'reap', done: false, owner: null }]
  Object.assign(routes, { 'GET /todos': { body }, 'GET /todos/1': { body: body[0] }, 'GET /todos/2': { body: body[1] } })
}

test('invalidate by a key prefix fetches what is on screen again, and goes on showing it', async () => {
  const { controller, routes, send, pass, asked } = await show()
  const one = effectOf(controller, TodoResource.get, { id: 1 })
  await pass(100)
  await controller.fetch(TodoResource.get, { id: 2 })
  const before = asked().length
  routes['GET /todos/1'] = { body: { id: 1, title: 'mow', done: true }, delay: 50 }
  await send({ id: '1', type: 'invalidate', key: 'GET /todos/' })
  assert.is((one.data() as Todo).title, 'sow')
  await pass(100)
  assert.equal(asked().slice(before), ['GET /todos/1'])
  assert.is((one.data() as Todo).title, 'mow')
  // What was not on screen is fetched when it is shown.
  await controller.fetchIfStale(TodoResource.get, { id: 2 })
  assert.equal(asked().slice(before), ['GET /todos/1', 'GET /todos/2'])
})

test('invalidate of an entity fetches the reads that show it', async () => {
  const { controller, routes, fetch, send, pass, asked } = set()
  routes['GET /todos/2'] = { body: { id: 2, title: 'reap', done: false, owner: { id: 7, name: 'Ann' } } }
  routes['GET /time'] = { body: 'noon' }
  effectOf(controller, new Endpoint(async () => (await fetch('/time')).text(), { name: 'getTime' }))
  for (const id of [1, 2]) effectOf(controller, TodoResource.get, { id })
  await pass(100)
  const before = asked().length
  await send({ id: '1', type: 'invalidate', entity: 'User', pk: 7 })
  await pass(100)
  await send({ id: '2', type: 'invalidate', entity: 'User', pk: 8 })
  await pass(1100)
  assert.equal(asked().slice(before), ['GET /todos/2'])
})

test('invalidate of an entity reaches a detail that is shown from a list, on screen and later', async () => {
  const setting = set()
  const { controller, send, pass, asked } = setting
  answerWithOwner(setting)
  await controller.fetch(TodoResource.getList)
  const one = effectOf(controller, TodoResource.get, { id: 1 })
  await pass(100)
  assert.equal(asked(), ['GET /todos'])
  await send({ id: '1', type: 'invalidate', entity: 'Todo', pk: '1' })
  await pass(100)
  assert.equal(asked(), ['GET /todos', 'GET /todos/1'])
  one.stop()
  await send({ id: '2', type: 'invalidate', entity: 'Todo', pk: '2' })
  await pass(1100)
  await controller.fetchIfStale(TodoResource.get, { id: 2 })
  assert.equal(asked(), ['GET /todos', 'GET /todos/1', 'GET /todos/2'])
})

test('reset fetches everything that is on screen, and makes nothing invalid', async () => {
  const setting = await show()
  const { controller, send, pass, asked, list, stop } = setting
  answerWithOwner(setting)
  await send(reset)
  assert.equal(list(), [1, 2])
  await pass(100)
  assert.equal(asked(), ['GET /todos', 'GET /todos'])
  stop()
  // Also what is shown from rows alone is not fresh.
  await send({ ...reset, id: '2' })
  await pass(1100)
  await controller.fetchIfStale(TodoResource.get, { id: 1 })
  assert.is(asked().at(-1), 'GET /todos/1')
})

test('a request in flight at a reset may be too old: the read is fetched once more after it', async () => {
  const { controller, routes, send, pass, asked, todo } = set()
  routes['GET /todos'] = [{ body: [{ id: 1, title: 'old', done: false }], delay: 300 }, { body: [{ id: 1, title: 'new', done: false }] }]
  effectOf(controller, TodoResource.getList)
  await send(reset)
  await pass(400)
  assert.is(todo(1)!.title, 'old')
  await pass(1100)
  assert.is(todo(1)!.title, 'new')
  await pass(60_000)
  assert.is(asked().length, 2)
})

test('a slow server is not asked again and again by resets that come faster than it answers', async () => {
  const { routes, send, pass, asked, title } = await show()
  routes['GET /todos'] = { body: [{ id: 1, title: 'slow', done: false }], delay: 3000 }
  for (let n = 0; n < 60; n++) {
    await send({ ...reset, id: `${n}` })
    await pass(100)
  }
  assert.is(title(), 'slow')
  await pass(10_000)
  assert.ok(asked().length <= 5, `${asked().length} requests`)
})

test('ten thousand invalidations in a second are at most two requests', async () => {
  const { wire, pass, asked } = await show()
  for (let n = 0; n < 50; n++) {
    wire.send(...Array.from({ length: 200 }, (_, i) => ({ id: `${n} ${i}`, type: 'invalidate', key: 'GET /todos' })))
    await pass(20)
  }
  await pass(3000)
  assert.ok(asked().length <= 3, `${asked().length} requests`)
})

test('a read that cannot be fetched after a reset is tried until it can', async () => {
  const { routes, send, pass, asked, title } = await show()
  routes['GET /todos'] = { status: 503 }
  await send(reset)
  await pass(30_000)
  assert.is(title(), 'sow')
  const { length } = asked()
  assert.ok(length >= 3 && length <= 5, `${length} requests`)
  routes['GET /todos'] = { body: [{ id: 1, title: 'at last', done: false }] }
  await pass(15_000)
  assert.is(title(), 'at last')
  await pass(60_000)
  assert.is(asked().length, length + 1)
})

test('a read that the server refuses is not tried again', async () => {
  const { routes, send, pass, asked } = await show()
  routes['GET /todos'] = { status: 403 }
  await send(reset)
  await pass(60_000)
  assert.is(asked().length, 2)
})

test.run()
