import { batch, computed, effect, signal } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { All, Collection, Entity, Query } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import type { ViewNode } from '../../../src/view/node.ts'
import { swept, Watch, World } from './world.ts'

const test = suite('view: letting go')

class Node extends Entity {
  id = ''
  name = ''
  next: Node | undefined = undefined
  all: Node[] = []
  static override key = 'Node'
  static override indexes = ['name']
  static override schema: Fields = {}
}
Node.schema = { next: Node, all: [Node] }

const nodes = [Node]
const everyone = new All(Node)
const page = new Collection([Node])
const count = new Query(everyone, (all: readonly Node[]) => all.length)

/** A circle of three, and two more that it lists. */
function circle(): World {
  const world = new World()
  world.respond('nodes', nodes, [{ id: '1', next: '2', all: ['4', '5'] }, { id: '2', next: '3' }, { id: '3', next: '1' }, { id: '4' }, { id: '5' }])
  world.write(page, [{ id: '4' }], [{}])
  return world
}

/** Reads a little of everything. */
const reads = (world: World): (() => unknown)[] => [
  () => world.get(Node, '1'),
  () => world.get(Node, { name: 'x' }),
  () => world.get(Node, 'not there'),
  () => world.get(everyone),
  () => world.get(count),
  () => world.get(page, {}),
  () => world.graph.result(nodes, 'nodes', []),
]

/** What the tables remember of who looks at them as a whole. */
function tableReaders(world: World): number {
  return world.store.state.cells!.tables.reduce((sum, { watch }) => {
    const { lookups, members } = (watch ?? { members: new Set(), lookups: new Map() }) as { members: Set<unknown>; lookups: Map<unknown, unknown> }
    return sum + members.size + lookups.size
  }, 0)
}

const nothingLeft = (world: World): void => {
  assert.is(world.watchedCells().length, 0)
  assert.is(tableReaders(world), 0)
}

test('INV-27 what nobody reads has no node and no signal', () => {
  const world = circle()
  world.write(nodes, Array.from({ length: 1000 }, (_, i) => ({ id: `n${i}` })))
  nothingLeft(world)
  const watch = world.watch<Node>(Node, '4')
  assert.equal(world.watchedCells().map(cell => cell.pk), ['4'])
  watch.dispose()
})

test('INV-25 whatever was watched is let go when the last one leaves, circles too', async () => {
  const world = circle()
  const watches = [...reads(world), ...reads(world)].map(read => new Watch(read))
  await swept()
  assert.ok(world.watchedCells().length >= 7 && tableReaders(world) > 0)
  watches.splice(0, 7).forEach(watch => watch.dispose())
  await swept()
  assert.ok(world.watchedCells().length >= 7 && tableReaders(world) > 0)
  world.write(Node, { id: '4', name: 'y' })
  for (const watch of watches) watch.dispose()
  await swept()
  nothingLeft(world)
})

test('a node has for children what it shows, and nothing of what was filled before it', () => {
  const world = circle()
  const watch = world.watchResult<Node[]>(nodes, 'nodes')
  const shown = (pk: string): (string | undefined)[] => (world.cell(Node, pk).watch as ViewNode).children.map(child => child.cell?.pk)
  assert.equal(['1', '2', '3', '4'].map(shown), [['2', undefined], ['3'], ['1'], []])
  watch.dispose()
})

test('INV-25 a list with something that is no pk among its members shows and wakes as any other, and lets go of them all', async () => {
  const world = new World()
  world.respond('nodes', nodes, [{ id: '1' }, { id: '2' }, null, { id: '3' }])
  const watch = world.watchResult<(Node | null)[]>(nodes, 'nodes')
  assert.equal(watch.last.map(node => node && node.id), ['1', '2', null, '3'])
  for (const id of ['1', '3']) {
    const before = watch.last
    assert.is(watch.during(() => world.write(Node, { id, name: 'x' })), 1)
    assert.equal(watch.last.map((node, i) => node === before[i]), ['1', '2', '', '3'].map(each => each !== id))
  }
  await swept()
  assert.is(watch.during(() => world.write(Node, { id: '2', name: 'y' })), 1)
  // No list that was begun and given up stands over them.
  for (const pk of ['1', '2', '3']) assert.not.instance((world.cell(Node, pk).watch as ViewNode).parents, Set)
  watch.dispose()
  await swept()
  nothingLeft(world)
})

test('INV-25 a read that nobody watches is kept for the tick and no longer', async () => {
  const world = circle()
  for (const read of reads(world)) assert.is(read(), read())
  await swept()
  nothingLeft(world)
})

test('INV-25 part of a circle lives for as long as somebody above it is watched', async () => {
  const world = circle()
  const two = world.watch<Node>(Node, '2')
  const all = world.watchResult<Node[]>(nodes, 'nodes')
  const before = two.last
  all.dispose()
  await swept()
  // 2 needs 3 needs 1, which lists 4 and 5; the endpoint is gone.
  assert.equal(world.watchedCells().map(cell => cell.pk).sort(), ['1', '2', '3', '4', '5'])
  assert.is(world.get(Node, '2'), before)
  world.write(Node, { id: '1', all: ['5'] })
  await swept()
  assert.equal(world.watchedCells().map(cell => cell.pk).sort(), ['1', '2', '3', '5'])
  world.write(Node, { id: '2', next: null })
  await swept()
  assert.equal(world.watchedCells().map(cell => cell.pk), ['2'])
  two.dispose()
  await swept()
  nothingLeft(world)
})

test('INV-25 a reader who leaves and comes back within the tick finds the same objects', async () => {
  const world = circle()
  const first = world.watchResult<Node[]>(nodes, 'nodes')
  const before = first.last
  first.dispose()
  const second = world.watchResult<Node[]>(nodes, 'nodes')
  await swept()
  assert.is(second.last, before)
  world.write(Node, { id: '4', name: 'x' })
  assert.equal([first.runs, second.runs], [1, 2])
})

test('INV-25 an effect may be disposed of anywhere: in its run, in a batch, twice, in its own cleanup', async () => {
  const world = circle()
  const write = (name: string): void => world.write(Node, { id: '1', name }) as void
  let runs = 0
  const inRun = effect(() => {
    world.get(Node, '1')
    if (++runs === 2) inRun()
  })
  const inBatch = world.watch(Node, '1')
  const twice = world.watch(Node, '1')
  let cleaned = 0
  const inCleanup: () => void = effect(() => {
    world.get(Node, '1')
    return () => {
      cleaned++
      if (cleaned === 1) inCleanup()
    }
  })
  const byOther = world.watch(Node, '1')
  effect(() => {
    if (world.get<Node>(Node, '1').name === 'a') byOther.dispose()
  })()
  twice.dispose()
  twice.dispose()
  write('a')
  batch(() => {
    write('b')
    inBatch.dispose()
  })
  write('c')
  assert.equal([runs, inBatch.runs, twice.runs, cleaned], [2, 2, 1, 1])
  byOther.dispose()
  await swept()
  nothingLeft(world)
})

test('INV-25 an effect that is disposed of while the commit is told does not run', () => {
  const world = circle()
  const watches: Watch<unknown>[] = []
  // Effects run in some order; whoever runs first ends the others.
  for (let i = 0; i < 4; i++) {
    watches.push(
      new Watch(() => {
        world.get(Node, '1')
        if (watches.length === 4) for (const other of watches) if (other !== watches[i]) other.dispose()
      }),
    )
  }
  world.write(Node, { id: '1', name: 'a' })
  assert.is(watches.reduce((sum, watch) => sum + watch.runs, 0), 5)
  assert.equal(world.reported, [])
})

test('INV-25 an effect that reads something else from now on lets the rest go', async () => {
  const world = circle()
  const which = signal('4')
  const watch = new Watch(() => world.get<Node>(Node, which.value))
  which.value = '5'
  await swept()
  assert.equal(world.watchedCells().map(cell => cell.pk), ['5'])
  assert.is(watch.during(() => world.write(Node, { id: '4', name: 'x' })), 0)
  assert.is(watch.during(() => world.write(Node, { id: '5', name: 'x' })), 1)
  watch.dispose()
})

test('INV-25 a computed keeps what it reads only while somebody reads it', async () => {
  const world = circle()
  const name = computed(() => world.get<Node>(Node, '4').name)
  const watch = new Watch(() => name.value)
  await swept()
  assert.is(world.watchedCells().length, 1)
  watch.dispose()
  await swept()
  nothingLeft(world)
  assert.is(name.value, '')
  await swept()
  nothingLeft(world)
})

test('INV-25 members that left a watched list are let go', async () => {
  const world = circle()
  const watch = world.watch<Node[]>(page, {})
  for (let i = 0; i < 50; i++) world.write(page, [{ id: `m${i}` }, { id: `m${i + 1}` }], [{}])
  await swept()
  assert.is(world.watchedCells().length, 3)
  assert.equal(watch.last.map(node => node.id), ['m49', 'm50'])
  watch.dispose()
})

test('a graph that is disposed of hears no commit, and keeps nothing', () => {
  const world = circle()
  const watches = reads(world).map(read => new Watch(read))
  world.graph.dispose()
  nothingLeft(world)
  world.write(Node, { id: '1', name: 'x' })
  for (const watch of watches) assert.is(watch.runs, 1)
  nothingLeft(world)
})

test.run()
