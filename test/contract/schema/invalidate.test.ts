import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow, readStamp } from '../../support/state.ts'
import { Controller, createResource, denormalize, Entity, Invalidate, MissingPkError, normalize, schema, SchemaError } from '../../../src/index.ts'
import type { State } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { at, write } from '../../support/write.ts'

const test = suite('schema.Invalidate')

class User extends Entity {
  id = ''
  type = 'user'
  static override key = 'User'
}
class Bot extends Entity {
  id = ''
  type = 'bot'
  static override key = 'Bot'
}
const gone = new schema.Invalidate(User)
const start = (): State => write([User], [{ id: '1' }, { id: '2' }, { id: '3' }], undefined, [], at(1)).state
const left = (state: State): string[] => ['1', '2', '3'].filter((pk) => readRow(state, 'User', pk))

test('is also exported by name', () => {
  assert.is(schema.Invalidate, Invalidate)
})

test('deletes the entity and marks it deleted, as opposed to never known', () => {
  const { state, change, result } = write(gone, { id: 2 }, start(), [], at(2))
  assert.is(result, '2')
  assert.equal(change.patches, [{ op: 'remove', path: ['entities', 'User', '2'] }])
  assert.equal(readStamp(state, 'User', '2'), { ...at(2), deleted: true })
  assert.equal(left(state), ['1', '3'])
  assert.is(denormalize(User, '2', state), undefined)
})

for (const [name, input, args, expected] of [
  ['an object', { id: '2' }, [], ['1', '3']],
  ['a string', '2', [], ['1', '3']],
  ['a number', 2, [], ['1', '3']],
  ['a list of objects', [{ id: '1' }, { id: '3' }], [], ['2']],
  ['a list of strings and numbers', ['1', 3], [], ['2']],
  ['a list of both', [{ id: 1 }, '2'], [], ['3']],
  ['an empty list', [], [], ['1', '2', '3']],
  ['an object without a pk, and the pk in the first argument', { ok: true }, [{ id: '2' }], ['1', '3']],
  ['an empty object, and the pk as first argument', {}, ['2'], ['1', '3']],
  ['an empty object, and a number as first argument', {}, [2], ['1', '3']],
] as const) {
  test(`takes ${name}`, () => {
    assert.equal(left(write(gone, input, start(), args, at(2)).state), expected)
  })
}

test('works nested in a response', () => {
  const { state, result } = write({ deleted: [gone], also: gone }, { deleted: ['1', { id: 3 }], also: 2 }, start(), [], at(2))
  assert.equal(result, { deleted: ['1', '3'], also: '2' })
  assert.equal(left(state), [])
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
  const { state, change } = write(gone, '9', start(), [], at(2))
  assert.equal(change.patches, [])
  assert.ok(readStamp(state, 'User', '9')!.deleted)
})

test('a deletion that was asked for before the row was fetched again says nothing about the new row', () => {
  const state = write(User, { id: '1', again: true }, start(), [], at(9)).state
  assert.equal(left(write(gone, '1', state, [], at(5)).state), ['1', '2', '3'])
})

test('an answer from before the deletion does not bring the entity back, one from after it does', () => {
  const { state } = write(gone, '1', start(), [], at(5))
  assert.equal(left(write(User, { id: '1' }, state, [], at(4)).state), ['2', '3'])
  const back = write(User, { id: '1' }, state, [], at(6)).state
  assert.equal(left(back), ['1', '2', '3'])
  assert.equal(readStamp(back, 'User', '1'), at(6))
})

const byType = { user: User, bot: Bot }
for (const [name, several] of [
  ['a union', new schema.Invalidate(new schema.Union(byType, 'type'))],
  ['a mapping with an attribute', new schema.Invalidate(byType, 'type')],
] as const) {
  test(`of ${name} deletes the entity of the type that the data, or the first argument, says`, () => {
    const both = write([Bot], [{ id: '1' }], start()).state
    const one = write(several, { id: '1', type: 'bot' }, both).state
    assert.is(readRow(one, 'Bot', '1'), undefined)
    assert.equal(left(one), ['1', '2', '3'])
    assert.equal(left(write(several, '1', one, [{ type: 'user' }], at(2)).state), ['2', '3'])
    assert.equal(left(write(several, { ok: true, type: 'user' }, one, [{ id: '1' }], at(2)).state), ['2', '3'])
    assert.equal(left(write(several, { ok: true }, one, [{ id: '1', type: 'user' }], at(2)).state), ['2', '3'])
    assert.equal(left(write(several, { id: '1', type: 'cat' }, one, [{ id: '1', type: 'user' }], at(2)).state), ['1', '2', '3'])
  })
}

test('a type that nobody mapped deletes nothing', () => {
  const several = new schema.Invalidate(new schema.Union(byType, 'type'))
  const { result, change } = write(several, { id: '1', type: 'cat' }, start())
  assert.equal(result, { id: '1', type: 'cat' })
  assert.equal(change.patches, [])
})

test('a function that tells types apart is asked about objects only', () => {
  const several = new schema.Invalidate(byType, ({ type }: { type: string }) => type)
  assert.equal(write(several, '1', start()).change.patches, [])
  assert.equal(left(write(several, '1', start(), [{ type: 'user' }], at(2)).state), ['2', '3'])
})

test('a definition that names no type is a SchemaError', () => {
  for (const wrong of [{ user: User }, undefined, 'User', [User]]) assert.instance(caught(() => new schema.Invalidate(wrong as never)), SchemaError)
})

test('define adds a type', () => {
  const several = new schema.Invalidate({ user: User } as { [type: string]: typeof Entity }, 'type')
  several.define({ bot: Bot })
  const both = write([Bot], [{ id: '1' }], start()).state
  assert.is(readRow(write(several, { id: '1', type: 'bot' }, both).state, 'Bot', '1'), undefined)
})

test('a direct call resolves with an instance of what the answer says, or of the parameters', async () => {
  class Note extends Entity {
    id = 0
    text = ''
    static override key = 'Note'
  }
  const Notes = createResource({ urlPrefix: 'http://x', path: '/notes/:id', schema: Note })
  const answers = [Response.json({ id: 1, text: 'gone' }), new Response(null, { status: 204 })]
  const controller = new Controller({ fetch: async () => answers.shift()! })
  for (const id of [1, 2]) controller.setResponse(Notes.get, { id }, { id, text: 'here' })
  const one = await controller.fetch(Notes.delete, { id: 1 })
  assert.instance(one, Note)
  assert.equal([one.id, one.text], [1, 'gone'])
  const two = await controller.fetch(Notes.delete, { id: 2 })
  assert.instance(two, Note)
  assert.equal([two.id, two.text], [2, ''])
  assert.is(controller.get(Note, { id: 1 }), undefined)
})

test.run()
