import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches, emptyState, Entity, exportState, Invalidate, normalize } from '../../../src/index.ts'
import type { NormalizeMeta, State } from '../../../src/index.ts'
import { normalizeInto } from '../../../src/normalize/normalize.ts'
import { diffStamps, diffStates } from '../../../src/store/diff.ts'
import { Draft } from '../../../src/store/draft.ts'
import { readRow } from '../../../src/store/state.ts'

const test = suite('regressions: laws')

class Item extends Entity {
  static override key = 'Item'
}

/** Deletes what has no title. */
class Note extends Entity {
  static override key = 'Note'
  static override process(input: { readonly [field: string]: unknown }): { readonly [field: string]: unknown } | undefined {
    return input['title'] === null ? undefined : { ...input }
  }
}

const at = (fetchedAt: number): NormalizeMeta => ({ fetchedAt, date: 0, expiresAt: 0 })

function after(schema: unknown, input: unknown, state: State = emptyState, meta = at(10)): State {
  const { patches, stamps } = normalize(schema, input, [], state, meta)
  return applyPatches(state, patches, stamps)
}

test('INV-06 The stamps of a deletion can be taken back to the empty state', () => {
  const state = after(new Invalidate(Item), ['1'])
  const back = applyPatches(state, diffStates(state, emptyState), diffStamps(state, emptyState))
  assert.equal(exportState(back), exportState(emptyState))
})

test('INV-07 A row that a response deletes and writes again as it was keeps its reference', () => {
  const input = [{ id: 1, title: null }, { id: 1, title: { a: [] } }]
  const state = after([Note], input)
  const draft = new Draft(state)
  normalizeInto(draft, [Note], input, [], at(20))
  const next = draft.finish()
  assert.is(readRow(next, 'Note', '1'), readRow(state, 'Note', '1'))
  assert.is(next.entities, state.entities)
})

test('INV-06 A row arrives when it is written, not when its absence is stated', () => {
  const input = [{ id: 'a', title: null }, { id: 'b' }, { id: 'a' }]
  const state = after([Note], input)
  const draft = new Draft(emptyState)
  normalizeInto(draft, [Note], input, [], at(10))
  assert.equal(exportState(state), exportState(draft.finish()))
  assert.equal(exportState(state).entities[0]![1].map(([pk]) => pk), ['b', 'a'])
})

test.run()
