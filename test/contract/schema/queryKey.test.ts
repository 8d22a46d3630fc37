import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { emptyState, Entity, schema } from '../../../src/index.ts'
import { queryKey } from '../../../src/view/query.ts'
import { write } from '../../support/write.ts'

const test = suite('what a state can answer')

class User extends Entity {
  id = ''
  static override key = 'User'
  static override indexes = ['username', 'email']
}
const { state } = write([User], [{ id: '1', username: 'bob', email: 'b@x' }, { id: '2', username: 'ann', email: 'a@x' }])

test('a string or number argument is the pk', () => {
  assert.is(queryKey(User, ['1'], state), '1')
  assert.is(queryKey(User, [1], state), '1')
  assert.is(queryKey(User, [1n], state), '1')
})

test('else the pk of the first argument, as an object', () => {
  assert.is(queryKey(User, [{ id: 2 }], state), '2')
  class Seat extends Entity {
    static override key = 'Seat'
    override pk(): string {
      const { row, place } = this as unknown as { row: number; place: number }
      return `${row}-${place}`
    }
  }
  const seats = write(Seat, { row: 1, place: 2 }).state
  assert.is(queryKey(Seat, [{ row: 1, place: 2 }], seats), '1-2')
})

test('else the first of its indexes that the argument has', () => {
  assert.is(queryKey(User, [{ username: 'ann' }], state), '2')
  assert.is(queryKey(User, [{ email: 'b@x' }], state), '1')
  assert.is(queryKey(User, [{ email: 'b@x', username: 'ann' }], state), '2')
  assert.is(queryKey(User, [{ email: 'b@x', username: 'nobody' }], state), undefined)
})

test('only if the entity is there', () => {
  for (const args of [['9'], [{ id: '9' }], [{ username: 'cy' }], [{ name: 'bob' }], [], [null], [undefined], [true], [{}]]) {
    assert.is(queryKey(User, args, state), undefined)
  }
  assert.is(queryKey(User, ['1'], emptyState), undefined)
  const gone = write(new schema.Invalidate(User), '1', state).state
  assert.is(queryKey(User, ['1'], gone), undefined)
  assert.is(queryKey(User, [{ username: 'bob' }], gone), undefined)
  assert.is(queryKey(User, [{ username: 'bob' }], state), '1')
})

test('a class may answer in its own way', () => {
  class First extends User {
    static override queryKey(): string {
      return '2'
    }
  }
  assert.is(queryKey(First, [], state), '2')
})

test('an object of schemas is answered when each of its members is', () => {
  assert.equal(queryKey({ user: User, all: new schema.All(User) }, ['1'], state), { user: '1', all: [] })
  assert.equal(queryKey(new schema.Object({ user: User }), ['1'], state), { user: '1' })
  assert.is(queryKey({ user: User }, ['9'], state), undefined)
})

test('lists, deserializers and plain values cannot be answered', () => {
  for (const each of [[User], Date, '', undefined, new schema.Array(User), new schema.Values(User)]) assert.is(queryKey(each, ['1'], state), undefined)
})

test.run()
