import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { All, Entity, type Patch } from '../../../src/index.ts'
import { until } from '../../support/waiting.ts'
import { effectOf, set, Todo, TodoResource, upsert, User } from './wire.ts'

const test = suite('push: messages')

test('upsert writes a record, nested entities included', async () => {
  const { controller, send, todo } = set()
  await send(upsert({ id: 7, title: 'mow', done: false, owner: { id: 3, name: 'Ann' } }))
  assert.equal([todo(7)?.title, controller.get(User, { id: 3 })?.name], ['mow', 'Ann'])
})

test('upsert merges a part of a record, and only readers of the changed field wake', async () => {
  const { controller, send } = set()
  await controller.fetch(TodoResource.getList)
  const todo = controller.live(Todo, { id: 1 })!
  const seen: string[] = []
  effect(() => void seen.push(`title ${todo.title}`))
  effect(() => void seen.push(`done ${todo.done}`))
  await send(upsert({ id: 1, done: true }))
  assert.equal(seen, ['title sow', 'done false', 'done true'])
})

test('remove deletes an entity and takes it out of lists', async () => {
  const { controller, send, todo, list, routes, pass } = set()
  routes['GET /todos?limit=1'] = [{ body: [{ id: 1, title: 'sow' }] }, { body: [{ id: 2, title: 'reap' }] }]
  const page = effectOf(controller, TodoResource.getList, { limit: 1 } as object)
  await controller.fetch(TodoResource.getList)
  await send({ id: '1', type: 'remove', entity: 'Todo', pk: 1 })
  await pass(2000)
  assert.equal([todo(1), list(), list({ limit: 1 } as object)], [undefined, [2], [2]])
  page.stop()
})

test('with a list as its type, rows enter and leave the lists that they match', async () => {
  const { controller, send, list, routes } = set({ types: { Todo: TodoResource.getList.move.schema } })
  routes['GET /todos?done=true'] = { body: [] }
  for (const args of [{}, { done: true }]) await controller.fetch(TodoResource.getList, args)
  const lists = (): unknown => [list(), list({ done: true })]
  await send(upsert({ id: 3, title: 'mow', done: true }))
  assert.equal(lists(), [[1, 2, 3], [3]])
  await send(upsert({ id: 3, done: false }, '2'), upsert({ id: 1, done: true }, '3'))
  assert.equal(lists(), [[1, 2, 3], [1]])
  await send({ id: '4', type: 'remove', entity: 'Todo', pk: 1 })
  assert.equal(lists(), [[2, 3], []])
})

test('a row leaves its list also where a read that has its new values already lands below the message', async () => {
  const { controller, send, list, routes, pass } = set({ types: { Todo: TodoResource.getList.move.schema } })
  routes['GET /todos?done=false'] = { body: [{ id: 1, title: 'sow', done: false }] }
  routes['GET /todos'] = { body: [{ id: 1, title: 'sow', done: true }], delay: 1000 }
  await controller.fetch(TodoResource.getList, { done: false })
  void controller.fetch(TodoResource.getList)
  await send(upsert({ id: 1, done: true }))
  await pass(1000)
  assert.equal([list(), list({ done: false })], [[1], []])
})

test('a list on screen that still has a row which a read has moved away before the message is fetched again, and no other', async () => {
  const { controller, send, list, routes, pass, asked } = set({ types: { Todo: TodoResource.getList.move.schema } })
  routes['GET /todos?done=false'] = [{ body: [{ id: 1, title: 'sow', done: false }] }, { body: [] }]
  routes['GET /todos?q=o'] = { body: [{ id: 1, title: 'sow', done: false }] }
  const screens = [{ done: false }, { q: 'o' }].map(args => effectOf(controller, TodoResource.getList, args as object))
  await pass(100)
  routes['GET /todos/1'] = { body: { id: 1, title: 'sow', done: true } }
  await controller.fetch(TodoResource.get, { id: 1 })
  await send(upsert({ id: 1, done: true }))
  await pass(2000)
  assert.equal([list({ done: false }), list({ q: 'o' } as object)], [[], [1]])
  assert.equal(asked(), ['GET /todos?done=false', 'GET /todos?q=o', 'GET /todos/1', 'GET /todos?done=false'])
  for (const { stop } of screens) stop()
})

test('a creation schema among the types adds new rows to the lists that they belong to', async () => {
  const { controller, send, list, routes } = set()
  routes['GET /todos?done=true'] = { body: [] }
  for (const args of [{}, { done: true }]) await controller.fetch(TodoResource.getList, args)
  await send(...['1', '2'].map(id => upsert({ id: 3, title: 'mow', done: false }, id, 'newTodo')))
  assert.equal([list(), list({ done: true })], [[1, 2, 3], []])
})

test('patches are applied, all of a message or none', async () => {
  const { controller, send, errors, todo } = set()
  await controller.fetch(TodoResource.getList)
  const rename = (value: string): Patch => ({ op: 'replace', path: ['entities', 'Todo', '1', 'title'], value })
  await send({ id: '1', type: 'patches', patches: [rename('rake')] })
  assert.is(todo(1)?.title, 'rake')
  await send({ id: '2', type: 'patches', patches: [rename('no'), { op: 'replace', path: ['nowhere'], value: 1 }] })
  assert.equal([todo(1)?.title, errors.length], ['rake', 1])
})

test('messages of all kinds keep their order', async () => {
  const { send, todo } = set()
  const path = ['entities', 'Todo', '9', 'title']
  await send(
    upsert({ id: 9, title: 'a', done: false }),
    { id: '2', type: 'patches', patches: [{ op: 'replace', path, value: 'b' }] },
    { id: '3', type: 'remove', entity: 'Todo', pk: 9 },
    upsert({ id: 9, title: 'c', done: true }, '4'),
    { id: '5', type: 'patches', patches: [{ op: 'replace', path, value: 'd' }] },
  )
  assert.equal([todo(9)?.title, todo(9)?.done], ['d', true])
})

/** What the call expects, what the stream says meanwhile, and what shows before and after the answer. */
const pending: [title: string, answer: object, expected: string, messages: object[], during: [string, boolean], after: [string, boolean]][] = [
  ['a message lands beneath pending changes, and shows when they go',
    { status: 409 }, 'mine', [{ title: 'theirs', done: true }], ['mine', true], ['theirs', true]],
  ['a message equal to a pending change is there when the change is rolled back',
    { status: 409 }, 'same', [{ title: 'same' }], ['same', false], ['same', false]],
  // The server took our change, then somebody else's; the messages overtake our answer.
  ['the answer of a mutation does not hide messages that came before it',
    { body: { id: 1, title: 'ours', done: false } }, 'ours', [{ title: 'ours' }, { title: 'theirs' }], ['ours', false], ['theirs', false]],
]
for (const [title, answer, expected, messages, during, after] of pending) {
  test(title, async () => {
    const { controller, send, routes, pass, todo } = set()
    await controller.fetch(TodoResource.getList)
    routes['PATCH /todos/1'] = { ...answer, delay: 1000 }
    void controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: expected })
    await send(...messages.map((part, n) => upsert({ id: 1, ...part }, `${n}`)))
    assert.equal([todo(1)?.title, todo(1)?.done], during)
    await pass(1000)
    assert.equal([todo(1)?.title, todo(1)?.done], after)
  })
}

for (const isCreated of [true, false]) {
  const outcome = isCreated ? 'succeeds' : 'fails'
  test(`a row whose creation is in flight is not shown twice, and those of others are not lost: the call ${outcome}`, async () => {
    const { controller, send, routes, pass } = set()
    const titles = (): string[] => controller.getResponse(TodoResource.getList).data!.map(({ title }) => title)
    await controller.fetch(TodoResource.getList)
    routes['POST /todos'] = { status: isCreated ? 201 : 500, body: { id: 3, title: 'mine', done: false }, delay: 1000 }
    void controller.fetch(TodoResource.getList.push, { title: 'mine' })
    const add = (id: number, title: string) => upsert({ id, title, done: false }, `${id}`, 'newTodo')
    await send(add(3, 'mine'), add(4, 'theirs'), upsert({ id: 1, title: 'sown' }, '5'))
    assert.equal(titles(), ['sown', 'reap', 'mine'])
    await pass(1000)
    // A browser reads the body of an answer in tasks of its own.
    await until(() => titles().length > 3, 'the rows of others')
    assert.equal(titles(), ['sown', 'reap', 'mine', 'theirs'])
  })
}

test('a row of somebody else that waits for the answer of one creation is not lost when another one is made meanwhile', async () => {
  const { controller, send, routes, pass, todo } = set()
  await controller.fetch(TodoResource.getList)
  let id = 2
  routes['POST /todos'] = () => ({ body: { id: ++id, title: 'mine', done: false }, delay: 1000 })
  void controller.fetch(TodoResource.getList.push, { title: 'mine' })
  await send(upsert({ id: 7, title: 'theirs', done: false }, '1', 'newTodo'), upsert({ id: 8, title: 'gone', done: false }, '2', 'newTodo'))
  void controller.fetch(TodoResource.getList.push, { title: 'mine too' })
  await send({ id: '3', type: 'remove', entity: 'Todo', pk: 8 })
  await pass(2000)
  assert.equal([3, 4, 7, 8].map(pk => todo(pk)?.title), ['mine', 'mine', 'theirs', undefined])
  // Once it is there, the answer of a later creation does not bring it back.
  void controller.fetch(TodoResource.getList.push, { title: 'mine' })
  await send(upsert({ id: 9, title: 'theirs', done: false }, '4', 'newTodo'))
  await pass(900)
  routes['PATCH /todos/1'] = { body: { id: 1 }, delay: 1000 }
  void controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'x' })
  await pass(100)
  void controller.fetch(TodoResource.getList.push, { title: 'mine' })
  controller.set(Todo, { id: 9 }, row => void (row.title = 'changed'))
  await pass(2000)
  assert.is(todo(9)?.title, 'changed')
})

test('a message does not come back after what is newer: an unrelated call is answered, or the row was deleted', async () => {
  const { controller, send, routes, pass, todo } = set()
  await controller.fetch(TodoResource.getList)
  routes['PATCH /todos/2'] = { body: { id: 2, title: 'reap', done: true }, delay: 1000 }
  routes['DELETE /todos/1'] = { status: 204, delay: 1000 }
  void controller.fetch(TodoResource.partialUpdate, { id: 2 }, { done: true })
  await send(upsert({ id: 1, title: 'pushed' }))
  controller.set(Todo, { id: 1 }, row => void (row.title = 'local'))
  await pass(1000)
  assert.is(todo(1)?.title, 'local')
  void controller.fetch(TodoResource.delete, { id: 1 })
  await send(upsert({ id: 1, title: 'late' }, '2'))
  await pass(1000)
  assert.is(todo(1), undefined)
})

test('a read that was asked for before a message and is answered after it does not take it back', async () => {
  const { controller, send, routes, pass, todo } = set()
  routes['GET /todos'] = { body: [{ id: 1, title: 'old', done: false }], delay: 1000 }
  void controller.fetch(TodoResource.getList)
  await send(upsert({ id: 1, title: 'new' }))
  await pass(1000)
  assert.equal([todo(1)?.title, todo(1)?.done], ['new', false])
})

test('an entity of a version keeps the newer record, whatever arrives later', async () => {
  class Note extends Entity {
    static override key = 'Note'
    static override version = 'version'
    id = 0
    version = 0
  }
  const { controller, send } = set({ types: { Note } })
  await send(...[5, 4].map(version => upsert({ id: 1, version }, '1', 'Note')))
  assert.is(controller.get(Note, { id: 1 })?.version, 5)
})

test('messages may come as JSON, and a commit says where it came from', async () => {
  const { controller, send, stream } = set()
  const causes: unknown[] = []
  controller.subscribePatches(({ cause, origin }) => causes.push([cause, origin]))
  await send('{"id":"5","type":"upsert","entity":"Todo","value":{"id":4,"title":"json"}}')
  assert.equal(controller.get(new All(Todo))?.map(({ title }) => title), ['json'])
  assert.equal([causes, stream.lastId()], [[['push', 'push']], '5'])
})

test('a bad message is reported and skipped, and those around it land', async () => {
  const bad: unknown[] = [
    null, undefined, 7, true, [], 'no json', '', '{', '"text"', '{"type":', {}, { type: 'unknown' }, { type: '__proto__' },
    { type: 'upsert' }, { type: 'upsert', entity: 'Nothing', value: { id: 1 } }, { type: 'upsert', entity: '__proto__', value: { id: 1 } },
    { type: 'upsert', entity: 'constructor', value: { id: 1 } }, { type: 'upsert', entity: 'Todo' }, { type: 'upsert', entity: 'Todo', value: null },
    { type: 'upsert', entity: 'Todo', value: 'text' }, { type: 'upsert', entity: 'Todo', value: { title: 'no pk' } },
    { type: 'upsert', entity: {}, value: { id: 1 } },
    { type: 'remove', entity: 'Todo' }, { type: 'remove', entity: 'Todo', pk: null }, { type: 'remove', entity: 'Todo', pk: true },
    { type: 'remove', entity: 'Nothing', pk: 1 }, { type: 'invalidate' }, { type: 'invalidate', entity: 'Nothing', pk: 1 }, { type: 'invalidate', key: 7 },
    { type: 'patches' }, { type: 'patches', patches: 'none' }, { type: 'patches', patches: [{ op: 'add', path: ['__proto__', 'x'], value: 1 }] },
    { type: 'patches', patches: [{ op: 'replace', path: ['entities', 'Todo', '1', '__proto__'], value: {} }] },
    { type: Symbol('upsert') }, Object.create(null), { type: Object.create(null) as unknown },
  ]
  for (const [at, message] of bad.entries()) {
    const { controller, wire, pass, errors, stream, todo } = set()
    await pass(0)
    wire.send(upsert({ id: 1, title: 'before' }), message, upsert({ id: 1, name: 'after' }, '3', 'User'))
    await pass(100)
    const reported = errors.map(error => [(error as Error & { code?: string }).code, error.cause instanceof Error])
    assert.equal(reported, [['MESSAGE', true]], `message ${at}`)
    const found = [todo(1)?.title, controller.get(User, { id: 1 })?.name, stream.lastId(), stream.status.value]
    assert.equal(found, ['before', 'after', '3', 'open'], `message ${at}`)
    controller.dispose()
  }
  assert.equal(Object.keys(Object.prototype), [])
})

test('hostile keys and depths in a value are data, or a reported message', async () => {
  const { send, errors, todo } = set()
  await send('{"id":"1","type":"upsert","entity":"Todo","value":{"id":1,"title":"x","__proto__":{"isAdmin":true},"constructor":"c","then":"t"}}')
  assert.ok(todo(1) instanceof Todo)
  assert.equal([(todo(1) as { isAdmin?: boolean }).isAdmin, errors.length], [undefined, 0])
  await send(`{"id":"2","type":"upsert","entity":"Todo","value":{"id":2,"title":${'['.repeat(5000)}${']'.repeat(5000)}}}`)
  assert.equal([todo(2), errors.length], [undefined, 1])
  await send(upsert({ id: 3, title: 'still there' }, '3'))
  assert.is(todo(3)?.title, 'still there')
})

test('a listener or an entity class that throws does not stop the stream', async () => {
  class Odd extends Entity {
    static override key = 'Odd'
    id = 0
    static override merge(): never {
      throw new Error('no merge')
    }
  }
  const { controller, send, errors, todo } = set({ types: { Odd, Todo } })
  controller.subscribePatches(() => { throw new Error('listener') })
  await send(upsert({ id: 1 }, '1', 'Odd'), upsert({ id: 1, x: 1 }, '2', 'Odd'), upsert({ id: 1, title: 'a' }, '3'))
  await send(upsert({ id: 1, title: 'b' }, '4'))
  assert.is(todo(1)?.title, 'b')
  assert.is(errors.filter(error => (error as { code?: string }).code === 'MESSAGE').length, 1)
})

test.run()
