import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, Entity, RestEndpoint } from '../../../src/index.ts'
import { serve, type Server } from './server.ts'

const test = suite('requests over HTTP')

let server: Server
test.before(async () => {
  server = await serve()
})
test.after(() => server.close())

const post = () => new RestEndpoint({ urlPrefix: server.url, path: '/things', method: 'POST' })

class Thing extends Entity {
  id = 0
  at = new Date(0)
}

test('objects, lists, objects without a prototype and instances are sent as JSON, and say so', async () => {
  const bare = Object.assign(Object.create(null) as object, { a: 1 })
  for (const [body, text] of [
    [{ a: 1, b: undefined, at: new Date(0) }, '{"a":1,"at":"1970-01-01T00:00:00.000Z"}'],
    [[1, { a: 2 }], '[1,{"a":2}]'],
    [bare, '{"a":1}'],
    [Thing.fromJS({ id: 1 }), '{"id":1,"at":"1970-01-01T00:00:00.000Z"}'],
  ] as const) {
    await post()(body as object as never)
    assert.is(server.last().body, text)
    assert.is(server.last().headers['content-type'], 'application/json')
  }
})

test('forms, files, query strings, text, buffers and streams are sent as they are, with the header the platform gives', async () => {
  const form = new FormData()
  form.append('a', '1')
  form.append('file', new Blob(['inside']), 'f.txt')
  await post()(form)
  assert.match(server.last().headers['content-type']!, 'multipart/form-data; boundary=')
  assert.match(server.last().body, 'inside')
  await post()(new URLSearchParams({ a: '1 2' }))
  assert.equal([server.last().body, server.last().headers['content-type']], ['a=1+2', 'application/x-www-form-urlencoded;charset=UTF-8'])
  await post()('text')
  assert.equal([server.last().body, server.last().headers['content-type']], ['text', 'text/plain;charset=UTF-8'])
  await post()(new Blob(['blob'], { type: 'image/x' }))
  assert.equal([server.last().body, server.last().headers['content-type']], ['blob', 'image/x'])
  await post()(new TextEncoder().encode('bytes'))
  assert.equal([server.last().body, server.last().headers['content-type']], ['bytes', undefined])
  await post()(new Blob(['streamed']).stream())
  assert.equal([server.last().body, server.last().headers['content-type']], ['streamed', undefined])
})

test('no header is invented for a request without a body', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    await new RestEndpoint({ urlPrefix: server.url, path: '/things/:id', method })({ id: 1 })
    assert.is(server.last().method, method)
    assert.is(server.last().body, '')
    assert.is(server.last().headers['content-type'], undefined)
    assert.equal(Object.keys(server.last().headers).filter((name) => name.startsWith('x-')), [])
  }
})

test('DELETE has a body when one is declared, and a method without one when it is declared away', async () => {
  await new RestEndpoint({ urlPrefix: server.url, path: '/things/:id', method: 'DELETE', body: {} as { why: string } })({ id: 1 }, { why: 'old' })
  assert.is(server.last().body, '{"why":"old"}')
  await new RestEndpoint({ urlPrefix: server.url, path: '/things/:id', method: 'DELETE' })(...([{ id: 1 }, { why: 'old' }] as unknown as [{ id: number }]))
  assert.is(server.last().body, '')
  await new RestEndpoint({ urlPrefix: server.url, path: '/touch', method: 'POST', body: undefined, searchParams: {} as { a: number } })({ a: 1 })
  assert.equal([server.last().url, server.last().body], ['/touch?a=1', ''])
})

test('headers from getHeaders and getRequestInit arrive, and may replace ours', async () => {
  class Api extends RestEndpoint {
    override getHeaders(headers: { [name: string]: string }): HeadersInit {
      return { ...headers, 'X-Token': 'secret', 'x-none': undefined as never }
    }
    override getRequestInit(body?: unknown): RequestInit {
      return { ...super.getRequestInit(body), headers: { 'Content-Type': 'application/vnd.api+json' } } as RequestInit
    }
  }
  await new Api({ urlPrefix: server.url, path: '/x', method: 'POST' })({ a: 1 })
  assert.is(server.last().headers['x-token'], 'secret')
  assert.is(server.last().headers['x-none'], undefined)
  assert.is(server.last().headers['content-type'], 'application/vnd.api+json')
  assert.is(server.last().body, '{"a":1}')
})

test('a header of ours that is spelled in another way is replaced, and not sent twice', async () => {
  const type = 'application/merge-patch+json'
  const patch = new RestEndpoint({ urlPrefix: server.url, path: '/x', method: 'PATCH' })
  await patch.extend({ getHeaders: (headers) => ({ ...headers, 'Content-Type': type }) })({ a: 1 })
  assert.is(server.last().headers['content-type'], type)
  class Api extends RestEndpoint {
    override getRequestInit(body?: unknown): RequestInit {
      const init = super.getRequestInit(body) as RequestInit
      return { ...init, headers: { ...init.headers, 'CONTENT-TYPE': type } as HeadersInit }
    }
  }
  await new Api({ urlPrefix: server.url, path: '/x', method: 'PATCH' })({ a: 1 })
  assert.is(server.last().headers['content-type'], type)
  await patch.extend({ getHeaders: () => [['accept', 'text/a'], ['Accept', 'text/b']] })({ a: 1 })
  assert.is(server.last().headers['accept'], 'text/a, text/b')
})

test('what is escaped arrives as it was meant', async () => {
  const endpoint = new RestEndpoint({ urlPrefix: server.url, path: '/x/:id', searchParams: {} as { q: unknown } })
  await endpoint({ id: 'a/b?c#d%2F..', q: { deep: ['&', 'ä', '+'] } })
  const { pathname, searchParams } = new URL(server.last().url, server.url)
  assert.is(decodeURIComponent(pathname), '/x/a/b?c#d%2F..')
  assert.is(pathname.split('/').length, 3)
  assert.equal(searchParams.getAll('q[deep]'), ['&', 'ä', '+'])
})

test('an injected transport is used instead of the network', async () => {
  const before = server.seen.length
  const transport = async (): Promise<Response> => Response.json({ from: 'transport' })
  const endpoint = new RestEndpoint({ urlPrefix: server.url, path: '/x' })
  assert.equal(await new Controller({ fetch: transport }).fetch(endpoint), { from: 'transport' })
  assert.equal(await endpoint.extend({ transport })(), { from: 'transport' })
  assert.is(server.seen.length, before)
  await endpoint()
  assert.is(server.seen.length, before + 1)
})

test.run()
