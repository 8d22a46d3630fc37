import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AbortError, Controller, createResource, dehydrate, Endpoint, PathError, ResetError, RestEndpoint, subscribe, systemClock } from '../../../src/index.ts'
import type { AnyEndpoint } from '../../../src/index.ts'
import { createClock, mockFetch, type MockFetch, type MockRoutes } from '../../../src/testing/index.ts'
import { quiet, until } from '../bindings/wire.ts'
import { pass, rejection } from '../managers/world.ts'
import { begun, get, getList, open, remove, Todo, titleOf } from './page.ts'

const test = suite('regressions: requests')

/** A minute of views that fetch what is stale whenever what they show changes. */
async function minute(routes: MockRoutes, endpoints: readonly AnyEndpoint[]): Promise<{ fetch: MockFetch; reported: unknown[]; runs: number }> {
  const clock = createClock()
  const reported: unknown[] = []
  const fetch = mockFetch(routes, { clock })
  const controller = new Controller({ clock, fetch, onError: error => void reported.push(error) })
  let runs = 0
  for (const endpoint of endpoints) {
    effect(() => {
      runs++
      controller.getResponse(endpoint)
      controller.fetchIfStale(endpoint).catch(() => {})
    })
  }
  await pass(clock, 59_000, 1000)
  controller.dispose()
  return { fetch, reported, runs }
}
const read = (path: string, more: object = {}): AnyEndpoint => new RestEndpoint({ path, schema: Todo, ...more }) as unknown as AnyEndpoint

test('data-client B14, fast-uri CVE-2026-6321 a segment of dots is an error before any request and any expectation', async () => {
  for (const id of ['..', '.', '%2e%2e', '.%2E', '%2e']) {
    const { controller, wire } = begun()
    const before = controller.snapshot()
    assert.instance(await Promise.race([rejection(controller.fetch(remove, { id })), quiet()]), PathError)
    assert.is(controller.snapshot(), before)
    assert.equal(wire.sent, [])
  }
})

test('data-client B15 what differs deep inside of the arguments is another request', async () => {
  const { controller, wire } = open()
  const search = getList as unknown as AnyEndpoint
  const filters = [{ f: { x: 1 } }, { f: { x: 2 } }, { f: [1, 2] }, { f: '1,2' }, { f: { x: { y: 1 } } }]
  for (const filter of filters) void controller.fetch(search, filter)
  await until(() => wire.pending === filters.length)
  assert.is(new Set(wire.sent).size, filters.length)
  assert.not.match(wire.sent.join(), 'object')
  controller.dispose()
})

test('data-client#3757 an optional parameter that is undefined is left out, in the path and in the query', () => {
  const endpoint = new RestEndpoint({ path: '/users/:id?' })
  const urls = [{ id: undefined }, {}, { id: undefined, q: undefined }, { id: 'undefined' }].map(args => endpoint.url(args as never))
  assert.equal(urls, ['/users', '/users', '/users', '/users/undefined'])
})

test('data-client#3960 a falsy result is fetched once, whoever shows it', async () => {
  for (const value of [0, '', false, null, []]) {
    const { fetch, runs } = await minute({ 'GET /v': { body: value, headers: { 'content-type': 'application/json' } } }, [read('/v', { schema: undefined, content: 'json' }), read('/v', { schema: undefined, content: 'json' })])
    assert.is(fetch.calls.length, 1, JSON.stringify(value))
    assert.ok(runs <= 8, `${runs} runs`)
  }
})

test('data-client#1085 6cb2830a a request from before a reset is shared with nobody after it, and never lands', async () => {
  const page = open()
  const { controller, wire } = page
  const before = rejection(controller.fetch(get, { id: '1' }))
  await until(() => wire.pending === 1)
  controller.reset()
  const after = controller.fetch(get, { id: '1' })
  assert.instance(await Promise.race([before, quiet()]), ResetError)
  await until(() => wire.sent.length === 2)
  await wire.answer('/todos/1', { id: '1', title: 'theirs' })
  await quiet()
  assert.is(titleOf(page), undefined)
  await wire.answer('/todos/1', { id: '1', title: 'mine' })
  assert.equal([(await after).title, titleOf(page)], ['mine', 'mine'])
})

test('data-client#2307, TanStack/db#1606 what is under way when a controller ends is settled at once, and writes nothing', async () => {
  const page = open()
  const asked = [page.controller.fetch(get, { id: '1' }), page.controller.fetchIfStale(getList), page.controller.fetch(getList.push, { title: 'x' })].map(rejection)
  await until(() => page.wire.pending === 3)
  const before = dehydrate(page.controller)
  page.controller.dispose()
  for (const each of asked) assert.instance(await each, AbortError)
  await page.wire.answer('/todos/1', { id: '1' })
  await quiet()
  assert.equal(dehydrate(page.controller), before)
  assert.equal([page.clock.pending, page.reported.length], [0, 0])
})

test('apollo-client#7436 #9450 an answer that is another one every time is asked for once', async () => {
  let now = 0
  const changing = (): object => ({ body: { id: '1', n: now++ } })
  const { fetch, reported } = await minute({ 'GET /a': changing }, [read('/a'), read('/a')])
  assert.equal([fetch.calls.length, reported], [1, []])
})

test('apollo-client#10992 #10997 #9720 views that overwrite what each other shows do not make each other ask', async () => {
  const { fetch, reported } = await minute(
    { 'GET /a': { body: { id: '1', title: 'a', deep: { a: 1 } } }, 'GET /b': { body: { id: '1', title: 'b', deep: { b: 1 } } }, 'GET /c': { body: { id: '1', title: 'c', deep: null } } },
    ['/a', '/b', '/c'].map(path => read(path)),
  )
  assert.equal([fetch.calls.map(({ url }) => url).sort(), reported], [['/a', '/b', '/c'], []])
})

test('urql#2737 #2876 #2761 what the user asks for is sent, however often; only readers can go in a circle', async () => {
  const clock = createClock()
  const fetch = mockFetch({ 'GET /todos/1': { body: { id: '1' } } }, { clock })
  const controller = new Controller({ clock, fetch })
  for (let i = 0; i < 50; i++) {
    await controller.fetch(get, { id: '1' })
    controller.invalidate(get, { id: '1' })
  }
  assert.is(fetch.calls.length, 50)
})

test('TanStack/query#9639 readers of what is stale the moment it comes do not ask again because it has come', async () => {
  const reported: unknown[] = []
  const fetch = mockFetch({ 'GET /a': { body: { id: '1' } } })
  // Time stands still: the readers are faster than any clock.
  const controller = new Controller({ clock: createClock(), fetch, onError: error => void reported.push(error) })
  const endpoint = read('/a', { dataExpiryLength: 0 })
  for (let readers = 0; readers < 2; readers++) {
    effect(() => {
      controller.getResponse(endpoint)
      controller.fetchIfStale(endpoint).catch(() => {})
    })
  }
  for (let turns = 0; turns < 50; turns++) await new Promise(resolve => setTimeout(resolve, 1))
  assert.is(fetch.calls.length, 1)
  await controller.fetchIfStale(endpoint)
  assert.is(fetch.calls.length, 2)
  assert.equal(reported, [])
  controller.dispose()
})

test('TanStack/query#10401 a timer whose name is 0 is cancelled like any other', () => {
  const { setTimeout, clearTimeout } = globalThis
  const cleared: unknown[] = []
  Object.assign(globalThis, { setTimeout: () => 0, clearTimeout: (timer: unknown) => void cleared.push(timer) })
  try {
    systemClock.after(10, () => {})()
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout })
  }
  assert.equal(cleared, [0])
})

test('TanStack/query#8168 an error is forgotten in its time, and the next reader asks anew', async () => {
  const clock = createClock()
  const fetch = mockFetch({ 'GET /todos/1': [{ status: 404 }, { body: { id: '1', title: 'there' } }] }, { clock })
  const controller = new Controller({ clock, fetch, retry: false })
  await rejection(controller.fetchIfStale(get, { id: '1' }))
  await rejection(controller.fetchIfStale(get, { id: '1' }))
  assert.is(fetch.calls.length, 1)
  clock.advance(get.errorExpiryLength)
  assert.is((await controller.fetchIfStale(get, { id: '1' })).title, 'there')
})

test('relay RelayModernStore-SubscriptionGc: what is polled stays when those who read it have gone', async () => {
  const clock = createClock()
  const fetch = mockFetch({ 'GET /todos/1': { body: { id: '1', title: 'polled' } } }, { clock })
  const controller = new Controller({ clock, fetch })
  const polled = get.extend({ pollFrequency: 600_000 })
  subscribe(controller, polled, { id: '1' })
  await pass(clock, 0)
  effect(() => void controller.getResponse(polled, { id: '1' }))()
  await pass(clock, 1_500_000, 30_000)
  assert.is(controller.getResponse(polled, { id: '1' }).data?.title, 'polled')
  controller.dispose()
})

const slow = [
  ['path-to-regexp CVE-2024-45296', '/:a-:b', `/${'a-'.repeat(20_000)}/`],
  ['path-to-regexp CVE-2024-52798', '/:a.:b-:c', `/${'a.'.repeat(20_000)}/`],
  ['path-to-regexp CVE-2026-4867', '/:a-:b-:c-:d', `/${'-a'.repeat(20_000)}/`],
  ['path-to-regexp CVE-2026-4926', `/x${Array.from({ length: 14 }, (_, i) => `{/:p${i}}`).join('')}`, `/x${'/a'.repeat(20_000)}`],
] as const
for (const [name, path, key] of slow) {
  test(`${name} a long key that does not match ${path.slice(0, 20)} is refused in linear time`, () => {
    const endpoint = new RestEndpoint({ path })
    const time = (text: string): number => {
      const start = performance.now()
      assert.not(endpoint.testKey(`GET ${text}`))
      return performance.now() - start
    }
    time(key)
    assert.ok(time(key) < 1000, 'forty thousand characters within a second')
  })
}

test('TanStack/query hashKey: a key is one request, whatever the order of its members and the spelling of its numbers', () => {
  const endpoint = new Endpoint(async (args: object) => args, { name: 'e' })
  const keys = [{ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }].map(args => endpoint.key(args))
  assert.is(keys[0], keys[1])
  const { getList: list } = createResource({ path: '/x/:id', schema: Todo })
  assert.is(list.key({ a: 1, b: 2 } as never), list.key({ b: '2', a: '1' } as never))
  assert.is(new Set([NaN, null, undefined, '', 0].map(value => endpoint.key({ value }))).size, 5)
})

test.run()
