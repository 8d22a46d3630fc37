import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { All, Entity } from '../../../src/index.ts'
import { set, settle, Todo, TodoResource, User } from './wire.ts'

const test = suite('push: messages')

test('upsert writes a record, nested entities included', async () => {
  const { controller, send } = set()
  await send({ id: '1', type: 'upsert', entity: 'Todo', value: { id: 7, title: 'mow', done: false, owner: { id: 3, name: 'Ann' } } })
  assert.is(controller.get(Todo, { id: 7 })?.title, 'mow')
  assert.is(controller.get(User, { id: 3 })?.name, 'Ann')
})

test('upsert merges a part of a record, and only readers of the changed field wake', async () => {
  const { controller, send } = set()
  await controller.fetch(TodoResource.getList)
  const todo = controller.live(Todo, { id: 1 })!
  const seen: string[] = []
  effect(() => void seen.push(`title ${todo.title}`))
  effect(() => void seen.push(`done ${todo.done}`))
  await send({ id: '1', type: 'upsert', entity: 'Todo', value: { id: 1, done: true } })
  assert.equal(seen, ['title sow', 'done false', 'done true'])
})

test('remove deletes an entity and takes it out of lists', async () => {
  const { controller, send } = set()
  await controller.fetch(TodoResource.getList)
  await send({ id: '1', type: 'remove', entity: 'Todo', pk: 1 })
  assert.is(controller.get(Todo, { id: 1 }), undefined)
  assert.equal(controller.getResponse(TodoResource.getList).data?.map(todo => todo.id), [2])
})

test('with a list as its type, rows enter and leave the lists that they match', async () => {
  const { controller, send, routes } = set({ types: { Todo: TodoResource.getList.move.schema } })
  routes['GET /todos?done=true'] = { body: [] }
  await controller.fetch(TodoResource.getList)
  await controller.fetch(TodoResource.getList, { done: true })
  const lists = (): unknown => [controller.getResponse(TodoResource.getList).data?.map(todo => todo.id), controller.getResponse(TodoResource.getList, { done: true }).data?.map(todo => todo.id)]
  await send({ id: '1', type: 'upsert', entity: 'Todo', value: { id: 3, title: 'mow', done: true } })
  assert.equal(lists(), [[1, 2, 3], [3]])
  await send({ id: '2', type: 'upsert', entity: 'Todo', value: { id: 3, done: false } }, { id: '3', type: 'upsert', entity: 'Todo', value: { id: 1, done: true } })
  assert.equal(lists(), [[1, 2, 3], [1]])
  await send({ id: '4', type: 'remove', entity: 'Todo', pk: 1 })
  assert.equal(lists(), [[2, 3], []])
})

test('a creation schema among the types adds new rows to the lists that they belong to', async () => {
  const { controller, send, routes } = set()
  routes['GET /todos?done=true'] = { body: [] }
  await controller.fetch(TodoResource.getList)
  await controller.fetch(TodoResource.getList, { done: true })
  const message = { type: 'upsert', entity: 'newTodo', value: { id: 3, title: 'mow', done: false } } as const
  await send({ id: '1', ...message }, { id: '2', ...message })
  assert.equal(controller.getResponse(TodoResource.getList).data?.map(todo => todo.id), [1, 2, 3])
  assert.equal(controller.getResponse(TodoResource.getList, { done: true }).data, [])
})

test('patches are applied, all of a message or none', async () => {
  const { controller, send, errors } = set()
  await controller.fetch(TodoResource.getList)
  await send({ id: '1', type: 'patches', patches: [{ op: 'replace', path: ['entities', 'Todo', '1', 'title'], value: 'rake' }] })
  assert.is(controller.get(Todo, { id: 1 })?.title, 'rake')
  await send({ id: '2', type: 'patches', patches: [{ op: 'replace', path: ['entities', 'Todo', '1', 'title'], value: 'no' }, { op: 'replace', path: ['nowhere'], value: 1 }] })
  assert.is(controller.get(Todo, { id: 1 })?.title, 'rake')
  assert.is(errors.length, 1)
})

test('messages of all kinds keep their order', async () => {
  const { controller, send } = set()
  const path = ['entities', 'Todo', '9', 'title']
  await send(
    { id: '1', type: 'upsert', entity: 'Todo', value: { id: 9, title: 'a', done: false } },
    { id: '2', type: 'patches', patches: [{ op: 'replace', path, value: 'b' }] },
    { id: '3', type: 'remove', entity: 'Todo', pk: 9 },
    { id: '4', type: 'upsert', entity: 'Todo', value: { id: 9, title: 'c', done: true } },
    { id: '5', type: 'patches', patches: [{ op: 'replace', path, value: 'd' }] },
  )
  assert.is(controller.get(Todo, { id: 9 })?.title, 'd')
  assert.is(controller.get(Todo, { id: 9 })?.done, true)
})

test('a message lands beneath pending changes, and shows when they go', async () => {
  const { controller, send, routes, clock } = set()
  await controller.fetch(TodoResource.getList)
  routes['PATCH /todos/1'] = { status: 409, delay: 1000 }
  const call = controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'mine' })
  await send({ id: '1', type: 'upsert', entity: 'Todo', value: { id: 1, title: 'theirs', done: true } })
  assert.is(controller.get(Todo, { id: 1 })?.title, 'mine')
  assert.is(controller.get(Todo, { id: 1 })?.done, true)
  clock.advance(1000)
  await call.catch(() => {})
  assert.is(controller.get(Todo, { id: 1 })?.title, 'theirs')
})

test('a message equal to a pending change is there when the change is rolled back', async () => {
  const { controller, send, routes, clock } = set()
  await controller.fetch(TodoResource.getList)
  routes['PATCH /todos/1'] = { status: 409, delay: 1000 }
  const call = controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'same' })
  await send({ id: '1', type: 'upsert', entity: 'Todo', value: { id: 1, title: 'same' } })
  clock.advance(1000)
  await call.catch(() => {})
  assert.is(controller.get(Todo, { id: 1 })?.title, 'same')
})

test('the answer of a mutation does not hide messages that came before it', async () => {
  const { controller, send, routes, clock } = set()
  await controller.fetch(TodoResource.getList)
  // The server took our change, then somebody else's; the messages overtake our answer.
  routes['PATCH /todos/1'] = { body: { id: 1, title: 'ours', done: false }, delay: 1000 }
  const call = controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'ours' })
  await send({ id: '1', type: 'upsert', entity: 'Todo', value: { id: 1, title: 'ours' } }, { id: '2', type: 'upsert', entity: 'Todo', value: { id: 1, title: 'theirs' } })
  clock.advance(1000)
  await call
  await settle()
  assert.is(controller.get(Todo, { id: 1 })?.title, 'theirs')
})

for (const isCreated of [true, false]) test(`a row whose creation is in flight is not shown twice, and those of others are not lost: the call ${isCreated ? 'succeeds' : 'fails'}`, async () => {
  const { controller, send, routes, clock } = set()
  const titles = (): string[] => controller.getResponse(TodoResource.getList).data!.map(({ title }) => title)
  await controller.fetch(TodoResource.getList)
  routes['POST /todos'] = { status: isCreated ? 201 : 500, body: { id: 3, title: 'mine', done: false }, delay: 1000 }
  const call = controller.fetch(TodoResource.getList.push, { title: 'mine' })
  const add = (id: number, title: string) => ({ id: `${id}`, type: 'upsert', entity: 'newTodo', value: { id, title, done: false } }) as const
  await send(add(3, 'mine'), add(4, 'theirs'), { id: '5', type: 'upsert', entity: 'Todo', value: { id: 1, title: 'sown' } })
  assert.equal(titles(), ['sown', 'reap', 'mine'])
  clock.advance(1000)
  await call.catch(() => {})
  await settle()
  assert.equal(titles(), ['sown', 'reap', 'mine', 'theirs'])
})

test('a read that was asked for before a message and is answered after it does not take it back', async () => {
  const { controller, send, routes, clock } = set()
  routes['GET /todos'] = { body: [{ id: 1, title: 'old', done: false }], delay: 1000 }
  const list = controller.fetch(TodoResource.getList)
  await send({ id: '1', type: 'upsert', entity: 'Todo', value: { id: 1, title: 'new' } })
  clock.advance(1000)
  await list
  assert.is(controller.get(Todo, { id: 1 })?.title, 'new')
  assert.is(controller.get(Todo, { id: 1 })?.done, false)
})

test('an entity of a version keeps the newer record, whatever arrives later', async () => {
  class Note extends Entity {
    static override key = 'Note'
    static override version = 'version'
    id = 0
    version = 0
  }
  const { controller, send } = set({ types: { Note } })
  await send({ id: '1', type: 'upsert', entity: 'Note', value: { id: 1, version: 5 } }, { id: '2', type: 'upsert', entity: 'Note', value: { id: 1, version: 4 } })
  assert.is(controller.get(Note, { id: 1 })?.version, 5)
})

test('messages may come as JSON, and a commit says where it came from', async () => {
  const { controller, send, stream } = set()
  const causes: unknown[] = []
  controller.subscribePatches(({ cause, origin }) => causes.push([cause, origin]))
  await send('{"id":"5","type":"upsert","entity":"Todo","value":{"id":4,"title":"json"}}')
  assert.equal(controller.get(new All(Todo))?.map(todo => todo.title), ['json'])
  assert.equal(causes, [['push', 'push']])
  assert.is(stream.lastId(), undefined)
})

test('a bad message is reported and skipped, and those around it land', async () => {
  const bad: unknown[] = [
    null, undefined, 7, true, [], 'no json', '', '{', '"text"', '{"type":', {}, { type: 'unknown' }, { type: '__proto__' },
    { type: 'upsert' }, { type: 'upsert', entity: 'Nothing', value: { id: 1 } }, { type: 'upsert', entity: '__proto__', value: { id: 1 } },
    { type: 'upsert', entity: 'constructor', value: { id: 1 } }, { type: 'upsert', entity: 'Todo' }, { type: 'upsert', entity: 'Todo', value: null },
    { type: 'upsert', entity: 'Todo', value: 'text' }, { type: 'upsert', entity: 'Todo', value: { title: 'no pk' } }, { type: 'upsert', entity: {}, value: { id: 1 } },
    { type: 'remove', entity: 'Todo' }, { type: 'remove', entity: 'Todo', pk: null }, { type: 'remove', entity: 'Todo', pk: true },
    { type: 'remove', entity: 'Nothing', pk: 1 }, { type: 'invalidate' }, { type: 'invalidate', entity: 'Nothing', pk: 1 }, { type: 'invalidate', key: 7 },
    { type: 'patches' }, { type: 'patches', patches: 'none' }, { type: 'patches', patches: [{ op: 'add', path: ['__proto__', 'x'], value: 1 }] },
    { type: 'patches', patches: [{ op: 'replace', path: ['entities', 'Todo', '1', '__proto__'], value: {} }] },
    { type: Symbol('upsert') }, Object.create(null), { type: Object.create(null) as unknown },
  ]
  for (const message of bad) {
    const { controller, wire, pass, errors, stream } = set()
    await pass(0)
    wire.send({ id: '1', type: 'upsert', entity: 'Todo', value: { id: 1, title: 'before' } }, message, { id: '3', type: 'upsert', entity: 'User', value: { id: 1, name: 'after' } })
    await pass(100)
    const text = (() => { try { return JSON.stringify(message) } catch { return 'hostile' } })()
    assert.is(errors.length, 1, text)
    assert.is((errors[0] as Error & { code: string }).code, 'MESSAGE', text)
    assert.ok(errors[0]!.cause instanceof Error, text)
    assert.is(controller.get(Todo, { id: 1 })?.title, 'before', text)
    assert.is(controller.get(User, { id: 1 })?.name, 'after', text)
    assert.is(stream.lastId(), '3', text)
    assert.is(stream.status.value, 'open', text)
    controller.dispose()
  }
  assert.equal(Object.keys(Object.prototype), [])
})

test('hostile keys and depths in a value are data, or a reported message', async () => {
  const { controller, send, errors } = set()
  await send('{"id":"1","type":"upsert","entity":"Todo","value":{"id":1,"title":"x","__proto__":{"isAdmin":true},"constructor":"c","then":"t"}}')
  const todo = controller.get(Todo, { id: 1 }) as Todo & { isAdmin?: boolean }
  assert.is(todo.isAdmin, undefined)
  assert.ok(todo instanceof Todo)
  assert.is(errors.length, 0)
  await send(`{"id":"2","type":"upsert","entity":"Todo","value":{"id":2,"title":${'['.repeat(5000)}${']'.repeat(5000)}}}`)
  assert.is(errors.length, 1)
  assert.is(controller.get(Todo, { id: 2 }), undefined)
  await send({ id: '3', type: 'upsert', entity: 'Todo', value: { id: 3, title: 'still there' } })
  assert.is(controller.get(Todo, { id: 3 })?.title, 'still there')
})

test('a listener or an entity class that throws does not stop the stream', async () => {
  class Odd extends Entity {
    static override key = 'Odd'
    id = 0
    static override merge(): never {
      throw new Error('no merge')
    }
  }
  const { controller, send, errors } = set({ types: { Odd, Todo } })
  controller.subscribePatches(() => {
    throw new Error('listener')
  })
  await send({ id: '1', type: 'upsert', entity: 'Odd', value: { id: 1 } }, { id: '2', type: 'upsert', entity: 'Odd', value: { id: 1, x: 1 } }, { id: '3', type: 'upsert', entity: 'Todo', value: { id: 1, title: 'a' } })
  await send({ id: '4', type: 'upsert', entity: 'Todo', value: { id: 1, title: 'b' } })
  assert.is(controller.get(Todo, { id: 1 })?.title, 'b')
  assert.is(errors.filter(error => (error as { code?: string }).code === 'MESSAGE').length, 1)
})

test.run()
