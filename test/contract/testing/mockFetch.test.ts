import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { PatchcordError } from '../../../src/index.ts'
import { createClock, mockFetch, type MockFetch } from '../../../src/testing/index.ts'
import { rejected } from '../../support/caught.ts'
import { User } from '../../support/todo.ts'

const test = suite('mockFetch')

/** Lets what is already decided happen. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

const statuses = async (fetch: MockFetch, urls: readonly string[]): Promise<number[]> => {
  const found: number[] = []
  for (const url of urls) found.push((await fetch(url)).status)
  return found
}

const json = { 'content-type': 'application/json' }

test('answers with JSON from the table', async () => {
  const response = await mockFetch({ 'GET /users/1': { body: { id: 1 }, headers: { etag: 'a' } } })('/users/1')
  assert.equal([response.status, Object.fromEntries(response.headers), await response.json()], [200, { ...json, etag: 'a' }, { id: 1 }])
})

test('finds a route by whole URL, by path and query, and by path alone', async () => {
  const fetch = mockFetch({ 'GET https://a.test/x': { body: 'whole' }, 'GET /x?page=2': { body: 'query' }, 'GET /x': { body: 'path' } })
  const urls = ['https://a.test/x', new URL('https://b.test/x?page=2'), 'https://b.test/x?page=3']
  assert.equal(await Promise.all(urls.map(async (url) => (await fetch(url)).text())), ['whole', 'query', 'path'])
})

for (const [title, routes, message] of [
  ['says which route is missing and which there are', { 'GET /a': {} }, /no route 'POST \/b\?c=1'.*it has: GET \/a\./],
  ['does not take a name of Object for a route', Object.create({ 'POST /b?c=1': { body: 1 } }) as Record<string, never>, /it has: none\./],
  ['a list without an answer is an error that says so', { 'POST /b': [] }, /'POST \/b'.*\{ body: \[\] \}/],
] as const) {
  test(title, async () => {
    await rejected(mockFetch(routes)('/b?c=1', { method: 'post' }), PatchcordError, message)
  })
}

test('a route may be a function of the request', async () => {
  const raw = new Response('raw')
  const fetch = mockFetch({ 'POST /users': (request) => ({ status: 201, body: { id: 2, ...(request.body as object) } }), 'GET /raw': () => raw })
  const response = await fetch('/users', { method: 'POST', body: JSON.stringify({ name: 'Ada' }), headers: json })
  assert.equal([response.status, await response.json()], [201, { id: 2, name: 'Ada' }])
  assert.is(await fetch('/raw'), raw)
})

test('a list answers once each, and its last for all that follow', async () => {
  const fetch = mockFetch({ 'GET /a': [{ status: 503 }, () => ({ status: 500 }), { body: 1 }], 'GET /b': [{ body: 2 }] })
  assert.equal(await statuses(fetch, ['/a', '/b', '/a', '/a', '/b', '/a']), [503, 200, 500, 200, 200, 200])
})

test('routes that share a list each begin with its first', async () => {
  const flaky = [{ status: 503 }, { body: [] }]
  assert.equal(await statuses(mockFetch({ 'GET /a': flaky, 'GET /b': flaky }), ['/a', '/b', '/a', '/b']), [503, 503, 200, 200])
})

test('records what was asked, a Request too', async () => {
  const fetch = mockFetch({ 'PUT /a': {}, 'POST /b': {} })
  await fetch('/a', { method: 'PUT', body: 'text' })
  await fetch(new Request('https://a.test/b', { method: 'POST', body: '[1]', headers: json }))
  assert.equal(fetch.calls.map(({ method, url, body }) => [method, url, body]), [['PUT', '/a', 'text'], ['POST', 'https://a.test/b', [1]]])
})

test('no body is 204, null is JSON, and what is no plain data is sent as it is', async () => {
  for (const [fixture, status, text] of [
    [{}, 204, ''],
    [{ body: null }, 200, 'null'],
    [{ body: new Blob(['bytes']) }, 200, 'bytes'],
    [{ body: { ignored: true }, status: 304 }, 304, ''],
    [{ body: new Date(0) }, 200, '"1970-01-01T00:00:00.000Z"'],
    [{ body: User.fromJS({ id: 1 }) }, 200, '{"id":1,"name":""}'],
    [{ body: Object.assign(new Uint8Array([97, 98]), { toJSON: () => 'as a buffer of Node says' }) }, 200, 'ab'],
  ] as const) {
    const response = await mockFetch({ 'GET /a': fixture })('/a')
    assert.equal([response.status, await response.text()], [status, text])
  }
})

test('a delay passes on the clock it was given', async () => {
  const clock = createClock()
  let answered = false
  const answer = mockFetch({ 'GET /a': { body: 1, delay: 100 } }, { clock })('/a').then(() => (answered = true))
  await settle()
  clock.advance(99)
  await settle()
  assert.not(answered)
  clock.advance(1)
  assert.ok(await answer)
})

test('a delay passes on the platform clock otherwise, also with a signal that never aborts', async () => {
  const start = performance.now()
  const { signal } = new AbortController()
  assert.is(await (await mockFetch({ 'GET /a': { body: 1, delay: 20 } })('/a', { signal })).json(), 1)
  assert.ok(performance.now() - start >= 18)
})

test('an error of a fixture is thrown as it is', async () => {
  const error = new TypeError('connection refused')
  assert.is(await rejected(mockFetch({ 'GET /a': { error } })('/a')), error)
})

test('an abort before the answer rejects with its reason and leaves no timer', async () => {
  const clock = createClock()
  const controller = new AbortController()
  const answer = mockFetch({ 'GET /a': { delay: 100 } }, { clock })('/a', { signal: controller.signal })
  await settle()
  assert.is(clock.pending, 1)
  controller.abort()
  assert.is(((await rejected(answer)) as Error).name, 'AbortError')
  assert.is(clock.pending, 0)
})

test('an abort reaches a route that is still thinking, and one that aborts its own request is not heard', async () => {
  for (const late of [true, false]) {
    const controller = new AbortController()
    const route = (): unknown => (late ? new Promise(() => {}) : (controller.abort('enough'), { body: 1 }))
    const answer = mockFetch({ 'GET /a': route as () => object })('/a', { signal: controller.signal })
    if (late) await settle().then(() => controller.abort('enough'))
    assert.is(await rejected(answer), 'enough')
  }
})

test('a signal that was aborted earlier never reaches the route', async () => {
  let asked = false
  const fetch = mockFetch({ 'GET /a': () => ((asked = true), {}) })
  await rejected(fetch('/a', { signal: AbortSignal.abort() }))
  assert.equal([asked, fetch.calls.length], [false, 1])
})

test.run()
