import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches, Entity, schema } from '../../../src/index.ts'
import type { Stamp, State } from '../../../src/index.ts'
import { readStamp } from '../../support/state.ts'
import { at, write } from '../../support/write.ts'

const test = suite('stamps')

class User extends Entity {
  static override key = 'User'
  static override schema = { team: class Team extends Entity {} }
}
const users = new schema.Collection([User])
const stamp = (state: State, key: string, pk: string): Stamp | undefined => {
  return readStamp(state, key, pk)
}

test('every row that a response speaks of gets its stamp, collections included', () => {
  const { state, change } = write(users, [{ id: '1', team: { id: 't' } }, { id: '2' }], undefined, [], at(5))
  for (const [key, pk] of [['User', '1'], ['User', '2'], ['Team', 't'], ['[User]', '{}']] as const) {
    assert.equal(stamp(state, key, pk), { fetchedAt: 5, date: 5, expiresAt: 1005 })
  }
  assert.equal(change.stamps.flatMap(({ key, pks }) => pks.map((pk) => `${key} ${pk}`)).sort(), ['Team t', 'User 1', 'User 2', '[User] {}'])
})

test('a pk alone says nothing about its row', () => {
  const { state } = write(User, { id: '1', team: 't' }, undefined, [], at(5))
  assert.is(stamp(state, 'Team', 't'), undefined)
})

test('a response moves the stamps of its rows and no other, also when no data changed', () => {
  const first = write([User], [{ id: '1' }, { id: '2' }], undefined, [], at(5)).state
  const { state, change } = write(User, { id: '1' }, first, [], at(6))
  assert.equal(change.patches, [])
  assert.equal(change.stamps, [{ key: 'User', pks: ['1'], stamp: at(6) }])
  assert.is(stamp(state, 'User', '1')!.fetchedAt, 6)
  assert.is(stamp(state, 'User', '2'), stamp(first, 'User', '2'))
  assert.is(state.entities, first.entities)
  assert.is.not(state.stamps, first.stamps)
})

test('stamps are frozen and hold only what they should', () => {
  const { state } = write(User, { id: '1' }, undefined, [], { ...at(5), temporary: () => 'x' })
  assert.ok(Object.isFrozen(stamp(state, 'User', '1')))
  assert.equal(Object.keys(stamp(state, 'User', '1')!).sort(), ['date', 'expiresAt', 'fetchedAt'])
})

test('stamps travel beside patches, and without them rows have none', () => {
  const { change } = write(User, { id: '1' }, undefined, [], at(5))
  const base = write(users, []).state
  assert.is(stamp(applyPatches(base, change.patches), 'User', '1'), undefined)
  assert.equal(stamp(applyPatches(base, change.patches, change.stamps), 'User', '1'), at(5))
})

test('a row without a stamp is older than everything', () => {
  const bare = applyPatches(write(users, []).state, [{ op: 'add', path: ['entities', 'User', '1'], value: { id: '1', a: 'foreign' } }])
  const { state } = write(User, { id: '1', a: 'fetched' }, bare, [], at(1))
  assert.equal(stamp(state, 'User', '1'), at(1))
  assert.is(write(User, { id: '1', a: 'fetched' }, bare, [], at(1)).change.patches.length, 1)
})

test('a stamp that the caller keeps and writes to changes nothing, and null takes one away', () => {
  const { state } = write(User, { id: '1' })
  const mine = { fetchedAt: 3, date: 3, expiresAt: 3 }
  const stamped = applyPatches(state, [], [{ key: 'User', pks: ['1'], stamp: mine }])
  mine.fetchedAt = 9
  assert.is(stamp(stamped, 'User', '1')!.fetchedAt, 3)
  assert.is(stamp(applyPatches(stamped, [], [{ key: 'User', pks: ['1'], stamp: null }]), 'User', '1'), undefined)
})

test('a deletion is a stamp, goes when the row is written again, and an older state keeps its own', () => {
  const first = write(User, { id: '1' }, undefined, [], at(1)).state
  const gone = write(new schema.Invalidate(User), '1', first, [], at(2))
  assert.equal(gone.change.stamps, [{ key: 'User', pks: ['1'], stamp: { ...at(2), deleted: true } }])
  const back = write(User, { id: '1' }, gone.state, [], at(3)).state
  assert.equal([stamp(first, 'User', '1'), stamp(gone.state, 'User', '1'), stamp(back, 'User', '1')], [at(1), { ...at(2), deleted: true }, at(3)])
})

test('rows that a response deletes share one stamp, and one group', () => {
  const { state } = write([User], [{ id: '1' }, { id: '2' }, { id: '3' }], undefined, [], at(1))
  const { change } = write([new schema.Invalidate(User)], [{ id: '1' }, { id: '2' }, { id: '3' }], state, [], at(2))
  assert.equal(change.stamps, [{ key: 'User', pks: ['1', '2', '3'], stamp: { ...at(2), deleted: true } }])
})

test('a row that a response deletes and writes again is stamped once, as it ends', () => {
  const both = { gone: new schema.Invalidate(User), list: [User] }
  const { state } = write([User], [{ id: '1', title: 'a' }, { id: '2', title: 'b' }], undefined, [], at(1))
  for (const list of [[{ id: '1', title: 'a' }, { id: '2' }], [{ id: '2' }, { id: '1', title: 'a' }, { id: '3' }]]) {
    const { patches, stamps } = write(both, { gone: { id: '1' }, list }, state, [], at(2)).change
    const pks = stamps.flatMap(group => group.pks)
    assert.equal([...pks].sort(), list.map(({ id }) => id).sort())
    assert.ok(stamps.every(({ stamp }) => stamp?.fetchedAt === 2 && stamp.deleted === undefined))
    assert.equal(patches.map(({ op, path }) => [op, path[2]]), list.length === 3 ? [['add', '3']] : [])
  }
})

test('a row that a response deletes twice is named once', () => {
  const { state } = write([User], [{ id: '1' }, { id: '2' }], undefined, [], at(1))
  const { change } = write([new schema.Invalidate(User)], [{ id: '2' }, { id: '1' }, { id: '2' }], state, [], at(2))
  assert.equal(change.stamps, [{ key: 'User', pks: ['1', '2'], stamp: { ...at(2), deleted: true } }])
})

test('a class may say the stamps of its rows, which travel in a group of their own', () => {
  class Lasting extends Entity {
    static override mergeMetaWithStore(existing: Stamp, incoming: Stamp): Stamp {
      return { ...incoming, expiresAt: existing.expiresAt + 7 }
    }
  }
  const mixed = { users: [User], lasting: [Lasting] }
  const input = { users: [{ id: '1' }], lasting: [{ id: 'a' }] }
  const { state } = write(mixed, input, undefined, [], at(1))
  const { state: next, change } = write(mixed, input, state, [], at(2))
  assert.equal(change.stamps, [{ key: 'User', pks: ['1'], stamp: at(2) }, { key: 'Lasting', pks: ['a'], stamp: { ...at(2), expiresAt: at(1).expiresAt + 7 } }])
  assert.equal([stamp(next, 'User', '1'), stamp(next, 'Lasting', 'a')], change.stamps.map(group => group.stamp))
})

test.run()
