import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { emptyState } from '../../../src/index.ts'
import type { State } from '../../../src/index.ts'
import { polluted } from '../../support/pollute.ts'
import { readRow } from '../../support/state.ts'
import { write } from '../../support/write.ts'
import { entity } from './todos.ts'

const test = suite('the fields of records, whatever their number and their class')

const Leaf = entity('Leaf')
/** More classes than have code of their own, and records with more fields than have slots of their own. */
const classes = Array.from({ length: 20 }, (_, i) => entity(`Class${i}`, { schema: i % 3 === 0 ? { f3: Leaf } : {} }))
const field = (i: number, k: number): unknown => [`s${i}.${k}`, k, k % 2 === 0, null, { deep: [k, { i }] }, [], NaN, undefined][(i + k) % 8]

/** A record of class `i` with `size` fields; the fourth names a leaf. */
const record = (i: number, size: number): { [name: string]: unknown } =>
  ({ ...Object.fromEntries(Array.from({ length: size }, (_, k) => [`f${k}`, k === 3 ? 'x' : field(i, k)])), id: `${i}-${size}` })

const defined = (input: object): unknown => Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))

test('are stored, known again, and distinguished', () => {
  let state: State = emptyState
  for (const size of [0, 1, 5, 11, 12, 13, 30]) {
    classes.forEach((type, i) => {
      const input = record(i, size)
      state = write(type, input, state).state
      const stored = readRow(state, type.key, `${i}-${size}`)
      assert.equal(stored, defined(input))
      assert.is(JSON.stringify(stored), JSON.stringify(defined(input)), 'in their order')
      assert.is(write(type, record(i, size), state).change.patches.length, 0)
      for (let k = 0; k < size; k++) {
        if (k === 3) continue
        const { patches } = write(type, { ...input, [`f${k}`]: 'changed' }, state).change
        assert.equal(patches.map(({ path, value }) => [path[3], value as unknown]), [[`f${k}`, 'changed']])
      }
    })
  }
})

test('are those that the object owns, also with names that the prototype has', () => {
  const names = { constructor: 1, toString: 'x', valueOf: null, hasOwnProperty: { a: 1 } }
  for (const proto of [{ inherited: 1 }, { id: 'other', inherited: 1 }, null, new (class { own = 1 })()]) {
    for (const fields of [{}, names, { b: undefined, c: [1] }]) {
      const input = Object.assign(Object.create(proto) as object, { id: 'p', ...fields })
      const { state } = write(classes[0], input)
      assert.equal(readRow(state, 'Class0', 'p'), defined(input))
      assert.is(write(classes[0], input, state).change.patches.length, 0)
      assert.is(write(classes[0], { ...input, constructor: 2 }, state).change.patches.length, 1)
    }
  }
})

test('do not belong to the caller any more', () => {
  for (const extra of [{}, JSON.parse('{"__proto__":1}') as object, Object.create({ inherited: 1 }) as object]) {
    const input = Object.assign(extra, { id: 'o', f3: { id: 'x' }, list: [1] })
    const { state } = write(classes[0], input)
    input.list.push(2)
    assert.equal(readRow(state, 'Class0', 'o'), { id: 'o', f3: 'x', list: [1] })
  }
})

test('are not taken for inherited ones on a polluted page', async () => {
  const { state } = write(classes[1], { id: 'q' })
  await polluted({ polluted: 'x' }, () => {
    const patches = [{ id: 'q', polluted: 'x' }, { id: 'q' }].map((input) => write(classes[1], input, state).change.patches.length)
    assert.equal(patches, [1, 0])
  })
})

test.run()
