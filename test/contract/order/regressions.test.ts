import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { AnyEndpoint, Snap } from '../../../src/index.ts'
import { quiet, Todo, todos } from '../../laws/order/shop.ts'
import { readPks, readRow } from '../../support/state.ts'
import { calls, Desk, reads } from './desk.ts'

const test = suite('regressions: races and optimistic updates')

const get = (desk: Desk, todo: { id: string; [field: string]: unknown }): unknown => desk.receive(reads.get, todo, { id: todo.id })

const listOf = (desk: Desk, group: string): unknown => readRow(desk.store.state, '[Todo]', JSON.stringify({ group }))

const varied = (options: object): AnyEndpoint => (calls.put as unknown as { extend(options: object): AnyEndpoint }).extend(options)

test('data-client B01, #1653, #1852: of two equal calls in one millisecond one is settled, and the other still shows', () => {
  const desk = new Desk()
  get(desk, { id: '1', n: 1 })
  const [first, second] = [desk.call('like', { id: '1' }), desk.call('like', { id: '1' })]
  assert.is(desk.row('1')!['n'], 7)
  desk.settle(first, { id: '1', n: 3 })
  assert.equal([desk.store.base === desk.store.state, desk.row('1')!['n']], [false, 7])
  desk.settle(second, { id: '1', n: 7 })
  assert.equal([desk.store.base === desk.store.state, desk.row('1')!['n']], [true, 7])
})

test('data-client B02, #1085, 6cb2830a: what the previous user asked for never lands after a reset in the same millisecond', () => {
  const desk = new Desk()
  const read = desk.begin(reads.get, { id: '1' })
  desk.controller.reset()
  get(desk, { id: '1', title: 'mine' })
  desk.land(read, { id: '1', title: 'theirs' })
  assert.is(desk.row('1')!['title'], 'mine')
})

test('data-client B04: partial answers end in the same record, in whatever order they are delivered', () => {
  const outcomes = [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]].map(order => {
    const desk = new Desk()
    const positions = [0, 1, 2].map(() => desk.begin(reads.get, { id: '1' }))
    const answers = [{ id: '1', title: 'a', n: 1 }, { id: '1', n: 2 }, { id: '1', title: 'c' }]
    for (const at of order) desk.land(positions[at]!, answers[at])
    return desk.row('1')
  })
  for (const outcome of outcomes) assert.equal(outcome, { id: '1', title: 'c', n: 2 })
})

test('apollo-client#5706: a call over hundreds of others asks none of them again', () => {
  const desk = new Desk()
  let asked = 0
  const counted = varied({ getOptimisticResponse: (_: Snap, { id }: { id: string }) => (asked++, { id, done: true }) })
  for (let i = 0; i < 300; i++) desk.send(counted, [{ id: String(i) }])
  assert.is(asked, 300)
  assert.equal(Array.from({ length: 300 }, (_, i) => desk.row(String(i))?.['done']), Array(300).fill(true))
})

test('Replicache #1261: calls that were pending when a create was answered have its real id', () => {
  const desk = new Desk()
  desk.receive(reads.list, [], {})
  const create = desk.call('push', {}, { title: 'a' })
  const [pk] = desk.list() as string[]
  const put = desk.call('put', { id: pk }, { title: 'b' })
  desk.settle(create, { id: '7', title: 'a' })
  assert.equal(put.action!.args, [{ id: '7' }, { title: 'b' }])
  assert.is(desk.row('7')!['title'], 'b')
})

test('data-client B03: a clock that steps back does not freeze the data', () => {
  const desk = new Desk()
  get(desk, { id: '1', n: 1 })
  desk.time -= 3_600_000
  get(desk, { id: '1', n: 2 })
  assert.is(desk.row('1')!['n'], 2)
})

test('data-client B05, TanStack/db #1387: a list that was asked for before a deletion does not bring the entity back', () => {
  const desk = new Desk()
  get(desk, { id: '1' })
  const list = desk.begin(reads.list, {})
  desk.settle(desk.call('remove', { id: '1' }), { id: '1' })
  desk.land(list, [{ id: '1' }, { id: '2' }])
  assert.is(desk.row('1'), undefined)
  assert.ok(desk.deleted('1'))
  assert.ok(desk.row('2'))
  get(desk, { id: '1', title: 'made again' })
  assert.ok(desk.row('1'))
})

test('data-client B06: what is fetched after a deletion was answered is there', () => {
  const desk = new Desk()
  get(desk, { id: '1' })
  const remove = desk.call('remove', { id: '1' })
  const before = desk.begin(reads.get, { id: '1' })
  desk.settle(remove, { id: '1' })
  const after = desk.begin(reads.get, { id: '1' })
  desk.land(after, { id: '1', title: 'newer' })
  desk.land(before, { id: '1', title: 'older', n: 1 })
  assert.equal(desk.row('1'), { id: '1', title: 'newer' })
})

test('data-client B07: an answer of a mutation stands over a read that started while it was under way', () => {
  const desk = new Desk()
  get(desk, { id: '1', n: 1 })
  const put = desk.call('put', { id: '1' }, { n: 2 })
  const poll = desk.begin(reads.get, { id: '1' })
  desk.settle(put, { id: '1', n: 2 })
  desk.land(poll, { id: '1', n: 1 })
  assert.is(desk.row('1')!['n'], 2)
})

test('apollo-client#6551, TanStack/db #879, urql #750: nothing that was only expected stays in the base', () => {
  const desk = new Desk()
  get(desk, { id: '1', n: 1 })
  const first = desk.call('like', { id: '1' })
  const second = desk.call('put', { id: '1' }, { title: 'hoped' })
  desk.settle(second, { id: '1', done: true })
  desk.fail(first)
  assert.equal(desk.row('1'), { id: '1', n: 1, done: true })
  assert.is(desk.store.base, desk.store.state)
})

test('apollo-client#7341, #7894, swr#425: nothing flashes back when the first of several calls is settled', () => {
  const desk = new Desk()
  get(desk, { id: '1', done: false, n: 1 })
  const toggle = desk.call('put', { id: '1' }, { done: true })
  const other = desk.call('put', { id: '1' }, { n: 2 })
  const count = desk.commits.length
  desk.settle(toggle, { id: '1', done: true, n: 1 })
  desk.settle(other, { id: '1', done: true, n: 2 })
  assert.equal(desk.commits.slice(count).flatMap(({ patches }) => patches), [])
  assert.equal(desk.row('1'), { id: '1', done: true, n: 2 })
})

test('apollo-client#2368: what was created stands once in its list, not beside what was expected', () => {
  const desk = new Desk()
  desk.receive(reads.list, [{ id: '1' }], {})
  const create = desk.call('push', {}, { title: 'new' })
  // A poll has the new one already.
  desk.receive(reads.list, [{ id: '1' }, { id: '2', title: 'new' }], {})
  desk.settle(create, { id: '2', title: 'new' })
  assert.equal(desk.list(), ['1', '2'])
})

test('apollo-client#8829: an optimistic deletion that fails has removed nothing', () => {
  const desk = new Desk()
  desk.receive(reads.list, [{ id: '1', n: 1 }], {})
  const row = desk.row('1')
  const remove = desk.call('remove', { id: '1' })
  assert.is(desk.row('1'), undefined)
  desk.fail(remove)
  assert.is(desk.row('1'), row)
  assert.not.ok(desk.deleted('1'))
})

test('apollo-client#2062: two optimistic updates of one list both show', () => {
  const desk = new Desk()
  desk.receive(reads.list, [], {})
  desk.call('push', {}, { title: 'a' })
  desk.call('unshift', {}, { title: 'b' })
  assert.equal(desk.list()!.map(pk => desk.row(pk as string)!['title']), ['b', 'a'])
})

test('TanStack/query #9577, #9558, #9293: a rollback goes to what is there now, not to what was there before', () => {
  const desk = new Desk()
  const put = desk.call('put', { id: '1' }, { n: 5 })
  get(desk, { id: '1', title: 'arrived meanwhile' })
  desk.set(Todo, { id: '1' }, { id: '1', done: true })
  desk.fail(put)
  assert.equal(desk.row('1'), { id: '1', title: 'arrived meanwhile', done: true })
})

test('TanStack/db #78, #1547, urql #638: a layer that shows nothing different goes without a trace', () => {
  const desk = new Desk()
  get(desk, { id: '1', n: 1 })
  const { state } = desk.store
  const same = desk.call('put', { id: '1' }, { n: 1 })
  assert.is(desk.store.state, state)
  desk.fail(same)
  assert.is(desk.store.state, state)
})

test('TanStack/db #631, #1374, redux-toolkit#4271: a refetch, also one that was under way, goes beneath what is pending', () => {
  const desk = new Desk()
  const pending = desk.begin(reads.get, { id: '1' })
  const put = desk.call('put', { id: '1' }, { title: 'hoped' })
  desk.land(pending, { id: '1', title: 'fetched', n: 1 })
  get(desk, { id: '1', title: 'fetched again', n: 2 })
  assert.equal(desk.row('1'), { id: '1', title: 'hoped', n: 2 })
  desk.settle(put, { id: '1', title: 'hoped' })
  assert.equal(desk.row('1'), { id: '1', title: 'hoped', n: 2 })
})

test('TanStack/db #1649: two things in one millisecond have an order', () => {
  const desk = new Desk()
  const [a, b] = [desk.begin(reads.get, { id: '1' }), desk.begin(reads.get, { id: '1' })]
  desk.land(b, { id: '1', n: 2 })
  desk.land(a, { id: '1', n: 1 })
  assert.is(desk.row('1')!['n'], 2)
})

test('urql #2861, #2853: a read that never answers hides nothing', () => {
  const desk = new Desk()
  desk.begin(reads.list, {})
  get(desk, { id: '1', n: 1 })
  assert.is(desk.row('1')!['n'], 1)
})

test('urql #587, #588: layers may leave from below, from above, and from the middle', () => {
  for (const order of [[0, 1, 2], [2, 1, 0], [1, 0, 2]]) {
    const desk = new Desk()
    get(desk, { id: '1', n: 1 })
    const pending = [desk.call('like', { id: '1' }), desk.call('put', { id: '1' }, { title: 'b' }), desk.call('like', { id: '1' })]
    for (const at of order) desk.fail(pending[at]!)
    assert.equal(desk.row('1'), { id: '1', n: 1 })
    assert.is(desk.store.base, desk.store.state)
  }
})

test('swr#1965, #1982: two failing optimistic mutations leave nothing', () => {
  const desk = new Desk()
  get(desk, { id: '1', n: 1 })
  const { state } = desk.store
  const [first, second] = [desk.call('put', { id: '1' }, { n: 2 }), desk.call('put', { id: '1' }, { n: 3 })]
  desk.fail(second)
  desk.fail(first)
  assert.is(desk.store.state, state)
})

test('a manager that reads the arguments of a request again does not change what the call was sent in', () => {
  const listsWith = (isCurious: boolean): unknown => {
    const desk = new Desk()
    const [a, b] = [{ group: 'a' }, { group: 'b' }].map(group => desk.begin(reads.list, group))
    const move = desk.send(quiet['move']!, [{ id: '1' }, { group: 'a' }])
    desk.land(a!, [{ id: '3' }, { id: '1', group: 'a' }])
    if (isCurious) void move.action!.args
    desk.settle(move, { id: '1' })
    desk.land(b!, [{ id: '1', group: 'b' }])
    return ['a', 'b'].map(group => listOf(desk, group))
  }
  assert.equal(listsWith(true), listsWith(false))
})

test('a move that waited for a pk leaves the lists that its row was in when it was sent, also below a deletion', () => {
  const desk = new Desk()
  const push = desk.call('push', {}, { group: 'a' })
  const list = desk.begin(reads.list, { group: 'b' })
  const [temporary] = readPks(desk.store.state, 'Todo')!
  desk.call('move', { id: temporary! }, { group: 'a' })
  get(desk, { id: '1', group: 'b' })
  desk.call('remove', { id: '1' })
  desk.land(list, [{ id: '1' }])
  desk.settle(push, { id: '1' })
  assert.equal(listOf(desk, 'b'), [])
})

test('a move knows the answers that wait over a pending call when it is made', () => {
  const desk = new Desk()
  desk.set(todos, { group: 'b' }, [{ id: '1' }])
  const [, push] = [1, 2].map(() => desk.send(quiet['push']!, [{}, { group: 'a' }]))
  desk.call('remove', { id: '1' })
  desk.settle(push!, { id: '1', group: 'b' })
  desk.call('move', { id: '1' }, { group: 'a' })
  assert.equal(listOf(desk, 'b'), [])
})

test.run()
