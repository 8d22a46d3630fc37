import { effect, signal } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { All, Entity, Invalidate, Query } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { Watch, World } from './world.ts'

const test = suite('view: errors of effects, classes and queries')

/** Which callback throws now. */
let fault = ''
const fail = (site: string): void => {
  if (fault === site) throw new Error(site)
}

class Leaf extends Entity {
  id = ''
  name = ''
  static override key = 'Leaf'
  constructor() {
    super()
    fail('constructor')
  }
  static override validate(_record: Fields): undefined {
    fail('validate')
  }
}

class Tree extends Entity {
  id = ''
  name = ''
  leaf: Leaf | undefined = undefined
  leaves: Leaf[] = []
  static override key = 'Tree'
  static override schema = { leaf: Leaf, leaves: [Leaf] }
}

const trees = [Tree]
const shout = new Query(Tree, (tree: Tree) => {
  fail('process')
  return tree.leaf!.name.toUpperCase()
})

function planted(): World {
  fault = ''
  const world = new World()
  world.respond('trees', trees, [{ id: '1', name: 'a', leaf: { id: 'x', name: 'x' }, leaves: [{ id: 'y', name: 'y' }] }, { id: '2', leaves: ['x', 'y'] }])
  return world
}

test.after.each(() => void (fault = ''))

test('INV-24 an effect that throws stops neither the others nor the commit, and is reported', () => {
  for (let position = 0; position < 5; position++) {
    const world = planted()
    let broken = false
    const watches = Array.from({ length: 5 }, (_, i) =>
      new Watch(() => {
        const view = world.get<Tree>(Tree, '1')
        if (broken && i === position) throw new Error('effect')
        return view
      }),
    )
    broken = true
    world.write(Tree, { id: '1', name: 'b' })
    assert.equal(world.reported.map(error => (error as Error).message), ['effect'])
    watches.forEach((watch, i) => assert.is(watch.seen.at(-1)!.name, i === position ? 'a' : 'b'))
    assert.is(world.get<Tree>(Tree, '1').name, 'b')
    broken = false
    world.write(Tree, { id: '1', name: 'c' })
    for (const watch of watches) assert.is(watch.last.name, 'c')
    assert.is(world.reported.length, 1)
  }
})

for (const site of ['constructor', 'validate', 'process']) {
  test(`what a ${site} throws reaches the reader, and the next read works`, () => {
    const world = planted()
    const read = (): unknown => (site === 'process' ? world.get(shout, '1') : world.result(trees, 'trees'))
    const want = read()
    world.write(Leaf, { id: 'x', name: 'z' })
    fault = site
    assert.is(caught(read).message, site)
    assert.is(caught(read).message, site)
    fault = ''
    const now = read()
    if (site === 'process') assert.is(now, 'Z')
    else {
      assert.equal((now as Tree[]).map(tree => [tree.id, tree.leaf?.name, tree.leaves.map(leaf => leaf.name)]), [['1', 'z', ['y']], ['2', undefined, ['z', 'y']]])
      assert.is((now as Tree[])[0]!.leaves[0], (want as Tree[])[0]!.leaves[0])
      assert.ok(Object.isFrozen((now as Tree[])[0]) && Object.isFrozen(now))
    }
  })

  test(`what a ${site} throws after a commit reaches the watcher after the commit; others are not disturbed`, () => {
    const world = planted()
    const messages: string[] = []
    const watch = new Watch(() => {
      try {
        return site === 'process' ? world.get(shout, '1') : (world.result(trees, 'trees') as Tree[])[0]!.leaf!.name
      } catch (error) {
        messages.push((error as Error).message)
        return 'error'
      }
    })
    const others = [world.watch<Tree>(Tree, '2'), world.watch<Leaf>(Leaf, 'y')] as const
    const last = watch.last
    fault = site
    if (site === 'process') world.write(Leaf, { id: 'x', name: 'z' })
    // Past validate, which would stop it on the way in.
    else world.commit([{ op: 'replace', path: ['entities', 'Leaf', 'x', 'name'], value: 'z' }])
    assert.equal([watch.last, messages], ['error', [site]])
    fault = ''
    world.write(Tree, { id: '2', name: 'c' })
    assert.is(watch.last, site === 'process' ? 'Z' : 'z')
    assert.is.not(watch.last, last)
    assert.is(others[0].last.name, 'c')
    assert.is(others[0].last.leaves[0]!.name, 'z')
    world.write(Leaf, { id: 'x', name: 'q' })
    assert.is(String(watch.last).toLowerCase(), 'q')
    assert.is(watch.runs, 4)
    assert.equal(others[1].runs, 1)
    assert.equal(messages, [site])
  })
}

test('a view that cannot be built does not keep others from being notified', () => {
  const world = planted()
  const bad = new Query(new All(Tree), () => fail('process'))
  const seen: string[] = []
  effect(() => {
    try {
      world.get(bad)
    } catch {
      seen.push('bad')
    }
  })
  const good = world.watch<Tree>(Tree, '1')
  fault = 'process'
  world.write(Tree, { id: '1', name: 'b' })
  assert.is(good.last.name, 'b')
  assert.equal(seen, ['bad'])
  world.write(Tree, { id: '1', name: 'c' })
  assert.is(good.last.name, 'c')
  // It has seen the error; as long as it stays, there is nothing new.
  assert.equal(seen, ['bad'])
})

test('an effect whose first read throws works once it is made again', () => {
  const world = planted()
  fault = 'constructor'
  assert.is(caught(() => world.watch(Tree, '1')).message, 'constructor')
  fault = ''
  assert.is(world.watch<Tree>(Tree, '1').last.leaf!.name, 'x')
})

test('a query that catches the error of a view within it leaves nothing half made', () => {
  const world = planted()
  const careful = new Query(Tree, (tree: Tree) => {
    try {
      return `${tree.name} ${world.get<Tree>(Tree, '2').leaves.length}`
    } catch (error) {
      return (error as Error).message
    }
  })
  const watch = world.watch(careful, '1')
  assert.is(watch.last, 'a 2')
  world.write(trees, [{ id: '1', name: 'b' }, { id: '2', leaves: [{ id: 'n', name: 'n' }] }])
  assert.is(watch.last, 'b 1')
  fault = 'constructor'
  world.commit([
    { op: 'replace', path: ['entities', 'Tree', '1', 'name'], value: 'c' },
    { op: 'replace', path: ['entities', 'Leaf', 'n', 'name'], value: 'm' },
  ])
  fault = ''
  world.write(Tree, { id: '1', name: 'd' })
  assert.is(watch.last, 'd 1')
  assert.is(world.get<Tree>(Tree, '2').leaves[0]!.name, 'm')
  assert.ok(Object.isFrozen(world.get<Tree>(Tree, '2')))
})

test('a query that writes while it is being made is heard when it is done', () => {
  const world = planted()
  const go = signal('')
  const log = new Query(Tree, (tree: Tree) => {
    if (go.peek() !== tree.name) {
      go.value = tree.name
      world.write(Leaf, { id: 'log', name: tree.name })
      // It is made from one version, from beginning to end.
      assert.is(world.get<Leaf | undefined>(Leaf, 'log')?.name === tree.name, false)
    }
    return tree.name
  })
  const watch = world.watch(log, '1')
  const leaf = world.watch<Leaf>(Leaf, 'log')
  assert.equal([watch.last, leaf.last.name], ['a', 'a'])
  world.write(Tree, { id: '1', name: 'b' })
  assert.equal([watch.last, leaf.last.name], ['b', 'b'])
  assert.equal(world.reported, [])
})

test('a query that reads itself gets what it showed before', () => {
  const world = planted()
  const again: Query<typeof Tree, string> = new Query(Tree, (tree: Tree) => `${tree.name}<${world.get<string | undefined>(again, '1') ?? ''}>`)
  const watch = world.watch(again, '1')
  assert.is(watch.last, 'a<>')
  world.write(Tree, { id: '1', name: 'b' })
  assert.is(watch.last, 'b<a<>>')
})

class Need extends Entity {
  id = ''
  static override key = 'Need'
}

class Middle extends Entity {
  id = ''
  need: Need = new Need()
  static override key = 'Middle'
  static override schema = { need: Need }
}

class Top extends Entity {
  id = ''
  middle: Middle = new Middle()
  static override key = 'Top'
  static override schema = { middle: Middle }
}

class Way extends Entity {
  id = ''
  tree: Tree | undefined = undefined
  static override key = 'Way'
  static override schema = { tree: Tree }
}

test('what was filled twice in a pass that then failed shows what it showed before', () => {
  const world = planted()
  const both = { tops: [Top], ways: [Way] }
  world.respond('both', both, { tops: [{ id: 't', middle: { id: 'm', need: { id: 'n' } } }], ways: [{ id: 'w', tree: '1' }] })
  const watch = world.watchResult<{ tops: Top[] }>(both, 'both')
  const [top] = watch.last.tops
  assert.instance(top, Top)
  // The pass finds out that the middle must not be shown, fills the top again, and then comes to a leaf that throws.
  fault = 'constructor'
  world.write({ need: new Invalidate(Need), leaf: Leaf }, { need: 'n', leaf: { id: 'x', name: 'other' } })
  assert.is(world.reported.length, 1)
  fault = ''
  world.write({ need: Need, leaf: Leaf }, { need: { id: 'n' }, leaf: { id: 'x', name: 'x' } })
  assert.equal(watch.last.tops, [top])
})

test.run()
