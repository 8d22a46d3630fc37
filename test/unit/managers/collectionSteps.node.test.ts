import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, Entity, exportState } from '../../../src/index.ts'
import type { Clock } from '../../../src/index.ts'
import { createClock } from '../../../src/testing/index.ts'
import { transact } from '../store/transact.ts'
import { A, documentOf, World } from './collectionWorld.ts'

const test = suite('collection: steps and memory')

const AFTER = 30
const names = (world: World): string[] => [...documentOf(world.store.state).keys()].sort()

/** A sweep that has found out what may go, and has not let it go. */
function begun(world: World): Generator {
  const steps = world.sweep(AFTER, Infinity)
  const before = names(world)
  steps.next()
  assert.equal(names(world), before)
  return steps
}

/** Old rows that nobody needs: 1 shows 0. */
function old(): World {
  const world = new World()
  world.write(A, { id: '1', n: 1, next: { id: '0', n: 0 } })
  for (const _ of world.sweep(AFTER, Infinity)) void _
  world.clock.advance(AFTER)
  return world
}

function finish(steps: Generator): void {
  while (steps.next().done !== true);
}

const cases: { readonly [name: string]: (world: World) => unknown } = {
  'the same answer comes again': world => world.write(A, { id: '1', n: 1 }),
  'somebody begins to read it': world => world.read('', () => world.graph.query(A, [{ id: '1' }])),
  'somebody holds a live object of it': world => world.live.query(A, [{ id: '1' }]),
  'a patch from outside changes it': world => world.timeline.apply({ patches: [{ op: 'replace', path: ['entities', 'A', '1', 'n'], value: 7 }], stamps: [] }, { cause: 'tab' }),
  'an endpoint answers with it': world => world.respond('list', 'x', ['1'], 0),
  'something that is read comes to refer to it': world => {
    world.read('', () => world.graph.query(A, [{ id: '2' }]))
    world.write(A, { id: '2', next: '1' })
  },
  'a call is made that it shows': world => world.call('1', 9),
}

for (const [name, event] of Object.entries(cases)) {
  test(`INV-30 what was about to go stays, with what it shows, when, just before, ${name}`, () => {
    const world = old()
    const steps = begun(world)
    const held = event(world)
    finish(steps)
    assert.ok(['A 0', 'A 1'].every(each => names(world).includes(each)), names(world).join())
    assert.is(held, held)
  })
}

test('INV-30 and goes when nothing happens', () => {
  const world = old()
  finish(begun(world))
  assert.equal(names(world), [])
})

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}
const Todos = createResource({ path: '/todos/:id', schema: Todo })

const engine = async (): Promise<void> => {
  for (let i = 0; i < 3; i++) {
    await new Promise(done => setTimeout(done))
    globalThis.gc!()
  }
}

const sizes = ({ store }: Controller): number[] => {
  const cells = store.state.cells!
  return [cells.endpoints.size, ...cells.tables.map(({ size }) => size), cells.attic.size]
}

test('INV-31 of what was collected nothing remains: no record, no view, no live object, no cell', async () => {
  if (globalThis.gc === undefined) return
  const clock = createClock()
  const controller = new Controller({ clock, gc: { after: 10, every: 10 } })
  const refs = ((): WeakRef<object>[] => {
    controller.setResponse(Todos.getList, [{ id: 1, title: 'sow' }])
    const cells = controller.store.state.cells!
    const cell = cells.find('Todo')!.find('1')!
    const record = controller.snapshot().entities.tables[cell.table.ordinal]!.records.get(cell.slot)!
    return [cell, record, controller.get(Todo, { id: 1 })!, controller.live(Todo, { id: 1 })!, controller.snapshot()].map(each => new WeakRef(each))
  })()
  for (let rounds = 0; rounds < 4; rounds++) {
    clock.advance(100_000)
    await engine()
  }
  assert.equal(refs.map(ref => ref.deref()), refs.map(() => undefined))
  assert.equal(sizes(controller), [0, 0, 0, 0])
  assert.is(clock.pending, 0)
})

test('INV-32 a snapshot keeps the cells of its rows; once it is gone they go too', async () => {
  if (globalThis.gc === undefined) return
  const clock = createClock()
  const controller = new Controller({ clock, gc: { after: 10, every: 10 } })
  controller.setResponse(Todos.get, { id: 1 }, { id: 1, title: 'sow' })
  let snapshot: unknown[] = [controller.snapshot()]
  const before = exportState(controller.snapshot())
  for (let rounds = 0; rounds < 3; rounds++) {
    clock.advance(100_000)
    await engine()
  }
  assert.equal(exportState(snapshot[0] as never), before)
  assert.equal(sizes(controller), [1, 1, 2])
  snapshot = []
  for (let rounds = 0; rounds < 3; rounds++) {
    clock.advance(100_000)
    await engine()
  }
  assert.equal(sizes(controller), [0, 0, 0])
  assert.is(snapshot.length, 0)
})

test('INV-31 a snapshot keeps no cell that went before it, or came after the collection that followed it', async () => {
  if (globalThis.gc === undefined) return
  const clock = createClock()
  // What can be undone holds versions of its own.
  const controller = new Controller({ clock, gc: { after: 10, every: 10 }, history: { limit: 0 } })
  const comesAndGoes = async (id: number): Promise<void> => {
    controller.set(Todo, { id })
    for (let rounds = 0; rounds < 3; rounds++) {
      clock.advance(100)
      await engine()
    }
  }
  await comesAndGoes(1)
  const snapshot = controller.snapshot()
  await comesAndGoes(2)
  await comesAndGoes(3)
  assert.equal([...controller.store.state.cells!.find('Todo')!.cells()].map(({ pk }) => pk), ['2'])
  assert.equal(exportState(snapshot).entities, [])
})

test('it works in slices: a frame is not missed, however much there is', () => {
  const hand = createClock()
  let spent = 0
  // Every look at the clock takes a tenth of a millisecond.
  let slices = 0
  const clock: Clock = {
    ...hand,
    now: () => hand.now() + (spent += 0.1),
    after(ms, callback) {
      if (ms === 0) slices++
      return hand.after(ms, callback)
    },
  }
  const controller = new Controller({ clock, gc: { after: 1_000, every: 1_000 } })
  controller.setResponse(Todos.partialUpdate, { id: 1 }, {}, { id: 1 })
  for (let id = 0; id < 20_000; id++) transact(controller.store, draft => {
    draft.write(draft.intern(draft.cells.table('Todo'), String(id)), Object.freeze({ id }))
  })
  const rows = (): number => controller.snapshot().entities.tables[0]!.size
  hand.advance(4_000)
  assert.is(rows(), 0)
  assert.ok(slices > 10, `it took ${slices} slices`)
  controller.dispose()
})

test.run()
