import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { emptyState, normalize, schema, ValidationError } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { entity } from '../schema/todos.ts'

const test = suite('what normalize takes at the top')

const User = entity('User')
const users = new schema.Collection([User])

const messageOf = (shape: unknown, input: unknown): string => {
  const { status, message } = caught(() => normalize(shape, input), ValidationError)
  assert.is(status, 400)
  return message
}

for (const [name, wanted, named] of [
  ['an entity', User, /User/],
  ['a list', [User], /\[User\]/],
  ['an object', { user: User }, /\{ user \}/],
  ['schema.Array', new schema.Array(User), /Array/],
  ['schema.Values', new schema.Values(User), /Values/],
  ['schema.Union', new schema.Union({ user: User }, 'type'), /Union/],
  ['schema.All', new schema.All(User), /All/],
  ['schema.Collection', users, /Collection/],
  ['a creation', users.push, /Creation/],
  ['schema.Query', new schema.Query([User], () => 0), /Query/],
  ['schema.Lazy', new schema.Lazy([User]), /Lazy/],
] as const) {
  test(`${name} wants an object, and the error names what was expected and what was found`, () => {
    for (const [input, found] of [
      [null, 'null'], [undefined, 'undefined'], ['text', 'the string "text"'], [5, 'the number 5'], [true, 'the boolean true'], ['', 'the string ""'],
    ] as const) {
      const message = messageOf(wanted, input)
      assert.match(message, named)
      assert.match(message, `found ${found}`)
      assert.not.match(message, 'content-type')
    }
  })
}

test('a string that parses as JSON says that the response was not parsed', () => {
  for (const text of ['{"id":"1"}', ' [1]', '{}']) assert.match(messageOf(User, text), /not parsed.*content-type/)
  for (const text of ['{id:1}', '5', 'null', '"x"']) assert.not.match(messageOf(User, text), 'not parsed')
})

test('nothing where something is expected says what to do about a server that answers without a body', () => {
  for (const nothing of [null, undefined]) assert.match(messageOf(User, nothing), 'process()')
  assert.not.match(messageOf(User, 5), 'process()')
})

test('a long string is quoted in part', () => {
  assert.ok(messageOf(User, 'x'.repeat(10_000)).length < 300)
})

test('arguments, state and meta may be left out', () => {
  const { patches, stamps } = normalize(User, { id: '1' })
  assert.equal(patches, normalize(User, { id: '1' }, [], emptyState).patches)
  assert.equal(stamps, [{ key: 'User', pks: ['1'], stamp: { fetchedAt: 0, date: 0, expiresAt: Infinity } }])
})

test('an array where an entity is expected is an error', () => {
  assert.throws(() => normalize(User, [{ id: '1' }]), /User: pk\(\) gave undefined/)
})

test('an object that wraps the list says what came, and shows the schema that fits', () => {
  const input = { data: [{ id: '1' }], total: 1 }
  for (const wanted of [[User], new schema.Array(User), users]) {
    const message = messageOf(wanted, input)
    assert.match(message, /list of User.*an object with data, total/)
    assert.match(message, '{ data: new schema.Collection([User]), total: 0 }')
    assert.not.match(message, 'pk')
  }
  assert.equal(normalize({ data: users, total: 0 }, input).result, { data: '{}', total: 1 })
})

test('an object that has other members than entities is no list of them', () => {
  for (const input of [{ error: 'not logged in' }, { success: false }, { status: 'ok', data: null }, { id: '1', done: true }, { rows: [{ id: '1' }] }]) {
    assert.match(messageOf(users, input), `Expected a list of User, found an object with ${Object.keys(input).join(', ')}.`)
  }
  assert.match(messageOf([{ data: User }], { data: [{ id: '1' }], meta: { total: 1 } }), 'Expected a list of { data }, found an object with data, meta.')
  assert.equal([normalize([User], {}).result, normalize([{ data: User }], { a: { data: { id: '1' } } }).result], [[], [{ data: '1' }]])
})

test.run()
