import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { World } from './world.ts'

const test = suite('view: what is there, what is missing, what must not be shown')

const NEEDED = {}

/** `needs` is required, because its default is truthy; `likes` is optional. */
class Node extends Entity {
  id = ''
  name = ''
  needs: Node | object | undefined | null = NEEDED
  likes: Node | undefined | null = undefined
  all: Node[] = []
  static override key = 'Node'
  static override schema: Fields = {}
  static override validate(record: Fields): string | undefined {
    return record['name'] === 'bad' ? 'bad' : undefined
  }
}
Node.schema = { needs: Node, likes: Node, all: [Node] }

const nodes = [Node]
const drop = (world: World, pk: string): void => world.commit([{ op: 'remove', path: ['entities', 'Node', pk] }])
/** Writes past `validate`, as a patch from elsewhere may. */
const spoil = (world: World, pk: string, name: string): void => world.commit([{ op: 'replace', path: ['entities', 'Node', pk, 'name'], value: name }])

test('an entity is a frozen instance of its class, with own enumerable data', () => {
  const world = new World()
  world.write(Node, { id: '1', likes: { id: '2' } })
  const one = world.get<Node>(Node, '1')
  assert.instance(one, Node)
  assert.ok(Object.isFrozen(one) && Object.isFrozen(one.likes))
  assert.equal(Object.keys(one), ['id', 'name', 'needs', 'likes', 'all'])
  assert.equal(JSON.parse(JSON.stringify(one)).likes.id, '2')
  assert.equal({ ...one }.id, '1')
})

test('a pk without a record is undefined, and wakes when it arrives', () => {
  const world = new World()
  world.write(Node, { id: '1', needs: '2', likes: '3', all: ['4', '1'] })
  const one = world.watch<Node | undefined>(Node, '1')
  const two = world.watch<Node | undefined>(Node, '2')
  assert.is(two.last, undefined)
  assert.equal([one.last!.needs, one.last!.likes, one.last!.all.map(each => each.id)], [undefined, undefined, ['1']])
  world.write(Node, { id: '2' })
  assert.is(two.last, one.last!.needs)
  world.write(Node, { id: '3' })
  assert.is(one.last!.likes!.id, '3')
  world.write(Node, { id: '4' })
  assert.equal(one.last!.all.map(each => each.id), ['4', '1'])
  assert.is(one.runs, 4)
  drop(world, '2')
  assert.equal([two.last, one.last!.needs], [undefined, undefined])
})

test('a deleted entity is not shown, and comes back when it is written again', () => {
  const world = new World()
  world.write(Node, { id: '1', name: 'a' })
  const one = world.watch<Node | undefined>(Node, '1')
  world.remove(Node, '1')
  assert.is(one.last, undefined)
  world.write(Node, { id: '1', name: 'b' })
  assert.is(one.last!.name, 'b')
})

test('what validate refuses is not shown until it passes', () => {
  const world = new World()
  world.write(nodes, [{ id: '1', name: 'a', likes: '2', all: ['2'] }, { id: '2', name: 'b' }])
  const one = world.watch<Node | undefined>(Node, '1')
  spoil(world, '2', 'bad')
  assert.equal([one.last!.likes, one.last!.all], [undefined, []])
  spoil(world, '1', 'bad')
  assert.is(one.last, undefined)
  spoil(world, '2', 'c')
  assert.is(one.last, undefined)
  assert.is(one.runs, 3)
  spoil(world, '1', 'd')
  assert.equal([one.last!.likes!.name, one.last!.all.length], ['c', 1])
})

test('a required field whose entity is deleted hides its parent, and shows it again', () => {
  const world = new World()
  world.write(nodes, [{ id: '1', needs: '2' }, { id: '2' }])
  const one = world.watch<Node | undefined>(Node, '1')
  world.remove(Node, '2')
  assert.is(one.last, undefined)
  world.write(Node, { id: '2', name: 'x' })
  assert.is((one.last!.needs as Node).name, 'x')
  world.remove(Node, '2')
  // Another one does as well.
  world.write(nodes, [{ id: '1', needs: { id: '3' } }])
  assert.is((one.last!.needs as Node).id, '3')
  assert.is(one.runs, 5)
})

test('an optional field whose entity is deleted is undefined, and the parent stays', () => {
  const world = new World()
  world.write(nodes, [{ id: '1', likes: '2', all: ['2', '3'] }, { id: '2' }, { id: '3' }])
  const one = world.watch<Node>(Node, '1')
  world.remove(Node, '2')
  assert.is(one.last.likes, undefined)
  assert.equal(one.last.all.map(each => each.id), ['3'])
  world.write(Node, { id: '2' })
  assert.equal(one.last.all.map(each => each.id), ['2', '3'])
})

test('what was missing and is deleted now hides only who cannot do without', () => {
  const world = new World()
  world.write(nodes, [{ id: '1', needs: 'x' }, { id: '2', likes: 'x' }, { id: '3', all: ['x'] }])
  const [one, two, three] = ['1', '2', '3'].map(id => world.watch<Node | undefined>(Node, id)) as [never, never, never]
  world.remove(Node, 'x')
  assert.equal([one, two, three].map(({ last, runs }) => [last === undefined, runs]), [[true, 2], [false, 1], [false, 1]])
  drop(world, 'x')
  world.commit([], [{ key: 'Node', pks: ['x'], stamp: null }])
  assert.equal([one, two, three].map(({ last, runs }) => [last === undefined, runs]), [[false, 3], [false, 1], [false, 1]])
})

test('an absent field has the default of the class, and null is null', () => {
  const world = new World()
  world.write(Node, { id: '1' })
  const one = world.watch<Node>(Node, '1')
  assert.equal([one.last.needs, one.last.likes], [NEEDED, undefined])
  world.write(Node, { id: '1', needs: null, likes: null })
  assert.equal([one.last.needs, one.last.likes], [null, null])
})

test('a raw object where a pk is expected is built in place, and what it refers to is followed', () => {
  const world = new World()
  world.write(Node, { id: '2', name: 'a' })
  world.commit([{ op: 'add', path: ['entities', 'Node', '1'], value: { id: '1', likes: { id: 'raw', likes: '2' }, all: [{ id: 'in a list', needs: '2' }] } }])
  const one = world.watch<Node>(Node, '1')
  assert.instance(one.last.likes, Node)
  assert.ok(Object.isFrozen(one.last.likes))
  assert.is(one.last.likes!.likes!.name, 'a')
  world.write(Node, { id: '2', name: 'b' })
  assert.is(one.last.likes!.likes!.name, 'b')
  assert.is((one.last.all[0]!.needs as Node).name, 'b')
  world.remove(Node, '2')
  assert.equal([one.last.likes!.id, one.last.likes!.likes, one.last.all], ['raw', undefined, []])
})

test('what must not be shown goes up through required fields until an optional one or a list', () => {
  const world = new World()
  world.write(nodes, [{ id: '1', likes: '2', all: ['2', '5'] }, { id: '2', needs: '3' }, { id: '3', needs: '4' }, { id: '4' }, { id: '5' }])
  const one = world.watch<Node>(Node, '1')
  const two = world.watch<Node | undefined>(Node, '2')
  world.remove(Node, '4')
  assert.equal([two.last, one.last.likes, one.last.all.map(each => each.id)], [undefined, undefined, ['5']])
  // A change of what is hidden wakes nobody.
  assert.is(one.during(() => world.write(Node, { id: '3', name: 'x' })), 0)
  assert.is(two.during(() => world.write(Node, { id: '2', name: 'x' })), 0)
  world.write(Node, { id: '4' })
  assert.is(one.last.likes, two.last)
  assert.is((two.last!.needs as Node).name, 'x')
})

test('an object with a member that must not be shown is not shown', () => {
  const world = new World()
  const pair = { a: Node, b: { c: Node } }
  world.respond('pair', pair, { a: { id: '1' }, b: { c: { id: '2' } } })
  const watch = world.watchResult(pair, 'pair')
  world.remove(Node, '2')
  assert.is(watch.last, undefined)
  world.write(Node, { id: '2' })
  assert.ok(watch.last)
})

test('a circle of valid entities that need each other is shown, and hidden as a whole when one of them goes', () => {
  const world = new World()
  world.write(nodes, [{ id: '1', needs: '2' }, { id: '2', needs: '3' }, { id: '3', needs: '1', likes: '4', all: ['1', '2', '3'] }, { id: '4', needs: '4' }])
  const watches = ['1', '2', '3', '4'].map(id => world.watch<Node | undefined>(Node, id))
  const visible = (): string[] => watches.flatMap(({ last }) => last?.id ?? [])
  assert.equal(visible(), ['1', '2', '3', '4'])
  assert.is(((watches[0]!.last!.needs as Node).needs as Node).needs, watches[0]!.last)
  world.remove(Node, '2')
  assert.equal(visible(), ['4'])
  world.write(Node, { id: '2', needs: '3' })
  assert.equal(visible(), ['1', '2', '3', '4'])
  world.remove(Node, '4')
  assert.equal(visible(), ['1', '2', '3'])
  assert.is(watches[2]!.last!.likes, undefined)
})

test('one that is hidden goes on waiting for what it needs, whatever else happens to what it likes', () => {
  const world = new World()
  class Picky extends Node {
    static override key = 'Picky'
    static override schema: Fields = { all: [Node], likes: Node, needs: Node }
  }
  world.write(nodes, [{ id: '2', needs: '4' }, { id: '3' }, { id: '4', needs: '5' }, { id: '5' }])
  world.write(Picky, { id: '1', all: ['2'], likes: '2', needs: '3' })
  const one = world.watch<Picky | undefined>(Picky, '1')
  // In one commit: what it needs is gone at once, what it likes turns out to be two steps later.
  world.remove(Node, '3', '5')
  assert.is(one.last, undefined)
  world.write(Node, { id: '3', name: 'back' })
  assert.is((one.last!.needs as Node).name, 'back')
  assert.equal([one.last!.likes, one.last!.all], [undefined, []])
  world.write(Node, { id: '5' })
  assert.equal([one.last!.likes!.id, one.last!.all.length], ['2', 1])
})

test('one that cannot be shown for two reasons waits for both to go', () => {
  const world = new World()
  world.write(nodes, [{ id: '1', likes: '2', needs: '3' }, { id: '2', needs: '4' }, { id: '3', needs: '4' }, { id: '4', needs: '5' }, { id: '5' }])
  const one = world.watch<Node | undefined>(Node, '1')
  world.remove(Node, '5')
  assert.is(one.last, undefined)
  world.write(Node, { id: '3', needs: { id: '6' } })
  assert.equal([(one.last!.needs as Node).id, one.last!.likes], ['3', undefined])
  world.write(Node, { id: '5' })
  assert.is(one.last!.likes!.id, '2')
})

test.run()
