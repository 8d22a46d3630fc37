import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, Endpoint, Entity, RestEndpoint, subscribe } from '../../src/index.ts'
import type { AnyEndpoint, NetworkError } from '../../src/index.ts'
import { createClock, mockFetch, type HandClock, type MockRoutes } from '../../src/testing/index.ts'
import { pass, settle } from '../contract/managers/world.ts'
import { effectOf } from '../contract/push/wire.ts'

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

/** A controller and its network, until the test ends: views are unmounted then, and nothing may have been reported. */
interface Scene {
  readonly controller: Controller
  readonly clock: HandClock
  readonly fetch: ReturnType<typeof mockFetch>
  readonly reported: unknown[]
  mount(endpoint: AnyEndpoint, ...args: readonly unknown[]): { readonly runs: number; stop(): void }
}

function scene(title: string, routes: (calls: () => number) => MockRoutes, play: (scene: Scene) => Promise<void>): void {
  test(title, async () => {
    const clock = createClock()
    const reported: unknown[] = []
    const fetch: Scene['fetch'] = mockFetch(routes(() => fetch.calls.length), { clock })
    const controller = new Controller({ clock, fetch, onError: (error) => void reported.push(error) })
    const views: { stop(): void }[] = []
    const add: Scene['mount'] = (endpoint, ...args) => {
      const view = mount(controller, endpoint, ...args)
      views.push(view)
      return view
    }
    await play({ controller, clock, fetch, reported, mount: add })
    for (const view of views) view.stop()
    assert.equal(reported, [])
    controller.dispose()
  })
}

/** A minute, in which nobody does anything. */
const minute = (clock: HandClock): Promise<void> => pass(clock, 60_000, 500)
const getUser = new RestEndpoint({ path: '/users/:id', schema: User })
const anyUser = getUser as unknown as AnyEndpoint
const ada = (): MockRoutes => ({ 'GET /users/1': { body: { id: 1, name: 'Ada' } } })

for (const value of [0, '', false, null, undefined, [], {}] as const) {
  scene(`a result that is ${JSON.stringify(value) ?? 'undefined'} is a result`, () => ({}), async ({ clock, mount }) => {
    let sent = 0
    const endpoint = new Endpoint(async () => (sent++, value), { name: 'falsy' })
    const views = [mount(endpoint), mount(endpoint)]
    await minute(clock)
    assert.is(sent, 1)
    for (const { runs } of views) assert.ok(runs <= 4, `${runs} runs`)
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
  scene(`an endpoint that always fails (${name}) is asked for at most twice in a minute, attempts aside`, () => ({ 'GET /users/1': route }), async ({ clock, fetch, mount }) => {
    for (const id of [1, 1]) mount(anyUser, { id })
    await minute(clock)
    assert.ok(fetch.calls.length >= each && fetch.calls.length <= 2 * each, `${fetch.calls.length} requests`)
  })
}

const rivals = (calls: () => number): MockRoutes => ({
  'GET /a': () => ({ body: { id: 1, name: `a${calls()}`, age: 1 } }),
  'GET /b': () => ({ body: { id: 1, name: `b${calls()}`, age: 2 } }),
})
scene('two views that overwrite fields of each other', rivals, async ({ clock, fetch, mount }) => {
  for (const path of ['/a', '/b']) mount(new RestEndpoint({ path, schema: User }) as unknown as AnyEndpoint)
  await minute(clock)
  assert.ok(fetch.calls.length <= 4, `${fetch.calls.length} requests`)
})

scene('an answer that deletes what another view shows', ada, async ({ controller, clock, fetch, mount }) => {
  mount(anyUser, { id: 1 })
  await minute(clock)
  controller.invalidate(getUser, { id: 1 })
  await minute(clock)
  assert.ok(fetch.calls.length <= 2, `${fetch.calls.length} requests`)
})

scene('an effect that invalidates once what it shows', ada, async ({ controller, clock, fetch, mount }) => {
  mount(anyUser, { id: 1 })
  let name: string | undefined
  const stop = effect(() => {
    const next = controller.get(User, { id: 1 })?.name
    if (next !== name) controller.invalidate(getUser, { id: 1 })
    name = next
  })
  await minute(clock)
  assert.is(fetch.calls.length, 2)
  stop()
})

scene('a poll and a view of it do not ask twice', () => ({ 'GET /users/1': { body: { id: 1 }, delay: 50 } }), async ({ controller, clock, fetch, mount }) => {
  const polled = getUser.extend({ pollFrequency: 10_000 })
  const view = mount(polled as unknown as AnyEndpoint, { id: 1 })
  const end = subscribe(controller, polled, { id: 1 })
  await pass(clock, 35_000, 50)
  assert.is(fetch.calls.length, 4)
  view.stop()
  end()
  await minute(clock)
  assert.is(fetch.calls.length, 4)
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
  subscribe(controller, getUser.extend({ pollFrequency: 1000 }), { id: 1 })
  await pass(clock, 10_000, 50)
  assert.ok(fetch.calls.length >= 9 && fetch.calls.length <= 11, `${fetch.calls.length} requests in ten seconds`)
  assert.is(resets, fetch.calls.length)
  await settle()
  controller.dispose()
})

scene('an effect that invalidates every answer that it gets is stopped, and reported once', ada, async ({ controller, fetch, reported }) => {
  const stop = effect(() => {
    if (controller.getResponse(getUser, { id: 1 }).expiryStatus === 3) controller.invalidate(getUser, { id: 1 })
    else controller.fetchIfStale(getUser, { id: 1 }).catch(() => {})
  })
  await settle()
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.is(fetch.calls.length, 2)
  assert.equal(reported.splice(0).map((error) => (error as { code?: string }).code), ['LOOP'])
  stop()
})

const half = (): MockRoutes => ({ ...ada(), 'GET /users/2': { status: 404 } })
scene('an answer that expires at once is fresh to those whom it wakes', half, async ({ controller, clock, fetch, mount }) => {
  const endpoint = getUser.extend({ dataExpiryLength: 0, errorExpiryLength: 0 }) as unknown as AnyEndpoint
  for (const id of [1, 2]) mount(endpoint, { id })
  await minute(clock)
  assert.is(fetch.calls.length, 2)
  for (const id of [1, 2]) await controller.fetchIfStale(endpoint, { id } as never).catch(() => {})
  assert.is(fetch.calls.length, 4)
})

scene('what is invalidated over and over is asked for once a second, and is free again after one', ada, async ({ controller, clock, fetch, reported }) => {
  const ask = (): Promise<unknown> => (controller.invalidate(getUser, { id: 1 }), controller.fetchIfStale(getUser, { id: 1 }))
  for (let i = 0; i < 20; i++) await ask()
  for (const sent of [21, 22]) {
    const [asked, again] = [ask(), ask()]
    await pass(clock, 999, 333)
    assert.is(fetch.calls.length, sent - 1)
    await Promise.all([asked, again, pass(clock, 1, 1)])
    assert.is(fetch.calls.length, sent)
  }
  assert.is(reported.splice(0).length, 1)
  clock.advance(1000)
  await ask()
  assert.is(fetch.calls.length, 23)
})

scene('an effect that expires what it reads is slowed down, too', calls => ({ 'GET /users/1': () => ({ body: { id: 1, name: `${calls()}` }, delay: 1 }) }), async ({ controller, clock, fetch, mount, reported }) => {
  mount(anyUser, { id: 1 })
  const stop = effect(() => (controller.get(User, { id: 1 }), controller.expireAll(getUser)))
  await pass(clock, 3000, 1)
  assert.ok(fetch.calls.length <= 24 && reported.splice(0).length === 1, `${fetch.calls.length} requests`)
  stop()
})

scene('a list that each call expires is fetched after each, though its answer and that of the call come in one task', calls => ({ 'GET /users': () => ({ body: [{ id: -calls() }], delay: 10 }), 'POST /users': () => ({ body: { id: calls() }, delay: 10 }) }), async ({ controller, clock, fetch }) => {
  const { getList } = createResource({ path: '/users/:id', schema: User, searchParams: {} as { sort?: string } | undefined })
  const reader = effectOf(controller, getList, { sort: 'name' })
  await settle()
  for (let i = 0; i < 5; i++) {
    void controller.fetch(getList.push, {})
    await settle()
    clock.advance(10)
    await settle()
  }
  await pass(clock, 100, 10)
  assert.is(fetch.calls.at(-1)!.method, 'GET')
  assert.is((reader.data() as User[])[0]!.id, -fetch.calls.length)
  reader.stop()
})

scene('a list that many calls change in a row is fetched after each', (calls) => ({ 'GET /users': () => ({ body: [{ id: -calls() }] }), ...Object.fromEntries(Array.from({ length: 30 }, (_, id) => [`DELETE /users/${id}`, {}])) }), async ({ controller, clock, fetch, mount }) => {
  const { getList, delete: remove } = createResource({ path: '/users/:id', schema: User })
  mount(getList as unknown as AnyEndpoint, { limit: 1 })
  await pass(clock, 1, 1)
  for (let id = 0; id < 30; id++) await controller.fetch(remove, { id }).then(() => pass(clock, 1, 1))
  assert.is(fetch.calls.length, 61)
})

test.run()
