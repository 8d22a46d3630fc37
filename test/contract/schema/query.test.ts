import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { denormalize, emptyState, Entity, schema } from '../../../src/index.ts'
import { findPk, query } from '../../support/state.ts'
import { Todo, User } from '../../support/todo.ts'
import { write } from '../../support/write.ts'
import { entity, idsOf, without } from './todos.ts'

const test = suite('schema.Query')

const todos = new schema.Collection([Todo])
const all = new schema.All(Todo)
const { state } = write(todos, [{ id: '1', done: true, owner: { id: 'u', name: 'Ada' } }, { id: '2', owner: 'u' }], undefined, [{ a: 1 }])

test('normalizes as its inner schema, and is answered when that is', () => {
  const first = new schema.Query(todos, (list) => list[0])
  const { result, change } = write(first, [{ id: '1' }], undefined, [{ a: 1 }])
  assert.is(result, '{"a":"1"}')
  assert.equal(change.patches.map(({ path }) => path[1]), ['Todo', '[Todo]'])
  assert.is(query<Todo>(first, [{ a: 1 }], state)!.id, '1')
  assert.is(denormalize(first, '{"a":"1"}', state)!.id, '1')
  assert.is(query(first, [{ a: 2 }], state), undefined)
})

test('shows what process makes of the inner view and the arguments', () => {
  const byState = new schema.Query(all, (list: Todo[], { done }: { done: boolean }) => list.filter((todo) => todo.done === done))
  assert.equal([true, false].map((done) => idsOf(denormalize(byState, [], state, [{ done }]))), [['1'], ['2']])
})

test('process sees complete views, nested entities included', () => {
  const names = new schema.Query(all, (list) => list.map(({ owner }) => [owner?.name, Object.isFrozen(owner)]))
  assert.equal(denormalize(names, [], state), [['Ada', true], ['Ada', true]])
})

test('a falsy value from process is a value', () => {
  for (const value of [0, '', false, null]) assert.is(denormalize(new schema.Query(all, () => value), [], state), value)
})

test('joins several by name', () => {
  const joined = new schema.Query({ list: all, owner: User }, ({ list, owner }) => `${owner.name} has ${list.length}`)
  assert.is(query(joined, ['u'], state), 'Ada has 2')
  assert.is(denormalize(joined, { list: [], owner: 'u' }, state, ['u']), 'Ada has 2')
  assert.is(query(joined, ['nobody'], state), undefined)
})

test('process is not called while its input is missing or must not be shown', () => {
  let calls = 0
  const count = (): number => ++calls
  const gone = without(state, 'u', User)
  assert.is(denormalize(new schema.Query(User, count), 'never', state), undefined)
  assert.is(denormalize(new schema.Query(User, count), 'u', gone), undefined)
  assert.is(denormalize(new schema.Query(todos, count), '{}', state), undefined)
  for (const join of [{ user: User, todo: Todo }, new schema.Object({ user: User, todo: Todo })]) {
    const joined = new schema.Query(join, count)
    assert.is(denormalize(joined, { user: 'u', todo: '1' }, gone), undefined)
    assert.is(denormalize(joined, { user: 'never', todo: '1' }, state), undefined)
    assert.is(calls, 0)
    assert.is(denormalize(joined, { user: 'u', todo: '1' }, state), 1)
    calls = 0
  }
})

test('a response may leave out what is no entity: its cursor, its date', () => {
  const count = new schema.Query({ results: todos, cursor: '', total: 10, at: Date }, ({ results }) => results.length)
  const written = write(count, { results: [{ id: '1' }] })
  assert.is(denormalize(count, written.result, written.state), 1)
})

test('may be nested in an entity, where it sees the entity that was found in its field', () => {
  class Board extends Entity {
    static override key = 'Board'
    static override schema = { todos: new schema.Query(todos, (list) => list.length) }
    todos: number = 0
  }
  const written = write(Board, { id: 'b', todos: [{ id: '1' }, { id: '2' }] })
  assert.is(denormalize(Board, written.result, written.state)!.todos, 2)
})

test('several with a plain member are answered from the store, and the member shows its own value', () => {
  const page = { results: all, first: todos, nextPage: '' }
  const seen = new schema.Query(page, ({ results, first, nextPage }) => [results.length, first.length, nextPage])
  assert.equal(query(seen, [{ a: 1 }], state), [2, 2, ''])
  assert.is(query<{ nextPage: string }>(page, [{ a: 1 }], state)!.nextPage, '')
  assert.is(query(seen, [{ a: 2 }], state), undefined, 'one of the lists is not there')
})

const Member = entity('Member', { indexes: ['username', 'email'] })
const First = entity('Member', { queryKey: () => '2' })
const Seat = entity('Seat', { pk: ({ row, seat }: { row: number; seat: number }) => `${row}-${seat}` })
const club = write(
  { members: [Member], seat: Seat },
  { members: [{ id: '1', username: 'bob', email: 'b@x' }, { id: '2', username: 'ann', email: 'a@x' }], seat: { row: 1, seat: 2 } },
).state

const found: [string, typeof Member, unknown[], unknown][] = [
  ['a string is the pk', Member, ['1'], '1'],
  ['a number is the pk', Member, [1], '1'],
  ['a bigint is the pk', Member, [1n], '1'],
  ['else the pk of the first argument, as an object', Member, [{ id: 2 }], '2'],
  ['else the pk that the class makes of it', Seat, [{ row: 1, seat: 2 }], '1-2'],
  ['else an index that the argument has', Member, [{ email: 'b@x' }], '1'],
  ['else another index that the argument has', Member, [{ username: 'bob' }], '1'],
  ['else the first of its indexes that the argument has', Member, [{ email: 'b@x', username: 'ann' }], '2'],
  ['and no other index', Member, [{ email: 'b@x', username: 'nobody' }], undefined],
  ['a class may answer in its own way', First, [], '2'],
]
for (const [title, type, args, pk] of found) test(`an entity is found by the arguments: ${title}`, () => assert.is(findPk(type, args, club), pk))

test('an entity is found only if it is there', () => {
  for (const args of [['9'], [{ id: '9' }], [{ username: 'cy' }], [{ name: 'bob' }], [], [null], [undefined], [true], [{}]]) {
    assert.is(findPk(Member, args, club), undefined)
  }
  assert.is(findPk(Member, ['1'], emptyState), undefined)
  const gone = without(club, '1', Member)
  assert.equal([findPk(Member, ['1'], gone), findPk(Member, [{ username: 'bob' }], gone)], [undefined, undefined])
})

test('an object of schemas is answered when each of its members is', () => {
  const both = query<{ one: Entity; all: Entity[] }>({ one: Member, all: new schema.All(Member) }, ['1'], club)!
  assert.equal([idsOf([both.one]), idsOf(both.all)], [['1'], ['1', '2']])
  assert.instance(query<{ one: Entity }>(new schema.Object({ one: Member }), ['1'], club)!.one, Member)
  assert.is(query({ one: Member }, ['9'], club), undefined)
})

test('lists, deserializers and plain values cannot be answered', () => {
  for (const each of [[User], Date, '', undefined, new schema.Array(User), new schema.Values(User)]) assert.is(query(each, ['u'], state), undefined)
})

test.run()
