import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches, Controller, denormalize, Entity, exportState, schema } from '../../src/index.ts'
import { createClock } from '../../src/testing/index.ts'
import { runs } from '../support/settings.ts'
import { readRow } from '../support/state.ts'
import { write } from '../support/write.ts'

const test = suite('hostile sizes')

class Row extends Entity {
  id = ''
  static override key = 'Row'
}
const rows = new schema.Collection([Row])
const many = (count: number, from = 0): { id: number }[] => Array.from({ length: count }, (_, i) => ({ id: from + i }))

test('H33 a list of 130,000 entities, at night of a million, is taken in and shown, and again without a patch', () => {
  const count = Math.min(1_000_000, Math.max(130_000, runs(130_000)))
  const { state, result, change } = write(rows, many(count))
  assert.is(change.patches.length, count + 1)
  assert.is(denormalize(rows, result, state)!.length, count)
  assert.equal(write(rows, many(count), state).change.patches, [])
})

test('H33 130,000 members go to the start or the end at once, and out again by the inverse', () => {
  const { state } = write(rows, many(10))
  for (const [creation, first] of [[rows.push, '0'], [rows.unshift, '10']] as const) {
    const { state: next, change } = write(creation, many(130_000), state)
    const list = readRow(next, '[Row]', '{}') as unknown[]
    assert.is(list.length, 130_000)
    assert.is(list[0], first)
    assert.equal(readRow(applyPatches(next, change.inversePatches), '[Row]', '{}'), many(10).map(({ id }) => String(id)))
  }
})

test('H33 a plain list of 200,000 in a record grows by one patch', () => {
  const list = Array.from({ length: 200_000 }, (_, i) => i)
  const { state } = write(Row, { id: '1', list })
  assert.is(write(Row, { id: '1', list: [...list, -1] }, state).change.patches.length, 1)
  assert.equal(write(Row, { id: '1', list: [...list] }, state).change.patches, [])
})

test('H33 where 130,000 entities are too many, those too many go', () => {
  const clock = createClock()
  const errors: unknown[] = []
  const controller = new Controller({ clock, gc: { maxEntities: 10 }, onError: error => errors.push(error) })
  controller.set([Row], many(130_000))
  // Once a minute; a round may take several turns.
  for (let minutes = 0; minutes < 3; minutes++) clock.advance(60_000)
  assert.equal(errors, [])
  assert.is(controller.get(new schema.All(Row))!.length, 10)
})

test('H34 100,000 distinct keys in one object are retained, compared and changed one at a time', () => {
  const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, { n: i }]))
  const { state } = write(Row, { id: '1', wide })
  assert.equal(write(Row, { id: '1', wide: { ...wide } }, state).change.patches, [])
  assert.equal(write(Row, { id: '1', wide: { ...wide, k5: { n: 'x' } } }, state).change.patches, [
    { op: 'replace', path: ['entities', 'Row', '1', 'wide', 'k5', 'n'], value: 'x' },
  ])
  const values = new schema.Values(Row)
  // A copy for each entry would take minutes (normalizr's Values).
  const named = write(values, Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, { id: i }])))
  assert.is(Object.keys(denormalize(values, named.result, named.state)!).length, 100_000)
})

test('H34 an entity of 10,000 columns is retained, shown and changed by the column', () => {
  const columns = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`c${i}`, i]))
  const { state, result } = write(Row, { id: '1', ...columns })
  assert.is(Object.keys(denormalize(Row, result, state)!).length, 10_001)
  assert.is(write(Row, { id: '1', c7: 'x' }, state).change.patches.length, 1)
  const fresh = Object.fromEntries(Object.keys(columns).map((name) => [name, 'new']))
  const { change, state: next } = write(Row, { id: '1', ...fresh }, state)
  assert.is(change.patches.length, 1, 'past a thousand edits the record is replaced')
  assert.equal(readRow(applyPatches(next, change.inversePatches), 'Row', '1'), readRow(state, 'Row', '1'))
})

test('H34 a long text is retained as it is', () => {
  const text = 'x'.repeat(20_000_000)
  const { state } = write(Row, { id: '1', text })
  assert.is((readRow(state, 'Row', '1') as { text: string }).text.length, text.length)
  assert.is(exportState(state).entities[0]![1].length, 1)
})

test.run()
