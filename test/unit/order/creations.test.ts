import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { calls, Desk, reads } from './desk.ts'

/** A list may tell of something new before the call that made it is answered. */
const test = suite('order: creations that are known before they are answered')

test('who spoke of the temporary pk is sent after who knew the real one, and counts so', () => {
  const desk = new Desk()
  const push = desk.call('push', {}, { title: 'new', group: 'a' })
  const [temporary] = (push as unknown as { temporary: Map<string, string> }).temporary.keys()
  const waits = desk.call('put', { id: temporary }, { title: 'waits' })
  desk.receive(reads.list, [{ id: '7', title: 'new' }], {})
  const knows = desk.call('put', { id: '7' }, { title: 'knows' })
  desk.settle(push, { id: '7', title: 'new' })
  assert.is(desk.todo('7')!['title'], 'waits')
  desk.settle(knows, { id: '7', title: 'knows' })
  assert.is(desk.todo('7', desk.store.base)!['title'], 'knows')
  desk.settle(waits, { id: '7', title: 'waits' })
  assert.is(desk.todo('7')!['title'], 'waits')
})

test('a write to what came to be under another name waits for its row', () => {
  const desk = new Desk()
  const push = desk.call('push', {}, { title: 'new', group: 'a' })
  const [temporary] = (push as unknown as { temporary: Map<string, string> }).temporary.keys()
  desk.set(calls.put.schema, { id: temporary }, (todo: { n?: number }) => ({ ...todo, n: 5 }))
  desk.timeline.apply({ patches: [{ op: 'remove', path: ['entities', 'Todo', '7'] }], stamps: [] }, { cause: 'applyPatches', origin: 'tab' })
  const read = desk.timeline.begin()
  desk.settle(push, { id: '7', title: 'new' })
  assert.is(desk.todo('7'), undefined)
  desk.land(read, reads.get, { id: '7', title: 'there' }, { id: '7' })
  assert.equal(desk.todo('7'), { id: '7', title: 'there', n: 5 })
})

test.run()
