import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRow } from '../../support/state.ts'
import { applyPatches, emptyState, Entity, exportState, normalize, schema } from '../../../src/index.ts'
import type { Patch, State } from '../../../src/index.ts'
import { write } from '../../support/write.ts'

const test = suite('patches that normalize made, applied')

class Todo extends Entity {
  static override key = 'Todo'
}
const todos = new schema.Collection([Todo])
const data = (state: State): unknown => JSON.parse(JSON.stringify(exportState(state).entities))
/** What patches do when nothing is known of their making, to a state whose cells nobody else has seen. */
const judged = (make: () => State, patches: readonly Patch[], stamps = normalize(Todo, { id: 'none' }).stamps.slice(1)): unknown =>
  data(applyPatches(make(), structuredClone(patches) as Patch[], structuredClone(stamps)))
test('of a push are those that comparing the lists would give', () => {
  const ids = Array.from({ length: 1500 }, (_, i) => ({ id: `${i}` }))
  const fresh = Array.from({ length: 10 }, (_, i) => ({ id: `new${i}` }))
  const made = (): State => write(todos, ids, emptyState, [{}]).state
  const state = made()
  for (const [creation, whole] of [[todos.push, [...ids, ...fresh]], [todos.unshift, [...fresh, ...ids]]] as const) {
    const pushed = normalize(creation, fresh, [{}], state)
    assert.is(pushed.patches.length, 20)
    assert.equal(pushed.patches, normalize(todos, whole, [{}], state).patches)
    const next = applyPatches(state, pushed.patches, pushed.stamps)
    assert.equal(readRow(next, '[Todo]', '{}'), whole.map(({ id }) => id))
    assert.equal(data(next), judged(made, pushed.patches, pushed.stamps as never))
    // What the list knows of its members has moved on with it.
    const longer = write(creation, fresh, state, [{}]).state
    assert.is(write(creation, fresh, longer, [{}]).change.patches.length, 0)
    assert.is(write(creation, { id: 'last' }, longer, [{}]).change.patches.length, 2)
  }
  const many = Array.from({ length: 1001 }, (_, i) => ({ id: `m${i}` }))
  const { patches } = normalize(todos.push, many, [{}], state)
  assert.is(patches.filter(({ path }) => path[1] === '[Todo]').length, 1)
})

test('of several changes of one list are what they come to', () => {
  const made = (): State => write(todos, [{ id: 'a' }, { id: 'b' }], emptyState, [{}]).state
  const state = made()
  const { change, state: next } = write({ end: todos.push, start: todos.unshift, gone: todos.remove }, { end: { id: 'z' }, start: { id: 'y' }, gone: { id: 'a' } }, state, [{}])
  assert.equal(readRow(next, '[Todo]', '{}'), ['y', 'b', 'z'])
  assert.equal(data(next), judged(made, change.patches, change.stamps as never))
})

test.run()
