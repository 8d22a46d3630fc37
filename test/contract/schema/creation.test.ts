import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, denormalize, emptyState, Entity, schema, ValidationError } from '../../../src/index.ts'
import type { State } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { Client } from '../../support/client.ts'
import { readRow } from '../../support/state.ts'
import { write, type Written } from '../../support/write.ts'
import { byType, entity, idsOf, Note, Todo, todos } from './todos.ts'

const test = suite('creations in collections, and moves between them')

const byName = new schema.Collection(new schema.Values(Todo))
const start = (...ids: string[]): State => write(todos, ids.map((id) => ({ id }))).state
const list = (state: State, pk = '{}'): unknown => readRow(state, '[Todo]', pk)
/** The tables that the patches of a change are about. */
const tables = ({ change }: Written): unknown[] => change.patches.map(({ path }) => path[1])

test('each is one schema, however often it is asked for', () => {
  for (const how of ['push', 'unshift', 'assign', 'remove', 'move', 'paginate'] as const) assert.is(todos[how], todos[how], how)
})

test('push writes the entity and puts its pk at the end', () => {
  const { state, result, change } = write(todos.push, { id: 3, title: 'x' }, start('1', '2'))
  assert.equal([result, list(state)], ['3', ['1', '2', '3']])
  assert.equal(change.patches, [
    { op: 'add', path: ['entities', 'Todo', '3'], value: { id: 3, title: 'x' } },
    { op: 'add', path: ['entities', '[Todo]', '{}', 2], value: '3' },
  ])
})

for (const how of ['push', 'unshift', 'remove', 'move'] as const) {
  test(`${how}: one object gives one entity, a list gives a list`, () => {
    const one = write(todos[how], { id: '3' }, start('1'))
    assert.is(one.result, '3')
    assert.instance(denormalize(todos[how], one.result, one.state), Todo)
    const several = write(todos[how], [{ id: '3' }, { id: '4' }], start('1'))
    assert.equal([several.result, idsOf(denormalize(todos[how], several.result, several.state))], [['3', '4'], ['3', '4']])
  })
}

for (const how of ['push', 'unshift'] as const) {
  test(`${how}: a pk that is in the list is not added again, and the entity is still written`, () => {
    const { state, change } = write(todos[how], [{ id: '1', title: 'new' }, { id: '3' }, { id: 3 }], start('1', '2'))
    assert.equal([(list(state) as string[]).length, change.patches.length], [3, 3])
    assert.equal(readRow(state, 'Todo', '1'), { id: '1', title: 'new' })
  })
}

test('every stored collection that passes the filter is changed, and a creation alone makes none', () => {
  const keys = [{ a: 1 }, { a: 1, orderBy: 'x' }, { a: 2 }]
  const stored = keys.reduce((state: State, key) => write(todos, [], state, [key]).state, emptyState)
  const { state } = write(todos.push, { id: '1' }, stored, [{ a: 1 }])
  assert.equal(['{"a":"1"}', '{"a":"1","orderBy":"x"}', '{"a":"2"}'].map((pk) => list(state, pk)), [['1'], ['1'], []])
  assert.equal(tables(write(todos.push, { id: '1' })), ['Todo'])
})

test('a creation works nested in a response, beside other entities', () => {
  const answer = { trade: todos.push, account: entity('Account') }
  const { state, result } = write(answer, { trade: { id: '9' }, account: { id: 'a', balance: 5 } }, start('1'))
  assert.equal(result, { trade: '9', account: 'a' })
  assert.equal([list(state), readRow(state, 'Account', 'a')], [['1', '9'], { id: 'a', balance: 5 }])
  assert.instance(denormalize(answer, result, state)!.trade, Todo)
})

test('assign sets members by name and keeps the others', () => {
  const first = write(byName, { a: { id: '1' }, b: { id: '2' } }).state
  const written = write(byName.assign, { b: { id: '3' }, c: { id: '4' } }, first)
  assert.equal(written.result, { b: '3', c: '4' })
  assert.equal(readRow(written.state, '{Todo}', '{}'), { a: '1', b: '3', c: '4' })
  assert.equal(tables(written), ['Todo', 'Todo', '{Todo}', '{Todo}'])
  assert.instance((denormalize(byName.assign, written.result, written.state) as unknown as { c: Todo }).c, Todo)
})

test('remove takes the pk out, and the entity stays', () => {
  const { state, change } = write(todos.remove, { id: '2' }, start('1', '2', '3'))
  assert.equal([list(state), readRow(state, 'Todo', '2')], [['1', '3'], { id: '2' }])
  assert.equal(change.patches, [{ op: 'remove', path: ['entities', '[Todo]', '{}', 1] }])
  assert.equal(tables(write(todos.remove, { id: '9' }, start('1'))), ['Todo'])
  const named = write(byName.remove, { any: { id: '1' } }, write(byName, { a: { id: '1' }, b: { id: '2' } }).state).state
  assert.equal(readRow(named, '{Todo}', '{}'), { b: '2' })
})

test('addWith merges as it likes, and the list still names each member once', () => {
  const sorted = todos.addWith((collection: string[], creation: string[]) => [...collection, ...creation, ...creation].sort())
  const { state, change } = write(sorted, { id: '2' }, start('1', '3'))
  assert.equal([list(state), change.patches.length], [['1', '2', '3'], 2])
})

for (const [title, creation, stored, input] of [
  ['addWith', todos.addWith((collection: string[]) => [...collection]), start('1', '2'), { id: '2' }],
  ['assign', byName.assign, write(byName, { b: { id: '3' } }).state, { b: { id: '3' } }],
] as const) {
  test(`${title} that changes nothing leaves the entities as they are`, () => {
    const client = new Client(stored)
    const { entities } = client.controller.snapshot()
    assert.is(client.write(creation, input).entities, entities)
  })
}

test('a merge that returns no members is an error that names the collection, and does not take the list away', () => {
  for (const wrong of [undefined, null, 5, 'x']) {
    caught(() => write(todos.addWith(() => wrong), { id: '2' }, start('1')), ValidationError, '[Todo]: merge must return the members')
  }
})

test('after a merge that exchanges members, a push knows what is in the list', () => {
  const swap = todos.addWith((collection: string[], creation: string[]) => [...creation, ...collection.slice(1)])
  const client = new Client(start('a', 'b'))
  const steps = [[todos.push, 'c'], [swap, 'd'], [todos.push, 'a'], [todos.push, 'd']] as const
  const made = steps.map(([creation, id]) => list(client.write(creation, { id })))
  assert.equal(made, [['a', 'b', 'c'], ['d', 'b', 'c'], ['d', 'b', 'c', 'a'], ['d', 'b', 'c', 'a']])
})

test('the list that a merge returns is copied, so nobody can write to it later', () => {
  let returned: string[] = []
  const keeping = todos.addWith((collection: string[], creation: string[]) => (returned = [...collection, ...creation]))
  const { state } = write(keeping, { id: '2' }, start('1'))
  returned.push('evil')
  assert.equal(list(state), ['1', '2'])
})

test('paginate appends a page to the list that all arguments but the cursor name', () => {
  let state = write(todos, [{ id: '1' }], undefined, [{ tag: 'a' }]).state
  state = write(todos, [{ id: '5' }], state, [{ tag: 'b' }]).state
  state = write(todos, [{ id: '6' }], state, [{}]).state
  const page = write(todos.paginate, [{ id: '1' }, { id: '2' }], state, [{ tag: 'a', cursor: 'x' }])
  assert.equal(page.result, ['1', '2'])
  assert.equal(['{"tag":"a"}', '{"tag":"b"}', '{}'].map((pk) => list(page.state, pk)), [['1', '2'], ['5'], ['6']])
  assert.equal(list(write(todos.paginate, [{ id: '7' }], page.state, [{ cursor: 'x' }]).state), ['6', '7'])
})

test('over a schema.Array of several types, one object is one member', () => {
  const mixed = new schema.Collection(new schema.Array(byType, 'type'))
  const before = write(mixed, [{ id: '1', type: 'todo' }]).state
  const { state, result } = write(mixed.push, { id: '1', type: 'note' }, before)
  assert.equal(result, { id: '1', schema: 'note' })
  assert.equal(readRow(state, '[Todo;Note]', '{}'), [{ id: '1', schema: 'todo' }, { id: '1', schema: 'note' }])
  assert.equal(write(mixed.push, { id: '1', type: 'note' }, state).change.patches, [])
  assert.instance(denormalize(mixed.push, result, state), Note)
})

const boards: [object, object[]][] = [
  [{ status: 'open' }, [{ id: '1', status: 'open' }, { id: '2', status: 'open' }]],
  [{ status: 'done' }, [{ id: '3', status: 'done' }]],
  [{}, [{ id: '1' }, { id: '2' }, { id: '3' }]],
  [{ pinned: true }, [{ id: '1' }]],
]
const board = boards.reduce((state: State, [args, rows]) => write(todos, rows, state, [args]).state, emptyState)
const lists = (state: State): unknown[] => ['{"status":"open"}', '{"status":"done"}', '{}', '{"pinned":"true"}'].map((pk) => list(state, pk))
const toFront = todos.moveWith((members: string[], moved: string[]) => [...moved, ...members])

const moves: [string, unknown, unknown, unknown[]][] = [
  [
    'takes an entity out of what its old values matched and puts it into what its new values match; others stay',
    todos.move, { id: '1', status: 'done' }, [['2'], ['3', '1'], ['1', '2', '3'], ['1']],
  ],
  ['lets fields that the answer does not name keep their position', todos.move, { id: '1', title: 'x' }, lists(board)],
  ['puts an entity that is new into what it matches', todos.move, { id: '9', status: 'open', pinned: true }, [['1', '2', '9'], ['3'], ['1', '2', '3', '9'], ['1', '9']]],
  ['moves several at once, each once', todos.move, [{ id: '1', status: 'done' }, { id: '3', status: 'open' }, { id: 1, status: 'done' }], [['2', '3'], ['1'], ['1', '2', '3'], ['1']]],
  ['by moveWith merges as it likes into the collections that the new values match', toFront, { id: '1', status: 'done' }, [['2'], ['1', '3'], ['1', '2', '3'], ['1']]],
]
for (const [title, creation, input, expected] of moves) {
  test(`move ${title}`, () => assert.equal(lists(write(creation, input, board).state), expected))
}

test('lists that keep their length are known by their new members after a move, which is one patch for each of them', () => {
  assert.equal(tables(write(todos.move, { id: '1', status: 'done' }, board)), ['Todo', '[Todo]', '[Todo]'])
  const client = new Client(board)
  const open = (creation: unknown, input: unknown): unknown => lists(client.write(creation, input, [{ status: 'open' }]))[0]
  open(todos.push, { id: '5', status: 'open' })
  assert.equal(open(todos.move, [{ id: '1', status: 'done' }, { id: '3', status: 'open' }]), ['2', '5', '3'])
  assert.equal([open(todos.push, { id: '1' }), open(todos.push, { id: '3' })], [['2', '5', '3', '1'], ['2', '5', '3', '1']])
})

test('members of several types are moved by the values of their own type', () => {
  const mixed = new schema.Collection([new schema.Union(byType, 'type')])
  const listed = new schema.Collection(new schema.Array(byType, 'type'))
  const statuses = (state: State): unknown[] => ['open', 'done'].map((status) => readRow(state, '[Todo;Note]', `{"status":"${status}"}`))
  const open = [{ id: '1', type: 'todo', status: 'open' }, { id: '1', type: 'note', status: 'open' }]
  let { state } = write(mixed, open, undefined, [{ status: 'open' }])
  state = write(mixed, [], state, [{ status: 'done' }]).state
  state = write(mixed.move, { id: '1', type: 'note', status: 'done' }, state).state
  assert.equal(statuses(state), [[{ id: '1', schema: 'todo' }], [{ id: '1', schema: 'note' }]])
  state = write(listed.move, { id: '1', type: 'todo', status: 'done' }, state).state
  assert.equal(statuses(state), [[], [{ id: '1', schema: 'note' }, { id: '1', schema: 'todo' }]])
})

class Card extends Entity {
  static override key = 'Card'
  id = ''
  status = ''
  title = ''
}
const Cards = createResource({ urlPrefix: 'http://x', path: '/teams/:team/cards/:id', schema: Card, searchParams: {} as { status?: string } })

/** A controller whose server answers a PATCH with the id and what was sent. */
const cardController = (): Controller =>
  new Controller({ fetch: async (url, { body } = {}) => Response.json({ id: url.split('/').pop(), ...(JSON.parse(String(body)) as object) }) })

test('the values of an entity are its fields over the URL parameters of the call', async () => {
  const controller = cardController()
  const calls = [{ team: 'a', status: 'open' }, { team: 'a', status: 'doing' }, { team: 'b', status: 'open' }, { team: 'b', status: 'doing' }]
  const cards = (): unknown[] => calls.map((call) => idsOf(controller.getResponse(Cards.getList, call).data))
  for (const call of calls) controller.setResponse(Cards.getList, call, [])
  controller.setResponse(Cards.getList, calls[0]!, [{ id: '3', status: 'open' }, { id: '4', status: 'open' }])
  await controller.fetch(Cards.getList.move, { team: 'a', id: '3' }, { status: 'doing' })
  assert.equal(cards(), [['4'], ['3'], [], []])
  // A field of the record wins over the parameter of that name.
  await controller.fetch(Cards.getList.move, { team: 'a', id: '4' }, { status: 'doing', team: 'b' } as never)
  assert.equal(cards(), [[], ['3'], [], ['4']])
})

test('between maps: out of one, into the other under its pk or the name that the answer gives it, and the row is updated', async () => {
  let { state } = write(byName, { a: { id: '1', status: 'open' } }, undefined, [{ status: 'open' }])
  state = write(byName, {}, state, [{ status: 'done' }]).state
  state = write(byName.move, { a: { id: '1', status: 'done' } }, state).state
  assert.equal(['open', 'done'].map((status) => readRow(state, '{Todo}', `{"status":"${status}"}`)), [{}, { a: '1' }])
  const controller = cardController()
  const getMap = Cards.getList.extend({ schema: new schema.Collection(new schema.Values(Card)) })
  const map = (status: string): unknown => JSON.parse(JSON.stringify(controller.getResponse(getMap, { team: 'a', status }).data))
  controller.setResponse(getMap, { team: 'a', status: 'open' }, { 3: { id: '3', status: 'open' }, 4: { id: '4', status: 'open' } })
  controller.setResponse(getMap, { team: 'a', status: 'done' }, {})
  await controller.fetch(getMap.move, { team: 'a', id: '3' }, { status: 'done', title: 'new' })
  assert.equal(map('open'), { 4: { id: '4', status: 'open', title: '' } })
  assert.equal(map('done'), { 3: { id: '3', status: 'done', title: 'new' } })
})

test.run()
