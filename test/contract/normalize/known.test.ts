import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { schema } from '../../../src/index.ts'
import type { Fields, State } from '../../../src/index.ts'
import { openPaths } from '../../support/frozen.ts'
import { same } from '../../support/same.ts'
import { broken, law } from '../../support/settings.ts'
import { readRow } from '../../support/state.ts'
import { at, write } from '../../support/write.ts'
import { entity } from '../schema/todos.ts'

const test = suite('what the store has is used again')

const Tag = entity('Tag')
const Post = entity('Post', { schema: { box: { tags: [Tag], inner: { tag: Tag, lists: [[Tag]] }, of: new schema.Array(Tag) } } })

const boxOf = (state: State): Fields => (readRow(state, 'Post', '1') as { box: Fields }).box

const tag = fc.constantFrom<unknown>('a', 'b', { id: 'a' }, { id: 'b', n: 1 }, null)
const some = <T>(...members: T[]): fc.Arbitrary<T> => fc.constantFrom(...members)
const box = fc.record(
  {
    tags: fc.array(tag, { maxLength: 3 }),
    inner: fc.record({ tag, lists: fc.array(fc.array(tag, { maxLength: 2 }), { maxLength: 2 }), constructor: some(1, 2) }, { requiredKeys: [] }),
    of: fc.array(tag, { maxLength: 2 }),
    plain: some<unknown>({ p: [1, { q: 2 }] }, { p: [1, { q: 3 }] }, { p: undefined }, [], null, undefined),
    n: some<unknown>(0, -0, NaN, 'x', undefined),
    toString: some<unknown>('t', undefined),
  },
  { requiredKeys: [] },
)

law(test, 'K1 what stands between entities is what a first response would give, and the very same where it was the same', 1000, fc.tuple(box, box, fc.boolean()), ([first, second, repeat]) => {
  const next = repeat ? structuredClone(first) : second
  const { state } = write(Post, { id: '1', box: first, n: 0 }, undefined, [], at(1))
  const after = write(Post, { id: '1', box: next, n: 1 }, state, [], at(2)).state
  const fresh = boxOf(write(Post, { id: '1', box: next }).state)
  const [was, is] = [boxOf(state), boxOf(after)]
  if (!same(is, fresh)) broken('another box than a first response gives', is, fresh)
  if (openPaths(is).length > 0) broken('not frozen', openPaths(is))
  if (same(was, fresh) !== (was === is)) broken('equal, and another object; or the same object, and not equal', was, is)
  for (const field of Object.keys(is)) {
    const isEqual = typeof is[field] === 'object' && same(is[field], was[field])
    if (isEqual && is[field] !== was[field]) broken(`${field} is equal, and another object`, was, is)
  }
})

test('each property around entities is read once, also where the store has something', () => {
  const { state } = write(Post, { id: '1', box: { tags: ['a'], plain: { p: 1 }, inner: { tag: 'a' } } })
  const reads: string[] = []
  const answer = (path: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null
      ? new Proxy(value, {
          get(target, name, receiver) {
            const member: unknown = Reflect.get(target, name, receiver)
            if (typeof name === 'symbol' || name === 'length' || name === 'toJSON') return member
            reads.push(`${path}/${name}`)
            return answer(`${path}/${name}`, member)
          },
        })
      : value
  write(Post, { id: '1', box: answer('', { tags: ['b'], plain: { p: 2 }, inner: { tag: 'b' } }) }, state)
  assert.equal(reads.sort(), [...new Set(reads)])
  assert.ok(reads.length >= 6)
})

test('a list that becomes shorter while it is read is as long as it is in the end', () => {
  const shrinking = (): unknown[] => {
    const list: unknown[] = ['a', 'b', 'c']
    Object.defineProperty(list, 0, { get: () => ((list.length = 1), 'a'), enumerable: true })
    return list
  }
  for (const first of [['a', 'b', 'c'], ['x', 'b', 'c'], []]) {
    const { state } = write(Post, { id: '1', box: { tags: first } })
    assert.equal(boxOf(write(Post, { id: '1', box: { tags: shrinking() } }, state).state), { tags: ['a'] })
  }
})

test.run()
