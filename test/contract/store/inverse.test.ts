import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches, denormalize, emptyState, exportState, schema } from '../../../src/index.ts'
import type { State } from '../../../src/index.ts'
import { readRow } from '../../support/state.ts'
import { at, write } from '../../support/write.ts'
import { entity, idsOf } from '../schema/todos.ts'

const test = suite('inverse patches')

const Tag = entity('Tag')
const Post = entity('Post', { schema: { tags: [Tag], items: new schema.Collection([Tag]) } })
const posts = new schema.Collection([Post])

/** Everything but the stamps. */
const data = (state: State): unknown =>
  exportState(state).entities.map(([key, rows]) => [key, rows.flatMap(([pk, record]) => (record ? [[pk, record]] : []))])
const order = (state: State): unknown => idsOf(denormalize(new schema.All(Post), [], state))

const first = { id: '1', a: 1, tags: [{ id: 'x' }], deep: { list: [1, 2, { n: 1 }] }, items: [{ id: 'y' }] }
const before = write(posts, [first, { id: '2' }, { id: '3' }], emptyState, [{}], at(1)).state
const several = { gone: new schema.Invalidate(Post), list: posts, tag: Tag }

for (const [name, shape, input] of [
  ['fields', Post, { id: '1', a: 2, b: 3, deep: { list: [0, 1, 2], more: true } }],
  ['nested entities and collections', Post, { id: '1', tags: [{ id: 'z' }, { id: 'x' }], items: [] }],
  ['new rows', [Post], [{ id: '9' }, { id: '8', tags: [{ id: 'q' }] }]],
  ['a list', posts, [{ id: '3' }, { id: '7' }, { id: '1' }]],
  ['a push', posts.push, [{ id: '10' }, { id: '11' }]],
  ['an unshift', posts.unshift, { id: '10' }],
  ['a deletion', new schema.Invalidate(Post), '2'],
  ['several at once', several, { gone: '1', list: [{ id: '2', a: 5 }], tag: { id: 'x', n: 1 } }],
] as const) {
  test(`${name}: are taken back, order and references included`, () => {
    const { state, change } = write(shape, input, before, [{}], at(2))
    assert.not.equal(data(state), data(before))
    const back = applyPatches(state, change.inversePatches)
    assert.equal([data(back), order(back)], [data(before), order(before)])
    assert.is(readRow(back, 'Post', '3'), readRow(before, 'Post', '3'))
    assert.equal(data(applyPatches(back, change.patches, change.stamps)), data(state))
  })
}

test('are worked out once, and from the state that the patches were made for', () => {
  const { state, change } = write(Post, { id: '1', a: 2 }, before, [], at(2))
  write(Post, { id: '1', a: 3 }, state, [], at(3))
  assert.is(change.inversePatches, change.inversePatches)
  assert.equal(change.inversePatches, [{ op: 'replace', path: ['entities', 'Post', '1', 'a'], value: 1 }])
})

test('a row that is taken back is not there, and its position is retained for its return', () => {
  const added = write(Post, { id: 'n' }, before)
  const back = applyPatches(write(Post, { id: 'm' }, added.state).state, added.change.inversePatches)
  const again = applyPatches(back, added.change.patches)
  assert.equal([order(back), order(again)], [['1', '2', '3', 'm'], ['1', '2', '3', 'n', 'm']])
  assert.is(denormalize(Post, 'n', back), undefined)
})

test.run()
