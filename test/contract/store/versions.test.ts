import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findPk, readRow } from '../../support/state.ts'
import { applyPatches, denormalize, emptyState, Entity, exportState, schema } from '../../../src/index.ts'
import type { State } from '../../../src/index.ts'
import { write } from '../../support/write.ts'

const test = suite('versions of a state')

class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
  static override indexes = ['name']
}
const users = new schema.Collection([User])

test('every version stays readable, whatever was written later', () => {
  const versions: { state: State; data: string; view: string }[] = []
  let state: State = emptyState
  const note = (): void => {
    const view = JSON.stringify([denormalize(users, '{}', state), denormalize(new schema.All(User), [], state)])
    versions.push({ state, data: JSON.stringify(exportState(state)), view })
  }
  for (let step = 0; step < 300; step++) {
    note()
    const id = String((step * 7) % 90)
    const [schema_, input]: [unknown, unknown] =
      step % 5 === 0 ? [users, [{ id, name: `n${step}` }, { id: String(step) }]]
      : step % 5 === 1 ? [users.push, { id, name: `p${step}` }]
      : step % 5 === 2 ? [new schema.Invalidate(User), id]
      : step % 5 === 3 ? [users.unshift, { id: `u${step}` }]
      : [User, { id, name: `w${step}`, list: [step] }]
    state = write(schema_, input, state).state
    if (step % 11 === 0) state = applyPatches(state, [{ op: 'remove', path: ['entities', 'User', id] }])
  }
  assert.ok(new Set(versions.map(({ data }) => data)).size > 200)
  for (const { state: old, data, view } of versions) {
    assert.is(JSON.stringify(exportState(old)), data)
    assert.is(JSON.stringify([denormalize(users, '{}', old), denormalize(new schema.All(User), [], old)]), view)
  }
})

test('branches of one version do not see each other', () => {
  const root = write(users, [{ id: '1', name: 'root' }]).state
  const left = write(users.push, { id: '2', name: 'left' }, root).state
  const right = write(users.push, { id: '2', name: 'right' }, write(users.push, { id: '3' }, root).state).state
  assert.equal([readRow(root, '[User]', '{}'), readRow(left, '[User]', '{}'), readRow(right, '[User]', '{}')], [['1'], ['1', '2'], ['1', '3', '2']])
  assert.equal([root, left, right].map((state) => denormalize(User, '2', state)?.name), [undefined, 'left', 'right'])
  assert.equal([root, left, right].map((state) => findPk(User, [{ name: 'right' }], state)), [undefined, undefined, '2'])
})

test('two states that were made apart share nothing', () => {
  const one = write(User, { id: '1', name: 'one' }).state
  const two = write(User, { id: '1', name: 'two' }).state
  assert.equal([denormalize(User, '1', one)!.name, denormalize(User, '1', two)!.name], ['one', 'two'])
})

test('one set of patches makes the same state of two that are empty, and neither sees what the other does next', () => {
  const { patches, stamps } = write([User], [{ id: '1' }, { id: '2' }]).change
  const one = write(User, { id: '3' }, applyPatches(emptyState, patches, stamps)).state
  const two = write(new schema.Invalidate(User), '1', applyPatches(emptyState, patches, stamps)).state
  const ids = (state: State): string[] => denormalize(new schema.All(User), [], state)!.map((user) => user.id)
  assert.equal([ids(one), ids(two)], [['1', '2', '3'], ['2']])
})

test('the empty state stays empty and cannot be written to', () => {
  write(users, [{ id: '1' }], emptyState)
  assert.equal(exportState(emptyState), { version: 1, entities: [], endpoints: [] })
  assert.throws(() => ((emptyState as { entities: unknown }).entities = 1))
})

test('a state cannot be written to', () => {
  const { state } = write(User, { id: '1' })
  assert.throws(() => ((state as { entities: unknown }).entities = undefined))
})

for (const count of [63, 64, 65, 4095, 4096, 4097, 20_000]) {
  test(`${count} rows are found again, in order, and one more touches one of them`, () => {
    const { state } = write([User], Array.from({ length: count }, (_, i) => ({ id: String(i), name: `n${i}` })))
    for (const i of [0, 1, count >> 1, count - 1]) assert.equal(readRow(state, 'User', String(i)), { id: String(i), name: `n${i}` })
    assert.is(readRow(state, 'User', String(count)), undefined)
    const next = write([User], [{ id: String(count >> 1), name: 'changed' }, { id: 'more' }], state)
    assert.is(next.change.patches.length, 2)
    for (const i of [0, 1, count - 1]) assert.is(readRow(next.state, 'User', String(i)), readRow(state, 'User', String(i)))
    const ids = denormalize(new schema.All(User), [], next.state)!.map((user) => user.id)
    assert.is(ids.length, count + 1)
    assert.equal([ids[0], ids[count - 1], ids[count]], ['0', String(count - 1), 'more'])
  })
}

test.run()
