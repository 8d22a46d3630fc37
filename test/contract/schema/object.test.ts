import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { denormalize, Entity, normalize, schema, ValidationError } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { write } from '../../support/write.ts'

const test = suite('schema.Object')

class User extends Entity {
  id = ''
  static override key = 'User'
}

test('declared fields are visited and all others copied', () => {
  const { result, state } = write({ user: User, total: 0 }, { user: { id: '1' }, total: 5, links: { next: ['a'] } })
  assert.equal(result, { user: '1', total: 5, links: { next: ['a'] } })
  const view = denormalize({ user: User, total: 0 }, result, state)!
  assert.instance(view.user, User)
  assert.equal({ ...view, user: 0 }, { user: 0, total: 5, links: { next: ['a'] } })
  assert.ok(Object.isFrozen(view))
})

test('a declared field that is not there stays away, and null stays', () => {
  assert.equal(write({ user: User, other: User }, { user: null }).result, { user: null })
  assert.equal(denormalize({ user: User, other: User }, { user: null }, write(User, { id: '1' }).state), { user: null } as never)
})

test('undefined members are dropped', () => {
  assert.equal(Object.keys(write({ user: User }, { user: undefined, a: undefined, b: 1 }).result as object), ['b'])
})

test('a member that must not be shown makes the object one; a missing member is undefined', () => {
  const { state } = write([User], [{ id: '1' }, { id: '2' }])
  const gone = write(new schema.Invalidate(User), '1', state).state
  assert.is(denormalize({ user: User, other: User }, { user: '1', other: '2' }, gone), undefined)
  assert.is(denormalize({ page: { user: User } }, { page: { user: '1' } }, gone), undefined)
  assert.equal(denormalize({ user: User, n: 0 }, { user: 'never', n: 1 }, gone), { user: undefined, n: 1 } as never)
})

test('a nested value receives the object as its parent and its field as key', () => {
  const received: unknown[] = []
  class Part extends Entity {
    static override key = 'Part'
    static override process(input: Fields, parent: unknown, key: string): Fields {
      received.push(parent, key)
      return { ...input }
    }
  }
  const input = { a: { b: { id: '1' } } }
  write({ a: { b: Part } }, input)
  assert.equal(received, [input.a, 'b'])
})

test('define merges into the fields, so that an object may contain itself', () => {
  const tree = new schema.Object<Fields>({ user: User })
  tree.define({ below: [tree] })
  const { result, state, change } = write(tree, { user: { id: '1' }, below: [{ user: { id: '2' }, below: [] }] })
  assert.equal(result, { user: '1', below: [{ user: '2', below: [] }] })
  assert.is(change.patches.length, 2)
  const view = denormalize(tree, result, state) as { below: { user: User }[] }
  assert.instance(view.below[0]!.user, User)
})

test('a scalar where the object is expected is an error, a boolean stays', () => {
  const error = caught(() => normalize({ page: { user: User } }, { page: 'x' }))
  assert.instance(error, ValidationError)
  assert.match(error.message, 'Expected an object with user, found the string "x"')
  assert.equal(normalize({ page: { user: User } }, { page: true }).result, { page: true })
})

test.run()
