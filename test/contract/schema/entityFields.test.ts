import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../../support/state.ts'
import { Entity } from '../../../src/index.ts'
import { write } from '../../support/write.ts'

const test = suite('the fields of records')

class Leaf extends Entity {
  static override key = 'Leaf'
}
class Twig extends Entity {
  static override key = 'Twig'
  static override schema = { leaf: Leaf }
}
const kept = (input: object): unknown => Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))

test('are those that the object owns, also with names that the prototype has', () => {
  const names = { constructor: 1, toString: 'x', valueOf: null, hasOwnProperty: { a: 1 } }
  for (const proto of [{ inherited: 1 }, { id: 'other', inherited: 1 }, null, new (class { own = 1 })()]) {
    for (const fields of [{}, names, { b: undefined, c: [1] }]) {
      const input = Object.assign(Object.create(proto) as object, { id: 'p', ...fields })
      const { state } = write(Twig, input)
      assert.equal(readRow(state, Twig.key, 'p'), kept(input))
      assert.is(write(Twig, input, state).change.patches.length, 0)
      assert.is(write(Twig, { ...input, constructor: 2 }, state).change.patches.length, 1)
    }
  }
})

test('do not belong to the caller any more', () => {
  for (const extra of [{}, JSON.parse('{"__proto__":1}') as object, Object.create({ inherited: 1 }) as object]) {
    const input = Object.assign(extra, { id: 'o', leaf: { id: 'x' }, list: [1] })
    const { state } = write(Twig, input)
    input.list.push(2)
    assert.equal(readRow(state, Twig.key, 'o'), { id: 'o', leaf: 'x', list: [1] })
  }
})

test.run()
