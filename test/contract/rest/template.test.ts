import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createResource, PathError, RestEndpoint } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { Todo } from '../../support/todo.ts'

const test = suite('path templates')

const fill = (path: string, params: object = {}): string => new RestEndpoint({ path }).url(params as never)
const match = (path: string, text: string): boolean => new RestEndpoint({ path }).testKey(`GET ${text}`)
const listPath = (path: string): string => createResource({ path, schema: Todo }).getList.path

/** Template, parameters, path. */
const filled: readonly (readonly [string, object, string])[] = [
  ['/users', {}, '/users'],
  ['/users/:id', { id: 1 }, '/users/1'],
  ['/users/:id', { id: 0 }, '/users/0'],
  ['/users/:id', { id: -0 }, '/users/0'],
  ['/users/:id', { id: 12345678901234567890n }, '/users/12345678901234567890'],
  ['/users/:id', { id: true }, '/users/true'],
  ['/groups/:group/users/:id', { group: 'a', id: 2 }, '/groups/a/users/2'],
  ['/users/:id?', {}, '/users'],
  ['/users/:id?', { id: undefined }, '/users'],
  ['/users/:id?', { id: null }, '/users'],
  ['/users/:id?', { id: 3 }, '/users/3'],
  ['/:id?', {}, '/'],
  ['/:id?/x', {}, '/x'],
  ['/users{/:id}', {}, '/users'],
  ['/users{/:id}', { id: 1 }, '/users/1'],
  ['/a{/:b{/:c}}/d', { b: 1 }, '/a/1/d'],
  ['/a{/:b{/:c}}/d', { b: 1, c: 2 }, '/a/1/2/d'],
  ['/a{-:b}.json', { b: 1 }, '/a-1.json'],
  ['/files/*path', { path: ['a', 'b c', 'd'] }, '/files/a/b%20c/d'],
  ['/files{/*path}', {}, '/files'],
  ['/:from-:to', { from: 'a', to: 'b' }, '/a-b'],
  ['/:file.json', { file: 'x' }, '/x.json'],
  ['/:_a1', { _a1: 'x' }, '/x'],
  ['/x/.:id', { id: 'x' }, '/x/.x'],
  ['/Products(:id)', { id: 1 }, '/Products(1)'],
  ['http://localhost:3000/users/:id', { id: 1 }, 'http://localhost:3000/users/1'],
  ['https://api.x/users/:id', { id: 1 }, 'https://api.x/users/1'],
  ['/docs\\:batch', {}, '/docs:batch'],
  ['/a\\*b', {}, '/a*b'],
  ['/:constructor/:toString', { constructor: 'a', toString: 'b' }, '/a/b'],
]
for (const [path, params, expected] of filled) {
  test(`${path} with ${JSON.stringify(params, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))} is ${expected}`, () => {
    assert.is(fill(path, params), expected)
    assert.ok(match(path, expected), 'and matches')
  })
}

test('parameters come from the object itself and not from its prototype, and half of a group is an error, not a shorter path', () => {
  for (const [path, params, param] of [['/:toString', {}, 'toString'], ['/:id', Object.create({ id: 1 }) as object, 'id'], ['/a{/:b/:c}', { b: 1 }, 'c']] as const) {
    assert.is(caught(() => fill(path, params))['param'], param)
  }
})

test('text and parameters that join to dots are refused', () => {
  for (const path of ['/x/../:id', '/x/%2e%2E/:id']) assert.instance(caught(() => fill(path, { id: 1 })), PathError)
  assert.instance(caught(() => fill('/x/.{:id}')), PathError)
})

test('a template that cannot mean a path says so', () => {
  for (const path of ['/a{/:b', '/a}', '/a?b=:c', '/a#b', '/a b', '/a\\\\b', '/{/:a}?', '/a\tb']) {
    assert.instance(caught(() => fill(path)), PathError, path)
  }
})

test('what other libraries write for a parameter is refused, and not taken for text', () => {
  for (const [path, pattern] of [
    ['/users/{id}', /no parameter in "\{id\}".*\/users\/:id/], ['/users/:id(\\d+)', /cannot have "\\d"/],
    ['/files/:path*', /cannot have "\*".*"\*name"/], ['/files/(.*)', /"\*name"/],
  ] as const) caught(() => fill(path), PathError, pattern)
})

test('keys match only what the template could have made', () => {
  for (const [path, text, expected] of [
    ['/users/:id', '/users', false], ['/users/:id', '/users/', false], ['/users/:id', '/users/1/2', false], ['/users/:id', '/other/1', false],
    ['/users/:id', '/users/a%2Fb', true], ['/users', '/users', true], ['/users', '/users/', false],
    ['/files/*path', '/files/', false], ['/files/*path', '/files/a/b', true], ['/:from-:to', '/a', false], ['/:from-:to', '/a-b-c', true],
    ['/a{/:b{/:c}}/d', '/a/1/2/3/d', false], ['/a{/:b}', '/a/', false],
  ] as const) assert.is(match(path, text), expected, `${path} ${text}`)
})

test('matching is linear: long keys against three parameters in a segment and twenty optional groups', () => {
  const groups = `/a${Array.from({ length: 20 }, (_, n) => `{/:p${n}}`).join('')}/z`
  for (const [path, text] of [
    ['/:a-:b-:c', `/${'-'.repeat(4000)}/`],
    ['/:a.:b-:c', `/${'a.'.repeat(2000)}/`],
    ['/:a-:b-:c-:d-:e', `/${'a-'.repeat(2000)}/`],
    [groups, `/a${'/x'.repeat(2000)}`],
    ['/*a/*b/*c', `/${'a/'.repeat(2000)}`],
  ] as const) {
    match(path, text)
    const took = (length: number): number => {
      const times = Array.from({ length: 25 }, () => {
        const start = performance.now()
        match(path, text.slice(0, length))
        return performance.now() - start
      })
      return Math.min(...times)
    }
    const [half, whole] = [took(2000), took(4000)]
    assert.ok(whole < 10, `${path}: ${whole} ms`)
    assert.ok(whole < half * 4 + 0.5, `${path}: ${half} ms, then ${whole} ms`)
  }
})

test('the list is where the last parameter is cut off', () => {
  for (const [path, expected] of [
    ['/users/:id', '/users'], ['/a/:b/c/:d', '/a/:b/c'], ['/users/:id?', '/users'], ['/users{/:id}', '/users'], ['/:id', '/'], ['/:a/:b', '/:a'],
    ['/users/:id/profile', '/users'], ['/files/*path', '/files'], ['http://localhost:3000/u/:id', 'http://localhost:3000/u'],
    ['/docs\\:x/:id', '/docs\\:x'],
  ] as const) assert.is(listPath(path), expected)
  assert.match(caught(() => listPath('/users')).message, 'no parameter')
})

test.run()
