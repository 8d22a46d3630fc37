import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../../support/state.ts'
import { applyPatches, denormalize, emptyState, Entity, exportState, schema } from '../../../src/index.ts'
import type { State } from '../../../src/index.ts'
import { at, write } from '../../support/write.ts'

const test = suite('inverse patches')

class Tag extends Entity {
  id = ''
  static override key = 'Tag'
}
class Post extends Entity {
  id = ''
  static override key = 'Post'
  static override schema = { tags: [Tag], items: new schema.Collection([Tag]) }
}
const posts = new schema.Collection([Post])

/** Everything but the stamps. */
const data = (state: State): unknown => exportState(state).entities.map(([key, rows]) => [key, rows.filter(([, record]) => record).map(([pk, record]) => [pk, record])])

const before = write(posts, [{ id: '1', a: 1, tags: [{ id: 'x' }], deep: { list: [1, 2, { n: 1 }] }, items: [{ id: 'y' }] }, { id: '2' }, { id: '3' }], emptyState, [{}], at(1)).state

const changes: [string, unknown, unknown][] = [
  ['fields', Post, { id: '1', a: 2, b: 3, deep: { list: [0, 1, 2], more: true } }],
  ['nested entities and collections', Post, { id: '1', tags: [{ id: 'z' }, { id: 'x' }], items: [] }],
  ['new rows', [Post], [{ id: '9' }, { id: '8', tags: [{ id: 'q' }] }]],
  ['a list', posts, [{ id: '3' }, { id: '7' }, { id: '1' }]],
  ['a push', posts.push, [{ id: '10' }, { id: '11' }]],
  ['an unshift', posts.unshift, { id: '10' }],
  ['a deletion', new schema.Invalidate(Post), '2'],
  ['several at once', { gone: new schema.Invalidate(Post), list: posts, tag: Tag }, { gone: '1', list: [{ id: '2', a: 5 }], tag: { id: 'x', n: 1 } }],
]

for (const [name, shape, input] of changes) {
  test(`${name}: are taken back, order and references included`, () => {
    const { state, change } = write(shape, input, before, [{}], at(2))
    assert.not.equal(data(state), data(before))
    const back = applyPatches(state, change.inversePatches)
    assert.equal(data(back), data(before))
    assert.is(readRow(back, 'Post', '3'), readRow(before, 'Post', '3'))
    const all = new schema.All(Post)
    assert.equal(denormalize(all, [], back)!.map((post) => post.id), denormalize(all, [], before)!.map((post) => post.id))
    assert.equal(data(applyPatches(back, change.patches, change.stamps)), data(state))
  })
}

test('there are none when there are no patches', () => {
  assert.equal(write(Post, { id: '2' }, before).change.inversePatches, [])
})

test('are worked out once, and from the state that the patches were made for', () => {
  const { state, change } = write(Post, { id: '1', a: 2 }, before, [], at(2))
  write(Post, { id: '1', a: 3 }, state, [], at(3))
  assert.is(change.inversePatches, change.inversePatches)
  assert.equal(change.inversePatches, [{ op: 'replace', path: ['entities', 'Post', '1', 'a'], value: 1 }])
})

test('a row that is taken back is not there, and its position is retained for its return', () => {
  const added = write(Post, { id: 'n' }, before)
  const later = write(Post, { id: 'm' }, added.state).state
  const back = applyPatches(later, added.change.inversePatches)
  assert.is(denormalize(Post, 'n', back), undefined)
  const again = applyPatches(back, added.change.patches)
  assert.equal(denormalize(new schema.All(Post), [], again)!.map((post) => post.id), ['1', '2', '3', 'n', 'm'])
})

test.run()
