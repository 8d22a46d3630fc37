import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createResource, Entity, RestEndpoint, Values } from '../../../src/index.ts'
import type { UndoCall } from '../../../src/index.ts'
import { Todo } from '../../support/todo.ts'

const test = suite('ways back')

const todos = createResource({ path: '/lists/:list/todos/:id', schema: Todo })
const flat = createResource({ path: '/todos/:id', schema: Todo })

function undo(endpoint: { getUndo: unknown }, previous: object | undefined, result: unknown, ...args: unknown[]): UndoCall | null | undefined {
  return (endpoint.getUndo as (...args: unknown[]) => UndoCall | null | undefined).call(endpoint, { previous, result, recordOf: (_key: string, pk: string) => ({ id: Number(pk), n: 2 }) }, ...args)
}
/** Method, address and body of the call that takes a call back. */
function requestOf(call: UndoCall | null | undefined): unknown {
  if (!call) return call
  const key = call.endpoint.key(...call.args)
  return [key, call.args.length > 1 || call.endpoint.name.endsWith('push') ? call.args.at(-1) : undefined]
}

class Slugged extends Entity {
  slug = ''
  static override key = 'Slugged'
  override pk(): string {
    return this.slug
  }
}
const named = createResource({ path: '/x/:name', schema: Slugged })
class Basket extends Entity { static override schema = { main: Todo, others: [Todo], named: new Values(Todo), of: { todo: Todo } } }
const baskets = createResource({ path: '/baskets/:id', schema: Basket, body: {} as object })
const full = { main: '1', others: ['1', '2'], named: { a: '3' }, of: { todo: '4' } }
const [one, two, three, four] = [1, 2, 3, 4].map(id => ({ id, n: 2 }))
const moved = flat.extend({ delete: { path: '/v2/todos/:id' }, getList: { path: '/v2/todos' } })
const previous = { id: 1, title: 'sow', done: false, owner: null }
const instance = Todo.fromJS({ id: 1, title: 'x', done: true })
const id = { id: 1 }
const inList = { list: 'a', id: 1 }

type Row = [title: string, endpoint: { getUndo: unknown }, previous: object | undefined, result: unknown, args: unknown[], request: unknown]
const rows: Row[] = [
  ['partialUpdate: the previous values', flat.partialUpdate, previous, {}, [id, { done: true }], ['PATCH /todos/1', { done: false }]],
  ['update: the previous values', flat.update, previous, {}, [id, { title: 'x', done: 1 }], ['PUT /todos/1', { title: 'sow', done: false }]],
  ['move: the previous values', todos.getList.move, previous, {}, [inList, { done: true }], ['PATCH /lists/a/todos/1', { done: false }]],
  ['partialUpdate: a field that was not there has its default, as it was shown', flat.partialUpdate, { id: 1, title: 'sow' }, {}, [id, { done: true, owner: 2 }], ['PATCH /todos/1', { done: false, owner: null }]],
  ['partialUpdate: a field that was not there, and that the class does not know, is null', flat.partialUpdate, previous, {}, [id, { due: 5 }], ['PATCH /todos/1', { due: null }]],
  ['update by an instance: the previous values', flat.update, previous, {}, [id, instance], ['PUT /todos/1', previous]],
  ['partialUpdate without fields: nothing to undo', flat.partialUpdate, previous, {}, [id, {}], null],
  ['partialUpdate with rows as objects: these as they were', baskets.partialUpdate, full, {}, [id, { main: {}, others: [{}], named: { b: {} }, of: { todo: {} } }], ['PATCH /baskets/1', { main: one, others: [one, two], named: { a: three }, of: { todo: four } }]],
  ['update with rows as pks: their pks', baskets.update, full, {}, [id, { main: 2, others: [2], named: { a: 1 }, of: { todo: 1 } }], ['PUT /baskets/1', { main: 1, others: [1, 2], named: { a: 3 }, of: { todo: 4 } }]],
  ['partialUpdate of what was not there: no way back', flat.partialUpdate, undefined, {}, [id, { done: true }], undefined],
  ['partialUpdate by a form: no way back', flat.partialUpdate, previous, {}, [id, new FormData()], undefined],
  ['partialUpdate by a list of changes: no way back', flat.partialUpdate, previous, {}, [id, [{ op: 'remove', path: '/title' }]], undefined],
  ['push: delete what was made', flat.getList.push, undefined, { id: 7, title: 'x' }, [{ title: 'x' }], ['DELETE /todos/7', undefined]],
  ['push answered with an instance: delete that', flat.getList.push, undefined, instance, [{ title: 'x' }], ['DELETE /todos/1', undefined]],
  ['unshift: delete what was made', todos.getList.unshift, undefined, { id: 7 }, [{ list: 'a' }, {}], ['DELETE /lists/a/todos/7', undefined]],
  ['push, where the path renames the pk: delete what was made', named.getList.push, undefined, { slug: 's' }, [{}], ['DELETE /x/s', undefined]],
  ['push that was answered with null: no way back', flat.getList.push, undefined, null, [{ title: 'x' }], undefined],
  ['push of several: no way back', flat.getList.push, undefined, [{ id: 1 }, { id: 2 }], [[{}, {}]], undefined],
  ['push of what has no pk: no way back', todos.getList.push, undefined, { title: 'no id' }, [{ list: 'a' }, {}], undefined],
  ['delete: create it again with the previous record', flat.delete, previous, {}, [id], ['POST /todos', previous]],
  ['delete in a list: create it again there', todos.delete, previous, {}, [inList], ['POST /lists/a/todos', previous]],
  ['delete of what was not there: no way back', flat.delete, undefined, {}, [id], undefined],
  ['push of a resource that was extended leads to its members', moved.getList.push, undefined, { id: 7 }, [{}], ['DELETE /v2/todos/7', undefined]],
  ['delete of a resource that was extended leads to its members', moved.delete, id, {}, [id], ['POST /v2/todos', id]],
]
test('what somebody else has changed since is not in a PATCH, and in a PUT as it is now', () => {
  const context = { previous: { ...previous, done: 2 }, result: {}, conflicts: { done: 2 } }
  const bodies = [flat.partialUpdate, flat.update].map(({ getUndo }, i) => getUndo!.call([flat.partialUpdate, flat.update][i], context, id, { done: true, title: 'x' })!.args[1])
  assert.equal(bodies, [{ title: 'sow' }, { done: 2, title: 'sow' }])
})

for (const [title, endpoint, before, result, args, request] of rows) {
  test(title, () => assert.equal(requestOf(undo(endpoint, before, result, ...args)), request))
}

test('a relation that was sent in another form, and has not changed, is not sent', () => {
  assert.is(baskets.partialUpdate.getUndo!.call(baskets.partialUpdate, { previous: full, after: full, result: full }, id, { main: '1' }), null)
})

test('reads have no way back, nor have endpoints outside of a resource; an option says another', () => {
  for (const endpoint of [flat.get, flat.getList, new RestEndpoint({ path: '/x', method: 'POST' })]) assert.is(endpoint.getUndo, undefined)
  const own = flat.extend({ update: { getUndo: () => undefined } })
  assert.is(undo(own.update, id, {}, id, {}), undefined)
})

test.run()
