import { computed, effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { All, Query } from '../../../src/index.ts'
import { collect } from './collect.ts'
import { Node } from './node.ts'
import { World } from './world.ts'

const test = suite('view: what is released is collected')

const nodes = [Node]
const everyone = new All(Node)
const first = new Query(everyone, (all: readonly Node[]) => [all[0]])

/** Views that were read by `read`, as weak references. */
async function seen(read: (world: World) => unknown): Promise<{ world: World; view: WeakRef<object> }> {
  const world = new World()
  world.respond('nodes', nodes, [{ id: '1', likes: '2', all: ['2', '3'] }, { id: '2', likes: '1' }, { id: '3' }])
  const view = new WeakRef(read(world) as object)
  // Views that nobody watches are retained until garbage is collected, for whoever reads them again.
  world.clock.advance(60_000)
  await collect()
  return { world, view }
}

const cases: { readonly [name: string]: (world: World) => unknown } = {
  'an entity in a circle that was read once': world => world.get(Node, '1'),
  'a list that was read once': world => world.result(nodes, 'nodes'),
  'all of a table': world => world.get(everyone),
  'what a query made': world => world.get(first),
  'a view whose effect ended': world => {
    let view: unknown
    effect(() => void (view = world.get(Node, '1')))()
    return view
  },
  'a view that a computed read, which is gone': world => computed(() => world.get(everyone)).value,
  'an older view of what is still watched': world => {
    const old = world.get(Node, '1')
    effect(() => void world.get(Node, '1'))
    world.write(Node, { id: '1', likes: '3' })
    return old
  },
}

for (const [name, read] of Object.entries(cases)) {
  test(`INV-25 ${name} is collected`, async () => {
    const { view, world } = await seen(read)
    assert.is(view.deref(), undefined)
    assert.ok(world.get(Node, '1'))
  })
}

test('INV-25 what is watched is not collected', async () => {
  let stop: () => void = () => {}
  const { view, world } = await seen(world => {
    stop = effect(() => void world.get(everyone))
    return world.get(everyone)
  })
  assert.is(view.deref(), world.get(everyone))
  stop()
})

test.run()
