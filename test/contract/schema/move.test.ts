import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../../support/state.ts'
import { Entity, emptyState, schema } from '../../../src/index.ts'
import type { State } from '../../../src/index.ts'
import { Client } from '../../support/client.ts'
import { write } from '../../support/write.ts'

const test = suite('moving between collections')

class Todo extends Entity {
  id = ''
  static override key = 'Todo'
}
class Note extends Entity {
  id = ''
  static override key = 'Note'
}
const todos = new schema.Collection([Todo])

function boards(): State {
  let state: State = emptyState
  const rows: [object, object[]][] = [
    [{ status: 'open' }, [{ id: '1', status: 'open' }, { id: '2', status: 'open' }]],
    [{ status: 'done' }, [{ id: '3', status: 'done' }]],
    [{}, [{ id: '1' }, { id: '2' }, { id: '3' }]],
    [{ pinned: true }, [{ id: '1' }]],
  ]
  for (const [args, input] of rows) state = write(todos, input, state, [args]).state
  return state
}
const lists = (state: State): unknown[] =>
  ['{"status":"open"}', '{"status":"done"}', '{}', '{"pinned":"true"}'].map((pk) => readRow(state, '[Todo]', pk))

test('takes an entity out of what its old values matched and puts it into what its new values match', () => {
  const { state, change } = write(todos.move, { id: '1', status: 'done' }, boards())
  assert.equal(lists(state), [['2'], ['3', '1'], ['1', '2', '3'], ['1']])
  assert.is(change.patches.length, 3)
})

test('leaves collections alone that the old values do not explain', () => {
  assert.equal(lists(write(todos.move, { id: '1', status: 'done' }, boards()).state)[3], ['1'])
})

test('fields that the answer does not name keep their place', () => {
  assert.equal(lists(write(todos.move, { id: '1', title: 'x' }, boards()).state), [['1', '2'], ['3'], ['1', '2', '3'], ['1']])
})

test('an entity that is new goes into what it matches', () => {
  assert.equal(lists(write(todos.move, { id: '9', status: 'open', pinned: true }, boards()).state), [['1', '2', '9'], ['3'], ['1', '2', '3', '9'], ['1', '9']])
})

test('several are moved at once, each once', () => {
  const { state } = write(todos.move, [{ id: '1', status: 'done' }, { id: '3', status: 'open' }, { id: 1, status: 'done' }], boards())
  assert.equal(lists(state).slice(0, 2), [['2', '3'], ['1']])
})

test('lists that keep their length are known by their new members afterwards', () => {
  const client = new Client(boards())
  const write1 = (creation: unknown, input: unknown): State => client.write(creation, input, [{ status: 'open' }])
  let state = write1(todos.push, { id: '5', status: 'open' })
  state = write1(todos.move, [{ id: '1', status: 'done' }, { id: '3', status: 'open' }])
  assert.equal(lists(state)[0], ['2', '5', '3'])
  state = write1(todos.push, { id: '1' })
  assert.equal(lists(state)[0], ['2', '5', '3', '1'])
  assert.equal(lists(write1(todos.push, { id: '3' }))[0], ['2', '5', '3', '1'])
})

test('members of several types are moved by the values of their own type', () => {
  const mixed = new schema.Collection([new schema.Union({ todo: Todo, note: Note }, 'type')])
  let { state } = write(mixed, [{ id: '1', type: 'todo', status: 'open' }, { id: '1', type: 'note', status: 'open' }], undefined, [{ status: 'open' }])
  state = write(mixed, [], state, [{ status: 'done' }]).state
  state = write(mixed.move, { id: '1', type: 'note', status: 'done' }, state).state
  assert.equal(readRow(state, '[Todo;Note]', '{"status":"open"}'), [{ id: '1', schema: 'todo' }])
  assert.equal(readRow(state, '[Todo;Note]', '{"status":"done"}'), [{ id: '1', schema: 'note' }])
  const listed = new schema.Collection(new schema.Array({ todo: Todo, note: Note }, 'type'))
  state = write(listed.move, { id: '1', type: 'todo', status: 'done' }, state).state
  assert.equal(readRow(state, '[Todo;Note]', '{"status":"open"}'), [])
})

test('a map lets the entity go, and takes it under the name that the answer gives it', () => {
  const byName = new schema.Collection(new schema.Values(Todo))
  let { state } = write(byName, { a: { id: '1', status: 'open' } }, undefined, [{ status: 'open' }])
  state = write(byName, {}, state, [{ status: 'done' }]).state
  state = write(byName.move, { a: { id: '1', status: 'done' } }, state).state
  assert.equal(readRow(state, '{Todo}', '{"status":"open"}'), {})
  assert.equal(readRow(state, '{Todo}', '{"status":"done"}'), { a: '1' })
})

test.run()
