import { signal } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { All, Entity, Invalidate, Query } from '../../../src/index.ts'
import type { Fields, Patch } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { Node } from './node.ts'
import { Watch } from './watch.ts'
import { bothWays } from './ways.ts'
import { World } from './world.ts'

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

bothWays(test, 'INV-24 an effect that throws stops neither the others nor the commit, is reported, and hears of the next one', at => {
  at.write([Tree], Array.from({ length: 5 }, (_, i) => ({ id: `${i}`, name: 'a' })))
  for (let position = 0; position < 5; position++) {
    let broken = false
    const name = (): string => at.get<Tree>(Tree, `${position}`).name
    const watches = Array.from({ length: 5 }, (_, i) =>
      new Watch(() => {
        if (name() !== 'a' && broken && i === position) throw new Error('effect')
        return name()
      }),
    )
    broken = true
    at.write(Tree, { id: `${position}`, name: 'b' })
    assert.equal(at.errors.splice(0).map(error => (error as Error).message), ['effect'])
    assert.equal(watches.map(watch => watch.last), watches.map((_, i) => (i === position ? 'a' : 'b')))
    assert.is(name(), 'b')
    broken = false
    at.write(Tree, { id: `${position}`, name: 'c' })
    assert.equal([watches.map(watch => watch.last).join(''), at.errors], ['ccccc', []])
  }
})

bothWays(test, 'what a query throws reaches the reader, and the next change tries again', at => {
  fault = ''
  at.write(trees, [{ id: '1', name: 'bad' }])
  const fragile = new Query(new All(Tree), all => {
    if (all.some(tree => tree.name === 'bad')) throw new Error('bad')
    return all.length
  })
  assert.is(caught(() => at.get(fragile)).message, 'bad')
  assert.is(at.get<Tree[]>(new All(Tree)).length, 1)
  at.write(Tree, { id: '1', name: 'good' })
  assert.is(at.get(fragile), 1)
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
    world.write(Node, { id: 'n' })
    const others = [world.watch<Tree>(Tree, '2'), world.watch<Leaf>(Leaf, 'y'), world.watch<Node>(Node, 'n')] as const
    const { last } = watch
    fault = site
    // Past validate, which would stop it on the way in.
    const rename = (key: string, pk: string): Patch => ({ op: 'replace', path: ['entities', key, pk, 'name'], value: 'z' })
    world.commit([rename('Leaf', 'x'), rename('Node', 'n')])
    assert.equal([watch.last, messages, others[2].last.name], ['error', [site], 'z'])
    // It has seen the error; as long as it stays, there is nothing new.
    world.write(Node, { id: 'n', name: 'c' })
    assert.equal([others[2].last.name, messages], ['c', [site]])
    fault = ''
    world.write(Tree, { id: '2', name: 'c' })
    assert.is(watch.last, site === 'process' ? 'Z' : 'z')
    assert.is.not(watch.last, last)
    assert.is(others[0].last.name, 'c')
    assert.is(others[0].last.leaves[0]!.name, 'z')
    world.write(Leaf, { id: 'x', name: 'q' })
    assert.is(String(watch.last).toLowerCase(), 'q')
    assert.is(watch.runs, 4)
    assert.equal([others[1].runs, messages], [1, [site]])
  })
}

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
  world.commit([{ op: 'replace', path: ['entities', 'Tree', '1', 'name'], value: 'c' }, { op: 'replace', path: ['entities', 'Leaf', 'n', 'name'], value: 'm' }])
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
  assert.equal(world.errors, [])
})

test('a query that reads itself gets what it showed before', () => {
  const world = planted()
  const again: Query<typeof Tree, string> = new Query(Tree, (tree: Tree) => `${tree.name}<${world.get<string | undefined>(again, '1') ?? ''}>`)
  const watch = world.watch(again, '1')
  assert.is(watch.last, 'a<>')
  world.write(Tree, { id: '1', name: 'b' })
  assert.is(watch.last, 'b<a<>>')
})

test('what was filled twice in a pass that then failed shows what it showed before', () => {
  const world = planted()
  const both = { tops: [Node], trees }
  world.respond('both', both, { tops: [{ id: 't', needs: { id: 'm', needs: { id: 'n' } } }], trees: ['1'] })
  const watch = world.watchResult<{ tops: Node[] }>(both, 'both')
  const [top] = watch.last.tops
  assert.instance(top, Node)
  // The pass finds out that the middle must not be shown, fills the top again, and then comes to a leaf that throws.
  fault = 'constructor'
  world.write({ need: new Invalidate(Node), leaf: Leaf }, { need: 'n', leaf: { id: 'x', name: 'other' } })
  assert.is(world.errors.length, 1)
  fault = ''
  world.write({ need: Node, leaf: Leaf }, { need: { id: 'n' }, leaf: { id: 'x', name: 'x' } })
  assert.equal(watch.last.tops, [top])
})

test.run()
