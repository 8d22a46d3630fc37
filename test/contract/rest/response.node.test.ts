import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity, NetworkError, ParseError, RestEndpoint } from '../../../src/index.ts'
import { rejected } from './recorder.ts'
import { serve, type Server } from './server.ts'

const test = suite('responses over HTTP')

let server: Server
test.before(async () => {
  server = await serve()
})
test.after(() => server.close())

class User extends Entity {
  id = 0
  static override key = 'User'
}
const plain = () => new RestEndpoint({ urlPrefix: server.url, path: '/x' })
const waiting = () => plain().extend({ schema: User })

/** The next answers have this status, these headers and this body. */
function answer(status: number, type: string | undefined, body?: string | Buffer): void {
  server.answer = (_, response) => {
    response.writeHead(status, type === undefined ? {} : { 'content-type': type })
    response.end(body)
  }
}

for (const status of [204, 205]) {
  test(`${status} is null`, async () => {
    answer(status, 'application/json')
    assert.is(await waiting()(), null)
    assert.is(await plain().extend({ method: 'POST', content: 'json' })(), null)
  })
}

test('HEAD, and an empty answer of no type, are null', async () => {
  answer(200, undefined)
  assert.is(await waiting()(), null)
  assert.is(await plain()(), null)
  answer(200, 'application/json', '{}')
  assert.is(await plain().extend({ method: 'HEAD' })(), null)
})

test('JSON is parsed, whatever kind of JSON the content-type says', async () => {
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/problem+json', 'application/vnd.api+json;v=1', 'text/json']) {
    answer(200, type, '{"id":1}')
    assert.equal(await waiting()(), { id: 1 }, type)
    assert.equal(await plain()(), { id: 1 }, type)
  }
})

test('falsy JSON is a value', async () => {
  for (const value of [0, '', false, null, []]) {
    answer(200, 'application/json', JSON.stringify(value))
    assert.equal(await plain()(), value)
  }
})

test('a byte order mark is no trouble', async () => {
  answer(200, 'application/json', '\ufeff{"id":1}')
  assert.equal(await waiting()(), { id: 1 })
})

test('no content-type and valid JSON is parsed; other text is text unless a schema waits', async () => {
  answer(200, undefined, '{"id":1}')
  assert.equal(await waiting()(), { id: 1 })
  answer(200, undefined, 'plain')
  assert.is(await plain()(), 'plain')
  const error = await rejected(waiting()())
  assert.instance(error, ParseError)
  assert.is(error['excerpt'], 'plain')
})

test('without a schema, text is text and anything else a blob', async () => {
  for (const type of ['text/plain', 'text/html; charset=utf-8', 'application/xml', 'image/svg+xml', 'application/javascript']) {
    answer(200, type, '<p>')
    assert.is(await plain()(), '<p>', type)
  }
  for (const type of ['application/x-ndjson', 'application/json-seq', 'application/jsonl']) {
    answer(200, type, '{}\n{}')
    assert.is(await ((await plain()()) as Blob).text(), '{}\n{}', type)
  }
  answer(200, 'image/png', Buffer.from([1, 2, 3]))
  const blob = (await plain()()) as Blob
  assert.instance(blob, Blob)
  assert.equal([...new Uint8Array(await blob.arrayBuffer())], [1, 2, 3])
})

test('text, html or binary where a schema waits is an error with the first 300 characters', async () => {
  for (const [type, body] of [['text/plain', '{"id":1}'], ['text/html', `<!doctype html>${'x'.repeat(1000)}`], ['image/png', Buffer.from([1, 2, 3])], ['application/octet-stream', 'x']] as const) {
    answer(200, type, body as string)
    const error = await rejected(waiting()())
    assert.instance(error, ParseError)
    assert.match(error.message, type)
    assert.match(error.message, 'content: "json"')
    assert.is((error['excerpt'] as string).length, Math.min(300, body.length))
    assert.ok(error.message.length < 700)
    assert.is(error['status'], 400)
    assert.is(waiting().errorPolicy(error), 'soft')
    assert.instance(error['response'], Response)
  }
})

test('JSON that cannot be parsed is an error with its beginning', async () => {
  for (const [body, problem] of [['{"id":', 'not valid JSON'], ['', 'is empty'], ['{"id":NaN}', 'not valid JSON'], ['{"id":1,}', 'not valid JSON'], [`[${'1,'.repeat(400)}`, 'not valid JSON']] as const) {
    answer(200, 'application/json', body)
    for (const endpoint of [plain(), waiting()]) {
      const error = await rejected(endpoint())
      assert.instance(error, ParseError)
      assert.match(error.message, problem)
      assert.match(error.message, `GET ${server.url}/x`)
      assert.is(error['excerpt'], body.slice(0, 300))
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
  answer(200, 'application/json', 'no')
  assert.instance(await rejected(plain().extend({ content: 'json' })()), ParseError)
})

test('what is not ok is a NetworkError with status, response and the parsed body', async () => {
  for (const status of [400, 401, 403, 404, 409, 412, 422, 429, 500, 502, 503]) {
    answer(status, 'application/json', '{"why":"because"}')
    const error = await rejected(plain()())
    assert.instance(error, NetworkError)
    assert.is(error['status'], status)
    assert.equal(error['body'], { why: 'because' })
    assert.match(error.message, `GET ${server.url}/x answered ${status}`)
    // The response can still be read, as the server sent it.
    assert.is(await (error['response'] as Response).text(), '{"why":"because"}')
    assert.is((error['response'] as Response).headers.get('content-type'), 'application/json')
  }
})

test('an error page or an empty error has no body on the error', async () => {
  for (const [type, body] of [['text/html', '<html>'], [undefined, undefined]] as const) {
    answer(500, type, body)
    const error = await rejected(plain()())
    assert.is(error['status'], 500)
    assert.is(error['body'], undefined)
  }
})

test('an override of parseResponse does not see a response that is not ok', async () => {
  answer(500, 'application/json', '{"reason":"x"}')
  class Logged extends RestEndpoint {
    override async fetchResponse(input: string, init: RequestInit): Promise<Response> {
      const response = await super.fetchResponse(input, init)
      if (!response.ok) await response.text()
      return response
    }
  }
  const error = await rejected(new Logged({ urlPrefix: server.url, path: '/x' })())
  assert.instance(error, NetworkError)
  assert.equal([error['status'], error['body']], [500, { reason: 'x' }])
})

test('304 is a NetworkError of that status, for whoever keeps the data', async () => {
  server.answer = (_, response) => void response.writeHead(304).end()
  const error = await rejected(waiting().extend({ getHeaders: () => ({ 'if-none-match': '"1"' }) })())
  assert.instance(error, NetworkError)
  assert.is(error['status'], 304)
  assert.match(error.message, 'Not Modified')
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
    const error = await rejected(waiting()())
    assert.instance(error, ParseError)
    assert.not.match(error.message, 'begins')
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

test('parseResponse can read headers', async () => {
  server.answer = (_, response) => void response.writeHead(200, { 'content-type': 'application/json', link: '</x?page=2>; rel="next"' }).end('[]')
  class Linked extends RestEndpoint {
    override async parseResponse(response: Response): Promise<unknown> {
      return { link: response.headers.get('link'), results: await super.parseResponse(response) }
    }
  }
  assert.equal(await new Linked({ urlPrefix: server.url, path: '/x' })(), { link: '</x?page=2>; rel="next"', results: [] })
})

test.run()
