import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { denormalize, exportState, normalize, schema } from '../../../src/index.ts'
import type { Entity, Fields, State } from '../../../src/index.ts'
import { warnings } from '../../support/caught.ts'
import { deepFreeze, openPaths } from '../../support/frozen.ts'
import { scribble } from '../../support/same.ts'
import { readRow } from '../../support/state.ts'
import { write } from '../../support/write.ts'
import { entity } from '../schema/todos.ts'

const test = suite('the input belongs to the caller')

const Tag = entity('Tag')
const Post = entity('Post', { schema: { tags: [Tag] } })
const Custom = entity('Custom', { schema: { tags: [Tag] }, process: (input) => input, merge: (_existing, incoming) => incoming })
const tag = (state: State): Fields => readRow(state, 'Tag', '1') as Fields

const payload = (): Fields => ({
  total: 1,
  posts: [{ id: '1', tags: [{ id: 'a', deep: { x: [1, { y: 2 }] } }], meta: { list: [{ n: 1 }] } }],
  named: { x: { id: 'b' } },
  kind: { id: '5', type: 'tag', more: { a: 1 } },
  unknown: [{ type: 'none', parts: [{ a: 1 }] }],
  extra: { links: [{ href: 'x' }] },
})
const sorted = new schema.Array({ tag: Tag }, 'type')
// What it has no type for is retained, and reported once; here, so that no test is.
warnings(() => normalize(sorted, [{}]))

for (const post of [Post, Custom] as (typeof Entity)[]) {
  const page = { posts: new schema.Collection([post]), named: new schema.Values(Tag), kind: new schema.Union({ tag: Tag }, 'type'), unknown: sorted }

  test(`${post.key}: a deeply frozen input can be taken in, and again`, () => {
    const input = deepFreeze(payload())
    const { state, change } = write(page, input)
    assert.ok(change.patches.length > 0)
    assert.equal(write(page, input, state).change.patches, [])
  })

  test(`${post.key}: the input is not written to, and nothing that is retained changes when the input does`, () => {
    const input = payload()
    const { state, result, change } = write(page, input)
    const retained = (): string => JSON.stringify([exportState(state), result, change.patches, change.inversePatches])
    const before = retained()
    assert.equal(input, payload())
    assert.equal(openPaths(input), openPaths(payload()))
    scribble(input)
    assert.is.not(JSON.stringify(input), JSON.stringify(payload()))
    assert.is(retained(), before)
  })

  test(`${post.key}: records, results, patch values and views are frozen through and through`, () => {
    const { state, result, change } = write(page, payload())
    const records = exportState(state).entities.flatMap(([, rows]) => rows.map(([, record]) => record))
    const values = change.patches.map(({ value }) => value as unknown)
    for (const each of [...records, ...values, result, denormalize(page, result, state)]) assert.equal(openPaths(each), [])
  })
}

test('an object that is frozen only on top is copied', () => {
  const inner = { a: 1 }
  const input = { tag: { id: '1', meta: Object.freeze({ inner, list: Object.freeze([inner]) }) }, loose: Object.freeze([inner]) }
  const { state, result } = write({ tag: Tag }, input)
  inner.a = 2
  assert.equal(tag(state), { id: '1', meta: { inner: { a: 1 }, list: [{ a: 1 }] } })
  assert.equal(result, { tag: '1', loose: [{ a: 1 }] })
})

test('undefined members are dropped, at every depth', () => {
  const { state, result } = write({ tag: Tag }, { tag: { id: '1', a: undefined, meta: { b: undefined, c: 1 } }, d: undefined, e: { f: undefined } })
  assert.equal([tag(state), result], [{ id: '1', meta: { c: 1 } }, { tag: '1', e: {} }])
})

test('a value whose prototype has toJSON is stored as that; one that came as data is not called', () => {
  class Money {
    toJSON(): unknown {
      return { cents: 5, of: [new Date(0)] }
    }
  }
  const { state } = write(Tag, { id: '1', at: new Date(0), money: new Money(), data: { toJSON: 'x' }, own: { toJSON: () => 'called' } })
  const { at, money, data, own } = tag(state)
  const date = '1970-01-01T00:00:00.000Z'
  assert.equal([at, money, data], [date, { cents: 5, of: [date] }, { toJSON: 'x' }])
  assert.is.not(own, 'called')
})

test('blobs, buffers and maps pass by reference', () => {
  const [blob, bytes, map] = [new Blob(['x']), new Uint8Array([1]), new Map([[1, 2]])]
  const input = { id: '1', blob, nested: { bytes, list: [map] } }
  const { state } = write(Tag, input)
  const record = denormalize(Tag, '1', state) as unknown as typeof input
  assert.is(record.blob, blob)
  assert.is(record.nested.bytes, bytes)
  assert.is(record.nested.list[0], map)
  assert.equal(normalize(Tag, input, [], state).patches, [])
})

test('what is frozen and inherits is copied: whoever has its prototype could still write there', () => {
  const lent = { x: 1 }
  const heir = (): object => Object.freeze(Object.create(lent, { a: { value: 1, enumerable: true } }) as object)
  const { state } = write(Tag, { id: '1', meta: heir(), list: [heir()] })
  const { meta, list } = tag(state) as unknown as { meta: object; list: object[] }
  assert.equal([meta, list], [{ a: 1 }, [{ a: 1 }]])
  for (const copy of [meta, list[0]]) assert.is(Object.getPrototypeOf(copy), Object.prototype)
  // Compared with what is stored it is no news.
  assert.is(write(Tag, { id: '1', meta: heir() }, state).state.entities, state.entities)
})

test('an own __proto__ in data that is compared with what is there stays out', () => {
  const { state } = write(Tag, { id: '1', deep: { a: 1 } })
  const evil: unknown = JSON.parse('{"id":"1","deep":{"a":1,"__proto__":{"isAdmin":true}}}')
  warnings(() => assert.equal(write(Tag, evil, state).change.patches, []))
})

test.run()
