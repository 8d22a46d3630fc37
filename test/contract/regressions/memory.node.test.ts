import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, dehydrate, Endpoint, Entity, exportState } from '../../../src/index.ts'
import { createClock, mockFetch } from '../../../src/testing/index.ts'
import { heapUsed } from '../../support/heapUsed.ts'
import { pass, settle } from '../managers/world.ts'
import { getList, minutes, open, Todo } from './page.ts'

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

/** How a request ends, how often its endpoint is called until then, what that gives, and who ends it. */
const ends: readonly (readonly [string, number, (attempt: number) => Promise<object>, ((controller: Controller) => void)?])[] = [
  ['is answered', 1, async () => ({ id: '1' })],
  ['fails', 1, () => Promise.reject(new Error('no'))],
  ['is tried again', 3, async attempt => (attempt < 3 ? Promise.reject(Object.assign(new Error('again'), { status: 503 })) : { id: '1' })],
  ['is aborted', 1, () => new Promise(() => {}), controller => controller.abort(call, {})],
  ['is reset', 1, () => new Promise(() => {}), controller => controller.reset()],
]
const call = new Endpoint(async (_burden: object): Promise<object> => ({}), { name: 'call', schema: Todo, key: () => 'call' })

for (const [end, expected, answer, finish] of ends) {
  test(`apollo-client#4210 #7339, TanStack/query#11163 #11218 #6509, replicache#3859 a request that ${end} leaves nothing behind`, async () => {
    const page = open({ retry: { base: 10 } })
    const refs = await (async () => {
      const retained: WeakRef<object>[] = []
      for (const sideEffect of [false, true]) {
        const burden = { bytes: new Uint8Array(1000) }
        let attempts = 0
        const getOptimisticResponse = (): object => ({ id: '1', n: burden.bytes.length })
        const own = call.extend({ fetch: (_burden: object) => answer(++attempts), sideEffect, getOptimisticResponse })
        const outcome = page.controller.fetch(own, burden).catch(() => {})
        await settle()
        finish?.(page.controller)
        await pass(page.clock, 1000)
        await outcome
        if (!sideEffect) assert.is(attempts, expected)
        retained.push(new WeakRef(burden), new WeakRef(own))
      }
      return retained
    })()
    // The view of an answer is retained for a minute, in case that it is asked for again; the data, for five more.
    await minutes(page.clock)
    assert.ok(await collected(refs))
    assert.is(page.clock.pending, 0)
  })
}

for (const [end, finish] of [['was disposed of', (controller: Controller) => controller.dispose()], ['was merely dropped', () => {}]] as const) {
  test(`apollo-client#7942 #13074 #13036 #11242 #11393 a server keeps nothing of a controller that ${end}`, async () => {
    const refs = await (async () => {
      const retained: WeakRef<object>[] = []
      for (let i = 0; i < 40; i++) {
        const controller = new Controller({ fetch: mockFetch({ 'GET /todos': { body: [{ id: '1', title: `page ${i}` }] } }) })
        const list = await controller.fetch(getList.extend({ dataExpiryLength: Infinity }))
        void controller.view(getList).value
        retained.push(new WeakRef(controller), new WeakRef(list), new WeakRef(controller.snapshot()))
        finish(controller)
      }
      return retained
    })()
    assert.ok(await collected(refs))
  })
}

class Person extends Entity {
  static override key = 'Person'
  static override indexes = ['name']
  id = ''
  name = ''
}
const people = createResource({ path: '/people/:id', schema: Person })

test('INV-31 of what was shown and dropped nothing remains: no record, view, live object, signal or status', async () => {
  const clock = createClock()
  const controller = new Controller({ clock, fetch: mockFetch({}), gc: { after: 10, every: 10 } })
  const refs = await (async () => {
    controller.setResponse(people.getList, [{ id: '1', name: 'ann' }])
    controller.setResponse(people.get, { id: '2' }, { id: '2', name: 'never shown' })
    controller.setError(people.get, { id: '3' }, new Error('down'))
    const signal = controller.view(people.getList)
    const reads = [
      () => signal.value!,
      () => controller.live(people.getList)![0]!,
      () => controller.get(Person, { name: 'ann' })!,
      () => controller.getError(people.get, { id: '3' }) as object,
    ]
    const stops = reads.map(read => effect(() => void Object.keys(read())))
    const retained = [signal, signal.value![0]!, controller.snapshot(), ...reads.map(read => read())]
    await settle()
    for (const stop of stops) stop()
    return retained.map(each => new WeakRef<object>(each))
  })()
  await minutes(clock)
  assert.equal(refs.map(ref => ref.deref()), refs.map(() => undefined))
  assert.equal(exportState(controller.snapshot()), exportState(new Controller().snapshot()))
  assert.equal([[...dehydrate(controller).freshness], clock.pending], [[], 0])
})

test('INV-31 live objects that stay keep no former table alive, however many others come and go', async () => {
  const clock = createClock()
  const controller = new Controller({ clock, fetch: mockFetch({}), gc: { after: 10, every: 25 } })
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
  const before = await heapUsed()
  for (let i = 10; i < 50; i++) await round(i)
  const grown = (await heapUsed()) - before
  assert.is(retained[7]!.name, '7')
  // A table of 5,000 cells takes half a megabyte.
  assert.ok(grown < 4_000_000, `${grown} bytes`)
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
    await minutes(clock)
  }
  await round(0)
  await round(10_000)
  const before = await heapUsed()
  await round(20_000)
  await round(30_000)
  const grown = (await heapUsed()) - before
  stop()
  // One entry for each would be two megabytes and more.
  assert.ok(grown < 1_000_000, `${grown} bytes`)
})

test.run()
