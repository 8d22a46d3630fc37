import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { MissingPkError, normalize, schema } from '../../../src/index.ts'
import { caught, warnings } from '../../support/caught.ts'
import { entity } from './todos.ts'

const test = suite('the domain of primary keys')

const User = entity('User')
const users = new schema.Collection([User])

/** Its pk is whatever the test says. */
const withPk = (pk: unknown): unknown => entity('Odd', { pk: () => pk })

for (const [id, pk] of [['a', 'a'], [' ', ' '], ['0', '0'], [0, '0'], [-1, '-1'], [1.5, '1.5'], [12n, '12'], [-0, '0'], [1e21, '1e+21']] as const) {
  test(`${typeof id} ${Object.is(id, -0) ? '-0' : JSON.stringify(String(id))} is usable, as ${JSON.stringify(pk)}`, () => {
    warnings(() => assert.equal([normalize(User, { id }).result, normalize(withPk(id), { any: 1 }).result], [pk, pk]))
  })
}

for (const id of [undefined, '', null, NaN, Infinity, -Infinity, true, false, {}, [], ['1'], new Date(0), () => '1', Symbol('1')]) {
  const name = typeof id === 'symbol' || typeof id === 'function' ? typeof id : Array.isArray(id) ? `[${id.join()}]` : String(id === '' ? "''" : id)
  test(`${name} is not usable`, () => {
    const { status, key, value } = caught(() => normalize(withPk(id), { name: 'x' }), MissingPkError, /^Odd: pk\(\) gave /)
    assert.equal([status, key, value], [400, 'Odd', { name: 'x' }])
  })
}

for (const spilled of ['undefined', 'null', 'NaN', '[object Object]']) {
  test(`the string ${JSON.stringify(spilled)} is usable only when a field says that very word`, () => {
    assert.instance(caught(() => normalize(withPk(spilled), { name: 'x' })), MissingPkError)
    assert.is(normalize(withPk(spilled), { code: spilled }).result, spilled)
    assert.is(normalize(User, { id: spilled }).result, spilled)
  })
}

const byName = new schema.Collection(new schema.Values(User))
const refused: [string, RegExp, unknown, ...unknown[]][] = [
  ['an empty value says so', /The value is empty/, User, {}],
  ['an id that is no pk is named', /Its "id" must be/, User, { id: null, name: 'x' }],
  ['other fields are named', /It has the fields uuid, name; give User a pk\(\)/, User, { uuid: '1', name: 'x' }],
  ['one entity without a pk refuses the whole response', /User/, [User], [{ id: '1' }, { name: 'x' }]],
  ['the answer to a push needs a pk', /User/, users.push, { name: 'a' }, [{ id: '7' }, { name: 'b' }]],
  ['the answer to an unshift needs a pk', /User/, users.unshift, { name: 'a' }, [{ id: '7' }, { name: 'b' }]],
  ['the answer to addWith needs a pk', /User/, users.addWith((list: unknown) => list), { name: 'a' }, [{ id: '7' }, { name: 'b' }]],
  ['the answer to assign needs a pk', /User/, byName.assign, { x: { name: 'a' } }],
  ['after a creation in the same response the rule is as strict as before', /User/, { made: users.push, other: User }, { made: {}, other: {} }],
]
for (const [title, message, shape, ...inputs] of refused) {
  test(`the error of a missing pk: ${title}`, () => {
    for (const input of inputs) caught(() => normalize(shape, input), MissingPkError, message)
  })
}

test('the value in the error is the processed one', () => {
  const Processed = entity('Processed', { process: (input) => ({ ...input, seen: true }) })
  assert.equal(caught(() => normalize(Processed, { a: 1 }))['value'], { a: 1, seen: true })
})

test('an integer beyond 2^53 warns, once for each class', () => {
  const Big = entity('Big')
  const messages = warnings(() => {
    normalize([Big], [{ id: 2 ** 53 }, { id: 2 ** 54 }])
    normalize(Big, { id: 2 ** 53 })
  })
  assert.is(messages.length, 1)
  assert.match(messages[0]!, /Big .*9007199254740992.*strings/)
  const safe = [{ id: 2 ** 53 - 1 }, { id: '9007199254740993' }, { id: 9007199254740993n }]
  assert.equal(warnings(() => normalize([entity('Safe')], safe)), [])
})

test.run()
