import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHistory, type History } from '../../../src/history/index.ts'
import { AbortError, Controller, createResource, Endpoint, Entity, NetworkError } from '../../../src/index.ts'
import { createClock, mockFetch, type HandClock, type MockFetch, type MockRoutes } from '../../../src/testing/index.ts'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
  done = false
}

const TodoResource = createResource({ path: '/todos/:id', schema: Todo, optimistic: true })
const { get, getList, partialUpdate } = TodoResource
/** It has no call that undoes it, and so an undo ends it while it is in flight. */
const abortable = partialUpdate.extend({ getUndo: undefined as never })

/** A server that keeps todos, and answers `delay` later. */
function world(options: { fail?: (method: string, url: string) => boolean; delay?: number } = {}): {
  controller: Controller
  history: History
  clock: HandClock
  fetch: MockFetch
  rows: Map<string, { [field: string]: unknown }>
} {
  const clock = createClock()
  const rows = new Map<string, { [field: string]: unknown }>([
    ['1', { id: 1, title: 'sow', done: false }],
    ['2', { id: 2, title: 'reap', done: false }],
  ])
  let next = 10
  const delay = options.delay === undefined ? {} : { delay: options.delay }
  const answer: Extract<MockRoutes[string], Function> = ({ method, url, body }) => {
    if (options.fail?.(method, url)) return { status: 422, body: { no: true }, ...delay }
    const id = url.split('/')[2]
    if (method === 'GET') return { body: id ? rows.get(id) : [...rows.values()], ...delay }
    if (method === 'DELETE') {
      rows.delete(id!)
      return { status: 204, ...delay }
    }
    const row = method === 'POST' ? { done: false, ...(body as object), id: next++ } : { ...rows.get(id!), ...(body as object) }
    rows.set(String(row.id), row)
    return { body: row, ...delay }
  }
  const routes: MockRoutes = {}
  for (const id of ['1', '2', '10', '11', '12']) for (const method of ['GET', 'PATCH', 'PUT', 'DELETE']) routes[`${method} /todos/${id}`] = answer
  for (const method of ['GET', 'POST']) routes[`${method} /todos`] = answer
  const fetch = mockFetch(routes, { clock })
  const controller = new Controller({ fetch, clock, retry: false })
  return { controller, history: createHistory(controller), clock, fetch, rows }
}

const settled = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 2))
const sent = ({ calls }: MockFetch): string[] => calls.filter(({ method }) => method !== 'GET').map(({ method, url, body }) => `${method} ${url} ${JSON.stringify(body) ?? ''}`.trim())

const test = suite('history')

test('there is nothing to undo at first, and asking for it does no harm', async () => {
  const { history } = world()
  assert.equal([history.canUndo.value, history.canRedo.value], [false, false])
  assert.equal(await history.undo(), { kept: [] })
  await history.redo()
})

test('a local write is undone and done again', async () => {
  const { controller, history } = world()
  await controller.fetch(getList)
  controller.set(Todo, { id: 1 }, todo => void (todo.title = 'mow'))
  assert.equal([history.canUndo.value, history.canRedo.value], [true, false])
  await history.undo()
  assert.is(controller.get(Todo, { id: 1 })!.title, 'sow')
  assert.equal([history.canUndo.value, history.canRedo.value], [false, true])
  await history.redo()
  assert.is(controller.get(Todo, { id: 1 })!.title, 'mow')
})

test('undoing a local write leaves what others have changed since, and says so', async () => {
  const { controller, history } = world()
  await controller.fetch(getList)
  controller.set(Todo, { id: 1, title: 'mow', done: true })
  controller.applyPatches([{ op: 'replace', path: ['entities', 'Todo', '1', 'title'], value: 'theirs' }], { origin: 'tab' })
  const undone = await history.undo()
  const { title, done } = controller.get(Todo, { id: 1 })!
  assert.equal([title, done], ['theirs', false])
  assert.equal(undone.kept, [{ key: 'Todo', pk: '1', field: 'title' }])
})

test('a call that is under way is ended, and what it had expected goes', async () => {
  const { controller, history, clock, fetch, rows } = world({ delay: 10 })
  controller.setResponse(getList, [...rows.values()])
  const call = controller.fetch(abortable, { id: 1 }, { done: true }).catch((error: unknown) => error)
  assert.is(controller.get(Todo, { id: 1 })!.done, true)
  await history.undo()
  assert.is(controller.get(Todo, { id: 1 })!.done, false)
  assert.instance(await call, AbortError)
  const again = history.redo()
  assert.is(controller.get(Todo, { id: 1 })!.done, true)
  await settled()
  clock.advance(10)
  await again
  assert.is(controller.get(Todo, { id: 1 })!.done, true)
  assert.equal(sent(fetch), ['PATCH /todos/1 {"done":true}', 'PATCH /todos/1 {"done":true}'])
})

test('a settled change is undone by a call with the values before it, and done again', async () => {
  const { controller, history, fetch, rows } = world()
  await controller.fetch(getList)
  await controller.fetch(partialUpdate, { id: 1 }, { done: true })
  const undone = history.undo()
  assert.is(controller.get(Todo, { id: 1 })!.done, false, 'it shows at once')
  await undone
  assert.is(rows.get('1')!['done'], false)
  await history.redo()
  assert.is(rows.get('1')!['done'], true)
  assert.equal(sent(fetch), ['PATCH /todos/1 {"done":true}', 'PATCH /todos/1 {"done":false}', 'PATCH /todos/1 {"done":true}'])
})

test('of two changes of one row each takes back its own', async () => {
  const { controller, history, rows } = world()
  await controller.fetch(getList)
  await controller.fetch(partialUpdate, { id: 1 }, { title: 'mow' })
  await controller.fetch(partialUpdate, { id: 1 }, { title: 'rake' })
  await history.undo()
  assert.is(rows.get('1')!['title'], 'mow')
  await history.undo()
  assert.is(rows.get('1')!['title'], 'sow')
  await history.redo()
  await history.redo()
  assert.is(rows.get('1')!['title'], 'rake')
})

test('a field that somebody else has changed since is left alone, and named', async () => {
  const { controller, history, rows } = world()
  await controller.fetch(getList)
  await controller.fetch(partialUpdate, { id: 1 }, { title: 'mow', done: true })
  rows.set('1', { ...rows.get('1'), title: 'theirs' })
  await controller.fetch(get, { id: 1 })
  const undone = await history.undo()
  assert.equal(rows.get('1'), { id: 1, title: 'theirs', done: false })
  assert.equal(undone.kept, [{ key: 'Todo', pk: '1', field: 'title' }])
})

test('a creation is undone by deleting, and a deletion by creating; later steps are renamed to the new pk', async () => {
  const { controller, history, fetch, rows } = world()
  await controller.fetch(getList)
  const made = await controller.fetch(getList.push, { title: 'mow' })
  assert.is(made.id, 10)
  await controller.fetch(partialUpdate, { id: 10 }, { done: true })
  await controller.fetch(TodoResource.delete, { id: 10 })
  await history.undo()
  assert.equal(rows.get('11'), { id: 11, title: 'mow', done: true })
  await history.undo()
  assert.equal(rows.get('11'), { id: 11, title: 'mow', done: false })
  await history.undo()
  assert.not(rows.has('11'))
  assert.equal(controller.getResponse(getList).data!.map(({ id }) => id), [1, 2])
  assert.equal(sent(fetch).slice(3).map(each => each.split(' ').slice(0, 2).join(' ')), ['POST /todos', 'PATCH /todos/11', 'DELETE /todos/11'])
})

test('when the call that undoes fails, nothing has been undone, and the error is there to be seen', async () => {
  let failing = false
  const { controller, history, rows } = world({ fail: () => failing })
  await controller.fetch(getList)
  await controller.fetch(partialUpdate, { id: 1 }, { done: true })
  failing = true
  const error = await history.undo().catch((failure: unknown) => failure)
  assert.instance(error, NetworkError)
  assert.is(history.error.value, error)
  assert.is(controller.get(Todo, { id: 1 })!.done, true)
  assert.equal([history.canUndo.value, history.canRedo.value], [true, false])
  failing = false
  await history.undo()
  assert.is(rows.get('1')!['done'], false)
  assert.is(history.error.value, undefined)
})

test('a call that failed is nothing to undo', async () => {
  const { controller, history } = world({ fail: method => method === 'PATCH' })
  await controller.fetch(getList)
  await controller.fetch(partialUpdate, { id: 1 }, { done: true }).catch(() => {})
  assert.is(history.canUndo.value, false)
})

test('responses, polls and patches of others are no steps', async () => {
  const { controller, history } = world()
  await controller.fetch(getList)
  controller.setResponse(get, { id: 1 }, { id: 1, title: 'x' })
  controller.applyPatches([{ op: 'replace', path: ['entities', 'Todo', '1', 'title'], value: 'y' }], { origin: 'tab' })
  assert.is(history.canUndo.value, false)
})

test('what cannot be taken back is passed over', async () => {
  const { controller, history } = world()
  await controller.fetch(getList)
  const ping = new Endpoint(async () => 'pong', { name: 'ping', sideEffect: true })
  controller.set(Todo, { id: 1, title: 'mow' })
  await controller.fetch(ping)
  await history.undo()
  assert.is(controller.get(Todo, { id: 1 })!.title, 'sow')
  assert.equal([history.canUndo.value, history.canRedo.value], [false, true])
})

test('a group is one step', async () => {
  const { controller, history, rows } = world()
  await controller.fetch(getList)
  await history.group(() =>
    Promise.all([controller.fetch(partialUpdate, { id: 1 }, { done: true }), controller.fetch(partialUpdate, { id: 2 }, { done: true })]),
  )
  await history.undo()
  assert.equal([...rows.values()].map(({ done }) => done), [false, false])
  assert.is(history.canUndo.value, false)
  await history.redo()
  assert.equal([...rows.values()].map(({ done }) => done), [true, true])
})

test('a group of which one step cannot be undone is as it was', async () => {
  let failing = false
  const { controller, history, rows } = world({ fail: (_method, url) => failing && url === '/todos/1' })
  await controller.fetch(getList)
  await history.group(() =>
    Promise.all([controller.fetch(partialUpdate, { id: 1 }, { done: true }), controller.fetch(partialUpdate, { id: 2 }, { done: true })]),
  )
  failing = true
  assert.instance(await history.undo().catch((error: unknown) => error), NetworkError)
  assert.equal([...rows.values()].map(({ done }) => done), [true, true])
  assert.equal([history.canUndo.value, history.canRedo.value], [true, false])
})

test('something new after an undo leaves nothing to redo', async () => {
  const { controller, history } = world()
  await controller.fetch(getList)
  controller.set(Todo, { id: 1, title: 'mow' })
  await history.undo()
  controller.set(Todo, { id: 1, title: 'rake' })
  assert.is(history.canRedo.value, false)
})

test('steps beyond the limit are forgotten; with none nothing is retained', async () => {
  const few = new Controller()
  const history = createHistory(few, { limit: 2 })
  for (const title of ['a', 'b', 'c']) few.set(Todo, { id: 1, title })
  await history.undo()
  await history.undo()
  assert.is(history.canUndo.value, false)
  assert.is(few.get(Todo, { id: 1 })!.title, 'a')
  for (const title of ['b', 'c', 'd', 'e', 'f', 'g']) few.set(Todo, { id: 1, title })
  await history.undo()
  await history.undo()
  assert.is(history.canUndo.value, false)
  assert.is(few.get(Todo, { id: 1 })!.title, 'e')
  const none = new Controller()
  const empty = createHistory(none, { limit: 0 })
  none.set(Todo, { id: 1, title: 'a' })
  assert.is(empty.canUndo.value, false)
})

test('clear and reset forget everything', async () => {
  const { controller, history } = world()
  controller.set(Todo, { id: 1, title: 'a' })
  history.clear()
  assert.is(history.canUndo.value, false)
  controller.set(Todo, { id: 1, title: 'b' })
  controller.reset()
  assert.is(history.canUndo.value, false)
})

test('canUndo and canRedo wake their readers', async () => {
  const { controller, history } = world()
  const seen: boolean[] = []
  const stop = effect(() => void seen.push(history.canUndo.value))
  controller.set(Todo, { id: 1, title: 'a' })
  controller.set(Todo, { id: 1, title: 'b' })
  await history.undo()
  await history.undo()
  assert.equal(seen, [false, true, false])
  stop()
})

test('what was taken out of its lists comes back to them, and leaves them again', async () => {
  const { controller, history, fetch } = world()
  await controller.fetch(getList)
  const ids = (): number[] => controller.getResponse(getList).data!.map(({ id }) => id)
  await controller.fetch(getList.remove, { id: 2 }, { done: true })
  assert.equal(ids(), [1])
  const undone = history.undo()
  assert.equal(ids(), [1, 2])
  await undone
  assert.equal(ids(), [1, 2])
  await history.redo()
  assert.equal(ids(), [1])
  assert.equal(sent(fetch), ['PATCH /todos/2 {"done":true}', 'PATCH /todos/2 {"done":false}', 'PATCH /todos/2 {"done":true}'])
})

test('undoing membership is by pk, not by position', async () => {
  const { controller, history } = world()
  await controller.fetch(getList)
  controller.set(getList.schema.push, { id: 5, title: 'mine' })
  controller.setResponse(getList, [{ id: 9 }, { id: 2 }, { id: 5 }, { id: 1 }])
  await history.undo()
  assert.equal(controller.getResponse(getList).data!.map(({ id }) => id), [9, 2, 1])
})

test('undoing membership of a long list takes no longer than the list is', async () => {
  const { controller, history } = world()
  const long = Array.from({ length: 10_000 }, (_, id) => ({ id }))
  controller.setResponse(getList, long)
  controller.set(getList.schema.push, {}, { id: -1 })
  controller.set(getList.schema, {}, long.slice(5000))
  const start = performance.now()
  await history.undo()
  await history.undo()
  // A tenth of a second; by comparing each with each, twenty.
  assert.ok(performance.now() - start < 5000)
  assert.equal(controller.getResponse(getList).data!.map(({ id }) => id), long.map(({ id }) => id))
})

test('a local write that is done again over what others have written goes back to that', async () => {
  const { controller, history } = world()
  await controller.fetch(getList)
  controller.set(Todo, { id: 1, title: 'mow' })
  await history.undo()
  controller.setResponse(get, { id: 1 }, { id: 1, title: 'theirs' })
  await history.redo()
  assert.is(controller.get(Todo, { id: 1 })!.title, 'mow')
  assert.equal(await history.undo(), { kept: [] })
  assert.is(controller.get(Todo, { id: 1 })!.title, 'theirs')
})

test('what readers write when they hear of a local write is no part of it, and comes after it', async () => {
  const { controller, history } = world()
  await controller.fetch(getList)
  const stop = effect(() => {
    if (controller.get(Todo, { id: 1 })!.title !== 'mow') return
    controller.setResponse(get, { id: 2 }, { id: 2, title: 'theirs' })
    controller.set(Todo, { id: 2, done: true })
  })
  controller.set(Todo, { id: 1, title: 'mow' })
  stop()
  const visible = (): unknown[] => [1, 2].flatMap(id => [controller.get(Todo, { id })!.title, controller.get(Todo, { id })!.done])
  assert.equal(visible(), ['mow', false, 'theirs', true])
  await history.undo()
  assert.equal(visible(), ['mow', false, 'theirs', false])
  await history.undo()
  assert.equal(visible(), ['sow', false, 'theirs', false])
})

test('undo while a redo is under way ends that, and is no failure', async () => {
  const { controller, history, clock, fetch, rows } = world({ delay: 10 })
  controller.setResponse(getList, [...rows.values()])
  void controller.fetch(abortable, { id: 1 }, { done: true })
  await history.undo()
  const again = history.redo().catch(() => {})
  await history.undo()
  await again
  assert.is(history.error.value, undefined)
  assert.equal([history.canUndo.value, history.canRedo.value], [false, true])
  const last = history.redo()
  assert.equal([history.canUndo.value, history.canRedo.value], [true, false], 'it is there once')
  await settled()
  clock.advance(10)
  await last
  assert.is(sent(fetch).length, 3)
})

test('steps whose undoing fails stand in their order again, beneath what was done meanwhile', async () => {
  let refuses = false
  const { controller, history, fetch } = world({ fail: method => refuses && method === 'PATCH' })
  await controller.fetch(getList)
  await controller.fetch(partialUpdate, { id: 1 }, { title: 'a' })
  await controller.fetch(partialUpdate, { id: 2 }, { title: 'b' })
  refuses = true
  const undone = [history.undo(), history.undo()]
  controller.set(Todo, { id: 9, title: 'meanwhile' })
  assert.equal((await Promise.allSettled(undone)).map(({ status }) => status), ['rejected', 'rejected'])
  refuses = false
  for (const _ of [1, 2, 3]) await history.undo()
  assert.is(controller.get(Todo, { id: 9 }), undefined)
  assert.equal(sent(fetch).slice(-2), ['PATCH /todos/2 {"title":"reap"}', 'PATCH /todos/1 {"title":"sow"}'])
})

for (const optimistic of [true, false]) {
  test(`two changes of one field are undone one after the other, however soon the second undo follows (optimistic: ${optimistic})`, async () => {
    const { controller, history, fetch, rows } = world()
    const { partialUpdate: change } = createResource({ path: '/todos/:id', schema: Todo, optimistic })
    await controller.fetch(getList)
    for (const title of ['a', 'b', 'c']) await controller.fetch(change, { id: 1 }, { title })
    const undone = await Promise.all([history.undo(), history.undo(), history.undo()])
    assert.equal(undone, [{ kept: [] }, { kept: [] }, { kept: [] }])
    assert.equal(sent(fetch).slice(3).map(call => call.slice(15)), ['{"title":"b"}', '{"title":"a"}', '{"title":"sow"}'])
    assert.equal([rows.get('1')!['title'], controller.get(Todo, { id: 1 })!.title], ['sow', 'sow'])
  })
}

test('what was undone before the server knew of it is done again: the creation first, and then what was done to it', async () => {
  const { controller, history, clock, fetch, rows } = world({ delay: 10 })
  controller.setResponse(getList, [...rows.values()])
  void controller.fetch(getList.push.extend({ getUndo: undefined as never }), { title: 'mow' })
  const { id } = controller.getResponse(getList).data!.at(-1)!
  void controller.fetch(partialUpdate, { id }, { done: true })
  await history.undo()
  await history.undo()
  assert.is(controller.getResponse(getList).data?.length, 2)
  const again = Promise.all([history.redo(), history.redo()])
  assert.is(controller.get(Todo, { id })?.done, true)
  for (const _ of [1, 2]) {
    await settled()
    clock.advance(10)
  }
  await again
  const { id: real } = controller.getResponse(getList).data!.at(-1)!
  assert.equal(sent(fetch).slice(1), ['POST /todos {"title":"mow"}', `PATCH /todos/${real} {"done":true}`])
  assert.is(rows.get(String(real))?.['done'], true)
})

test('a call that was undone under way is done again under the pk that its row has by then', async () => {
  const { controller, history, clock, fetch, rows } = world({ delay: 10 })
  controller.setResponse(getList, [...rows.values()])
  void controller.fetch(getList.push, { title: 'mow' })
  void controller.fetch(abortable, { id: controller.getResponse(getList).data!.at(-1)!.id }, { done: true })
  const pass = async (): Promise<void> => {
    await settled()
    clock.advance(10)
    await settled()
  }
  await pass()
  assert.is(sent(fetch).at(-1), 'PATCH /todos/10 {"done":true}')
  await history.undo()
  for (const move of [history.undo, history.redo, history.redo]) await Promise.all([move(), pass()])
  assert.equal(sent(fetch).slice(2), ['DELETE /todos/10', 'POST /todos {"title":"mow"}', 'PATCH /todos/11 {"done":true}'])
})

test('a call that cannot be made is nothing to undo, and leaves what can be done again', async () => {
  const { controller, history, clock, rows } = world({ fail: method => method === 'POST', delay: 10 })
  controller.setResponse(getList, [...rows.values()])
  const made = controller.fetch(getList.push, { title: 'new' }).catch(() => {})
  const temporary = controller.getResponse(getList).data![2]!.id
  await settled()
  clock.advance(10)
  await made
  controller.set(Todo, { id: 1, title: 'mow' })
  await history.undo()
  assert.equal([history.canUndo.value, history.canRedo.value], [false, true])
  await controller.fetch(partialUpdate, { id: temporary }, { title: 'x' }).then(() => assert.unreachable(), () => {})
  assert.equal([history.canUndo.value, history.canRedo.value], [false, true])
})

test('what came to nothing, or was forgotten, inside of a group is no part of it', async () => {
  const { controller, history } = world({ delay: 10 })
  history.group(() => {
    void controller.fetch(partialUpdate, { id: 1 }, { done: true })
    controller.abort(partialUpdate, { id: 1 }, { done: true })
  })
  assert.is(history.canUndo.value, false)
  history.group(() => {
    controller.set(Todo, { id: 1, title: 'mow' })
    controller.reset()
  })
  assert.is(history.canUndo.value, false)
  history.group(() => {
    controller.reset()
    controller.set(Todo, { id: 1, title: 'mow' })
    controller.set(Todo, { id: 2, title: 'mow' })
  })
  await history.undo()
  assert.equal([history.canUndo.value, controller.get(Todo, { id: 1 })], [false, undefined])
})

test('a poll that is answered before the call, and tells of it already, does not change what is undone', async () => {
  const { controller, history, clock, fetch, rows } = world({ delay: 10 })
  controller.setResponse(getList, [...rows.values()])
  const call = controller.fetch(partialUpdate, { id: 1 }, { title: 'mow' })
  await settled()
  controller.setResponse(getList, [...rows.values()])
  clock.advance(10)
  await call
  void history.undo()
  await settled()
  assert.equal(sent(fetch).slice(1), ['PATCH /todos/1 {"title":"sow"}'])
})

test('and a row that was reported anew while it was being deleted comes back as it was last', async () => {
  const { controller, history, clock, fetch } = world({ delay: 10 })
  controller.setResponse(get, { id: 1 }, { id: 1, title: 'sow', done: false })
  const call = controller.fetch(TodoResource.delete, { id: 1 })
  await settled()
  controller.setResponse(get, { id: 1 }, { id: 1, title: 'theirs', done: false })
  clock.advance(10)
  await call
  void history.undo()
  await settled()
  assert.equal(sent(fetch).slice(1), ['POST /todos {"id":1,"title":"theirs","done":false}'])
})

test('a local write that waited for a call is undone to what the server has, not to what the call had expected', async () => {
  const { controller, history, clock, rows } = world({ delay: 10, fail: () => true })
  controller.setResponse(getList, [...rows.values()])
  const call = controller.fetch(partialUpdate, { id: 1 }, { title: 'mow' }).catch(() => {})
  controller.set(Todo, { id: 1 }, todo => void (todo.title = 'rake'))
  await settled()
  clock.advance(10)
  await call
  assert.is(controller.get(Todo, { id: 1 })!.title, 'rake')
  await history.undo()
  assert.is(controller.get(Todo, { id: 1 })!.title, 'sow')
})

test('and the call beneath it is undone after that: a field that the user has written over is not one that somebody else has changed', async () => {
  const { controller, history, clock, rows, fetch } = world({ delay: 10 })
  controller.setResponse(getList, [...rows.values()])
  const pass = async (): Promise<void> => {
    await settled()
    clock.advance(10)
    await settled()
  }
  void controller.fetch(partialUpdate, { id: 1 }, { title: 'hoe' })
  void controller.fetch(partialUpdate, { id: 1 }, { title: 'mow' })
  controller.set(Todo, { id: 1 }, todo => void (todo.title = 'rake'))
  await pass()
  await pass()
  await history.undo()
  assert.is(controller.get(Todo, { id: 1 })!.title, 'mow')
  for (const title of ['hoe', 'sow']) {
    const undone = history.undo()
    await pass()
    assert.equal(await undone, { kept: [] })
    assert.is(sent(fetch).at(-1), `PATCH /todos/1 {"title":"${title}"}`)
  }
})

test('a local write that waited for a call, and then had nothing to change, is nothing to undo', async () => {
  const { controller, history, clock, rows, fetch } = world({ delay: 10 })
  controller.setResponse(getList, [...rows.values()])
  const call = controller.fetch(TodoResource.delete.extend({ getOptimisticResponse: (snap: { abort: unknown }) => snap.abort }), { id: 1 })
  controller.set(Todo, { id: 1 }, todo => void (todo.title = 'rake'))
  await settled()
  clock.advance(10)
  await call
  const undone = history.undo()
  await settled()
  clock.advance(10)
  await undone
  assert.is(sent(fetch).at(-1), 'POST /todos {"id":1,"title":"sow","done":false}')
  assert.is(history.canUndo.value, false)
  const again = history.redo()
  await settled()
  clock.advance(10)
  await again
  assert.is(history.canRedo.value, false)
})

test.run()
