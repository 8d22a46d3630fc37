import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, Endpoint, Entity } from '../../../src/index.ts'
import { isNext } from '../../support/version.ts'

const suiteOfV2 = suite('Endpoint, version 2')
const test = isNext ? suiteOfV2 : suiteOfV2.skip

/** As endpoints of version 2 declare it. */
type Bind = (thisArg: unknown, ...args: unknown[]) => Endpoint<(...args: unknown[]) => Promise<unknown>>

class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}

test('extend with another fetch takes the name of that function, unless name or key is given', async () => {
  const users = async (): Promise<string> => 'users'
  const assets = async (): Promise<string> => 'assets'
  const endpoint = new Endpoint(users)
  const extended = endpoint.extend({ fetch: assets })
  assert.equal([extended.name, extended.key()], ['assets', 'assets []'])
  assert.is(endpoint.extend({ fetch: assets, name: 'files' }).name, 'files')
  assert.is(endpoint.extend({ fetch: assets, key: () => 'k' }).name, 'users')
  const controller = new Controller()
  assert.equal([await controller.fetch(endpoint), await controller.fetch(extended)], ['users', 'assets'])
})

test('a function without a name of its own leaves the name of the endpoint', () => {
  const endpoint = new Endpoint(async () => 1, { name: 'one' })
  assert.is(endpoint.extend({ fetch: async () => 2 }).name, 'one')
  assert.is(endpoint.extend({ async fetch() { return 2 } }).name, 'one')
  assert.is(endpoint.extend({ fetch: (() => async () => 2)() }).name, 'one')
})

test('bind returns an endpoint with its schema, and with a key that contains the bound arguments', async () => {
  const seen: unknown[] = []
  const getUser = new Endpoint(async (params: { id: number }, more?: string) => (seen.push(more), { id: params.id, name: 'x' }), { name: 'getUser', schema: User })
  const bound = (getUser.bind as unknown as Bind)(undefined, { id: 1 })
  assert.instance(bound, Endpoint)
  assert.is(bound.schema, User)
  assert.is(bound.key(), getUser.key({ id: 1 }))
  assert.is(bound.key('more'), getUser.key({ id: 1 }, 'more'))
  assert.equal(await bound('more'), { id: 1, name: 'x' })
  assert.equal(seen, ['more'])
  const controller = new Controller()
  const user = (await controller.fetch(bound)) as unknown as User
  assert.instance(user, User)
  assert.is(controller.getResponse(getUser, { id: 1 }).data, user, 'one request, one result')
})

test('bind keeps what extend adds, and can be bound again', async () => {
  const add = new Endpoint(async (a: number, b: number, c: number) => a + b + c, { name: 'add' })
  const first = (add.bind as unknown as Bind)(undefined, 1)
  const second = ((first.extend({ dataExpiryLength: 5 }) as unknown as Endpoint).bind as unknown as Bind)(undefined, 2)
  assert.is(second.dataExpiryLength, 5)
  assert.is(second.key(3), add.key(1, 2, 3))
  assert.is(await second(3), 6)
})

test('the callbacks of a bound endpoint get the bound arguments too', () => {
  const seen: unknown[] = []
  const note = (...args: unknown[]): undefined => void seen.push(args)
  const save = new Endpoint(async (_id: number, _body: string) => 1, { name: 'save', sideEffect: true, getOptimisticResponse: note, getUndo: note, update: note as never })
  const bound = (save.bind as unknown as Bind)(undefined, 7)
  bound.getOptimisticResponse!('snap' as never, 'body')
  bound.getUndo!('context' as never, 'body')
  bound.update!('result', 'body')
  assert.equal(seen, [['snap', 7, 'body'], ['context', 7, 'body'], ['result', 7, 'body']])
})

test('members of a resource can be bound', async () => {
  const urls: string[] = []
  const transport = async (input: string): Promise<Response> => (urls.push(input), Response.json({ id: 1, name: 'x' }))
  const users = createResource({ path: '/users/:id', schema: User, transport })
  const bound = (users.get.bind as unknown as Bind)(undefined, { id: 1 })
  assert.is(bound.key(), 'GET /users/1')
  assert.instance(await new Controller().fetch(bound), User)
  const rename = (users.partialUpdate.bind as unknown as Bind)(undefined, { id: 1 })
  assert.is(rename.sideEffect, true)
  await rename({ name: 'y' })
  assert.equal(urls, ['/users/1', '/users/1'])
})

suiteOfV2.run()
