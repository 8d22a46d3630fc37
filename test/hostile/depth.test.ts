import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../support/state.ts'
import { applyPatches, denormalize, DepthError, Entity, exportState, normalize, schema } from '../../src/index.ts'
import type { Fields } from '../../src/index.ts'
import { caught } from '../support/caught.ts'
import { write } from '../support/write.ts'

const test = suite('hostile depth')

class Node extends Entity {
  id = ''
  next: Node | undefined = undefined
  below: Node[] = []
  static override key = 'Node'
  static override schema: Fields = {}
}
Node.schema = { next: Node, below: [Node] }

function nested(depth: number, wrap: (inner: unknown, i: number) => unknown): unknown {
  let value: unknown = undefined
  for (let i = depth; i > 0; i--) value = wrap(value, i)
  return value
}

const shapes: [string, unknown, (depth: number) => unknown][] = [
  ['plain objects in an entity', Node, (depth) => ({ id: '1', deep: nested(depth, (a) => ({ a })) })],
  ['plain lists in an entity', Node, (depth) => ({ id: '1', deep: nested(depth, (a) => [a]) })],
  ['plain objects without a schema', undefined, (depth) => nested(depth, (a) => ({ a }))],
  ['entities in entities', Node, (depth) => nested(depth, (next, i) => ({ id: String(i), next }))],
  ['entities in lists of entities', Node, (depth) => nested(depth, (below, i) => ({ id: String(i), below: below ? [below] : [] }))],
  ['objects that contain themselves', self(), (depth) => nested(depth, (child) => ({ child }))],
  ['lists of several types that contain themselves', lists(), (depth) => nested(depth, (inner) => (inner ? [inner] : []))],
  ['values that contain themselves', values(), (depth) => nested(depth, (inner) => (inner ? { inner } : {}))],
]

function self(): unknown {
  const object = new schema.Object<Fields>({})
  object.define({ child: object })
  return object
}
function lists(): unknown {
  const list = new schema.Array({ list: Node } as Fields, () => 'list')
  list.define({ list })
  return list
}
function values(): unknown {
  const map = new schema.Values({ map: Node } as Fields, () => 'map')
  map.define({ map })
  return map
}

for (const [name, shape, make] of shapes) {
  test(`H30 ${name}: a few hundred levels are fine, 100,000 are a DepthError with the state untouched`, () => {
    const { state, result } = write(shape, make(200))
    denormalize(shape, result, state)
    const before = JSON.stringify(exportState(state))
    for (const depth of [10_000, 100_000]) assert.instance(caught(() => normalize(shape, make(depth), [], state)), DepthError)
    assert.is(JSON.stringify(exportState(state)), before)
  })
}

test('H30 the error says what to do', () => {
  for (const at of [0, 3]) assert.match(caught(() => normalize(Node, shapes[at]![2](5000))).message, 'schema.Lazy')
})

test('H32 plain data that contains itself is a DepthError', () => {
  const loop: { self?: unknown } = {}
  loop.self = loop
  const list: unknown[] = []
  list.push(list)
  for (const input of [loop, list]) {
    assert.instance(caught(() => normalize(undefined, input)), DepthError)
    assert.instance(caught(() => normalize(Node, { id: '1', input })), DepthError)
  }
})

test('H31 a chain of 10,000 entities that refer to each other by pk is taken in; what is deeper than 1,000 is not shown', () => {
  const length = 10_000
  const { state } = write([Node], Array.from({ length }, (_, i) => ({ id: String(i), next: i + 1 < length ? String(i + 1) : null })))
  let count = 0
  for (let node = denormalize(Node, '9500', state); node; node = node.next) count++
  assert.is(count, 500)
  assert.instance(caught(() => denormalize(Node, '0', state)), DepthError)
})

test('H30 a raw value deeper than the limit is a DepthError in a view too', () => {
  const { state } = write(Node, { id: 'x' })
  assert.instance(caught(() => denormalize(Node, shapes[3]![2](20_000), state)), DepthError)
  assert.instance(caught(() => denormalize(self(), shapes[5]![2](20_000), state)), DepthError)
})

test('H30 a patch value deeper than the limit is a DepthError, and the state stays', () => {
  const { state } = write(Node, { id: '1' })
  const value = nested(100_000, (a) => ({ a }))
  assert.instance(caught(() => applyPatches(state, [{ op: 'add', path: ['entities', 'Node', '1', 'deep'], value }])), DepthError)
  assert.equal(readRow(state, 'Node', '1'), { id: '1' })
})

test('H30 values that are not too deep cannot be put too deep by patches either', () => {
  const part = (): unknown => nested(600, (a, i) => (i === 600 ? {} : { a }))
  const { state } = write(Node, { id: '1', deep: part() })
  const path = ['entities', 'Node', '1', 'deep', ...Array.from({ length: 600 }, () => 'a')]
  assert.instance(caught(() => applyPatches(state, [{ op: 'add', path, value: part() }])), DepthError)
  assert.ok(applyPatches(state, [{ op: 'add', path, value: { a: [] } }]) !== state)
})

test('H30 data at the limit is compared, shared, patched and exported without harm', () => {
  const deep = (leaf: number): unknown => nested(400, (a, i) => (i === 400 ? { leaf, list: [[[1]]] } : { a, b: [{ i }] }))
  const first = write(Node, { id: '1', deep: deep(1) }).state
  const { state, change } = write(Node, { id: '1', deep: deep(2) }, first)
  assert.is(change.patches.length, 1)
  assert.is(change.patches[0]!.value, 2)
  assert.equal(exportState(applyPatches(state, change.inversePatches)).entities[0]![1][0]![1], readRow(first, 'Node', '1'))
})

test('H31 graphs that refer both ways, in threes and to themselves are shown, quickly', () => {
  const size = 500
  const nodes = Array.from({ length: size }, (_, i) => ({ id: String(i), next: String((i + 1) % size), below: [String((i + size - 1) % size), String(i), String((i + 2) % size)] }))
  const { state } = write([Node], nodes)
  const start = performance.now()
  const first = denormalize(Node, '0', state)!
  assert.ok(performance.now() - start < 1000)
  assert.is(first.next!.below[0], first)
  assert.is(first.below[1], first)
  assert.is(first.below[0]!.next, first)
})

test('H32 a circle of entities in the input is fine, one that leaves them through plain data is not', () => {
  const a: { id: string; next?: unknown; plain?: unknown } = { id: 'a' }
  a.next = { id: 'b', next: a }
  assert.is(denormalize(Node, 'a', write(Node, a).state)!.next!.next!.id, 'a')
  a.plain = { back: a }
  assert.instance(caught(() => normalize(Node, a)), DepthError)
})

test.run()
