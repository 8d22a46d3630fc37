import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../../support/state.ts'
import { denormalize, Entity, normalize, schema, SchemaError, ValidationError } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { caught, warnings } from '../../support/caught.ts'
import { write } from '../../support/write.ts'

const test = suite('schema.Array')

class User extends Entity {
  id = ''
  type = 'user'
  static override key = 'User'
}
class Group extends Entity {
  id = ''
  type = 'group'
  static override key = 'Group'
}

test('normalizes each member and gives the list of pks', () => {
  const { result, state } = write(new schema.Array(User), [{ id: 1 }, { id: 2 }])
  assert.equal(result, ['1', '2'])
  assert.equal(denormalize(new schema.Array(User), result, state)!.map((user) => user.id), [1, 2])
})

test('takes an object as its values', () => {
  assert.equal(write([User], { a: { id: '1' }, b: { id: '2' } }).result, ['1', '2'])
  assert.equal(write(new schema.Array(User), {}).result, [])
})

test('each member receives the parent and key of the list, not the list', () => {
  const received: unknown[] = []
  class Member extends Entity {
    static override key = 'Member'
    static override process(input: Fields, parent: unknown, key: string): Fields {
      received.push(parent, key)
      return { ...input }
    }
  }
  const input = { members: [{ id: '1' }, { id: '2' }] }
  write({ members: [Member] }, input)
  assert.equal(received, [input, 'members', input, 'members'])
})

test('in a view, members that are missing or must not be shown are left out, and null stays', () => {
  const { state } = write([User], [{ id: '1' }, { id: '2' }])
  const gone = write(new schema.Invalidate(User), '1', state).state
  const view = denormalize([User], ['1', null, 'never', '2', undefined], gone)!
  assert.equal(view.map((user) => user?.id), [undefined, '2'])
  assert.is(view[0], null)
  assert.ok(Object.isFrozen(view))
})

test('null members of a response stay', () => {
  assert.equal(write([User], [null, { id: '1' }]).result, [null, '1'])
})

test('a scalar where a list is expected is an error, a boolean stays', () => {
  const error = caught(() => normalize({ users: [User] }, { users: 'none' }))
  assert.instance(error, ValidationError)
  assert.match(error.message, 'Expected a list of User, found the string "none"')
  assert.equal(normalize({ users: [User] }, { users: false }).result, { users: false })
})

const byType = { user: User, group: Group }

test('several types are distinguished by a field, and stored as { id, schema }', () => {
  const members = new schema.Array(byType, 'type')
  const { result, state } = write(members, [{ id: '1', type: 'user' }, { id: '1', type: 'group' }])
  assert.equal(result, [{ id: '1', schema: 'user' }, { id: '1', schema: 'group' }])
  const [user, group] = denormalize(members, result, state)!
  assert.instance(user, User)
  assert.instance(group, Group)
})

test('several types are distinguished by a function of value, parent and key', () => {
  const received: unknown[] = []
  const members = new schema.Array(byType, (value: { kind: string }, parent: unknown, key: string) => {
    received.push([value, parent, key])
    return value.kind
  })
  const input = { members: [{ id: '1', kind: 'group' }] }
  const { result } = write({ members }, input)
  assert.equal(received, [[{ id: '1', kind: 'group' }, input, 'members']])
  assert.equal(result, { members: [{ id: '1', schema: 'group' }] })
})

test('the attribute may be a number or a boolean', () => {
  assert.equal(write(new schema.Array({ 1: User, true: Group }, 'type'), [{ id: 'a', type: 1 }, { id: 'b', type: true }]).result, [
    { id: 'a', schema: '1' },
    { id: 'b', schema: 'true' },
  ])
})

test('an object without a mapping entry stays as it is, makes no entity, and warns once', () => {
  const members = new schema.Array(byType, 'type')
  const odd = { id: '9', type: 'robot', parts: [{ n: 1 }] }
  let written: ReturnType<typeof write> | undefined
  const messages = warnings(() => {
    written = write(members, [odd, { id: '1', type: 'user' }, { id: '8' }])
    write(members, [odd])
  })
  assert.equal(written!.result, [odd, { id: '1', schema: 'user' }, { id: '8' }])
  assert.is(written!.change.patches.length, 1)
  const view = denormalize(members, written!.result, written!.state)!
  assert.equal(view[0], odd)
  assert.instance(view[1], User)
  assert.is(messages.length, 1)
  assert.match(messages[0]!, /schema\.Array: no schema for "robot".*Known: user, group/)
})

test('an entity whose only fields are id and the attribute is an entity, also when the attribute is called schema', () => {
  const members = new schema.Array(byType, 'schema')
  const { result, state } = write(members, [{ id: '5', schema: 'user' }])
  assert.equal(result, [{ id: '5', schema: 'user' }])
  assert.equal(readRow(state, 'User', '5'), { id: '5', schema: 'user' })
})

test('several types need a mapping and an attribute that fit each other', () => {
  assert.instance(caught(() => new schema.Array<unknown, string>(User, 'type')), SchemaError)
  assert.instance(caught(() => new schema.Array(undefined)), SchemaError)
  assert.match(caught(() => new schema.Array(undefined)).message, 'define()')
})

test('define merges into the mapping, for types that come later', () => {
  const members = new schema.Array({ user: User } as { [type: string]: typeof Entity }, 'type')
  members.define({ group: Group })
  assert.equal(write(members, [{ id: '1', type: 'group' }, { id: '2', type: 'user' }]).result, [
    { id: '1', schema: 'group' },
    { id: '2', schema: 'user' },
  ])
})

test('define merges into a single literal schema, and replaces a single entity', () => {
  const pairs = new schema.Array({ left: User } as Fields)
  pairs.define({ right: Group })
  assert.equal(write(pairs, [{ left: { id: '1' }, right: { id: '2' } }]).result, [{ left: '1', right: '2' }])
  assert.equal(write(pairs, [{ left: { id: '1' }, right: { id: '2' } }]).change.patches.length, 2)
})

test('lists of lists work', () => {
  const { result, state } = write([[User]], [[{ id: '1' }], [], [{ id: '2' }, { id: '1' }]])
  assert.equal(result, [['1'], [], ['2', '1']])
  assert.equal(denormalize([[User]], result, state)!.map((row) => row.map((user) => user.id)), [['1'], [], ['2', '1']])
})

test.run()
