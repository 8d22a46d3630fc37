import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { PathError, RestEndpoint } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { recorder, rejected } from './recorder.ts'

const test = suite('origins')

const url = (urlPrefix: string | undefined, path: string, params: object = {}): string =>
  new RestEndpoint({ path, ...(urlPrefix === undefined ? {} : { urlPrefix }) }).url(params)

test('prefix and path make an address', () => {
  for (const [prefix, path, expected] of [
    [undefined, '/a', '/a'], ['', '/a', '/a'], ['/api', '/a', '/api/a'], ['https://x.y', '/a', 'https://x.y/a'], ['https://x.y:8080/v1', '/a', 'https://x.y:8080/v1/a'],
    ['https://x.y/v1/', 'a', 'https://x.y/v1/a'], [undefined, 'https://x.y/a', 'https://x.y/a'], [undefined, 'https://x.y', 'https://x.y'], ['https://x.y', '', 'https://x.y'],
    [undefined, 'https://x.y/:id?', 'https://x.y'], [undefined, '/:id?', '/'], ['/v1', '/:id?', '/v1'],
  ] as const) assert.is(url(prefix, path), expected)
})

test('a slash that ends the prefix and begins the path is one', () => {
  for (const [prefix, path, expected] of [
    ['https://x.y/', '/a/:id', 'https://x.y/a/1'], ['https://x.y/v1/', '/a/:id', 'https://x.y/v1/a/1'], ['/api/', '/a/:id', '/api/a/1'], ['/', '/a/:id', '/a/1'], ['/', 'a/:id', '/a/1'],
    ['https://x.y/', '/:id?', 'https://x.y/1'], ['/api/', '{/:id}', '/api/1'], ['/api/', '/', '/api/'], ['/', '/', '/'],
  ] as const) {
    const endpoint = new RestEndpoint({ urlPrefix: prefix, path })
    assert.is(endpoint.url({ id: 1 }).split('?')[0], expected)
    assert.ok(endpoint.testKey(endpoint.key({ id: 1 })), `${prefix} ${path}`)
  }
})

test('no parameter can become part of the host', () => {
  for (const [prefix, path] of [['https://api.x', ':id'], [undefined, 'https://api.x:id'], [undefined, 'https://:id/a'], [undefined, 'https://api.x{.:id}'], ['https://api.x', '{:id}'], [undefined, ':id'], [undefined, '*id']] as const) {
    const error = caught(() => url(prefix, path, { id: '.evil.com' })) as unknown as PathError
    assert.instance(error, PathError, path)
    assert.is(error.param, 'id')
    assert.match(error.message, `"${prefix ?? ''}${path}"`)
  }
})

test('text that would be another host, or none, is refused', () => {
  for (const [prefix, path] of [
    ['https://api.x', 'users'], ['https://api.x', '.evil.com'], ['https://api.x', '@evil.com/'], [undefined, '//evil.com/a'], ['//evil.com', '/a'], ['/', '//evil.com'],
    ['/\\evil.com', '/a'], ['\\\\evil.com', '/a'], ['/\t/evil.com', '/a'], [undefined, 'users'], ['/a?b=', '/c'], ['https://x.y#', '/c'],
  ] as const) assert.instance(caught(() => url(prefix, path)), PathError, `${prefix} ${path}`)
  assert.instance(caught(() => url(undefined, '/{:a}/evil.com')), PathError)
})

test('a prefix from data must be http, and carries no credentials', () => {
  for (const prefix of ['javascript:alert(1)', 'data:text/plain,', 'file:///etc', 'ftp://x', 'blob:https://x.y', 'https://u:p@h', 'https://u@h', 'http://', 'ws://x']) {
    const error = caught(() => url(prefix, '/a'))
    assert.instance(error, PathError, prefix)
    assert.not.match(error.message, 'u:p')
  }
})

test('an address that an override of url gives is sent only when it is on the stated origin', async () => {
  const { calls, transport } = recorder()
  const next = new RestEndpoint({ urlPrefix: 'https://api.x/v1', path: '/a', transport, url: (link?: object) => String(link), searchParams: {} as { readonly any?: 1 } })
  for (const link of ['https://evil.com/a', '//evil.com/a', 'https://api.x.evil.com/', 'http://api.x/', 'https://u:p@api.x/', 'javascript:1', 'blob:https://api.x/1', '/relative', 'https://api.x:444/'])
    assert.instance(await rejected(next(link as never)), PathError, link)
  assert.is(calls.length, 0)
  await next('https://api.x/v1/a?page=2' as never)
  await next('https://API.x:443/v1/a?page=2' as never)
  assert.is(calls.length, 2)
})

test('the page is an origin like any other', async () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'location')
  Object.defineProperty(globalThis, 'location', { value: new URL('https://page.x/app'), configurable: true })
  const messages: string[] = []
  const { warn } = console
  console.warn = (text: string) => void messages.push(text)
  try {
    const { calls, transport } = recorder()
    const link = new RestEndpoint({ path: '/a', transport, url: (to?: object) => String(to), searchParams: {} as { readonly any?: 1 } })
    await link('https://page.x/b' as never)
    assert.is(calls.length, 1)
    assert.instance(await rejected(link('https://other.x/b' as never)), PathError)
    assert.equal(messages, [])
    const plain = new RestEndpoint({ urlPrefix: 'http://plain.x', path: '/a' })
    plain.url()
    plain.url()
    assert.is(messages.length, 1)
    assert.match(messages[0]!, 'not encrypted')
  } finally {
    console.warn = warn
    if (before) Object.defineProperty(globalThis, 'location', before)
    else Reflect.deleteProperty(globalThis, 'location')
  }
})

test.run()
