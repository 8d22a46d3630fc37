import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../../support/state.ts'
import { Entity, schema } from '../../../src/index.ts'
import type { Patch, State } from '../../../src/index.ts'
import { at, write } from '../../support/write.ts'

const test = suite('patches are minimal')

class Author extends Entity {
  static override key = 'Author'
}
class Post extends Entity {
  static override key = 'Post'
  static override schema = { author: Author, items: new schema.Collection([Author]) }
}

/** The patches that bring a post from one content to another; paths begin at the record. */
function between(before: object, after: object): Patch[] {
  const { state } = write(Post, { id: '1', ...before })
  return write(Post, { id: '1', ...after }, state).change.patches.map((patch) => {
    assert.equal(patch.path.slice(0, 3), ['entities', 'Post', '1'])
    return { ...patch, path: patch.path.slice(3) }
  })
}

test('the same response again gives no patch, the same entities, and only newer stamps', () => {
  const page = { posts: [Post], byName: new schema.Values(Post), all: new schema.Collection([Post]) }
  const post = (id: string): object => ({ id, author: { id: 'a', tags: ['x', { y: [1] }] }, items: [{ id: 'b' }], n: NaN, z: -0, nil: null })
  const response = (): object => ({ posts: [post('1'), post('2')], byName: { x: post('3') }, all: [post('1'), post('3')], total: 2 })
  const first = write(page, response(), undefined, [{ q: 1 }], at(1))
  const second = write(page, response(), first.state, [{ q: 1 }], at(2))
  assert.equal(second.change.patches, [])
  assert.equal(second.change.inversePatches, [])
  assert.is(second.state.entities, first.state.entities)
  assert.is(second.state.endpoints, first.state.endpoints)
  assert.equal(second.result, first.result)
  assert.ok(second.change.stamps.length > 0)
  assert.equal(write(page, response(), second.state, [{ q: 1 }], at(2)).change.stamps.flatMap(({ stamp }) => stamp?.fetchedAt ?? []).filter((time) => time !== 2), [])
})

test('the order of keys does not matter, at any depth', () => {
  assert.equal(between({ a: 1, deep: { x: 1, y: [{ p: 1, q: 2 }] } }, { deep: { y: [{ q: 2, p: 1 }], x: 1 }, a: 1 }), [])
})

test('an entity that is nested or given as a pk is the same', () => {
  assert.equal(between({ author: { id: 'a' } }, { author: 'a' }), [])
  assert.equal(between({ author: { id: 5 } }, { author: 5 }), [])
})

test('one field gives one patch, and a payload that lacks fields removes none', () => {
  assert.equal(between({ a: 1, b: 2 }, { b: 3 }), [{ op: 'replace', path: ['b'], value: 3 }])
  assert.equal(between({ a: 1 }, { b: 3 }), [{ op: 'add', path: ['b'], value: 3 }])
  assert.equal(between({ a: 1 }, {}), [])
})

test('a nested value is patched where it differs', () => {
  assert.equal(between({ a: { b: { c: 1, d: 2 }, e: 1 } }, { a: { b: { c: 1, d: 3 }, e: 1 } }), [{ op: 'replace', path: ['a', 'b', 'd'], value: 3 }])
  assert.equal(between({ a: { b: 1, c: 1 } }, { a: { b: 1 } }), [{ op: 'remove', path: ['a', 'c'] }])
  assert.equal(between({ a: { b: 1 } }, { a: { b: 1, c: [1] } }), [{ op: 'add', path: ['a', 'c'], value: [1] }])
  assert.equal(between({ a: { b: 1 } }, { a: [1] }), [{ op: 'replace', path: ['a'], value: [1] }])
  assert.equal(between({ a: null }, { a: { b: 1 } }), [{ op: 'replace', path: ['a'], value: { b: 1 } }])
})

test('values that look alike are distinguished', () => {
  for (const [from, to] of [[0, false], ['', null], [1, '1'], [[], {}], [NaN, null], [[undefined], [null]]] as const) {
    assert.is(between({ a: from }, { a: to }).length, 1, `${String(from)} to ${String(to)}`)
    assert.equal(between({ a: from }, { a: from }), [])
  }
})

test('0 and -0 are one, as they are in JSON, and NaN is itself', () => {
  assert.equal(between({ a: 0, b: [-0], c: NaN, d: [NaN] }, { a: -0, b: [0], c: NaN, d: [NaN] }), [])
})

test('lists change by splices', () => {
  const list = (...members: unknown[]): object => ({ list: members })
  assert.equal(between(list(1, 2, 3), list(1, 2, 3, 4)), [{ op: 'add', path: ['list', 3], value: 4 }])
  assert.equal(between(list(1, 2, 3), list(0, 1, 2, 3)), [{ op: 'add', path: ['list', 0], value: 0 }])
  assert.equal(between(list(1, 2, 3), list(1, 3)), [{ op: 'remove', path: ['list', 1] }])
  assert.equal(between(list(1, 2, 3), list(1, 9, 3)), [{ op: 'replace', path: ['list', 1], value: 9 }])
  assert.equal(between(list(1, 2, 3, 4, 5), list(5, 1, 2, 3, 4)).length, 2)
  assert.equal(between(list(1, 2, 3), list()).length, 3)
  assert.equal(between(list({ a: 1 }, { b: 1 }), list({ c: 1 }, { a: 1 }, { b: 1 })), [{ op: 'add', path: ['list', 0], value: { c: 1 } }])
})

test('one member at either end of a long list is one patch, whatever the members are', () => {
  for (const make of [(i: number) => i, (i: number) => ({ i, deep: [i] })]) {
    const list = Array.from({ length: 1000 }, (_, i) => make(i))
    assert.is(between({ list }, { list: [make(-1), ...list] }).length, 1)
    assert.is(between({ list }, { list: [...list, make(-1)] }).length, 1)
    assert.is(between({ list }, { list: list.slice(1) }).length, 1)
    assert.is(between({ list }, { list: [...list.slice(0, 500), make(-1), ...list.slice(500)] }).length, 1)
  }
})

test('past a thousand edits one replace says it', () => {
  const list = Array.from({ length: 1500 }, (_, i) => i)
  assert.equal(between({ list }, { list: list.map((n) => n + 5000) }).map(({ op, path }) => [op, path]), [['replace', ['list']]])
  assert.is(between({ list }, { list: list.slice(0, 600) }).length, 900)
})

test('a collection changes by splices too, and its members each by their own patch', () => {
  const all = new schema.Collection([Author])
  const rows = Array.from({ length: 100 }, (_, i) => ({ id: i, n: i }))
  const { state } = write(all, rows)
  const changed = [{ id: 'new' }, ...rows.slice(0, 50), { id: 50, n: 'x' }, ...rows.slice(51, 99)]
  const { change } = write(all, changed, state)
  assert.equal(change.patches.map(({ op, path }) => [op, ...path.slice(1)]).sort(), [
    ['add', 'Author', 'new'],
    ['add', '[Author]', '{}', 0],
    ['remove', '[Author]', '{}', 99],
    ['replace', 'Author', '50', 'n'],
  ])
})

test('what did not change keeps its reference, down to the untouched part of a changed field', () => {
  const before = write([Post], [{ id: '1', a: { deep: { x: 1 } }, b: { left: { n: 1 }, right: { n: 1 } }, list: [{ n: 1 }, { n: 2 }] }, { id: '2' }]).state
  const after = write(Post, { id: '1', a: { deep: { x: 1 } }, b: { left: { n: 1 }, right: { n: 2 } }, list: [{ n: 0 }, { n: 1 }, { n: 2 }] }, before).state
  type Row = { a: object; b: { left: object; right: object }; list: object[] }
  const row = (state: State): Row => readRow(state, 'Post', '1') as unknown as Row
  assert.is(readRow(after, 'Post', '2'), readRow(before, 'Post', '2'))
  assert.is.not(row(after), row(before))
  assert.is(row(after).a, row(before).a)
  assert.is(row(after).b.left, row(before).b.left)
  assert.is.not(row(after).b.right, row(before).b.right)
  assert.is(row(after).list[1], row(before).list[0])
  assert.is(row(after).list[2], row(before).list[1])
})

test.run()
