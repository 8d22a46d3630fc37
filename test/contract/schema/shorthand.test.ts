import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../../support/state.ts'
import { Controller, createResource, denormalize, emptyState, Entity, normalize, schema, SchemaError } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { write } from '../../support/write.ts'

const test = suite('shorthands and falsy schemas')

class Widget {
  readonly size = 1
}

class User extends Entity {
  id = ''
  static override key = 'User'
}

test('[S] is schema.Array(S), and { a: S } is schema.Object', () => {
  const list = [{ id: '1' }, { id: '2' }]
  assert.equal(normalize([User], list).result, normalize(new schema.Array(User), list).result)
  const page = { results: list, total: 2 }
  assert.equal(normalize({ results: [User] }, page).result, { results: ['1', '2'], total: 2 })
  assert.equal(normalize(new schema.Object({ results: [User] }), page).result, { results: ['1', '2'], total: 2 })
  const { state } = write([User], list)
  assert.equal(denormalize({ results: [User] }, { results: ['2'], total: 2 }, state)!.results.map((user) => user.id), ['2'])
})

for (const falsy of [null, undefined, '', 0, false, NaN]) {
  test(`the schema ${falsy === '' ? "''" : String(falsy)} passes the value through`, () => {
    const input = { id: '1', list: [1, { a: null }] }
    const { result, patches } = normalize(falsy, input)
    assert.equal(result, input)
    assert.equal(patches, [])
    for (const scalar of ['text', 0, false, null, undefined]) assert.is(normalize(falsy, scalar).result, scalar)
    const { state } = write({ page: { cursor: falsy, user: User } }, { page: { cursor: 'abc', user: { id: '1' } } })
    assert.equal(denormalize({ cursor: falsy }, { cursor: 'abc' }, state), { cursor: 'abc' })
    assert.is(denormalize(falsy, 'abc', state), 'abc')
  })
}

test('a text, number or true where a schema may stand means a default, and passes the value through', () => {
  assert.equal(normalize({ next: 'none', total: 7, more: true }, { next: 'x', total: { exact: 1 }, more: [1] }).result, {
    next: 'x', total: { exact: 1 }, more: [1],
  })
})

test('a literal with a field called normalize is still a literal', () => {
  const { state, result } = write({ normalize: User, denormalize: [User] }, { normalize: { id: '1' }, denormalize: [{ id: '2' }] })
  assert.equal(result, { normalize: '1', denormalize: ['2'] })
  assert.ok(readRow(state, 'User', '1'))
})

test('a list of two schemas is a SchemaError that names them and the way out', () => {
  class Post extends Entity {}
  const wrong = [User, Post]
  assert.match(caught(() => normalize(wrong, [])).message, /exactly one schema.*schema\.Array/)
  for (const use of [() => normalize(wrong, []), () => denormalize(wrong, [], write(User, { id: '1' }).state), () => new schema.Collection(wrong)]) {
    const error = caught(use)
    assert.instance(error, SchemaError)
    assert.match(error.message, /\[User, Post\]/)
  }
})

test('a list without a schema passes its value through', () => {
  const list = [{ id: '1' }, 2]
  const { result, patches } = normalize([], list)
  assert.equal([result, patches], [list, []])
  assert.equal(denormalize([], result, emptyState), list)
  const page = { user: User, tags: [] }
  const written = write(page, { user: { id: '1' }, tags: ['a', { b: 1 }] })
  assert.equal(denormalize(page, written.result, written.state)!.tags, ['a', { b: 1 }])
})

test('an endpoint instead of a schema is a SchemaError that says what to give', () => {
  const { getList } = createResource({ path: '/users/:id', schema: User })
  const controller = new Controller({ fetch: () => Promise.reject(new Error('asked')) })
  for (const mistake of [() => controller.get(getList), () => controller.set(getList, [{ id: '1' }]), () => normalize({ users: getList }, { users: [] }), () => denormalize([getList], ['1'], emptyState)]) {
    const error = caught(mistake)
    assert.instance(error, SchemaError)
    assert.match(error.message, /^User\.getList is an endpoint.*\.schema/)
  }
})

test('an object that is no schema is a SchemaError that names it', () => {
  for (const wrong of [new User(), new Map(), new Widget()]) {
    const error = caught(() => normalize({ user: wrong }, { user: { id: '1' } }))
    assert.instance(error, SchemaError)
    assert.match(error.message, wrong.constructor.name)
  }
})

test.run()
