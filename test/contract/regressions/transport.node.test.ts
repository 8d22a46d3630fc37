import { getEventListeners } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, NetworkError, TimeoutError } from '../../../src/index.ts'
import { settle, rejection } from '../managers/world.ts'
import { serve, type Server } from '../rest/server.ts'
import { Todo } from './page.ts'

/** Faults that only a real network has. */
const test = suite('regressions: transport')

let server: Server
let other: Server
const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(reason)

test.before(async () => {
  server = await serve()
  other = await serve(() => ({ id: '1', title: 'elsewhere' }))
  process.on('unhandledRejection', note)
})
test.after(async () => {
  await Promise.all([server.close(), other.close()])
  process.off('unhandledRejection', note)
})

const resource = (options: object = {}) => createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, optimistic: true, ...options })

test('data-client B18 a connection that is reset in the middle of the body is no 400: what is shown stays', async () => {
  const { get } = resource()
  const controller = new Controller({ retry: false })
  controller.setResponse(get, { id: '1' }, { id: '1', title: 'shown' })
  server.answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
    response.write('{"id":"1",')
    setTimeout(() => response.destroy(), 5)
    return undefined
  }
  const error = (await rejection(controller.fetch(get, { id: '1' }))) as NetworkError
  assert.instance(error, NetworkError)
  assert.equal([error.status, get.errorPolicy(error)], [undefined, 'soft'])
  assert.is(controller.getResponse(get, { id: '1' }).data!.title, 'shown')
  controller.dispose()
})

test('browserbase/sdk-node#206, openai-node#1862 the deadline is over headers and body', async () => {
  const { get } = resource()
  const controller = new Controller({ retry: false, timeout: 50 })
  server.answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"id":')
    return undefined
  }
  const start = performance.now()
  assert.instance(await rejection(controller.fetch(get, { id: '1' })), TimeoutError)
  assert.ok(performance.now() - start < 5000)
  controller.dispose()
})

test('undici CVE-2023-45143, GHSA-m4v8-wqvr-p9f7, #4917 no header of ours goes to another host by a redirect', async () => {
  server.answer = (_, response) => {
    response.writeHead(307, { location: `${other.url}/todos/1` }).end()
    return undefined
  }
  for (const name of ['x-api-key', 'cookie', 'proxy-authorization', 'authorization', 'x-csrf-token']) {
    const { get, update } = resource({ getHeaders: (headers: HeadersInit) => ({ ...(headers as object), [name]: 'secret' }) })
    const controller = new Controller({ retry: false })
    await rejection(controller.fetch(get, { id: '1' }))
    await rejection(controller.fetch(update, { id: '1' }, { title: 'x' }))
    controller.dispose()
  }
  assert.equal(other.seen, [])
  // The measure is good: without such headers a redirect is followed.
  const controller = new Controller({ retry: false })
  assert.is((await controller.fetch(resource().get, { id: '1' })).title, 'elsewhere')
  assert.is(other.seen.length, 1)
  controller.dispose()
})

test('nodejs/node#52635, undici#939 #3157, replicache#2410 one signal, used for a hundred requests, has no listener left', async () => {
  server.answer = ({ url }) => ({ id: url.slice(7), title: 'x' })
  const { signal } = new AbortController()
  const get = resource().get.extend({ signal })
  const controller = new Controller()
  for (let i = 0; i < 100; i += 10) await Promise.all(Array.from({ length: 10 }, (_, n) => controller.fetch(get, { id: `${i + n}` })))
  assert.is(getEventListeners(signal, 'abort').length, 0)
  controller.dispose()
})

test('apollo-client#8676 #12892, TanStack/query#9752 #10771 #10542 whatever ends a request that nobody waits for, no rejection is unhandled', async () => {
  server.answer = ({ url }, response) => {
    if (url.endsWith('500')) response.writeHead(500).end()
    else if (url.endsWith('html')) response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')
    else if (url.endsWith('reset')) response.destroy()
    return undefined
  }
  const { get, getList, partialUpdate, delete: remove } = resource()
  const ends: readonly ((controller: Controller) => void)[] = [
    controller => controller.reset(),
    controller => controller.dispose(),
    controller => controller.abort(get, { id: 'never' }),
    controller => controller.invalidate(get, { id: 'never' }),
    () => {},
  ]
  for (const end of ends) {
    const controller = new Controller({ retry: false, onError: note })
    for (const id of ['500', 'html', 'reset', 'never', '..']) {
      controller.setResponse(get, { id: 'x' }, { id: 'x' })
      void controller.fetch(get, { id })
      void controller.fetchIfStale(get, { id })
      void controller.fetch(partialUpdate, { id }, { title: 'x' })
      void controller.fetch(remove, { id })
      void controller.fetch(getList.push, { id })
    }
    await settle()
    end(controller)
    await new Promise(resolve => setTimeout(resolve, 40))
    controller.dispose()
  }
  await settle()
  assert.equal(unhandled, [])
})

test.run()
