import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { NetworkError, ParseError, RestEndpoint } from '../../../src/index.ts'
import { User } from '../../support/todo.ts'
import { rejected } from '../../support/caught.ts'
import { serve, type Server } from './server.ts'

const test = suite('responses over HTTP')

let server: Server
test.before(async () => void (server = await serve()))
test.after(() => server.close())

const plain = () => new RestEndpoint({ urlPrefix: server.url, path: '/x' })
const waiting = () => plain().extend({ schema: User })

/** The next answers have this status, these headers and this body. */
function answer(status: number, type: string | undefined, body?: string | Buffer): void {
  server.answer = (_, response) => {
    response.writeHead(status, type === undefined ? {} : { 'content-type': type })
    response.end(body)
  }
}

test('an answer of 204 or 205, to HEAD, or empty and of no type, is null', async () => {
  for (const [status, type, options] of [
    [204, 'application/json', {}], [205, 'application/json', {}], [204, 'application/json', { content: 'json' }],
    [200, undefined, {}], [200, 'application/json', { method: 'HEAD' }],
  ] as const) {
    answer(status, type)
    for (const endpoint of [plain(), waiting()]) assert.is(await endpoint.extend(options)(), null)
  }
})

test('JSON is parsed, whatever kind of JSON the content-type says, or when it says nothing', async () => {
  for (const type of [
    'application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/problem+json', 'application/vnd.api+json;v=1', 'text/json',
    undefined,
  ]) {
    for (const mark of ['', '\ufeff']) {
      answer(200, type, `${mark}{"id":1}`)
      assert.equal(await waiting()(), { id: 1 }, type)
      assert.equal(await plain()(), { id: 1 }, type)
    }
  }
  for (const value of [0, '', false, null, []]) {
    answer(200, 'application/json', JSON.stringify(value))
    assert.equal(await plain()(), value)
  }
})

test('without a schema, text is text and anything else a blob', async () => {
  for (const type of ['text/plain', 'text/html; charset=utf-8', 'application/xml', 'image/svg+xml', 'application/javascript', undefined]) {
    answer(200, type, '<p>')
    assert.is(await plain()(), '<p>', type)
  }
  for (const type of ['application/x-ndjson', 'application/json-seq', 'application/jsonl', 'image/png']) {
    answer(200, type, Buffer.from([1, 2, 3]))
    const blob = (await plain()()) as Blob
    assert.instance(blob, Blob)
    assert.equal([...new Uint8Array(await blob.arrayBuffer())], [1, 2, 3])
  }
})

test('text, html or binary where a schema waits is an error with the first 300 characters', async () => {
  for (const [type, body] of [
    ['text/plain', '{"id":1}'], ['text/html', `<!doctype html>${'x'.repeat(1000)}`], ['image/png', Buffer.from([1, 2, 3])],
    ['application/octet-stream', 'x'], [undefined, 'x'],
  ] as const) {
    answer(200, type, body as string)
    const error = await rejected(waiting()(), ParseError, ...(type === undefined ? [] : [type, 'content: "json"']))
    assert.is(error['excerpt'], String(body).slice(0, 300))
    assert.ok(error.message.length < 700)
    assert.equal([error['status'], waiting().errorPolicy(error)], [400, 'soft'])
    assert.instance(error['response'], Response)
  }
})

test('JSON that cannot be parsed is an error with its beginning', async () => {
  const no = 'not valid JSON'
  for (const [body, problem] of [['{"id":', no], ['', 'is empty'], ['{"id":NaN}', no], ['{"id":1,}', no], [`[${'1,'.repeat(400)}`, no]] as const) {
    answer(200, 'application/json', body)
    for (const endpoint of [plain(), waiting(), plain().extend({ content: 'json' })]) {
      const { excerpt } = await rejected(endpoint(), ParseError, problem, `GET ${server.url}/x`)
      assert.is(excerpt, body.slice(0, 300))
    }
  }
})

test('content forces how the body is read', async () => {
  answer(200, 'text/plain', '{"id":1}')
  assert.equal(await waiting().extend({ content: 'json' })(), { id: 1 })
  assert.is(await waiting().extend({ content: 'text' })(), '{"id":1}')
  assert.is(await ((await plain().extend({ content: 'blob' })()) as Blob).text(), '{"id":1}')
  assert.is(((await plain().extend({ content: 'arrayBuffer' })()) as ArrayBuffer).byteLength, 8)
  const stream = (await plain().extend({ content: 'stream' })()) as ReadableStream<Uint8Array>
  assert.is(await new Response(stream).text(), '{"id":1}')
  answer(200, 'application/json', '{"id":1}')
  assert.is(await plain().extend({ content: 'text' })(), '{"id":1}')
})

test('what is not ok is a NetworkError with status, response and the parsed body', async () => {
  for (const status of [400, 401, 403, 404, 409, 412, 422, 429, 500, 502, 503]) {
    answer(status, 'application/json', '{"why":"because"}')
    const error = await rejected(plain()(), NetworkError, `GET ${server.url}/x answered ${status}`)
    assert.equal([error['status'], error['body']], [status, { why: 'because' }])
    // The response can still be read, as the server sent it.
    const response = error['response'] as Response
    assert.equal([await response.text(), response.headers.get('content-type')], ['{"why":"because"}', 'application/json'])
  }
  // An error page, or an empty error, has no body on the error.
  for (const [type, body] of [['text/html', '<html>'], [undefined, undefined]] as const) {
    answer(500, type, body)
    const error = await rejected(plain()())
    assert.equal([error['status'], error['body']], [500, undefined])
  }
})

test('304 is a NetworkError of that status, for whoever keeps the data', async () => {
  server.answer = (_, response) => void response.writeHead(304).end()
  const { status } = await rejected(waiting().extend({ getHeaders: () => ({ 'if-none-match': '"1"' }) })(), NetworkError, 'Not Modified')
  assert.is(status, 304)
})

test('404 and 410 on DELETE mean deleted, and on anything else an error', async () => {
  for (const status of [404, 410]) {
    answer(status, 'application/json', '{"error":"gone"}')
    assert.is(await plain().extend({ method: 'delete' })(), null)
    for (const method of ['GET', 'PUT', 'PATCH', 'POST']) assert.is((await rejected(plain().extend({ method })()))['status'], status)
  }
  answer(403, 'application/json', '{}')
  assert.is((await rejected(plain().extend({ method: 'DELETE' })()))['status'], 403)
})

test('what a deletion does not read it lets go, and with that the connection', async () => {
  let given = false
  const page = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1024)), cancel: () => void (given = true) })
  const gone = plain().extend({ method: 'DELETE', transport: async () => new Response(page, { status: 404 }) })
  assert.is(await gone(), null)
  assert.ok(given)
  // Where an override is reading it, it is left to that.
  const read = new Response('gone', { status: 404 })
  read.body!.getReader()
  assert.is(await gone.extend({ transport: async () => read })(), null)
})

test('DELETE may be answered with text, but not with a page', async () => {
  const remove = waiting().extend({ method: 'DELETE' })
  answer(200, 'text/plain', 'OK')
  assert.is(await remove(), 'OK')
  answer(200, 'text/html', '<form>log in</form>')
  assert.instance(await rejected(remove()), ParseError)
  // Nothing is no page: some servers say html, or JSON, of an answer without a body.
  for (const type of ['text/html; charset=utf-8', 'application/json', 'application/octet-stream', 'text/plain']) {
    answer(200, type, '')
    assert.is(await remove(), null, type)
    const { message } = await rejected(waiting()(), ParseError)
    assert.not.match(message, 'begins')
  }
})

test('an envelope of errors is unpacked by process', async () => {
  answer(200, 'application/json', '{"ok":false,"error":"no"}')
  const endpoint = waiting().extend({
    process(value: { ok: boolean; error?: string }) {
      if (!value.ok) throw new Error(value.error)
      return value
    },
  })
  assert.is((await rejected(endpoint())).message, 'no')
})

test.run()
