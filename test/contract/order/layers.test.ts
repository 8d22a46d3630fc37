import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { AnyEndpoint, Snap } from '../../../src/index.ts'
import { quiet, Todo, todos } from '../../laws/order/shop.ts'
import { readStamp } from '../../support/state.ts'
import { calls, Desk, extend, onDesk, reads, type Sent } from './desk.ts'

const test = suite('order: layers and holds')
const rule = onDesk(test)

rule('a call shows what it expects, and a base that changes beneath it shows through', desk => {
  desk.receiveRow({ id: '1', n: 1, title: 'a' })
  const like = desk.call('like', { id: '1' })
  assert.equal([desk.row('1')!['n'], desk.row('1', desk.store.base)!['n']], [3, 1])
  desk.receiveRow({ id: '1', n: 10, title: 'b' })
  assert.equal(desk.row('1'), { id: '1', n: 21, title: 'b' })
  desk.settle(like, { id: '1', n: 11 })
  assert.equal(desk.row('1'), { id: '1', n: 11, title: 'b' })
  assert.ok(desk.isSettled)
})

rule('it runs again over a base that changed, and not when nothing did', desk => {
  let asked = 0
  const put = extend(calls.put, {
    getOptimisticResponse(snap: Snap, { id }: { id: string }) {
      asked++
      return { id, title: `after ${snap.get(Todo, { id: '2' })?.title ?? 'nothing'}` }
    },
  })
  desk.send(put, { id: '1' })
  desk.receiveRow({ id: '1', n: 4 })
  assert.equal([asked, desk.row('1')], [2, { id: '1', n: 4, title: 'after nothing' }])
  desk.receiveRow({ id: '2', title: 'two' })
  assert.equal([asked, desk.row('1')!['title']], [3, 'after two'])
  desk.controller.setError(reads.get, { id: '9' }, new Error('no'))
  assert.is(asked, 3)
})

rule('a layer gains no freshness, and a row that it makes again is not deleted', desk => {
  desk.receiveRow({ id: '1' })
  const stamp = (id: string): unknown => readStamp(desk.store.state, 'Todo', id)
  const known = stamp('1')
  desk.call('put', { id: '1' }, { n: 1 })
  assert.is(stamp('1'), known)
  const remove = desk.call('remove', { id: '1' })
  assert.ok(desk.deleted('1'))
  desk.settle(remove, { id: '1' })
  desk.call('put', { id: '1' }, { n: 2 })
  assert.not.ok(desk.deleted('1'))
  desk.call('put', { id: '8' }, {})
  assert.is(stamp('8'), undefined)
})

rule('an answer equal to what was expected, and a rollback to what is there, wake nobody', desk => {
  desk.receiveRow({ id: '1', tags: ['x'] })
  const put = desk.call('put', { id: '1' }, { tags: ['y'] })
  const row = desk.row('1')
  const count = desk.commits.length
  desk.settle(put, { id: '1', tags: ['y'] })
  assert.is(desk.row('1'), row)
  assert.equal(desk.commits.slice(count).flatMap(({ patches }) => patches), [])
  assert.equal(desk.commits.at(-1)!.base.patches, [{ op: 'replace', path: ['entities', 'Todo', '1', 'tags', 0], value: 'y' }])
  const { state } = desk.store
  const same = desk.call('put', { id: '1' }, { tags: ['y'] })
  assert.is(desk.store.state, state)
  desk.fail(same)
  assert.is(desk.store.state, state)
  assert.is(desk.commits.length, count + 1)
})

rule('a commit says what became of the base', desk => {
  const put = desk.call('put', { id: '1' }, { n: 1 })
  const [visible] = desk.commits
  assert.is(visible!.base.before, visible!.base.after)
  assert.equal(visible!.base.patches, [])
  desk.fail(put)
  assert.equal(desk.commits[1]!.patches, [{ op: 'remove', path: ['entities', 'Todo', '1'] }])
  desk.receiveRow({ id: '1' })
  assert.is(desk.commits[2]!.base.patches, desk.commits[2]!.patches)
  assert.is(desk.commits[2]!.base.inversePatches, desk.commits[2]!.inversePatches)
})

rule('a local write stays above a call to the same entity, and is flushed when that is settled', desk => {
  desk.receiveRow({ id: '1', n: 1 })
  const put = desk.call('put', { id: '1' }, { n: 5, title: 'theirs' })
  desk.set(Todo, { id: '1' }, (todo: { n: number }) => void (todo.n += 1))
  desk.set(Todo, { id: '1' }, { id: '1', title: 'mine' })
  desk.set(Todo, { id: '2' }, { id: '2', title: 'free' })
  assert.equal([desk.row('1'), desk.row('1', desk.store.base)], [{ id: '1', n: 6, title: 'mine' }, { id: '1', n: 1 }])
  assert.ok(desk.row('2', desk.store.base))
  const count = desk.commits.length
  desk.settle(put, { id: '1', n: 7, title: 'server' })
  assert.is(desk.commits.length, count + 1)
  assert.equal(desk.row('1'), { id: '1', n: 8, title: 'mine' })
  assert.ok(desk.isSettled)
})

test('two creates keep their order when the second is answered first, optimistic or not', () => {
  for (const push of [calls.push, quiet['push']!]) {
    const desk = new Desk()
    desk.receive(reads.list, [], {})
    const [first, second] = [desk.send(push, {}, { title: 'a' }), desk.send(push, {}, { title: 'b' })]
    desk.settle(second, { id: '2', title: 'b' })
    assert.equal([desk.list({}, desk.store.base), desk.row('2')!['title']], [[], 'b'])
    desk.settle(first, { id: '1', title: 'a' })
    assert.equal([desk.list(), desk.isSettled], [['1', '2'], true])
  }
})

rule('an updater of a row that only a layer shows waits for that layer', desk => {
  const expected = { todo: { id: '1' }, other: { id: '2', n: 1 } }
  const both = extend(calls.put, { schema: { todo: Todo, other: Todo }, getOptimisticResponse: () => expected })
  const call = desk.send(both, { id: '1' })
  desk.set(Todo, { id: '2' }, (todo: { n: number }) => void (todo.n += 10))
  desk.fail(desk.call('put', { id: '5' }, {}))
  assert.is(desk.row('2')!['n'], 11)
  desk.settle(call, { todo: { id: '1' }, other: { id: '2', n: 2 } })
  assert.is(desk.row('2', desk.store.base)!['n'], 12)
})

rule('snap.abort, thrown or returned, when the call is made means no layer; an error is reported, and tried again', desk => {
  const { state } = desk.store
  desk.call('like', { id: '1' })
  desk.send(extend(calls.put, { getOptimisticResponse: (snap: Snap) => snap.abort }), { id: '1' })
  assert.is(desk.store.state, state)
  desk.receiveRow({ id: '1', n: 2 })
  desk.call('like', { id: '1' })
  assert.equal([desk.errors.length, desk.row('1')!['n']], [1, 2])
  desk.receiveRow({ id: '1', n: 3 })
  assert.is(desk.row('1')!['n'], 7)
  desk.receiveRow({ id: '1', n: 7 })
  assert.is(desk.row('1')!['n'], 7, 'no effect this time')
  desk.receiveRow({ id: '1', n: 1 })
  assert.is(desk.row('1')!['n'], 3, 'not the call that was made before there was a row')
  assert.is(desk.errors.length, 1)
})

rule('calls to one entity have one lane, unless they say that they need none', desk => {
  const loose = desk.send(extend(calls.put, { serial: false }), { id: '1' })
  const send = (endpoint: AnyEndpoint, id: unknown): Sent => desk.send(extend(endpoint, { serial: true }), { id }, {})
  const serial = [send(calls.put, '1'), send(calls.remove, 1), send(calls.put, '2')]
  assert.equal([...serial, loose].map(({ action }) => !!action), [true, false, true, true])
  desk.settle(serial[0]!, { id: '1' })
  assert.ok(serial[1]!.action)
})

rule('data-client B01, #1653, #1852: of two equal calls in one millisecond one is settled, and the other still shows', desk => {
  desk.receiveRow({ id: '1', n: 1 })
  const [first, second] = [desk.call('like', { id: '1' }), desk.call('like', { id: '1' })]
  assert.is(desk.row('1')!['n'], 7)
  desk.settle(first, { id: '1', n: 3 })
  assert.equal([desk.isSettled, desk.row('1')!['n']], [false, 7])
  desk.settle(second, { id: '1', n: 7 })
  assert.equal([desk.isSettled, desk.row('1')!['n']], [true, 7])
})

test('data-client B04, TanStack/db #1649: partial answers of one millisecond end in the same record, in whatever order', () => {
  for (const order of [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]]) {
    const desk = new Desk()
    const positions = [0, 1, 2].map(() => desk.begin(reads.get, { id: '1' }))
    const answers = [{ id: '1', title: 'a', n: 1 }, { id: '1', n: 2 }, { id: '1', title: 'c' }]
    for (const at of order) positions[at]!.answer(answers[at])
    assert.equal(desk.row('1'), { id: '1', title: 'c', n: 2 })
  }
})

rule('apollo-client#5706: a call over hundreds of others asks none of them again', desk => {
  let asked = 0
  const counted = extend(calls.put, { getOptimisticResponse: (_: Snap, { id }: { id: string }) => (asked++, { id, done: true }) })
  for (let i = 0; i < 300; i++) desk.send(counted, { id: String(i) })
  assert.is(asked, 300)
  assert.equal(Array.from({ length: 300 }, (_, i) => desk.row(String(i))?.['done']), Array(300).fill(true))
})

rule('data-client B03: a clock that steps back does not freeze the data', desk => {
  desk.receiveRow({ id: '1', n: 1 })
  desk.time -= 3_600_000
  desk.receiveRow({ id: '1', n: 2 })
  assert.is(desk.row('1')!['n'], 2)
})

rule('data-client B05, TanStack/db #1387: a list that was asked for before a deletion does not bring the entity back', desk => {
  desk.receiveRow({ id: '1' })
  const list = desk.begin(reads.list, {})
  desk.settle(desk.call('remove', { id: '1' }), { id: '1' })
  list.answer([{ id: '1' }, { id: '2' }])
  assert.equal([desk.row('1'), desk.deleted('1'), desk.row('2')], [undefined, true, { id: '2' }])
  desk.receiveRow({ id: '1', title: 'made again' })
  assert.ok(desk.row('1'))
})

rule('data-client B06: what is fetched after a deletion was answered is there', desk => {
  desk.receiveRow({ id: '1' })
  const remove = desk.call('remove', { id: '1' })
  const before = desk.begin(reads.get, { id: '1' })
  desk.settle(remove, { id: '1' })
  desk.begin(reads.get, { id: '1' }).answer({ id: '1', title: 'newer' })
  before.answer({ id: '1', title: 'older', n: 1 })
  assert.equal(desk.row('1'), { id: '1', title: 'newer' })
})

rule('data-client B07: an answer of a mutation stands over a read that started while it was under way', desk => {
  desk.receiveRow({ id: '1', n: 1 })
  const put = desk.call('put', { id: '1' }, { n: 2 })
  const poll = desk.begin(reads.get, { id: '1' })
  desk.settle(put, { id: '1', n: 2 })
  poll.answer({ id: '1', n: 1 })
  assert.is(desk.row('1')!['n'], 2)
})

rule('apollo-client#6551, TanStack/db #879, urql #750: nothing that was only expected stays in the base', desk => {
  desk.receiveRow({ id: '1', n: 1 })
  const first = desk.call('like', { id: '1' })
  desk.settle(desk.call('put', { id: '1' }, { title: 'hoped' }), { id: '1', done: true })
  desk.fail(first)
  assert.equal([desk.row('1'), desk.isSettled], [{ id: '1', n: 1, done: true }, true])
})

rule('apollo-client#7341, #7894, swr#425: nothing flashes back when the first of several calls is settled', desk => {
  desk.receiveRow({ id: '1', done: false, n: 1 })
  const toggle = desk.call('put', { id: '1' }, { done: true })
  const other = desk.call('put', { id: '1' }, { n: 2 })
  const count = desk.commits.length
  desk.settle(toggle, { id: '1', done: true, n: 1 })
  desk.settle(other, { id: '1', done: true, n: 2 })
  assert.equal(desk.commits.slice(count).flatMap(({ patches }) => patches), [])
  assert.equal(desk.row('1'), { id: '1', done: true, n: 2 })
})

rule('apollo-client#8829: an optimistic deletion that fails has removed nothing', desk => {
  desk.receive(reads.list, [{ id: '1', n: 1 }], {})
  const row = desk.row('1')
  const remove = desk.call('remove', { id: '1' })
  assert.is(desk.row('1'), undefined)
  desk.fail(remove)
  assert.is(desk.row('1'), row)
  assert.not.ok(desk.deleted('1'))
})

rule('apollo-client#2062: two optimistic updates of one list both show', desk => {
  desk.receive(reads.list, [], {})
  desk.call('push', {}, { title: 'a' })
  desk.call('unshift', {}, { title: 'b' })
  assert.equal(desk.list()!.map(pk => desk.row(pk)!['title']), ['b', 'a'])
})

rule('TanStack/query #9577, #9558, #9293: a rollback goes to what is there now, not to what was there before', desk => {
  const put = desk.call('put', { id: '1' }, { n: 5 })
  desk.receiveRow({ id: '1', title: 'arrived meanwhile' })
  desk.set(Todo, { id: '1' }, { id: '1', done: true })
  desk.fail(put)
  assert.equal(desk.row('1'), { id: '1', title: 'arrived meanwhile', done: true })
})

rule('TanStack/db #631, #1374, redux-toolkit#4271: a refetch, also one that was under way, goes beneath what is pending', desk => {
  const pending = desk.begin(reads.get, { id: '1' })
  const put = desk.call('put', { id: '1' }, { title: 'hoped' })
  pending.answer({ id: '1', title: 'fetched', n: 1 })
  desk.receiveRow({ id: '1', title: 'fetched again', n: 2 })
  assert.equal(desk.row('1'), { id: '1', title: 'hoped', n: 2 })
  desk.settle(put, { id: '1', title: 'hoped' })
  assert.equal(desk.row('1'), { id: '1', title: 'hoped', n: 2 })
})

test('urql #587, #588, swr#1965, #1982: layers may leave from below, from above, and from the middle, and leave nothing', () => {
  for (const order of [[0, 1, 2], [2, 1, 0], [1, 0, 2]]) {
    const desk = new Desk()
    desk.receiveRow({ id: '1', n: 1 })
    const { state } = desk.store
    const pending = [desk.call('like', { id: '1' }), desk.call('put', { id: '1' }, { title: 'b' }), desk.call('like', { id: '1' })]
    for (const at of order) desk.fail(pending[at]!)
    assert.is(desk.store.state, state)
    assert.ok(desk.isSettled)
  }
})

test('a manager that reads the arguments of a request again does not change what the call was sent in', () => {
  const [curious, incurious] = [true, false].map(isCurious => {
    const desk = new Desk()
    const [a, b] = [{ group: 'a' }, { group: 'b' }].map(group => desk.begin(reads.list, group))
    const move = desk.send(quiet['move']!, { id: '1' }, { group: 'a' })
    a!.answer([{ id: '3' }, { id: '1', group: 'a' }])
    if (isCurious) void move.action!.args
    desk.settle(move, { id: '1' })
    b!.answer([{ id: '1', group: 'b' }])
    return ['a', 'b'].map(group => desk.list({ group }))
  })
  assert.equal(curious, incurious)
})

rule('a move knows the answers that wait over a pending call when it is made', desk => {
  desk.set(todos, { group: 'b' }, [{ id: '1' }])
  const [, push] = [1, 2].map(() => desk.send(quiet['push']!, {}, { group: 'a' }))
  desk.call('remove', { id: '1' })
  desk.settle(push!, { id: '1', group: 'b' })
  desk.call('move', { id: '1' }, { group: 'a' })
  assert.equal(desk.list({ group: 'b' }), [])
})

test.run()
