import { effect } from '@preact/signals-core'
import { spawnSync } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, dehydrate, Endpoint, Entity, exportState, type Snap, type State } from '../../../src/index.ts'
import { createClock, mockFetch } from '../../../src/testing/index.ts'
import { pass, settle } from '../managers/world.ts'
import { begun, get, getList, open, Todo, type Page } from './page.ts'

const test = suite('regressions: memory and lifetime')

/** Whether all of them are gone after everything that can go has gone. */
async function collected(refs: readonly WeakRef<object>[]): Promise<boolean> {
  for (let turn = 0; turn < 10; turn++) {
    await settle()
    globalThis.gc!()
    if (refs.every(ref => ref.deref() === undefined)) return true
  }
  return false
}

async function hours({ clock }: { readonly clock: Page['clock'] }): Promise<void> {
  for (let i = 0; i < 15; i++) {
    clock.advance(480_000)
    await settle()
    // A cell goes when no version of the state that somebody holds can have it: only the engine knows.
    globalThis.gc!()
  }
}

const stored = (state: State): string[] => {
  const { entities, endpoints } = exportState(state)
  return [...entities.flatMap(([key, rows]) => rows.map(([pk]) => `${key} ${pk}`)), ...endpoints.map(([key]) => key)]
}

test('data-client B09, TanStack/query#6509 #4898, TanStack/db#550 #122 #1348 what was fetched and never shown goes, with all that was known of it', async () => {
  const page = open()
  for (let i = 0; i < 500; i++) page.controller.setResponse(get, { id: `${i}` }, { id: `${i}` })
  page.controller.setResponse(getList, [{ id: 'a' }])
  assert.is(stored(page.controller.snapshot()).length, 500 * 2 + 3)
  await hours(page)
  assert.equal([stored(page.controller.snapshot()), [...dehydrate(page.controller).freshness], page.clock.pending], [[], [], 0])
})

test('data-client B10 collection changes no state that somebody holds', async () => {
  const page = begun()
  const retained = page.controller.snapshot()
  const before = JSON.stringify(exportState(retained))
  await hours(page)
  assert.equal(stored(page.controller.snapshot()), [])
  assert.is(JSON.stringify(exportState(retained)), before)
})

test('data-client#3774, TanStack/query#10323 no timer of ours keeps a process alive', () => {
  const code = `
    import { Controller, createResource, Entity, subscribe } from ${JSON.stringify(new URL('../../../src/index.js', import.meta.url).href)}
    class Item extends Entity { id = ''; static key = 'Item' }
    const { get } = createResource({ path: '/items/:id', schema: Item, pollFrequency: 1000 })
    const controller = new Controller({ fetch: async () => Response.json({ id: '1' }) })
    subscribe(controller, get, { id: '1' })
    console.log((await controller.fetch(get, { id: '1' })).id)
  `
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { timeout: 20_000, encoding: 'utf8' })
  assert.equal([status, stdout, stderr], [0, '1\n', ''])
})

test('apollo-client#4210 #7339 nothing that an optimistic call closed over outlives it, whether it was answered or failed', async () => {
  const page = begun()
  const refs = await (async () => {
    const retained: WeakRef<object>[] = []
    for (const [i, status] of [[0, 200], [1, 500], [2, 200]] as const) {
      const burden = { bytes: new Uint8Array(1000) }
      const call = new Endpoint(async ({ id }: { id: string }) => (status === 200 ? { id, n: i } : Promise.reject(new Error('no'))), {
        name: 'call',
        sideEffect: true,
        schema: Todo,
        getOptimisticResponse: (_snap: Snap, { id }: { id: string }) => ({ id, n: burden.bytes.length + i }),
      })
      await page.controller.fetch(call, { id: '1' }).catch(() => {})
      retained.push(new WeakRef(burden), new WeakRef(call))
    }
    return retained
  })()
  assert.ok(await collected(refs))
  assert.is(page.controller.get(Todo, { id: '1' })!.n, 2)
})

test('TanStack/query#11163 #11218, replicache#3859 a request that was tried again is forgotten when it is settled', async () => {
  const clock = createClock()
  const controller = new Controller({ clock, fetch: mockFetch({}), retry: { base: 10 } })
  const ref = await (async () => {
    let attempts = 0
    const burden = { bytes: new Uint8Array(1000) }
    const body = { burden }
    const call = new Endpoint(
      async (sent: object) => {
        if (++attempts < 3) throw Object.assign(new Error('again'), { status: 503 })
        return { id: '1', n: attempts, sent: Object.keys(sent).length }
      },
      { name: 'call', schema: Todo, sideEffect: false, key: () => 'call' },
    )
    const asked = controller.fetch(call, body).catch((error: unknown) => error)
    await pass(clock, 1000)
    assert.is(((await asked) as Todo).n, 3)
    return new WeakRef(burden)
  })()
  // What was shown to who asked is retained for a minute, in case that he asks again; what was fetched, for five more.
  await hours({ clock })
  assert.ok(await collected([ref]))
  assert.is(clock.pending, 0)
})

test('signals#104 views that nobody reads any more are collected while their controller lives', async () => {
  const { controller } = begun({ gc: false })
  const refs = (() => {
    const view = controller.view(get, { id: '1' })
    const other = controller.view(Todo, { id: '1' })
    void [view.value, other.value]
    return [new WeakRef(view), new WeakRef(other)]
  })()
  assert.ok(await collected(refs))
  assert.is(controller.get(Todo, { id: '1' })!.title, 'old')
})

test('apollo-client#7942 #13074 #13036 #11242 #11393 a server keeps nothing of a controller that was disposed of', async () => {
  const refs = await (async () => {
    const retained: WeakRef<object>[] = []
    for (let i = 0; i < 40; i++) {
      const controller = new Controller({ fetch: mockFetch({ 'GET /todos': { body: [{ id: '1', title: `page ${i}` }] } }) })
      const list = await controller.fetch(getList)
      retained.push(new WeakRef(controller), new WeakRef(list))
      void controller.view(getList).value
      controller.dispose()
    }
    return retained
  })()
  assert.ok(await collected(refs))
})

test('nor of one that was merely dropped: what waits to tidy up in it does not keep it', async () => {
  const refs: WeakRef<object>[] = []
  await (async () => {
    for (let i = 0; i < 20; i++) {
      const controller = new Controller({ fetch: mockFetch({ 'GET /todos': { body: [{ id: '1', title: 'a' }] } }) })
      await controller.fetch(getList.extend({ dataExpiryLength: Infinity }))
      assert.is(controller.get(Todo, { id: '1' })!.title, 'a')
      refs.push(new WeakRef(controller), new WeakRef(controller.snapshot()))
    }
  })()
  assert.ok(await collected(refs))
})

test('TanStack/query#6509 what an abort or a reset ended is collected', async () => {
  const page = open()
  const refs = await (async () => {
    const retained: WeakRef<object>[] = []
    for (const end of ['abort', 'reset'] as const) {
      const args = { id: end, burden: new Array(100).fill(0) }
      const never = new Endpoint(() => new Promise<object>(() => {}), { name: 'never', key: () => end, schema: Todo })
      const asked = (page.controller.fetch as (endpoint: unknown, args: object) => Promise<unknown>)(never, args).catch(() => {})
      if (end === 'abort') page.controller.abort(never)
      else page.controller.reset()
      await asked
      retained.push(new WeakRef(args), new WeakRef(never))
    }
    return retained
  })()
  assert.ok(await collected(refs))
})

class Person extends Entity {
  static override key = 'Person'
  static override indexes = ['name']
  id = ''
  name = ''
}
const people = createResource({ path: '/people/:id', schema: Person })

/** Bytes in use after everything that can go has gone. */
async function heap(): Promise<number> {
  for (let turn = 0; turn < 4; turn++) {
    await settle()
    globalThis.gc!()
  }
  return process.memoryUsage().heapUsed
}

test('INV-31 of what was shown and dropped nothing remains: no record, view, live object, signal or status', async () => {
  const clock = createClock()
  const controller = new Controller({ clock, fetch: mockFetch({}), gc: { after: 10, every: 10 } })
  const refs = await (async () => {
    controller.setResponse(people.getList, [{ id: '1', name: 'ann' }])
    controller.setResponse(people.get, { id: '2' }, { id: '2', name: 'never shown' })
    controller.setError(people.get, { id: '3' }, new Error('down'))
    const signal = controller.view(people.getList)
    const stops = [effect(() => void signal.value), effect(() => void controller.live(people.getList)?.[0]?.name), effect(() => void controller.get(Person, { name: 'ann' })), effect(() => void controller.getError(people.get, { id: '3' }))]
    const retained = [signal, signal.value!, signal.value![0]!, controller.live(Person, { id: '1' })!, controller.get(Person, { name: 'ann' })!, controller.snapshot(), controller.getError(people.get, { id: '3' }) as object]
    await settle()
    for (const stop of stops) stop()
    return retained.map(each => new WeakRef<object>(each))
  })()
  await hours({ clock })
  assert.equal(refs.map(ref => ref.deref()), refs.map(() => undefined))
  assert.equal(exportState(controller.snapshot()), exportState(new Controller().snapshot()))
  assert.equal([[...dehydrate(controller).freshness], clock.pending], [[], 0])
})

test('INV-31 live objects that stay keep no former table alive, however many others come and go', async () => {
  const clock = createClock()
  const controller = new Controller({ clock, fetch: mockFetch({}), gc: { after: 10, every: 10 } })
  controller.set([Person], Array.from({ length: 5_000 }, (_, i) => ({ id: `${i}`, name: `${i}` })))
  const retained = Array.from({ length: 5_000 }, (_, i) => controller.live(Person, { id: `${i}` })!)
  const round = async (i: number): Promise<void> => {
    controller.set(Person, { id: `other ${i}`, name: '' })
    void controller.live(Person, { id: `other ${i}` })!.name
    await settle()
    globalThis.gc!()
    clock.advance(50)
  }
  for (let i = 0; i < 10; i++) await round(i)
  const before = await heap()
  for (let i = 10; i < 50; i++) await round(i)
  const grown = (await heap()) - before
  assert.is(retained[7]!.name, '7')
  // A table of 5,000 cells takes half a megabyte.
  assert.ok(grown < 4_000_000, `${grown} bytes`)
})

test('INV-35 requests that never answer leave nothing when they are aborted, and one signal that all share no listener', async () => {
  const page = open()
  const shared = new AbortController()
  const refs: WeakRef<object>[] = []
  await (async () => {
    for (let i = 0; i < 1_000; i++) {
      const never = new Endpoint(() => new Promise<object>(() => {}), { name: 'never', key: () => `never ${i}`, schema: Todo, signal: shared.signal })
      const args = { i }
      const asked = (page.controller.fetch as (endpoint: unknown, args: object) => Promise<unknown>)(never, args).catch(() => {})
      page.controller.abort(never)
      await asked
      if (i % 100 === 0) refs.push(new WeakRef(args), new WeakRef(never))
    }
  })()
  assert.is(getEventListeners(shared.signal, 'abort').length, 0)
  await hours(page)
  assert.ok(await collected(refs))
  assert.equal([stored(page.controller.snapshot()), page.clock.pending], [[], 0])
})

test('INV-36 looking for things that are not there costs nothing that lasts', async () => {
  const clock = createClock()
  const controller = new Controller({ clock, fetch: mockFetch({}) })
  controller.set(Person, { id: '1', name: 'ann' })
  const stop = effect(() => void controller.get(Person, { id: '1' }))
  const round = async (from: number): Promise<void> => {
    for (let i = from; i < from + 10_000; i++) {
      controller.get(Person, { name: `nobody ${i}` })
      controller.get(Person, { id: `nobody ${i}` })
      controller.getResponse(people.get, { id: `nobody ${i}` })
    }
    await hours({ clock })
  }
  await round(0)
  await round(10_000)
  const before = await heap()
  await round(20_000)
  await round(30_000)
  const grown = (await heap()) - before
  stop()
  // One entry for each would be two megabytes and more.
  assert.ok(grown < 1_000_000, `${grown} bytes`)
})

test.run()
