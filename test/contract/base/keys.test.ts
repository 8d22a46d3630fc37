import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Endpoint } from '../../../src/index.ts'

const test = suite('keys')

const endpoint = new Endpoint(async (value: unknown) => value, { name: 'any' })
const canonical = (value: unknown): string => endpoint.key(value)

test('INV-12 the same thing has one key, in whatever order its names came, at every depth', () => {
  assert.is(canonical({ a: 1, b: { c: [{ d: 1, e: 2 }], f: null } }), canonical({ b: { f: null, c: [{ e: 2, d: 1 }] }, a: 1 }))
  assert.is(canonical({ a: 1, gone: undefined }), canonical({ a: 1 }))
  assert.is(canonical({ ids: new Set(['a']) }), canonical({ ids: new Set(['a']) }))
})

test('INV-12 different things have different keys', () => {
  const all: unknown[] = [
    0, -0, '0', null, 'null', undefined, 'undefined', Number.NaN, 'NaN', 1n, 1, '1n', true, 'true', '{"a":1}', /a/, /b/,
    [], {}, [[]], [{}], [undefined], [null], [1, 2], ['1,2'], { a: 1 }, { a: '1' }, { a: [1] }, { a: { b: 1 } }, JSON.parse('{"__proto__":1}'),
    new Set(), new Set([1]), new Set(['1']), new Set(['2']), new Map(), new Map([[1, 2]]), new Map([[1, 3]]),
    new URLSearchParams('a=1'), new URLSearchParams('a=2'),
  ]
  assert.is(new Set(all.map(each => canonical(each))).size, all.length)
})

test('an iterator is not read', () => {
  const once = [1, 2][Symbol.iterator]()
  canonical(once)
  assert.equal([...once], [1, 2])
})

test.run()
