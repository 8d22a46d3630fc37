import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, denormalize, MissingPkError, normalize, schema, SchemaError } from '../../../src/index.ts'
import type { Entity, State } from '../../../src/index.ts'
import { caught, warnings } from '../../support/caught.ts'
import { readRow, readStamp } from '../../support/state.ts'
import { at, write } from '../../support/write.ts'
import { byType, Note, Todo } from './todos.ts'

const test = suite('schema.Invalidate')

const gone = new schema.Invalidate(Todo)
const rows = { todos: [{ id: '1' }, { id: '2' }, { id: '3' }], notes: [{ id: '1' }] }
const start = write({ todos: [Todo], notes: [Note] }, rows, undefined, [], at(1)).state
const left = (state: State): string[] => ['1', '2', '3'].filter((pk) => readRow(state, 'Todo', pk))

test('deletes the entity and marks it deleted, as opposed to never known', () => {
  const { state, change, result } = write(gone, { id: 2 }, start, [], at(2))
  assert.is(result, '2')
  assert.equal(change.patches, [{ op: 'remove', path: ['entities', 'Todo', '2'] }])
  assert.equal(readStamp(state, 'Todo', '2'), { ...at(2), deleted: true })
  assert.equal([left(state), denormalize(Todo, '2', state)], [['1', '3'], undefined])
})

const union = new schema.Invalidate(new schema.Union(byType, 'type'))
const mapping = new schema.Invalidate({ todo: Todo } as { [type: string]: typeof Entity }, 'type')
mapping.define({ note: Note })
const asked = new schema.Invalidate(byType, ({ type }: { type: string }) => type)

const inputs: [string, unknown, unknown, unknown[], string[]][] = [
  ['an object', gone, { id: '2' }, [], ['1', '3']],
  ['a string', gone, '2', [], ['1', '3']],
  ['a number', gone, 2, [], ['1', '3']],
  ['a list of objects', gone, [{ id: '1' }, { id: '3' }], [], ['2']],
  ['a list of strings and numbers', gone, ['1', 3], [], ['2']],
  ['a list of both', gone, [{ id: 1 }, '2'], [], ['3']],
  ['an empty list', gone, [], [], ['1', '2', '3']],
  ['an object without a pk, and the pk in the first argument', gone, { ok: true }, [{ id: '2' }], ['1', '3']],
  ['an empty object, and the pk as first argument', gone, {}, ['2'], ['1', '3']],
  ['an empty object, and a number as first argument', gone, {}, [2], ['1', '3']],
  ['members of a response', { list: [gone], one: gone }, { list: ['1', { id: 3 }], one: 2 }, [], []],
  ['a type that a function tells from the first argument, since it is asked about objects only', asked, '1', [{ type: 'todo' }], ['2', '3']],
  ['a string whose type nothing tells, and deletes nothing', asked, '1', [], ['1', '2', '3']],
]
for (const [name, several] of [['a union', union], ['a mapping with an attribute', mapping]] as const) {
  inputs.push(
    [`an object of ${name}, of another type`, several, { id: '1', type: 'note' }, [], ['1', '2', '3']],
    [`an object of ${name}, of a type that nobody mapped`, several, { id: '1', type: 'cat' }, [{ id: '1', type: 'todo' }], ['1', '2', '3']],
    [`a string of ${name}, and the type in the first argument`, several, '1', [{ type: 'todo' }], ['2', '3']],
    [`the type of ${name}, and the pk in the first argument`, several, { ok: true, type: 'todo' }, [{ id: '1' }], ['2', '3']],
    [`an object of ${name} that says nothing, and pk and type in the first argument`, several, { ok: true }, [{ id: '1', type: 'todo' }], ['2', '3']],
  )
}
for (const [name, shape, input, args, expected] of inputs) {
  test(`takes ${name}`, () => {
    const { state } = write(shape, input, start, args, at(2))
    assert.equal(left(state), expected)
    assert.is(readRow(state, 'Note', '1') === undefined, (input as { type?: string }).type === 'note')
  })
}

test('the result is the pk, or the pks, or what was not mapped', () => {
  assert.equal(normalize({ list: [gone], one: gone }, { list: ['1', { id: 3 }], one: 2 }).result, { list: ['1', '3'], one: '2' })
  const { result, patches } = normalize(union, { id: '1', type: 'cat' }, [], start)
  assert.equal([result, patches], [{ id: '1', type: 'cat' }, []])
})

test('an object whose type nothing tells deletes nothing, with a warning', () => {
  const several = new schema.Invalidate(new schema.Union(byType, 'type'))
  assert.match(warnings(() => normalize(several, { id: '1' }, [{ id: '1' }])).join(), /no schema for an object without the attribute.*Known: /)
})

test('what has no pk anywhere is an error', () => {
  for (const [input, args] of [[{ ok: true }, []], [{ ok: true }, [{ other: 1 }]], ['', []], [NaN, []], [[null], []]] as const) {
    assert.instance(caught(() => normalize(gone, input, args)), MissingPkError)
  }
  assert.match(caught(() => normalize(gone, { slug: 'x' }, [{ slug: 'x' }])).message, /pk\(\) gave undefined.*the fields slug/)
})

test('other scalars are refused at the top', () => {
  for (const input of [null, undefined, true]) assert.throws(() => normalize(gone, input), /Expected a response for Invalidate/)
})

test('an entity that was never stored is known as deleted afterwards', () => {
  const { state, change } = write(gone, '9', start, [], at(2))
  assert.equal(change.patches, [])
  assert.ok(readStamp(state, 'Todo', '9')!.deleted)
})

test('a deletion that was asked for before the row was fetched again says nothing about the new row', () => {
  const { state } = write(Todo, { id: '1', again: true }, start, [], at(9))
  assert.equal(left(write(gone, '1', state, [], at(5)).state), ['1', '2', '3'])
})

test('an answer from before the deletion does not bring the entity back, one from after it does', () => {
  const { state } = write(gone, '1', start, [], at(5))
  assert.equal(left(write(Todo, { id: '1' }, state, [], at(4)).state), ['2', '3'])
  const back = write(Todo, { id: '1' }, state, [], at(6)).state
  assert.equal([left(back), readStamp(back, 'Todo', '1')], [['1', '2', '3'], at(6)])
})

test('a definition that names no type is a SchemaError', () => {
  for (const wrong of [{ todo: Todo }, undefined, 'Todo', [Todo]]) assert.instance(caught(() => new schema.Invalidate(wrong as never)), SchemaError)
})

test('a direct call resolves with an instance of what the answer says, or of the parameters', async () => {
  const Todos = createResource({ urlPrefix: 'http://x', path: '/todos/:id', schema: Todo })
  const answers = [Response.json({ id: '1', title: 'gone' }), new Response(null, { status: 204 })]
  const controller = new Controller({ fetch: async () => answers.shift()! })
  for (const [id, title] of [['1', 'gone'], ['2', '']] as const) {
    controller.setResponse(Todos.get, { id }, { id, title: 'here' })
    const deleted = await controller.fetch(Todos.delete, { id })
    assert.instance(deleted, Todo)
    assert.equal([deleted.id, deleted.title], [id, title])
    assert.is(controller.get(Todo, { id }), undefined)
  }
})

test.run()
