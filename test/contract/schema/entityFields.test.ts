import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../../support/state.ts'
import { emptyState, Entity } from '../../../src/index.ts'
import type { State } from '../../../src/index.ts'
import { polluted } from '../../support/pollute.ts'
import { write } from '../../support/write.ts'

const test = suite('the fields of records, whatever their number and their class')

class Leaf extends Entity {
  static override key = 'Leaf'
}
/** More classes than have code of their own, and records with more fields than have slots of their own. */
const classes = Array.from({ length: 20 }, (_, i) => class extends Entity {
  static override key = `Class${i}`
  static override schema = i % 3 === 0 ? { f3: Leaf } : {}
})
const field = (i: number, k: number): unknown => [`s${i}.${k}`, k, k % 2 === 0, null, { deep: [k, { i }] }, [], NaN, undefined][(i + k) % 8]

function record(i: number, size: number): { [name: string]: unknown } {
  const fields = Array.from({ length: size }, (_, k) => [`f${k}`, k === 3 ? 'x' : field(i, k)])
  return { ...Object.fromEntries(fields), id: `${i}` }
}

const defined = (input: object): unknown => Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))

test('are stored, known again, and distinguished', () => {
  let state: State = emptyState
  for (const size of [0, 1, 5, 11, 12, 13, 30]) {
    classes.forEach((type, i) => {
      const pk = `${i}-${size}`
      const input = { ...record(i, size), id: pk }
      state = write(type, input, state).state
      assert.equal(readRow(state, type.key, pk), defined(input))
      assert.is(JSON.stringify(readRow(state, type.key, pk)), JSON.stringify(defined(input)), 'in their order')
      assert.is(write(type, { ...record(i, size), id: pk }, state).change.patches.length, 0)
      for (let k = 0; k < size; k++) {
        if (k === 3) continue
        const { patches } = write(type, { ...input, [`f${k}`]: 'changed' }, state).change
        assert.equal(patches.map(({ path, value }) => [path[3], value as unknown]), [[`f${k}`, 'changed']])
      }
    })
  }
})

test('are those that the object owns, also with names that the prototype has', () => {
  const [type] = classes
  const names = { constructor: 1, toString: 'x', valueOf: null, hasOwnProperty: { a: 1 } }
  for (const proto of [{ inherited: 1 }, { id: 'other', inherited: 1 }, null, new (class { own = 1 })()]) {
    for (const fields of [{}, names, { b: undefined, c: [1] }]) {
      const input = Object.assign(Object.create(proto) as object, { id: 'p', ...fields })
      const { state } = write(type, input)
      assert.equal(readRow(state, type!.key, 'p'), defined(input))
      assert.is(write(type, input, state).change.patches.length, 0)
      assert.is(write(type, { ...input, constructor: 2 }, state).change.patches.length, 1)
    }
  }
})

test('do not belong to the caller any more', () => {
  for (const extra of [{}, JSON.parse('{"__proto__":1}') as object, Object.create({ inherited: 1 }) as object]) {
    const input = Object.assign(extra, { id: 'o', f3: { id: 'x' }, list: [1] })
    const { state } = write(classes[0], input)
    input.list.push(2)
    assert.equal(readRow(state, classes[0]!.key, 'o'), { id: 'o', f3: 'x', list: [1] })
  }
})

test('are not taken for inherited ones on a polluted page', async () => {
  const { state } = write(classes[1], { id: 'q' })
  await polluted({ polluted: 'x' }, () => {
    assert.is(write(classes[1], { id: 'q', polluted: 'x' }, state).change.patches.length, 1)
    assert.is(write(classes[1], { id: 'q' }, state).change.patches.length, 0)
  })
})

test.run()
