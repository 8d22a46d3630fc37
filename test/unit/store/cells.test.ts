import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches, emptyState, Entity, exportState, normalize } from '../../../src/index.ts'
import type { Fields, State } from '../../../src/index.ts'
import { readRow } from '../../support/state.ts'
import { write } from '../../support/write.ts'

/** What patches that normalize made leave in the cells that versions share. */
const test = suite('patches that normalize made, applied')

class Todo extends Entity {
  static override key = 'Todo'
}
class Tag extends Entity {
  static override key = 'Tag'
}
const both = { todos: [Todo], tags: [Tag] }

const data = (state: State): unknown => JSON.parse(JSON.stringify(exportState(state).entities))
const start = (): State => write([Todo], [{ id: '1', n: 1, list: ['a'] }, { id: '2' }, { id: '3' }]).state

test('leave no trace before they are applied', () => {
  const state = start()
  const sizes = (): unknown => state.cells!.tables.map(({ key, size }) => [key, size])
  const before = sizes()
  const { patches, stamps } = normalize(both, { todos: [{ id: '8' }], tags: [{ id: 'x' }] }, [], state)
  assert.equal(sizes(), before)
  const next = applyPatches(state, patches, stamps)
  assert.is.not(JSON.stringify(sizes()), JSON.stringify(before))
  assert.is(applyPatches(state, patches, stamps), next, 'the same patches lead to the same version')
})

test('take back only what they brought, not what somebody has written while they were made', () => {
  for (const fails of [false, true]) {
    const state = start()
    let inner = state
    class Busy extends Entity {
      static override key = 'Todo'
      static override process(input: Fields): Fields {
        if (input['id'] === 'b') inner = applyPatches(state, [{ op: 'add', path: ['entities', 'Todo', 'x'], value: { id: 'x' } }])
        if (fails && input['id'] === 'c') throw new RangeError('not this one')
        return input
      }
    }
    const change = (): State => {
      const { patches, stamps } = normalize([Busy], [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }], [], state)
      assert.is(inner.cells!.find('Todo')!.size, 4, 'the cell of x, and no other')
      return applyPatches(state, patches, stamps)
    }
    if (fails) assert.throws(change, /not this one/)
    else assert.equal(data(change()), data(write([Todo], ['a', 'b', 'c', 'd'].map(id => ({ id })), start()).state))
    assert.equal(['a', 'x'].map(id => readRow(inner, 'Todo', id)), [undefined, { id: 'x' }])
  }
})

test('two states that were made apart share no cells, and the empty one has none', () => {
  assert.is.not(write(Todo, { id: '1' }).state.cells, write(Todo, { id: '1' }).state.cells)
  assert.is(emptyState.cells, undefined)
  assert.throws(() => ((emptyState as { cells: unknown }).cells = 1))
})

test.run()
