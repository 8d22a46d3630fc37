import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { AnyEndpoint, Snap } from '../../../src/index.ts'
import { Todo, todos } from '../../laws/order/shop.ts'
import { caught } from '../../support/caught.ts'
import { readStamp } from '../../support/state.ts'
import { watch } from '../view/liveStore.ts'
import { calls, Desk, reads } from './desk.ts'

const test = suite('order: layers, holds and temporary pks')

const varied = (options: object): AnyEndpoint => (calls.put as unknown as { extend(options: object): AnyEndpoint }).extend(options)

test('a call shows what it expects, and a base that changes beneath it shows through', () => {
  const desk = new Desk()
  desk.receive(reads.get, { id: '1', n: 1, title: 'a' }, { id: '1' })
  const like = desk.call('like', { id: '1' })
  assert.is(desk.row('1')!['n'], 3)
  assert.is(desk.row('1', desk.store.base)!['n'], 1)
  desk.receive(reads.get, { id: '1', n: 10, title: 'b' }, { id: '1' })
  assert.equal(desk.row('1'), { id: '1', n: 21, title: 'b' })
  desk.settle(like, { id: '1', n: 11 })
  assert.equal(desk.row('1'), { id: '1', n: 11, title: 'b' })
  assert.is(desk.store.base, desk.store.state)
})

test('it runs again over a base that changed, and not when nothing did', () => {
  const desk = new Desk()
  let asked = 0
  const put = varied({
    getOptimisticResponse(snap: Snap, { id }: { id: string }) {
      asked++
      return { id, title: `after ${snap.get(Todo, { id: '2' })?.title ?? 'nothing'}` }
    },
  })
  desk.send(put, [{ id: '1' }])
  desk.receive(reads.get, { id: '1', n: 4 }, { id: '1' })
  assert.equal([asked, desk.row('1')], [2, { id: '1', n: 4, title: 'after nothing' }])
  desk.receive(reads.get, { id: '2', title: 'two' }, { id: '2' })
  assert.equal([asked, desk.row('1')!['title']], [3, 'after two'])
  desk.controller.setError(reads.get, { id: '9' }, new Error('no'))
  assert.is(asked, 3)
})

test('a layer gains no freshness, and a row that it makes again is not deleted', () => {
  const desk = new Desk()
  desk.receive(reads.get, { id: '1' }, { id: '1' })
  const stamp = (): unknown => readStamp(desk.store.state, 'Todo', '1')
  const known = stamp()
  desk.call('put', { id: '1' }, { n: 1 })
  assert.is(stamp(), known)
  const remove = desk.call('remove', { id: '1' })
  assert.ok(desk.deleted('1'))
  desk.settle(remove, { id: '1' })
  desk.call('put', { id: '1' }, { n: 2 })
  assert.not.ok(desk.deleted('1'))
  desk.call('put', { id: '8' }, {})
  assert.is(readStamp(desk.store.state, 'Todo', '8'), undefined)
})

test('an answer equal to what was expected, and a rollback to what is there, wake nobody', () => {
  const desk = new Desk()
  desk.receive(reads.get, { id: '1', tags: ['x'] }, { id: '1' })
  const put = desk.call('put', { id: '1' }, { tags: ['y'] })
  const row = desk.row('1')
  const count = desk.commits.length
  desk.settle(put, { id: '1', tags: ['y'] })
  assert.is(desk.row('1'), row)
  assert.equal(desk.commits.slice(count).flatMap(({ patches }) => patches), [])
  assert.equal(desk.commits.at(-1)!.basePatches, [{ op: 'replace', path: ['entities', 'Todo', '1', 'tags', 0], value: 'y' }])
  const same = desk.call('put', { id: '1' }, { tags: ['y'] })
  desk.fail(same)
  assert.is(desk.commits.length, count + 1)
})

test('a commit says what became of the base', () => {
  const desk = new Desk()
  const put = desk.call('put', { id: '1' }, { n: 1 })
  const [visible] = desk.commits
  assert.is(visible!.base.before, visible!.base.after)
  assert.equal(visible!.basePatches, [])
  desk.fail(put)
  assert.equal(desk.commits[1]!.patches, [{ op: 'remove', path: ['entities', 'Todo', '1'] }])
  desk.receive(reads.get, { id: '1' }, { id: '1' })
  assert.is(desk.commits[2]!.basePatches, desk.commits[2]!.patches)
  assert.is(desk.commits[2]!.baseInversePatches, desk.commits[2]!.inversePatches)
})

test('a local write stays above a call to the same entity, and is flushed when that is settled', () => {
  const desk = new Desk()
  desk.receive(reads.get, { id: '1', n: 1 }, { id: '1' })
  const put = desk.call('put', { id: '1' }, { n: 5, title: 'theirs' })
  desk.set(Todo, { id: '1' }, (todo: { n: number }) => void (todo.n += 1))
  desk.set(Todo, { id: '1' }, { id: '1', title: 'mine' })
  desk.set(Todo, { id: '2' }, { id: '2', title: 'free' })
  assert.equal(desk.row('1'), { id: '1', n: 6, title: 'mine' })
  assert.equal(desk.row('1', desk.store.base), { id: '1', n: 1 })
  assert.ok(desk.row('2', desk.store.base))
  const count = desk.commits.length
  desk.settle(put, { id: '1', n: 7, title: 'server' })
  assert.is(desk.commits.length, count + 1)
  assert.equal(desk.row('1', desk.store.base), { id: '1', n: 8, title: 'mine' })
  assert.is(desk.store.base, desk.store.state)
})

test('two creates keep their order when the second is answered first, optimistic or not', () => {
  for (const optimistic of [true, false]) {
    const desk = new Desk()
    desk.receive(reads.list, [], {})
    const push = optimistic ? calls.push : (calls.push as unknown as { extend(options: object): AnyEndpoint }).extend({ getOptimisticResponse: undefined })
    const [first, second] = [desk.send(push, [{}, { title: 'a' }]), desk.send(push, [{}, { title: 'b' }])]
    desk.settle(second, { id: '2', title: 'b' })
    assert.equal(desk.list(desk.store.base), [])
    assert.is(desk.row('2')!['title'], 'b')
    desk.settle(first, { id: '1', title: 'a' })
    assert.equal(desk.list(), ['1', '2'])
    assert.is(desk.store.base, desk.store.state)
  }
})

test('an updater of a row that only a layer shows waits for that layer', () => {
  const desk = new Desk()
  const both = varied({ schema: { todo: Todo, other: Todo }, getOptimisticResponse: () => ({ todo: { id: '1' }, other: { id: '2', n: 1 } }) })
  const call = desk.send(both, [{ id: '1' }])
  desk.set(Todo, { id: '2' }, (todo: { n: number }) => void (todo.n += 10))
  desk.fail(desk.call('put', { id: '5' }, {}))
  assert.is(desk.row('2')!['n'], 11)
  desk.settle(call, { todo: { id: '1' }, other: { id: '2', n: 2 } })
  assert.is(desk.row('2', desk.store.base)!['n'], 12)
})

test('snap.abort, thrown or returned, means no layer; an error is reported, and tried again', () => {
  const desk = new Desk()
  const { state } = desk.store
  desk.call('like', { id: '1' })
  desk.send(varied({ getOptimisticResponse: (snap: Snap) => snap.abort }), [{ id: '1' }])
  assert.is(desk.store.state, state)
  desk.receive(reads.get, { id: '1', n: 2 }, { id: '1' })
  desk.call('like', { id: '1' })
  assert.is(desk.errors.length, 1)
  assert.is(desk.row('1')!['n'], 2)
  desk.receive(reads.get, { id: '1', n: 3 }, { id: '1' })
  assert.is(desk.row('1')!['n'], 7)
  desk.receive(reads.get, { id: '1', n: 7 }, { id: '1' })
  assert.is(desk.row('1')!['n'], 7, 'no effect this time')
  assert.is(desk.errors.length, 1)
})

test('a temporary pk is stable, distinct, and replaced everywhere in the commit of the answer', () => {
  const desk = new Desk()
  desk.receive(reads.list, [{ id: '1', n: 1 }], {})
  const create = desk.call('push', {}, { title: 'a', n: 0 })
  desk.call('push', {}, { title: 'b' })
  const [, pk, second] = desk.list() as string[]
  assert.is.not(pk, second)
  assert.is(desk.row(pk!)!['id'], pk, 'whoever sees it can speak of it')
  desk.receive(reads.list, [{ id: '1', n: 2 }], {})
  assert.equal(desk.list(), ['1', pk, second])
  const like = desk.call('like', { id: pk })
  const mention = desk.call('put', { id: '1' }, { title: pk, tags: [pk] })
  desk.set(Todo, { id: pk }, (todo: { done: boolean }) => void (todo.done = true))
  assert.equal([like.action, mention.action], [undefined, undefined])
  const count = desk.commits.length
  desk.settle(create, { id: '77', title: 'a', n: 0 })
  assert.is(desk.commits.length, count + 1)
  assert.equal(like.action!.args[0], { id: '77' })
  assert.equal(mention.action!.args[1], { title: '77', tags: ['77'] })
  assert.equal(desk.list(), ['1', '77', second])
  assert.is(desk.row(pk!), undefined)
  assert.equal(desk.row('77'), { id: '77', title: 'a', n: 1, done: true })
  assert.equal(desk.row('1')!['tags'], ['77'])
  // Whoever still says the old name means the new one.
  assert.equal(desk.call('put', { id: pk }, {}).action!.args[0], { id: '77' })
})

test('a create that fails takes the writes about its row with it, and its pk can no longer be used', async () => {
  const desk = new Desk()
  desk.receive(reads.list, [], {})
  const create = desk.call('push', {}, { title: 'a' })
  const [pk] = desk.list() as string[]
  desk.set(Todo, { id: pk }, (todo: { n: number }) => void (todo.n = 1))
  desk.set(Todo, { id: '1' }, { id: '1', title: pk })
  desk.fail(create)
  assert.equal([desk.list(), desk.row(pk!), desk.row('1')], [[], undefined, undefined])
  assert.is(desk.store.base, desk.store.state)
  const error = await desk.controller.fetch(calls.put, { id: pk }, {}).then(() => undefined, (error: { code: string }) => error.code)
  assert.is(error, 'MISSING')
})

test('a live object of something created stays the same object', () => {
  const desk = new Desk()
  desk.receive(reads.list, [], {})
  const seen = watch(() => (desk.controller.live(todos, {}) as Todo[]).map(todo => todo))
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
  const lanes = [desk.call('put', { id: '1' }, {}), desk.call('remove', { id: 1 }), desk.call('put', { id: '2' }, {}), desk.send(varied({ serial: false }), [{ id: '1' }])].map(({ action }) => action!.lane)
  assert.is(lanes[0], lanes[1])
  assert.type(lanes[0], 'string')
  assert.is.not(lanes[0], lanes[2])
  assert.is(lanes[3], undefined)
})

test('data that nests too deep is refused as such, also where temporary pks are looked for', () => {
  const desk = new Desk()
  desk.receive(reads.list, [], {})
  desk.call('push', {}, { title: 'a' })
  let deep: object = {}
  for (let i = 0; i < 100_000; i++) deep = { deep }
  assert.is(caught(() => desk.set(Todo, { id: '1' }, { id: '1', deep }))['code'], 'DEPTH')
  assert.is(desk.row('1'), undefined)
})

test.run()
