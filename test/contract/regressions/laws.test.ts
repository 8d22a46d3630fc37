import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { emptyState, Entity, Invalidate, MissingPkError, normalize } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { Client } from '../../support/client.ts'
import { readPks, readRow } from '../../support/state.ts'
import { until } from '../../support/waiting.ts'
import { at, write, writeAll } from '../../support/write.ts'
import { getList, openTasks, partialUpdate } from '../undo/tasks.ts'

/** What the properties in test/laws found, each in its smallest form. */
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

test('INV-09 0 and -0 in nested data are one value; Immer cannot replace one by the other, so a patch would come again for ever', () => {
  const before = write(Item, { id: 1, data: { a: 0, b: -0 } }).state
  const { change, state } = write(Item, { id: 1, data: { b: 0 } }, before)
  assert.equal(change.patches, [{ op: 'remove', path: ['entities', 'Item', '1', 'data', 'a'] }])
  for (const b of [0, -0]) assert.equal(write(Item, { id: 1, data: { b } }, state).change.patches, [])
})

test('INV-07 INV-09 A row that a response deletes and writes again as it was makes no patch and keeps its reference', () => {
  for (const title of [{ constructor: [] }, { a: [] }]) {
    const input = [{ id: 1, title: null }, { id: 1, title }]
    const client = new Client(write([Note], input, emptyState, [], at(10)).state)
    const state = client.controller.snapshot()
    assert.equal(normalize([Note], input, [], state, at(10)).patches, [])
    const next = client.write([Note], input)
    assert.is(readRow(next, 'Note', '1'), readRow(state, 'Note', '1'))
    assert.is(next.entities, state.entities)
  }
})

test('INV-10 A row that a response names twice keeps the first word, though the second says only what the store has', () => {
  const state = writeAll([Item], [[{ id: 1, title: 'old' }], [{ id: 1, title: 'new' }, { id: 1 }]])
  assert.equal(readRow(state, 'Item', '1'), { id: 1, title: 'new' })
})

test('INV-10 A row that a response deletes and writes again has only what the response says, though the store had it too', () => {
  const state = writeAll([Note], [[{ id: 1, title: 'a', more: true }], [{ id: 1, title: null }, { id: 1, title: 'a' }]])
  assert.equal(readRow(state, 'Note', '1'), { id: 1, title: 'a' })
})

test('INV-06 A row arrives when it is written, not when its absence is stated', () => {
  const input = [{ id: 'a', title: null }, { id: 'b' }, { id: 'a' }]
  for (const state of [write([Note], input).state, new Client().write([Note], input)]) {
    assert.equal(readPks(state, 'Note'), ['b', 'a'])
    assert.equal(['a', 'b'].map(pk => readRow(state, 'Note', pk)), [{ id: 'a' }, { id: 'b' }])
  }
})

test('INV-07 What is equal keeps its reference below a field called constructor, which is replaced as a whole', () => {
  const before = write(Item, { id: 1, data: { constructor: { a: 0, b: [] } } }).state
  const { state } = write(Item, { id: 1, data: { constructor: { b: [] } } }, before)
  const [old, next] = [before, state].map(each => (readRow(each, 'Item', '1') as { data: { constructor: unknown } }).data.constructor as { b: unknown })
  assert.equal(next, { b: [] })
  assert.is(next!.b, old!.b)
})

test('INV-09 What is to be deleted and has no pk is reported, also when a field of it is called toString', () => {
  for (const input of [{ id: '', toString: 0 }, [{ toString: 0, valueOf: 0 }], { id: { toString: 0 } }]) {
    for (const shape of [new Invalidate(Item), Item]) assert.instance(caught(() => normalize(shape, input)), MissingPkError)
  }
})

test('INV-01 When a creation fails, an answer that waited for it counts before what is fetched because of that', async () => {
  const { controller, server, rows, sent, answer, refuse, visible } = await openTasks()
  server.holds = () => true
  void controller.fetch(getList.push, {})
  void controller.fetch(getList.move, { id: controller.get(getList.schema)!.at(-1)!.id }, {})
  void controller.fetch(getList.push.extend({ serial: false }), {})
  for (const n of [1, 2]) void controller.fetch(partialUpdate.extend({ serial: false }), { id: 1 }, { n })
  await until(() => sent.length === 4)
  // Nobody knows which of the last two the server has handled last.
  for (const at of [1, 2, 1]) await answer(at)
  await refuse()
  await until(() => sent[4] === 'GET /tasks')
  rows.delete(3)
  await answer()
  await until(() => visible().join() === '1 sow 1,2 reap 0')
})

test.run()
