import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readResult, readRow } from '../support/state.ts'
import { applyPatches, denormalize, emptyState, Entity, normalize, PatchcordError, schema } from '../../src/index.ts'
import { caught, warnings } from '../support/caught.ts'
import { write } from '../support/write.ts'
import { User } from './entities.ts'

const test = suite('hostile shapes')

class Event extends Entity {
  id = ''
  at: Date | undefined = undefined
  static override key = 'Event'
  static override schema = { at: Date }
}

test('H35 an object where a list is expected is its values; a list where an object is expected is retained', () => {
  assert.equal(normalize([User], { x: { id: '1' }, y: { id: '2' } }).result, ['1', '2'])
  assert.equal(normalize({ page: { user: User } }, { page: [1, 2] }).result, { page: [1, 2] })
  assert.equal(denormalize({ page: { user: User } }, { page: [1, 2] }, emptyState) as unknown, { page: [1, 2] })
})

test('H35 wrong scalars are typed errors wherever a schema wants more, booleans and null stay', () => {
  const wanting: [unknown, unknown[]][] = [
    [User, [NaN, Symbol('s'), () => 1]],
    [[User], ['x', 5, NaN]],
    [{ user: User }, ['x', 5]],
    [new schema.Values(User), ['x', 5]],
    [new schema.Collection([User]), [5]],
    [new schema.Collection(new schema.Values(User)), [5]],
  ]
  for (const [shape, wrongs] of wanting) {
    for (const wrong of wrongs) assert.instance(caught(() => normalize({ field: shape }, { field: wrong })), PatchcordError)
    for (const fine of [true, false, null]) assert.equal(normalize({ field: shape }, { field: fine }).result, { field: fine })
    assert.equal(normalize({ field: shape }, { field: undefined }).result, {})
  }
})

test('H35 views of what stayed are what stayed', () => {
  for (const stays of [true, false, null]) {
    for (const shape of [User, [User], { user: User }, new schema.Values(User), new schema.Collection([User]), new schema.Union({ u: User }, 'type')]) {
      assert.equal(denormalize({ field: shape }, { field: stays }, emptyState), { field: stays } as never)
    }
  }
})

test('H35 a sparse list, and one with names, is the list of its indexes', () => {
  const sparse: unknown[] = [{ id: '1' }]
  sparse[3] = { id: '2' }
  const named = Object.assign([{ id: '3' }], { extra: { id: '4' } })
  const { state, result } = write({ sparse: [User], named: [User] }, { sparse, named })
  const view = denormalize({ sparse: [User], named: [User] }, result, state)!
  assert.equal(view.sparse.map((user) => user.id), ['1', '2'])
  assert.equal(view.named.map((user) => user.id), ['3'])
  assert.is(readRow(state, 'User', '4'), undefined)
  const stored = readRow(write(User, { id: '5', list: named }).state, 'User', '5') as unknown as { list: unknown[] }
  assert.equal(Object.keys(stored.list), ['0'])
})

test('H36 a date that is none is an Invalid Date, never a throw, and the same again is no change', () => {
  for (const at of ['garbage', '2020-13-45', '', 1e20, {}, [], true]) {
    const { state, result } = write(Event, { id: '1', at })
    const view = denormalize(Event, result, state)!
    assert.instance(view.at, Date)
    assert.is(denormalize(Event, result, state)!.at, view.at)
    assert.equal(write(Event, { id: '1', at }, state).change.patches, [])
    assert.type(JSON.stringify(view), 'string')
  }
  const { state, result } = write(Event, { id: '1', at: null })
  assert.is(denormalize(Event, result, state)!.at, null)
})

test('H36 a constructor that refuses gives undefined and a warning, never a throw', () => {
  class Decimal {
    readonly text: string
    constructor(text: string) {
      if (!/^-?\d+(\.\d+)?$/.test(text)) throw new RangeError(`no decimal: ${text}`)
      this.text = text
    }
  }
  class Price extends Entity {
    id = ''
    amount: Decimal | undefined = undefined
    static override key = 'Price'
    static override schema = { amount: Decimal }
  }
  const messages = warnings(() => {
    for (const amount of ['1e999999', 'NaN', '0x10', {}]) {
      const { state, result } = write(Price, { id: '1', amount })
      assert.is(denormalize(Price, result, state)!.amount, undefined)
    }
  })
  assert.is(messages.length, 1)
  const { state, result } = write(Price, { id: '1', amount: '1.50' })
  assert.is(denormalize(Price, result, state)!.amount!.text, '1.50')
})

test('H37 what JSON.parse decided is what counts', () => {
  assert.is(normalize(User, JSON.parse('{"id":"1","id":"2"}')).result, '2')
  const { state } = write(User, JSON.parse('{"id":"1","big":1e400,"n":-0}'))
  assert.is((readRow(state, 'User', '1') as { big?: unknown }).big, Infinity)
})

test('H37 text that was not parsed is an error, with a hint only when it would parse', () => {
  assert.match(caught(() => normalize(User, '{"id":"1"}')).message, 'not parsed')
  for (const text of ['\ufeff{"id":"1"}', '{"id":NaN}', '{"id":"1",}', '']) {
    assert.not.match(caught(() => normalize(User, text), PatchcordError).message, 'not parsed')
  }
})

test('H38 falsy results are data', () => {
  for (const value of ['', 0, false, null]) {
    assert.is(normalize(undefined, value).result, value)
    const state = applyPatches(emptyState, [{ op: 'add', path: ['endpoints', 'k'], value }])
    assert.is(readResult(state, 'k'), value)
    assert.is(denormalize(undefined, readResult(state, 'k'), state), value)
    assert.is(applyPatches(state, [{ op: 'replace', path: ['endpoints', 'k'], value }]).endpoints, state.endpoints)
  }
  assert.equal(normalize([User], []).result, [])
  const empty = write(new schema.Collection([User]), [])
  assert.equal(denormalize(new schema.Collection([User]), empty.result, empty.state), [])
})

test.run()
