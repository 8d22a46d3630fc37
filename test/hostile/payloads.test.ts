import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../support/state.ts'
import { denormalize, schema } from '../../src/index.ts'
import { deepFreeze, openPaths } from '../support/frozen.ts'
import { write } from '../support/write.ts'
import { Post } from './entities.ts'

const test = suite('payloads that are not what JSON.parse gives')

const data = { id: '1', name: 'n', tags: [{ id: 't' }], meta: { list: [{ a: 1 }] } }
const stored = { id: '1', name: 'n', tags: ['t'], meta: { list: [{ a: 1 }] } }

function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare)
  if (typeof value !== 'object' || value === null) return value
  return Object.assign(Object.create(null) as object, Object.fromEntries(Object.entries(value).map(([name, member]) => [name, bare(member)])))
}
class Model {
  constructor(value: object) {
    Object.assign(this, value)
  }
  get inherited(): string {
    return 'no'
  }
}
/** Counts every read of every property. */
function counted(value: unknown, reads: Map<string, number>, path = ''): unknown {
  if (typeof value !== 'object' || value === null) return value
  const copy: object = Array.isArray(value) ? [] : {}
  for (const [name, member] of Object.entries(value)) {
    const inner = counted(member, reads, `${path}/${name}`)
    Object.defineProperty(copy, name, {
      enumerable: true,
      configurable: true,
      get: () => {
        reads.set(`${path}/${name}`, (reads.get(`${path}/${name}`) ?? 0) + 1)
        return inner
      },
    })
  }
  return copy
}
const proxied = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? new Proxy(value, { get: (target, name, receiver) => proxied(Reflect.get(target, name, receiver)) })
    : value

const forms: [string, () => unknown][] = [
  ['structuredClone', () => structuredClone(data)],
  ['null prototypes', () => bare(data)],
  ['class instances', () => new Model({ ...data, tags: [new Model({ id: 't' })], meta: new Model({ list: [new Model({ a: 1 })] }) })],
  ['proxies', () => proxied(data)],
  ['getters', () => counted(data, new Map())],
  ['frozen objects with getters', () => deepFreeze(counted(data, new Map()))],
]

for (const [name, make] of forms) {
  test(`H12 ${name} are treated as data`, () => {
    const { state, result } = write(Post, make())
    const record = readRow(state, 'Post', '1')!
    assert.equal(record, stored)
    assert.equal(openPaths(record), [])
    const accessors = [record, (record as unknown as { meta: object }).meta].flatMap((each) => Object.values(Object.getOwnPropertyDescriptors(each)).filter(({ get }) => get))
    assert.equal(accessors, [])
    assert.equal(write(Post, data, state).change.patches, [])
    assert.equal(denormalize(Post, result, state)!.tags.map((tag) => tag.id), ['t'])
    assert.equal(write(undefined, make()).result, data)
    assert.equal(write({ user: Post }, { user: make(), copy: make() }).result, { user: '1', copy: data })
    const page = new schema.Collection([Post])
    assert.equal(readRow(write(page, [make()]).state, 'Post', '1'), stored)
  })
}

test('H12 each property of plain data, of a list and of an object around entities is read once', () => {
  const around = { list: [Post], named: new schema.Values(Post), page: { user: Post }, all: new schema.Collection([Post]) }
  const reads = new Map<string, number>()
  write(around, counted({ list: ['1'], named: { a: '1' }, page: { user: '1', total: 1 }, all: ['1'], plain: data }, reads))
  write(undefined, counted({ alone: data }, reads))
  write(Post, { id: '2', meta: counted({ inEntity: { list: [1] } }, reads) })
  assert.ok(reads.size >= 20)
  assert.equal([...reads].filter(([, count]) => count !== 1), [])
})

test('H12 a getter that never answers the same twice leaves plain data behind', () => {
  let n = 0
  const input = { id: '1', get meta(): object { return { n: n++, list: [n] } }, get tags(): object[] { return [{ id: `t${n++}` }] } }
  const { state } = write(Post, input)
  write(Post, input, state)
  const record = readRow(state, 'Post', '1') as unknown as { meta: { n: number }; tags: string[] }
  assert.equal(openPaths(record), [])
  const before = JSON.stringify(record)
  assert.ok(input.meta)
  assert.is(JSON.stringify(record), before)
  assert.ok(readRow(state, 'Tag', record.tags[0]!))
})

test('H12 a getter that throws ends the response, with its own error', () => {
  const { state } = write(Post, data)
  const input = { id: '2', get broken(): never { throw new RangeError('from the getter') } }
  assert.throws(() => write(Post, input, state), 'from the getter')
  assert.is(readRow(state, 'Post', '2'), undefined)
})

test('H12 symbols and members that are not enumerable are no data', () => {
  const input = Object.defineProperty({ id: '1', [Symbol('s')]: 1 }, 'hidden', { value: 1 })
  assert.equal(Reflect.ownKeys(readRow(write(Post, input).state, 'Post', '1')!), ['id'])
})

test.run()
