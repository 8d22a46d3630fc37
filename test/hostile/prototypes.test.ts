import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../support/state.ts'
import { denormalize, Entity, exportState, normalize, schema } from '../../src/index.ts'
import { warnings } from '../support/caught.ts'
import { write } from '../support/write.ts'
import { pristine } from './pristine.ts'

const test = suite('hostile payload fields')
test.after.each(() => assert.ok(pristine()))

class User extends Entity {
  id = ''
  name = ''
  meta: { [field: string]: unknown } = {}
  static override key = 'User'
}

const evil = '"__proto__":{"isAdmin":true}'
const fields: [string, unknown, string][] = [
  ['on an entity', User, `{"id":"1",${evil}}`],
  ['in a nested object', User, `{"id":"1","meta":{"a":1,${evil}}}`],
  ['in a list element', User, `{"id":"1","meta":{"list":[{"a":1,${evil}}]}}`],
  ['three levels down', User, `{"id":"1","meta":{"a":{"b":{"c":{${evil}}}}}}`],
  ['on the object around an entity', { user: User }, `{"user":{"id":"1"},${evil}}`],
  ['in a copied part of the response', { user: User }, `{"user":{"id":"1"},"page":{"a":[{${evil}}]}}`],
  ['on a creation', new schema.Collection([User]).push, `{"id":"1",${evil}}`],
  ['without a schema', undefined, `{"id":"1","list":[{${evil}}]}`],
  ['on what nobody mapped', new schema.Union({ user: User }, 'type'), `{"id":"1","type":"x",${evil}}`],
]

for (const [name, shape, text] of fields) {
  test(`H05 an own __proto__ ${name} is dropped, with one warning`, () => {
    const messages = warnings(() => {
      const { state, result, change } = write(shape, JSON.parse(text))
      const everything = JSON.stringify([result, change.patches, exportState(state), denormalize(shape, result, state)])
      assert.not.match(everything, 'isAdmin')
      assert.not.match(everything, '__proto__')
      const user = denormalize(User, '1', state)
      if (user) {
        assert.instance(user, User)
        assert.is((user as { isAdmin?: unknown }).isAdmin, undefined)
        assert.is((user.meta as { isAdmin?: unknown }).isAdmin, undefined)
      }
    })
    assert.is(messages.filter((sentence) => sentence.includes('__proto__')).length, 1)
  })
}

test('H05 also when process, merge or a patch of the class brings it back', () => {
  class Echo extends User {
    static override key = 'Echo'
    static override process(): { [field: string]: unknown } {
      return JSON.parse(`{"id":"1","a":{${evil}},${evil}}`) as { [field: string]: unknown }
    }
    static override merge(): { [field: string]: unknown } {
      return JSON.parse(`{"id":"1","merged":true,"a":{${evil}},${evil}}`) as { [field: string]: unknown }
    }
  }
  warnings(() => {
    const first = write(Echo, { id: '1' }).state
    assert.equal(readRow(first, 'Echo', '1'), { id: '1', a: {} })
    const { state } = write([Echo], [{ id: '1' }, { id: '1' }], first)
    assert.is(JSON.stringify(readRow(state, 'Echo', '1')), '{"id":"1","a":{},"merged":true}')
    assert.is(Object.getPrototypeOf(readRow(state, 'Echo', '1')), Object.prototype)
  })
})

test('H05 an input whose prototype was set by __proto__ in a literal lends nothing', () => {
  const input = { id: '1', __proto__: { isAdmin: true, name: 'inherited' } }
  const { state } = write(User, input)
  assert.equal(readRow(state, 'User', '1'), { id: '1' })
  assert.is(denormalize(User, '1', state)!.name, '')
})

test('H06 fields named like members of every object or entity are data, and the class keeps its own', () => {
  const payload = {
    id: '1', constructor: 'c', pk: 'p', toString: 's', valueOf: 'v', hasOwnProperty: 'h', toJSON: 'j', then: 't', key: 'k', schema: 'S', prototype: 'x', name: 'n',
  }
  warnings(() => {
    const { state, result } = write(User, payload)
    const stored = readRow(state, 'User', '1')
    assert.is(JSON.stringify(Object.entries(stored!)), JSON.stringify(Object.entries(payload)))
    const view = denormalize(User, result, state)!
    assert.instance(view, User)
    assert.is(view.constructor, User)
    assert.type(view.pk, 'function')
    assert.is(String(view), '[object Object]')
    assert.is((view as { then?: unknown }).then, 't')
    assert.is((view as { schema?: unknown }).schema, 'S')
    assert.is(JSON.parse(JSON.stringify(view)).key, 'k')
    assert.equal(write(User, payload, state).change.patches, [])
  })
})

test('H06 an entity with a then can be awaited and returned from a promise', async () => {
  for (const then of ['x', {}, 5, null, [1]]) {
    const { state, result } = write(User, { id: '1', then })
    const view = denormalize(User, result, state)
    assert.is(await Promise.resolve(view), view)
    assert.is(await (async () => view)(), view)
  }
})

test('H06 methods that came as data are never called', () => {
  let called = 0
  const call = (): string => String(called++)
  const trap = { pk: call, toString: call, valueOf: call, toJSON: call, [Symbol.toPrimitive]: call, normalize: call, process: call, validate: call }
  warnings(() => {
    const users = new schema.Collection([User])
    const { state } = write(users, [{ id: '1', ...trap, nested: { ...trap } }], undefined, [{ a: 1 }])
    write(users.push, { id: '1', ...trap }, state, [{ a: 1 }])
    write(new schema.Invalidate(User), { id: '1', ...trap }, state)
    denormalize(users, '{"a":"1"}', state)
  })
  assert.is(called, 0)
})

test('H06 a field called schema, id or key does not pass for a reference of ours', () => {
  const media = new schema.Union({ user: User }, 'type')
  const { state } = write(User, { id: 'secret', name: 'secret' })
  const { result } = write({ media }, { media: { id: '1', type: 'user', schema: 'user', key: 'User' } }, state)
  assert.equal(result, { media: { id: '1', schema: 'user' } })
})

test('the field constructor is patched at its own path and never through it', () => {
  const first = write(User, { id: '1', meta: { constructor: { a: 1, b: 1 }, prototype: [1, 2] } }).state
  const { patches, inversePatches } = normalize(User, { id: '1', meta: { constructor: { a: 2, b: 1 }, prototype: [1] } }, [], first)
  for (const each of [...patches, ...inversePatches]) {
    assert.equal(each.path.slice(0, 4), ['entities', 'User', '1', 'meta'])
    assert.is(each.path.length, 5)
  }
  assert.is(patches.length, 2)
})

test.run()
