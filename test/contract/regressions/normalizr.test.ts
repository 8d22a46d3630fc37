import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../../support/state.ts'
import { denormalize, Entity, schema } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { write } from '../../support/write.ts'

const test = suite('bugs that normalizr and normy had')

class Node extends Entity {
  id = ''
  next: Node | undefined = undefined
  below: Node[] = []
  static override key = 'Node'
  static override schema: Fields = {}
}
Node.schema = { next: Node, below: [Node] }

test('normalizr#32 ids that every object has as a member are ids', () => {
  const ids = Object.getOwnPropertyNames(Object.prototype)
  const { state, result } = write([Node], ids.map((id) => ({ id, next: id })))
  assert.equal(denormalize([Node], result, state)!.map((node) => node.next!.id), ids)
})

test('normalizr#216 #236 circular references are shown without end, not walked without end', () => {
  const { state } = write([Node], [{ id: 'a', next: 'b', below: ['a', 'b'] }, { id: 'b', next: 'a' }])
  const a = denormalize(Node, 'a', state)!
  assert.is(a.next!.next, a)
  assert.is(a.below[0], a)
})

test('normalizr schemas.Values: a map of 20,000 is not copied for each of them', () => {
  const values = new schema.Values(Node)
  const input = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, { id: i }]))
  const start = performance.now()
  assert.is(Object.keys(write(values, input).result as object).length, 20_000)
  assert.ok(performance.now() - start < 2000)
})

test('normy#33 a list that became shorter is shorter', () => {
  const { state } = write(Node, { id: '1', below: [{ id: 'a' }, { id: 'b' }, { id: 'c' }], tags: [1, 2, 3] })
  for (const [below, tags] of [[['a', 'b'], [1, 2]], [['c'], [3]], [[], []]] as const) {
    const next = write(Node, { id: '1', below, tags }, state).state
    assert.equal(readRow(next, 'Node', '1'), { id: '1', below, tags } as never)
  }
})

test('normy#40 #44 denormalizing entities that contain each other ends, also with new data on the way', () => {
  let { state } = write(Node, { id: 'a', next: { id: 'b', next: { id: 'a', below: [{ id: 'b' }] } } })
  state = write(Node, { id: 'b', below: ['a', 'b'], name: 'new' }, state).state
  const a = denormalize(Node, 'a', state)!
  assert.is(a.next!.below[0], a)
  assert.is(a.below[0], a.next)
})

test.run()
