import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as door from '../../../src/index.ts'
import { Controller, createResource, denormalize, emptyState, Entity, normalize, schema, SchemaError, ValidationError } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { write } from '../../support/write.ts'
import { entity, Note, Todo, todos, without } from './todos.ts'

const test = suite('lists, objects, maps and their shorthands')

const map = new schema.Values(Todo)
const two = [{ id: 1 }, { id: '2' }]

test('schemas are also exported by name', () => {
  const { All, Collection, Invalidate, Lazy, Query, Union } = schema
  for (const [name, value] of Object.entries({ All, Collection, Invalidate, Lazy, Query, Union })) assert.is((door as Fields)[name], value, name)
})

const results: [string, unknown, unknown, unknown][] = [
  ['[S] gives the list of pks', [Todo], two, ['1', '2']],
  ['schema.Array gives the list of pks', new schema.Array(Todo), two, ['1', '2']],
  ['schema.All gives the list of pks', new schema.All(Todo), two, ['1', '2']],
  ['[S] takes an object as its values', [Todo], { a: { id: '1' }, b: { id: '2' } }, ['1', '2']],
  ['schema.Array takes an object as its values', new schema.Array(Todo), {}, []],
  ['schema.All takes an object as its values', new schema.All(Todo), { a: { id: '1' } }, ['1']],
  ['null members of a response stay', [Todo], [null, { id: '1' }], [null, '1']],
  ['lists of lists work', [[Todo]], [[{ id: '1' }], [], [{ id: '2' }, { id: '1' }]], [['1'], [], ['2', '1']]],
  ['{ a: S } visits its fields and copies all others', { list: [Todo], n: 0 }, { list: two, n: 5, to: [{}] }, { list: ['1', '2'], n: 5, to: [{}] }],
  ['schema.Object visits its fields and copies all others', new schema.Object({ list: [Todo] }), { list: two, n: 5 }, { list: ['1', '2'], n: 5 }],
  ['a declared field that is not there stays away, and null stays', { todo: Todo, other: Todo }, { todo: null }, { todo: null }],
  ['undefined members of an object are dropped', { todo: Todo }, { todo: undefined, a: undefined, b: 1 }, { b: 1 }],
  ['schema.Values keeps the name of each value', map, { EUR: { id: '1' }, USD: { id: '2' } }, { EUR: '1', USD: '2' }],
  ['entries of a map that are null or undefined are dropped', map, { a: null, b: undefined, c: { id: '1' } }, { c: '1' }],
  ['a literal with a field called normalize is still a literal', { normalize: Todo, denormalize: Todo }, { normalize: two[0] }, { normalize: '1' }],
]
for (const [title, shape, input, expected] of results) test(title, () => assert.equal(normalize(shape, input).result, expected))

test('a text, number or true where a schema may stand means a default, and passes the value through', () => {
  const input = { next: 'x', total: { exact: 1 }, more: [1] }
  assert.equal(normalize({ next: 'none', total: 7, more: true }, input).result, input)
})

/** A view with the id of each entity instead of it. */
const readIds = (view: unknown): unknown =>
  view instanceof Entity ? (view as Todo).id
  : Array.isArray(view) ? view.map(readIds)
  : typeof view === 'object' && view !== null ? Object.fromEntries(Object.entries(view).map(([name, member]) => [name, readIds(member)]))
  : view

const gone = without(write([Todo], [{ id: '1' }, { id: '2' }]).state, '1')
const views: [string, unknown, unknown, unknown][] = [
  ['a list leaves out members that are missing or must not be shown, and null stays', [Todo], ['1', null, 'never', '2', undefined], [null, '2']],
  ['a list of lists shows each of them', [[Todo]], [['2'], [], ['2', '1']], [['2'], [], ['2']]],
  ['a map leaves out entries that are missing or must not be shown', map, { a: '1', b: 'never', c: '2', d: null }, { c: '2' }],
  ['an object shows its fields and all others', { todo: Todo, n: 0 }, { todo: '2', n: 5, to: [{}] }, { todo: '2', n: 5, to: [{}] }],
  ['an object keeps null', { todo: Todo, other: Todo }, { todo: null }, { todo: null }],
  ['a missing member of an object is undefined', { todo: Todo, n: 0 }, { todo: 'never', n: 1 }, { todo: undefined, n: 1 }],
  ['a member that must not be shown makes the object one', { todo: Todo, other: Todo }, { todo: '1', other: '2' }, undefined],
  ['a member that must not be shown makes the objects around it such ones', { page: { todo: Todo } }, { page: { todo: '1' } }, undefined],
]
for (const [title, shape, stored, expected] of views) {
  test(`in a view, ${title}`, () => {
    const view = denormalize(shape, stored, gone)
    assert.equal(readIds(view), expected)
    assert.ok(Object.isFrozen(view))
  })
}

test('a member receives the parent and key of its list, or the object or map and its name in it', () => {
  const received: unknown[] = []
  const Member = entity('Member', { process: (input, parent, key) => (received.push([parent, key]), { ...input }) })
  const input = { list: [{ id: '1' }, { id: '2' }], page: { one: { id: '3' } }, map: { x: { id: '4' } } }
  write({ list: [Member], page: { one: Member }, map: new schema.Values(Member) }, input)
  assert.equal(received, [[input, 'list'], [input, 'list'], [input.page, 'one'], [input.map, 'x']])
})

const scalars: [string, unknown, unknown, string][] = [
  ['a list', [Todo], 'none', 'Expected a list of Todo, found the string "none"'],
  ['an object', { todo: Todo }, 'x', 'Expected an object with todo, found the string "x"'],
  ['a map', map, 7, 'Expected an object of values, found the number 7'],
  ['a collection', todos, 5, 'found the number 5'],
]
for (const [name, shape, scalar, message] of scalars) {
  test(`a scalar where ${name} is expected is an error, a boolean stays`, () => {
    caught(() => normalize({ it: shape }, { it: scalar }), ValidationError, message)
    assert.equal([true, false].map((it) => normalize({ it: shape }, { it }).result), [{ it: true }, { it: false }])
  })
}

test('define merges into the fields of an object or of the members of a list, so that an object may contain itself', () => {
  const tree = new schema.Object<Fields>({ todo: Todo })
  tree.define({ below: [tree] })
  const { result, state, change } = write(tree, { todo: { id: '1' }, below: [{ todo: { id: '2' }, below: [] }] })
  assert.equal(result, { todo: '1', below: [{ todo: '2', below: [] }] })
  assert.is(change.patches.length, 2)
  assert.equal(readIds(denormalize(tree, result, state)), result)
  const pairs = new schema.Array({ left: Todo } as Fields)
  pairs.define({ right: Todo })
  assert.equal(normalize(pairs, [{ left: two[0], right: two[1] }]).result, [{ left: '1', right: '2' }])
})

for (const falsy of [null, undefined, '', 0, false, NaN]) {
  test(`the schema ${falsy === '' ? "''" : String(falsy)} passes the value through`, () => {
    for (const input of [{ id: '1', list: [1, { a: null }] }, 'text', 0, false, null, undefined]) {
      const { result, patches, inversePatches, stamps } = normalize(falsy, input)
      assert.equal([result, patches, inversePatches, stamps], [input, [], [], []])
    }
    const page = { cursor: falsy, todo: Todo }
    const { state, result } = write({ page }, { page: { cursor: 'abc', todo: { id: '1' } } })
    assert.equal(readIds(denormalize({ page }, result, state)), { page: { cursor: 'abc', todo: '1' } })
    assert.is(denormalize(falsy, 'abc', state), 'abc')
  })
}

test('a list without a schema passes its value through', () => {
  const list = [{ id: '1' }, 2]
  const { result, patches } = normalize([], list)
  assert.equal([result, patches], [list, []])
  assert.equal(denormalize([], result, emptyState), list)
})

const { getList } = createResource({ path: '/todos/:id', schema: Todo })
const controller = new Controller({ fetch: () => Promise.reject(new Error('asked')) })
const pair = [Todo, Note]
const mistakes: [string, RegExp, ...(() => unknown)[]][] = [
  [
    'a list of two schemas is a SchemaError that names them and the way out', /^\[Todo, Note\] must contain exactly one schema.*schema\.Array/,
    () => normalize(pair, []), () => denormalize(pair, [], gone),
  ],
  ['a collection of two schemas is a SchemaError that names them', /\[Todo, Note\]/, () => new schema.Collection(pair)],
  [
    'an endpoint instead of a schema is a SchemaError that says what to give', /^Todo\.getList is an endpoint.*\.schema/,
    () => controller.get(getList), () => controller.set(getList, [{ id: '1' }]),
    () => normalize({ all: getList }, { all: [] }), () => denormalize([getList], ['1'], emptyState),
  ],
]
for (const it of [new Todo(), new Map(), new URLSearchParams()]) {
  const { name } = it.constructor
  mistakes.push([`a ${name} that is no schema is a SchemaError that names it`, new RegExp(name), () => normalize({ it }, { it: {} })])
}
for (const [title, message, ...uses] of mistakes) {
  test(title, () => {
    for (const use of uses) caught(use, SchemaError, message)
  })
}

test.run()
