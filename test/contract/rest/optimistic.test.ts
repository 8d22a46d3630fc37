import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createResource, Entity, schema } from '../../../src/index.ts'
import type { Snap } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { Cache } from './cache.ts'

const test = suite('optimistic answers')

class Todo extends Entity {
  id = 0
  title = ''
  done = false
  static override key = 'Todo'
}
const todos = createResource({ path: '/lists/:list/todos/:id', schema: Todo, optimistic: true })

const abort = new Error('abort')
const cache = new Cache()
cache.set(todos.get, { id: 1, title: 'sow', done: false }, { list: 'a', id: 1 })
const snap: Snap = { get: (schema, ...args) => cache.get(schema, ...args) as never, getResponse: () => ({ data: undefined, expiryStatus: 1, expiresAt: 0 }), getError: () => undefined, fetchedAt: 0, abort }
const expected = (endpoint: { getOptimisticResponse: unknown }, ...args: unknown[]): unknown =>
  (endpoint.getOptimisticResponse as (...args: unknown[]) => unknown).call(endpoint, snap, ...args)

test('create: the parameters and what was sent', () => {
  for (const endpoint of [todos.getList.push, todos.getList.unshift]) {
    assert.equal(expected(endpoint, { list: 'a' }, { title: 'x' }), { list: 'a', title: 'x' })
    assert.equal(expected(endpoint, { list: 'a' }, [{ title: 'x' }, { title: 'y' }]), [{ list: 'a', title: 'x' }, { list: 'a', title: 'y' }])
  }
  const flat = createResource({ path: '/todos/:id', schema: Todo, optimistic: true })
  assert.equal(expected(flat.getList.push, { title: 'x' }), { title: 'x' })
  assert.equal(expected(flat.getList.push, { list: 1 }, { title: 'x' }), { list: 1, title: 'x' })
})

test('update: the parameters and what was sent', () => {
  assert.equal(expected(todos.update, { list: 'a', id: 2 }, { title: 'x' }), { list: 'a', id: 2, title: 'x' })
})

test('partialUpdate: the entity as it is now under what was sent, and nothing when it is not there', () => {
  assert.equal(expected(todos.partialUpdate, { list: 'a', id: '1' }, { done: true }), { list: 'a', id: 1, title: 'sow', done: true })
  assert.is(caught(() => expected(todos.partialUpdate, { list: 'a', id: 9 }, { done: true })), abort)
  assert.equal(expected(todos.getList.move, { list: 'a', id: '1' }, { done: true }), { list: 'a', id: 1, title: 'sow', done: true })
})

test('partialUpdate expects what is stored, because what was made of it cannot always be taken in again', () => {
  class Item extends Entity {
    id = 0
    title = ''
    price = 0
    sizes = 0
    type = ''
    static override key = 'Item'
    static override schema = { price: (cents: number) => cents / 100, sizes: new schema.Query([Todo], list => list.length) }
  }
  const input = { id: 1, title: 'sow', price: 1234, sizes: [{ id: 1 }, { id: 2 }], type: 'item' }
  for (const kind of [Item, new schema.Union({ item: Item }, 'type')]) {
    const items = createResource({ path: '/items/:id', schema: kind, optimistic: true })
    cache.set(items.get, input, { id: 1 })
    cache.set(items.partialUpdate, expected(items.partialUpdate, { id: 1 }, { title: 'reap' }), { id: 1 }, {})
    const { title, price, sizes } = cache.get(Item, { id: 1 }) as Item
    assert.equal([title, price, sizes], ['reap', 12.34, 2])
  }
})

test('delete: the parameters', () => {
  assert.equal(expected(todos.delete, { list: 'a', id: 1 }), { list: 'a', id: 1 })
})

test('what was sent cannot be looked into: nothing is shown', () => {
  for (const endpoint of [todos.getList.push, todos.update, todos.partialUpdate]) assert.is(caught(() => expected(endpoint, { list: 'a', id: 1 }, new Blob(['x']))), abort)
  const patch = [{ op: 'replace', path: '/done', value: true }]
  for (const endpoint of [todos.partialUpdate, todos.getList.move]) assert.is(caught(() => expected(endpoint, { list: 'a', id: 1 }, patch)), abort)
})

test('what a deletion expects can be normalized by its schema', () => {
  const store = new Cache()
  store.set(todos.get, { id: 1 }, { list: 'a', id: 1 })
  store.set(todos.delete, expected(todos.delete, { list: 'a', id: 1 }), { list: 'a', id: 1 })
  assert.is(store.get(Todo, { id: 1 }), undefined)
})

test('reads have none, nor has any member unless it is asked for; one member can be left out', () => {
  assert.is(todos.get.getOptimisticResponse, undefined)
  assert.is(todos.getList.getOptimisticResponse, undefined)
  assert.is(todos.getList.paginated('x').getOptimisticResponse, undefined)
  const calm = createResource({ path: '/todos/:id', schema: Todo })
  for (const member of [calm.getList.push, calm.update, calm.partialUpdate, calm.delete]) assert.is(member.getOptimisticResponse, undefined)
  const mostly = todos.extend({ delete: { getOptimisticResponse: undefined as never } })
  assert.is(mostly.delete.getOptimisticResponse, undefined)
  assert.type(mostly.update.getOptimisticResponse, 'function')
})

test('a list that was extended still creates optimistically', () => {
  assert.equal(expected(todos.getList.extend({ path: '/other' }).push, { title: 'x' }), { title: 'x' })
})

test.run()
