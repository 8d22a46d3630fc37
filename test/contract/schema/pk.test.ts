import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity, MissingPkError, normalize, schema } from '../../../src/index.ts'
import { caught, warnings } from '../../support/caught.ts'

const test = suite('the domain of primary keys')

class User extends Entity {
  static override key = 'User'
}

/** Its pk is whatever the test says. */
function withPk(pk: unknown): typeof Entity {
  return class extends Entity {
    static override key = 'Odd'
    override pk(): string {
      return pk as string
    }
  }
}

for (const [id, pk] of [['a', 'a'], [' ', ' '], ['0', '0'], [0, '0'], [-1, '-1'], [1.5, '1.5'], [12n, '12'], [-0, '0'], [1e21, '1e+21']] as const) {
  test(`${typeof id} ${Object.is(id, -0) ? '-0' : JSON.stringify(String(id))} is usable, as ${JSON.stringify(pk)}`, () => {
    warnings(() => {
      assert.is(normalize(User, { id }).result, pk)
      assert.is(normalize(withPk(id), { any: 1 }).result, pk)
    })
  })
}

const unusable = [undefined, '', null, NaN, Infinity, -Infinity, true, false, {}, [], ['1'], new Date(0), () => '1', Symbol('1')]

for (const id of unusable) {
  const name = typeof id === 'symbol' || typeof id === 'function' ? typeof id : Array.isArray(id) ? `[${id.join()}]` : String(id === '' ? "''" : id)
  test(`${name} is not usable`, () => {
    const error = caught(() => normalize(withPk(id), { name: 'x' }))
    assert.instance(error, MissingPkError)
    assert.is(error['status'], 400)
    assert.is(error['key'], 'Odd')
    assert.equal(error['value'], { name: 'x' })
    assert.match(error.message, /^Odd: pk\(\) gave /)
  })
}

for (const spilled of ['undefined', 'null', 'NaN', '[object Object]']) {
  test(`the string ${JSON.stringify(spilled)} is usable only when a field says that very word`, () => {
    assert.instance(caught(() => normalize(withPk(spilled), { name: 'x' })), MissingPkError)
    assert.is(normalize(withPk(spilled), { code: spilled }).result, spilled)
    assert.is(normalize(User, { id: spilled }).result, spilled)
  })
}

test('the error says the likely cause', () => {
  assert.match(caught(() => normalize(User, {})).message, 'The value is empty')
  assert.match(caught(() => normalize(User, { id: null, name: 'x' })).message, 'Its "id" must be')
  assert.match(caught(() => normalize(User, { uuid: '1', name: 'x' })).message, 'It has the fields uuid, name; give User a pk()')
})

test('the value in the error is the processed one', () => {
  class Processed extends Entity {
    static override key = 'Processed'
    static override process(input: object): { [field: string]: unknown } {
      return { ...input, seen: true }
    }
  }
  assert.equal(caught(() => normalize(Processed, { a: 1 }))['value'], { a: 1, seen: true })
})

test('one entity without a pk refuses the whole response', () => {
  const error = caught(() => normalize([User], [{ id: '1' }, { name: 'x' }]))
  assert.instance(error, MissingPkError)
})

test('an integer beyond 2^53 warns, once for each class', () => {
  class Big extends Entity {
    static override key = 'Big'
  }
  const messages = warnings(() => {
    normalize([Big], [{ id: 2 ** 53 }, { id: 2 ** 54 }])
    normalize(Big, { id: 2 ** 53 })
  })
  assert.is(messages.length, 1)
  assert.match(messages[0]!, /Big .*9007199254740992.*strings/)
  assert.equal(warnings(() => normalize([Big], [{ id: 2 ** 53 - 1 }, { id: '9007199254740993' }, { id: 9007199254740993n }])), [])
})

test('the answer to a creation needs a pk', () => {
  const users = new schema.Collection([User])
  for (const creation of [users.push, users.unshift, users.addWith((list: unknown) => list)]) {
    for (const input of [{ name: 'a' }, [{ id: '7' }, { name: 'b' }]]) assert.instance(caught(() => normalize(creation, input)), MissingPkError)
  }
  assert.instance(caught(() => normalize(new schema.Collection(new schema.Values(User)).assign, { x: { name: 'a' } })), MissingPkError)
})

test('a temporary pk comes from meta, with the key and the position, so that a layer may repeat it', () => {
  const received: unknown[] = []
  const meta = {
    fetchedAt: 1, date: 1, expiresAt: 1,
    temporary: (key: string, position: number) => {
      received.push([key, position])
      return `layer7-${position}`
    },
  }
  const users = new schema.Collection([User])
  assert.equal(normalize(users.push, [{}, { id: '1' }, {}], [], undefined, meta).result, ['layer7-0', '1', 'layer7-1'])
  assert.equal(received, [['User', 0], ['User', 1]])
})

test('after a creation in the same response the rule is as strict as before', () => {
  const users = new schema.Collection([User])
  assert.instance(caught(() => normalize({ made: users.push, other: User }, { made: {}, other: {} })), MissingPkError)
})

test.run()
