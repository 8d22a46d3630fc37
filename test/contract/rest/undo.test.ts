import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createResource, Entity, RestEndpoint } from '../../../src/index.ts'
import type { UndoCall } from '../../../src/index.ts'
import { Todo } from '../../support/todo.ts'

const test = suite('ways back')

const todos = createResource({ path: '/lists/:list/todos/:id', schema: Todo })
const flat = createResource({ path: '/todos/:id', schema: Todo })

function undo(endpoint: { getUndo: unknown }, previous: object | undefined, result: unknown, ...args: unknown[]): UndoCall | undefined {
  return (endpoint.getUndo as (...args: unknown[]) => UndoCall | undefined).call(endpoint, { previous, result }, ...args)
}
/** Method, address and body of the call that takes a call back. */
function requestOf(call: UndoCall | undefined): unknown {
  if (call === undefined) return undefined
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
const moved = flat.extend({ delete: { path: '/v2/todos/:id' }, getList: { path: '/v2/todos' } })
const previous = { id: 1, title: 'sow', done: false, owner: null }
const id = { id: 1 }

type Row = [title: string, endpoint: { getUndo: unknown }, previous: object | undefined, result: unknown, args: unknown[], request: unknown]
const rows: Row[] = [
  ['partialUpdate: the previous values', flat.partialUpdate, previous, {}, [id, { done: true }], ['PATCH /todos/1', { done: false }]],
  ['update: the previous values', flat.update, previous, {}, [id, { title: 'x', done: 1 }], ['PUT /todos/1', { title: 'sow', done: false }]],
  ['partialUpdate: a field that was not there is null', flat.partialUpdate, previous, {}, [id, { due: 5 }], ['PATCH /todos/1', { due: null }]],
  ['partialUpdate of what was not there: no way back', flat.partialUpdate, undefined, {}, [id, { done: true }], undefined],
  ['partialUpdate by a form: no way back', flat.partialUpdate, previous, {}, [id, new FormData()], undefined],
  ['partialUpdate by a list of changes: no way back', flat.partialUpdate, previous, {}, [id, [{ op: 'remove', path: '/title' }]], undefined],
  ['push: delete what was made', flat.getList.push, undefined, { id: 7, title: 'x' }, [{ title: 'x' }], ['DELETE /todos/7', undefined]],
  ['push, where the path renames the pk: delete what was made', named.getList.push, undefined, { slug: 's' }, [{}], ['DELETE /x/s', undefined]],
  ['push that was answered with null: no way back', flat.getList.push, undefined, null, [{ title: 'x' }], undefined],
  ['push of several: no way back', flat.getList.push, undefined, [{ id: 1 }, { id: 2 }], [[{}, {}]], undefined],
  ['push of what has no pk: no way back', todos.getList.push, undefined, { title: 'no id' }, [{ list: 'a' }, {}], undefined],
  ['delete: create it again with the previous record', flat.delete, previous, {}, [id], ['POST /todos', previous]],
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

test('reads have no way back, nor have endpoints outside of a resource; an option says another', () => {
  for (const endpoint of [flat.get, flat.getList, new RestEndpoint({ path: '/x', method: 'POST' })]) assert.is(endpoint.getUndo, undefined)
  const own = flat.extend({ update: { getUndo: () => undefined } })
  assert.is(undo(own.update, id, {}, id, {}), undefined)
})

test.run()
