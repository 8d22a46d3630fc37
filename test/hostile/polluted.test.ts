import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches, denormalize, emptyState, Entity, exportState, importState, normalize, schema } from '../../src/index.ts'
import type { Fields, Patch, State } from '../../src/index.ts'
import { at } from '../support/write.ts'
import { findPk } from '../support/state.ts'
import { polluted } from '../support/pollute.ts'
import { quietly } from '../support/settings.ts'
import { Post, Tag } from './entities.ts'

const test = suite('a host whose Object.prototype was polluted before')

class Merged extends Post {
  static override key = 'Merged'
  static override merge(existing: Fields, incoming: Fields): Fields {
    return { ...existing, ...incoming }
  }
}
const posts = new schema.Collection([Post])
const responses: [unknown, unknown][] = [
  [posts, [{ id: '1', tags: [{ id: 'a' }], deep: { x: [1] }, slug: 's' }, { id: '2' }]],
  [posts, [{ id: '1', polluted: 'x', method: 'x', headers: 'x', tags: ['a'] }, { id: '2', schema: 'x', key: 'x', then: 'x' }]],
  [Merged, { id: '1' }],
  [Merged, { id: '1', method: 'x', deep: { key: 'x' } }],
  [[Merged], [{ id: '1', deep: {} }, { id: '1', more: 1 }]],
  [posts.push, { id: '9' }],
  [{ post: Post, tags: [Tag], total: 0 }, { tags: [{ id: 'z' }], page: { next: null } }],
  [new schema.Union({ x: Tag }, 'key'), { id: '7' }],
  [new schema.Values(Tag), { first: { id: 'v' } }],
  [new schema.Invalidate(Post), '2'],
  [Post, { name: 'no id' }],
]

/** Everything that the library answers to the same questions. */
function answers(): string[] {
  const messages: string[] = []
  let state: State = emptyState
  responses.forEach(([shape, input], i) => {
    try {
      const { result, patches, inversePatches, stamps } = normalize(shape, input, [{ q: 1 }], state, at(i))
      state = applyPatches(state, patches, stamps)
      messages.push(JSON.stringify([result, patches, inversePatches, stamps]))
    } catch (error) {
      messages.push(String(error))
    }
  })
  const foreign: Patch[] = [{ op: 'add', path: ['entities', 'Post', '1', 'deep', 'method'], value: { more: {} } }, { op: 'remove', path: ['entities', 'Post', '1', 'key'] }]
  state = importState(JSON.parse(JSON.stringify(exportState(applyPatches(state, foreign)))))
  messages.push(JSON.stringify(exportState(state)), JSON.stringify(denormalize(posts, '{"q":"1"}', state)), String(findPk(Post, [{ slug: 's' }], state)))
  return messages
}

test('the answers are worth comparing', () => {
  const messages = quietly(answers)
  assert.is(messages.length, responses.length + 3)
  assert.match(messages[1]!, '"method"')
  assert.match(messages[10]!, 'MissingPkError')
})

for (const name of ['polluted', 'schema', 'key', 'then', 'toJSON', 'method', 'credentials', 'headers', 'id', 'pk', 'value', 'deleted', 'normalize']) {
  test(`INV-53 answers the same with Object.prototype.${name}`, async () => {
    const expected = quietly(answers)
    let messages: string[] = []
    await polluted({ [name]: 'lent' }, () => (messages = quietly(answers)))
    assert.equal(messages, expected)
  })
}

test('INV-53 a class that is met there shows the data of its fields, whatever they are called, and deep patches bring only what they say', async () => {
  await polluted({ method: 'lent', headers: { lent: {} } }, () => {
    class Order extends Entity {
      id = ''
      static override key = 'Order'
    }
    const { patches } = normalize(Order, { id: '1', method: 'card', headers: 'own', deep: { er: {} } })
    const state = applyPatches(applyPatches(emptyState, patches), [{ op: 'add', path: ['entities', 'Order', '1', 'deep', 'er', 'more'], value: { x: [{}] } }])
    const order = denormalize(Order, '1', state) as unknown as { method: string; headers: string; deep: object }
    assert.equal([order.method, order.headers, JSON.stringify(order.deep)], ['card', 'own', '{"er":{"more":{"x":[{}]}}}'])
  })
})

test.run()
