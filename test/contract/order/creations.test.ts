import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Desk, reads } from './desk.ts'

/** A list may tell of something new before the call that made it is answered. */
const test = suite('order: creations that are known before they are answered')

test('answers and local writes since then are newer than the record in the answer', () => {
  const desk = new Desk()
  desk.receive(reads.list, [], {})
  const push = desk.call('push', {}, { title: 'new', group: 'a' })
  desk.receive(reads.list, [{ id: '7', title: 'renamed elsewhere' }], {})
  desk.settle(desk.call('put', { id: '7' }, { n: 2 }), { id: '7', n: 2 })
  desk.settle(push, { id: '7', title: 'new', n: 0, group: 'a' })
  assert.equal(desk.row('7'), { id: '7', title: 'renamed elsewhere', n: 2, group: 'a' })
  assert.equal(desk.list(), ['7'])
  assert.is(desk.store.base, desk.store.state)
})

test('a read that was taken after it may land after it: it is newer all the same', () => {
  const desk = new Desk()
  const push = desk.call('push', {}, { title: 'new', group: 'a' })
  const read = desk.begin(reads.get, { id: '7' })
  desk.settle(push, { id: '7', title: 'new', n: 0 })
  desk.land(read, { id: '7', title: 'renamed elsewhere' })
  assert.equal(desk.row('7'), { id: '7', title: 'renamed elsewhere', n: 0 })
})

test('what was deleted meanwhile stays so', () => {
  const desk = new Desk()
  const push = desk.call('push', {}, { title: 'new', group: 'a' })
  desk.receive(reads.list, [{ id: '7', title: 'new' }], {})
  desk.settle(desk.call('remove', { id: '7' }), { id: '7' })
  desk.settle(push, { id: '7', title: 'new' })
  assert.is(desk.row('7'), undefined)
  assert.ok(desk.deleted('7'))
})

test('what was known when the call was made is not created: the answer says what it is now', () => {
  const desk = new Desk()
  desk.receive(reads.get, { id: '7', title: 'old' }, { id: '7' })
  const push = desk.call('push', {}, { title: 'new', group: 'a' })
  desk.settle(push, { id: '7', title: 'new' })
  assert.is(desk.row('7')!['title'], 'new')
  desk.settle(desk.call('remove', { id: '7' }), { id: '7' })
  const again = desk.call('push', {}, { title: 'again', group: 'a' })
  desk.settle(again, { id: '7', title: 'again' })
  assert.is(desk.row('7')!['title'], 'again')
})

test('who spoke of the temporary pk is sent after who knew the real one, and counts so', () => {
  const desk = new Desk()
  desk.receive(reads.list, [], {})
  const push = desk.call('push', {}, { title: 'new', group: 'a' })
  const [temporary] = desk.list() as string[]
  const waits = desk.call('put', { id: temporary }, { title: 'waits' })
  assert.is(waits.action, undefined, 'a temporary pk is never sent')
  desk.receive(reads.list, [{ id: '7', title: 'new' }], {})
  const knows = desk.call('put', { id: '7' }, { title: 'knows' })
  desk.settle(push, { id: '7', title: 'new' })
  assert.equal(waits.action!.args[0], { id: '7' })
  assert.is(desk.row('7')!['title'], 'waits')
  desk.settle(knows, { id: '7', title: 'knows' })
  assert.is(desk.row('7', desk.store.base)!['title'], 'knows')
  desk.settle(waits, { id: '7', title: 'waits' })
  assert.is(desk.row('7')!['title'], 'waits')
})

test.run()
