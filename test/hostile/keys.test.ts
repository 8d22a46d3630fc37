import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findPk, query, readRow } from '../support/state.ts'
import { applyPatches, denormalize, emptyState, Entity, exportState, importState, normalize, schema, SchemaError } from '../../src/index.ts'
import { documentOf, patchDocument, sameDocuments } from '../laws/document.ts'
import { caught, warnings } from '../support/caught.ts'
import { at, write } from '../support/write.ts'
import { User } from './entities.ts'
import { pristine } from './pristine.ts'

const test = suite('hostile keys')
test.after.each(() => assert.ok(pristine()))

const users = new schema.Collection([User])
const hostile = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', '__lookupSetter__', 'isPrototypeOf', 'then', 'length']

for (const pk of hostile) {
  const row = pk === '__proto__' ? 'H01' : 'H02'
  test(`${row} the pk ${pk} is an ordinary one: stored, listed, updated, found, deleted, restored`, () => {
    const first = write(users, [{ id: pk, name: 'evil' }, { id: 'plain', best: pk }])
    const { result } = first
    let { state } = first
    assert.equal(denormalize(users, result, state)!.map((user) => [user.id, user.name]), [[pk, 'evil'], ['plain', '']])
    assert.is(denormalize(User, 'plain', state)!.best!.id, pk)
    assert.is(denormalize(User, 'name', state), undefined)
    state = write(User, { id: pk, name: 'changed' }, state).state
    assert.is(denormalize(User, pk, state)!.name, 'changed')
    assert.is(findPk(User, [{ name: 'changed' }], state), pk)
    assert.is(findPk(User, [pk], state), pk)
    assert.is(write(users.push, { id: pk }, state).change.patches.length, 0)
    const gone = write(new schema.Invalidate(User), pk, state, [], at(1))
    assert.is(denormalize(User, pk, gone.state), undefined)
    assert.equal(denormalize(users, result, gone.state)!.map((user) => user.id), ['plain'])
    assert.is(denormalize(User, pk, applyPatches(gone.state, gone.change.inversePatches))!.name, 'changed')
    assert.is(denormalize(User, pk, importState(JSON.parse(JSON.stringify(exportState(state)))))!.name, 'changed')
  })

  test(`${row} patches of the pk ${pk} apply in real Immer, forwards and backwards`, () => {
    const before = write(User, { id: pk, deep: { list: [1], named: { [pk === '__proto__' ? 'x' : pk]: 1 } } }, write(User, { id: 'other' }).state).state
    const { change, state } = write(User, { id: pk, name: 'n', deep: { list: [0, 1], named: { [pk === '__proto__' ? 'x' : pk]: 2 } } }, before)
    assert.ok(change.patches.length >= 3)
    const [from, to] = [documentOf(before), documentOf(state)]
    const forwards = patchDocument(from, change.patches)
    assert.equal([sameDocuments(forwards, to), sameDocuments(forwards, from)], [true, false])
    assert.ok(sameDocuments(patchDocument(forwards, change.inversePatches), from))
  })

  test(`H03 reading the pk ${pk} where it is not stored finds nothing`, () => {
    const { state } = write(users, [{ id: '1' }])
    for (const from of [state, emptyState]) {
      assert.is(denormalize(User, pk, from), undefined)
      assert.equal(denormalize([User], [pk], from), [])
      assert.is(findPk(User, [pk], from), undefined)
      assert.is(findPk(User, [{ id: pk }], from), undefined)
      assert.is(findPk(User, [{ name: pk }], from), undefined)
      assert.is(denormalize(users, pk, from), undefined)
    }
    assert.is(denormalize(class Odd extends Entity { static override key = pk === 'constructor' || pk === 'prototype' || pk === '__proto__' ? 'Odd' : pk }, '1', state), undefined)
  })
}

for (const key of ['__proto__', 'constructor', 'prototype']) {
  test(`H04 static key = '${key}' is a SchemaError at first use`, () => {
    class Evil extends Entity {
      static override key = key
    }
    for (const run of [() => normalize(Evil, { id: 'polluted', x: 1 }), () => normalize([Evil], [{ id: '1' }]), () => normalize({ evil: Evil }, { evil: { id: '1' } })]) {
      caught(run, SchemaError, JSON.stringify(key))
    }
    assert.is(({} as { polluted?: unknown }).polluted, undefined)
  })
}

test('H04 a class whose derived name is one of these is refused too', () => {
  class prototype extends Entity {}
  assert.instance(caught(() => normalize(prototype, { id: '1' })), SchemaError)
})

test('H07 a field of static schema with a hostile name is normalized', () => {
  class Odd extends Entity {
    static override key = 'Odd'
    static override schema = { constructor: User, toString: [User], hasOwnProperty: new schema.Values(User), valueOf: User }
  }
  const messages = warnings(() => {
    const { state, result } = write(Odd, { id: '1', constructor: { id: 'c' }, toString: [{ id: 't' }], hasOwnProperty: { x: { id: 'h' } } })
    assert.is(JSON.stringify(readRow(state, 'Odd', '1')), '{"id":"1","constructor":"c","toString":["t"],"hasOwnProperty":{"x":"h"}}')
    for (const pk of ['c', 't', 'h']) assert.ok(readRow(state, 'User', pk))
    const view = denormalize(Odd, result, state)!
    assert.instance(view, Odd)
    assert.type(view.toString, 'function')
  })
  assert.is(messages.length, 3)
})

test('H07 an index finds hostile values, and only where they are', () => {
  const values = hostile.map((name, i) => ({ id: String(i), name }))
  const { state } = write([User], values)
  for (const { id, name } of values) assert.is(findPk(User, [{ name }], state), id)
  const few = write([User], values.slice(0, 1)).state
  for (const { name } of values.slice(1)) assert.is(findPk(User, [{ name }], few), undefined)
})

test('H07 a field with a hostile name may be an index', () => {
  class Odd extends Entity {
    static override key = 'Odd'
    static override indexes = ['constructor', 'toString']
  }
  const { state } = write([Odd], [{ id: '1', constructor: 'x' }, { id: '2' }])
  assert.is(findPk(Odd, [{ constructor: 'x' }], state), '1')
  assert.is(findPk(Odd, [{ other: 'x' }], state), undefined)
})

test('H08 a type that is not in the mapping by its own name leaves the object as it is', () => {
  const mapping = { user: User }
  for (const type of ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf']) {
    const input = { id: '1', type, data: [1] }
    const shapes = [new schema.Union(mapping, 'type'), new schema.Union(mapping, (value: { type: string }) => value.type)]
    warnings(() => {
      for (const shape of shapes) {
        const { result, change, state } = write(shape, input)
        assert.equal(result, input)
        assert.equal(change.patches, [])
        assert.equal(denormalize(shape, result, state), input as never)
      }
      assert.equal(write(new schema.Array(mapping, 'type'), [input]).result, [input])
      assert.equal(write(new schema.Values(mapping, 'type'), { x: input }).result, { x: input })
      assert.equal(write(new schema.Invalidate(mapping, 'type'), input).change.stamps, [])
    })
    assert.is(query(new schema.Union(mapping, 'type'), [{ id: '1', type }], write(User, { id: '2' }).state), undefined)
  }
})

test('H08 an attribute that only the prototype has is no attribute', () => {
  warnings(() => {
    assert.equal(write(new schema.Union({ user: User }, 'constructor'), { id: '1' }).change.patches, [])
    assert.equal(write(new schema.Union({ user: User }, 'type'), Object.create({ type: 'user', id: '1' })).change.patches, [])
  })
})

test('H09 schema.Values keeps entries with hostile names as own data, but for __proto__, which is dropped with a warning', () => {
  const values = new schema.Values(User)
  const input = JSON.parse('{"__proto__":{"id":"p"},"constructor":{"id":"c"},"length":{"id":"l"},"toString":{"id":"t"}}') as unknown
  for (const shape of [values, new schema.Collection(values)]) {
    const messages = warnings(() => {
      const { result, state } = write(shape, input)
      const view = denormalize(shape, result, state) as { [name: string]: User }
      assert.equal(Object.keys(view), ['constructor', 'length', 'toString'])
      assert.is(view['length']!.id, 'l')
      assert.is(Object.getPrototypeOf(view), Object.prototype)
    })
    assert.is(messages.length, 1)
    assert.match(messages[0]!, '__proto__')
  }
})

test('H10 arguments with hostile names are part of the collection key, and filter as any others', () => {
  const args = hostile.map((name) => JSON.parse(`{${JSON.stringify(name)}:"x","a":1}`) as object)
  const keys = [...args, { a: 1 }].map((each) => normalize(users, [], [each]).result)
  assert.is(new Set(keys).size, hostile.length + 1)
  for (const each of args) {
    let { state } = write(users, [], undefined, [each])
    state = write(users, [], state, [{ a: 1 }]).state
    const [own, plain] = [normalize(users, [], [each]).result as string, '{"a":"1"}']
    const one = write(users.push, { id: 'n' }, state, [each]).state
    assert.equal([readRow(one, '[User]', own), readRow(one, '[User]', plain)], [['n'], ['n']])
    const other = write(users.push, { id: 'n' }, state, [{ a: 1 }]).state
    assert.equal([readRow(other, '[User]', own), readRow(other, '[User]', plain)], [[], ['n']])
  }
})

test('H10 argsKey and nestKey may give hostile names', () => {
  const odd = new schema.Collection([User], { argsKey: () => JSON.parse('{"__proto__":1,"constructor":2}') as object })
  assert.is(normalize(odd, []).result, '{"__proto__":"1","constructor":"2"}')
})

test.run()
