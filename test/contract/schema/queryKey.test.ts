import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { emptyState, Entity, schema } from '../../../src/index.ts'
import { findPk, query } from '../../support/state.ts'
import { write } from '../../support/write.ts'

const test = suite('what a state can answer')

class User extends Entity {
  id = ''
  static override key = 'User'
  static override indexes = ['username', 'email']
}
const { state } = write([User], [{ id: '1', username: 'bob', email: 'b@x' }, { id: '2', username: 'ann', email: 'a@x' }])

test('a string or number argument is the pk', () => {
  assert.is(findPk(User, ['1'], state), '1')
  assert.is(findPk(User, [1], state), '1')
  assert.is(findPk(User, [1n], state), '1')
})

test('else the pk of the first argument, as an object', () => {
  assert.is(findPk(User, [{ id: 2 }], state), '2')
  class Seat extends Entity {
    static override key = 'Seat'
    override pk(): string {
      const { row, seat } = this as unknown as { row: number; seat: number }
      return `${row}-${seat}`
    }
  }
  const seats = write(Seat, { row: 1, seat: 2 }).state
  assert.is(findPk(Seat, [{ row: 1, seat: 2 }], seats), '1-2')
})

test('else the first of its indexes that the argument has', () => {
  assert.is(findPk(User, [{ username: 'ann' }], state), '2')
  assert.is(findPk(User, [{ email: 'b@x' }], state), '1')
  assert.is(findPk(User, [{ email: 'b@x', username: 'ann' }], state), '2')
  assert.is(findPk(User, [{ email: 'b@x', username: 'nobody' }], state), undefined)
})

test('only if the entity is there', () => {
  for (const args of [['9'], [{ id: '9' }], [{ username: 'cy' }], [{ name: 'bob' }], [], [null], [undefined], [true], [{}]]) {
    assert.is(findPk(User, args, state), undefined)
  }
  assert.is(findPk(User, ['1'], emptyState), undefined)
  const gone = write(new schema.Invalidate(User), '1', state).state
  assert.is(findPk(User, ['1'], gone), undefined)
  assert.is(findPk(User, [{ username: 'bob' }], gone), undefined)
  assert.is(findPk(User, [{ username: 'bob' }], state), '1')
})

test('a class may answer in its own way', () => {
  class First extends User {
    static override queryKey(): string {
      return '2'
    }
  }
  assert.is(findPk(First, [], state), '2')
})

test('an object of schemas is answered when each of its members is', () => {
  const both = query<{ user: User; all: User[] }>({ user: User, all: new schema.All(User) }, ['1'], state)!
  assert.equal([both.user.id, both.all.map(({ id }) => id)], ['1', ['1', '2']])
  assert.is(query<{ user: User }>(new schema.Object({ user: User }), ['1'], state)!.user.id, '1')
  assert.is(query({ user: User }, ['9'], state), undefined)
})

test('lists, deserializers and plain values cannot be answered', () => {
  for (const each of [[User], Date, '', undefined, new schema.Array(User), new schema.Values(User)]) assert.is(query(each, ['1'], state), undefined)
})

test.run()
