import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { emptyState, Entity, normalize, schema, ValidationError } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'

const test = suite('what normalize takes at the top')

class User extends Entity {
  static override key = 'User'
}

const wanting: [string, unknown, RegExp][] = [
  ['an entity', User, /User/],
  ['a list', [User], /\[User\]/],
  ['an object', { user: User }, /\{ user \}/],
  ['schema.Array', new schema.Array(User), /Array/],
  ['schema.Values', new schema.Values(User), /Values/],
  ['schema.Union', new schema.Union({ user: User }, 'type'), /Union/],
  ['schema.All', new schema.All(User), /All/],
  ['schema.Collection', new schema.Collection([User]), /Collection/],
  ['a creation', new schema.Collection([User]).push, /Creation/],
  ['schema.Query', new schema.Query([User], () => 0), /Query/],
  ['schema.Lazy', new schema.Lazy([User]), /Lazy/],
]

for (const [name, wanted, named] of wanting) {
  test(`${name} wants an object, and the error names what was expected and what was found`, () => {
    const found: [unknown, string][] = [[null, 'null'], [undefined, 'undefined'], ['text', 'the string "text"'], [5, 'the number 5'], [true, 'the boolean true'], ['', 'the string ""']]
    for (const [input, text] of found) {
      const error = caught(() => normalize(wanted, input))
      assert.instance(error, ValidationError)
      assert.is(error['status'], 400)
      assert.match(error.message, named)
      assert.match(error.message, `found ${text}`)
      assert.not.match(error.message, 'content-type')
    }
  })
}

test('a string that parses as JSON says that the response was not parsed', () => {
  for (const text of ['{"id":"1"}', ' [1]', '{}']) {
    const { message } = caught(() => normalize(User, text))
    assert.match(message, /not parsed.*content-type/)
  }
  for (const text of ['{id:1}', '5', 'null', '"x"']) assert.not.match(caught(() => normalize(User, text)).message, 'not parsed')
})

test('nothing where something is expected says what to do about a server that answers without a body', () => {
  for (const nothing of [null, undefined]) assert.match(caught(() => normalize(User, nothing)).message, 'process()')
  assert.not.match(caught(() => normalize(User, 5)).message, 'process()')
})

test('a long string is quoted in part', () => {
  assert.ok(caught(() => normalize(User, 'x'.repeat(10_000))).message.length < 300)
})

test('Invalidate takes a string or a number', () => {
  const gone = new schema.Invalidate(User)
  assert.is(normalize(gone, '5').result, '5')
  assert.is(normalize(gone, 5).result, '5')
})

test('without a schema the result equals the input, and there are no patches', () => {
  for (const input of [{ a: [1, { b: null }] }, [], 'text', '', 0, false, null, undefined]) {
    const { result, patches, inversePatches, stamps } = normalize(undefined, input)
    assert.equal(result, input)
    assert.equal([patches, inversePatches, stamps], [[], [], []])
  }
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
  for (const wanted of [[User], new schema.Array(User), new schema.Collection([User])]) {
    const error = caught(() => normalize(wanted, { data: [{ id: '1' }], total: 1 }))
    assert.instance(error, ValidationError)
    assert.match(error.message, 'list of User')
    assert.match(error.message, 'an object with data, total')
    assert.match(error.message, '{ data: new schema.Collection([User]), total: 0 }')
    assert.not.match(error.message, 'pk')
  }
  const page = { data: new schema.Collection([User]), total: 0 }
  assert.is((normalize(page, { data: [{ id: '1' }], total: 1 }).result as { total: number }).total, 1)
})

test.run()
