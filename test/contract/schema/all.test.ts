import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches, denormalize, emptyState, schema } from '../../../src/index.ts'
import type { Entity, State } from '../../../src/index.ts'
import { query } from '../../support/state.ts'
import { write, writeAll } from '../../support/write.ts'
import { byType, entity, idsOf, Note, Todo, without } from './todos.ts'

const test = suite('schema.All')

const all = new schema.All(Todo)
const ids = (state: State, shape: unknown = all): unknown => idsOf(denormalize(shape, [], state))

test('reads every entity that is there in the order of first arrival, whatever the result says', () => {
  const state = writeAll(Todo, [{ id: 'b' }, { id: 'c' }, { id: 'a' }, { id: 'b', again: true }])
  assert.equal([ids(state), idsOf(denormalize(all, ['a'], state))], [['b', 'c', 'a'], ['b', 'c', 'a']])
  assert.ok(Object.isFrozen(denormalize(all, [], state)))
})

test('a query of it is not available while the type was never stored; an answer without rows is empty, and so is the view once all are deleted', () => {
  const { state } = write([Note], [{ id: '1' }])
  assert.equal([ids(emptyState), ids(state), query(all, [], state)], [[], [], undefined])
  const one = write(Todo, { id: '1' }, state).state
  assert.equal([idsOf(query(all, [], one)), ids(without(one, '1'))], [['1'], []])
})

test('leaves out what was deleted or must not be shown', () => {
  const Titled = entity('Todo', { validate: ({ title }) => (title ? undefined : 'no title') })
  const state = writeAll(Todo, [{ id: '1', title: 'x' }, { id: '2' }, { id: '3', title: 'y' }])
  assert.equal(ids(without(state, '1'), new schema.All(Titled)), ['3'])
})

test('a row that is deleted and comes back has its old position', () => {
  const gone = without(writeAll(Todo, [{ id: '1' }, { id: '2' }, { id: '3' }]), '2')
  assert.equal([ids(gone), ids(write(Todo, { id: '2' }, gone).state)], [['1', '3'], ['1', '2', '3']])
})

test('two branches of one state each have their own order, which travels with the patches to a state that knows nothing', () => {
  const root = write(Todo, { id: '1' }).state
  write(Todo, { id: 'z' }, root)
  const left = writeAll(Todo, [{ id: 'x' }, { id: 'y' }], root)
  const right = write([Todo], [{ id: 'y' }, { id: 'z' }, { id: 'x' }], root)
  const elsewhere = applyPatches(write(Todo, { id: '1' }).state, right.change.patches)
  assert.equal([left, right.state, elsewhere].map((state) => ids(state)), [['1', 'x', 'y'], ['1', 'y', 'z', 'x'], ['1', 'y', 'z', 'x']])
})

test('with a mapping it reads every mapped type once, of define too', () => {
  const people = new schema.All({ todo: Todo, task: Todo } as { [type: string]: typeof Entity }, 'type')
  people.define({ note: Note })
  const { state, result } = write(people, [{ id: '1', type: 'task' }, { id: '2', type: 'todo' }, { id: '1', type: 'note' }])
  assert.equal(result, [{ id: '1', schema: 'task' }, { id: '2', schema: 'todo' }, { id: '1', schema: 'note' }])
  const seen = denormalize(people, result, state)!
  assert.equal(seen.map((each) => each.constructor), [Todo, Todo, Note])
  assert.equal(idsOf(seen), ['1', '2', '1'])
  assert.equal(ids(state, new schema.All({ todo: Todo, task: Todo }, 'type')), ['1', '2'])
})

test('with a mapping it is available when one of its types is', () => {
  const both = new schema.All(byType, 'type')
  assert.equal(ids(write(Note, { id: '1' }).state, both), ['1'])
  assert.equal([ids(emptyState, both), query(both, [], emptyState)], [[], undefined])
})

test.run()
