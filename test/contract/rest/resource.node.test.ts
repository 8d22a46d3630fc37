import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createResource, Entity, Invalidate, PathError, resource, RestEndpoint, schema, SchemaError } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { Cache } from './cache.ts'
import { recorder } from './recorder.ts'
import { serveTodos } from './todoServer.ts'

const test = suite('createResource over HTTP')

let server: Awaited<ReturnType<typeof serveTodos>>
test.before.each(async () => {
  server = await serveTodos()
})
test.after.each(() => server.close())

class Todo extends Entity {
  id = 0
  title = ''
  done = false
  static override key = 'Todo'
}
const todos = () => createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo })

test('makes the six members, all of them RestEndpoints, with their methods, paths, schemas and names', () => {
  const made = todos()
  const list = made.getList.schema
  const table = [
    ['get', made.get, 'GET', '/todos/:id', Todo],
    ['getList', made.getList, 'GET', '/todos', list],
    ['getList.push', made.getList.push, 'POST', '/todos', list.push],
    ['update', made.update, 'PUT', '/todos/:id', Todo],
    ['partialUpdate', made.partialUpdate, 'PATCH', '/todos/:id', Todo],
    ['delete', made.delete, 'DELETE', '/todos/:id', undefined],
  ] as const
  for (const [name, member, method, path, wanted] of table) {
    assert.instance(member, RestEndpoint, name)
    assert.is(member.name, `Todo.${name}`)
    assert.is(member.method, method)
    assert.is(member.path, path)
    assert.is(member.urlPrefix, server.url)
    assert.is(member.sideEffect, method !== 'GET')
    if (wanted !== undefined) assert.is(member.schema as unknown, wanted)
  }
  assert.instance(list, schema.Collection)
  assert.instance(made.delete.schema, Invalidate)
  assert.is(resource, createResource)
})

test('reads, creates, changes and deletes on a real server, and the cache follows', async () => {
  const { get, getList, update, partialUpdate, delete: remove } = todos()
  const cache = new Cache()
  assert.equal((await cache.fetch(getList)).map((todo) => todo.title), ['sow', 'reap'])
  assert.is((await cache.fetch(get, { id: 1 })).title, 'sow')
  assert.is((await cache.fetch(partialUpdate, { id: 1 }, { done: true })).done, true)
  assert.equal(JSON.parse(server.last().body), { done: true })
  const made = await cache.fetch(getList.push, { title: 'rest' })
  assert.equal([made.id, made.constructor], [3, Todo])
  assert.is((await cache.fetch(update, { id: 2 }, { title: 'harvest', done: true })).title, 'harvest')
  assert.equal(cache.read(getList)!.map(({ id, title, done }) => [id, title, done]), [[1, 'sow', true], [2, 'harvest', true], [3, 'rest', false]])
  await cache.fetch(remove, { id: 1 })
  assert.equal(cache.read(getList)!.map((todo) => todo.id), [2, 3])
  assert.is(cache.read(get, { id: 1 }), undefined)
  assert.equal(server.seen.map(({ method, url }) => `${method} ${url}`), ['GET /todos', 'GET /todos/1', 'PATCH /todos/1', 'POST /todos', 'PUT /todos/2', 'DELETE /todos/1'])
})

test('URL parameters fill the path; the others of getList go into the query, and name the list', async () => {
  const { getList } = todos()
  const cache = new Cache()
  await cache.fetch(getList, { done: false, orderBy: 'title' })
  assert.is(server.last().url, '/todos?done=false&orderBy=title')
  await cache.fetch(getList, { done: true })
  await cache.fetch(getList.push, { title: 'new', done: true })
  assert.equal(cache.read(getList, { done: true })!.map((todo) => todo.title), ['new'])
  assert.equal(cache.read(getList, { done: false, orderBy: 'title' })!.length, 2)
  await cache.fetch(getList.push, { done: false }, { title: 'by parameter' })
  assert.is(server.last().url, '/todos?done=false')
  assert.is(cache.read(getList, { done: false, orderBy: 'title' })!.length, 3)
})

test('delete gives the answer when it is an object with something in it, else the parameters', async () => {
  const remove = todos().delete
  for (const [body, expected] of [['{"id":7,"title":"x"}', { id: 7, title: 'x' }], ['{}', { id: 1 }], ['null', { id: 1 }], ['""', { id: 1 }], ['true', { id: 1 }], ['[]', { id: 1 }], ['5', { id: 1 }]] as const) {
    server.answer = (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    assert.equal(await remove({ id: 1 }), expected as never, body)
  }
  for (const status of [204, 404, 410]) {
    server.answer = (_, response) => void response.writeHead(status).end()
    assert.equal(await remove({ id: 1 }), { id: 1 } as never)
  }
  for (const [type, body] of [['text/plain', 'OK'], ['text/html', ''], ['application/json', '']] as const) {
    server.answer = (_, response) => void response.writeHead(200, { 'content-type': type }).end(body)
    assert.equal(await remove({ id: 1 }), { id: 1 } as never)
  }
})

test('delete of what is gone already deletes it here as well', async () => {
  const cache = new Cache()
  const { get, delete: remove } = todos()
  await cache.fetch(get, { id: 1 })
  server.rows.length = 0
  await cache.fetch(remove, { id: 1 })
  assert.is(cache.read(get, { id: 1 }), undefined)
})

test('the list is where the last parameter is cut off, and a path without one is an error', () => {
  for (const [path, list] of [['/a/:b/c/:d', '/a/:b/c'], ['/:id', '/'], ['/users/:id?', '/users']] as const) assert.is(createResource({ path, schema: Todo }).getList.path, list)
  assert.is(createResource({ path: '/:id', schema: Todo }).getList.url(), '/')
  assert.instance(caught(() => createResource({ path: '/users', schema: Todo })), PathError)
})

test('delete of something that is no entity has the schema itself', () => {
  const union = new schema.Union({ todo: Todo }, 'type')
  assert.instance(createResource({ path: '/x/:id', schema: union }).delete.schema, Invalidate)
  const shape = { todo: Todo }
  assert.is(createResource({ path: '/x/:id', schema: shape }).delete.schema, shape)
  assert.is(createResource({ path: '/x/:id', schema: shape }).get.name, '/x/:id.get')
})

test('body goes to push, update and partialUpdate, searchParams to the list and its push, the rest to all', async () => {
  const body = { title: '' }
  const searchParams = { done: true }
  class Api<const O> extends RestEndpoint<O> {
    custom = ''
  }
  const made = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, Endpoint: Api, body, searchParams, pollFrequency: 60_000, dataExpiryLength: 5, custom: 'x', paginationField: 'page' })
  for (const member of [made.getList.push, made.update, made.partialUpdate]) assert.is(member.body, body)
  for (const member of [made.get, made.delete]) assert.not('body' in member)
  for (const member of [made.getList, made.getList.push]) assert.is(member.searchParams, searchParams)
  for (const member of [made.get, made.update, made.partialUpdate, made.delete]) assert.not('searchParams' in member)
  for (const member of [made.get, made.getList, made.getList.push, made.update, made.partialUpdate, made.delete]) {
    assert.is(member.pollFrequency, 60_000)
    assert.is(member.dataExpiryLength, 5)
    assert.is((member as unknown as { custom: string }).custom, 'x')
  }
  assert.is(made.getList.paginationField, 'page')
  const bodiless = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, body: undefined })
  await bodiless.update(...([{ id: 1 }, { ignored: 1 }] as unknown as [{ id: number }]))
  assert.is(server.last().body, '')
})

test('Endpoint is the class of every member, and options win over its fields', async () => {
  class Api extends RestEndpoint {
    override dataExpiryLength = 1
    override urlPrefix = 'https://field.x'
    override getHeaders(headers: { [name: string]: string }): HeadersInit {
      return { ...headers, 'x-api': 'yes' }
    }
    override process(value: unknown): unknown {
      return Array.isArray(value) ? value : { ...(value as object), processed: true }
    }
  }
  const made = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, Endpoint: Api })
  for (const member of [made.get, made.getList, made.getList.push, made.update, made.partialUpdate, made.delete]) {
    assert.instance(member, Api)
    assert.is(member.urlPrefix, server.url)
    assert.is(member.dataExpiryLength, 1)
  }
  assert.is(((await made.get({ id: 1 })) as unknown as { processed: boolean }).processed, true)
  assert.is(server.last().headers['x-api'], 'yes')
  // What the class makes of an answer it also makes of that of a delete, when there is one.
  server.answer = () => ({ id: 1 })
  assert.equal(await made.delete({ id: 1 }), { id: 1, processed: true } as never)
  server.answer = (_, response) => void response.writeHead(204).end()
  assert.equal(await made.delete({ id: 1 }), { id: 1 } as never)
})

test('Collection is the class of the list, and nonFilterArgumentKeys is its option', async () => {
  class Mine extends schema.Collection<[typeof Todo]> {}
  const made = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, Collection: Mine, nonFilterArgumentKeys: ['page'] })
  assert.instance(made.getList.schema, Mine)
  const cache = new Cache()
  server.answer = () => []
  await cache.fetch(made.getList, { page: 1 })
  await cache.fetch(made.getList, { orderBy: 'x' })
  server.answer = () => ({ id: 9 })
  await cache.fetch(made.getList.push, { title: 'x' })
  assert.equal([cache.read(made.getList, { page: 1 })!.length, cache.read(made.getList, { orderBy: 'x' })!.length], [1, 0])
})

test('extend by batch changes members and leaves the resource as it was', async () => {
  const base = todos()
  const Detail = new schema.Collection([Todo])
  const made = base.extend({ get: { path: '/v2/todos/:id' }, getList: { schema: Detail, dataExpiryLength: 7 } })
  assert.is(made.get.path, '/v2/todos/:id')
  assert.is(made.get.name, 'Todo.get')
  assert.is(made.getList.schema, Detail)
  assert.is(made.getList.push.dataExpiryLength, 7)
  assert.is(made.update.path, '/todos/:id')
  assert.is(base.get.path, '/todos/:id')
  const error = caught(() => base.extend({ unknown: {} } as never))
  assert.instance(error, SchemaError)
  assert.match(error.message, '"unknown"')
  assert.match(error.message, 'get, getList, update, partialUpdate, delete')
  assert.instance(caught(() => base.extend({ constructor: {} } as never)), SchemaError)
  // A wrapper that changes a member under some condition gives undefined otherwise.
  assert.is(base.extend({ get: undefined } as never as { get: object }).get.path, '/todos/:id')
})

test('extend by name adds a member that starts from get, or changes one', async () => {
  const made = todos().extend('first', { path: '/todos/1' }).extend('complete', { path: '/todos/:id', method: 'PATCH', process: (value: object) => value })
  assert.is(made.first.name, 'Todo.first')
  assert.is(made.first.schema, Todo)
  assert.equal(await made.first(), { id: 1, title: 'sow', done: false })
  await made.complete({ id: 1 }, { done: true })
  assert.equal([server.last().method, server.last().url], ['PATCH', '/todos/1'])
  assert.is(todos().extend('update', { path: '/x/:id' }).update.method, 'PUT')
  assert.is(todos().extend('valueOf', { path: '/value' }).valueOf.path, '/value')
})

test('extend by function builds members from the base', async () => {
  const made = todos().extend((Base) => ({
    open: Base.getList.extend({ path: '/todos?'.slice(0, -1), searchToString: () => 'done=false' }),
    count: 5,
  }))
  assert.is((await made.open()).length, 2)
  assert.is(server.last().url, '/todos?done=false')
  assert.is(made.count, 5)
  assert.type(made.get, 'function')
})

test('extend can be chained in all its forms', () => {
  const made = todos()
    .extend({ get: { dataExpiryLength: 1 } })
    .extend('a', { path: '/a' })
    .extend((Base) => ({ b: Base.a.extend({ path: '/b' }) }))
    .extend({ a: { dataExpiryLength: 2 }, b: { dataExpiryLength: 3 } })
  assert.equal([made.get.dataExpiryLength, made.a.dataExpiryLength, made.b.dataExpiryLength, made.b.path], [1, 2, 3, '/b'])
})

test('remove and move are sent to the member, and the lists follow', async () => {
  const { getList } = todos()
  const cache = new Cache()
  await cache.fetch(getList)
  await cache.fetch(getList, { done: true })
  await cache.fetch(getList, { done: false })
  await cache.fetch(getList.move, { id: 1 }, { done: true })
  assert.equal([server.last().method, server.last().url, server.last().body], ['PATCH', '/todos/1', '{"done":true}'])
  const ids = (params?: object): unknown[] => cache.read(getList, ...([params] as [never]))!.map((todo) => todo.id)
  assert.equal([ids(), ids({ done: true }), ids({ done: false })], [[1, 2], [1], [2]])
  await cache.fetch(getList.remove, { id: 2 }, { done: false })
  assert.equal([server.last().method, server.last().url], ['PATCH', '/todos/2'])
  assert.equal([ids({ done: false }), ids({ done: true })], [[], [1]])
  assert.is((cache.get(Todo, { id: 2 }) as Todo).title, 'reap')
})

test('unshift puts it first, and assign by name', async () => {
  const cache = new Cache()
  const { getList } = todos()
  await cache.fetch(getList)
  await cache.fetch(getList.unshift, { title: 'first' })
  assert.equal(cache.read(getList)!.map((todo) => todo.id), [3, 1, 2])
  const { transport } = recorder((_, { method }) => Response.json(method === 'POST' ? { b: { id: 2 } } : { a: { id: 1 } }))
  const byName = new RestEndpoint({ path: '/map', schema: new schema.Collection(new schema.Values(Todo)), transport })
  await cache.fetch(byName)
  await cache.fetch(byName.assign, { b: {} })
  assert.equal(Object.entries(cache.read(byName) as { [name: string]: Todo }).map(([name, todo]) => [name, todo.id]), [['a', 1], ['b', 2]])
})

test.run()
