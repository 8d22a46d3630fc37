import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, AbortError, Endpoint, Entity, PatchcordError, PathError, RestEndpoint, schema, SchemaError } from '../../../src/index.ts'
import { polluted } from '../../support/pollute.ts'
import { caught } from '../../support/caught.ts'
import { recorder, rejected } from './recorder.ts'

const test = suite('RestEndpoint')

class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}
const headersOf = (init: RequestInit): object => Object.fromEntries(new Headers(init.headers))

test('is an endpoint, and a function of URL parameters and body', async () => {
  const { calls, transport } = recorder(() => Response.json({ id: 1 }))
  const update = new RestEndpoint({ path: '/users/:id', method: 'PUT', schema: User, body: {} as { name: string }, transport })
  assert.instance(update, Endpoint)
  assert.equal(await update({ id: 1 }, { name: 'x' }), { id: 1 })
  assert.is(calls[0]!.input, '/users/1')
  assert.is(calls[0]!.init.method, 'PUT')
  assert.is(calls[0]!.init.body, '{"name":"x"}')
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

test('the method is given, else POST with a side effect, else GET, in any case', () => {
  const of = (options: object): [string, boolean] => {
    const { method, sideEffect } = new RestEndpoint({ path: '/x', ...options })
    return [method, sideEffect]
  }
  assert.equal(of({}), ['GET', false])
  assert.equal(of({ sideEffect: true }), ['POST', true])
  assert.equal(of({ method: 'POST' }), ['POST', true])
  for (const method of ['PUT', 'PATCH', 'DELETE', 'delete', 'Purge']) assert.equal(of({ method }), [method, true])
  for (const method of ['get', 'HEAD', 'Options']) assert.equal(of({ method }), [method, false])
  assert.equal(of({ method: 'POST', sideEffect: false }), ['POST', false])
  assert.is(new RestEndpoint({ path: '/x' }).extend({ method: 'POST' }).sideEffect, true)
  assert.is(new RestEndpoint({ path: '/x', sideEffect: true }).extend({ method: 'PUT' }).sideEffect, true)
  class Create extends RestEndpoint {
    override method = 'POST'
  }
  assert.is(new Create({ path: '/x' }).sideEffect, true)
  class Search extends RestEndpoint {
    override sideEffect = true
  }
  assert.is(new Search({ path: '/x' }).method, 'POST')
})

test('an undefined says nothing of the method or the side effect', async () => {
  const { calls, transport } = recorder()
  const read = new RestEndpoint({ path: '/x', transport, method: undefined } as never) as unknown as RestEndpoint
  await read()
  assert.equal([calls[0]!.init.method, read.method, read.sideEffect], ['GET', 'GET', false])
  const create = new RestEndpoint({ path: '/x', method: 'POST', sideEffect: undefined } as never) as unknown as RestEndpoint
  assert.equal([create.method, create.sideEffect], ['POST', true])
  assert.is(create.extend({ method: undefined } as never).method, 'POST')
})

test('a field of a subclass may be assigned instead of defined, as older compilers do', () => {
  class Create extends RestEndpoint {
    constructor(options: { path: string }) {
      super(options)
      Object.assign(this, { method: 'PUT', urlPrefix: '/v1', dataExpiryLength: 5 })
    }
  }
  const create = new Create({ path: '/x' })
  assert.equal([create.method, create.sideEffect, create.dataExpiryLength, create.key()], ['PUT', true, 5, 'PUT /v1/x'])
  class Run extends RestEndpoint {
    constructor(options: { path: string }) {
      super(options)
      Object.assign(this, { sideEffect: true })
    }
  }
  assert.is(new Run({ path: '/x' }).method, 'POST')
})

test('the method is sent in capitals', async () => {
  const { calls, transport } = recorder()
  await new RestEndpoint({ path: '/x', method: 'patch', transport })()
  assert.is(calls[0]!.init.method, 'PATCH')
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
  assert.is.not(find.key({ q: 'x' }), find.key({ q: 'y' }))
  assert.is.not(find.key({ q: 1 }), find.key({ q: '1' }))
  assert.ok(find.testKey(find.key({ q: 'x' })))
  const form = (value: string): FormData => {
    const data = new FormData()
    data.append('q', value)
    return data
  }
  assert.is.not(find.key(form('x')), find.key(form('y')))
  assert.is(find.key(form('x')), find.key(form('x')))
  assert.is.not(find.key(new URLSearchParams('a=1')), find.key(new URLSearchParams('a=2')))
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

/** Whether a step was replaced, seen from outside. */
async function isReplaced(endpoint: RestEndpoint, calls: { input: string; init: RequestInit }[]): Promise<boolean> {
  const value = (await endpoint({ id: 1 })) as { replaced?: number }
  const last = calls.at(-1)
  return value.replaced === 1 || last?.input === '/replaced' || last?.init.method === 'REPLACED' || new Headers(last?.init.headers).has('x-replaced')
}

for (const step of Object.keys(steps) as Step[]) {
  test(`${step} is overridden by an option, by extend, by a subclass and by an option over a subclass`, async () => {
    const { calls, transport } = recorder()
    const options = { path: '/users/:id', transport }
    assert.not(await isReplaced(new RestEndpoint(options) as unknown as RestEndpoint, calls))
    assert.ok(await isReplaced(new RestEndpoint({ ...options, [step]: steps[step] }) as unknown as RestEndpoint, calls))
    assert.ok(await isReplaced(new RestEndpoint(options).extend({ [step]: steps[step] } as object) as unknown as RestEndpoint, calls))
    class Sub extends RestEndpoint {}
    Object.defineProperty(Sub.prototype, step, { value: steps[step], configurable: true, writable: true })
    assert.ok(await isReplaced(new Sub(options), calls))
    const original = RestEndpoint.prototype[step] as () => never
    assert.not(await isReplaced(new Sub(options).extend({ [step]: original } as object) as unknown as RestEndpoint, calls))
  })
}

test('every step of a subclass can call super, fetch too', async () => {
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
    override process(value: unknown, params: object): unknown {
      trace.push('process')
      return { ...(super.process(value) as object), params }
    }
  }
  const { calls, transport } = recorder(() => Response.json({ id: 1 }, { headers: { 'x-from': 'server' } }))
  const endpoint = new Traced({ path: '/users/:id', transport }).extend({ method: 'PUT' })
  assert.equal(await endpoint({ id: 1 }, { a: 1 }), { wrapped: { parsed: { id: 1 }, params: { id: 1 } } })
  assert.equal(trace, ['fetch', 'url', 'getRequestInit', 'getHeaders', 'fetchResponse', 'server', 'parseResponse', 'process'])
  assert.is(calls[0]!.input, '/users/1/more')
  assert.is(calls[0]!.init.credentials, 'same-origin')
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

test('process gets the parsed value and every argument', async () => {
  const { transport } = recorder(() => Response.json({ a: 1 }))
  const endpoint = new RestEndpoint({ path: '/x/:id', method: 'PUT', transport, process: (value: object, ...args: unknown[]) => ({ ...value, args }) })
  assert.equal(await endpoint({ id: 1 }, { b: 2 }), { a: 1, args: [{ id: 1 }, { b: 2 }] })
})

test('class fields lose to extend and win over the constructor', () => {
  class Api extends RestEndpoint {
    override urlPrefix = 'https://field.x'
  }
  assert.is(new Api({ path: '/a', urlPrefix: 'https://option.x' }).url(), 'https://field.x/a')
  assert.is(new Api({ path: '/a' }).extend({ urlPrefix: 'https://option.x' }).url(), 'https://option.x/a')
  class Live extends RestEndpoint {
    override get urlPrefix(): string {
      return 'https://getter.x'
    }
  }
  assert.is(new Live({ path: '/a' }).url(), 'https://getter.x/a')
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

test('a signal given by extend goes with the request', async () => {
  const { calls, transport } = recorder()
  const { signal } = new AbortController()
  await new RestEndpoint({ path: '/x', transport }).extend({ signal })()
  assert.is(calls[0]!.init.signal, signal)
})

test('the signal goes along even when an override of getRequestInit forgot it', async () => {
  const { calls, transport } = recorder()
  const { signal } = new AbortController()
  await new RestEndpoint({ path: '/x', transport, signal, getRequestInit: () => ({ method: 'GET' }) })()
  assert.is(calls[0]!.init.signal, signal)
})

test('so does the method, and one that an override gives stays', async () => {
  const { calls, transport } = recorder()
  const endpoint = new RestEndpoint({ path: '/x', transport, method: 'put' })
  await endpoint.extend({ getRequestInit: (body) => ({ body: JSON.stringify(body), credentials: 'include' }) })({ a: 1 })
  await endpoint.extend({ getRequestInit: async () => ({ method: 'POST' }) })({ a: 1 })
  assert.equal(calls.map(({ init }) => init.method), ['PUT', 'POST'])
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
  for (const how of ['push', 'unshift', 'assign'] as const) {
    assert.is(list[how].method, 'POST')
    assert.is(list[how].sideEffect, true)
    assert.is(list[how].name, `list.${how}`)
    assert.instance(list[how].schema, list.schema.page.results[how].constructor as never)
  }
  for (const how of ['remove', 'move'] as const) {
    assert.is(list[how].method, 'PATCH')
    assert.is(list[how].path, '/users')
    assert.instance(list[how].schema, list.schema.page.results[how].constructor as never)
  }
  const object = new RestEndpoint({ path: '/users', schema: new schema.Object({ results: new schema.Collection([User]) }) })
  assert.is(object.push.method, 'POST')
  const bare = new RestEndpoint({ path: '/users', schema: [User] })
  for (const how of ['push', 'unshift', 'assign', 'remove', 'move'] as const) assert.instance(caught(() => bare[how]), SchemaError)
  assert.match(caught(() => bare.paginated('x')).message, 'collection')
  assert.match(caught(() => list.getPage).message, 'paginationField')
})

test('a hostile parameter is an error before anything else happens', async () => {
  const { calls, transport } = recorder()
  let inits = 0
  const endpoint = new RestEndpoint({ path: '/users/:id', method: 'DELETE', transport, getRequestInit: () => ({ n: ++inits }) as RequestInit })
  const error = await rejected(endpoint({ id: '..' }))
  assert.instance(error, PathError)
  assert.is(error['param'], 'id')
  assert.instance(caught(() => endpoint.key({ id: '..' })), PathError)
  assert.equal([calls.length, inits], [0, 0])
})

test('a body that JSON cannot say is an error with a code, and no request', async () => {
  const { calls, transport } = recorder()
  const loop: { self?: unknown } = {}
  loop.self = loop
  for (const body of [{ n: 1n }, loop]) {
    const error = await rejected(new RestEndpoint({ path: '/x', method: 'POST', transport })(body))
    assert.instance(error, PatchcordError)
    assert.equal([error['code'], error.cause instanceof TypeError], ['BODY', true])
    assert.match(error.message, 'getRequestInit')
  }
  assert.is(calls.length, 0)
})

test('nothing is lent to the request by a polluted Object.prototype', async () => {
  const lent = { method: 'DELETE', credentials: 'include', headers: { 'x-evil': '1' }, body: 'x', signal: 1, schema: 1, key: 1, redirect: 'follow', urlPrefix: 'https://evil.x', path: '/evil', id: 'evil' }
  const { calls, transport } = recorder()
  const endpoint = new RestEndpoint({ path: '/users/:id', transport })
  await polluted(lent, async () => {
    await endpoint({ id: 1 })
    const { init, input } = calls[0]!
    assert.is(input, '/users/1')
    assert.equal([init.method, init.credentials, init.body, init.signal, init.redirect], ['GET', undefined, undefined, undefined, undefined])
    assert.equal(Object.keys(init.headers as object), [])
    assert.is(endpoint.key({ id: 2 }), 'GET /users/2')
    assert.instance(caught(() => endpoint.key({} as never)), PathError)
  })
})

test('keepalive is asked for only where a browser would grant it: up to 64 KiB of body', async () => {
  const sent: unknown[] = []
  const transport = async (_input: string, init?: RequestInit): Promise<Response> => {
    sent.push(init!.keepalive)
    return Response.json({})
  }
  class Beacon extends RestEndpoint {
    override getRequestInit(body?: unknown): RequestInit {
      return { ...(super.getRequestInit(body) as RequestInit), keepalive: true }
    }
  }
  const beacon = new Beacon({ path: '/beacon', method: 'POST', transport })
  const short = 'x'.repeat(65_536)
  const bodies = [short, new Blob([short]), new TextEncoder().encode(short), new URLSearchParams({ x: short.slice(2) })]
  for (const body of bodies) await beacon(body as never)
  assert.equal(sent.splice(0), [true, true, true, true])
  const long = `${short}x`
  for (const body of [long, 'ä'.repeat(32_769), new Blob([long]), new TextEncoder().encode(long), new URLSearchParams({ x: short })]) await beacon(body as never)
  assert.equal(sent, [false, false, false, false, false])
})

test.run()
