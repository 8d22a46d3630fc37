import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../../support/state.ts'
import { applyPatches, denormalize, Entity, exportState, normalize, schema } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { warnings } from '../../support/caught.ts'
import { deepFreeze, openPaths } from '../../support/frozen.ts'
import { write } from '../../support/write.ts'

const test = suite('the input belongs to the caller')

class Tag extends Entity {
  id = ''
  static override key = 'Tag'
}
class Post extends Entity {
  id = ''
  tags: Tag[] = []
  meta: { list: unknown[] } = { list: [] }
  static override key = 'Post'
  static override schema = { tags: [Tag] }
}
class Custom extends Post {
  static override key = 'Custom'
  static override process(input: Fields): Fields {
    return input
  }
  static override merge(_existing: Fields, incoming: Fields): Fields {
    return incoming
  }
}

const payload = (): Fields => ({
  total: 1,
  posts: [{ id: '1', tags: [{ id: 'a', deep: { x: [1, { y: 2 }] } }], meta: { list: [{ n: 1 }] } }],
  named: { x: { id: 'b' } },
  kind: { id: '5', type: 'tag', more: { a: 1 } },
  unknown: [{ type: 'none', parts: [{ a: 1 }] }],
  extra: { links: [{ href: 'x' }] },
})
const page = (post: typeof Post): Fields => ({
  posts: new schema.Collection([post]),
  named: new schema.Values(Tag),
  kind: new schema.Union({ tag: Tag }, 'type'),
  unknown: sorted,
})
const sorted = new schema.Array({ tag: Tag }, 'type')
// What it has no type for is retained, and reported once; here, so that no test is.
warnings(() => normalize(sorted, [{}]))

for (const post of [Post, Custom]) {
  test(`${post.key}: a deeply frozen input can be taken in, and again`, () => {
    const input = deepFreeze(payload())
    const { state, change } = write(page(post), input)
    assert.ok(change.patches.length > 0)
    assert.equal(write(page(post), input, state).change.patches, [])
  })

  test(`${post.key}: the input is not written to`, () => {
    const input = payload()
    write(page(post), input)
    assert.equal(input, payload())
    assert.equal(openPaths(input).length, openPaths(payload()).length)
  })

  test(`${post.key}: nothing that is retained changes when the input does`, () => {
    const input = payload()
    const { state, result, change } = write(page(post), input)
    const before = JSON.stringify([exportState(state), result, change.patches, change.inversePatches])
    const spoil = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      for (const [name, member] of Object.entries(value)) {
        spoil(member)
        ;(value as Fields as { [name: string]: unknown })[name] = 'spoilt'
      }
      ;(value as { [name: string]: unknown })['added'] = true
    }
    spoil(input)
    assert.is(JSON.stringify([exportState(state), result, change.patches, change.inversePatches]), before)
  })

  test(`${post.key}: records, results, patch values and views are frozen through and through`, () => {
    const { state, result, change } = write(page(post), payload())
    assert.equal(openPaths(result), [])
    for (const patch of change.patches) assert.equal(openPaths(patch.value), [])
    for (const [, rows] of exportState(state).entities) for (const [, record] of rows) assert.equal(openPaths(record), [])
    assert.equal(openPaths(denormalize(page(post), result, state)), [])
  })
}

test('a patch that the caller keeps and writes to changes nothing', () => {
  const value = { id: '1', list: [{ a: 1 }] }
  const state = applyPatches(write(Tag, { id: '0' }).state, [{ op: 'add', path: ['entities', 'Tag', '1'], value }])
  value.list[0]!.a = 2
  value.list.push({ a: 3 })
  assert.equal(readRow(state, 'Tag', '1'), { id: '1', list: [{ a: 1 }] })
})

test('an object that is frozen only on top is copied', () => {
  const inner = { a: 1 }
  const { state, result } = write({ tag: Tag }, { tag: { id: '1', meta: Object.freeze({ inner, list: Object.freeze([inner]) }) }, loose: Object.freeze([inner]) })
  inner.a = 2
  assert.equal(readRow(state, 'Tag', '1'), { id: '1', meta: { inner: { a: 1 }, list: [{ a: 1 }] } })
  assert.equal(result, { tag: '1', loose: [{ a: 1 }] })
})

test('undefined members are dropped, at every depth', () => {
  const { state, result } = write({ tag: Tag }, { tag: { id: '1', a: undefined, meta: { b: undefined, c: 1 } }, d: undefined, e: { f: undefined } })
  assert.equal(Object.keys(readRow(state, 'Tag', '1')!), ['id', 'meta'])
  assert.equal(Object.keys((readRow(state, 'Tag', '1') as { meta: object }).meta), ['c'])
  assert.equal(Object.keys(result as object), ['tag', 'e'])
})

test('a value whose prototype has toJSON is stored as that; one that came as data is not called', () => {
  class Money {
    readonly cents = 5
    toJSON(): unknown {
      return { cents: this.cents, of: [new Date(0)] }
    }
  }
  const data = { toJSON: 'x' }
  const { state } = write(Tag, { id: '1', at: new Date(0), money: new Money(), data, own: { toJSON: () => 'called' } })
  const { at, money, own, data: stored } = readRow(state, 'Tag', '1') as Fields
  assert.equal([at, money, stored], ['1970-01-01T00:00:00.000Z', { cents: 5, of: ['1970-01-01T00:00:00.000Z'] }, { toJSON: 'x' }])
  assert.is.not(own, 'called')
})

test('blobs, buffers and maps pass by reference', () => {
  const [blob, bytes, map] = [new Blob(['x']), new Uint8Array([1]), new Map([[1, 2]])]
  const { state } = write(Tag, { id: '1', blob, nested: { bytes, list: [map] } })
  const record = denormalize(Tag, '1', state) as unknown as { blob: Blob; nested: { bytes: Uint8Array; list: unknown[] } }
  assert.is(record.blob, blob)
  assert.is(record.nested.bytes, bytes)
  assert.is(record.nested.list[0], map)
  assert.equal(normalize(Tag, { id: '1', blob, nested: { bytes, list: [map] } }, [], state).patches, [])
})

test('what is frozen and inherits is copied: whoever has its prototype could still write there', () => {
  const lent: Record<string, unknown> = { x: 1 }
  const heir = (): object => Object.freeze(Object.create(lent, { a: { value: 1, enumerable: true } }) as object)
  const { state } = write([Post], [{ id: '1', meta: heir(), list: [heir()] }])
  const { meta, list } = readRow(state, 'Post', '1') as { meta: object; list: object[] }
  for (const before of [meta, list[0]!]) {
    assert.is(Object.getPrototypeOf(before), Object.prototype)
    assert.equal(before, { a: 1 })
  }
  // Compared with what is stored it is no news.
  assert.is(write([Post], [{ id: '1', meta: heir() }], state).state.entities, state.entities)
})

test.run()
