import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow, readStamp } from '../../support/state.ts'
import { denormalize, Entity, normalize } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { at, write } from '../../support/write.ts'

const test = suite('an entity that a response has more than once')

class User extends Entity {
  id = ''
  name = ''
  best: User | undefined = undefined
  friends: User[] = []
  static override key = 'User'
  static override schema: Fields = {}
}
User.schema = { best: User, friends: [User] }

test('is merged in the order of appearance into one patch', () => {
  const { state, change, result } = write([User], [{ id: '1', a: 1, b: 1 }, { id: '2' }, { id: 1, b: 2, c: 2 }])
  assert.equal(result, ['1', '2', '1'])
  assert.equal(readRow(state, 'User', '1'), { id: 1, a: 1, b: 2, c: 2 })
  assert.is(change.patches.length, 2)
})

test('is merged by the merge of its class', () => {
  class Longest extends Entity {
    static override key = 'Longest'
    static override merge(existing: Fields, incoming: Fields): Fields {
      return (existing['text'] as string).length >= (incoming['text'] as string).length ? existing : incoming
    }
  }
  const { state } = write([Longest], [{ id: '1', text: 'abc' }, { id: '1', text: 'a' }, { id: '1', text: 'abcd' }, { id: '1', text: '' }])
  assert.equal(readRow(state, 'Longest', '1'), { id: '1', text: 'abcd' })
})

test('is merged within the response first, and then with the store, once', () => {
  let merges = 0
  class Counted extends Entity {
    static override key = 'Counted'
    static override mergeWithStore(...all: Parameters<typeof Entity.mergeWithStore>): Fields {
      merges++
      return super.mergeWithStore(...all)
    }
  }
  const first = write(Counted, { id: '1', a: 0 }).state
  const { state } = write([Counted], [{ id: '1', a: 1 }, { id: '1', b: 2 }], first)
  assert.equal(readRow(state, 'Counted', '1'), { id: '1', a: 1, b: 2 })
  assert.is(merges, 1)
})

test('has one stamp', () => {
  const { state } = write([User], [{ id: '1', a: 1 }, { id: '1', b: 1 }], undefined, [], at(7))
  assert.equal(readStamp(state, 'User', '1'), at(7))
})

test('a loop through the same objects ends', () => {
  const a: Fields & { best?: unknown } = { id: 'a' }
  const b = { id: 'b', best: a, friends: [a] }
  a.best = b
  const { state, result } = write(User, a)
  assert.equal(readRow(state, 'User', 'a'), { id: 'a', best: 'b' })
  assert.equal(readRow(state, 'User', 'b'), { id: 'b', best: 'a', friends: ['a'] })
  const view = denormalize(User, result, state)!
  assert.is(view.best!.best, view)
})

test('an entity that contains itself, and a loop through two objects of one entity, end too', () => {
  const self: { id: string; best?: unknown } = { id: 'a' }
  self.best = self
  assert.equal(readRow(write(User, self).state, 'User', 'a'), { id: 'a', best: 'a' })
  const one: { id: string; best?: unknown } = { id: 'x' }
  const two: { id: string; best: unknown; name: string } = { id: 'x', best: one, name: 'n' }
  one.best = two
  assert.equal(readRow(write(User, one).state, 'User', 'x'), { id: 'x', best: 'x', name: 'n' })
  two.best = two
  assert.equal(readRow(write(User, one).state, 'User', 'x'), { id: 'x', best: 'x', name: 'n' })
})

test('a shared object is visited once', () => {
  let processed = 0
  class Heavy extends Entity {
    static override key = 'Heavy'
    static override validate(): undefined {
      processed++
    }
  }
  const shared = { id: '1' }
  assert.equal(normalize([Heavy], [shared, shared, shared]).result, ['1', '1', '1'])
  assert.is(processed, 1)
})

test.run()
