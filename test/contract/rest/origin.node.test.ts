import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { PathError, RestEndpoint } from '../../../src/index.ts'
import { caught, rejected } from '../../support/caught.ts'
import { recorder } from './recorder.ts'

const test = suite('origins')

test('prefix and path make an address; a slash that ends the prefix and begins the path is one', () => {
  for (const [prefix, path, params, expected] of [
    ['', '/a', {}, '/a'], ['/api', '/a', {}, '/api/a'], ['https://x.y', '/a', {}, 'https://x.y/a'],
    ['https://x.y:8080/v1', '/a', {}, 'https://x.y:8080/v1/a'],
    ['https://x.y/v1/', 'a', {}, 'https://x.y/v1/a'], ['', 'https://x.y/a', {}, 'https://x.y/a'], ['', 'https://x.y', {}, 'https://x.y'],
    ['https://x.y', '', {}, 'https://x.y'], ['', 'https://x.y/:id?', {}, 'https://x.y'], ['', '/:id?', {}, '/'], ['/v1', '/:id?', {}, '/v1'],
    ['https://x.y/', '/a/:id', { id: 1 }, 'https://x.y/a/1'], ['https://x.y/v1/', '/a/:id', { id: 1 }, 'https://x.y/v1/a/1'],
    ['/api/', '/a/:id', { id: 1 }, '/api/a/1'], ['/', '/a/:id', { id: 1 }, '/a/1'], ['/', 'a/:id', { id: 1 }, '/a/1'],
    ['https://x.y/', '/:id?', { id: 1 }, 'https://x.y/1'], ['/api/', '{/:id}', { id: 1 }, '/api/1'], ['/api/', '/', {}, '/api/'], ['/', '/', {}, '/'],
  ] as const) {
    const endpoint = new RestEndpoint({ urlPrefix: prefix, path: path as string })
    assert.is(endpoint.url(params), expected)
    assert.ok(endpoint.testKey(endpoint.key(params)), `${prefix} ${path}`)
  }
  assert.is(new RestEndpoint({ path: '/a' }).url(), '/a')
})

test('text that would be another host, or none, is refused', () => {
  for (const [urlPrefix, path] of [
    ['https://api.x', 'users'], ['https://api.x', '.evil.com'], ['https://api.x', '@evil.com/'], ['', '//evil.com/a'],
    ['//evil.com', '/a'], ['/', '//evil.com'], ['/\\evil.com', '/a'], ['\\\\evil.com', '/a'], ['/\t/evil.com', '/a'],
    ['', 'users'], ['/a?b=', '/c'], ['https://x.y#', '/c'], ['', '/{:a}/evil.com'],
  ] as const) {
    assert.instance(caught(() => new RestEndpoint({ urlPrefix, path: path as string }).url()), PathError, `${urlPrefix} ${path}`)
  }
})

test('the page is an origin like any other', async () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'location')
  Object.defineProperty(globalThis, 'location', { value: new URL('https://page.x/app'), configurable: true })
  try {
    const { calls, transport } = recorder()
    const link = new RestEndpoint({ path: '/a', transport, url: (to?: object) => String(to), searchParams: {} as { readonly any?: 1 } })
    await link('https://page.x/b' as never)
    assert.is(calls.length, 1)
    assert.instance(await rejected(link('https://other.x/b' as never)), PathError)
  } finally {
    if (before) Object.defineProperty(globalThis, 'location', before)
    else Reflect.deleteProperty(globalThis, 'location')
  }
})

test.run()
