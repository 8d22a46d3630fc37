import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHistory } from '../../../src/history/index.ts'
import { AbortError, Controller, createResource, dehydrate, Entity, hydrate, ReadRequests, readStatus, schema, type FetchAction, type ReadStatus, type Snap } from '../../../src/index.ts'
import { todos } from '../../laws/order/shop.ts'
import { caught, rejected, warnings } from '../../support/caught.ts'
import { isSettled, readPks } from '../../support/state.ts'
import { watch } from '../view/liveStore.ts'
import { calls, onDesk, reads } from './desk.ts'

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  title = ''
  after = ''
}

const TodoResource = createResource({ path: '/todos/:id', schema: Todo, optimistic: true })
const { get, getList, partialUpdate } = TodoResource
const loose = partialUpdate.extend({ serial: false })
/** Not one after the other. */
const push = getList.push.extend({ serial: false })

/** A list of one row, and a network that answers on request. */
function world() {
  const requests: FetchAction[] = []
  const controller = new Controller({ managers: [{ action: each => each.type === 'fetch' && requests.push(each) > 0 }] })
  const history = createHistory(controller)
  controller.setResponse(getList, [{ id: '1', title: 'sow' }])
  const ids = (args: object = {}): string[] => controller.getResponse(getList, args).data!.map(({ id }) => id)
  return {
    controller, history, requests, ids,
    row: (id: string): Todo | undefined => controller.get(Todo, { id }),
    /** Creates a row, and returns its temporary pk. */
    create(body: object): string {
      void controller.fetch(push, body)
      return ids().at(-1)!
    },
    answer(at: number, value: object): Promise<void> {
      requests[at]!.answer(value)
      return settled()
    },
    fail: (at: number): void => requests[at]!.fail(new Error('lost')),
    /** What was sent after the first requests. */
    sent: (from = 0): string[] => requests.slice(from).map(({ endpoint, args }) => `${endpoint.name} ${JSON.stringify(args)}`),
  }
}

const settled = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 1))

const test = suite('order: temporary pks, and calls that wait for them')
const rule = onDesk(test)

rule('a temporary pk is stable, distinct, and replaced everywhere in the commit of the answer', desk => {
  desk.receive(reads.list, [{ id: '1', n: 1 }], {})
  const create = desk.call('push', {}, { title: 'a', n: 0 })
  desk.call('push', {}, { title: 'b' })
  const [, pk, second] = desk.list()!
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
  assert.equal([like.action!.args[0], mention.action!.args[1]], [{ id: '77' }, { title: '77', tags: ['77'] }])
  assert.equal([desk.list(), desk.row(pk!)], [['1', '77', second], undefined])
  assert.equal([desk.row('77'), desk.row('1')!['tags']], [{ id: '77', title: 'a', n: 1, done: true }, ['77']])
  // Whoever still says the old name means the new one.
  assert.equal(desk.call('put', { id: pk }, {}).action!.args[0], { id: '77' })
})

rule('a create that fails takes the writes about its row with it, and its pk can no longer be used', async desk => {
  desk.receive(reads.list, [], {})
  const create = desk.call('push', {}, { title: 'a' })
  const [pk] = desk.list()!
  desk.set(Todo, { id: pk }, (todo: { n: number }) => void (todo.n = 1))
  desk.set(Todo, { id: '1' }, { id: '1', title: pk })
  desk.fail(create)
  assert.equal([desk.list(), desk.row(pk!), desk.row('1'), desk.isSettled], [[], undefined, undefined, true])
  assert.is(((await rejected(desk.controller.fetch(calls.put, { id: pk }, {}))) as Error & { code?: string }).code, 'MISSING')
})

rule('a live object of something created stays the same object', desk => {
  desk.receive(reads.list, [], {})
  const seen = watch(() => (desk.controller.live(todos, {}) as readonly { id: string; title: string }[]).map(todo => todo))
  const create = desk.call('push', {}, { title: 'a' })
  const [todo] = seen.last
  assert.is(todo!.title, 'a')
  desk.settle(create, { id: '9', title: 'from the server' })
  assert.is(seen.last[0], todo)
  assert.equal([todo!.id, todo!.title, desk.errors], ['9', 'from the server', []])
  seen.stop()
})

rule('data that nests too deep is refused as such, also where temporary pks are looked for', desk => {
  desk.receive(reads.list, [], {})
  desk.call('push', {}, { title: 'a' })
  let deep: object = {}
  for (let i = 0; i < 100_000; i++) deep = { deep }
  assert.is(caught(() => desk.set(Todo, { id: '1' }, { id: '1', deep }))['code'], 'DEPTH')
  assert.is(desk.row('1'), undefined)
})

for (const isSet of [false, true]) {
  rule(`a move that waited for a pk leaves the lists that its row was in when it was sent, also ${isSet ? 'after a local write that waited too' : 'below a deletion'}`, desk => {
    const push = desk.call('push', {}, { group: 'a' })
    const list = desk.begin(reads.list, { group: 'b' })
    if (isSet) desk.set(todos, {}, [{ id: '1', group: 'a' }])
    desk.call('move', { id: readPks(desk.store.state, 'Todo')![0]! }, { group: 'a' })
    if (!isSet) desk.receiveRow({ id: '1', group: 'b' })
    if (!isSet) desk.call('remove', { id: '1' })
    list.answer([{ id: '1' }])
    desk.settle(push, { id: '1', group: 'b' })
    assert.equal(desk.list({ group: 'b' }), isSet ? ['1'] : [])
  })
}

// A list may tell of something new before the call that made it is answered.

rule('apollo-client#2368: answers and local writes since a list named a creation are newer than its record in the answer', desk => {
  desk.receive(reads.list, [], {})
  const push = desk.call('push', {}, { title: 'new', group: 'a' })
  desk.receive(reads.list, [{ id: '7', title: 'renamed elsewhere' }], {})
  desk.settle(desk.call('put', { id: '7' }, { n: 2 }), { id: '7', n: 2 })
  desk.settle(push, { id: '7', title: 'new', n: 0, group: 'a' })
  assert.equal(desk.row('7'), { id: '7', title: 'renamed elsewhere', n: 2, group: 'a' })
  assert.equal([desk.list(), desk.isSettled], [['7'], true])
})

rule('a read that was taken after a creation may land after it: it is newer all the same', desk => {
  const push = desk.call('push', {}, { title: 'new', group: 'a' })
  const read = desk.begin(reads.get, { id: '7' })
  desk.settle(push, { id: '7', title: 'new', n: 0 })
  read.answer({ id: '7', title: 'renamed elsewhere' })
  assert.equal(desk.row('7'), { id: '7', title: 'renamed elsewhere', n: 0 })
})

rule('what was deleted before its creation was answered stays so', desk => {
  const push = desk.call('push', {}, { title: 'new', group: 'a' })
  desk.receive(reads.list, [{ id: '7', title: 'new' }], {})
  desk.settle(desk.call('remove', { id: '7' }), { id: '7' })
  desk.settle(push, { id: '7', title: 'new' })
  assert.equal([desk.row('7'), desk.deleted('7')], [undefined, true])
})

rule('what was known when the call was made is not created: the answer says what it is now', desk => {
  const push = (title: string): void => desk.settle(desk.call('push', {}, { title, group: 'a' }), { id: '7', title })
  desk.receiveRow({ id: '7', title: 'old' })
  push('new')
  assert.is(desk.row('7')!['title'], 'new')
  desk.settle(desk.call('remove', { id: '7' }), { id: '7' })
  push('again')
  assert.is(desk.row('7')!['title'], 'again')
})

rule('who spoke of the temporary pk is sent after who knew the real one, and counts so', desk => {
  desk.receive(reads.list, [], {})
  const push = desk.call('push', {}, { title: 'new', group: 'a' })
  const waits = desk.call('put', { id: desk.list()![0] }, { title: 'waits' })
  assert.is(waits.action, undefined, 'a temporary pk is never sent')
  desk.receive(reads.list, [{ id: '7', title: 'new' }], {})
  const knows = desk.call('put', { id: '7' }, { title: 'knows' })
  desk.settle(push, { id: '7', title: 'new' })
  assert.equal([waits.action!.args[0], desk.row('7')!['title']], [{ id: '7' }, 'waits'])
  desk.settle(knows, { id: '7', title: 'knows' })
  assert.is(desk.row('7', desk.store.base)!['title'], 'knows')
  desk.settle(waits, { id: '7', title: 'waits' })
  assert.is(desk.row('7')!['title'], 'waits')
})

test('a call that speaks of two things that are being made waits for both, and fails with either', async () => {
  for (const isMade of [true, false]) {
    const { controller, requests, create, answer, fail, row } = world()
    const [first, second] = [create({ title: 'a' }), create({ title: 'b' })]
    const call = controller.fetch(partialUpdate, { id: second }, { after: first })
    await answer(1, { id: '9', title: 'b' })
    assert.is(requests.length, 2, 'one of them is still being made')
    if (isMade) {
      await answer(0, { id: '8', title: 'a' })
      assert.equal(requests[2]!.args, [{ id: '9' }, { after: '8' }])
      await answer(2, { id: '9', title: 'b', after: '8' })
      assert.is((await call).after, '8')
    } else {
      fail(0)
      assert.is((await rejected(call)).message, 'lost')
      assert.equal([requests.length, row('9')!.after], [2, ''])
    }
  }
})

test('who speaks of something that is being made sends its id as the server writes it', async () => {
  const { controller, create, answer, sent } = world()
  void controller.fetch(getList.push, { after: create({ title: 'a' }) })
  await answer(0, { id: 7, title: 'a' })
  assert.equal(sent(1), ['Todo.getList.push [{"after":7}]'])
})

test('a temporary pk stands in the field that the pk of its class is read from', async () => {
  class Item extends Entity {
    item_id = 0
    name = ''
    override pk(): number {
      return this.item_id
    }
  }
  const { getList: items, partialUpdate: change } = createResource({ path: '/items/:item_id', schema: Item, optimistic: true })
  const { controller, sent, answer } = world()
  controller.setResponse(items, [])
  void controller.fetch(items.push, { name: 'a' })
  void controller.fetch(change, { item_id: controller.getResponse(items).data![0]!.item_id }, { name: 'b' })
  await answer(0, { item_id: 7, name: 'a' })
  assert.equal(sent(1), ['Item.partialUpdate [{"item_id":"7"},{"name":"b"}]'])
})

test('a call that was made by a temporary pk stays with the real one when an undo gives another row a new pk', async () => {
  const { controller, history, create, answer } = world()
  const id = create({ title: 'a' })
  await answer(0, { id: '2', title: 'a' })
  void controller.fetch(TodoResource.delete, { id: '1' })
  await answer(1, { id: '1' })
  void history.undo()
  void controller.fetch(partialUpdate, { id }, { title: 'b' })
  await answer(2, { id: '3', title: 'sow' })
  assert.equal(controller.get(new schema.All(Todo))!.map(row => `${row.id} ${row.title}`), ['2 b', '3 sow'])
})

test('what is called after a call that waits, about the same, goes after it: the last word is the last', async () => {
  const { controller, requests, sent, create, answer, fail, row } = world()
  const after = create({ title: 'a' })
  void controller.fetch(partialUpdate, { id: '1' }, { after })
  void controller.fetch(partialUpdate, { id: '1' }, { after: '' })
  void controller.fetch(partialUpdate, { id: '2' }, { title: 'another' })
  assert.equal(sent(1), ['Todo.partialUpdate [{"id":"2"},{"title":"another"}]'])
  await answer(1, { id: '2', title: 'another' })
  await answer(0, { id: '9', title: 'a' })
  assert.equal(requests[2]!.args, [{ id: '1' }, { after: '9' }])
  await answer(2, { id: '1', title: 'sow', after: '9' })
  assert.equal(requests[3]!.args, [{ id: '1' }, { after: '' }])
  assert.is(row('1')!.after, '')
  await answer(3, { id: '1', title: 'sow', after: '' })
  assert.is(row('1')!.after, '')
  // And is done though that comes to nothing.
  void controller.fetch(partialUpdate, { id: '1' }, { after: create({ title: 'b' }) })
  void controller.fetch(partialUpdate, { id: '1' }, { title: 'mow' })
  fail(4)
  assert.equal(requests[5]!.args, [{ id: '1' }, { title: 'mow' }])
})

test('what moves between two lists, and was made only then, is in one of them when a read tells of the move early', async () => {
  const { controller, requests, ids, answer } = world()
  const isMoved = (): void => assert.equal([ids({ after: 'a' }), ids({ after: 'b' })], [[], ['9']])
  for (const after of ['a', 'b']) controller.setResponse(getList, { after }, [])
  void controller.fetch(getList.push, { title: 'new', after: 'a' })
  void controller.fetch(getList.move, { id: ids({ after: 'a' })[0]! }, { after: 'b' })
  await answer(0, { id: '9', title: 'new', after: 'a' })
  assert.equal(requests[1]!.args, [{ id: '9' }, { after: 'b' }])
  isMoved()
  controller.setResponse(get, { id: '9' }, { id: '9', title: 'new', after: 'b' })
  isMoved()
  await answer(1, { id: '9', title: 'new', after: 'b' })
  isMoved()
})

test('calls that meet at the server are seen to meet, also when one was made for a temporary pk', async () => {
  const { controller, sent, create, answer } = world()
  void controller.fetch(loose, { id: create({ title: 'a' }) }, { title: 'b' })
  await answer(0, { id: '9', title: 'a' })
  void controller.fetch(loose, { id: '9' }, { title: 'c' })
  await answer(1, { id: '9', title: 'b' })
  await answer(2, { id: '9', title: 'c' })
  assert.equal(sent(3), ['Todo.getList []'])
})

test('a reset asks for nothing: not even for what it leaves in doubt', () => {
  const { controller, requests, sent } = world()
  for (const title of ['a', 'b']) void controller.fetch(loose, { id: '1' }, { title })
  controller.reset()
  assert.is(requests.length, 2, sent().join())
})

test('a request that is ended in one step with the call it waits for is never sent', async () => {
  for (const end of ['abort', 'reset', 'dispose'] as const) {
    let sent = 0
    const controller = new Controller({ fetch: () => new Promise(() => void sent++) })
    for (let i = 0; i < 3; i++) void controller.fetch(partialUpdate, { id: '1' }, { title: 'a' })
    await settled()
    if (end === 'abort') controller.abort(partialUpdate, { id: '1' }, { title: 'a' })
    else controller[end]()
    await settled()
    assert.is(sent, 1, end)
  }
})

test('a local write to something that was being made is undone where that is now', async () => {
  const { controller, history, create, answer, row } = world()
  const id = create({ title: 'a' })
  controller.set(Todo, { id }, todo => void (todo.title = 'mine'))
  controller.set(Todo, { id: '1', after: id })
  await answer(0, { id: '9', title: 'a' })
  assert.equal([row('9')!.title, row('1')!.after], ['mine', '9'])
  for (let i = 0; i < 2; i++) assert.equal(await history.undo(), { kept: [] })
  assert.equal([row('9')!.title, row('1')!.after], ['a', ''])
})

test('a local write to something that was never made is no step: what was done before it is undone and done again', async () => {
  const { controller, history, create, fail, row } = world()
  controller.set(Todo, { id: '1' }, todo => void (todo.title = 'mow'))
  controller.set(Todo, { id: create({ title: 'a' }) }, todo => void (todo.title = 'b'))
  fail(0)
  assert.equal(await history.undo(), { kept: [] })
  assert.is(row('1')!.title, 'sow')
  await history.redo()
  assert.equal([row('1')!.title, history.canRedo.value], ['mow', false])
})

test('a creation that was put before the one whose pk it speaks of is expected anew when that has its pk, so that its own is known too', async () => {
  const { controller, requests, create, answer } = world()
  const last = create({ title: 'c', after: create({ title: 'b', after: create({ title: 'a' }) }) })
  void controller.fetch(partialUpdate, { id: '1' }, { title: 'x' })
  void controller.fetch(partialUpdate, { id: last }, { title: 'd' })
  await answer(0, { id: '1', title: 'a' })
  await answer(2, { id: '8', title: 'b', after: '1' })
  await answer(3, { id: '9', title: 'c', after: '8' })
  assert.equal(requests[4]!.args, [{ id: '9' }, { title: 'd' }])
})

test('arguments that do not say a type are no data without one: nobody is warned', () => {
  const { controller } = world()
  const several = createResource({ path: '/todos/:id', schema: new schema.Union({ todo: Todo }, 'type') })
  assert.equal(warnings(() => void controller.fetch(several.partialUpdate, { id: '1' }, { title: 'reap' })), [])
  assert.is(warnings(() => controller.setResponse(several.get, { id: '2' }, { id: '2' } as never)).length, 1)
})

test('a creation that its version makes newer than later answers can be carried to another store', async () => {
  class Note extends Entity {
    id = ''
    v = 0
    static override key = 'Note'
    static override version = 'v'
  }
  const { controller, answer } = world()
  const notes = createResource({ path: '/notes/:id', schema: Note })
  void controller.fetch(notes.getList.push, {})
  void controller.fetch(notes.getList)
  await answer(1, [{ id: '1', v: 1 }])
  await answer(0, { id: '1', v: 2 })
  const other = new Controller()
  hydrate(other, JSON.parse(JSON.stringify(dehydrate(controller))))
  assert.is(other.get(Note, { id: '1' })?.v, 2)
})

test('who waited for a creation is sent before who speaks of it once it is made', async () => {
  const { controller, requests, answer, ids, sent } = world()
  const created = controller.fetch(getList.push, { title: 'a' })
  void controller.fetch(partialUpdate, { id: ids()[1]! }, { title: 'first' })
  requests[0]!.answer({ id: '8', title: 'a' })
  const { id } = (await created) as Todo
  void controller.fetch(partialUpdate, { id }, { title: 'second' })
  assert.is(requests.length, 2)
  await answer(1, { id: '8', title: 'first' })
  assert.equal(sent(1), ['Todo.partialUpdate [{"id":"8"},{"title":"first"}]', 'Todo.partialUpdate [{"id":"8"},{"title":"second"}]'])
})

test('a read of something that is being made waits for its pk, is sent with that from then on, and fails with what was to make it', async () => {
  const { controller, requests, create, answer, fail, sent } = world()
  const id = create({ title: 'a' })
  const read = controller.fetchIfStale(get, { id })
  await settled()
  assert.is(requests.length, 1, 'no server knows it')
  await answer(0, { id: '8', title: 'a' })
  await answer(1, { id: '8', title: 'a', after: '1' })
  assert.is((await read).after, '1')
  void controller.fetch(get, { id })
  assert.equal(sent(1), ['Todo.get [{"id":"8"}]', 'Todo.get [{"id":"8"}]'])
  const lost = { id: create({ title: 'b' }) }
  const reader = new ReadRequests(controller)
  const now = (): ReadStatus<Todo> => readStatus(controller, controller, get, [lost])
  const ask = (): Promise<Error> => rejected(reader.ask(get, [lost], now())!)
  const failing = ask()
  fail(3)
  assert.is((await failing).message, 'lost')
  assert.is(await ask(), reader.look(controller, get, [lost], now()).error)
  assert.is(requests.length, 4)
})

test('a reader that asks no more, because its row is invalidated after each failure, shows the error', async () => {
  const { controller, requests, fail } = world()
  let notified = 0
  const reader = new ReadRequests(controller, () => notified++)
  for (let at = 0; at < 4; at++) {
    const asked = reader.ask(get, [{ id: 'x' }], readStatus(controller, controller, get, [{ id: 'x' }]))
    if (requests[at]) fail(at)
    await asked!.catch(() => {})
    controller.invalidate(get, { id: 'x' })
  }
  assert.equal([requests.length, notified], [2, 4])
})

for (const by of ['real', 'temporary']) {
  test(`a call that was made for a temporary pk is ended by the ${by} one`, async () => {
    const { controller, requests, create, answer, row } = world()
    const id = create({ title: 'a' })
    const call = rejected(controller.fetch(partialUpdate, { id }, { title: 'b' }))
    await answer(0, { id: '8', title: 'a' })
    controller.abort(partialUpdate, { id: by === 'real' ? '8' : id }, { title: 'b' })
    assert.equal([requests[1]!.signal.aborted, (await call).name, row('8')!.title], [true, 'AbortError', 'a'])
  })
}

test('a creation that no longer shows what it expects still says what that has become', async () => {
  const { controller, requests, ids, answer } = world()
  const push = getList.push.extend({
    getOptimisticResponse: (snap: Snap, body: object) => {
      if (snap.get(Todo, { id: '1' }) === undefined) throw snap.abort
      return body
    },
  })
  void controller.fetch(push, { title: 'a' })
  void controller.fetch(partialUpdate, { id: ids()[1]! }, { title: 'b' })
  controller.applyPatches([{ op: 'remove', path: ['entities', 'Todo', '1'] }])
  await answer(0, { id: '8', title: 'a' })
  assert.equal(requests[1]!.args, [{ id: '8' }, { title: 'b' }])
})

test('what waits for something that was expected and not made fails, and is not sent', async () => {
  const asked: string[] = []
  const fetch = (url: string): Promise<Response> => {
    asked.push(url)
    return Promise.resolve(Response.json([{ id: '8', title: 'a' }]))
  }
  const controller = new Controller({ fetch: fetch as never, gc: false, retry: false })
  controller.setResponse(getList, [])
  void controller.fetch(getList.push, [{ title: 'a' }, { title: 'b' }])
  const { id } = controller.getResponse(getList).data![1]!
  assert.match(String(await rejected(controller.fetch(partialUpdate, { id }, { title: 'c' }))), /never created/)
  assert.equal(asked, ['/todos'])
  assert.ok(isSettled(controller))
})

test('the same with a manager that sends: it never hears of the call', async () => {
  const { controller, ids, requests, answer, sent } = world()
  void controller.fetch(getList.push, [{ title: 'a' }, { title: 'b' }])
  const lost = rejected(controller.fetch(partialUpdate, { id: ids().at(-1)! }, { title: 'c' }))
  await answer(0, [{ id: '8', title: 'a' }])
  assert.match(String(await lost), /never created/)
  assert.is(requests.length, 1, sent(1).join())
  assert.ok(isSettled(controller))
})

for (const optimistic of [true, false]) {
  for (const first of ['the read', 'the move']) {
    const how = `${first} is answered first${optimistic ? ', optimistic' : ''}`
    test(`a read that tells of a move already leaves it in no list that it came from: ${how}`, async () => {
      const { controller, ids, answer } = world()
      const { getList: cards } = createResource({ path: '/todos/:id', schema: Todo, optimistic })
      controller.setResponse(cards, { after: 'a' }, [{ id: '2', after: 'a' }])
      controller.setResponse(cards, { after: 'b' }, [])
      const visible = (): string[][] => ['a', 'b'].map(after => ids({ after }))
      void controller.fetch(cards)
      void controller.fetch(cards.move, { id: '2' }, { after: 'b' })
      const answers = [() => answer(0, [{ id: '2', after: 'b' }]), () => answer(1, { id: '2', after: 'b' })]
      if (first === 'the move') answers.reverse()
      await answers[0]!()
      if (optimistic) assert.equal(visible(), [[], ['2']])
      await answers[1]!()
      assert.equal(visible(), [[], ['2']])
    })
  }
}

test('what is being made can be asked for, and written to, by an effect: that waits until it is made', async () => {
  const { controller, requests, create, answer, row } = world()
  const asked: Promise<unknown>[] = []
  effect(() => {
    const post = controller.getResponse(getList).data![1]
    if (post?.title !== 'mow') return
    asked.push(controller.fetch(get, { id: post.id }), controller.fetch(partialUpdate, { id: post.id }, { title: 'reap' }))
  })
  create({ title: 'mow' })
  assert.equal(requests.map(({ key }) => key), ['POST /todos'])
  await answer(0, { id: '7', title: 'mow' })
  assert.equal(requests.slice(1).map(({ key, args }) => [key.split(' ')[0], args[0]]), [['PATCH', { id: '7' }], ['GET', { id: '7' }]])
  for (const at of [1, 2]) await answer(at, { id: '7', title: 'reap' })
  await Promise.all(asked)
  assert.is(row('7')?.title, 'reap')
})

test('who reads a row by its temporary pk goes on with what it has become', async () => {
  const { controller, requests, create, answer } = world()
  const id = create({ title: 'mow' })
  const live = controller.live(Todo, { id })
  const seen: unknown[] = []
  const readings = [
    () => controller.get(Todo, { id })?.id,
    () => controller.get(Todo, id)?.id,
    () => controller.view(Todo, { id }).value?.id,
    () => controller.live(Todo, { id })?.id,
    () => controller.live(get, { id })?.id,
    () => controller.getResponse(get, { id }).data?.id,
  ]
  const stop = effect(() => void seen.push(readings.map(read => read())))
  await answer(0, { id: '7', title: 'mow' })
  assert.equal(seen, [readings.map(() => id), readings.map(() => '7')])
  assert.is(controller.live(Todo, { id }), live)
  stop()

  const asked = rejected(controller.fetch(get, { id }))
  assert.is(controller.isFetching(get, { id }), true)
  const error = new Error('no')
  requests[1]!.fail(error)
  assert.is(await asked, error)
  assert.is(controller.getError(get, { id }), error)
  controller.invalidate(get, { id })
  assert.equal([id, '7'].map(each => controller.getResponse(get, { id: each }).expiryStatus), [1, 1])
  controller.setError(get, { id }, error)
  assert.is(controller.getError(get, { id: '7' }), error)
  controller.setResponse(get, { id }, { id: '7', title: 'sow' })
  assert.equal([id, '7'].map(each => controller.getResponse(get, { id: each }).expiryStatus), [3, 3])
})

test('a read that waits for a creation is under way, and who looks at that sees what it comes to', async () => {
  const { controller, requests, create, answer } = world()
  const after = create({ title: 'mow' })
  const seen: unknown[] = []
  const stop = effect(() => void seen.push([controller.getResponse(getList, { after }).data?.length, controller.isFetching(getList, { after })]))
  void controller.fetch(getList, { after })
  await answer(0, { id: '7', title: 'mow' })
  assert.is(requests[1]!.key, 'GET /todos?after=7')
  await answer(1, [{ id: '8', title: 'reap' }])
  // It has another name once it is made.
  assert.equal(seen, [[undefined, false], [undefined, true], [undefined, true], [1, false]])
  stop()
})

test('a row that was never made is not there, and that is no error', () => {
  const { controller, create, fail } = world()
  const id = create({ title: 'mow' })
  fail(0)
  assert.equal([controller.get(Todo, { id }), controller.live(Todo, { id })], [undefined, undefined])
  assert.is(controller.getResponse(get, { id }).expiryStatus, 1)
})

test('who waits to ask for what is being made can leave, and be aborted: then nothing is asked', async () => {
  const { controller, requests, create, answer } = world()
  const id = create({ title: 'mow' })
  const leaving = new AbortController()
  const asked = [controller.fetch(get.extend({ signal: leaving.signal }), { id }), controller.fetch(get, { id })].map(each => rejected(each))
  leaving.abort()
  controller.abort(get, { id })
  for (const each of asked) assert.instance(await each, AbortError)
  await answer(0, { id: '7', title: 'mow' })
  assert.is(requests.length, 1)
})

for (const end of ['abort', 'undo']) {
  test(`a call can be ended by one whom its optimistic answer wakes: ${end}`, async () => {
    const { controller, history, row } = world()
    const finish = (): unknown => (end === 'undo' ? history.undo() : controller.abort(partialUpdate, { id: '1' }, { title: 'reap' }))
    effect(() => void (row('1')?.title === 'reap' && finish()))
    assert.instance(await rejected(controller.fetch(partialUpdate, { id: '1' }, { title: 'reap' })), AbortError)
    assert.is(row('1')?.title, 'sow')
  })
}

test('what is called by one who listens to the commit of a call goes after it', () => {
  const { controller, requests, row } = world()
  controller.subscribePatches(() => {
    if (row('1')?.title === 'reap') void controller.fetch(loose, { id: '1' }, { title: 'eat' })
  })
  void controller.fetch(loose, { id: '1' }, { title: 'reap' })
  assert.equal(requests.map(({ args }) => args[1]), [{ title: 'reap' }, { title: 'eat' }])
})

test('who listens to the commit of a creation may ask for what it makes, and undo it', async () => {
  const { controller, history, requests, create, answer, row } = world()
  let asked: Promise<unknown> | undefined
  controller.subscribePatches(() => {
    const post = controller.getResponse(getList).data![1]
    if (post?.title === 'mow') asked ??= controller.fetch(get, { id: post.id })
    if (post?.title === 'burn') void history.undo()
  })
  create({ title: 'mow' })
  await answer(0, { id: '7', title: 'mow' })
  await answer(1, { id: '7', title: 'reap' })
  assert.equal(await asked, row('7'))
  assert.instance(await rejected(controller.fetch(partialUpdate, { id: '7' }, { title: 'burn' })), AbortError)
  assert.is(requests.length, 2)
})

test('who ends a call in an optimistic answer ends it, and what it had expected goes', async () => {
  const { controller, fail, row } = world()
  const saving = rejected(controller.fetch(partialUpdate, { id: '1' }, { title: 'reap' }))
  const deleting = TodoResource.delete.extend({
    getOptimisticResponse(_: unknown, params: { id: number | string }) {
      controller.abort(partialUpdate, params, { title: '' })
      return params
    },
  })
  const gone = rejected(controller.fetch(deleting, { id: '1' }))
  assert.instance(await saving, AbortError)
  assert.is(row('1'), undefined)
  fail(1)
  assert.is((await gone).message, 'lost')
  await settled()
  assert.is(row('1')!.title, 'sow')
  assert.ok(isSettled(controller))
})

test.run()
