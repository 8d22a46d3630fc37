import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readResult, readRow } from '../../support/state.ts'
import { applyPatches, emptyState, Entity, exportState } from '../../../src/index.ts'
import type { Patch, State } from '../../../src/index.ts'
import { write } from '../../support/write.ts'

const test = suite('applyPatches')

class Todo extends Entity {
  static override key = 'Todo'
}
const start = (record: object = {}): State => write(Todo, { id: '1', ...record }).state
const row = (state: State, pk = '1'): unknown => readRow(state, 'Todo', pk)
/** The record after patches whose paths begin at it. */
const after = (record: object, ...patches: Patch[]): unknown =>
  row(applyPatches(start(record), patches.map((patch) => ({ ...patch, path: ['entities', 'Todo', '1', ...patch.path] }))))

test('no patch gives the very same state', () => {
  const state = start()
  assert.is(applyPatches(state, []), state)
  assert.is(applyPatches(emptyState, []), emptyState)
})

test('adds, replaces and removes whole records', () => {
  const added = applyPatches(emptyState, [{ op: 'add', path: ['entities', 'Todo', '7'], value: { id: '7' } }])
  assert.equal(row(added, '7'), { id: '7' })
  const replaced = applyPatches(added, [{ op: 'replace', path: ['entities', 'Todo', '7'], value: { id: '7', a: 1 } }])
  assert.equal(row(replaced, '7'), { id: '7', a: 1 })
  assert.is(row(applyPatches(replaced, [{ op: 'remove', path: ['entities', 'Todo', '7'] }]), '7'), undefined)
  assert.equal(row(added, '7'), { id: '7' })
})

test('removing what is not there changes nothing', () => {
  const state = start()
  for (const path of [['entities', 'Todo', '9'], ['entities', 'Other', '1'], ['endpoints', 'GET /x']]) {
    assert.is(applyPatches(state, [{ op: 'remove', path }]).entities, state.entities)
  }
})

test('changes fields', () => {
  assert.equal(after({ a: 1 }, { op: 'replace', path: ['a'], value: 2 }), { id: '1', a: 2 })
  assert.equal(after({ a: 1 }, { op: 'add', path: ['b'], value: [1] }), { id: '1', a: 1, b: [1] })
  assert.equal(after({ a: 1 }, { op: 'remove', path: ['a'] }), { id: '1' })
  assert.equal(after({ a: 1 }, { op: 'replace', path: ['a'], value: undefined }), { id: '1' })
  assert.equal(after({}, { op: 'add', path: [5], value: 'x' }), { id: '1', 5: 'x' })
})

test('changes lists by index', () => {
  const list = { list: ['a', 'b', 'c'] }
  assert.equal(after(list, { op: 'add', path: ['list', 1], value: 'x' }), { id: '1', list: ['a', 'x', 'b', 'c'] })
  assert.equal(after(list, { op: 'add', path: ['list', 3], value: 'x' }), { id: '1', list: ['a', 'b', 'c', 'x'] })
  assert.equal(after(list, { op: 'add', path: ['list', '-'], value: 'x' }), { id: '1', list: ['a', 'b', 'c', 'x'] })
  assert.equal(after(list, { op: 'remove', path: ['list', 0] }), { id: '1', list: ['b', 'c'] })
  assert.equal(after(list, { op: 'replace', path: ['list', 2], value: null }), { id: '1', list: ['a', 'b', null] })
})

test('changes what lies deeper, in objects and lists of any mixture', () => {
  const record = { a: { b: { c: [{ d: 1 }, { d: 2 }] } } }
  const changed = (d: unknown): object => ({ id: '1', a: { b: { c: [{ d: 1 }, d] } } })
  assert.equal(after(record, { op: 'replace', path: ['a', 'b', 'c', 1, 'd'], value: 3 }), changed({ d: 3 }))
  assert.equal(after(record, { op: 'add', path: ['a', 'b', 'c', 1, 'e'], value: 4 }), changed({ d: 2, e: 4 }))
  assert.equal(after(record, { op: 'remove', path: ['a', 'b', 'c', 1, 'd'] }), changed({}))
  assert.equal(after({ list: [[1], [2, 3]] }, { op: 'remove', path: ['list', 1, 0] }), { id: '1', list: [[1], [3]] })
})

test('patches apply in order, each to what the last one left', () => {
  assert.equal(
    after(
      { list: [1] },
      { op: 'add', path: ['deep'], value: { x: { y: 1 } } },
      { op: 'replace', path: ['deep', 'x', 'y'], value: 2 },
      { op: 'add', path: ['deep', 'x', 'z'], value: [] },
      { op: 'add', path: ['deep', 'x', 'z', 0], value: 'first' },
      { op: 'remove', path: ['list', 0] },
      { op: 'add', path: ['list', 0], value: 9 },
      { op: 'replace', path: ['id'], value: '1' },
    ),
    { id: '1', list: [9], deep: { x: { y: 2, z: ['first'] } } },
  )
})

test('patches of several rows may come mixed, and rows may come, change and go in one set', () => {
  const state = applyPatches(start({ n: 1 }), [
    { op: 'add', path: ['entities', 'Todo', '2'], value: { id: '2' } },
    { op: 'replace', path: ['entities', 'Todo', '1', 'n'], value: 2 },
    { op: 'add', path: ['entities', 'Todo', '2', 'n'], value: 5 },
    { op: 'add', path: ['entities', 'Todo', '3'], value: { id: '3' } },
    { op: 'remove', path: ['entities', 'Todo', '3'] },
    { op: 'add', path: ['entities', '[Todo]', '{}'], value: ['1'] },
    { op: 'add', path: ['entities', '[Todo]', '{}', 1], value: '2' },
  ])
  assert.equal([row(state), row(state, '2'), row(state, '3')], [{ id: '1', n: 2 }, { id: '2', n: 5 }, undefined])
  assert.equal(readRow(state, '[Todo]', '{}'), ['1', '2'])
})

test('endpoint results are part of the document: whole, in part, and of any type', () => {
  const results: [string, unknown][] = [['a', ['1']], ['b', { list: ['1'], n: 1 }], ['c', 'text'], ['d', 0], ['e', false], ['f', null], ['__proto__', 'x']]
  let state = applyPatches(emptyState, results.map(([key, value]) => ({ op: 'add', path: ['endpoints', key], value })))
  for (const [key, value] of results) assert.equal(readResult(state, key), value)
  state = applyPatches(state, [
    { op: 'replace', path: ['endpoints', 'b', 'n'], value: 2 },
    { op: 'add', path: ['endpoints', 'a', 0], value: '0' },
    { op: 'add', path: ['endpoints', 'b', 'list', 1], value: '2' },
    { op: 'remove', path: ['endpoints', 'c'] },
  ])
  assert.equal([readResult(state, 'a'), readResult(state, 'b'), readResult(state, 'c')], [['0', '1'], { list: ['1', '2'], n: 2 }, undefined])
  assert.equal(readResult(state, 'toString'), undefined)
})

test('rows that no patch names keep their reference', () => {
  const before = write({ a: Todo, b: class Other extends Entity {} }, { a: { id: '1' }, b: { id: '1' } }).state
  const state = applyPatches(before, [{ op: 'add', path: ['entities', 'Todo', '2'], value: { id: '2' } }])
  assert.is(row(state), row(before))
  assert.is(readRow(state, 'Other', '1'), readRow(before, 'Other', '1'))
  assert.is(state.endpoints, before.endpoints)
})

test('what is written and taken back in one set leaves the entities as they are', () => {
  const before = start({ n: 1 })
  const state = applyPatches(before, [
    { op: 'add', path: ['entities', 'Todo', '2'], value: { id: '2' } },
    { op: 'remove', path: ['entities', 'Todo', '2'] },
  ])
  assert.is(state.entities, before.entities)
})

test('values of patches are taken in as data: undefined members go, dates become text', () => {
  const state = applyPatches(emptyState, [{ op: 'add', path: ['entities', 'Todo', '1'], value: { id: '1', gone: undefined, at: new Date(0) } }])
  assert.equal(exportState(state).entities, [['Todo', [['1', { id: '1', at: '1970-01-01T00:00:00.000Z' }, null]]]])
})

test.run()
