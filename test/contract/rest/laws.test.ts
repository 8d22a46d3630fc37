import * as fc from 'fast-check'
import { suite } from 'uvu'
import { PathError, RestEndpoint } from '../../../src/index.ts'
import type { AnyEndpoint } from '../../../src/index.ts'
import { broken, law } from '../../support/settings.ts'
import { hostile } from '../../laws/hostile.ts'

const test = suite('laws of addresses')

const nasty = fc.constantFrom(
  ...hostile, '.', '%2e', '.%2e', '%2E.', '../x', '..%2f', '/', '//evil.com', '\\', '\\\\evil.com', '@evil.com', ':80', '?', '#', '&', '=', '[', ']', 'a[b]', '%', '%00',
  '\0', '\r\n', '\t', ' ', '\u2028', '\udfff', '☃', 'a/b', 'a%2Fb', 'https://evil.com', 'javascript:1', '*', ':id', '{', '}',
)
const text = fc.oneof({ weight: 3, arbitrary: nasty }, { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) }, { weight: 1, arbitrary: fc.constantFrom('a', 'b', '1') })

const segment: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 8, arbitrary: text },
  { weight: 2, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.constantFrom(undefined, null, NaN, true, -0, 1e21, 5n, {}, [], ['x']) },
)
const prefixes = ['', '/api', '/api/v1', 'https://api.x', 'https://api.x:8443/v1', 'http://127.0.0.1:3000']
const templates = ['/:a', '/users/:a', '/users/:a/posts/:b', '/users/:a?', '/x{/:a}/y{/:b}', '/:a-:b', '/.:a', '/f/*w', '/f{/*w}/z', '/:a.json', '/{:a}/x']

const page = 'https://page.x'
let built = 0
let refused = 0
law(test, 'INV-50 containment: a URL has the origin of its prefix and the segments of its template, or is a typed error', 50_000, fc.tuple(fc.constantFrom(...prefixes), fc.constantFrom(...templates), segment, segment, fc.oneof(segment, fc.array(segment, { maxLength: 3 })), fc.option(fc.tuple(text, text), { nil: undefined })), ([urlPrefix, path, a, b, w, extra]) => {
  const params: { [name: string]: unknown } = { a, b, w }
  if (extra) Object.defineProperty(params, `q${extra[0]}`, { value: extra[1], enumerable: true })
  const endpoint = new RestEndpoint({ urlPrefix, path: path as string })
  let url: string
  try {
    url = endpoint.url(params)
  } catch (error) {
    refused++
    if (!(error instanceof PathError)) broken('The error is not typed.', error)
    return
  }
  built++
  const parsed = new URL(url, page)
  const base = new URL(urlPrefix, page)
  if (parsed.origin !== base.origin) broken('The URL left its origin.', url)
  if (parsed.username || parsed.password || parsed.hash) broken('The URL has what nobody gave it.', url)
  const wanted = expectedSegments(base.pathname, path as string, params)
  const found = parsed.pathname.split('/').slice(1)
  if (JSON.stringify(found) !== JSON.stringify(wanted)) broken('The URL has other segments than its template.', url, found, wanted)
}, () => `${built} built, ${refused} refused`)

/** The segments that a URL parser must see, by the template as it is written in this file. */
function expectedSegments(base: string, path: string, params: { [name: string]: unknown }): string[] {
  const given = (name: string): boolean => params[name] !== undefined && params[name] !== null
  const one = (name: string): string => encodeURIComponent(String(params[name]))
  const all = (): string => (params['w'] as unknown[]).map((each) => encodeURIComponent(String(each))).join('/')
  const filled = path
    .replace('/:a?', () => (given('a') ? `/${one('a')}` : ''))
    .replace('{/:a}', () => (given('a') ? `/${one('a')}` : ''))
    .replace('{:a}', () => (given('a') ? one('a') : ''))
    .replace('{/:b}', () => (given('b') ? `/${one('b')}` : ''))
    .replace('{/*w}', () => (given('w') ? `/${all()}` : ''))
    .replace(':a', () => one('a'))
    .replace(':b', () => one('b'))
    .replace('*w', () => all())
  return `${base === '/' ? '' : base}${filled || (base === '/' ? '/' : '')}`.split('/').slice(1)
}

const leaf: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(0, 1, -0, 2, '0', '1', 'a', '', 'null', 'true', 'undefined', '[1]', '{"a":1}', null, true, false, NaN, 'NaN', undefined, 1e21) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(new Date(0), new Date(1), '1970-01-01T00:00:00.000Z') },
)
const name = fc.oneof(fc.constantFrom('a', 'b', 'c', 'a[b]', '[a]', '__proto__', 'constructor', '', 'a=1', 'a&b'), fc.string({ maxLength: 3 }))
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, fc.array(tie('value'), { maxLength: 3 }), fc.dictionary(name, tie('value'), { maxKeys: 3 })),
})).value
const params = fc.dictionary(name, value, { maxKeys: 3 })

/** The request as a server reads it, worked out the slow way: names and texts, nothing else. */
function urlOf(params: object): string {
  const pairs: [path: string[], text: string][] = []
  const member = (path: string[], item: unknown): void => {
    if (item === undefined) return
    const isData = typeof item === 'object' && item !== null && !(item instanceof Date)
    pairs.push([path, isData ? json(item) : item instanceof Date ? item.toISOString() : String(item)])
  }
  const walk = (path: string[], each: unknown): void => {
    if (each === undefined) return
    if (each instanceof Date) pairs.push([path, each.toISOString()])
    else if (Array.isArray(each)) for (const item of each as unknown[]) member(path, item)
    else if (typeof each === 'object' && each !== null) for (const key of Object.keys(each)) walk([...path, key], (each as { [key: string]: unknown })[key])
    else pairs.push([path, String(each)])
  }
  walk([], params)
  // The order of names does not matter, the order within a list does.
  const byPath = new Map<string, string[]>()
  for (const [path, text] of pairs) byPath.set(JSON.stringify(path), [...(byPath.get(JSON.stringify(path)) ?? []), text])
  return JSON.stringify([...byPath].sort(([x], [y]) => (x < y ? -1 : 1)))
}

/** Nested data in one spelling; a text that spells the same is the same. */
function json(data: unknown): string {
  if (data instanceof Date) return JSON.stringify(data)
  if (Array.isArray(data)) return `[${data.map((each: unknown) => json(each)).join()}]`
  if (typeof data !== 'object' || data === null) return typeof data === 'string' ? JSON.stringify(data) : Object.is(data, -0) ? '-0' : String(data)
  const members = data as { [key: string]: unknown }
  return `{${Object.keys(members).sort().filter((key) => members[key] !== undefined).map((key) => `${JSON.stringify(key)}:${json(members[key])}`).join()}}`
}

const endpoints = [
  new RestEndpoint({ path: '/x' }),
  new RestEndpoint({ path: '/x', method: 'DELETE' }),
  new RestEndpoint({ path: '/x/y' }),
  new RestEndpoint({ urlPrefix: 'https://api.x', path: '/x' }),
]
let same = 0
let different = 0
law(test, 'INV-12 keys: different requests have different keys, and one request has one, in any order and as number or text', 50_000, fc.tuple(fc.nat(3), fc.nat(3), params, fc.option(params, { nil: undefined }), fc.nat()), ([first, second, one, other, turn]) => {
  // Half of the time the second is the first again: reordered, with numbers as text.
  const two = other ?? shuffled(one, turn)
  const key = (at: number, args: object): string => (endpoints[at] as AnyEndpoint).key(args)
  const at = other === undefined ? first : second
  const equalKeys = key(first, one) === key(at, two)
  const equalRequests = first === at && urlOf(one) === urlOf(two)
  if (equalRequests) same++
  else different++
  if (equalKeys !== equalRequests) broken(equalKeys ? 'Two requests share a key.' : 'One request has two keys.', key(first, one), key(at, two))
}, () => `${same} pairs were one request, ${different} were two`)

function shuffled(object: object, turn: number): object {
  const entries = Object.entries(object)
  const turned = [...entries.slice(turn % (entries.length || 1)), ...entries.slice(0, turn % (entries.length || 1))]
  const copy = {}
  for (const [key, each] of turned) {
    const next: unknown = typeof each === 'number' ? String(each) : typeof each === 'object' && each !== null && !Array.isArray(each) && !(each instanceof Date) ? shuffled(each as object, turn + 1) : each
    Object.defineProperty(copy, key, { value: next, enumerable: true, writable: true, configurable: true })
  }
  return copy
}

test.run()
