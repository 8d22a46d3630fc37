import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from 'undici'
import { AbortError, createResource, Entity, NetworkError, ParseError, RestEndpoint } from '../../../src/index.ts'
import { rejected } from './recorder.ts'

/** The platform's own fetch, with a network that is simulated underneath it. */
const test = suite('a simulated network')

const origin = 'https://api.example.com'
const before = getGlobalDispatcher()
let agent: MockAgent

test.before.each(() => {
  agent = new MockAgent()
  agent.disableNetConnect()
  setGlobalDispatcher(agent)
})
test.after.each(async () => {
  await agent.close()
  setGlobalDispatcher(before)
})

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}
const todos = createResource({ urlPrefix: origin, path: '/todos/:id', schema: Todo })
const json = { headers: { 'content-type': 'application/json' } }

test('requests go to the origin of the prefix, with method, query and body', async () => {
  const pool = agent.get(origin)
  pool.intercept({ path: '/todos?done=true&page=2', method: 'GET' }).reply(200, '[{"id":1}]', json)
  pool.intercept({ path: '/todos', method: 'POST', body: '{"title":"x"}' }).reply(201, '{"id":2,"title":"x"}', json)
  pool.intercept({ path: '/todos/2', method: 'DELETE' }).reply(204)
  assert.equal(await todos.getList({ page: 2, done: true }), [{ id: 1 }])
  assert.equal(await todos.getList.push({ title: 'x' }), { id: 2, title: 'x' })
  assert.equal(await todos.delete({ id: 2 }), { id: 2 })
  agent.assertNoPendingInterceptors()
})

test('a host that does not exist, and a connection that breaks, have no status', async () => {
  for (const code of ['ENOTFOUND', 'ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET']) {
    agent.get(origin).intercept({ path: '/todos/1' }).replyWithError(Object.assign(new Error(code), { code }))
    const error = await rejected(todos.get({ id: 1 }))
    assert.instance(error, NetworkError)
    assert.is(error['status'], undefined)
    assert.is(((error.cause as Error).cause as { code: string }).code, code)
    assert.is(todos.get.errorPolicy(error), 'soft')
  }
})

test('what the table does not name is a failure of the network', async () => {
  assert.instance(await rejected(todos.get({ id: 9 })), NetworkError)
})

test('a slow answer can be aborted', async () => {
  agent.get(origin).intercept({ path: '/todos/1' }).reply(200, '{"id":1}', json).delay(5000)
  const abort = new AbortController()
  setTimeout(() => abort.abort(), 10)
  assert.instance(await rejected(todos.get.extend({ signal: abort.signal })({ id: 1 })), AbortError)
})

test('401 once, then fine: the error is shown, and the next call is as good as new', async () => {
  const pool = agent.get(origin)
  pool.intercept({ path: '/todos/1' }).reply(401, '{"message":"who?"}', json)
  pool.intercept({ path: '/todos/1' }).reply(200, '{"id":1}', json)
  const error = await rejected(todos.get({ id: 1 }))
  assert.equal([error['status'], error['body']], [401, { message: 'who?' }])
  assert.equal(await todos.get({ id: 1 }), { id: 1 })
})

test('429 keeps its headers for whoever tries again', async () => {
  agent.get(origin).intercept({ path: '/todos/1' }).reply(429, '', { headers: { 'retry-after': '2' } })
  const error = await rejected(todos.get({ id: 1 }))
  assert.is((error['response'] as Response).headers.get('retry-after'), '2')
})

test('a login page instead of data is an error that says html', async () => {
  agent.get(origin).intercept({ path: '/todos/1' }).reply(200, '<html>log in</html>', { headers: { 'content-type': 'text/html' } })
  const error = await rejected(todos.get({ id: 1 }))
  assert.instance(error, ParseError)
  assert.match(error.message, 'text/html')
})

test('a fetch that is passed in works the same', async () => {
  agent.get(origin).intercept({ path: '/x' }).reply(200, '{"a":1}', json)
  const endpoint = new RestEndpoint({ urlPrefix: origin, path: '/x', transport: globalThis.fetch })
  assert.equal(await endpoint(), { a: 1 })
})

test.run()
