import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { PathError, RestEndpoint } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'

const test = suite('query strings')

const list = new RestEndpoint({ path: '/x', searchParams: {} as { readonly [name: string]: unknown } })

const spelled: readonly (readonly [object, string])[] = [
  [{}, ''],
  [{ b: 1, a: 'x' }, 'a=x&b=1'],
  [{ a: undefined, b: 0 }, 'b=0'],
  [{ a: null }, 'a=null'],
  [{ a: '' }, 'a='],
  [{ a: [2, 1, undefined, 'x'] }, 'a=2&a=1&a=x'],
  [{ a: [] }, ''],
  [{ a: { c: 2, b: 1 } }, 'a[b]=1&a[c]=2'],
  [{ a: { b: { c: [1, 2] } } }, 'a[b][c]=1&a[b][c]=2'],
  [{ a: [{ x: 1 }, [2]] }, `a=${encodeURIComponent('{"x":1}')}&a=${encodeURIComponent('[2]')}`],
  [{ 'a[b]': 1 }, 'a%5Bb%5D=1'],
  [{ 'ä&=': 'é &=?#+' }, '%C3%A4%26%3D=%C3%A9%20%26%3D%3F%23%2B'],
  [{ at: new Date(0) }, 'at=1970-01-01T00%3A00%3A00.000Z'],
  [{ at: [new Date(0)] }, 'at=1970-01-01T00%3A00%3A00.000Z'],
  [{ yes: true, n: 5n }, 'n=5&yes=true'],
  [{ ids: new Set([2, 1]), none: new Set() }, 'ids=2&ids=1'],
  [{ a: { ids: new Set(['x']) } }, 'a[ids]=x'],
  [{ map: new Map([['b', 1]]) }, `map=${encodeURIComponent('["b",1]')}`],
  [JSON.parse('{"__proto__":1,"constructor":2}') as object, '__proto__=1&constructor=2'],
]
for (const [params, expected] of spelled) {
  test(`${expected || 'nothing'}`, () => {
    assert.is(list.url(params as never), expected === '' ? '/x' : `/x?${expected}`)
    // What a server would read is what was meant.
    if (Object.values(params).every((value) => typeof value === 'string')) assert.equal(Object.fromEntries(new URLSearchParams(expected)), params)
  })
}

test('what cannot be written into a URL is an error that names it', () => {
  const loop: { self?: unknown } = {}
  loop.self = loop
  for (const bad of ['\ud800', ['\udfff'], { a: '\ud800' }, { '\ud800': 1 }, loop, [loop]]) {
    assert.is(caught(() => list.url({ fine: 1, q: bad }), PathError)['param'], 'q')
  }
})

test('the parameters that are not in the path make the query, and searchToString overrides how', () => {
  const endpoint = new RestEndpoint({ path: '/users/:id', searchParams: {} as { a?: number; b?: number[] } })
  assert.is(endpoint.url({ id: 1, b: [1, 2], a: 3 }), '/users/1?a=3&b=1&b=2')
  const given = Object.freeze({ b: 1 })
  const adding = endpoint.extend({ path: '/users', searchToString: (params) => String(Object.keys(Object.assign(params, { a: 1 }))) })
  assert.ok(adding.url(given).endsWith('?b,a'), 'an override gets a copy')
  const commas = endpoint.extend({ searchToString: (params) => Object.entries(params).map(([name, value]) => `${name}=${String(value)}`).join(';') })
  assert.is(commas.url({ id: 1, b: [1, 2], a: 3 }), '/users/1?b=1,2;a=3')
})

test.run()
