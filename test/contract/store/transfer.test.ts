import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches, denormalize, emptyState, exportState, HydrationError, importState, schema } from '../../../src/index.ts'
import type { ExportedState, State } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { openPaths } from '../../support/frozen.ts'
import { findPk } from '../../support/state.ts'
import { at, write, writeAll } from '../../support/write.ts'
import { idsOf } from '../schema/todos.ts'
import { User, users } from './users.ts'

const test = suite('a state as plain data')

function sample(): State {
  let { state } = write(users, [{ id: 'b', name: 'bo' }, { id: 'a', deep: { list: [1, null, { x: '' }] } }], emptyState, [{ q: 1 }], at(3))
  state = write(new schema.Invalidate(User), 'gone', state, [], at(4)).state
  state = write(User, { id: 'c' }, state).state
  return applyPatches(state, [{ op: 'add', path: ['endpoints', 'GET /users?q=1'], value: '{"q":"1"}' }])
}

test('is lists of [pk, record, stamp] in the order of arrival', () => {
  assert.equal(exportState(sample()), {
    version: 1,
    entities: [
      ['User', [
        ['b', { id: 'b', name: 'bo' }, at(3)],
        ['a', { id: 'a', deep: { list: [1, null, { x: '' }] } }, at(3)],
        ['c', { id: 'c' }, { fetchedAt: 0, date: 0, expiresAt: Infinity }],
        ['gone', null, { ...at(4), deleted: true }],
      ]],
      ['[User]', [['{"q":"1"}', ['b', 'a'], at(3)]]],
    ],
    endpoints: [['GET /users?q=1', '{"q":"1"}']],
  })
})

test('comes back the same, also through JSON, with its order, deletions, indexes and stamps', () => {
  const state = sample()
  const exported = exportState(state)
  for (const data of [exported, JSON.parse(JSON.stringify(exported)) as unknown, structuredClone(exported)]) {
    const back = importState(data)
    assert.equal(exportState(back), exported)
    assert.equal(idsOf(denormalize(users, '{"q":"1"}', back)), ['b', 'a'])
    assert.is(findPk(User, [{ name: 'bo' }], back), 'b')
    assert.is(denormalize(User, 'gone', write(User, { id: 'gone' }, back, [], at(2)).state), undefined)
  }
})

test('what came back can be written to, and gives the same patches', () => {
  const [state, back] = [sample(), importState(good())]
  const next = (from: State): unknown => write(users.push, [{ id: 'a', name: 'x' }, { id: 'z' }], from, [{ q: '1' }], at(9)).change.patches
  assert.equal(next(back), next(state))
  assert.equal(write(users, [{ id: 'b', name: 'bo' }, { id: 'a' }], back, [{ q: 1 }], at(9)).change.patches, [])
})

test('the empty state goes out and comes back', () => {
  assert.equal(exportState(importState(exportState(emptyState))), { version: 1, entities: [], endpoints: [] })
})

test('a row whose order of arrival differs from its slot is exported where it arrived', () => {
  const root = write(User, { id: '1' }).state
  write(User, { id: 'x' }, root)
  const state = writeAll(User, [{ id: 'y' }, { id: 'x' }], root)
  assert.equal(idsOf(denormalize(new schema.All(User), [], importState(exportState(state)))), ['1', 'y', 'x'])
})

test('what is taken in is copied and frozen', () => {
  const data = good() as { entities: [string, [string, { name: string }][]][] }
  const state = importState(data)
  data.entities[0]![1][0]![1].name = 'spoilt'
  assert.is(denormalize(User, 'b', state)!.name, 'bo')
  assert.equal(openPaths(exportState(state).entities[0]![1][1]![1]), [])
})

const good = (): object => JSON.parse(JSON.stringify(exportState(sample()))) as object
const row = (pk: unknown, record: unknown, stamp: unknown = null): unknown =>
  ({ version: 1, entities: [['User', [['1', { id: '1' }, null], [pk, record, stamp]]]], endpoints: [] })
const garbage: [string, unknown][] = [
  ['null', null],
  ['undefined', undefined],
  ['a list', []],
  ['a number', 7],
  ['a text', 'x'],
  ['an empty object', {}],
  ['another version', { ...good(), version: 2 }],
  ['no version', { ...good(), version: undefined }],
  ['no entities', { ...good(), entities: undefined }],
  ['entities as an object', { ...good(), entities: { User: {} } }],
  ['an entry that is no pair', { ...good(), entities: [['User']] }],
  ['a table without a name', { ...good(), entities: [['', []]] }],
  ['a table called __proto__', { ...good(), entities: [['__proto__', []]] }],
  ['a table that comes twice', { ...good(), entities: [['User', [['1', {}, null]]], ['User', []]] }],
  ['rows that are no list', { ...good(), entities: [['User', 5]] }],
  ['a row that is no list', { ...good(), entities: [['User', [5]]] }],
  ['endpoints as an object', { ...good(), endpoints: {} }],
  ['an endpoint without a key', { ...good(), endpoints: [[5, 1]] }],
  ['an endpoint that comes twice', { ...good(), endpoints: [['a', 1], ['a', 2]] }],
  ['a number as pk', row(5, {})],
  ['an empty pk', row('', {})],
  ['a pk that comes twice', row('1', { id: '1' })],
  ['a text as record', row('2', 'x')],
  ['a record that is missing and not deleted', row('2', null)],
  ['a stamp that is no object', row('2', {}, 5)],
  ['a stamp without its times', row('2', {}, { fetchedAt: 1 })],
  ['a stamp with a text for a time', row('2', {}, { fetchedAt: '1', date: 1, expiresAt: 1 })],
  ['a stamp from beyond all time', row('2', {}, { fetchedAt: null, date: 1, expiresAt: 1 })],
  ['a stamp that is infinitely late', row('2', {}, { fetchedAt: Infinity, date: 1, expiresAt: 1 })],
  ['an own __proto__ in a record', row('2', JSON.parse('{"a":{"__proto__":{"x":1}}}'))],
  ['an own __proto__ in a result', { ...good(), endpoints: [['a', JSON.parse('{"__proto__":1}')]] }],
]

for (const [name, data] of garbage) {
  test(`${name} is refused whole`, () => void caught(() => importState(data), HydrationError, 'Start with an empty state'))
}

test('the sample that the garbage was made of is good', () => {
  assert.equal(exportState(importState(good())), exportState(sample()) satisfies ExportedState)
  assert.equal(exportState(importState(row('2', { id: '2' }))).entities.length, 1)
})

test.run()
