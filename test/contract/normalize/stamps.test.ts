import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches, schema } from '../../../src/index.ts'
import type { Stamp, State } from '../../../src/index.ts'
import { readStamp } from '../../support/state.ts'
import { at, write } from '../../support/write.ts'
import { entity } from '../schema/todos.ts'

const test = suite('stamps')

const User = entity('User', { schema: { team: entity('Team') } })
const users = new schema.Collection([User])
const gone = new schema.Invalidate(User)
const stamp = (state: State, pk = '1', key = 'User'): Stamp | undefined => readStamp(state, key, pk)
const empty = write(users, []).state
const two = write([User], [{ id: '1', title: 'a' }, { id: '2', title: 'b' }], undefined, [], at(1)).state

test('every row that a response speaks of gets its stamp, collections included', () => {
  const { state, change } = write(users, [{ id: '1', team: { id: 't' } }, { id: '2' }], undefined, [], at(5))
  const rows = [['1', 'User'], ['2', 'User'], ['t', 'Team'], ['{}', '[User]']] as const
  assert.equal(rows.map(([pk, key]) => stamp(state, pk, key)), rows.map(() => ({ fetchedAt: 5, date: 5, expiresAt: 1005 })))
  assert.equal(change.stamps.flatMap(({ key, pks }) => pks.map((pk) => `${key} ${pk}`)).sort(), ['Team t', 'User 1', 'User 2', '[User] {}'])
})

test('a pk alone says nothing about its row', () => {
  assert.is(stamp(write(User, { id: '1', team: 't' }, undefined, [], at(5)).state, 't', 'Team'), undefined)
})

test('a response moves the stamps of its rows and no other, also when no data changed', () => {
  const { state, change } = write(User, { id: '1' }, two, [], at(6))
  assert.equal([change.patches, change.stamps], [[], [{ key: 'User', pks: ['1'], stamp: at(6) }]])
  assert.is(stamp(state)!.fetchedAt, 6)
  assert.is(stamp(state, '2'), stamp(two, '2'))
  assert.is(state.entities, two.entities)
  assert.is.not(state.stamps, two.stamps)
})

test('stamps are frozen and hold only what they should', () => {
  const { state } = write(User, { id: '1' }, undefined, [], Object.assign(at(5), { more: 1 }))
  assert.ok(Object.isFrozen(stamp(state)))
  assert.equal(stamp(state), at(5))
})

test('stamps travel beside patches, and without them rows have none', () => {
  const { change } = write(User, { id: '1' }, undefined, [], at(5))
  assert.is(stamp(applyPatches(empty, change.patches)), undefined)
  assert.equal(stamp(applyPatches(empty, change.patches, change.stamps)), at(5))
})

test('a row without a stamp is older than everything', () => {
  const bare = applyPatches(empty, [{ op: 'add', path: ['entities', 'User', '1'], value: { id: '1', a: 'foreign' } }])
  const { state, change } = write(User, { id: '1', a: 'fetched' }, bare, [], at(1))
  assert.equal([stamp(state), change.patches.length], [at(1), 1])
})

test('a stamp that the caller keeps and writes to changes nothing, and null takes one away', () => {
  const mine = { fetchedAt: 3, date: 3, expiresAt: 3 }
  const stamped = applyPatches(two, [], [{ key: 'User', pks: ['1'], stamp: mine }])
  mine.fetchedAt = 9
  assert.is(stamp(stamped)!.fetchedAt, 3)
  assert.is(stamp(applyPatches(stamped, [], [{ key: 'User', pks: ['1'], stamp: null }])), undefined)
})

test('rows that a response deletes share one stamp and one group, which names each once', () => {
  const { change } = write([gone], [{ id: '2' }, { id: '1' }, { id: '2' }], two, [], at(2))
  assert.equal(change.stamps, [{ key: 'User', pks: ['1', '2'], stamp: { ...at(2), deleted: true } }])
})

for (const [title, list, expected] of [
  ['first', [{ id: '1', title: 'a' }, { id: '2' }], []],
  ['later, among others', [{ id: '2' }, { id: '1', title: 'a' }, { id: '3' }], [['add', '3']]],
] as const) {
  test(`a row that a response deletes and writes again is stamped once, as it ends: ${title}`, () => {
    const { patches, stamps } = write({ gone, list: [User] }, { gone: { id: '1' }, list }, two, [], at(2)).change
    assert.equal(stamps.flatMap((group) => group.pks).sort(), list.map(({ id }) => id).sort())
    assert.ok(stamps.every((group) => group.stamp?.fetchedAt === 2 && group.stamp.deleted === undefined))
    assert.equal(patches.map(({ op, path }) => [op, path[2]]), expected)
  })
}

test('a class may say the stamps of its rows, which travel in a group of their own', () => {
  const Lasting = entity('Lasting', { mergeMetaWithStore: (existing, incoming) => ({ ...incoming, expiresAt: existing.expiresAt + 7 }) })
  const [mixed, input] = [{ users: [User], lasting: [Lasting] }, { users: [{ id: '1' }], lasting: [{ id: 'a' }] }]
  const { state, change } = write(mixed, input, write(mixed, input, undefined, [], at(1)).state, [], at(2))
  const lasting = { ...at(2), expiresAt: at(1).expiresAt + 7 }
  assert.equal(change.stamps, [{ key: 'User', pks: ['1'], stamp: at(2) }, { key: 'Lasting', pks: ['a'], stamp: lasting }])
  assert.equal([stamp(state), stamp(state, 'a', 'Lasting')], [at(2), lasting])
})

test.run()
