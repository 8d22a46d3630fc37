import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createResource, PathError, RestEndpoint } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { User } from '../../support/todo.ts'
import { recorder } from './recorder.ts'

const test = suite('requests')

const headersOf = (init: RequestInit): { [name: string]: string } => init.headers as { [name: string]: string }

test('requestInit is part of every request, beneath what getRequestInit adds; only its content type wins over that of JSON', async () => {
  const { calls, transport } = recorder()
  const requestInit = Object.freeze({ credentials: 'include', mode: 'cors', method: 'PUT', headers: new Headers({ 'X-Api': '1' }) } as const)
  const users = createResource({ path: '/users/:id', schema: User, transport, requestInit })
  await users.get({ id: 1 })
  await users.partialUpdate({ id: 1 }, { id: 2 })
  await users.getList.push({ id: 3 })
  for (const { init } of calls) assert.equal([init.credentials, init.mode, headersOf(init)['x-api']], ['include', 'cors', '1'])
  const type = 'application/vnd.api+json'
  await users.getList.push.extend({ requestInit: { headers: { 'Content-Type': type } } })({ id: 3 })
  assert.equal(calls.map(({ init }) => [init.method, headersOf(init)['content-type']]), [
    ['GET', undefined], ['PATCH', 'application/json'], ['POST', 'application/json'], ['POST', type],
  ])
})

test('requestInit can be extended, and overridden by a method with super', async () => {
  const { calls, transport } = recorder()
  class Api extends RestEndpoint {
    override getRequestInit(body?: unknown): RequestInit {
      return { ...(super.getRequestInit(body) as RequestInit), cache: 'no-store' }
    }
  }
  const base = new Api({ path: '/users', transport, requestInit: { credentials: 'include' } } as never)
  await base()
  await (base.extend({ requestInit: { credentials: 'omit' } } as never) as unknown as RestEndpoint)()
  assert.equal(calls.map(({ init }) => [init.credentials, init.cache]), [['include', 'no-store'], ['omit', 'no-store']])
})

test('an escaped question mark starts the query, and further parameters follow', () => {
  const search = new RestEndpoint({ path: '/search\\?q=hello' as string, searchParams: {} as object })
  assert.is(search.url(), '/search?q=hello')
  assert.is(search.url({ page: 2 }), '/search?q=hello&page=2')
  const keys = [search.key(), search.key({ page: 2 }), 'GET /search?q=hellos', 'GET /search']
  assert.equal(keys.map((key) => search.testKey(key)), [true, true, false, false])
  const find = new RestEndpoint({ path: '/find\\?q=:q' as string })
  assert.is(find.url({ q: 'a&b=c/d' }), '/find?q=a%26b%3Dc%2Fd')
  assert.ok(find.testKey(find.key({ q: 'a&b' })))
  assert.not(new RestEndpoint({ path: '/find' }).testKey('GET /find&q=1'))
})

test('an escaped question mark opens no way out of the path', () => {
  for (const path of ['/a/..\\?q=1', '/a/:id\\?q=1', '/a\\#b']) {
    assert.instance(caught(() => new RestEndpoint({ path: path as string }).url({ id: '..' })), PathError, path)
  }
  assert.instance(caught(() => new RestEndpoint({ path: 'https://a.example\\?q=:q' as string }).url({ q: 1 })), PathError)
})

test('the name is the prefix and the path unless one is given, also after extend and in a class', () => {
  const endpoint = new RestEndpoint({ urlPrefix: 'https://a.example', path: '/users/:id' })
  assert.is(endpoint.name, 'https://a.example/users/:id')
  assert.is(endpoint.extend({ path: '/v2' }).name, 'https://a.example/v2')
  assert.is(endpoint.extend({ name: 'getUser' }).extend({ path: '/v2' }).name, 'getUser')
  class Api extends RestEndpoint {
    override urlPrefix = 'https://b.example'
  }
  assert.is(new Api({ path: '/x' }).name, 'https://b.example/x')
  assert.is(createResource({ path: '/users/:id', schema: User }).getList.push.name, 'User.getList.push')
})

test.run()
