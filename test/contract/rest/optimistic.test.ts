import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, Endpoint, Entity, schema } from '../../../src/index.ts'
import type { Snap } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { Todo } from '../../support/todo.ts'

const test = suite('optimistic answers')

const todos = createResource({ path: '/lists/:list/todos/:id', schema: Todo, optimistic: true })

const controller = new Controller({ gc: false })
controller.setResponse(todos.get, { list: 'a', id: 1 }, { id: 1, title: 'sow', done: false })
let snap!: Snap
/** A call that shows nothing and never ends. */
const look = new Endpoint(() => new Promise(() => {}), { name: 'look', schema: Todo, sideEffect: true, getOptimisticResponse: (given: Snap) => ((snap = given), given.abort) })
const expected = (endpoint: { getOptimisticResponse: unknown }, ...args: unknown[]): unknown =>
  (void controller.fetch(look), (endpoint.getOptimisticResponse as (...args: unknown[]) => unknown).call(endpoint, snap, ...args))

const flat = createResource({ path: '/todos/:id', schema: Todo, optimistic: true })
const { getList, update, partialUpdate, delete: remove } = todos
const list = { list: 'a' }
const [first, second] = [{ ...list, id: '1' }, { ...list, id: '2' }]
const changed = { list: 'a', id: 1, title: 'sow', done: true }

for (const [title, endpoint, args, answer] of [
  ['push: the parameters and what was sent', getList.push, [list, { title: 'x' }], { list: 'a', title: 'x' }],
  ['unshift: the parameters and what was sent, for each', getList.unshift, [list, [{ n: 1 }, { n: 2 }]], [{ list: 'a', n: 1 }, { list: 'a', n: 2 }]],
  ['push without parameters: what was sent', flat.getList.push, [{ title: 'x' }], { title: 'x' }],
  ['push with parameters that are not in the path: both', flat.getList.push, [{ list: 1 }, { title: 'x' }], { list: 1, title: 'x' }],
  ['push of a list that was extended: what was sent', getList.extend({ path: '/other' }).push, [{ title: 'x' }], { title: 'x' }],
  ['update: the parameters and what was sent', update, [second, { title: 'x' }], { list: 'a', id: '2', title: 'x' }],
  ['partialUpdate: the entity as it is now under what was sent', partialUpdate, [first, { done: true }], changed],
  ['move: the entity as it is now under what was sent', getList.move, [first, { done: true }], changed],
  ['delete: the parameters', remove, [first], first],
] as const) {
  test(title, () => assert.equal(expected(endpoint, ...args), answer))
}

for (const [title, endpoints, args] of [
  ['partialUpdate of what is not there: nothing', [partialUpdate], [second, { done: true }]],
  ['what was sent cannot be looked into: nothing is shown', [getList.push, update, partialUpdate], [first, new Blob(['x'])]],
  ['what was sent is a list of changes: nothing is shown', [partialUpdate, getList.move], [first, [{ op: 'replace', path: '/done', value: true }]]],
] as const) {
  test(title, () => {
    for (const endpoint of endpoints) assert.is(caught(() => expected(endpoint, ...args)), snap.abort)
  })
}

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
    controller.setResponse(items.get, { id: 1 }, input)
    controller.setResponse(items.partialUpdate, { id: 1 }, {}, expected(items.partialUpdate, { id: 1 }, { title: 'reap' }))
    const { title, price, sizes } = controller.get(Item, { id: 1 })!
    assert.equal([title, price, sizes], ['reap', 12.34, 2])
  }
})

test('what a deletion expects can be normalized by its schema', () => {
  controller.setResponse(todos.delete, first, expected(todos.delete, first))
  assert.is(controller.get(Todo, { id: 1 }), undefined)
})

test('reads have none, nor has any member unless it is asked for; one member can be left out', () => {
  const calm = createResource({ path: '/todos/:id', schema: Todo })
  const mostly = todos.extend({ delete: { getOptimisticResponse: undefined as never } })
  for (const endpoint of [
    todos.get, getList, getList.paginated('x'), calm.getList.push, calm.update, calm.partialUpdate, calm.delete, mostly.delete,
  ]) assert.is(endpoint.getOptimisticResponse, undefined)
  assert.type(mostly.update.getOptimisticResponse, 'function')
})

test.run()
