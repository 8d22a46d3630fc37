import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findPk, readResult, readRow } from '../../support/state.ts'
import { applyPatches, denormalize, DepthError, emptyState, Entity, MissingPkError, normalize, schema } from '../../../src/index.ts'
import type { Fields, State } from '../../../src/index.ts'
import { caught, warnings } from '../../support/caught.ts'
import { at, write, writeAll } from '../../support/write.ts'

const test = suite('bugs that data-client had')

class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
  static override indexes = ['name']
}
const users = new schema.Collection([User])

test('B03 a wall clock that steps back does not freeze data: order decides, not the date', () => {
  const first = write(User, { id: '1', name: 'old' }, undefined, [], { fetchedAt: 1, date: 5_000, expiresAt: 6_000 }).state
  const later = write(User, { id: '1', name: 'new' }, first, [], { fetchedAt: 2, date: 1_000, expiresAt: 2_000 }).state
  assert.is(denormalize(User, '1', later)!.name, 'new')
})

test('B04 two partial payloads end in the same record, whichever arrives first', () => {
  const [early, late] = [{ id: '1', a: 'early', b: 'early' }, { id: '1', b: 'late', c: 'late' }]
  const inOrder = write(User, late, write(User, early, undefined, [], at(1)).state, [], at(2)).state
  const swapped = write(User, early, write(User, late, undefined, [], at(2)).state, [], at(1)).state
  assert.equal(readRow(inOrder, 'User', '1'), { id: '1', a: 'early', b: 'late', c: 'late' })
  assert.equal(readRow(swapped, 'User', '1'), readRow(inOrder, 'User', '1'))
})

test('B05 a list that was asked for before the deletion does not bring the entity back', () => {
  let state: State = write(users, [{ id: '1' }, { id: '2' }], undefined, [], at(1)).state
  state = write(new schema.Invalidate(User), '1', state, [], at(3)).state
  const stale = write(users, [{ id: '1', name: 'zombie' }, { id: '2' }], state, [], at(2))
  assert.is(denormalize(User, '1', stale.state), undefined)
  assert.equal(denormalize(users, stale.result, stale.state)!.map((user) => user.id), ['2'])
})

test('B06 a deletion that was asked for before the newest fetch does not kill what that fetch brought', () => {
  const state = write(User, { id: '1', name: 'again' }, write(User, { id: '1' }, undefined, [], at(1)).state, [], at(4)).state
  assert.is(denormalize(User, '1', write(new schema.Invalidate(User), '1', state, [], at(2)).state)!.name, 'again')
})

test('B08 an index knows more than the last write', () => {
  const state = writeAll(User, [{ id: '1', name: 'a' }, { id: '2', name: 'b' }, { id: '3', name: 'c' }])
  assert.equal(['a', 'b', 'c'].map((name) => findPk(User, [{ name }], state)), ['1', '2', '3'])
  const renamed = write(User, { id: '2', name: 'z' }, state).state
  assert.equal(['a', 'b', 'z', 'c'].map((name) => findPk(User, [{ name }], renamed)), ['1', undefined, '2', '3'])
})

test('B11 the pk __proto__ is stored, and the pk constructor is not found where it is not', () => {
  const { state } = write([User], [{ id: '__proto__', name: 'evil' }])
  assert.is(denormalize(User, '__proto__', state)!.name, 'evil')
  assert.is(denormalize(User, 'name', state), undefined)
  assert.is(denormalize(User, 'constructor', state), undefined)
  assert.is(findPk(User, ['toString'], state), undefined)
})

test('B12 an own __proto__ does not replace the prototype of an entity', () => {
  warnings(() => {
    const { state, result } = write(User, JSON.parse('{"id":"1","__proto__":{"isAdmin":true}}'))
    const user = denormalize(User, result, state)!
    assert.instance(user, User)
    assert.is((user as { isAdmin?: boolean }).isAdmin, undefined)
  })
})

test('B13 an entity without a pk is an error and never a made-up row', () => {
  for (const input of [{}, { id: null }, { id: NaN }, { id: false }, { id: {} }]) {
    assert.instance(caught(() => normalize([User], [{ id: '1' }, input])), MissingPkError)
  }
})

test('B16 ids beyond 2^53 do not merge silently', () => {
  class Order extends Entity {
    static override key = 'Order'
  }
  assert.is(warnings(() => normalize([Order], JSON.parse('[{"id":9007199254740993},{"id":9007199254740992}]'))).length, 1)
})

test('B17 neither the response nor a view is a way into the store', () => {
  const response = { id: '1', name: 'n', tags: ['a'], deep: { list: [1] } }
  const { state, result } = write(User, response)
  response.tags.push('b')
  response.deep.list.push(2)
  const view = denormalize(User, result, state) as unknown as typeof response
  assert.equal([view.tags, view.deep], [['a'], { list: [1] }])
  assert.throws(() => view.tags.push('c'))
  assert.throws(() => (view.deep.list = []))
  assert.throws(() => (view.name = 'x'))
})

test('#3960 a falsy result is a result', () => {
  for (const value of ['', 0, false, null]) {
    const state = applyPatches(emptyState, [{ op: 'add', path: ['endpoints', 'k'], value: normalize(undefined, value).result }])
    assert.is(readResult(state, 'k'), value)
  }
})

test('#3875 inherited properties are not copied', () => {
  const input = Object.assign(Object.create({ inherited: 1 }) as object, { id: '1', deep: Object.assign(Object.create({ inherited: 1 }) as object, { own: 1 }) })
  assert.equal(readRow(write(User, input).state, 'User', '1'), { id: '1', deep: { own: 1 } })
})

test('#3823 a large graph that refers both ways is a DepthError, and does not overflow the stack', () => {
  class Node extends Entity {
    id = ''
    left: Node | undefined = undefined
    right: Node | undefined = undefined
    static override key = 'Node'
    static override schema: Fields = {}
  }
  Node.schema = { left: Node, right: Node }
  const length = 20_000
  const { state, result } = write([Node], Array.from({ length }, (_, i) => ({ id: String(i), left: i > 0 ? String(i - 1) : null, right: i + 1 < length ? String(i + 1) : null })))
  assert.instance(caught(() => denormalize([Node], result, state)), DepthError)
})

test.run()
