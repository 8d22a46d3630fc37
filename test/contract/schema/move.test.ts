import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../../support/state.ts'
import { Controller, createResource, Entity, emptyState, schema } from '../../../src/index.ts'
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

test('fields that the answer does not name keep their position', () => {
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

class Card extends Entity {
  id = ''
  status = ''
  title = ''
  static override key = 'Card'
}
const CardResource = createResource({ urlPrefix: 'http://x', path: '/teams/:team/cards/:id', schema: Card, searchParams: {} as { status?: string } })

/** A controller whose server answers a PATCH with the id and what was sent. */
function board(): Controller {
  const fetch = async (url: string, { body }: RequestInit = {}): Promise<Response> => Response.json({ id: url.split('/').pop(), ...(JSON.parse(String(body)) as object) })
  return new Controller({ fetch })
}

test('the values of an entity are its fields over the URL parameters of the call', async () => {
  const controller = board()
  const list = (team: string, status: string): unknown => controller.getResponse(CardResource.getList, { team, status }).data?.map(({ id }) => id)
  for (const team of ['a', 'b']) {
    controller.setResponse(CardResource.getList, { team, status: 'open' }, team === 'a' ? [{ id: '3', status: 'open' }, { id: '4', status: 'open' }] : [])
    controller.setResponse(CardResource.getList, { team, status: 'doing' }, [])
  }
  await controller.fetch(CardResource.getList.move, { team: 'a', id: '3' }, { status: 'doing' })
  assert.equal([list('a', 'open'), list('a', 'doing'), list('b', 'open'), list('b', 'doing')], [['4'], ['3'], [], []])
  // A field of the record wins over the parameter of that name.
  await controller.fetch(CardResource.getList.move, { team: 'a', id: '4' }, { status: 'doing', team: 'b' } as never)
  assert.equal([list('a', 'open'), list('a', 'doing'), list('b', 'open'), list('b', 'doing')], [[], ['3'], [], ['4']])
})

test('between maps: out of one, into the other under its pk, and the row is updated', async () => {
  const controller = board()
  const getMap = CardResource.getList.extend({ schema: new schema.Collection(new schema.Values(Card)) })
  const map = (status: string): unknown => JSON.parse(JSON.stringify(controller.getResponse(getMap, { team: 'a', status }).data))
  controller.setResponse(getMap, { team: 'a', status: 'open' }, { 3: { id: '3', status: 'open' }, 4: { id: '4', status: 'open' } })
  controller.setResponse(getMap, { team: 'a', status: 'done' }, {})
  await controller.fetch(getMap.move, { team: 'a', id: '3' }, { status: 'done', title: 'new' })
  assert.equal(map('open'), { 4: { id: '4', status: 'open', title: '' } })
  assert.equal(map('done'), { 3: { id: '3', status: 'done', title: 'new' } })
  assert.is(controller.get(Card, { id: '3' })?.title, 'new')
})

test('moveWith merges as it likes into the collections that the new values match', () => {
  const first = todos.moveWith((list: string[], moved: string[]) => [...moved, ...list])
  const { state } = write(first, { id: '1', status: 'done' }, boards())
  assert.equal(lists(state), [['2'], ['1', '3'], ['1', '2', '3'], ['1']])
})

test.run()
