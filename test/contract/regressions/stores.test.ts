import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../../support/state.ts'
import { applyPatches, denormalize, DepthError, Entity, normalize, schema } from '../../../src/index.ts'
import { caught, warnings } from '../../support/caught.ts'
import { deepFreeze } from '../../support/frozen.ts'
import { write } from '../../support/write.ts'

const test = suite('bugs that other stores had')

class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
}
class Team extends Entity {
  id = ''
  static override key = 'Team'
  static override schema = { lead: User }
}
const users = new schema.Collection([User])

test('apollo-client#6370 #6307 a payload that selects other fields of a nested object loses none of an entity', () => {
  const first = write(Team, { id: 't', lead: { id: 'u', name: 'Ada', age: 1 } }).state
  const { state } = write(Team, { id: 't', lead: { id: 'u', mail: 'x' } }, first)
  assert.equal(readRow(state, 'User', 'u'), { id: 'u', name: 'Ada', age: 1, mail: 'x' })
})

test('apollo-client#7028 one id of two types is two entities', () => {
  const { state } = write({ user: User, team: Team }, { user: { id: '1', name: 'user' }, team: { id: '1', name: 'team' } })
  assert.equal([readRow(state, 'User', '1'), readRow(state, 'Team', '1')], [{ id: '1', name: 'user' }, { id: '1', name: 'team' }])
})

test('apollo-client#8618 what merge is given and returns is not used again for another row', () => {
  const scratch: { [field: string]: unknown } = {}
  class Recycling extends Entity {
    static override key = 'Recycling'
    static override merge(existing: object, incoming: object): { [field: string]: unknown } {
      return Object.assign(scratch, existing, incoming)
    }
  }
  const first = write([Recycling], [{ id: '1', a: 1 }, { id: '2', b: 1 }]).state
  const { state } = write([Recycling], [{ id: '1', x: [1] }, { id: '2', y: 1 }], first)
  assert.equal(readRow(state, 'Recycling', '1'), { id: '1', a: 1, x: [1] })
})

test('replicache mono#5031 an upsert leaves fields alone that it does not name', () => {
  const first = write(User, { id: '1', name: 'n', age: 5 }).state
  assert.equal(readRow(write(User, { id: '1', name: 'm', age: undefined }, first).state, 'User', '1'), { id: '1', name: 'm', age: 5 })
})

test('urql graphcache resolve() a list that the cache gives out cannot be written to', () => {
  const { state, result } = write(users, [{ id: '1' }, { id: '2' }])
  assert.throws(() => denormalize(users, result, state)!.push(User.fromJS()))
  assert.throws(() => (readRow(state, '[User]', result as string) as string[]).sort())
  assert.is(denormalize(users, result, state)!.length, 2)
})

test('urql#3165 #2741 what did not change is the same object after a refetch', () => {
  const { state } = write(users, [{ id: '1', deep: { a: [1] } }, { id: '2' }])
  const next = write(users, [{ id: '1', deep: { a: [1] } }, { id: '2', name: 'new' }], state).state
  assert.is(readRow(next, 'User', '1'), readRow(state, 'User', '1'))
  assert.is(readRow(next, '[User]', '{}'), readRow(state, '[User]', '{}'))
})

test('TanStack/query#10032 comparing deep data ends in a typed error, not in the stack', () => {
  let deep: unknown = {}
  for (let i = 0; i < 50_000; i++) deep = { deep }
  const { state } = write(User, { id: '1', deep: {} })
  assert.instance(caught(() => normalize(User, { id: '1', deep }, [], state)), DepthError)
})

test('TanStack/query#6719 #7376 undefined members neither differ from absent ones nor stop the comparison', () => {
  const { state } = write(User, { id: '1', deep: { a: 1, b: undefined }, list: [{ c: undefined }] })
  assert.equal(normalize(User, { id: '1', deep: { a: 1 }, list: [{}] }, [], state).patches, [])
  assert.equal(normalize(User, { id: '1', deep: { a: 1, b: undefined, c: undefined }, list: [{ d: undefined }] }, [], state).patches, [])
})

test('TanStack/query open: an own __proto__ in data that is compared with what is there stays out', () => {
  const { state } = write(User, { id: '1', deep: { a: 1 } })
  warnings(() => assert.equal(normalize(User, JSON.parse('{"id":"1","deep":{"a":1,"__proto__":{"isAdmin":true}}}'), [], state).patches, []))
})

test('TanStack/query open: NaN, null and undefined are different arguments', () => {
  const key = (value: unknown): unknown => normalize(users, [], [{ value }]).result
  assert.is(new Set([NaN, null, undefined, '', 0, false, 'NaN ', [null], [undefined], [NaN]].map(key)).size, 10)
})

test('TanStack/db#1584 a path made of data reaches no prototype', () => {
  assert.throws(() => applyPatches(write(User, { id: '1' }).state, [{ op: 'add', path: ['entities', 'User', '1', 'constructor', 'prototype', 'x'], value: 1 }]))
  assert.is((Object.prototype as { x?: unknown }).x, undefined)
})

test('TanStack/db#845 numeric ids are found by number and by text', () => {
  const { state, result } = write([User], [{ id: 7, name: 'seven' }])
  assert.equal(result, ['7'])
  assert.equal([denormalize(User, 7, state)!.name, denormalize(User, '7', state)!.name], ['seven', 'seven'])
})

test('TanStack/db#929 the same id twice in one insert is one row and one member', () => {
  const { state } = write(users.push, [{ id: '1', a: 1 }, { id: '1', b: 2 }], write(users, []).state)
  assert.equal([readRow(state, 'User', '1'), readRow(state, '[User]', '{}')], [{ id: '1', a: 1, b: 2 }, ['1']])
})

test('TanStack/db#933 #135 frozen input is fine, and no input is written to', () => {
  const input = { id: '1', deep: { list: [{ a: 1 }] } }
  const before = JSON.stringify(input)
  const { state } = write(User, input)
  write(User, deepFreeze({ id: '1', deep: { list: [{ a: 2 }] } }), state)
  assert.is(JSON.stringify(input), before)
  assert.not(Object.isFrozen(input.deep))
})

test('solid 1.9.13 adding 150,000 members at once does not overflow the stack', () => {
  const { state } = write(users, [{ id: 'first' }])
  const { state: next } = write(users.push, Array.from({ length: 150_000 }, (_, i) => ({ id: String(i) })), state)
  assert.is((readRow(next, '[User]', '{}') as string[]).length, 150_001)
})

test('solid 1.9.14 keys that shadow members of Object.prototype are retained', () => {
  const { state } = write(User, { id: '1', deep: { toString: 'a' } })
  const next = write(User, { id: '1', deep: { toString: 'b', hasOwnProperty: 'c' } }, state).state
  assert.is(JSON.stringify(readRow(next, 'User', '1')), '{"id":"1","deep":{"toString":"b","hasOwnProperty":"c"}}')
})

test.run()
