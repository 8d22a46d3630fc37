import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity, PatchcordError } from '../../../src/index.ts'
import { createClock, mockFetch } from '../../../src/testing/index.ts'

const test = suite('mockFetch')

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

const rejection = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (error) {
    return error
  }
  return assert.unreachable('should have been rejected')
}

/** Lets what is already decided happen. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

test('answers with JSON from the table', async () => {
  const fetch = mockFetch({ 'GET /users/1': { body: { id: 1 }, headers: { etag: 'a' } } })
  const response = await fetch('/users/1')
  assert.is(response.status, 200)
  assert.is(response.headers.get('content-type'), 'application/json')
  assert.is(response.headers.get('etag'), 'a')
  assert.equal(await response.json(), { id: 1 })
})

test('finds a route by whole URL, by path and query, and by path alone', async () => {
  const fetch = mockFetch({
    'GET https://a.test/x': { body: 'whole' },
    'GET /x?page=2': { body: 'query' },
    'GET /x': { body: 'path' },
  })
  const text = async (url: string | URL): Promise<string> => (await fetch(url)).text()
  assert.is(await text('https://a.test/x'), 'whole')
  assert.is(await text(new URL('https://b.test/x?page=2')), 'query')
  assert.is(await text('https://b.test/x?page=3'), 'path')
})

test('says which route is missing and which there are', async () => {
  const error = await rejection(mockFetch({ 'GET /a': {} })('/b?c=1', { method: 'post' }))
  assert.instance(error, PatchcordError)
  assert.match((error as Error).message, "no route 'POST /b?c=1'")
  assert.match((error as Error).message, 'it has: GET /a.')
})

test('does not take a name of Object for a route', async () => {
  const routes = Object.create({ 'GET /a': { body: 1 } }) as Record<string, never>
  assert.match(String(await rejection(mockFetch(routes)('/a'))), 'it has: none.')
})

test('a route may be a function of the request', async () => {
  const raw = new Response('raw')
  const fetch = mockFetch({
    'POST /users': (request) => ({ status: 201, body: { id: 2, ...(request.body as object) } }),
    'GET /raw': () => raw,
  })
  const response = await fetch('/users', {
    method: 'POST',
    body: JSON.stringify({ name: 'Ada' }),
    headers: { 'content-type': 'application/json' },
  })
  assert.is(response.status, 201)
  assert.equal(await response.json(), { id: 2, name: 'Ada' })
  assert.is(await fetch('/raw'), raw)
})

test('a list answers once each, and its last for all that follow', async () => {
  const fetch = mockFetch({ 'GET /a': [{ status: 503 }, () => ({ status: 500 }), { body: 1 }], 'GET /b': [{ body: 2 }] })
  const statuses: number[] = []
  for (const url of ['/a', '/b', '/a', '/a', '/b', '/a']) statuses.push((await fetch(url)).status)
  assert.equal(statuses, [503, 200, 500, 200, 200, 200])
})

test('routes that share a list each begin with its first', async () => {
  const flaky = [{ status: 503 }, { body: [] }]
  const fetch = mockFetch({ 'GET /a': flaky, 'GET /b': flaky })
  const statuses: number[] = []
  for (const url of ['/a', '/b', '/a', '/b']) statuses.push((await fetch(url)).status)
  assert.equal(statuses, [503, 503, 200, 200])
})

test('a list without an answer is an error that says so', async () => {
  const error = await rejection(mockFetch({ 'GET /a': [] })('/a'))
  assert.instance(error, PatchcordError)
  assert.match((error as Error).message, "'GET /a'")
  assert.match((error as Error).message, '{ body: [] }')
})

test('records what was asked, a Request too', async () => {
  const fetch = mockFetch({ 'PUT /a': {}, 'POST /b': {} })
  await fetch('/a', { method: 'PUT', body: 'text' })
  await fetch(new Request('https://a.test/b', { method: 'POST', body: '[1]', headers: { 'content-type': 'application/json' } }))
  assert.equal(
    fetch.calls.map(({ method, url, body }) => [method, url, body]),
    [
      ['PUT', '/a', 'text'],
      ['POST', 'https://a.test/b', [1]],
    ],
  )
})

test('no body is 204, null is JSON, and what is no plain data is sent as it is', async () => {
  const fetch = mockFetch({
    'GET /none': {},
    'GET /null': { body: null },
    'GET /blob': { body: new Blob(['bytes']) },
    'GET /empty': { body: { ignored: true }, status: 304 },
    'GET /date': { body: new Date(0) },
    'GET /entity': { body: Todo.fromJS({ id: 1 }) },
    'GET /bytes': { body: Object.assign(new Uint8Array([97, 98]), { toJSON: () => 'as a buffer of Node says' }) },
  })
  const none = await fetch('/none')
  assert.equal([none.status, await none.text()], [204, ''])
  const nothing = await fetch('/null')
  assert.equal([nothing.status, await nothing.json()], [200, null])
  assert.is(await (await fetch('/blob')).text(), 'bytes')
  assert.equal([(await fetch('/empty')).status, (await fetch('/empty')).body], [304, null])
  assert.is(await (await fetch('/date')).json(), '1970-01-01T00:00:00.000Z')
  assert.equal(await (await fetch('/entity')).json(), { id: 1, title: '' })
  assert.is(await (await fetch('/bytes')).text(), 'ab')
})

test('a delay passes on the clock it was given', async () => {
  const clock = createClock()
  const fetch = mockFetch({ 'GET /a': { body: 1, delay: 100 } }, { clock })
  let answered = false
  const answer = fetch('/a').then(() => (answered = true))
  await settle()
  clock.advance(99)
  await settle()
  assert.not(answered)
  clock.advance(1)
  await answer
  assert.ok(answered)
})

test('a delay passes on the platform clock otherwise', async () => {
  const start = performance.now()
  await mockFetch({ 'GET /a': { body: 1, delay: 20 } })('/a')
  assert.ok(performance.now() - start >= 18)
})

test('an error of a fixture is thrown as it is', async () => {
  const error = new TypeError('connection refused')
  assert.is(await rejection(mockFetch({ 'GET /a': { error } })('/a')), error)
})

test('an abort before the answer rejects with its reason and leaves no timer', async () => {
  const clock = createClock()
  const fetch = mockFetch({ 'GET /a': { delay: 100 } }, { clock })
  const controller = new AbortController()
  const answer = fetch('/a', { signal: controller.signal })
  await settle()
  assert.is(clock.pending, 1)
  controller.abort()
  assert.is(((await rejection(answer)) as Error).name, 'AbortError')
  assert.is(clock.pending, 0)
})

test('an abort reaches a route that is still thinking', async () => {
  const controller = new AbortController()
  const answer = mockFetch({ 'GET /a': () => new Promise(() => {}) })('/a', { signal: controller.signal })
  await settle()
  controller.abort('enough')
  assert.is(await rejection(answer), 'enough')
})

test('a route that ends its own request is never heard', async () => {
  const abort = new AbortController()
  const fetch = mockFetch({
    'GET /a': () => {
      abort.abort(new Error('enough'))
      return { body: 1 }
    },
  })
  const error: unknown = await fetch('/a', { signal: abort.signal }).catch((reason: unknown) => reason)
  assert.is((error as Error).message, 'enough')
})

test('a signal that was aborted earlier never reaches the route', async () => {
  let asked = false
  const fetch = mockFetch({ 'GET /a': () => ((asked = true), {}) })
  await rejection(fetch('/a', { signal: AbortSignal.abort() }))
  assert.not(asked)
  assert.is(fetch.calls.length, 1)
})

test('a signal that never aborts changes nothing', async () => {
  const { signal } = new AbortController()
  assert.is(await (await mockFetch({ 'GET /a': { body: 1, delay: 1 } })('/a', { signal })).json(), 1)
})

test.run()
