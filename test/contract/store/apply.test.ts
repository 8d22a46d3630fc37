import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches, Controller, emptyState, exportState } from '../../../src/index.ts'
import type { Patch, State } from '../../../src/index.ts'
import { readResult, readRow } from '../../support/state.ts'
import { write } from '../../support/write.ts'
import { entity } from '../schema/todos.ts'

const test = suite('applyPatches')

const Todo = entity('Todo')
const start = (record: object = {}): State => write(Todo, { id: '1', ...record }).state
const row = (state: State, pk = '1'): unknown => readRow(state, 'Todo', pk)

const add = (value: unknown, ...path: Patch['path']): Patch => ({ op: 'add', path, value })
const replace = (value: unknown, ...path: Patch['path']): Patch => ({ op: 'replace', path, value })
const remove = (...path: Patch['path']): Patch => ({ op: 'remove', path })
/** A patch of the row (Todo, pk). */
const ofRow = (pk: string, patch: Patch): Patch => ({ ...patch, path: ['entities', 'Todo', pk, ...patch.path] })

test('no patch gives the very same state', () => {
  for (const state of [start(), emptyState]) assert.is(applyPatches(state, []), state)
})

test('adds, replaces and removes whole records', () => {
  const added = applyPatches(emptyState, [add({ id: '7' }, 'entities', 'Todo', '7')])
  const replaced = applyPatches(added, [replace({ id: '7', a: 1 }, 'entities', 'Todo', '7')])
  const removed = applyPatches(replaced, [remove('entities', 'Todo', '7')])
  assert.equal([added, replaced, removed].map((state) => row(state, '7')), [{ id: '7' }, { id: '7', a: 1 }, undefined])
})

const list = { list: ['a', 'b', 'c'] }
const deep = (d: unknown): object => ({ a: { b: { c: [{ d: 1 }, d] } } })
const changes: [string, object, Patch[], object][] = [
  ['replaces a field', { a: 1 }, [replace(2, 'a')], { a: 2 }],
  ['adds a field', { a: 1 }, [add([1], 'b')], { a: 1, b: [1] }],
  ['adds a field whose name is a number', {}, [add('x', 5)], { 5: 'x' }],
  ['removes a field', { a: 1 }, [remove('a')], {}],
  ['removes a field by undefined', { a: 1 }, [replace(undefined, 'a')], {}],
  ['adds a member in a list', list, [add('x', 'list', 1)], { list: ['a', 'x', 'b', 'c'] }],
  ['adds a member at the end of a list, by index', list, [add('x', 'list', 3)], { list: ['a', 'b', 'c', 'x'] }],
  ['adds a member at the end of a list, by -', list, [add('x', 'list', '-')], { list: ['a', 'b', 'c', 'x'] }],
  ['removes a member of a list', list, [remove('list', 0)], { list: ['b', 'c'] }],
  ['replaces a member of a list', list, [replace(null, 'list', 2)], { list: ['a', 'b', null] }],
  ['replaces what lies deeper, in objects and lists', deep({ d: 2 }), [replace(3, 'a', 'b', 'c', 1, 'd')], deep({ d: 3 })],
  ['adds what lies deeper, in objects and lists', deep({ d: 2 }), [add(4, 'a', 'b', 'c', 1, 'e')], deep({ d: 2, e: 4 })],
  ['removes what lies deeper, in objects and lists', deep({ d: 2 }), [remove('a', 'b', 'c', 1, 'd')], deep({})],
  ['removes what lies deeper, in lists of lists', { list: [[1], [2, 3]] }, [remove('list', 1, 0)], { list: [[1], [3]] }],
  [
    'applies patches in order, each to what the last one left', { list: [1] },
    [
      add({ x: { y: 1 } }, 'deep'), replace(2, 'deep', 'x', 'y'), add([], 'deep', 'x', 'z'), add('first', 'deep', 'x', 'z', 0),
      remove('list', 0), add(9, 'list', 0), replace('1', 'id'),
    ],
    { list: [9], deep: { x: { y: 2, z: ['first'] } } },
  ],
]
for (const [title, record, patches, expected] of changes) {
  test(title, () => assert.equal(row(applyPatches(start(record), patches.map((patch) => ofRow('1', patch)))), { id: '1', ...expected }))
}

test('patches of several rows may come mixed, and rows may come, change and go in one set', () => {
  const rows: [string, Patch][] = [['2', add({ id: '2' })], ['1', replace(2, 'n')], ['2', add(5, 'n')], ['3', add({ id: '3' })], ['3', remove()]]
  const patches = rows.map(([pk, patch]) => ofRow(pk, patch))
  const state = applyPatches(start({ n: 1 }), [...patches, add(['1'], 'entities', '[Todo]', '{}'), add('2', 'entities', '[Todo]', '{}', 1)])
  assert.equal(['1', '2', '3'].map((pk) => row(state, pk)), [{ id: '1', n: 2 }, { id: '2', n: 5 }, undefined])
  assert.equal(readRow(state, '[Todo]', '{}'), ['1', '2'])
})

test('endpoint results are part of the document: whole, in part, and of any type', () => {
  const results: [string, unknown][] = [['a', ['1']], ['b', { list: ['1'], n: 1 }], ['c', 'x'], ['d', 0], ['e', false], ['f', null], ['__proto__', 1]]
  const first = applyPatches(emptyState, results.map(([key, value]) => add(value, 'endpoints', key)))
  assert.equal(results.map(([key]) => readResult(first, key)), results.map(([, value]) => value))
  const second = applyPatches(first, [
    replace(2, 'endpoints', 'b', 'n'), add('0', 'endpoints', 'a', 0), add('2', 'endpoints', 'b', 'list', 1), remove('endpoints', 'c'),
  ])
  assert.equal(['a', 'b', 'c', 'toString'].map((key) => readResult(second, key)), [['0', '1'], { list: ['1', '2'], n: 2 }, undefined, undefined])
  // A primitive is replaced as a whole, by an object too (immer#888).
  for (const value of ['two', { list: [] }]) assert.equal(readResult(applyPatches(first, [replace(value, 'endpoints', 'd')]), 'd'), value)
})

test('rows that no patch names keep their reference', () => {
  const before = write({ a: Todo, b: entity('Other') }, { a: { id: '1' }, b: { id: '1' } }).state
  const state = applyPatches(before, [ofRow('2', add({ id: '2' }))])
  assert.is(row(state), row(before))
  assert.is(readRow(state, 'Other', '1'), readRow(before, 'Other', '1'))
  assert.is(state.endpoints, before.endpoints)
})

for (const [title, patches] of [
  ['what is written and taken back in one set', [ofRow('2', add({ id: '2' })), ofRow('2', remove())]],
  ['removing a row that is not there', [ofRow('9', remove())]],
  ['removing a row of a table that is not there', [remove('entities', 'Other', '1')]],
  ['removing a result that is not there', [remove('endpoints', 'GET /x')]],
  // What ends where it began (immer#1283, immer#1289)
  ['an equal value', [ofRow('1', replace(1, 'n'))]],
  ['an equal member', [ofRow('1', replace(1, 'list', 0))]],
  ['a value that is changed back', [ofRow('1', replace(2, 'n')), ofRow('1', replace(1, 'n'))]],
  ['a field that is added and removed', [ofRow('1', add(2, 'x')), ofRow('1', remove('x'))]],
  ['an equal row with its fields in another order', [ofRow('1', replace({ list: [1, 2], n: 1, id: '1' }))]],
] as const) {
  test(`${title} leaves the entities as they are`, () => {
    const before = start({ n: 1, list: [1, 2] })
    assert.is(applyPatches(before, patches).entities, before.entities)
  })
}

test('values of patches are taken in as data: undefined members go, dates become text', () => {
  const state = applyPatches(emptyState, [ofRow('1', add({ id: '1', gone: undefined, at: new Date(0) }))])
  assert.equal(exportState(state).entities, [['Todo', [['1', { id: '1', at: '1970-01-01T00:00:00.000Z' }, null]]]])
})

const stored = add({ id: '1', tags: [] })
for (const [where, patchesWith] of [
  ['a whole row', (value: object) => [add(value)]],
  ['a field', (value: object) => [stored, add(value, 'details')]],
  ['a member of a list', (value: object) => [stored, add(value, 'tags', 0)]],
] as const) {
  test(`the value of a patch of ${where} stays the caller’s: it can be written to afterwards, and no state follows`, () => {
    const value = { id: '1', deep: { list: [1] } }
    const patches = patchesWith(value).map((patch) => ofRow('1', patch))
    const state = applyPatches(emptyState, patches)
    const controller = new Controller()
    controller.applyPatches(patches)
    const read = (): string => JSON.stringify([state, controller.snapshot()].map(exportState))
    const before = read()
    value.id = 'another'
    value.deep.list.push(2)
    assert.is(read(), before)
    controller.dispose()
  })
}

test.run()
