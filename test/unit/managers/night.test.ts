import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readResult } from '../../support/state.ts'
import { lookup } from '../../../src/store/lookup.ts'
import { B, documentOf, World } from './collectionWorld.ts'

/** What longer runs of the laws found, each in its smallest form. */
const test = suite('regressions: night')

test('INV-30 a result that is collected and comes again as it was, while the sweep is under way, keeps the rows that it names', () => {
  const world = new World()
  world.respond('one', 'x', { id: '1', n: 0 }, 0)
  // Names a row, and does not bring it.
  world.respond('list', 'y', ['1'], 0)
  for (const _ of world.sweep(30, Infinity)) void _
  world.clock.advance(40)
  const steps = world.sweep(30, Infinity)
  while (readResult(world.store.state, 'list y') !== undefined) assert.not(steps.next().done)
  assert.ok(documentOf(world.store.state).has('A 1'), 'rows go after results')
  world.respond('list', 'y', ['1'], 0)
  for (const _ of steps) void _
  assert.equal([...documentOf(world.store.state).keys()].sort(), ['= list y', 'A 1', '[A] {"q":"y"}'])
})

test('INV-30 a list that is kept, and that names one more row while the sweep is under way, keeps that row', () => {
  const world = new World()
  world.respond('one', 'x', { id: '2', n: 0 }, 0)
  world.respond('list', 'y', [], 20)
  for (const _ of world.sweep(30, Infinity)) void _
  world.clock.advance(40)
  const steps = world.sweep(30, Infinity)
  assert.not(steps.next().done)
  assert.ok(documentOf(world.store.state).has('A 2'), 'nothing has gone so far')
  world.respond('list', 'y', ['2'], 20)
  for (const _ of steps) void _
  assert.equal([...documentOf(world.store.state).keys()].sort(), ['= list y', 'A 2', '[A] {"q":"y"}'])
})

for (const kind of ['graph', 'live'] as const) {
  test(`INV-31 of two rows with one value ${kind === 'live' ? 'live objects show' : 'a view shows'} the one that came first, also when a late answer has changed which that is; the other can go`, async () => {
    const world = new World()
    const shown: unknown[] = []
    const stop = effect(() => void shown.push((world[kind].query(B, [{ name: 'y' }]) as B | undefined)?.id))
    const place = world.begin('both', 'x')
    world.respond('both', 'x', { a: { id: '0', n: 0 }, bs: [{ id: '1', name: 'x' }] }, 0)
    world.respond('all', 'x', [{ id: '3', name: 'y' }, { id: '4', name: 'y' }], 0)
    // It was asked first, so what it names was there first.
    world.end(place, 'both', 'x', { a: { id: '0', n: 0, b: { id: '4', name: 'y' } }, bs: [] }, 0)
    assert.is(lookup(world.store.state, 'B', 'name', 'y')?.pk, '4')
    assert.equal(shown, [undefined, '3', '4'])
    if (kind === 'graph') {
      for (let rounds = 0; rounds < 3; rounds++) {
        for (const _ of world.sweep(30, Infinity)) void _
        world.clock.advance(40)
        await Promise.resolve()
      }
      assert.equal([...documentOf(world.store.state).keys()], ['B 4'])
    }
    stop()
  })
}

test.run()
