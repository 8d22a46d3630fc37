import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createResource, NetworkError, PatchcordError, PathError, RestEndpoint } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { User } from '../../support/todo.ts'
import { rejected } from '../../support/caught.ts'
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
  server.answer = () => ({})
  server.seen.length = 0
  other.seen.length = 0
})

const users = () => createResource({ urlPrefix: server.url, path: '/users/:id', schema: User })
const at = (path: string, urlPrefix: string = server.url) => new RestEndpoint({ urlPrefix, path })

/** The error names the parameter and the template, and nothing is sent. */
async function assertRefused(promise: Promise<unknown>, param?: string): Promise<Error> {
  const error = await rejected(promise, PathError, ...(param === undefined ? [] : [`"${param}"`]))
  assert.is(error['param'], param)
  assert.equal([server.seen.length, other.seen.length], [0, 0], 'no request was made')
  return error
}

test('H50: a segment of dots, in any spelling, is an error and no request', async () => {
  for (const dots of ['.', '..', '%2e%2e', '%2E%2E', '.%2e', '%2e.', '%2e'] as never[]) {
    for (const endpoint of [users().get, users().delete, at('/users/:id?'), at('/users{/:id}')]) await assertRefused(endpoint({ id: dots }), 'id')
    await assertRefused(users().update({ id: dots }, { id: 1 }), 'id')
    assert.instance(caught(() => users().get.key({ id: dots })), PathError)
    await assertRefused(at('/files/*path')({ path: ['a', dots, 'b'] }), 'path')
  }
})

test('H51: slashes, hosts, query, fragment, controls arrive as one encoded segment', async () => {
  for (const id of [
    '../admin', 'a/b', 'a%2Fb', '//evil.com', 'a?b', 'a#b', '\\', '..\\admin', 'a\r\nb: c', '\0', ' ', '%', '...', '.a', '%2e%2e%2e', 'a/b?c#d%2F..',
  ]) {
    await at('/users/:id')({ id })
    assert.is(server.last().url, `/users/${encodeURIComponent(id)}`)
    assert.is(decodeURIComponent(server.last().url.slice('/users/'.length)), id)
  }
})

test('H52: what is no segment is an error that names the parameter; an optional one is left out', async () => {
  for (const id of [undefined, null, '\ud800', 'a\udfff', Symbol('x'), {}, [], ['1'], NaN, () => 1, new Date(0)] as never[]) {
    const { message } = await assertRefused(users().get({ id }), 'id')
    assert.match(message, '/users/:id')
    assert.is(/is missing/.test(message), id === undefined || id === null)
    await assertRefused(at('/files/*path')({ path: ['a', id] }), 'path')
    if (id !== undefined && id !== null) await assertRefused(at('/users/:id?')({ id }), 'id')
  }
  for (const path of [undefined, 'a/b', [], { 0: 'a', length: 1 }] as never[]) await assertRefused(at('/files/*path')({ path }), 'path')
  await at('/users/:id?')({ id: undefined })
  assert.is(server.last().url, '/users')
})

test('H53: an empty parameter is an error, a leading one too', async () => {
  for (const endpoint of [users().get, at('/users/:id?')]) {
    const { message } = await assertRefused(endpoint({ id: '' as never }), 'id')
    assert.match(message, 'is empty')
  }
  await assertRefused(at('/:a/:b', '')({ a: '', b: 'evil.com' }), 'a')
})

test('H54: query parameters keep apart what is different and leave out what is undefined', async () => {
  const urls: string[] = []
  for (const a of [undefined, null, { b: 1 }, { b: 2 }, [1, 2], new Date(0), 'x']) {
    await users().getList({ a })
    urls.push(server.last().url)
  }
  assert.is(urls[0], '/users')
  assert.is(new Set(urls).size, urls.length)
  assert.not(urls.some((url) => /undefined|object/.test(url)))
})

test('H55: a parameter that would be part of the host is an error', async () => {
  for (const [prefix, path] of [
    ['https://api.x', ':id'], ['', 'https://api.x:id'], ['', 'https://:id/a'], ['', 'https://api.x{.:id}'],
    ['https://api.x', '{:id}'], ['', ':id'], ['', '*id'],
  ] as const) {
    for (const id of ['.evil.com', '@evil.com']) assert.match((await assertRefused(at(path, prefix)({ id }), 'id')).message, `"${prefix}${path}"`)
  }
})

test('H56: a prefix from data must be http and carry no credentials', async () => {
  const { host } = new URL(other.url)
  for (const urlPrefix of [
    'javascript:alert(1)//', 'data:application/json,{}', `//${host}`, `http://u:p@${host}`, `http://u@${host}`,
    'file:///etc/passwd', 'blob:http://x', 'ftp://x', 'ws://x', 'http://',
  ]) {
    assert.not.match((await assertRefused(at('/x', urlPrefix)())).message, 'u:p')
  }
})

test('H57: an address from the server is followed only to the same origin', async () => {
  const { host } = new URL(server.url)
  const next = at('/users', `${server.url}/v1`).extend({
    searchParams: {} as { link: string },
    url: (params?: object) => (params as { link: string }).link,
    getHeaders: () => ({ 'x-csrf-token': 'secret' }),
  })
  for (const link of [
    `${other.url}/users?page=2`, '//evil.com/a', `http://${host}.evil.com/`, `https://${host}/`, `http://u:p@${host}/`,
    'javascript:1', `blob:${server.url}/1`, '/relative',
  ]) {
    await assertRefused(next({ link }))
  }
  for (const link of [`${server.url}/users?page=2`, `HTTP://${host}/users?page=2`]) {
    await next({ link })
    assert.is(server.last().url, '/users?page=2')
  }
})

/** Sends a header that no page may send by itself. */
class Keyed extends RestEndpoint {
  secret = 'X-API-Key'
  override getHeaders(headers: { [name: string]: string }): HeadersInit {
    return { ...headers, [this.secret]: 'secret' }
  }
}

for (const status of [301, 302, 307, 308]) {
  test(`H58: ${status} to another origin does not carry headers along, and is followed without them`, async () => {
    server.answer = (_, response) => void response.writeHead(status, { location: `${other.url}/stolen` }).end()
    const keyed = new Keyed({ urlPrefix: server.url, path: '/x' })
    for (const secret of ['X-API-Key', 'cookie', 'authorization', 'proxy-authorization', 'x-csrf-token']) {
      for (const method of ['GET', 'POST']) {
        await rejected((keyed.extend({ secret, method } as object) as unknown as RestEndpoint)(), NetworkError, 'redirects are refused')
      }
    }
    assert.is(other.seen.length, 0)
    // Without headers of its own, with those that any page may send, and where redirect was given, it is the platform's affair.
    await at('/x')()
    await at('/x').extend({ getHeaders: () => ({ Accept: 'application/json', 'Accept-Language': 'de' }) })()
    await keyed.extend({ getRequestInit: () => ({ redirect: 'follow' }) })()
    assert.is(other.seen.length, 3)
  })
}

test('H58: a redirect in a circle, or to a file, ends in an error', async () => {
  for (const location of [`${server.url}/x`, 'file:///etc/passwd', 'data:application/json,{}']) {
    server.answer = (_, response) => void response.writeHead(302, { location }).end()
    const { status } = await rejected(at('/x')(), NetworkError)
    assert.is(status, undefined)
  }
})

test('H59: a header that HTTP cannot carry rejects, names the header, and sends nothing', async () => {
  for (const [name, value] of [['x-name', 'a\r\nx-evil: 1'], ['x-name', 'snow ☃'], ['x-name', 'a\0b'], ['bad name', 'x']] as const) {
    const { code } = await rejected(at('/x').extend({ getHeaders: () => ({ [name]: value }) })(), PatchcordError, `"${name}"`)
    assert.is(code, 'HEADER')
  }
  assert.is(server.seen.length, 0)
})

test('H60: JSON says that it is JSON; nothing is invented for requests without a body or with a form', async () => {
  await users().update({ id: 1 }, { id: 1 })
  assert.is(server.last().headers['content-type'], 'application/json')
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    await at('/things/:id').extend({ method })({ id: 1 })
    assert.equal([server.last().method, server.last().body, server.last().headers['content-type']], [method, '', undefined])
    assert.equal(Object.keys(server.last().headers).filter((name) => name.startsWith('x-')), [])
  }
  await users().getList.push(new FormData())
  assert.match(server.last().headers['content-type']!, 'multipart/form-data')
  assert.not(Object.hasOwn(users().get.getRequestInit(), 'credentials'), 'the platform sends cookies to its own origin only')
})

test.run()
