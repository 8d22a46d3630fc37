import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity, RestEndpoint } from '../../../src/index.ts'
import { serve, type Server } from './server.ts'

const test = suite('requests over HTTP')

let server: Server
test.before(async () => void (server = await serve()))
test.after(() => server.close())

const post = () => new RestEndpoint({ urlPrefix: server.url, path: '/things', method: 'POST' })

class Thing extends Entity {
  id = 0
  at = new Date(0)
}

test('objects, lists, objects without a prototype and instances are sent as JSON, and say so', async () => {
  for (const [body, text] of [
    [{ a: 1, b: undefined, at: new Date(0) }, '{"a":1,"at":"1970-01-01T00:00:00.000Z"}'],
    [[1, { a: 2 }], '[1,{"a":2}]'],
    [Object.assign(Object.create(null) as object, { a: 1 }), '{"a":1}'],
    [Thing.fromJS({ id: 1 }), '{"id":1,"at":"1970-01-01T00:00:00.000Z"}'],
  ] as const) {
    await post()(body as never)
    assert.equal([server.last().body, server.last().headers['content-type']], [text, 'application/json'])
  }
})

test('forms, files, query strings, text, buffers and streams are sent as they are, with the header the platform gives', async () => {
  const form = new FormData()
  form.append('file', new Blob(['inside']), 'f.txt')
  await post()(form)
  assert.match(server.last().headers['content-type']!, 'multipart/form-data; boundary=')
  assert.match(server.last().body, 'inside')
  for (const [body, text, type] of [
    [new URLSearchParams({ a: '1 2' }), 'a=1+2', 'application/x-www-form-urlencoded;charset=UTF-8'],
    ['text', 'text', 'text/plain;charset=UTF-8'],
    [new Blob(['blob'], { type: 'image/x' }), 'blob', 'image/x'],
    [new TextEncoder().encode('bytes'), 'bytes', undefined],
    [new Blob(['streamed']).stream(), 'streamed', undefined],
  ] as const) {
    await post()(body as never)
    assert.equal([server.last().body, server.last().headers['content-type']], [text, type])
  }
})

test('DELETE has a body when one is declared, and a method without one when it is declared away', async () => {
  const remove = new RestEndpoint({ urlPrefix: server.url, path: '/things/:id', method: 'DELETE' })
  for (const [endpoint, body] of [[remove.extend({ body: {} as { why: string } }), '{"why":"old"}'], [remove, '']] as const) {
    await (endpoint as (...args: unknown[]) => Promise<unknown>)({ id: 1 }, { why: 'old' })
    assert.is(server.last().body, body)
  }
  await post().extend({ body: undefined, searchParams: {} as { a: number } })({ a: 1 })
  assert.equal([server.last().url, server.last().body], ['/things?a=1', ''])
})

test('headers from getHeaders and getRequestInit arrive, and replace ours, in whatever way these are spelled', async () => {
  const type = 'application/merge-patch+json'
  class Api extends RestEndpoint {
    spelled = 'content-type'
    override getHeaders(headers: { [name: string]: string }): HeadersInit {
      return { ...headers, 'X-Token': 'secret', 'x-none': undefined as never }
    }
    override getRequestInit(body?: unknown): RequestInit {
      const init = super.getRequestInit(body) as RequestInit
      return { ...init, headers: { ...init.headers, [this.spelled]: type } as HeadersInit }
    }
  }
  const api = new Api({ urlPrefix: server.url, path: '/x', method: 'PATCH' })
  for (const spelled of ['content-type', 'Content-Type', 'CONTENT-TYPE']) {
    await (api.extend({ spelled } as object) as unknown as Api)({ a: 1 } as never)
    const { headers, body } = server.last()
    assert.equal([headers['x-token'], headers['x-none'], headers['content-type'], body], ['secret', undefined, type, '{"a":1}'])
  }
  await post().extend({ getHeaders: (headers) => ({ ...headers, 'Content-Type': type }) })({ a: 1 })
  assert.is(server.last().headers['content-type'], type)
  await post().extend({ getHeaders: () => [['accept', 'text/a'], ['Accept', 'text/b']] })({ a: 1 })
  assert.is(server.last().headers['accept'], 'text/a, text/b')
})

test('a query that is escaped arrives as it was meant', async () => {
  await new RestEndpoint({ urlPrefix: server.url, path: '/x', searchParams: {} as { q: unknown } })({ q: { deep: ['&', 'ä', '+'] } })
  assert.equal(new URL(server.last().url, server.url).searchParams.getAll('q[deep]'), ['&', 'ä', '+'])
})

test.run()
