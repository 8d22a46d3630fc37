import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AbortError, Controller, Endpoint, PatchcordError, PathError, RestEndpoint, schema, SchemaError } from '../../../src/index.ts'
import { polluted } from '../../support/pollute.ts'
import { caught, rejected } from '../../support/caught.ts'
import { User } from '../../support/todo.ts'
import { recorder } from './recorder.ts'

const test = suite('RestEndpoint')

const headersOf = (init: RequestInit): object => Object.fromEntries(new Headers(init.headers))

test('is an endpoint, and a function of URL parameters and body', async () => {
  const { calls, transport } = recorder(() => Response.json({ id: 1 }))
  const update = new RestEndpoint({ path: '/users/:id', method: 'PUT', schema: User, body: {} as { name: string }, transport })
  assert.instance(update, Endpoint)
  assert.equal(await update({ id: 1 }, { name: 'x' }), { id: 1 })
  assert.equal([calls[0]!.input, calls[0]!.init.method, calls[0]!.init.body], ['/users/1', 'PUT', '{"name":"x"}'])
})

test('with a body, one argument is the body where the path has no parameter', async () => {
  const { calls, transport } = recorder()
  const create = new RestEndpoint({ path: '/users', method: 'POST', transport, searchParams: {} as { a?: number } })
  await create({ name: 'x' })
  await create({ a: 1 }, { name: 'y' })
  const optional = new RestEndpoint({ path: '/users/:id?', method: 'POST', transport })
  await optional({ id: 5 }, undefined)
  await optional(undefined, { name: 'z' })
  assert.equal(calls.map(({ input, init }) => [input, init.body]), [
    ['/users', '{"name":"x"}'], ['/users?a=1', '{"name":"y"}'], ['/users/5', undefined], ['/users', '{"name":"z"}'],
  ])
})

test('the method is given, else POST with a side effect, else GET, in any case; an undefined says nothing', () => {
  for (const [options, method, sideEffect] of [
    [{}, 'GET', false], [{ sideEffect: true }, 'POST', true], [{ method: 'POST' }, 'POST', true],
    [{ method: 'POST', sideEffect: false }, 'POST', false],
    ...['PUT', 'PATCH', 'DELETE', 'delete', 'Purge'].map((each) => [{ method: each }, each, true] as const),
    ...['get', 'HEAD', 'Options'].map((each) => [{ method: each }, each, false] as const),
    [{ method: undefined }, 'GET', false], [{ method: 'POST', sideEffect: undefined }, 'POST', true],
  ] as const) {
    for (const endpoint of [new RestEndpoint({ path: '/x', ...options }), new RestEndpoint({ path: '/x' }).extend(options as object)]) {
      assert.equal([endpoint.method, endpoint.sideEffect], [method, sideEffect])
    }
  }
  const create = new RestEndpoint({ path: '/x', sideEffect: true })
  assert.is(create.extend({ method: 'PUT' }).sideEffect, true)
  assert.is(create.extend({ method: undefined } as never).method, 'POST')
})

test('a subclass gives them by fields, defined or, as older compilers do, assigned', () => {
  class Create extends RestEndpoint {
    override method = 'PUT'
    override urlPrefix = '/v1'
    override dataExpiryLength = 5
  }
  class Run extends RestEndpoint {
    override sideEffect = true
  }
  const assigned = (fields: object) =>
    class extends RestEndpoint {
      constructor(options: { path: string }) {
        super(options)
        Object.assign(this, fields)
      }
    }
  for (const Class of [Create, assigned({ method: 'PUT', urlPrefix: '/v1', dataExpiryLength: 5 })]) {
    const create = new Class({ path: '/x' })
    assert.equal([create.method, create.sideEffect, create.dataExpiryLength, create.key()], ['PUT', true, 5, 'PUT /v1/x'])
  }
  for (const Class of [Run, assigned({ sideEffect: true })]) assert.is(new Class({ path: '/x' }).method, 'POST')
})

test('the method is sent in capitals, also when getRequestInit forgot it; one that it gives stays', async () => {
  const { calls, transport } = recorder()
  const endpoint = new RestEndpoint({ path: '/x', transport, method: 'patch' })
  await endpoint()
  await endpoint.extend({ getRequestInit: (body) => ({ body: JSON.stringify(body), credentials: 'include' }) })({ a: 1 })
  await endpoint.extend({ getRequestInit: async () => ({ method: 'POST' }) })({ a: 1 })
  assert.equal(calls.map(({ init }) => init.method), ['PATCH', 'PATCH', 'POST'])
})

test('the key is METHOD and url, whatever the order of the parameters', () => {
  const endpoint = new RestEndpoint({ urlPrefix: 'https://api.x', path: '/users/:id', searchParams: {} as { a?: unknown; b?: unknown } })
  assert.is(endpoint.key({ id: 1, a: 2, b: 3 }), 'GET https://api.x/users/1?a=2&b=3')
  assert.is(endpoint.key({ b: '3', a: 2, id: '1' }), endpoint.key({ id: 1, a: 2, b: 3 }))
  assert.is(new RestEndpoint({ path: '/users/:id', method: 'put' }).key({ id: 1 }, { name: 'x' }), 'PUT /users/1')
  assert.is.not(endpoint.key({ id: 1, a: { x: 1 } }), endpoint.key({ id: 1, a: { x: 2 } }))
})

test('a search by POST has its body in its key', () => {
  const find = new RestEndpoint({ path: '/search', method: 'POST', sideEffect: false })
  assert.is(find.key({ q: 'x', n: 1 }), 'POST /search {"n":1,"q":"x"}')
  assert.is(find.key({ n: 1, q: 'x' }), find.key({ q: 'x', n: 1 }))
  assert.ok(find.testKey(find.key({ q: 'x' })))
  const form = (value: string): FormData => {
    const data = new FormData()
    data.append('q', value)
    return data
  }
  assert.is(find.key(form('x')), find.key(form('x')))
  const bodies = [{ q: 'x' }, { q: 'y' }, { q: 1 }, { q: '1' }, form('x'), form('y'), new URLSearchParams('a=1'), new URLSearchParams('a=2')]
  assert.is(new Set(bodies.map((body) => find.key(body as never))).size, bodies.length)
  assert.match(caught(() => find.key(new Blob(['x']))).message, 'Override key()')
})

test('testKey knows the keys of its own template', () => {
  const get = new RestEndpoint({ urlPrefix: 'https://api.x', path: '/users/:id' })
  assert.ok(get.testKey(get.key({ id: 'a/b?c' })))
  assert.ok(get.testKey('GET https://api.x/users/1?a=2'))
  for (const key of ['GET https://api.x/users', 'PUT https://api.x/users/1', 'GET https://api.y/users/1', 'GET https://api.x/users/1/2', 'GET /users/1', '']) {
    assert.not(get.testKey(key), key)
  }
  const root = new RestEndpoint({ path: '/:id?' })
  assert.ok(root.testKey(root.key()))
})

/** Each step, replaced: what the step gives then. */
const steps = {
  url: () => '/replaced',
  getRequestInit: () => ({ method: 'REPLACED' }),
  getHeaders: () => ({ 'x-replaced': '1' }),
  fetchResponse: async () => Response.json({ replaced: 1 }),
  parseResponse: async () => ({ replaced: 1 }),
  process: () => ({ replaced: 1 }),
  fetch: async () => ({ replaced: 1 }),
}
type Step = keyof typeof steps

for (const step of Object.keys(steps) as Step[]) {
  test(`${step} is overridden by an option, by extend, by a subclass and by an option over a subclass`, async () => {
    const { calls, transport } = recorder()
    const options = { path: '/users/:id', transport }
    const changed = { [step]: steps[step] } as object
    class Sub extends RestEndpoint {}
    Object.defineProperty(Sub.prototype, step, { value: steps[step], configurable: true, writable: true })
    for (const [endpoint, isReplaced] of [
      [new RestEndpoint(options), false],
      [new RestEndpoint({ ...options, ...changed }), true],
      [new RestEndpoint(options).extend(changed), true],
      [new Sub(options), true],
      [new Sub(options).extend({ [step]: RestEndpoint.prototype[step] } as object), false],
    ] as [RestEndpoint, boolean][]) {
      const value = (await endpoint({ id: 1 })) as { replaced?: number }
      const { input, init } = calls.at(-1) ?? { input: '', init: {} }
      const found = [value.replaced === 1, input === '/replaced', init.method === 'REPLACED', new Headers(init.headers).has('x-replaced')]
      assert.is(found.includes(true), isReplaced)
    }
  })
}

test('every step of a subclass can call super, fetch too, and process gets every argument', async () => {
  const trace: string[] = []
  class Traced extends RestEndpoint {
    override async fetch(...args: Parameters<RestEndpoint['fetch']>): Promise<unknown> {
      trace.push('fetch')
      return { wrapped: await super.fetch(...args) }
    }
    override url(params?: object): string {
      trace.push('url')
      return `${super.url(params)}/more`
    }
    override getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
      trace.push('getRequestInit')
      return { ...super.getRequestInit(body), credentials: 'same-origin' }
    }
    override getHeaders(headers: { [name: string]: string }): HeadersInit | Promise<HeadersInit> {
      trace.push('getHeaders')
      return { ...(super.getHeaders(headers) as object), accept: 'x' }
    }
    override async fetchResponse(input: string, init: RequestInit): Promise<Response> {
      trace.push('fetchResponse')
      const response = await super.fetchResponse(input, init)
      trace.push(response.headers.get('x-from')!)
      return response
    }
    override async parseResponse(response: Response): Promise<unknown> {
      trace.push('parseResponse')
      return { parsed: await super.parseResponse(response) }
    }
    override process(value: unknown, ...args: unknown[]): unknown {
      trace.push('process')
      return { ...(super.process(value) as object), args }
    }
  }
  const { calls, transport } = recorder(() => Response.json({ id: 1 }, { headers: { 'x-from': 'server' } }))
  const endpoint = new Traced({ path: '/users/:id', transport }).extend({ method: 'PUT' })
  assert.equal(await endpoint({ id: 1 }, { a: 1 }), { wrapped: { parsed: { id: 1 }, args: [{ id: 1 }, { a: 1 }] } })
  assert.equal(trace, ['fetch', 'url', 'getRequestInit', 'getHeaders', 'fetchResponse', 'server', 'parseResponse', 'process'])
  assert.equal([calls[0]!.input, calls[0]!.init.credentials], ['/users/1/more', 'same-origin'])
  assert.equal(headersOf(calls[0]!.init), { accept: 'x', 'content-type': 'application/json' })
})

test('getRequestInit and getHeaders may be asynchronous', async () => {
  const { calls, transport } = recorder()
  class Async extends RestEndpoint {
    override async getRequestInit(body?: unknown): Promise<RequestInit> {
      return { ...(await super.getRequestInit(body)), cache: 'no-store' }
    }
    override async getHeaders(headers: { [name: string]: string }): Promise<HeadersInit> {
      await Promise.resolve()
      return new Headers({ ...headers, 'accept-language': 'de' })
    }
  }
  await new Async({ path: '/x', method: 'POST', transport })({ a: 1 })
  assert.is(calls[0]!.init.cache, 'no-store')
  assert.equal(headersOf(calls[0]!.init), { 'accept-language': 'de', 'content-type': 'application/json' })
})

test('a run carries its own transport and signal; without one it is the platform’s fetch at that time', async () => {
  const endpoint = new RestEndpoint({ path: '/users/:id' })
  const { calls, transport } = recorder()
  await new Controller({ fetch: transport }).fetch(endpoint, { id: 1 })
  assert.instance(calls[0]!.init.signal, AbortSignal)
  assert.is(endpoint.transport, undefined)
  assert.is(endpoint.signal, undefined)
  const { fetch } = globalThis
  const platform = recorder()
  globalThis.fetch = platform.transport as typeof globalThis.fetch
  try {
    await endpoint({ id: 2 })
    assert.is(platform.calls[0]!.input, '/users/2')
    await new Controller().fetch(endpoint, { id: 3 })
    assert.is(platform.calls.length, 2)
  } finally {
    globalThis.fetch = fetch
  }
})

test('a signal given by extend goes with the request, also when getRequestInit forgot it', async () => {
  const { calls, transport } = recorder()
  const { signal } = new AbortController()
  const endpoint = new RestEndpoint({ path: '/x', transport }).extend({ signal })
  await endpoint()
  await endpoint.extend({ getRequestInit: () => ({ method: 'GET' }) })()
  for (const { init } of calls) assert.is(init.signal, signal)
})

test('a signal of an override ends the request as well as that of the run, and takes nothing from it', async () => {
  const { calls, transport } = recorder((_, { signal }) => new Promise((_give, refuse) => signal!.addEventListener('abort', () => refuse(signal!.reason as Error))))
  for (const who of [0, 1]) {
    const aborts = [new AbortController(), new AbortController()]
    const endpoint = new RestEndpoint({ path: '/x', transport, getRequestInit: () => ({ signal: aborts[0]!.signal }) })
    const outcome = rejected(endpoint.extend({ signal: aborts[1]!.signal })())
    await new Promise((resolve) => setTimeout(resolve))
    aborts[who]!.abort('left')
    assert.is(calls[who]!.init.signal!.reason, 'left')
    assert.instance(await outcome, AbortError)
  }
})

test('in a page, a path alone is on the page’s own origin, by the browser’s own fetch', async () => {
  // Node has no page; there the servers of the other suites are asked.
  if (typeof process !== 'undefined') return
  assert.match((await new RestEndpoint({ path: '/' })()) as string, '<')
  assert.match((await new RestEndpoint({ urlPrefix: location.origin, path: '/' })()) as string, '<')
})

test('push, unshift and assign are POST with the creator of the first collection; remove and move are PATCH', () => {
  const list = new RestEndpoint({ path: '/users', name: 'list', schema: { meta: { total: 0 }, page: { results: new schema.Collection([User]) } } })
  const bare = new RestEndpoint({ path: '/users', schema: [User] })
  for (const [how, method] of [['push', 'POST'], ['unshift', 'POST'], ['assign', 'POST'], ['remove', 'PATCH'], ['move', 'PATCH']] as const) {
    const { name, path, method: found, sideEffect, schema: creator } = list[how]
    assert.equal([name, path, found, sideEffect], [`list.${how}`, '/users', method, true])
    assert.instance(creator, list.schema.page.results[how].constructor as never)
    assert.instance(caught(() => bare[how]), SchemaError)
  }
  const object = new RestEndpoint({ path: '/users', schema: new schema.Object({ results: new schema.Collection([User]) }) })
  assert.is(object.push.method, 'POST')
  assert.match(caught(() => bare.paginated('x')).message, 'collection')
  assert.match(caught(() => list.getPage).message, 'paginationField')
})

test('a body that JSON cannot say is an error with a code, and no request', async () => {
  const { calls, transport } = recorder()
  const loop: { self?: unknown } = {}
  loop.self = loop
  for (const body of [{ n: 1n }, loop]) {
    const { code, cause } = await rejected(new RestEndpoint({ path: '/x', method: 'POST', transport })(body), PatchcordError, 'getRequestInit')
    assert.equal([code, cause instanceof TypeError], ['BODY', true])
  }
  assert.is(calls.length, 0)
})

test('nothing is lent to the request by a polluted Object.prototype', async () => {
  const request = { method: 'DELETE', credentials: 'include', headers: { 'x-evil': '1' }, body: 'x', signal: 1, redirect: 'follow' }
  const lent = { ...request, schema: 1, key: 1, urlPrefix: 'https://evil.x', path: '/evil', id: 'evil' }
  const { calls, transport } = recorder()
  const endpoint = new RestEndpoint({ path: '/users/:id', transport })
  await polluted(lent, async () => {
    await endpoint({ id: 1 })
    const { init, input } = calls[0]!
    const { method, credentials, body, signal, redirect } = init
    assert.equal([input, method, credentials, body, signal, redirect], ['/users/1', 'GET', undefined, undefined, undefined, undefined])
    assert.equal(Object.keys(init.headers as object), [])
    assert.is(endpoint.key({ id: 2 }), 'GET /users/2')
    assert.instance(caught(() => endpoint.key({} as never)), PathError)
  })
})

test('keepalive is asked for only where a browser would grant it: up to 64 KiB of body', async () => {
  const { calls, transport } = recorder()
  class Beacon extends RestEndpoint {
    override getRequestInit(body?: unknown): RequestInit {
      return { ...(super.getRequestInit(body) as RequestInit), keepalive: true }
    }
  }
  const beacon = new Beacon({ path: '/beacon', method: 'POST', transport })
  const short = 'x'.repeat(65_536)
  const long = `${short}x`
  for (const [body, expected] of [
    [short, true], [new Blob([short]), true], [new TextEncoder().encode(short), true], [new URLSearchParams({ x: short.slice(2) }), true],
    [long, false], [new Blob([long]), false], [new TextEncoder().encode(long), false], [new URLSearchParams({ x: short }), false],
    ['ä'.repeat(32_769), false],
  ] as const) {
    await beacon(body as never)
    assert.is(calls.at(-1)!.init.keepalive, expected)
  }
})

test.run()
