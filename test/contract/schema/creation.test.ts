import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../../support/state.ts'
import { denormalize, Entity, schema, ValidationError } from '../../../src/index.ts'
import type { State } from '../../../src/index.ts'
import { Client } from '../../support/client.ts'
import { caught } from '../../support/caught.ts'
import { write } from '../../support/write.ts'

const test = suite('creations in collections')

class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}
class Note extends Entity {
  id = ''
  static override key = 'Note'
}
const todos = new schema.Collection([Todo])
const start = (...ids: string[]): State => write(todos, ids.map((id) => ({ id }))).state
const list = (state: State, pk = '{}'): unknown => readRow(state, '[Todo]', pk)

test('each is one schema, however often it is asked for', () => {
  for (const how of ['push', 'unshift', 'assign', 'remove', 'move', 'paginate'] as const) assert.is(todos[how], todos[how], how)
})

test('push writes the entity and puts its pk at the end', () => {
  const { state, result, change } = write(todos.push, { id: 3, title: 'x' }, start('1', '2'))
  assert.is(result, '3')
  assert.equal(list(state), ['1', '2', '3'])
  assert.equal(change.patches, [
    { op: 'add', path: ['entities', 'Todo', '3'], value: { id: 3, title: 'x' } },
    { op: 'add', path: ['entities', '[Todo]', '{}', 2], value: '3' },
  ])
})

test('unshift puts it at the start, and several in their order', () => {
  assert.equal(list(write(todos.unshift, { id: '3' }, start('1', '2')).state), ['3', '1', '2'])
  const { state, change } = write(todos.unshift, [{ id: 'a' }, { id: 'b' }], start('1', '2'))
  assert.equal(list(state), ['a', 'b', '1', '2'])
  assert.is(change.patches.length, 4)
})

test('one object gives one entity, a list gives a list', () => {
  for (const creation of [todos.push, todos.unshift, todos.remove, todos.move]) {
    const one = write(creation, { id: '3' }, start('1'))
    assert.is(one.result, '3')
    assert.instance(denormalize(creation, one.result, one.state), Todo)
    const several = write(creation, [{ id: '3' }, { id: '4' }], start('1'))
    assert.equal(several.result, ['3', '4'])
    assert.equal((denormalize(creation, several.result, several.state) as unknown as Todo[]).map((todo) => todo.id), ['3', '4'])
  }
})

test('a pk that is in the list is not added again, and the entity is still written', () => {
  for (const creation of [todos.push, todos.unshift]) {
    const { state, change } = write(creation, [{ id: '1', title: 'new' }, { id: '3' }, { id: 3 }], start('1', '2'))
    assert.is((list(state) as string[]).length, 3)
    assert.equal((readRow(state, 'Todo', '1') as { title: string }).title, 'new')
    assert.is(change.patches.length, 3)
  }
})

test('every stored collection that passes the filter is changed, and a creation alone makes none', () => {
  let state = write(todos, [], undefined, [{ a: 1 }]).state
  state = write(todos, [], state, [{ a: 1, orderBy: 'x' }]).state
  state = write(todos, [], state, [{ a: 2 }]).state
  state = write(todos.push, { id: '1' }, state, [{ a: 1 }]).state
  assert.equal([list(state, '{"a":"1"}'), list(state, '{"a":"1","orderBy":"x"}'), list(state, '{"a":"2"}')], [['1'], ['1'], []])
  const alone = write(todos.push, { id: '1' })
  assert.equal(alone.change.patches.map(({ path }) => path[1]), ['Todo'])
})

test('a creation works nested in a response, beside other entities', () => {
  class Account extends Entity {
    static override key = 'Account'
  }
  const answer = { trade: todos.push, account: Account }
  const { state, result } = write(answer, { trade: { id: '9' }, account: { id: 'a', balance: 5 } }, start('1'))
  assert.equal(result, { trade: '9', account: 'a' })
  assert.equal(list(state), ['1', '9'])
  assert.equal(readRow(state, 'Account', 'a'), { id: 'a', balance: 5 })
  assert.instance(denormalize(answer, result, state)!.trade, Todo)
})

test('assign sets members by name, keeps the others, and says nothing when nothing changes', () => {
  const byName = new schema.Collection(new schema.Values(Todo))
  const first = write(byName, { a: { id: '1' }, b: { id: '2' } }).state
  const { state, result, change } = write(byName.assign, { b: { id: '3' }, c: { id: '4' } }, first)
  assert.equal(result, { b: '3', c: '4' })
  assert.equal(readRow(state, '{Todo}', '{}'), { a: '1', b: '3', c: '4' })
  assert.is(change.patches.filter(({ path }) => path[1] === '{Todo}').length, 2)
  assert.instance((denormalize(byName.assign, result, state) as unknown as { c: Todo }).c, Todo)
  const client = new Client(state)
  const { entities } = client.controller.snapshot()
  assert.is(client.write(byName.assign, { b: { id: '3' } }).entities, entities)
})

test('remove takes the pk out, and the entity stays', () => {
  const { state, change } = write(todos.remove, { id: '2' }, start('1', '2', '3'))
  assert.equal(list(state), ['1', '3'])
  assert.ok(readRow(state, 'Todo', '2'))
  assert.equal(change.patches, [{ op: 'remove', path: ['entities', '[Todo]', '{}', 1] }])
  assert.equal(write(todos.remove, { id: '9' }, start('1')).change.patches.map(({ path }) => path[1]), ['Todo'])
  const byName = new schema.Collection(new schema.Values(Todo))
  const named = write(byName.remove, { any: { id: '1' } }, write(byName, { a: { id: '1' }, b: { id: '2' } }).state).state
  assert.equal(readRow(named, '{Todo}', '{}'), { b: '2' })
})

test('addWith merges as it likes, and the list still names each member once', () => {
  const sorted = todos.addWith((collection: string[], creation: string[]) => [...collection, ...creation, ...creation].sort())
  const { state, change } = write(sorted, { id: '2' }, start('1', '3'))
  assert.equal(list(state), ['1', '2', '3'])
  assert.is(change.patches.length, 2)
  const same = todos.addWith((collection: string[]) => [...collection])
  const client = new Client(state)
  const { entities } = client.controller.snapshot()
  assert.is(client.write(same, { id: '2' }).entities, entities)
})

test('a merge that returns no members is an error that names the collection, and does not take the list away', () => {
  const { state } = write(todos, [{ id: '1' }])
  for (const wrong of [undefined, null, 5, 'x']) {
    const error = caught(() => write(todos.addWith(() => wrong), { id: '2' }, state))
    assert.instance(error, ValidationError)
    assert.match(String(error), '[Todo]: merge must return the members')
  }
})

test('after a merge that exchanges members, a push knows what is in the list', () => {
  const swap = todos.addWith((collection: string[], creation: string[]) => [...creation, ...collection.slice(1)])
  const steps = [[todos.push, 'c', ['a', 'b', 'c']], [swap, 'd', ['d', 'b', 'c']], [todos.push, 'a', ['d', 'b', 'c', 'a']], [todos.push, 'd', ['d', 'b', 'c', 'a']]] as const
  const client = new Client(start('a', 'b'))
  for (const [creation, id, expected] of steps) assert.equal(list(client.write(creation, { id })), expected)
})

test('the list that a merge returns is copied, so nobody can write to it later', () => {
  const stored: string[][] = []
  const keeping = todos.addWith((collection: string[], creation: string[]) => {
    const next = [...collection, ...creation]
    stored.push(next)
    return next
  })
  const { state } = write(keeping, { id: '2' }, start('1'))
  stored[0]!.push('evil')
  assert.equal(list(state), ['1', '2'])
})

test('paginate appends a page to the list that all arguments but the cursor name', () => {
  let state = write(todos, [{ id: '1' }], undefined, [{ tag: 'a' }]).state
  state = write(todos, [{ id: '5' }], state, [{ tag: 'b' }]).state
  state = write(todos, [{ id: '6' }], state, [{}]).state
  const page = write(todos.paginate, [{ id: '1' }, { id: '2' }], state, [{ tag: 'a', cursor: 'x' }])
  assert.equal(page.result, ['1', '2'])
  assert.equal(list(page.state, '{"tag":"a"}'), ['1', '2'])
  assert.equal(list(page.state, '{"tag":"b"}'), ['5'])
  assert.equal(list(page.state), ['6'])
  assert.equal(list(write(todos.paginate, [{ id: '7' }], page.state, [{ cursor: 'x' }]).state), ['6', '7'])
})

test('over a schema.Array of several types, one object is one member', () => {
  const mixed = new schema.Collection(new schema.Array({ todo: Todo, note: Note }, 'type'))
  const before = write(mixed, [{ id: '1', type: 'todo' }]).state
  const { state, result } = write(mixed.push, { id: '1', type: 'note' }, before)
  assert.equal(result, { id: '1', schema: 'note' })
  assert.equal(readRow(state, '[Todo;Note]', '{}'), [{ id: '1', schema: 'todo' }, { id: '1', schema: 'note' }])
  assert.equal(write(mixed.push, { id: '1', type: 'note' }, state).change.patches, [])
  assert.instance(denormalize(mixed.push, result, state), Note)
})

test('members of long lists are found: pushing ten onto ten thousand takes twenty patches', () => {
  const many = Array.from({ length: 10_000 }, (_, i) => ({ id: String(i) }))
  const { state } = write(todos, many)
  const added = Array.from({ length: 10 }, (_, i) => ({ id: `n${i}` }))
  const { change } = write(todos.push, [...added, { id: '77' }], state)
  assert.is(change.patches.length, 20)
  assert.is(write(todos.unshift, added, state).change.patches.length, 20)
})

test.run()
