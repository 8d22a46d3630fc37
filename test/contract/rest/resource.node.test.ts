import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createResource, Invalidate, resource, RestEndpoint, schema, SchemaError } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { Todo } from '../../support/todo.ts'
import { Cache } from './cache.ts'
import { recorder } from './recorder.ts'
import { serveTodos } from './todoServer.ts'

const test = suite('createResource over HTTP')

let server: Awaited<ReturnType<typeof serveTodos>>
test.before.each(async () => void (server = await serveTodos()))
test.after.each(() => server.close())

const membersOf = (made: ReturnType<typeof todos>) => [made.get, made.getList, made.getList.push, made.update, made.partialUpdate, made.delete]
const todos = () => createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo })

test('makes the six members, all of them RestEndpoints, with their methods, paths, schemas and names', () => {
  const made = todos()
  const { schema: list } = made.getList
  const expected = [
    ['get', 'GET', '/todos/:id', Todo],
    ['getList', 'GET', '/todos', list],
    ['getList.push', 'POST', '/todos', list.push],
    ['update', 'PUT', '/todos/:id', Todo],
    ['partialUpdate', 'PATCH', '/todos/:id', Todo],
    ['delete', 'DELETE', '/todos/:id', made.delete.schema],
  ] as const
  membersOf(made).forEach((member, i) => {
    const [name, method, path, shape] = expected[i]!
    assert.instance(member, RestEndpoint, name)
    assert.equal([member.name, member.method, member.path], [`Todo.${name}`, method, path])
    assert.equal([member.urlPrefix, member.sideEffect], [server.url, method !== 'GET'])
    assert.is(member.schema as unknown, shape)
  })
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
  const json = 'application/json'
  for (const [status, type, body, expected] of [
    [200, json, '{"id":7,"title":"x"}', { id: 7, title: 'x' }],
    ...['{}', 'null', '""', 'true', '[]', '5', ''].map((text) => [200, json, text, { id: 1 }] as const),
    [200, 'text/plain', 'OK', { id: 1 }], [200, 'text/html', '', { id: 1 }], [204, json, '', { id: 1 }],
    // What is gone already is deleted.
    [404, json, '{"error":"gone"}', { id: 1 }], [410, json, '', { id: 1 }],
  ] as const) {
    server.answer = (_, response) => void response.writeHead(status, { 'content-type': type }).end(body)
    assert.equal(await todos().delete({ id: 1 }), expected as never, `${status} ${body}`)
  }
  server.answer = (_, response) => void response.writeHead(200, { 'content-type': json }).end('{"data":null}')
  const wrapped = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, process: (value: unknown) => (value as { data: unknown }).data })
  assert.equal(await wrapped.delete({ id: 1 }), { id: 1 } as never)
})

test('delete of something that is no entity has the schema itself', () => {
  const union = new schema.Union({ todo: Todo }, 'type')
  assert.instance(createResource({ path: '/x/:id', schema: union }).delete.schema, Invalidate)
  const shape = { todo: Todo }
  const made = createResource({ path: '/x/:id', schema: shape })
  assert.is(made.delete.schema, shape)
  assert.is(made.get.name, '/x/:id.get')
})

test('body goes to push, update and partialUpdate, searchParams to the list and its push, the rest to all', async () => {
  const body = { title: '' }
  const searchParams = { done: true }
  class Api<const O> extends RestEndpoint<O> {
    custom = ''
  }
  const others = { pollFrequency: 60_000, dataExpiryLength: 5, custom: 'x', paginationField: 'page' } as const
  const made = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, Endpoint: Api, body, searchParams, ...others })
  for (const member of [made.getList.push, made.update, made.partialUpdate]) assert.is(member.body, body)
  for (const member of [made.get, made.delete]) assert.not('body' in member)
  for (const member of [made.getList, made.getList.push]) assert.is(member.searchParams, searchParams)
  for (const member of [made.get, made.update, made.partialUpdate, made.delete]) assert.not('searchParams' in member)
  for (const member of membersOf(made as never)) {
    assert.equal([member.pollFrequency, member.dataExpiryLength, (member as unknown as { custom: string }).custom], [60_000, 5, 'x'])
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
    override process(value: unknown): unknown {
      return Array.isArray(value) ? value : { ...(value as object), processed: true }
    }
  }
  const made = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, Endpoint: Api })
  for (const member of membersOf(made as never)) {
    assert.instance(member, Api)
    assert.equal([member.urlPrefix, member.dataExpiryLength], [server.url, 1])
  }
  // What the class makes of an answer it also makes of that of a delete, when there is one.
  server.answer = () => ({ id: 1 })
  for (const member of [made.get, made.delete]) assert.equal(await member({ id: 1 }), { id: 1, processed: true } as never)
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

test('extend by batch changes members and leaves the resource as it was', () => {
  const base = todos()
  const Detail = new schema.Collection([Todo])
  const made = base.extend({ get: { path: '/v2/todos/:id' }, getList: { schema: Detail, dataExpiryLength: 7 } })
  assert.equal([made.get.path, made.get.name, made.getList.push.dataExpiryLength], ['/v2/todos/:id', 'Todo.get', 7])
  assert.is(made.getList.schema, Detail)
  assert.equal([made.update.path, base.get.path], ['/todos/:id', '/todos/:id'])
  for (const name of ['unknown', 'constructor']) {
    caught(() => base.extend({ [name]: {} } as never), SchemaError, `"${name}"`, 'get, getList, update, partialUpdate, delete')
  }
  // A wrapper that changes a member under some condition gives undefined otherwise.
  assert.is(base.extend({ get: undefined } as never as { get: object }).get.path, '/todos/:id')
})

test('extend by name adds a member that starts from get, or changes one', async () => {
  const made = todos().extend('first', { path: '/todos/1' }).extend('complete', { path: '/todos/:id', method: 'PATCH' })
  assert.is(made.first.name, 'Todo.first')
  assert.is(made.first.schema, Todo)
  assert.equal(await made.first(), { id: 1, title: 'sow', done: false })
  await made.complete({ id: 1 }, { done: true })
  assert.equal([server.last().method, server.last().url], ['PATCH', '/todos/1'])
  assert.is(todos().extend('update', { path: '/x/:id' }).update.method, 'PUT')
  assert.is(todos().extend('valueOf', { path: '/value' }).valueOf.path, '/value')
})

test('extend by function builds members from the base, and all forms can be chained', async () => {
  const made = todos()
    .extend({ get: { dataExpiryLength: 1 } })
    .extend('a', { path: '/a' })
    .extend((Base) => ({ b: Base.a.extend({ path: '/b' }), open: Base.getList.extend({ searchToString: () => 'done=false' }), count: 5 }))
    .extend({ a: { dataExpiryLength: 2 }, b: { dataExpiryLength: 3 } })
  assert.equal([made.get.dataExpiryLength, made.a.dataExpiryLength, made.b.dataExpiryLength, made.b.path, made.count], [1, 2, 3, '/b', 5])
  assert.is((await made.open()).length, 2)
  assert.is(server.last().url, '/todos?done=false')
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
