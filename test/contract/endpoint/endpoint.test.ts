import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, Endpoint, Entity, PatchcordError } from '../../../src/index.ts'
import { polluted } from '../../support/pollute.ts'
import { caught } from '../../support/caught.ts'

const test = suite('Endpoint')

class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}
const sum = async (a: number, b: number): Promise<number> => a + b

test('is a function that runs its fetch', async () => {
  const endpoint = new Endpoint(sum)
  assert.type(endpoint, 'function')
  assert.is(await endpoint(1, 2), 3)
  assert.is(await endpoint.fetch(1, 2), 3)
  assert.instance(endpoint, Endpoint)
})

test('can be called, applied and bound like any function, and passed around detached', async () => {
  const endpoint = new Endpoint(sum)
  assert.is(await endpoint.call(undefined, 1, 2), 3)
  assert.is(await endpoint.apply(undefined, [1, 2]), 3)
  assert.is(await endpoint.bind(undefined, 1)(4), 5)
  assert.equal(await Promise.all([1, 2].map((n) => endpoint(n, n))), [2, 4])
  assert.match(String(endpoint), '=>')
})

test('has the documented defaults', () => {
  const endpoint = new Endpoint(sum)
  assert.is(endpoint.name, 'sum')
  assert.is(endpoint.schema, undefined)
  assert.is(endpoint.sideEffect, false)
  assert.is(endpoint.dataExpiryLength, 60_000)
  assert.is(endpoint.errorExpiryLength, 1000)
  for (const member of ['invalidIfStale', 'pollFrequency', 'getOptimisticResponse', 'getUndo', 'update', 'signal'] as const) {
    assert.is(endpoint[member], undefined, member)
  }
})

test('takes every option as a member', () => {
  const options = {
    name: 'getSum',
    schema: User,
    sideEffect: true,
    dataExpiryLength: 5,
    errorExpiryLength: 6,
    invalidIfStale: true,
    pollFrequency: 7,
    serial: false,
    signal: new AbortController().signal,
    key: () => 'k',
    testKey: (key: string) => key === 'k',
    errorPolicy: () => 'soft' as const,
    getOptimisticResponse: () => 1,
    getUndo: () => undefined,
    update: () => ({}),
  }
  const endpoint = new Endpoint(sum, options)
  for (const name of Object.keys(options)) assert.is(endpoint[name as 'name'], options[name as 'name'], name)
})

test('runs with itself as this', async () => {
  const endpoint = new Endpoint(async function (this: Endpoint) {
    return this.name
  }, { name: 'itself' })
  assert.is(await endpoint(), 'itself')
})

test('a key is the name and the arguments, in any order of their members', () => {
  const endpoint = new Endpoint(async (..._args: unknown[]) => 1, { name: 'get' })
  assert.is(endpoint.key({ a: 1, b: { d: 2, c: 3 } }), endpoint.key({ b: { c: 3, d: 2 }, a: 1 }))
  assert.is(endpoint.key(), endpoint.key(undefined))
  const keys = [[], [1], ['1'], [null], [1, 2], [[1, 2]], [{ a: 1 }], [{ a: '1' }], [{ a: [1] }], [{ a: { 0: 1 } }], [NaN], [new Date(0)]].map((args) => endpoint.key(...args))
  assert.is(new Set(keys).size, keys.length)
})

test('tells its own keys from those of others', () => {
  const [get, getAll] = [new Endpoint(async (_x?: unknown) => 1, { name: 'get' }), new Endpoint(async () => 1, { name: 'get all' })]
  assert.ok(get.testKey(get.key({ a: 1 })))
  assert.ok(get.testKey(get.key()))
  assert.not(get.testKey(getAll.key()))
})

test('an endpoint without a name runs, and says what to do when its key is asked for', async () => {
  const endpoint = new Endpoint(async () => 1)
  assert.is(await endpoint(), 1)
  const error = caught(() => endpoint.key())
  assert.instance(error, PatchcordError)
  assert.match(error.message, 'Give it one')
})

test('extend gives another endpoint, with the options over everything inherited; the name survives', async () => {
  const base = new Endpoint(sum, { dataExpiryLength: 5, schema: User })
  const extended = base.extend({ dataExpiryLength: 6, pollFrequency: 1 })
  assert.is(extended.name, 'sum')
  assert.is(extended.dataExpiryLength, 6)
  assert.is(extended.schema, User)
  assert.is(await extended(1, 2), 3)
  assert.is(base.dataExpiryLength, 5)
  assert.is(base.pollFrequency, undefined)
  const doubled = extended.extend({ fetch: async (n: number) => n * 2, key: () => 'x' })
  assert.is(await doubled(4), 8)
  assert.is(doubled.key(1), 'x')
  assert.is(base.extend({ schema: undefined }).schema, undefined)
})

test('an undefined where the class has a method leaves the method', () => {
  const extended = new Endpoint(sum).extend({ key: undefined, getOptimisticResponse: () => 1 } as never) as unknown as Endpoint<typeof sum>
  assert.is(extended.key(1, 2), 'sum [1,2]')
  const renamed = new Endpoint(sum).extend({ key: () => 'x' })
  assert.is((renamed.extend({ key: undefined } as never) as unknown as Endpoint<typeof sum>).key(1, 2), 'x', 'an option that was given before stays')
  const off = extended.extend({ getOptimisticResponse: undefined } as never)
  assert.is(off.getOptimisticResponse, undefined)
})

test('an undefined where there is a default leaves the default', () => {
  const nothing = { name: undefined, dataExpiryLength: undefined, errorExpiryLength: undefined, sideEffect: undefined } as never
  for (const endpoint of [new Endpoint(sum, nothing), new Endpoint(sum).extend(nothing)]) {
    const { name, dataExpiryLength, errorExpiryLength, sideEffect } = endpoint as Endpoint<typeof sum>
    assert.equal([name, dataExpiryLength, errorExpiryLength, sideEffect], ['sum', 60_000, 1000, false])
  }
})

class Counted extends Endpoint<(n: number) => Promise<number>> {
  override dataExpiryLength = 10
  override fetch(n: number): Promise<number> {
    return super.fetch(n).then((value) => value + 1)
  }
  override key(n: number): string {
    return `counted ${super.key(n)}`
  }
  override errorPolicy(error: unknown): 'hard' | 'soft' | undefined {
    return error === 1 ? 'soft' : super.errorPolicy(error)
  }
}
const plus = async (n: number): Promise<number> => n

test('every step can be overridden in a subclass, with super', async () => {
  const endpoint = new Counted(plus)
  assert.instance(endpoint, Counted)
  assert.is(await endpoint(1), 2)
  assert.is(endpoint.key(1), 'counted plus [1]')
  assert.is(endpoint.errorPolicy(1), 'soft')
  assert.is(endpoint.errorPolicy(new Error('x')), 'hard')
  assert.is(await endpoint.extend({ name: 'other' })(1), 2)
  assert.instance(endpoint.extend({}), Counted)
})

test('with new, a field of the class wins over an option; with extend, the option wins over all', async () => {
  const endpoint = new Counted(plus, { dataExpiryLength: 1 } as never)
  assert.is(endpoint.dataExpiryLength, 10)
  assert.is(endpoint.extend({ dataExpiryLength: 1 }).dataExpiryLength, 1)
  assert.is(endpoint.extend({ name: 'x' }).dataExpiryLength, 10)
  assert.is(await endpoint.extend({ fetch: async (n: number) => n })(1), 1)
})

test('options may be frozen, and may be accessors', () => {
  let n = 0
  const endpoint = new Counted(plus, Object.freeze({ dataExpiryLength: 1, get pollFrequency() { return ++n } }) as never)
  assert.is(endpoint.dataExpiryLength, 10)
  assert.is(endpoint.extend({ name: 'x' }).pollFrequency, 1)
  assert.is(endpoint.pollFrequency, 2)
})

test('a controller runs an endpoint with a this of its own; the endpoint stays as it is', async () => {
  const seen: unknown[] = []
  const endpoint = new Counted(async function (this: Endpoint, n: number) {
    seen.push(this.signal, this.transport, this.name, Object.getPrototypeOf(this) === endpoint)
    return n
  } as never, { name: 'seen' } as never)
  const transport = async (): Promise<Response> => new Response()
  assert.is(await new Controller({ fetch: transport }).fetch(endpoint, 1), 2)
  assert.instance(seen[0], AbortSignal)
  assert.equal(seen.slice(1), [transport, 'seen', true])
  assert.is(endpoint.signal, undefined)
  assert.is(endpoint.transport, undefined)
})

test('a polluted Object.prototype lends an endpoint nothing', async () => {
  const names = ['schema', 'method', 'key', 'signal', 'sideEffect', 'transport', 'update', 'pollFrequency']
  await polluted(Object.fromEntries(names.map(name => [name, 'polluted'])), () => {
    const endpoint = new Endpoint(sum).extend({ dataExpiryLength: 1 })
    for (const name of ['schema', 'signal', 'transport', 'update', 'pollFrequency'] as const) assert.is(endpoint[name], undefined, name)
    assert.is(endpoint.sideEffect, false)
    assert.is(endpoint.key(1, 2), 'sum [1,2]')
  })
})

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
  const bound = getUser.bind(undefined, { id: 1 })
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
  const first = add.bind(undefined, 1)
  const second = first.extend({ dataExpiryLength: 5 }).bind(undefined, 2)
  assert.is(second.dataExpiryLength, 5)
  assert.is(second.key(3), add.key(1, 2, 3))
  assert.is(await second(3), 6)
})

test('the callbacks of a bound endpoint get the bound arguments too', () => {
  const seen: unknown[] = []
  const note = (...args: unknown[]): undefined => void seen.push(args)
  const save = new Endpoint(async (_id: number, _body: string) => 1, { name: 'save', sideEffect: true, getOptimisticResponse: note, getUndo: note, update: note as never })
  const bound = save.bind(undefined, 7)
  bound.getOptimisticResponse!('snap' as never, 'body')
  bound.getUndo!('context' as never, 'body')
  bound.update!('result', 'body')
  assert.equal(seen, [['snap', 7, 'body'], ['context', 7, 'body'], ['result', 7, 'body']])
})

test('members of a resource can be bound', async () => {
  const urls: string[] = []
  const transport = async (input: string): Promise<Response> => (urls.push(input), Response.json({ id: 1, name: 'x' }))
  const users = createResource({ path: '/users/:id', schema: User, transport })
  const bound = users.get.bind(undefined, { id: 1 })
  assert.is(bound.key(), 'GET /users/1')
  assert.instance(await new Controller().fetch(bound), User)
  const rename = users.partialUpdate.bind(undefined, { id: 1 })
  assert.is(rename.sideEffect, true)
  await rename({ name: 'y' })
  assert.equal(urls, ['/users/1', '/users/1'])
})

test('lists bound to different arguments are different lists, and push of one goes into that', async () => {
  const bodies: unknown[] = []
  const transport = async (input: string, { method, body }: RequestInit = {}): Promise<Response> => {
    if (method === 'POST') bodies.push([input, JSON.parse(String(body))])
    return Response.json(method === 'POST' ? { id: 9, name: 'new' } : input.includes('/a/') ? [{ id: 1, name: 'x' }] : [{ id: 2, name: 'y' }])
  }
  const users = createResource({ path: '/teams/:team/users/:id', schema: User, transport })
  const [a, b] = ['a', 'b'].map(team => users.getList.bind(undefined, { team }))
  const controller = new Controller()
  await controller.fetch(a!)
  await controller.fetch(b!)
  const ids = (list: typeof a): unknown => controller.getResponse(list!).data?.map(({ id }) => id)
  assert.equal([ids(a), ids(b)], [[1], [2]])
  assert.equal(controller.getResponse(users.getList, { team: 'a' }).data?.map(({ id }) => id), [1])
  const pushed = await controller.fetch(a!.push, { name: 'new' })
  assert.instance(pushed, User)
  assert.equal(bodies, [['/teams/a/users', { name: 'new' }]])
  assert.equal([ids(a), ids(b)], [[1, 9], [2]])
})

test('push of a bound list shows what was sent, and is undone, with the bound arguments', async () => {
  const users = createResource({ path: '/teams/:team/users/:id', schema: User, optimistic: true, transport: () => new Promise<never>(() => {}) })
  const push = users.getList.bind(undefined, { team: 'a' }).push
  assert.equal(push.getOptimisticResponse!({} as never, { name: 'new' }), { team: 'a', name: 'new' })
  assert.equal(push.getUndo!({ previous: undefined, result: { id: 9 } }, { name: 'new' })?.args, [{ team: 'a', id: 9 }])
})

test.run()
