import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../support/state.ts'
import { Controller, denormalize, Endpoint, Entity, exportState, importState, MissingPkError, normalize, schema } from '../../src/index.ts'
import { caught, warnings } from '../support/caught.ts'
import { write } from '../support/write.ts'
import { User } from './entities.ts'

const test = suite('hostile identities')

class Joined extends Entity {
  static override key = 'Joined'
  override pk(): string {
    const { a } = this as unknown as { a?: string }
    return `${a}`
  }
}
const users = new schema.Collection([User])

test('H20 a pk of undefined, an empty string or the word undefined is an error for a read', () => {
  for (const input of [{}, { id: undefined }, { id: '' }]) assert.instance(caught(() => normalize(User, input)), MissingPkError)
  assert.instance(caught(() => normalize(Joined, { b: 1 })), MissingPkError)
})

test('H20 nor is it one in the answer to a creation', () => {
  for (const input of [{}, { id: undefined }, { id: '' }]) assert.instance(caught(() => normalize(users.push, { ...input, name: 'n' })), MissingPkError)
})

test('H20 creations that are shown before they are answered have pks of their own', () => {
  const controller = new Controller()
  const getUsers = new Endpoint(async () => [], { name: 'users', schema: users })
  const push = new Endpoint(async (_body: object) => new Promise<never>(() => {}), { name: 'push', sideEffect: true, schema: users.push, getOptimisticResponse: (_snap: unknown, body: object) => body })
  controller.setResponse(getUsers, [])
  for (let n = 0; n < 5; n++) void controller.fetch(push, { n })
  const visible = controller.getResponse(getUsers).data as unknown as { id: string; n: number }[]
  assert.equal(visible.map(({ n }) => n), [0, 1, 2, 3, 4])
  assert.is(new Set(visible.map(({ id }) => id)).size, 5)
})

test('H20 the word undefined from the server is an id like any other', () => {
  assert.is(normalize(User, { id: 'undefined' }).result, 'undefined')
  assert.is(normalize(Joined, { a: 'undefined' }).result, 'undefined')
})

test('H21 null, NaN, infinities, booleans, objects and lists are no pk', () => {
  for (const id of [null, NaN, Infinity, -Infinity, true, false, {}, [], [1], { id: 1 }]) assert.instance(caught(() => normalize(User, { id })), MissingPkError)
  assert.instance(caught(() => normalize(User, JSON.parse('{"id":1e400}'))), MissingPkError)
})

test('H21 nor are they where a pk stands for an entity', () => {
  for (const id of [NaN, Infinity, -Infinity]) assert.throws(() => normalize([User], [id]), /Expected User/)
})

test('H22 the ids 1 and "1" are one entity', () => {
  const { change, result } = write([User], [{ id: 1, a: 1 }, { id: '1', b: 2 }, { id: 1n, c: 3 }])
  assert.equal(result, ['1', '1', '1'])
  assert.equal(change.patches, [{ op: 'add', path: ['entities', 'User', '1'], value: { id: 1n, a: 1, b: 2, c: 3 } }])
})

test('H23 two ids that JSON.parse made one are reported; as text they stay two', () => {
  class Order extends Entity {
    static override key = 'Order'
  }
  const messages = warnings(() => normalize([Order], JSON.parse('[{"id":12345678901234567890},{"id":12345678901234567891}]')))
  assert.is(messages.length, 1)
  assert.match(messages[0]!, /Order.*2\^53.*strings/)
  assert.equal(normalize([Order], [{ id: '12345678901234567890' }, { id: '12345678901234567891' }]).result, ['12345678901234567890', '12345678901234567891'])
})

test('H24 numbers become text as String does, and "01" is not 1', () => {
  warnings(() => {
    const ids = [-0, 0, 1e21, 0.1 + 0.2, '01', 1, ' 1', '1.0', 1.0]
    assert.equal(normalize([User], ids.map((id) => ({ id }))).result, ['0', '0', '1e+21', '0.30000000000000004', '01', '1', ' 1', '1.0', '1'])
    assert.equal(normalize([User], ids).result, normalize([User], ids.map((id) => ({ id }))).result)
  })
})

const exact = ['\ud800', '\udfff', '\ufffd', '\u00e9', 'e\u0301', '\u0000', '\u0000\u0000', '\u00a0', '\u2028', '"', '\\', '{}', '[]', '\u{1f600}', 'x'.repeat(1_000_000), 'x'.repeat(999_999)]

test('H25 H26 lone surrogates, NFC and NFD, NUL and a megabyte are each an entity of their own', () => {
  const { state, result } = write(users, exact.map((id, n) => ({ id, n })))
  assert.equal(denormalize(users, result, state)!.map((user) => (user as unknown as { n: number }).n), exact.map((_, n) => n))
  for (const [n, id] of exact.entries()) assert.equal(readRow(state, 'User', id), { id, n })
})

test('H25 H26 they come back exactly from an export as JSON', () => {
  const { state } = write([User], exact.map((id, n) => ({ id, n })))
  const back = importState(JSON.parse(JSON.stringify(exportState(state))))
  for (const [n, id] of exact.entries()) assert.equal(readRow(back, 'User', id), { id, n })
})

test('H25 H26 they are different in arguments and collection keys too', () => {
  const keys = exact.map((text) => normalize(users, [], [{ text }]).result)
  assert.is(new Set(keys).size, exact.length)
})

test('H27 the same pk twice in one payload is merged in order; in a collection it is one member', () => {
  const { state, result } = write(users, [{ id: '1', a: 1, b: 1 }, { id: '2' }, { id: '1', b: 2 }])
  assert.equal(readRow(state, 'User', '1'), { id: '1', a: 1, b: 2 })
  assert.equal(readRow(state, '[User]', result as string), ['1', '2'])
  const pushed = write(users.push, [{ id: '3', a: 1 }, { id: '3', b: 2 }, { id: '1' }], state).state
  assert.equal(readRow(pushed, '[User]', '{}'), ['1', '2', '3'])
  assert.equal(readRow(pushed, 'User', '3'), { id: '3', a: 1, b: 2 })
  assert.equal(readRow(write(users.push, { id: '3' }, pushed).state, '[User]', '{}'), ['1', '2', '3'])
})

test('H27 a plain list keeps its cardinality', () => {
  assert.equal(write([User], [{ id: '1' }, { id: '1' }]).result, ['1', '1'])
})

test('H28 the same pk under two classes, or two types of one list, is two entities', () => {
  class Bot extends Entity {
    id = ''
    static override key = 'Bot'
  }
  const mixed = new schema.Collection([new schema.Union({ user: User, bot: Bot }, 'type')])
  const { state, result } = write(mixed, [{ id: '1', type: 'user', n: 'u' }, { id: '1', type: 'bot', n: 'b' }])
  assert.equal([readRow(state, 'User', '1'), readRow(state, 'Bot', '1')], [{ id: '1', type: 'user', n: 'u' }, { id: '1', type: 'bot', n: 'b' }])
  assert.is(denormalize(mixed, result, state)!.length, 2)
  const without = write(new schema.Invalidate(Bot), '1', state).state
  assert.instance(denormalize(mixed, result, without)![0], User)
})

test('H28 keys and pks that could be mistaken for each other when joined are not', () => {
  class A extends Entity {
    static override key = 'a'
  }
  class B extends Entity {
    static override key = 'a b'
  }
  const { state } = write({ one: A, two: B }, { one: { id: 'b c', n: 1 }, two: { id: 'c', n: 2 } })
  assert.equal([readRow(state, 'a', 'b c'), readRow(state, 'a b', 'c')], [{ id: 'b c', n: 1 }, { id: 'c', n: 2 }])
})

test.run()
