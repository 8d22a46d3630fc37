import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { denormalize, normalize } from '../../../src/index.ts'
import { readRow, readStamp } from '../../support/state.ts'
import { at, write } from '../../support/write.ts'
import { entity } from '../schema/todos.ts'

const test = suite('an entity that a response has more than once')

const User = entity('User')
User.schema = { best: User, friends: [User] }

test('is merged in the order of appearance into one patch, with one stamp', () => {
  const { state, change, result } = write([User], [{ id: '1', a: 1, b: 1 }, { id: '2' }, { id: 1, b: 2, c: 2 }], undefined, [], at(7))
  assert.equal(result, ['1', '2', '1'])
  assert.equal([readRow(state, 'User', '1'), readStamp(state, 'User', '1')], [{ id: 1, a: 1, b: 2, c: 2 }, at(7)])
  assert.is(change.patches.length, 2)
})

test('is merged by the merge of its class', () => {
  const length = ({ text }: { text?: unknown }): number => String(text).length
  const Longest = entity('Longest', { merge: (existing, incoming) => (length(existing) >= length(incoming) ? existing : incoming) })
  const { state } = write([Longest], ['abc', 'a', 'abcd', ''].map((text) => ({ id: '1', text })))
  assert.equal(readRow(state, 'Longest', '1'), { id: '1', text: 'abcd' })
})

test('is merged within the response first, and then with the store, once', () => {
  let merges = 0
  const Counted = entity('Counted', { mergeWithStore: (_was, _is, existing, incoming) => (merges++, { ...existing, ...incoming }) })
  const first = write(Counted, { id: '1', a: 0 }).state
  const { state } = write([Counted], [{ id: '1', a: 1 }, { id: '1', b: 2 }], first)
  assert.equal([readRow(state, 'Counted', '1'), merges], [{ id: '1', a: 1, b: 2 }, 1])
})

test('is made of both and of nothing else when one of them is inside of the other', () => {
  const Loop = entity('Loop')
  Loop.schema = { box: { next: Loop } }
  const { state } = write(Loop, { id: '1', box: { next: '1' }, a: 1, b: 1 })
  const { state: after } = write(Loop, { id: '1', box: { next: { id: '1', b: 2 } }, a: 1 }, state)
  assert.equal(readRow(after, 'Loop', '1'), { id: '1', box: { next: '1' }, a: 1, b: 2 })
})

interface Friend { id: string; name?: string; best?: Friend; friends?: Friend[] }
const [a, self, one]: Friend[] = [{ id: 'a' }, { id: 'a' }, { id: 'x' }]
a!.best = { id: 'b', best: a!, friends: [a!] }
self!.best = self!
one!.best = { id: 'x', best: one!, name: 'n' }
const knot: Friend = { id: 'x', name: 'n' }
knot.best = knot
for (const [title, input, expected] of [
  ['a loop through the same objects ends', a, { a: { id: 'a', best: 'b' }, b: { id: 'b', best: 'a', friends: ['a'] } }],
  ['an entity that contains itself ends', self, { a: { id: 'a', best: 'a' } }],
  ['a loop through two objects of one entity ends', one, { x: { id: 'x', best: 'x', name: 'n' } }],
  ['a loop that begins below another object of the entity ends', { id: 'x', best: knot }, { x: { id: 'x', best: 'x', name: 'n' } }],
] as const) {
  test(title, () => {
    const { state } = write(User, input)
    assert.equal(Object.keys(expected).map((pk) => readRow(state, 'User', pk)), Object.values(expected))
  })
}

test('a loop is shown as one', () => {
  const { state, result } = write(User, a)
  const view = denormalize(User, result, state) as unknown as { best: { best: unknown } }
  assert.is(view.best.best, view)
})

test('a shared object is visited once', () => {
  let processed = 0
  const Heavy = entity('Heavy', { validate: () => void processed++ as undefined })
  const shared = { id: '1' }
  assert.equal([normalize([Heavy], [shared, shared, shared]).result, processed], [['1', '1', '1'], 1])
})

test.run()
