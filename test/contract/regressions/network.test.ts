import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, RestEndpoint, subscribe, systemClock } from '../../../src/index.ts'
import type { AnyEndpoint } from '../../../src/index.ts'
import { createClock, mockFetch, type MockFetch, type MockRoutes } from '../../../src/testing/index.ts'
import { pass } from '../managers/world.ts'
import { get, Todo } from './page.ts'

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

test('apollo-client#7436 #9450 an answer that is another one every time is asked for once', async () => {
  let now = 0
  const changing = (): object => ({ body: { id: '1', n: now++ } })
  const { fetch, reported } = await minute({ 'GET /a': changing }, [read('/a'), read('/a')])
  assert.equal([fetch.calls.length, reported], [1, []])
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

test.run()
