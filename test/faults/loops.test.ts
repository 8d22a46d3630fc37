import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, Endpoint, Entity, RestEndpoint, subscribe } from '../../src/index.ts'
import type { AnyEndpoint, NetworkError } from '../../src/index.ts'
import { createClock, mockFetch, type HandClock, type MockRoutes } from '../../src/testing/index.ts'
import { pass, settle } from '../contract/managers/world.ts'

const test = suite('no loops')

class User extends Entity {
  id = 0
  name = ''
  age = 0
  static override key = 'User'
}

/** A mounted view, as a binding has it: fetches what is stale whenever what it shows, or how far it may be trusted, changes. */
function mount(controller: Controller, endpoint: AnyEndpoint, ...args: readonly unknown[]): { readonly runs: number; stop(): void } {
  const view = { runs: 0, stop: () => {} }
  view.stop = effect(() => {
    if (++view.runs > 100) throw new Error('runs for ever')
    controller.getResponse(endpoint, ...(args as never[]))
    controller.getError(endpoint, ...(args as never[]))
    controller.fetchIfStale(endpoint, ...(args as never[])).catch(() => {})
  })
  return view
}

function set(routes: MockRoutes = {}): { controller: Controller; clock: HandClock; fetch: ReturnType<typeof mockFetch>; reported: unknown[] } {
  const clock = createClock()
  const reported: unknown[] = []
  const fetch = mockFetch(routes, { clock })
  return { controller: new Controller({ clock, fetch, onError: (error) => void reported.push(error) }), clock, fetch, reported }
}

/** A minute, in which nobody does anything. */
const minute = (clock: HandClock): Promise<void> => pass(clock, 60_000, 500)

for (const value of [0, '', false, null, undefined, [], {}] as const) {
  test(`a result that is ${JSON.stringify(value) ?? 'undefined'} is a result`, async () => {
    const { controller, clock, reported } = set()
    let sent = 0
    const endpoint = new Endpoint(async () => (sent++, value), { name: 'falsy' })
    const views = [mount(controller, endpoint), mount(controller, endpoint)]
    await minute(clock)
    assert.is(sent, 1)
    for (const view of views) {
      assert.ok(view.runs <= 4, `${view.runs} runs`)
      view.stop()
    }
    assert.equal(reported, [])
    controller.dispose()
  })
}

const failures: readonly (readonly [string, MockRoutes[string], number])[] = [
  ['404', { status: 404 }, 1],
  ['500', { status: 500 }, 3],
  ['a transport that fails', { error: new TypeError('down') }, 3],
  ['204 where an entity is expected', { status: 204 }, 1],
  ['an entity without a pk', { body: { name: 'nobody' } }, 1],
  ['a page of HTML', { body: '<p>', headers: { 'content-type': 'text/html' } }, 1],
]
for (const [name, route, each] of failures) {
  test(`an endpoint that always fails (${name}) is asked for at most twice in a minute, attempts aside`, async () => {
    const { controller, clock, fetch, reported } = set({ 'GET /users/1': route })
    const endpoint = new RestEndpoint({ path: '/users/:id', schema: User }) as unknown as AnyEndpoint
    const views = [mount(controller, endpoint, { id: 1 }), mount(controller, endpoint, { id: 1 })]
    await minute(clock)
    assert.ok(fetch.calls.length >= each && fetch.calls.length <= 2 * each, `${fetch.calls.length} requests`)
    for (const view of views) view.stop()
    assert.equal(reported, [])
    controller.dispose()
  })
}

test('two views that overwrite fields of each other', async () => {
  const { controller, clock, fetch, reported } = set({
    'GET /a': () => ({ body: { id: 1, name: `a${fetch.calls.length}`, age: 1 } }),
    'GET /b': () => ({ body: { id: 1, name: `b${fetch.calls.length}`, age: 2 } }),
  })
  const views = ['/a', '/b'].map((path) => mount(controller, new RestEndpoint({ path, schema: User }) as unknown as AnyEndpoint))
  await minute(clock)
  assert.ok(fetch.calls.length <= 4, `${fetch.calls.length} requests`)
  for (const view of views) view.stop()
  assert.equal(reported, [])
  controller.dispose()
})

test('an answer that deletes what another view shows', async () => {
  const { controller, clock, fetch, reported } = set({ 'GET /users/1': { body: { id: 1 } }, 'DELETE /users/1': { status: 204 } })
  const getUser = new RestEndpoint({ path: '/users/:id', schema: User }) as unknown as AnyEndpoint
  const view = mount(controller, getUser, { id: 1 })
  await minute(clock)
  controller.invalidate(getUser, { id: 1 } as never)
  await minute(clock)
  assert.ok(fetch.calls.length <= 2, `${fetch.calls.length} requests`)
  view.stop()
  assert.equal(reported, [])
  controller.dispose()
})

test('an effect that invalidates once what it shows', async () => {
  const { controller, clock, fetch, reported } = set({ 'GET /users/1': { body: { id: 1, name: 'Ada' } } })
  const getUser = new RestEndpoint({ path: '/users/:id', schema: User })
  const view = mount(controller, getUser as unknown as AnyEndpoint, { id: 1 })
  let name: string | undefined
  const stop = effect(() => {
    const next = controller.get(User, { id: 1 })?.name
    if (next !== name) controller.invalidate(getUser, { id: 1 })
    name = next
  })
  await minute(clock)
  assert.is(fetch.calls.length, 2)
  stop()
  view.stop()
  assert.equal(reported, [])
  controller.dispose()
})

test('a poll and a view of it do not ask twice', async () => {
  const { controller, clock, fetch } = set({ 'GET /users/1': { body: { id: 1 }, delay: 50 } })
  const getUser = new RestEndpoint({ path: '/users/:id', schema: User, pollFrequency: 10_000 })
  const view = mount(controller, getUser as unknown as AnyEndpoint, { id: 1 })
  const end = subscribe(controller, getUser, { id: 1 })
  await pass(clock, 35_000, 50)
  assert.is(fetch.calls.length, 4)
  view.stop()
  end()
  await minute(clock)
  assert.is(fetch.calls.length, 4)
  controller.dispose()
})

test('a logout that what is fetched brings about does not go round', async () => {
  const clock = createClock()
  let resets = 0
  const fetch = mockFetch({ 'GET /users/1': { status: 401 } })
  const controller: Controller = new Controller({
    clock,
    fetch,
    managers: [{ action: (action) => void (action.type === 'fetch' && action.outcome.catch((error: NetworkError) => error.status === 401 && (resets++, controller.reset()))) }],
  })
  const getUser = new RestEndpoint({ path: '/users/:id', schema: User, pollFrequency: 1000 })
  subscribe(controller, getUser, { id: 1 })
  await pass(clock, 10_000, 50)
  assert.ok(fetch.calls.length >= 9 && fetch.calls.length <= 11, `${fetch.calls.length} requests in ten seconds`)
  assert.is(resets, fetch.calls.length)
  await settle()
  controller.dispose()
})

test('an effect that invalidates every answer that it gets is stopped, and reported once', async () => {
  const { controller, fetch, reported } = set({ 'GET /users/1': { body: { id: 1 } } })
  const endpoint = new RestEndpoint({ path: '/users/:id', schema: User })
  const stop = effect(() => {
    if (controller.getResponse(endpoint, { id: 1 }).expiryStatus === 3) controller.invalidate(endpoint, { id: 1 })
    else controller.fetchIfStale(endpoint, { id: 1 }).catch(() => {})
  })
  await settle()
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.is(fetch.calls.length, 2)
  assert.equal(reported.map((error) => (error as { code?: string }).code), ['LOOP'])
  stop()
  controller.dispose()
})

test('an answer that expires at once is fresh to those whom it wakes', async () => {
  const { controller, clock, fetch, reported } = set({ 'GET /users/1': { body: { id: 1, name: 'Ada' } }, 'GET /users/2': { status: 404 } })
  const endpoint = new RestEndpoint({ path: '/users/:id', schema: User, dataExpiryLength: 0, errorExpiryLength: 0 }) as unknown as AnyEndpoint
  const views = [1, 2].map((id) => mount(controller, endpoint, { id }))
  await minute(clock)
  assert.is(fetch.calls.length, 2)
  await controller.fetchIfStale(endpoint, { id: 1 } as never)
  await controller.fetchIfStale(endpoint, { id: 2 } as never).catch(() => {})
  assert.is(fetch.calls.length, 4)
  for (const view of views) view.stop()
  assert.equal(reported, [])
  controller.dispose()
})

test('and is free again after a second', async () => {
  const { controller, clock, fetch } = set({ 'GET /users/1': { body: { id: 1 } } })
  const endpoint = new RestEndpoint({ path: '/users/:id', schema: User })
  for (let i = 0; i < 21; i++) {
    controller.invalidate(endpoint, { id: 1 })
    await controller.fetchIfStale(endpoint, { id: 1 }).catch(() => {})
  }
  assert.is(fetch.calls.length, 20)
  clock.advance(1000)
  controller.invalidate(endpoint, { id: 1 })
  await controller.fetchIfStale(endpoint, { id: 1 })
  assert.is(fetch.calls.length, 21)
})

test.run()
