import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { denormalize, schema, SchemaError } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { caught, warnings } from '../../support/caught.ts'
import { query, readRow } from '../../support/state.ts'
import { write, type Written } from '../../support/write.ts'
import { byType, Note, Todo } from './todos.ts'

const test = suite('members of several types')

const either = new schema.Union(byType, 'type')

const rows = { a: { id: '1', type: 'todo' }, b: { id: '1', type: 'note' }, c: { id: '9', type: 'robot', parts: [{ n: 1 }] }, d: { id: '8' } }
for (const [name, make] of [
  ['schema.Array', (mapping: Fields) => new schema.Array(mapping, 'type')],
  ['schema.Values', (mapping: Fields) => new schema.Values(mapping, 'type')],
  ['schema.Union', (mapping: Fields) => new schema.Union(mapping, 'type')],
] as const) {
  test(`${name} stores the types of its mapping, of define too, as { id, schema }; all others stay data, with one warning`, () => {
    const kind = make({ todo: Todo })
    kind.define({ note: Note })
    const shape = kind instanceof schema.Union ? new schema.Values(kind) : kind
    let written: Written
    const messages = warnings(() => {
      written = write(shape, rows)
      write(shape, { c: rows.c })
    })
    const { result, state, change } = written!
    assert.equal(Object.values(result as object), [{ id: '1', schema: 'todo' }, { id: '1', schema: 'note' }, rows.c, rows.d])
    assert.equal(change.patches.map(({ path }) => path[1]), ['Todo', 'Note'])
    const [todo, note, ...others] = Object.values(denormalize(shape, result, state) as object) as unknown[]
    assert.instance(todo, Todo)
    assert.instance(note, Note)
    assert.equal(others, [rows.c, rows.d])
    assert.is(messages.length, 1)
    assert.match(messages[0]!, new RegExp(`${name}: no schema for "robot".*Known: todo, note`))
  })
}

test('a function of value, parent and key tells the types apart, or says that it knows none', () => {
  const received: unknown[] = []
  const members = new schema.Array(byType, (value: { kind?: string }, parent: unknown, key: string) => {
    received.push([value, parent, key])
    return value.kind
  })
  const input = { members: [{ id: '1', kind: 'note' }, { id: '2' }] }
  const messages = warnings(() => assert.equal(write({ members }, input).result, { members: [{ id: '1', schema: 'note' }, { id: '2' }] }))
  assert.equal(received, input.members.map((member) => [member, input, 'members']))
  assert.match(messages.join(), 'an object without the attribute')
})

test('the attribute may be a number or a boolean', () => {
  const { result } = write(new schema.Array({ 1: Todo, true: Note }, 'type'), [{ id: 'a', type: 1 }, { id: 'b', type: true }])
  assert.equal(result, [{ id: 'a', schema: '1' }, { id: 'b', schema: 'true' }])
})

test('an entity whose only fields are id and the attribute is an entity, also when the attribute is called schema', () => {
  const { result, state } = write(new schema.Array(byType, 'schema'), [{ id: '5', schema: 'todo' }])
  assert.equal(result, [{ id: '5', schema: 'todo' }])
  assert.equal(readRow(state, 'Todo', '5'), { id: '5', schema: 'todo' })
})

test('what is stored can be taken in again', () => {
  const { state } = write(either, rows.a)
  const again = write([either], [{ id: '1', schema: 'todo' }], state)
  assert.equal([again.result, again.change.patches], [[{ id: '1', schema: 'todo' }], []])
})

test('is shown as the entity of the type that is stored, and of no other', () => {
  const { state } = write(either, rows.b)
  assert.instance(denormalize(either, { id: '1', schema: 'note' }, state), Note)
  assert.is(denormalize(either, { id: '1', schema: 'todo' }, state), undefined)
})

for (const [title, make, message] of [
  ['an attribute needs a mapping', () => new schema.Array<unknown, string>(Todo, 'type'), /mapping/],
  ['a list needs a schema, which may come later with define', () => new schema.Array(undefined), /define\(\)/],
  ['a union needs an attribute, and the error names the types', () => new schema.Union(byType, undefined as never), /\{ todo, note \} needs/],
] as const) {
  test(title, () => void caught(make, SchemaError, message))
}

/** What a query finds in a todo 1, a note 1 and a note 2: its id and its class. */
function found(union: unknown, ...args: readonly unknown[]): unknown[] | undefined {
  const { state } = write([either], [rows.a, rows.b, { id: '2', type: 'note' }])
  const view = query<Todo | Note>(union, args, state)
  return view && [view.id, view.constructor]
}

test('is found by the attribute of the first argument, else by the first type that has it', () => {
  assert.equal(found(either, { id: '1', type: 'note' }), ['1', Note])
  assert.equal(found(either, { id: '1' }), ['1', Todo])
  assert.equal(found(either, '2'), ['2', Note])
  assert.equal([found(either, { id: '2', type: 'todo' }), found(either, { id: '9' }), found(either)], [undefined, undefined, undefined])
})

test('a function that tells types apart is not asked about an argument that is no object', () => {
  const byName = new schema.Union(byType, (value: { type: string }) => value.type.toLowerCase())
  assert.equal(found(byName, '2'), ['2', Note])
  assert.equal(found(byName, { id: '2', type: 'NOTE' }), ['2', Note])
})

test.run()
