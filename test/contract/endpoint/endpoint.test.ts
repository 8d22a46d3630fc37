import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, Endpoint, PatchcordError, RestEndpoint } from '../../../src/index.ts'
import { AbortError, MissingPkError, NetworkError, ParseError, PathError, TimeoutError, ValidationError } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { polluted } from '../../support/pollute.ts'
import { User } from '../../support/todo.ts'

const test = suite('Endpoint')

const sum = async (a: number, b: number): Promise<number> => a + b

test('is a function that runs its fetch; it can be called, applied, bound and passed around detached', async () => {
  const endpoint = new Endpoint(sum)
  assert.type(endpoint, 'function')
  assert.instance(endpoint, Endpoint)
  assert.match(String(endpoint), '=>')
  assert.equal([await endpoint(1, 2), await endpoint.fetch(1, 2)], [3, 3])
  const calls = [endpoint.call(undefined, 1, 3), endpoint.apply(undefined, [1, 4]), endpoint.bind(undefined, 1)(5)]
  assert.equal(await Promise.all(calls), [4, 5, 6])
  assert.equal(await Promise.all([1, 2].map((n) => endpoint(n, n))), [2, 4])
})

test('has the documented defaults, also where an option is undefined', () => {
  const none = ['schema', 'invalidIfStale', 'pollFrequency', 'getOptimisticResponse', 'getUndo', 'update', 'signal'] as const
  const nothing = { name: undefined, dataExpiryLength: undefined, errorExpiryLength: undefined, sideEffect: undefined } as never
  for (const endpoint of [new Endpoint(sum), new Endpoint(sum, nothing), new Endpoint(sum).extend(nothing)] as Endpoint[]) {
    const { name, sideEffect, dataExpiryLength, errorExpiryLength } = endpoint
    assert.equal([name, sideEffect, dataExpiryLength, errorExpiryLength], ['sum', false, 60_000, 1000])
    for (const member of none) assert.is(endpoint[member], undefined, member)
  }
})

test('takes every option as a member', () => {
  const options = ['name', 'schema', 'sideEffect', 'dataExpiryLength', 'errorExpiryLength', 'invalidIfStale', 'pollFrequency', 'serial', 'signal']
  const methods = ['key', 'testKey', 'errorPolicy', 'getOptimisticResponse', 'getUndo', 'update']
  const given = Object.fromEntries([...options, ...methods].map((name) => [name, `the ${name}`]))
  const endpoint = new Endpoint(sum, given as never)
  for (const [name, value] of Object.entries(given)) assert.is(endpoint[name as 'name'], value, name)
})

test('runs with itself as this', async () => {
  const endpoint = new Endpoint(async function (this: Endpoint) {
    return this.name
  }, { name: 'itself' })
  assert.is(await endpoint(), 'itself')
})

test('a key is the name and the arguments, and an endpoint tells its own keys from those of others', () => {
  const any = async (..._args: unknown[]): Promise<number> => 1
  const get = new Endpoint(any, { name: 'get' })
  const getAll = new Endpoint(any, { name: 'get all' })
  const keys = [[], [1], [1, 2], [[1, 2]], [{ a: 1 }], [new Date(0)]].map((args) => get.key(...args))
  assert.is(new Set(keys).size, keys.length)
  assert.is(get.key(), get.key(undefined))
  assert.equal([...keys, getAll.key()].map((key) => get.testKey(key)), [...keys.map(() => true), false])
})

test('an endpoint without a name runs, and says what to do when its key is asked for', async () => {
  const endpoint = new Endpoint(async () => 1)
  assert.is(await endpoint(), 1)
  caught(() => endpoint.key(), PatchcordError, 'Give it one')
})

test('extend gives another endpoint, with the options over everything inherited; the name survives', async () => {
  const base = new Endpoint(sum, { dataExpiryLength: 5, schema: User })
  const extended = base.extend({ dataExpiryLength: 6, pollFrequency: 1 })
  assert.equal([extended.name, extended.dataExpiryLength, extended.schema, await extended(1, 2)], ['sum', 6, User, 3])
  assert.equal([base.dataExpiryLength, base.pollFrequency], [5, undefined])
  const doubled = extended.extend({ fetch: async (n: number) => n * 2, key: () => 'x' })
  assert.equal([await doubled(4), doubled.key(1)], [8, 'x'])
  assert.is(base.extend({ schema: undefined }).schema, undefined)
})

test('an undefined where the class has a method, or an option was given before, leaves that', () => {
  const keyOf = (endpoint: unknown): string => (endpoint as Endpoint<typeof sum>).key(1, 2)
  const extended = new Endpoint(sum).extend({ key: undefined, getOptimisticResponse: () => 1 } as never) as unknown as Endpoint<typeof sum>
  assert.is(keyOf(extended), 'sum [1,2]')
  assert.is(keyOf(new Endpoint(sum).extend({ key: () => 'x' }).extend({ key: undefined } as never)), 'x')
  assert.is(extended.extend({ getOptimisticResponse: undefined } as never).getOptimisticResponse, undefined)
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
  const other = endpoint.extend({ name: 'other' })
  for (const each of [endpoint, other]) assert.instance(each, Counted)
  assert.equal(await Promise.all([endpoint(1), other(1)]), [2, 2])
  assert.equal([endpoint.key(1), endpoint.errorPolicy(1), endpoint.errorPolicy(new Error('x'))], ['counted plus [1]', 'soft', 'hard'])
})

test('with new, a field of the class wins over an option; with extend, the option wins over all', async () => {
  const endpoint = new Counted(plus, { dataExpiryLength: 1 } as never)
  const lengths = [endpoint, endpoint.extend({ dataExpiryLength: 1 }), endpoint.extend({ name: 'x' })].map((each) => each.dataExpiryLength)
  assert.equal(lengths, [10, 1, 10])
  assert.is(await endpoint.extend({ fetch: async (n: number) => n })(1), 1)
})

test('options may be frozen, and may be accessors', () => {
  let n = 0
  const endpoint = new Counted(plus, Object.freeze({ dataExpiryLength: 1, get pollFrequency() { return ++n } }) as never)
  assert.equal([endpoint.dataExpiryLength, endpoint.extend({ name: 'x' }).pollFrequency, endpoint.pollFrequency], [10, 1, 2])
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
  assert.equal([endpoint.signal, endpoint.transport], [undefined, undefined])
})

test('a polluted Object.prototype lends an endpoint nothing', async () => {
  const names = ['schema', 'signal', 'transport', 'update', 'pollFrequency'] as const
  await polluted(Object.fromEntries([...names, 'method', 'key', 'sideEffect'].map(name => [name, 'polluted'])), () => {
    const endpoint = new Endpoint(sum).extend({ dataExpiryLength: 1 })
    for (const name of names) assert.is(endpoint[name], undefined, name)
    assert.equal([endpoint.sideEffect, endpoint.key(1, 2)], [false, 'sum [1,2]'])
  })
})

test('extend with another fetch takes the name of that function, unless name or key is given', async () => {
  const users = async (): Promise<string> => 'users'
  const assets = async (): Promise<string> => 'assets'
  const endpoint = new Endpoint(users)
  const extended = endpoint.extend({ fetch: assets })
  assert.equal([extended.name, extended.key()], ['assets', 'assets []'])
  assert.equal([endpoint.extend({ fetch: assets, name: 'files' }).name, endpoint.extend({ fetch: assets, key: () => 'k' }).name], ['files', 'users'])
  const controller = new Controller()
  assert.equal([await controller.fetch(endpoint), await controller.fetch(extended)], ['users', 'assets'])
})

test('a function without a name of its own leaves the name of the endpoint', () => {
  const endpoint = new Endpoint(async () => 1, { name: 'one' })
  const unnamed = [{ fetch: async () => 2 }, { async fetch() { return 2 } }, { fetch: (() => async () => 2)() }]
  for (const options of unnamed) assert.is(endpoint.extend(options).name, 'one')
})

test('bind returns an endpoint with its schema, and with a key that contains the bound arguments', async () => {
  const seen: unknown[] = []
  const get = async (params: { id: number }, more?: string): Promise<object> => (seen.push(more), { id: params.id, name: 'x' })
  const getUser = new Endpoint(get, { name: 'getUser', schema: User })
  const bound = getUser.bind(undefined, { id: 1 })
  assert.instance(bound, Endpoint)
  assert.is(bound.schema, User)
  assert.equal([bound.key(), bound.key('more')], [getUser.key({ id: 1 }), getUser.key({ id: 1 }, 'more')])
  assert.equal([await bound('more'), seen], [{ id: 1, name: 'x' }, ['more']])
  const controller = new Controller()
  const user: unknown = await controller.fetch(bound)
  assert.instance(user, User)
  assert.is(controller.getResponse(getUser, { id: 1 }).data, user, 'one request, one result')
})

test('bind keeps what extend adds, and can be bound again', async () => {
  const add = new Endpoint(async (a: number, b: number, c: number) => a + b + c, { name: 'add' })
  const bound = add.bind(undefined, 1).extend({ dataExpiryLength: 5 }).bind(undefined, 2)
  assert.equal([bound.dataExpiryLength, bound.key(3), await bound(3)], [5, add.key(1, 2, 3), 6])
})

test('the callbacks of a bound endpoint get the bound arguments too', () => {
  const seen: unknown[] = []
  const note = (...args: unknown[]): undefined => void seen.push(args)
  const callbacks = { getOptimisticResponse: note, getUndo: note, update: note as never }
  const bound = new Endpoint(async (_id: number, _body: string) => 1, { name: 'save', sideEffect: true, ...callbacks }).bind(undefined, 7)
  bound.getOptimisticResponse!('snap' as never, 'body')
  bound.getUndo!('context' as never, 'body')
  bound.update!('result', 'body')
  assert.equal(seen, [['snap', 7, 'body'], ['context', 7, 'body'], ['result', 7, 'body']])
})

test('members of a resource can be bound: lists with different arguments are different, and push of one goes into that', async () => {
  const bodies: unknown[] = []
  const transport = async (input: string, { method, body }: RequestInit = {}): Promise<Response> => {
    if (method === 'POST') bodies.push([input, JSON.parse(String(body))])
    return Response.json(method === 'POST' ? { id: 9, name: 'new' } : [{ id: input.includes('/a/') ? 1 : 2 }])
  }
  const users = createResource({ path: '/teams/:team/users/:id', schema: User, transport })
  const [a, b] = ['a', 'b'].map(team => users.getList.bind(undefined, { team }))
  const [get, update] = [users.get.bind(undefined, { team: 'a', id: 1 }), users.partialUpdate.bind(undefined, { team: 'a', id: 1 })]
  assert.equal([get.key(), update.sideEffect], ['GET /teams/a/users/1', true])
  const controller = new Controller()
  await Promise.all([controller.fetch(a!), controller.fetch(b!)])
  const ids = (list: typeof a): unknown => controller.getResponse(list!).data?.map(({ id }) => id)
  assert.equal([ids(a), ids(b)], [[1], [2]])
  assert.equal(controller.getResponse(users.getList, { team: 'a' }).data?.map(({ id }) => id), [1])
  assert.instance(await controller.fetch(a!.push, { name: 'new' }), User)
  assert.equal(bodies, [['/teams/a/users', { name: 'new' }]])
  assert.equal([ids(a), ids(b)], [[1, 9], [2]])
})

test('push of a bound list shows what was sent, and is undone, with the bound arguments', async () => {
  const users = createResource({ path: '/teams/:team/users/:id', schema: User, optimistic: true, transport: () => new Promise<never>(() => {}) })
  const push = users.getList.bind(undefined, { team: 'a' }).push
  assert.equal(push.getOptimisticResponse!({} as never, { name: 'new' }), { team: 'a', name: 'new' })
  assert.equal(push.getUndo!({ previous: undefined, result: { id: 9 } }, { name: 'new' })?.args, [{ team: 'a', id: 9 }])
})

const soft = [
  new NetworkError('refused', { cause: new TypeError('x') }),
  ...[500, 502, 503, 599, 408, 429].map((status) => new NetworkError('x', { status })),
  new TimeoutError('x'),
  new ParseError('x', ''),
  Object.assign(new Error('of another library'), { status: 503 }),
]
const hard = [
  ...[304, 400, 401, 403, 404, 409, 410, 412, 422].map((status) => new NetworkError('x', { status })),
  new AbortError(), new PathError('x'), new ValidationError('x'), new MissingPkError('x', 'k', {}), new Error('x'), 'text', undefined, null,
]

for (const endpoint of [new Endpoint(async () => 1, { name: 'x' }), new RestEndpoint({ path: '/x' })]) {
  test(`errorPolicy of ${endpoint.constructor.name}: failures that say nothing about the data are soft`, () => {
    for (const error of soft) assert.is(endpoint.errorPolicy(error), 'soft', String((error as { status?: number }).status ?? error))
  })
  test(`errorPolicy of ${endpoint.constructor.name}: all others are hard`, () => {
    for (const error of hard) assert.is(endpoint.errorPolicy(error), 'hard', String(error))
  })
}

test('errorPolicy is overridden by an option', () => {
  assert.is(new RestEndpoint({ path: '/x', errorPolicy: () => undefined }).errorPolicy(new Error('x')), undefined)
})

test.run()
