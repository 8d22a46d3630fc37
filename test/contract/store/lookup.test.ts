import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches, Entity, schema } from '../../../src/index.ts'
import type { State } from '../../../src/index.ts'
import { Client } from '../../support/client.ts'
import { findPk } from '../../support/state.ts'
import { at, write, writeAll } from '../../support/write.ts'

const test = suite('secondary indexes')

class User extends Entity {
  id = ''
  declare name: string
  static override key = 'User'
  static override indexes = ['name', 'team']
}
const byName = (state: State, name: unknown): unknown => findPk(User, [{ name }], state)

test('find the entity by the value of a field', () => {
  const state = writeAll(User, [{ id: '1', name: 'bob' }, { id: '2', name: 'ann' }])
  assert.equal([byName(state, 'bob'), byName(state, 'ann'), byName(state, 'cy')], ['1', '2', undefined])
})

test('remember all entities, not only those of the last response', () => {
  const state = writeAll(User, Array.from({ length: 50 }, (_, i) => ({ id: String(i), name: `n${i}` })))
  for (let i = 0; i < 50; i++) assert.is(byName(state, `n${i}`), String(i))
})

test('follow renames, also in a circle', () => {
  let state = writeAll(User, [{ id: '1', name: 'a' }, { id: '2', name: 'b' }])
  state = write([User], [{ id: '1', name: 'b' }, { id: '2', name: 'a' }], state).state
  assert.equal([byName(state, 'a'), byName(state, 'b')], ['2', '1'])
  state = write(User, { id: '1', name: 'c' }, state).state
  assert.equal([byName(state, 'a'), byName(state, 'b'), byName(state, 'c')], ['2', undefined, '1'])
})

test('forget what is deleted, removed, or lost its field', () => {
  const state = writeAll(User, [{ id: '1', name: 'a' }, { id: '2', name: 'b' }, { id: '3', name: 'c' }, { id: '4', name: 'd' }])
  assert.is(byName(write(new schema.Invalidate(User), '1', state).state, 'a'), undefined)
  assert.is(byName(applyPatches(state, [{ op: 'remove', path: ['entities', 'User', '2'] }]), 'b'), undefined)
  assert.is(byName(applyPatches(state, [{ op: 'remove', path: ['entities', 'User', '3', 'name'] }]), 'c'), undefined)
  assert.is(byName(write(User, { id: '4', name: null }, state).state, 'd'), undefined)
})

test('are exact for every version, in whatever order they are asked', () => {
  const versions: State[] = [writeAll(User, [{ id: '1', name: 'n0' }, { id: '2', name: 'x' }])]
  for (let i = 1; i <= 20; i++) versions.push(write(User, { id: '1', name: `n${i}` }, versions.at(-1)!).state)
  for (const i of [20, 0, 10, 3, 19, 1, 20]) {
    assert.is(byName(versions[i]!, `n${i}`), '1')
    assert.is(byName(versions[i]!, `n${(i + 1) % 21}`), undefined)
    assert.is(byName(versions[i]!, 'x'), '2')
  }
})

test('follow inverse patches', () => {
  const first = write(User, { id: '1', name: 'old' }).state
  const { state, change } = write([User], [{ id: '1', name: 'new' }, { id: '2', name: 'two' }], first)
  const back = applyPatches(state, change.inversePatches)
  assert.equal([byName(back, 'old'), byName(back, 'new'), byName(back, 'two')], ['1', undefined, undefined])
})

test('where several have the value, the first that arrived is found, and the next when it goes', () => {
  const state = writeAll(User, [{ id: 'b', team: 't' }, { id: 'a', team: 't' }])
  assert.is(findPk(User, [{ team: 't' }], state), 'b')
  assert.is(findPk(User, [{ team: 't' }], write(User, { id: 'b', team: 'other' }, state).state), 'a')
})

test('first means first to arrive in this state, whatever another branch saw first', () => {
  const root = write(User, { id: '0' }).state
  write(User, { id: 'x', team: 't' }, root)
  const state = writeAll(User, [{ id: 'y', team: 't' }, { id: 'x', team: 't' }], root)
  assert.is(findPk(User, [{ team: 't' }], state), 'y')
})

test('numbers and strings are one value, and objects are none', () => {
  const state = writeAll(User, [{ id: '1', name: 7 }, { id: '2', name: 'true' }, { id: '3', name: { a: 1 } }, { id: '4', name: 'null' }])
  assert.equal([byName(state, 7), byName(state, '7'), byName(state, 7n), byName(state, true)], ['1', '1', '1', '2'])
  assert.equal([byName(state, { a: 1 }), byName(state, null), byName(state, undefined)], [undefined, undefined, undefined])
})

test('an older answer does not bring an old value back', () => {
  const first = write(User, { id: '1', name: 'new' }, undefined, [], at(5)).state
  const state = write(User, { id: '1', name: 'old' }, first, [], at(3)).state
  assert.equal([byName(state, 'new'), byName(state, 'old')], ['1', undefined])
})

test('follow the writes of one controller: renames, deletions, and what comes back', () => {
  const client = new Client()
  const found = (...names: string[]): unknown[] => names.map((name) => client.controller.get(User, { name })?.id)
  client.write([User], [{ id: '1', name: 'a' }, { id: '2', name: 'b' }])
  assert.equal(found('a', 'b', 'c'), ['1', '2', undefined])
  client.write([User], [{ id: '1', name: 'b' }, { id: '2', name: 'a' }])
  assert.equal(found('a', 'b'), ['2', '1'])
  client.write(User, { id: '1', name: 'c' })
  assert.equal(found('a', 'b', 'c'), ['2', undefined, '1'])
  client.write(new schema.Invalidate(User), '2')
  assert.equal(found('a', 'c'), [undefined, '1'])
  client.write(User, { id: '2', name: 'c' })
  assert.equal(found('a', 'c'), [undefined, '1'])
  client.write(User, { id: '1', name: null })
  assert.equal(found('c'), ['2'])
})

test.run()
