import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { All, applyPatches, denormalize, emptyState, Entity, schema } from '../../../src/index.ts'
import type { Fields, State } from '../../../src/index.ts'
import { query } from '../../support/state.ts'
import { write, writeAll } from '../../support/write.ts'

const test = suite('schema.All')

class User extends Entity {
  id = ''
  type = 'user'
  static override key = 'User'
}
class Admin extends Entity {
  id = ''
  type = 'admin'
  static override key = 'Admin'
}
const users = new schema.All(User)
const ids = (state: State): string[] | undefined => denormalize(users, [], state)?.map((user) => user.id)

test('is also exported by name', () => {
  assert.is(schema.All, All)
})

test('normalizes like a list', () => {
  assert.equal(write(users, [{ id: '1' }, { id: '2' }]).result, ['1', '2'])
  assert.equal(write(users, { a: { id: '1' } }).result, ['1'])
})

test('reads every entity that is there in the order of first arrival, whatever the result says', () => {
  const state = writeAll(User, [{ id: 'b' }, { id: 'c' }, { id: 'a' }, { id: 'b', again: true }])
  assert.equal(ids(state), ['b', 'c', 'a'])
  assert.equal(denormalize(users, ['a'], state)!.map((user) => user.id), ['b', 'c', 'a'])
  assert.ok(Object.isFrozen(denormalize(users, [], state)))
})

test('is not available while the type was never stored, and empty once all are deleted', () => {
  assert.is(ids(emptyState), undefined)
  const { state } = write([Admin], [{ id: '1' }])
  assert.is(ids(state), undefined)
  assert.is(query(users, [], state), undefined)
  const one = write(User, { id: '1' }, state).state
  assert.equal(query<User[]>(users, [], one)!.map((user) => user.id), ['1'])
  assert.equal(ids(write(new schema.Invalidate(User), '1', one).state), [])
})

test('leaves out what was deleted or must not be shown', () => {
  class Named extends Entity {
    id = ''
    static override key = 'User'
    static override validate(processed: Fields): string | undefined {
      return processed['name'] ? undefined : 'no name'
    }
  }
  const state = writeAll(User, [{ id: '1', name: 'x' }, { id: '2' }, { id: '3', name: 'y' }])
  const gone = write(new schema.Invalidate(User), '1', state).state
  assert.equal(denormalize(new schema.All(Named), [], gone)!.map((user) => user.id), ['3'])
})

test('a row that is deleted and comes back has its old position', () => {
  const state = writeAll(User, [{ id: '1' }, { id: '2' }, { id: '3' }])
  const gone = write(new schema.Invalidate(User), '2', state).state
  assert.equal(ids(gone), ['1', '3'])
  assert.equal(ids(write(User, { id: '2' }, gone).state), ['1', '2', '3'])
})

test('two branches of one state each have their own order', () => {
  const root = write(User, { id: '1' }).state
  const left = writeAll(User, [{ id: 'x' }, { id: 'y' }], root)
  const right = writeAll(User, [{ id: 'y' }, { id: 'x' }], root)
  assert.equal(ids(left), ['1', 'x', 'y'])
  assert.equal(ids(right), ['1', 'y', 'x'])
})

test('the order travels with the patches to a state that knows nothing', () => {
  const root = write(User, { id: '1' }).state
  write(User, { id: 'z' }, root)
  const { change, state } = write([User], [{ id: 'c' }, { id: 'z' }, { id: 'b' }], root)
  assert.equal(ids(state), ['1', 'c', 'z', 'b'])
  assert.equal(ids(applyPatches(write(User, { id: '1' }).state, change.patches)), ['1', 'c', 'z', 'b'])
})

test('with a mapping it reads every mapped type', () => {
  const people = new schema.All({ user: User, admin: Admin }, 'type')
  const { state, result } = write(people, [{ id: '1', type: 'admin' }, { id: '1', type: 'user' }])
  assert.equal(result, [{ id: '1', schema: 'admin' }, { id: '1', schema: 'user' }])
  const seen = denormalize(people, result, state)!
  assert.is(seen.length, 2)
  assert.ok(seen.some((each) => each instanceof User) && seen.some((each) => each instanceof Admin))
  assert.is(denormalize(people, [], write(User, { id: '1' }).state)!.length, 1)
  assert.is(denormalize(people, [], emptyState), undefined)
  assert.is(query(people, [], emptyState), undefined)
})

test('a type that the mapping has under two names is read once', () => {
  const people = new schema.All({ user: User, guest: User, admin: Admin }, 'type')
  const { state, result } = write(people, [{ id: '1', type: 'guest' }, { id: '2', type: 'user' }, { id: '1', type: 'admin' }])
  assert.equal(denormalize(people, result, state)!.map(({ id }) => id), ['1', '2', '1'])
  const users = new schema.All({ user: User, guest: User }, 'type')
  assert.equal(denormalize(users, result, state)!.map(({ id }) => id), ['1', '2'])
})

test('define merges into the mapping', () => {
  const people = new schema.All({ user: User } as { [type: string]: typeof Entity }, 'type')
  people.define({ admin: Admin })
  assert.is(denormalize(people, [], write(Admin, { id: '1' }).state)!.length, 1)
})

test.run()
