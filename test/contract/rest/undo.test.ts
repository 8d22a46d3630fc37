import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createResource, Entity, RestEndpoint, schema } from '../../../src/index.ts'
import type { UndoCall } from '../../../src/index.ts'

const test = suite('ways back')

class Todo extends Entity {
  id = 0
  title = ''
  done = false
  static override key = 'Todo'
}
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

test('update and partialUpdate: the previous values of the fields that were sent', () => {
  const previous = { id: 1, title: 'sow', done: false, other: 'same' }
  assert.equal(requestOf(undo(flat.partialUpdate, previous, {}, { id: 1 }, { done: true })), ['PATCH /todos/1', { done: false }])
  assert.equal(requestOf(undo(flat.update, previous, {}, { id: 1 }, { title: 'x', done: true })), ['PUT /todos/1', { title: 'sow', done: false }])
  assert.equal(requestOf(undo(flat.partialUpdate, previous, {}, { id: 1 }, { due: 5 })), ['PATCH /todos/1', { due: null }])
  assert.equal(requestOf(undo(todos.getList.move, previous, {}, { list: 'a', id: 1 }, { done: true })), ['PATCH /lists/a/todos/1', { done: false }])
  assert.is(undo(flat.partialUpdate, undefined, {}, { id: 1 }, { done: true }), undefined)
  assert.is(undo(flat.partialUpdate, previous, {}, { id: 1 }, new FormData()), undefined)
  assert.is(undo(flat.partialUpdate, previous, {}, { id: 1 }, [{ op: 'remove', path: '/title' }]), undefined)
})

test('what is sent or made as an instance is taken back like any other', () => {
  const previous = { id: 1, title: 'sow', done: false }
  assert.equal(requestOf(undo(flat.update, previous, {}, { id: 1 }, Todo.fromJS({ id: 1, title: 'x', done: true }))), ['PUT /todos/1', previous])
  assert.equal(requestOf(undo(flat.getList.push, undefined, Todo.fromJS({ id: 7 }), { title: 'x' })), ['DELETE /todos/7', undefined])
})

test('create: delete what was made', () => {
  assert.equal(requestOf(undo(flat.getList.push, undefined, { id: 7, title: 'x' }, { title: 'x' })), ['DELETE /todos/7', undefined])
  assert.equal(requestOf(undo(todos.getList.unshift, undefined, { id: 7 }, { list: 'a' }, { title: 'x' })), ['DELETE /lists/a/todos/7', undefined])
  assert.is(undo(flat.getList.push, undefined, null, { title: 'x' }), undefined)
  assert.is(undo(flat.getList.push, undefined, [{ id: 1 }, { id: 2 }], [{}, {}]), undefined)
  assert.is(undo(todos.getList.push, undefined, { title: 'no id' }, { list: 'a' }, {}), undefined)
})

test('create, where the path calls the pk by another name', () => {
  class Slugged extends Entity {
    slug = ''
    static override key = 'Slugged'
    override pk(): string {
      return this.slug
    }
  }
  const named = createResource({ path: '/x/:name', schema: Slugged })
  assert.equal(requestOf(undo(named.getList.push, undefined, { slug: 's' }, {})), ['DELETE /x/s', undefined])
})

test('delete: create it again with the previous record', () => {
  const previous = { id: 1, title: 'sow' }
  assert.equal(requestOf(undo(flat.delete, previous, {}, { id: 1 })), ['POST /todos', previous])
  assert.equal(requestOf(undo(todos.delete, previous, {}, { list: 'a', id: 1 })), ['POST /lists/a/todos', previous])
  assert.equal(undo(todos.delete, previous, {}, { list: 'a', id: 1 })!.args, [{ list: 'a' }, previous])
  assert.equal(undo(flat.delete, previous, {}, { id: 1 })!.args, [previous])
  assert.is(undo(flat.delete, undefined, {}, { id: 1 }), undefined)
})

test('delete: lists nested in the record are no part of the body, where they are stored under a name of ours', () => {
  class Project extends Entity {
    id = 0
    todos: Todo[] = []
    tags: Todo[] = []
    static override key = 'Project'
    static override schema = { todos: new schema.Collection([Todo]), tags: [Todo] }
  }
  const projects = createResource({ path: '/projects/:id', schema: Project })
  const previous = { id: 1, todos: '{"Project":"1","field":"todos"}', tags: ['5'] }
  assert.equal(requestOf(undo(projects.delete, previous, {}, { id: 1 })), ['POST /projects', { id: 1, tags: [5] }])
})

test('what a record refers to is written as its class says: stored are names, and a server that has numbers takes no others', () => {
  class Label extends Entity {
    id = ''
    static override key = 'Label'
  }
  class Task extends Entity {
    id = 0
    title = ''
    todo: Todo | undefined = undefined
    todos: Todo[] = []
    labels: Label[] = []
    notes: Todo[] = []
    static override key = 'Task'
    static override schema = { todo: Todo, todos: [Todo], labels: [Label], notes: new schema.Collection([Todo]) }
  }
  const tasks = createResource({ path: '/tasks/:id', schema: Task })
  const previous = { id: 1, title: '7', todo: '7', todos: ['8', '09'], labels: ['5'], notes: 'the name of a list' }
  const written = { id: 1, title: '7', todo: 7, todos: [8, '09'], labels: ['5'] }
  assert.equal(requestOf(undo(tasks.delete, previous, {}, { id: 1 })), ['POST /tasks', written])
  const { id: _, ...fields } = written
  assert.equal(requestOf(undo(tasks.partialUpdate, previous, {}, { id: 1 }, { title: '', todo: null, todos: [], labels: [], notes: [1] })), ['PATCH /tasks/1', fields])
  assert.equal(requestOf(undo(tasks.getList.move, previous, {}, { id: 1 }, { todo: 8 })), ['PATCH /tasks/1', { todo: 7 }])
})

test('the way back leads to the members of the resource that was extended', () => {
  const moved = flat.extend({ delete: { path: '/v2/todos/:id' }, getList: { path: '/v2/todos' } })
  assert.equal(requestOf(undo(moved.getList.push, undefined, { id: 7 }, {})), ['DELETE /v2/todos/7', undefined])
  assert.equal(requestOf(undo(moved.delete, { id: 1 }, {}, { id: 1 })), ['POST /v2/todos', { id: 1 }])
  assert.equal(requestOf(undo(flat.getList.push, undefined, { id: 7 }, {})), ['DELETE /todos/7', undefined])
})

test('reads have no way back, nor have endpoints outside of a resource; an option says another', () => {
  for (const endpoint of [flat.get, flat.getList, new RestEndpoint({ path: '/x', method: 'POST' })]) assert.is(endpoint.getUndo, undefined)
  const own = flat.extend({ update: { getUndo: () => undefined } })
  assert.is(undo(own.update, { id: 1 }, {}, { id: 1 }, {}), undefined)
})

test.run()
