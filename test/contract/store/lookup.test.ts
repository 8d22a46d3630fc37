import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches, schema } from '../../../src/index.ts'
import type { State } from '../../../src/index.ts'
import { Client } from '../../support/client.ts'
import { findPk } from '../../support/state.ts'
import { write, writeAll } from '../../support/write.ts'
import { entity } from '../schema/todos.ts'

const test = suite('secondary indexes')

const User = entity('User', { indexes: ['name', 'team'] })
/** The pks of the users that these names find. */
const byName = (state: State, ...names: unknown[]): unknown[] => names.map((name) => findPk(User, [{ name }], state))
const inTeam = (state: State): unknown => findPk(User, [{ team: 't' }], state)
const named = (...names: unknown[]): object[] => names.map((name, i) => ({ id: `${i + 1}`, name }))

test('find the entity by the value of a field, of all entities and not only of the last response', () => {
  const names = Array.from({ length: 50 }, (_, i) => `n${i}`)
  const state = writeAll(User, named(...names))
  assert.equal(byName(state, ...names, 'cy'), [...names.map((_, i) => `${i + 1}`), undefined])
})

test('forget what is deleted, removed, or lost its field', () => {
  const state = writeAll(User, named('a', 'b', 'c', 'd'))
  assert.equal(byName(write(new schema.Invalidate(User), '1', state).state, 'a'), [undefined])
  assert.equal(byName(applyPatches(state, [{ op: 'remove', path: ['entities', 'User', '2'] }]), 'b'), [undefined])
  assert.equal(byName(applyPatches(state, [{ op: 'remove', path: ['entities', 'User', '3', 'name'] }]), 'c'), [undefined])
  assert.equal(byName(write(User, { id: '4', name: null }, state).state, 'd'), [undefined])
})

test('are exact for every version, in whatever order they are asked', () => {
  const versions: State[] = [writeAll(User, named('n0', 'x'))]
  for (let i = 1; i <= 20; i++) versions.push(write(User, { id: '1', name: `n${i}` }, versions.at(-1)!).state)
  for (const i of [20, 0, 10, 3, 19, 1, 20]) assert.equal(byName(versions[i]!, `n${i}`, `n${(i + 1) % 21}`, 'x'), ['1', undefined, '2'])
})

test('follow inverse patches', () => {
  const { state, change } = write([User], named('new', 'two'), write(User, { id: '1', name: 'old' }).state)
  assert.equal(byName(applyPatches(state, change.inversePatches), 'old', 'new', 'two'), ['1', undefined, undefined])
})

test('where several have the value, the first that arrived in this state is found, and the next when it goes', () => {
  const root = write(User, { id: '0' }).state
  write(User, { id: 'a', team: 't' }, root)
  const state = writeAll(User, [{ id: 'b', team: 't' }, { id: 'a', team: 't' }], root)
  assert.equal([inTeam(state), inTeam(write(User, { id: 'b', team: 'other' }, state).state)], ['b', 'a'])
})

test('numbers and strings are one value, and objects are none', () => {
  const state = writeAll(User, named(7, 'true', { a: 1 }, 'null'))
  assert.equal(byName(state, 7, '7', 7n, true, { a: 1 }, null, undefined), ['1', '1', '1', '2', undefined, undefined, undefined])
})

const steps: [schema: unknown, input: unknown, found: unknown[]][] = [
  [[User], named('a', 'b'), ['1', '2', undefined]],
  [[User], named('b', 'a'), ['2', '1', undefined]],
  [User, { id: '1', name: 'c' }, ['2', undefined, '1']],
  [new schema.Invalidate(User), '2', [undefined, undefined, '1']],
  [User, { id: '2', name: 'c' }, [undefined, undefined, '1']],
  [User, { id: '1', name: null }, [undefined, undefined, '2']],
]
test('follow renames, also in a circle, deletions, and what comes back: of a state, and of one controller', () => {
  const client = new Client()
  let state: State | undefined
  for (const [shape, input, found] of steps) {
    state = write(shape, input, state).state
    client.write(shape, input)
    assert.equal(byName(state, 'a', 'b', 'c'), found)
    assert.equal(['a', 'b', 'c'].map((name) => client.controller.get(User, { name })?.pk()), found)
  }
})

test.run()
