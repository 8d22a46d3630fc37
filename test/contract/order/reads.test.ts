import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Todo } from '../../laws/order/shop.ts'
import { Controller, Endpoint, schema } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { readRow, readStamp } from '../../support/state.ts'
import { Desk, reads } from './desk.ts'

const test = suite('order: reads and the log')

test('a read lies where it started: what came later stays above it, field by field', () => {
  const desk = new Desk()
  const early = desk.begin(reads.get, { id: '1' })
  desk.receive(reads.get, { id: '1', title: 'new' }, { id: '1' })
  desk.land(early, { id: '1', title: 'old', n: 7 })
  assert.equal(desk.row('1'), { id: '1', title: 'new', n: 7 })
})

test('the result of an endpoint is that of the newest read', () => {
  const desk = new Desk()
  const early = desk.begin(reads.page)
  const late = desk.begin(reads.page)
  desk.land(late, { items: [], count: 2 })
  desk.land(early, { items: [], count: 1 })
  assert.equal(desk.result('PAGE'), { items: [], count: 2 })
})

test('what changes the result of another endpoint is done again over what lands beneath it', () => {
  const desk = new Desk()
  const early = desk.begin(reads.page)
  desk.receive(reads.more, [], {})
  assert.is(desk.result('PAGE'), undefined)
  desk.land(early, { items: [], count: 2 })
  assert.equal(desk.result('PAGE'), { items: [], count: 5 })
})

test('a list that becomes known beneath a push has what was pushed', () => {
  const desk = new Desk()
  const list = desk.begin(reads.list, {})
  desk.settle(desk.call('push', {}, { title: 'x' }), { id: '9' })
  desk.land(list, [{ id: '1' }])
  assert.equal(desk.list(), ['1', '9'])
})

test('a read that adds to a list does so where it started', () => {
  const desk = new Desk()
  desk.receive(reads.list, [{ id: '1' }], {})
  const more = desk.begin(reads.more, {})
  desk.settle(desk.call('push', {}, {}), { id: '3' })
  desk.land(more, [{ id: '2' }])
  assert.equal(desk.list(), ['1', '2', '3'])
})

test('an updater is run again over what lands beneath it, and not without need', () => {
  const desk = new Desk()
  desk.receive(reads.get, { id: '1', n: 1 }, { id: '1' })
  const early = desk.begin(reads.get, { id: '1' })
  let runs = 0
  desk.set(Todo, { id: '1' }, (todo: { n: number }) => {
    runs++
    todo.n *= 2
  })
  const other = desk.begin(reads.get, { id: '2' })
  desk.land(other, { id: '2' })
  assert.is(runs, 1)
  desk.land(early, { id: '1', n: 10 })
  assert.is(desk.row('1')!['n'], 20)
  assert.is(runs, 2)
})

test('a late row that changes nothing leaves the record as it is', () => {
  const desk = new Desk()
  const early = desk.begin(reads.get, { id: '1' })
  for (let n = 0; n < 50; n++) desk.receive(reads.get, { id: '1', n }, { id: '1' })
  const before = desk.row('1')
  desk.land(early, { id: '1', n: 99 })
  assert.is(desk.row('1'), before)
})

test('a read that took too long merges by its stamp, and what it touched is no longer fresh', () => {
  const desk = new Desk()
  const early = desk.begin(reads.page)
  const rows = (n: number): object[] => Array.from({ length: 1000 }, (_, id) => ({ id: String(id), n }))
  for (let n = 0; n < 11; n++) desk.receive(reads.page, { items: rows(n), count: n })
  desk.land(early, { items: [{ id: '1', n: -1, title: 'late' }], count: -1 })
  assert.equal(desk.row('1'), { id: '1', n: 10, title: 'late' })
  assert.is((desk.result('PAGE') as { count: number }).count, 10)
  assert.is(readStamp(desk.store.state, 'Todo', '1')!.expiresAt, 0)
  assert.is(readStamp(desk.store.state, 'Todo', '2')!.expiresAt, 60_000)
})

test('patches from outside land where they arrive: what they remove is deleted, what is collected is not', () => {
  const desk = new Desk()
  const early = desk.begin(reads.get, { id: '3' })
  const remove = (id: string, origin: string): void => desk.apply({ patches: [{ op: 'remove', path: ['entities', 'Todo', id] }], stamps: [] }, origin)
  desk.receive(reads.list, [{ id: '1' }, { id: '2' }, { id: '3' }], {})
  remove('1', 'tab')
  remove('2', 'gc')
  desk.apply({ patches: [{ op: 'replace', path: ['entities', 'Todo', '3', 'title'], value: 'theirs' }], stamps: [] }, 'tab')
  assert.equal([desk.deleted('1'), desk.deleted('2')], [true, false])
  desk.land(early, { id: '3', title: 'old', n: 3 })
  assert.equal(desk.row('3'), { id: '3', title: 'theirs', n: 3 })
  assert.ok(desk.deleted('1'))
})

test('a list that another tab changed is changed in the same way over what lands beneath', () => {
  const desk = new Desk()
  desk.receive(reads.list, [{ id: '1' }, { id: '2' }], {})
  const early = desk.begin(reads.list, {})
  desk.apply({ patches: [{ op: 'remove', path: ['entities', '[Todo]', '{}', 0] }, { op: 'add', path: ['entities', '[Todo]', '{}', 1], value: '9' }], stamps: [] }, 'tab')
  assert.equal(desk.list(), ['2', '9'])
  desk.land(early, [{ id: '1' }, { id: '3' }, { id: '2' }, { id: '4' }])
  assert.equal(desk.list(), ['3', '2', '9', '4'])
})

test('a move is made again when what it moved away from becomes known', () => {
  const desk = new Desk()
  const early = desk.begin(reads.get, { id: '1' })
  const list = desk.begin(reads.list, { group: 'a' })
  desk.settle(desk.call('move', { id: '1' }, { group: 'b' }), { id: '1', group: 'b' })
  desk.land(list, [{ id: '1' }])
  desk.land(early, { id: '1', group: 'a' })
  assert.equal(readRow(desk.store.state, '[Todo]', '{"group":"a"}'), [])
})

test('an updater over a record that is gone is an error when it is made', () => {
  const desk = new Desk()
  assert.is(caught(() => desk.set(Todo, { id: '1' }, () => {}))['code'], 'MISSING')
})

test('a callback of a write cannot write itself', () => {
  const desk = new Desk()
  desk.receive(reads.get, { id: '1' }, { id: '1' })
  const error = caught(() => desk.set(Todo, { id: '1' }, () => void desk.set(Todo, { id: '2' }, { id: '2' })))
  assert.is(error['code'], 'NESTED')
  desk.set(Todo, { id: '2' }, { id: '2' })
  assert.ok(desk.row('2'))
})

test('a reset cannot happen in the middle of a write', () => {
  const desk = new Desk()
  desk.receive(reads.get, { id: '1' }, { id: '1' })
  const error = caught(() => desk.set(Todo, { id: '1' }, () => desk.controller.reset()))
  assert.is(error['code'], 'NESTED')
  assert.ok(desk.row('1'))
})

test('after a reset nothing from before it lands, in the same millisecond too', () => {
  const desk = new Desk()
  const read = desk.begin(reads.get, { id: '1' })
  const call = desk.call('put', { id: '1' }, { title: 'mine' })
  desk.controller.reset()
  desk.land(read, { id: '1' })
  desk.settle(call, { id: '1' })
  desk.fail(call)
  desk.leave(read)
  assert.is(desk.row('1'), undefined)
  assert.is(desk.store.base, desk.store.state)
})

test('what a tab stamps in the far future is still older than what comes next', () => {
  const desk = new Desk()
  const stamp = { fetchedAt: 9e12, date: 0, expiresAt: 0 }
  desk.apply({ patches: [{ op: 'add', path: ['entities', 'Todo', '1'], value: { id: '1', n: 1 } }], stamps: [{ key: 'Todo', pks: ['1'], stamp }] }, 'tab')
  desk.receive(reads.get, { id: '1', n: 2 }, { id: '1' })
  assert.is(desk.row('1')!['n'], 2)
  const endless = { ...stamp, fetchedAt: Infinity }
  assert.is(caught(() => desk.apply({ patches: [], stamps: [{ key: 'Todo', pks: ['1'], stamp: endless }] }, 'tab'))['code'], 'PATCH')
})

test('the same answer again is not taken in twice', () => {
  const desk = new Desk()
  const read = desk.begin(reads.get, { id: '1' })
  const call = desk.call('put', { id: '1' }, {})
  for (const _ of [1, 2]) desk.land(read, { id: '1', owner: { id: 'o', log: ['a'] } })
  for (const _ of [1, 2]) desk.settle(call, { id: '1', owner: { id: 'o', log: ['b'] } })
  assert.equal(readRow(desk.store.state, 'Owner', 'o'), { id: 'o', log: ['a', 'b'] })
})

test('a late deletion beneath an updater: nothing throws when an older read ends', async () => {
  const answers: ((value: unknown) => void)[] = []
  const endpoint = (name: string, schema: unknown) => new Endpoint(() => new Promise<unknown>(resolve => void answers.push(resolve)), { name, schema })
  const errors: unknown[] = []
  const controller = new Controller({ onError: error => void errors.push(error) })
  controller.set(Todo, { id: '1', title: 'old' })
  const oldest = controller.fetch(endpoint('oldest', undefined))
  const deletion = controller.fetch(endpoint('deletion', new schema.Invalidate(Todo)))
  controller.set(Todo, { id: '1' }, todo => void (todo.title = 'new'))
  const newest = controller.fetch(endpoint('newest', undefined))
  await Promise.resolve()
  answers[1]!({ id: '1' })
  await deletion
  assert.is(controller.get(Todo, { id: '1' }), undefined)
  answers[0]!(0)
  assert.is(await oldest, 0)
  answers[2]!(0)
  await newest
  assert.equal(errors, [])
  assert.is(controller.get(Todo, { id: '1' }), undefined)
})

test.run()
