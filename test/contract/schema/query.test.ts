import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { denormalize, Entity, Query, schema } from '../../../src/index.ts'
import { query } from '../../support/state.ts'
import { write } from '../../support/write.ts'

const test = suite('schema.Query')

class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
}
class Todo extends Entity {
  id = ''
  done = false
  user: User | undefined = undefined
  static override key = 'Todo'
  static override schema = { user: User }
}
const todos = new schema.Collection([Todo])

test('is also exported by name', () => {
  assert.is(schema.Query, Query)
})

test('normalizes as its inner schema', () => {
  const query = new schema.Query(todos, (list) => list.length)
  const { result, change } = write(query, [{ id: '1' }], undefined, [{ a: 1 }])
  assert.is(result, '{"a":"1"}')
  assert.equal(change.patches.map(({ path }) => path[1]), ['Todo', '[Todo]'])
})

test('shows what process makes of the inner view and the arguments', () => {
  const byState = new schema.Query(new schema.All(Todo), (list: Todo[], { done }: { done: boolean }) => list.filter((todo) => todo.done === done))
  const { state } = write([Todo], [{ id: '1', done: true }, { id: '2', done: false }])
  assert.equal(denormalize(byState, [], state, [{ done: true }])!.map((todo) => todo.id), ['1'])
  assert.equal(denormalize(byState, [], state, [{ done: false }])!.map((todo) => todo.id), ['2'])
})

test('process sees complete views, nested entities included', () => {
  const names = new schema.Query(new schema.All(Todo), (list) => list.map((todo) => `${todo.user?.name ?? ''}${Object.isFrozen(todo.user) ? '' : ' open'}`))
  const { state } = write([Todo], [{ id: '1', user: { id: 'u', name: 'Ada' } }, { id: '2', user: 'u' }])
  assert.equal(denormalize(names, [], state), ['Ada', 'Ada'])
})

test('a falsy value from process is a value', () => {
  const { state } = write([Todo], [{ id: '1' }])
  for (const value of [0, '', false, null]) assert.is(denormalize(new schema.Query(new schema.All(Todo), () => value), [], state), value)
})

test('joins several by name', () => {
  const joined = new schema.Query({ todos: new schema.All(Todo), user: User }, ({ todos: list, user }) => `${user.name} has ${list.length}`)
  const { state } = write([Todo], [{ id: '1', user: { id: 'u', name: 'Ada' } }])
  assert.is(query(joined, ['u'], state), 'Ada has 1')
  assert.is(denormalize(joined, { todos: [], user: 'u' }, state, ['u']), 'Ada has 1')
  assert.is(query(joined, ['nobody'], state), undefined)
})

test('process is not called while its input is missing or must not be shown', () => {
  let calls = 0
  const count = (): number => ++calls
  const { state } = write(Todo, { id: '1', user: { id: 'u' } })
  const gone = write(new schema.Invalidate(User), 'u', state).state
  assert.is(denormalize(new schema.Query(User, count), 'never', state), undefined)
  assert.is(denormalize(new schema.Query(User, count), 'u', gone), undefined)
  assert.is(denormalize(new schema.Query(todos, count), '{}', state), undefined)
  assert.is(denormalize(new schema.Query({ user: User, todo: Todo }, count), { user: 'u', todo: '1' }, gone), undefined)
  assert.is(denormalize(new schema.Query({ user: User, todo: Todo }, count), { user: 'never', todo: '1' }, state), undefined)
  assert.is(calls, 0)
  assert.is(denormalize(new schema.Query({ user: User, todo: Todo }, count), { user: 'u', todo: '1' }, state), 1)
})

test('a join may be written as schema.Object', () => {
  let calls = 0
  const joined = new schema.Query(new schema.Object({ user: User, todo: Todo }), () => ++calls)
  const { state } = write(Todo, { id: '1', user: { id: 'u' } })
  assert.is(denormalize(joined, { user: 'never', todo: '1' }, state), undefined)
  assert.is(denormalize(joined, { user: 'u', todo: '1' }, state), 1)
})

test('a response may leave out what is no entity: its cursor, its date', () => {
  const count = new schema.Query({ results: todos, cursor: '', total: 10, at: Date }, ({ results }) => results.length)
  const { state, result } = write(count, { results: [{ id: '1' }] })
  assert.is(denormalize(count, result, state), 1)
})

test('is answered when its inner schema is', () => {
  const { state } = write(todos, [{ id: '1' }], undefined, [{ a: 1 }])
  const first = new schema.Query(todos, (list) => list[0])
  assert.is(query<Todo>(first, [{ a: 1 }], state)!.id, '1')
  assert.is(query(first, [{ a: 2 }], state), undefined)
  assert.is(denormalize(first, '{"a":"1"}', state)!.id, '1')
})

test('may be nested in an entity, where it sees the entity that was found in its field', () => {
  class Board extends Entity {
    id = ''
    todos: number = 0
    static override key = 'Board'
    static override schema = { todos: new schema.Query(todos, (list) => list.length) }
  }
  const { state, result } = write(Board, { id: 'b', todos: [{ id: '1' }, { id: '2' }] })
  assert.is(denormalize(Board, result, state)!.todos, 2)
})

test('several with a plain member are answered from the store, and the member shows its own value', () => {
  const { state } = write(todos, [{ id: '1' }, { id: '2' }], undefined, [{ a: 1 }])
  const page = { results: new schema.All(Todo), first: todos, nextPage: '' }
  const seen = new schema.Query(page, ({ results, first, nextPage }) => [results.length, first.length, nextPage])
  assert.equal(query(seen, [{ a: 1 }], state), [2, 2, ''])
  const found = query<{ results: Todo[]; nextPage: string }>({ results: new schema.All(Todo), nextPage: '' }, [], state)!
  assert.equal([found.results.length, found.nextPage], [2, ''])
  assert.is(query(seen, [{ a: 2 }], state), undefined, 'one of the lists is not there')
})

test.run()
