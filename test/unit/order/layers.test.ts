import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Collection, Entity } from '../../../src/index.ts'
import type { AnyEndpoint, Snap } from '../../../src/index.ts'
import { watch } from '../../contract/view/liveStore.ts'
import { caught } from '../../support/caught.ts'
import { calls, Desk, reads } from './desk.ts'
import { Todo, todos } from '../../laws/order/shop.ts'
import { layersOf } from './layersOf.ts'
import { liveViews } from '../view/liveViews.ts'

const test = suite('order: layers, holds and temporary pks')

const varied = (options: object): AnyEndpoint => (calls.put as unknown as { extend(options: object): AnyEndpoint }).extend(options)

test('snap.abort, thrown or returned, means no layer; an error is reported, and tried again', () => {
  const desk = new Desk()
  const thrown = desk.call('like', { id: '1' })
  const returned = desk.timeline.call(varied({ getOptimisticResponse: (snap: Snap) => snap.abort }), [{ id: '1' }])
  assert.equal([thrown.optimistic, returned.optimistic, layersOf(desk.timeline)], [false, false, 0])
  desk.receive(reads.get, { id: '1', n: 2 }, { id: '1' })
  const unlucky = desk.call('like', { id: '1' })
  assert.equal([unlucky.optimistic, layersOf(desk.timeline), desk.errors.length], [true, 1, 1])
  assert.is(desk.todo('1')!['n'], 2)
  desk.receive(reads.get, { id: '1', n: 3 }, { id: '1' })
  assert.is(desk.todo('1')!['n'], 7)
  desk.receive(reads.get, { id: '1', n: 7 }, { id: '1' })
  assert.is(desk.todo('1')!['n'], 7, 'no effect this time')
  assert.is(desk.errors.length, 1)
})

test('a write that waits is withdrawn, and what waited for it sinks', () => {
  const desk = new Desk()
  const put = desk.call('put', { id: '1' }, { n: 5 })
  const first = desk.set(todos, {}, [{ id: '1' }, { id: '2' }])
  desk.set(Todo, { id: '2' }, { id: '2', n: 2 })
  assert.is(desk.todo('2', desk.store.base), undefined)
  assert.ok(desk.timeline.withdraw(first, { cause: 'undo' }))
  assert.equal(desk.todo('2', desk.store.base), { id: '2', n: 2 })
  assert.is(desk.list(), undefined)
  desk.fail(put)
})

test('a temporary pk is stable, distinct, and replaced everywhere in the commit of the answer', () => {
  const desk = new Desk()
  desk.receive(reads.list, [{ id: '1', n: 1 }], {})
  const create = desk.call('push', {}, { title: 'a', n: 0 })
  const other = desk.call('push', {}, { title: 'b' })
  const [, pk, second] = desk.list() as string[]
  assert.is.not(pk, second)
  assert.is(desk.todo(pk!)!['id'], pk, 'whoever sees it can speak of it')
  desk.receive(reads.list, [{ id: '1', n: 2 }], {})
  assert.equal(desk.list(), ['1', pk, second])
  const like = desk.call('like', { id: pk })
  const mention = desk.call('put', { id: '1' }, { title: pk, tags: [pk] })
  desk.set(Todo, { id: pk }, (todo: { done: boolean }) => void (todo.done = true))
  assert.is(desk.timeline.names.awaited(like.args)[0], create)
  assert.is(desk.timeline.names.awaited([{}, { deep: [{ er: pk }] }])[0], create)
  assert.is(desk.timeline.names.awaited([{ id: '1' }]).length, 0)
  const count = desk.commits.length
  const moves: string[][] = []
  desk.timeline.onMove((...move) => moves.push(move))
  desk.settle(create, { id: '77', title: 'a', n: 0 })
  assert.is(desk.commits.length, count + 1)
  assert.equal(moves, [['Todo', pk, '77']])
  assert.equal(like.args[0], { id: '77' })
  assert.equal(mention.args[1], { title: '77', tags: ['77'] })
  assert.is(like.lane, 'Todo 77')
  assert.equal(desk.list(), ['1', '77', second])
  assert.is(desk.todo(pk!), undefined)
  assert.equal(desk.todo('77'), { id: '77', title: 'a', n: 1, done: true })
  assert.equal(desk.todo('1')!['tags'], ['77'])
  // Whoever still says the old name means the new one.
  assert.equal(desk.call('put', { id: pk }, {}).args[0], { id: '77' })
  for (const mutation of [like, mention, other]) desk.fail(mutation)
})

test('several at once, and those inside of others, are matched by their place', () => {
  const desk = new Desk()
  desk.receive(reads.list, [], {})
  const create = desk.call('push', {}, [{ title: 'a' }, { title: 'b' }])
  const pks = desk.list() as string[]
  const moves: string[][] = []
  desk.timeline.onMove((...move) => moves.push(move))
  desk.timeline.settle(create, { schema: todos.push, value: [{ id: '5', title: 'a' }, { id: '6', title: 'b' }], args: create.args, key: undefined, expiresAt: 0 }, { cause: 'fetch' })
  assert.equal(moves, [['Todo', pks[0], '5'], ['Todo', pks[1], '6']])
})

test('what is made in a list inside of something new is matched too, and that list is named by what it is in', () => {
  class Board extends Entity {
    static override key = 'Board'
    static override schema = { todos: new Collection([Todo], { nestKey: ({ id }: { id?: string }) => ({ board: id }) }) }
  }
  const push = new Collection([Board]).push
  const desk = new Desk()
  desk.receive(reads.list, [{ id: '1' }], {})
  const endpoint = varied({ schema: push, getOptimisticResponse: (_: Snap, body: object) => body })
  const body = { todos: [{ title: 'a' }, { title: 'b' }] }
  const create = desk.timeline.call(endpoint, [body])
  assert.equal(desk.list(), ['1'])
  const pks = [0, 1, 2].map(position => desk.timeline.names.make(create.id, position))
  const moves: string[][] = []
  desk.timeline.onMove((...move) => moves.push(move))
  const value = { id: '7', todos: [{ id: '5', title: 'a' }, { id: '6', title: 'b' }] }
  desk.timeline.settle(create, { schema: push, value, args: [body], key: undefined, expiresAt: 0 }, { cause: 'fetch' })
  assert.equal(moves, [['Board', pks[0], '7'], ['Todo', pks[1], '5'], ['Todo', pks[2], '6']])
  assert.equal(desk.list(), ['1'])
})

test('a create that fails takes with it what was said of it, and nobody can speak of it any more', () => {
  const desk = new Desk()
  desk.receive(reads.list, [], {})
  const create = desk.call('push', {}, { title: 'a' })
  const [pk] = desk.list() as string[]
  desk.set(Todo, { id: pk }, (todo: { n: number }) => void (todo.n = 1))
  desk.set(Todo, { id: '1' }, { id: '1', title: pk })
  desk.fail(create)
  assert.equal([desk.list(), desk.todo(pk!), desk.todo('1')], [[], undefined, undefined])
  assert.is(desk.store.base, desk.store.state)
  assert.is(caught(() => desk.call('put', { id: pk }, {}))['code'], 'MISSING')
})

test('a live object of something created stays the same object', () => {
  const desk = new Desk()
  const live = liveViews(desk.store, error => desk.errors.push(error))
  desk.timeline.onMove((key, from, to) => live.move(key, from, to))
  desk.receive(reads.list, [], {})
  const seen = watch(() => (live.query(todos, [{}]) as Todo[]).map(todo => todo))
  const create = desk.call('push', {}, { title: 'a' })
  const [todo] = seen.last
  assert.is(todo!.title, 'a')
  desk.settle(create, { id: '9', title: 'from the server' })
  assert.is(seen.last[0], todo)
  assert.equal([todo!.id, todo!.title], ['9', 'from the server'])
  assert.equal(desk.errors, [])
  seen.stop()
})

test('calls to one entity have one lane, unless they say that they need none', () => {
  const desk = new Desk()
  const lanes = [desk.call('put', { id: '1' }, {}), desk.call('remove', { id: 1 }), desk.call('put', { id: '2' }, {}), desk.timeline.call(varied({ serial: false }), [{ id: '1' }])]
  assert.equal(lanes.map(({ lane }) => lane), ['Todo 1', 'Todo 1', 'Todo 2', undefined])
  assert.equal(lanes[0]!.target, { key: 'Todo', pk: '1' })
  assert.ok(desk.call('push', {}, {}).lane!.startsWith('PUSH'))
})

test('data that nests too deep is refused as such, also where temporary pks are looked for', () => {
  const desk = new Desk()
  desk.receive(reads.list, [], {})
  desk.call('push', {}, { title: 'a' })
  let deep: object = {}
  for (let i = 0; i < 100_000; i++) deep = { deep }
  assert.is(caught(() => desk.set(Todo, { id: '1' }, { id: '1', deep }))['code'], 'DEPTH')
  assert.is(desk.todo('1'), undefined)
})

test.run()
