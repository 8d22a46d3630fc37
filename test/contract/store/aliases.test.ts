import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches, Controller, emptyState, exportState, type Patch } from '../../../src/index.ts'

const test = suite('values of patches')

/** A patch of a whole row, of a field and of a list member, each with an object that the caller keeps. */
function patchesWith(value: object): readonly (readonly Patch[])[] {
  const row: Patch = { op: 'add', path: ['entities', 'Todo', '1'], value: { id: '1', tags: [] } }
  return [
    [{ op: 'add', path: ['entities', 'Todo', '1'], value }],
    [row, { op: 'add', path: ['entities', 'Todo', '1', 'details'], value }],
    [row, { op: 'add', path: ['entities', 'Todo', '1', 'tags', 0], value }],
  ]
}

test('stay the caller’s: they can be written to afterwards, and no state follows', () => {
  for (const at of [0, 1, 2]) {
    const value = { id: '1', deep: { list: [1] } }
    const patches = patchesWith(value)[at]!
    const state = applyPatches(emptyState, patches)
    const controller = new Controller()
    controller.applyPatches(patches)
    const before = JSON.stringify([state, controller.snapshot()].map(exportState))
    value.id = 'another'
    value.deep.list.push(2)
    assert.is(JSON.stringify([state, controller.snapshot()].map(exportState)), before)
    controller.dispose()
  }
})

test.run()
