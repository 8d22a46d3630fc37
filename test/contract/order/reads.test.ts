import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Todo } from '../../laws/order/shop.ts'
import { createResource, dehydrate, Endpoint, schema, type AnyEndpoint } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { readPks, readRow, readStamp } from '../../support/state.ts'
import { Desk, onDesk, reads } from './desk.ts'

const test = suite('order: reads and the log')
const rule = onDesk(test)

rule('a read lies where it started: what came later stays above it, field by field', desk => {
  const early = desk.begin(reads.get, { id: '1' })
  desk.receiveRow({ id: '1', title: 'new' })
  assert.equal(desk.row('1'), { id: '1', title: 'new' })
  early.answer({ id: '1', title: 'old', n: 7 })
  assert.equal(desk.row('1'), { id: '1', title: 'new', n: 7 })
})

rule('the result of an endpoint is that of the newest read', desk => {
  const [early, late] = [desk.begin(reads.page), desk.begin(reads.page)]
  late.answer({ items: [], count: 2 })
  early.answer({ items: [], count: 1 })
  assert.equal(desk.result('PAGE'), { items: [], count: 2 })
})

rule('what changes the result of another endpoint is done again over what lands beneath it', desk => {
  const early = desk.begin(reads.page)
  desk.receive(reads.more, [], {})
  assert.is(desk.result('PAGE'), undefined)
  early.answer({ items: [], count: 2 })
  assert.equal(desk.result('PAGE'), { items: [], count: 5 })
})

rule('a list that becomes known beneath a push has what was pushed', desk => {
  const list = desk.begin(reads.list, {})
  desk.settle(desk.call('push', {}, { title: 'x' }), { id: '9' })
  list.answer([{ id: '1' }])
  assert.equal(desk.list(), ['1', '9'])
})

rule('a read that adds to a list does so where it started', desk => {
  desk.receive(reads.list, [{ id: '1' }], {})
  const more = desk.begin(reads.more, {})
  desk.settle(desk.call('push', {}, {}), { id: '3' })
  more.answer([{ id: '2' }])
  assert.equal(desk.list(), ['1', '2', '3'])
})

test('what was fetched while an answer waited for an older call is fetched once more, but not after a reset', () => {
  for (const isReset of [false, true]) {
    const desk = new Desk(true)
    desk.receive(reads.list, [{ id: '1' }, { id: '2' }], {})
    const push = desk.call('push', {}, { title: 'a' })
    desk.settle(desk.call('move', { id: '1' }, { title: 'b' }), { id: '1', title: 'b' })
    for (const id of ['1', '2']) desk.begin(reads.get, { id }).answer({ id, title: 'c' })
    void (isReset ? desk.controller.reset() : desk.settle(push, { id: '3' }))
    assert.equal(['1', '2'].map(id => [desk.row(id)?.['title'], desk.controller.isFetching(reads.get, { id })]), isReset ? [[undefined, false], [undefined, false]] : [['b', true], ['c', false]])
  }
})

rule('an updater is run again over what lands beneath it, and not without need', desk => {
  desk.receiveRow({ id: '1', n: 1 })
  const early = desk.begin(reads.get, { id: '1' })
  let runs = 0
  desk.set(Todo, { id: '1' }, (todo: { n: number }) => {
    runs++
    todo.n *= 2
  })
  desk.begin(reads.get, { id: '2' }).answer({ id: '2' })
  assert.is(runs, 1)
  early.answer({ id: '1', n: 10 })
  assert.equal([desk.row('1')!['n'], runs], [20, 2])
})

rule('a late row that changes nothing leaves the record, and the order of arrival, as they are', desk => {
  const early = desk.begin(reads.get, { id: '1' })
  for (let n = 0; n < 50; n++) desk.receiveRow({ id: '1', n })
  desk.receiveRow({ id: '2' })
  const { entities } = desk.store.state
  early.answer({ id: '1', n: 99 })
  assert.is(desk.store.state.entities, entities)
})

rule('a read that took too long merges by its stamp, and what it touched is no longer fresh', desk => {
  const early = desk.begin(reads.page)
  const rows = (n: number): object[] => Array.from({ length: 1000 }, (_, id) => ({ id: String(id), n }))
  for (let n = 0; n < 11; n++) desk.receive(reads.page, { items: rows(n), count: n })
  early.answer({ items: [{ id: '1', n: -1, title: 'late' }], count: -1 })
  assert.equal(desk.row('1'), { id: '1', n: 10, title: 'late' })
  assert.is((desk.result('PAGE') as { count: number }).count, 10)
  assert.equal(['1', '2'].map(id => readStamp(desk.store.state, 'Todo', id)!.expiresAt), [0, 60_000])
})

test('rows that were there keep their position; late reads may bring theirs last, and each is there once', () => {
  const rows = (...ids: string[]): object[] => ids.map(id => ({ id }))
  for (const delivery of [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]) {
    const desk = new Desk()
    const order = (): string[] => readPks(desk.store.state, 'Todo')!
    desk.receive(reads.list, rows('0'), {})
    const positions = ['0', '1', '2'].map(group => desk.begin(reads.list, { group }))
    const answers = [rows('a', 'b'), rows('c', 'b', 'd'), rows('e', 'a', 'f')]
    for (const each of delivery) positions[each]!.answer(answers[each])
    assert.equal([order()[0], order().sort()], ['0', ['0', 'a', 'b', 'c', 'd', 'e', 'f']], delivery.join())
    desk.receive(reads.list, rows('z', 'a'), {})
    assert.is(order().at(-1), 'z')
  }
})

rule('patches from outside land where they arrive: what they remove is deleted, what is collected is not', desk => {
  const early = desk.begin(reads.get, { id: '3' })
  desk.receive(reads.list, [{ id: '1' }, { id: '2' }, { id: '3' }], {})
  desk.apply([{ op: 'remove', path: ['entities', 'Todo', '1'] }])
  desk.apply([{ op: 'remove', path: ['entities', 'Todo', '2'] }], 'gc')
  desk.apply([{ op: 'replace', path: ['entities', 'Todo', '3', 'title'], value: 'theirs' }])
  assert.equal([desk.deleted('1'), desk.deleted('2')], [true, false])
  early.answer({ id: '3', title: 'old', n: 3 })
  assert.equal(desk.row('3'), { id: '3', title: 'theirs', n: 3 })
  assert.ok(desk.deleted('1'))
})

for (const [name, member] of [['one type', Todo], ['several types', new schema.Union({ todo: Todo }, 'type')]] as const) {
  rule(`patches from outside of a list stand over a read that was under way: ${name}`, desk => {
    const { getList } = createResource({ path: '/todos/:id', schema: member as typeof Todo })
    const list = getList as unknown as AnyEndpoint
    const rows = (...ids: string[]): object[] => ids.map(id => ({ id, type: 'todo' }))
    desk.receive(list, rows('a', 'b'))
    const early = desk.begin(list)
    desk.apply([
      { op: 'add', path: ['entities', 'Todo', 'c'], value: { id: 'c', type: 'todo' } },
      { op: 'remove', path: ['entities', '[Todo]', '{}', 0] },
      { op: 'add', path: ['entities', '[Todo]', '{}', 1], value: member === Todo ? 'c' : { id: 'c', schema: 'todo' } },
    ])
    const ids = (): string[] => desk.controller.getResponse(getList).data!.map(({ id }) => id)
    assert.equal(ids(), ['b', 'c'])
    early.answer(rows('e', 'b', 'a', 'd'))
    assert.equal(ids(), ['e', 'b', 'c', 'd'])
  })
}

rule('a patch from outside of a field of a result is about that result, and makes no row', desk => {
  desk.receive(reads.page, { items: [], count: 1 })
  desk.apply([{ op: 'replace', path: ['endpoints', 'PAGE', 'count'], value: 2 }])
  assert.equal(desk.result('PAGE'), { items: [], count: 2 })
  assert.equal(dehydrate(desk.controller).entities, [])
})

rule('a move is made again when what it moved away from becomes known', desk => {
  const early = desk.begin(reads.get, { id: '1' })
  const list = desk.begin(reads.list, { group: 'a' })
  desk.settle(desk.call('move', { id: '1' }, { group: 'b' }), { id: '1', group: 'b' })
  list.answer([{ id: '1' }])
  early.answer({ id: '1', group: 'a' })
  assert.equal(desk.list({ group: 'a' }), [])
})

const refused: [title: string, code: string, updater: (desk: Desk) => void, id: string][] = [
  ['an updater over a record that is gone is an error when it is made', 'MISSING', () => {}, '2'],
  ['a callback of a write cannot write itself', 'NESTED', desk => desk.set(Todo, { id: '2' }, { id: '2' }), '1'],
  ['a reset cannot happen in the middle of a write', 'NESTED', desk => desk.controller.reset(), '1'],
]
for (const [title, code, updater, id] of refused) {
  rule(title, desk => {
    desk.receiveRow({ id: '1' })
    assert.is(caught(() => desk.set(Todo, { id }, () => updater(desk)))['code'], code)
    assert.equal([desk.row('1'), desk.row('2')], [{ id: '1' }, undefined])
    desk.set(Todo, { id: '2' }, { id: '2' })
    assert.ok(desk.row('2'))
  })
}

rule('after a reset nothing from before it lands, in the same millisecond too', desk => {
  const read = desk.begin(reads.get, { id: '1' })
  const call = desk.call('put', { id: '1' }, { title: 'mine' })
  desk.controller.reset()
  read.answer({ id: '1' })
  desk.settle(call, { id: '1' })
  desk.fail(call)
  read.fail(new Error('lost'))
  assert.equal([desk.row('1'), desk.isSettled], [undefined, true])
})

rule('what a tab stamps in the far future is still older than what comes next', desk => {
  const stamped = (fetchedAt: number) => [{ key: 'Todo', pks: ['1'], stamp: { fetchedAt, date: 0, expiresAt: 0 } }]
  desk.apply([{ op: 'add', path: ['entities', 'Todo', '1'], value: { id: '1', n: 1 } }], 'tab', stamped(9e12))
  desk.receiveRow({ id: '1', n: 2 })
  assert.is(desk.row('1')!['n'], 2)
  assert.is(caught(() => desk.apply([], 'tab', stamped(Infinity)))['code'], 'PATCH')
})

rule('the same answer again is not taken in twice', desk => {
  const read = desk.begin(reads.get, { id: '1' })
  const call = desk.call('put', { id: '1' }, {})
  for (const _ of [1, 2]) read.answer({ id: '1', owner: { id: 'o', log: ['a'] } })
  for (const _ of [1, 2]) desk.settle(call, { id: '1', owner: { id: 'o', log: ['b'] } })
  assert.equal(readRow(desk.store.state, 'Owner', 'o'), { id: 'o', log: ['a', 'b'] })
})

rule('a late deletion beneath an updater: nothing throws when an older read ends', desk => {
  const endpoint = (name: string, schema?: unknown) => new Endpoint(() => new Promise<unknown>(() => {}), { name, schema }) as unknown as AnyEndpoint
  desk.set(Todo, { id: '1' }, { id: '1', title: 'old' })
  const oldest = desk.begin(endpoint('oldest'))
  const deletion = desk.begin(endpoint('deletion', new schema.Invalidate(Todo)))
  desk.set(Todo, { id: '1' }, (todo: { title: string }) => void (todo.title = 'new'))
  const newest = desk.begin(endpoint('newest'))
  deletion.answer({ id: '1' })
  assert.is(desk.row('1'), undefined)
  oldest.answer(0)
  newest.answer(0)
  assert.equal([desk.errors, desk.row('1')], [[], undefined])
})

test.run()
