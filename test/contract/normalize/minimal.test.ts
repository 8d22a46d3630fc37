import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { schema } from '../../../src/index.ts'
import type { Patch, State } from '../../../src/index.ts'
import { readRow } from '../../support/state.ts'
import { at, write } from '../../support/write.ts'
import { entity } from '../schema/todos.ts'

const test = suite('patches are minimal')

const Author = entity('Author')
const Post = entity('Post', { schema: { author: Author, items: new schema.Collection([Author]) } })

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
  const { state, result, change } = write(page, response(), first.state, [{ q: 1 }], at(2))
  assert.equal([change.patches, change.inversePatches, result], [[], [], first.result])
  assert.is(state.entities, first.state.entities)
  assert.is(state.endpoints, first.state.endpoints)
  assert.ok(change.stamps.length > 0)
  assert.ok(change.stamps.every(({ stamp }) => stamp?.fetchedAt === 2))
})

const add = (value: unknown, ...path: Patch['path']): Patch => ({ op: 'add', path, value })
const replace = (value: unknown, ...path: Patch['path']): Patch => ({ op: 'replace', path, value })
const list = (...members: unknown[]): object => ({ list: members })
const patches: [string, object, object, Patch[]][] = [
  ['the order of keys does not matter, at any depth', { a: 1, b: { x: 1, y: [{ p: 1, q: 2 }] } }, { b: { y: [{ q: 2, p: 1 }], x: 1 }, a: 1 }, []],
  ['an entity that is nested or given as a pk is the same', { author: { id: 'a' } }, { author: 'a' }, []],
  ['an entity that is nested or given as a number is the same', { author: { id: 5 } }, { author: 5 }, []],
  ['0 and -0 are one, as they are in JSON, and NaN is itself', { a: 0, b: [-0], c: NaN, d: [NaN] }, { a: -0, b: [0], c: NaN, d: [NaN] }, []],
  ['a payload that lacks fields removes none', { a: 1 }, {}, []],
  ['a field that changes is one patch', { a: 1, b: 2 }, { b: 3 }, [replace(3, 'b')]],
  ['a new field is one patch', { a: 1 }, { b: 3 }, [add(3, 'b')]],
  ['a nested value is patched where it differs', { a: { b: { c: 1, d: 2 } } }, { a: { b: { c: 1, d: 3 } } }, [replace(3, 'a', 'b', 'd')]],
  ['a nested field goes', { a: { b: 1, c: 1 } }, { a: { b: 1 } }, [{ op: 'remove', path: ['a', 'c'] }]],
  ['a nested field comes', { a: { b: 1 } }, { a: { b: 1, c: [1] } }, [add([1], 'a', 'c')]],
  ['an object becomes a list', { a: { b: 1 } }, { a: [1] }, [replace([1], 'a')]],
  ['null becomes an object', { a: null }, { a: { b: 1 } }, [replace({ b: 1 }, 'a')]],
  ['a member at the end of a list', list(1, 2, 3), list(1, 2, 3, 4), [add(4, 'list', 3)]],
  ['a member at the start of a list', list(1, 2, 3), list(0, 1, 2, 3), [add(0, 'list', 0)]],
  ['a member that leaves a list', list(1, 2, 3), list(1, 3), [{ op: 'remove', path: ['list', 1] }]],
  ['a member that changes in a list', list(1, 2, 3), list(1, 9, 3), [replace(9, 'list', 1)]],
  ['an object at the start of a list', list({ a: 1 }, { b: 1 }), list({ c: 1 }, { a: 1 }, { b: 1 }), [add({ c: 1 }, 'list', 0)]],
]
for (const [title, before, after, expected] of patches) test(title, () => assert.equal(between(before, after), expected))

test('a member that moves is two patches, and a list that becomes empty one for each', () => {
  assert.is(between(list(1, 2, 3, 4, 5), list(5, 1, 2, 3, 4)).length, 2)
  assert.is(between(list(1, 2, 3), list()).length, 3)
})

test('values that look alike are distinguished', () => {
  for (const [from, to] of [[0, false], ['', null], [1, '1'], [[], {}], [NaN, null], [[undefined], [null]]] as const) {
    assert.is(between({ a: from }, { a: to }).length, 1, `${String(from)} to ${String(to)}`)
    assert.equal(between({ a: from }, { a: from }), [])
  }
})

test('one member at either end of a long list is one patch, whatever the members are', () => {
  for (const make of [(i: number) => i, (i: number) => ({ i, deep: [i] })]) {
    const long = Array.from({ length: 1000 }, (_, i) => make(i))
    const changed = [[make(-1), ...long], [...long, make(-1)], long.slice(1), [...long.slice(0, 500), make(-1), ...long.slice(500)]]
    assert.equal(changed.map((after) => between({ list: long }, { list: after }).length), [1, 1, 1, 1])
  }
})

test('past a thousand edits one replace says it', () => {
  const long = Array.from({ length: 1500 }, (_, i) => i)
  assert.equal(between({ list: long }, { list: long.map((n) => n + 5000) }).map(({ op, path }) => [op, path]), [['replace', ['list']]])
  assert.is(between({ list: long }, { list: long.slice(0, 600) }).length, 900)
})

test('the edits of a list are complete beside thousands of other patches', () => {
  const all = new schema.Collection([Author])
  const rows = (n: number): { id: number; n: number }[] => Array.from({ length: 2500 }, (_, id) => ({ id, n }))
  const { state } = write(all, rows(0))
  const { change, state: next } = write(all, rows(1).filter(({ id }) => id % 800 !== 100), state)
  assert.equal(change.patches.flatMap(({ op, path }) => (path[1] === '[Author]' ? [[op, path[3]]] : [])), [['remove', 1700], ['remove', 900], ['remove', 100]])
  assert.is((readRow(next, '[Author]', '{}') as unknown as unknown[]).length, 2497)
})

test('a collection changes by splices too, and its members each by their own patch', () => {
  const all = new schema.Collection([Author])
  const rows = Array.from({ length: 100 }, (_, i) => ({ id: i, n: i }))
  const changed = [{ id: 'new' }, ...rows.slice(0, 50), { id: 50, n: 'x' }, ...rows.slice(51, 99)]
  const { change } = write(all, changed, write(all, rows).state)
  assert.equal(change.patches.map(({ op, path }) => [op, ...path.slice(1)].join(' ')).sort(), [
    'add Author new', 'add [Author] {} 0', 'remove [Author] {} 99', 'replace Author 50 n',
  ])
})

test('what did not change keeps its reference, down to the untouched part of a changed field', () => {
  type Row = { a: object; b: { left: object; right: object }; list: object[] }
  const row = (state: State, pk = '1'): Row => readRow(state, 'Post', pk) as unknown as Row
  const content = (right: number, ...members: number[]): object =>
    ({ id: '1', a: { deep: { x: 1 } }, b: { left: { n: 1 }, right: { n: right } }, list: members.map((n) => ({ n })) })
  const first = write([Post], [content(1, 1, 2), { id: '2' }]).state
  const second = write(Post, content(2, 0, 1, 2), first).state
  const [before, after] = [row(first), row(second)]
  assert.is(row(second, '2'), row(first, '2'))
  assert.is(after.a, before.a)
  assert.is(after.b.left, before.b.left)
  assert.is.not(after.b.right, before.b.right)
  assert.equal(after.list.map((member) => before.list.indexOf(member)), [-1, 0, 1])
})

test.run()
