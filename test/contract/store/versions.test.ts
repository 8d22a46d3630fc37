import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches, Controller, denormalize, emptyState, exportState, schema, type State } from '../../../src/index.ts'
import { findPk, readRow } from '../../support/state.ts'
import { write } from '../../support/write.ts'
import { idsOf } from '../schema/todos.ts'
import { User, users } from './users.ts'

const test = suite('versions of a state')

const all = new schema.All(User)

test('every version stays readable, whatever was written later', () => {
  const versions: [State, string][] = []
  const seen = (each: State): string => JSON.stringify([exportState(each), denormalize(users, '{}', each), denormalize(all, [], each)])
  let state: State = emptyState
  for (let step = 0; step < 300; step++) {
    versions.push([state, seen(state)])
    const id = String((step * 7) % 90)
    const writes: [unknown, unknown][] = [
      [users, [{ id, name: `n${step}` }, { id: String(step) }]],
      [users.push, { id, name: `p${step}` }],
      [new schema.Invalidate(User), id],
      [users.unshift, { id: `u${step}` }],
      [User, { id, name: `w${step}`, list: [step] }],
    ]
    state = write(...writes[step % 5]!, state).state
    if (step % 11 === 0) state = applyPatches(state, [{ op: 'remove', path: ['entities', 'User', id] }])
  }
  assert.ok(new Set(versions.map(([, before]) => before)).size > 200)
  for (const [old, before] of versions) assert.is(seen(old), before)
})

test('branches of one version do not see each other, and a state that was made apart shares nothing', () => {
  const root = write(users, [{ id: '1', name: 'root' }]).state
  const left = write(users.push, { id: '2', name: 'left' }, root).state
  const right = write(users.push, { id: '2', name: 'right' }, write(users.push, { id: '3' }, root).state).state
  const apart = write(users, [{ id: '2', name: 'apart' }]).state
  const states = [root, left, right, apart]
  assert.equal(states.map((state) => readRow(state, '[User]', '{}')), [['1'], ['1', '2'], ['1', '3', '2'], ['2']])
  assert.equal(states.map((state) => denormalize(User, '2', state)?.name), [undefined, 'left', 'right', 'apart'])
  assert.equal(states.map((state) => findPk(User, [{ name: 'right' }], state)), [undefined, undefined, '2', undefined])
})

test('one set of patches makes the same state of two that are empty, and neither sees what the other does next', () => {
  const { patches, stamps } = write([User], [{ id: '1' }, { id: '2' }]).change
  const one = write(User, { id: '3' }, applyPatches(emptyState, patches, stamps)).state
  const two = write(new schema.Invalidate(User), '1', applyPatches(emptyState, patches, stamps)).state
  assert.equal([one, two].map((state) => idsOf(denormalize(all, [], state))), [['1', '2', '3'], ['2']])
})

test('a state cannot be written to, and the empty state stays empty', () => {
  const { state } = write(users, [{ id: '1' }], emptyState)
  for (const each of [state, emptyState]) assert.throws(() => ((each as { entities: unknown }).entities = undefined))
  assert.equal(exportState(emptyState), { version: 1, entities: [], endpoints: [] })
})

for (const count of [63, 64, 65, 4095, 4096, 4097, 20_000]) {
  test(`${count} rows are found again, in order, and one more touches one of them`, () => {
    const { state } = write([User], Array.from({ length: count }, (_, i) => ({ id: String(i), name: `n${i}` })))
    for (const i of [0, 1, count >> 1, count - 1]) assert.equal(readRow(state, 'User', String(i)), { id: String(i), name: `n${i}` })
    assert.is(readRow(state, 'User', String(count)), undefined)
    const next = write([User], [{ id: String(count >> 1), name: 'changed' }, { id: 'more' }], state)
    assert.is(next.change.patches.length, 2)
    for (const i of [0, 1, count - 1]) assert.is(readRow(next.state, 'User', String(i)), readRow(state, 'User', String(i)))
    const ids = denormalize(all, [], next.state)!.map((user) => user.id)
    assert.equal([ids.length, ids[0], ids[count - 1], ids[count]], [count + 1, '0', String(count - 1), 'more'])
  })
}

test('a write costs no more where rows came in another order than they were asked for', () => {
  const ids = Array.from({ length: 20_000 }, (_, i) => ({ id: String(i) }))
  const controller = new Controller()
  ids.forEach(id => controller.get(User, id))
  controller.set([User], ids.toReversed())
  const took = (name: string, from = performance.now()): number => {
    for (const { id } of ids.slice(0, 200)) controller.set(User, { id, name })
    return performance.now() - from
  }
  // To copy something for each of the rows takes four times as long. The best one counts.
  assert.ok([...'abcdefgh'].some(name => took(name) < 200))
})

test.run()
