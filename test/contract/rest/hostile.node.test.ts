import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createResource, Entity, NetworkError, PatchcordError, PathError, RestEndpoint } from '../../../src/index.ts'
import { rejected } from './recorder.ts'
import { serve, type Server } from './server.ts'

/** Row by row: what a parameter, a prefix, a header or a server may try. */
const test = suite('hostile input over HTTP')

let server: Server
let other: Server
test.before(async () => {
  server = await serve()
  other = await serve()
})
test.after(async () => {
  await server.close()
  await other.close()
})
test.before.each(() => {
  server.seen.length = 0
  other.seen.length = 0
})

class User extends Entity {
  id = ''
  static override key = 'User'
}
const users = () => createResource({ urlPrefix: server.url, path: '/users/:id', schema: User })

async function assertRefused(promise: Promise<unknown>, param?: string): Promise<void> {
  const error = await rejected(promise)
  assert.instance(error, PathError)
  assert.is(error['param'], param)
  if (param !== undefined) assert.match(error.message, `"${param}"`)
  assert.equal([server.seen.length, other.seen.length], [0, 0], 'no request was made')
}

test('H50: a segment of dots, in any spelling, is an error and no request', async () => {
  for (const dots of ['.', '..', '%2e%2e', '%2E%2E', '.%2e', '%2e']) {
    for (const endpoint of [users().get, users().delete]) await assertRefused(endpoint({ id: dots }), 'id')
    await assertRefused(users().update({ id: dots }, { id: 'x' }), 'id')
    await assertRefused(new RestEndpoint({ urlPrefix: server.url, path: '/files/*path' })({ path: ['a', dots, 'b'] }), 'path')
    await assertRefused(new RestEndpoint({ urlPrefix: server.url, path: '/users/:id?' })({ id: dots }), 'id')
    await assertRefused(new RestEndpoint({ urlPrefix: server.url, path: '/users{/:id}' })({ id: dots }), 'id')
  }
})

test('H51: slashes, hosts, query, fragment, controls arrive as one encoded segment', async () => {
  for (const id of ['../admin', 'a/b', 'a%2Fb', '//evil.com', 'a?b', 'a#b', '\\', '..\\admin', 'a\r\nb: c', '\0', ' ', '%']) {
    await users().get({ id })
    assert.is(server.last().url, `/users/${encodeURIComponent(id)}`)
    assert.is(decodeURIComponent(server.last().url.slice('/users/'.length)), id)
  }
})

test('H52: what is no segment is an error that names the parameter; an optional one is left out', async () => {
  for (const id of ['\ud800', Symbol('x'), {}, [], ['1'], NaN, undefined, null, () => 1] as never[]) await assertRefused(users().get({ id }), 'id')
  await new RestEndpoint({ urlPrefix: server.url, path: '/users/:id?' })({ id: undefined })
  assert.is(server.last().url, '/users')
})

test('H53: an empty parameter is an error, a leading one too', async () => {
  await assertRefused(users().get({ id: '' }), 'id')
  await assertRefused(new RestEndpoint({ path: '/:a/:b' })({ a: '', b: 'evil.com' }), 'a')
})

test('H54: query parameters keep apart what is different and leave out what is undefined', async () => {
  const list = users().getList
  const urls: string[] = []
  for (const params of [{ a: undefined }, { a: null }, { a: { b: 1 } }, { a: { b: 2 } }, { a: [1, 2] }, { a: new Date(0) }, { a: 'x' }]) {
    await list(params)
    urls.push(server.last().url)
  }
  assert.is(urls[0], '/users')
  assert.is(new Set(urls).size, urls.length)
  assert.not(urls.some((url) => /undefined|object/.test(url)))
})

test('H55: a parameter that would be part of the host is an error', async () => {
  const host = new URL(server.url).host
  await assertRefused(new RestEndpoint({ urlPrefix: server.url, path: ':id' })({ id: '@evil.com' }), 'id')
  await assertRefused(new RestEndpoint({ path: `http://${host}:id/x` })({ id: '@evil.com' }), 'id')
})

test('H56: a prefix from data must be http and carry no credentials', async () => {
  const { host } = new URL(other.url)
  for (const urlPrefix of ['javascript:alert(1)//', 'data:application/json,{}', `//${host}`, `http://u:p@${host}`, 'file:///etc/passwd', 'blob:http://x']) {
    await assertRefused(new RestEndpoint({ urlPrefix, path: '/x' })())
  }
})

test('H57: an address from the server is followed only to the same origin', async () => {
  const next = new RestEndpoint({
    urlPrefix: server.url,
    path: '/users',
    searchParams: {} as { link: string },
    url: (params?: object) => (params as { link: string }).link,
    getHeaders: () => ({ 'x-csrf-token': 'secret' }),
  })
  await assertRefused(next({ link: `${other.url}/users?page=2` }))
  await next({ link: `${server.url}/users?page=2` })
  assert.is(server.last().url, '/users?page=2')
})

for (const status of [301, 302, 307, 308]) {
  test(`H58: ${status} to another origin does not carry headers along, and is followed without them`, async () => {
    const target = { url: '' }
    server.answer = (_, response) => void response.writeHead(status, { location: target.url }).end()
    target.url = `${other.url}/stolen`
    class Keyed extends RestEndpoint {
      override getHeaders(headers: { [name: string]: string }): HeadersInit {
        return { ...headers, 'X-API-Key': 'secret' }
      }
    }
    const error = await rejected(new Keyed({ urlPrefix: server.url, path: '/x', method: 'POST' })({ a: 1 }))
    assert.instance(error, NetworkError)
    assert.match(error.message, 'redirects are refused')
    assert.is(other.seen.length, 0)
    // Without headers of its own, and where redirect was given, it is the platform's affair.
    await new RestEndpoint({ urlPrefix: server.url, path: '/x' })()
    assert.is(other.seen.length, 1)
    await new Keyed({ urlPrefix: server.url, path: '/x', getRequestInit: () => ({ redirect: 'follow' }) })()
    assert.is(other.seen.length, 2)
    server.answer = () => ({})
  })
}

test('H58: a redirect in a circle, or to a file, ends in an error', async () => {
  for (const location of [`${server.url}/x`, 'file:///etc/passwd', 'data:application/json,{}']) {
    server.answer = (_, response) => void response.writeHead(302, { location }).end()
    const error = await rejected(new RestEndpoint({ urlPrefix: server.url, path: '/x' })())
    assert.instance(error, NetworkError)
    assert.is(error['status'], undefined)
  }
  server.answer = () => ({})
})

test('H58: headers that any page may send need no protection', async () => {
  server.answer = (_, response) => void response.writeHead(302, { location: `${other.url}/ok` }).end()
  await new RestEndpoint({ urlPrefix: server.url, path: '/x', getHeaders: () => ({ Accept: 'application/json', 'Accept-Language': 'de' }) })()
  assert.is(other.seen.length, 1)
  server.answer = () => ({})
})

test('H59: a header that HTTP cannot carry rejects, names the header, and sends nothing', async () => {
  for (const value of ['a\r\nx-evil: 1', 'snow ☃', 'a\0b']) {
    const error = await rejected(new RestEndpoint({ urlPrefix: server.url, path: '/x', getHeaders: () => ({ 'x-name': value }) })())
    assert.instance(error, PatchcordError)
    assert.is(error['code'], 'HEADER')
    assert.match(error.message, '"x-name"')
  }
  assert.instance(await rejected(new RestEndpoint({ urlPrefix: server.url, path: '/x', getHeaders: () => ({ 'bad name': 'x' }) })()), PatchcordError)
  assert.is(server.seen.length, 0)
})

test('H60: JSON says that it is JSON; nothing is invented for requests without a body or with a form', async () => {
  await users().update({ id: '1' }, { id: '1' })
  assert.is(server.last().headers['content-type'], 'application/json')
  await users().get({ id: '1' })
  assert.is(server.last().headers['content-type'], undefined)
  await users().getList.push(new FormData())
  assert.match(server.last().headers['content-type']!, 'multipart/form-data')
  assert.not(Object.hasOwn(users().get.getRequestInit(), 'credentials'), 'the platform sends cookies to its own origin only')
  for (const member of ['update', 'partialUpdate', 'delete'] as const) assert.not(/^(get|head)$/i.test(users()[member].method))
  for (const how of ['push', 'unshift', 'assign', 'remove', 'move'] as const) assert.is.not(users().getList[how].method, 'GET')
})

test.run()
