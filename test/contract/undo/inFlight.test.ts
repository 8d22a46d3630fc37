import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHistory, historyOf, type GroupVerbs } from '../../../src/history/index.ts'
import { AbortError, Controller, createResource, Entity, NetworkError, ResetError, RestEndpoint } from '../../../src/index.ts'
import type { PatchcordError, UndoCall } from '../../../src/index.ts'
import { rejected } from '../../support/caught.ts'
import { getList, openSlowTasks as open, openTasks, partialUpdate, remove, Task, turns } from './tasks.ts'

type Tasks = Awaited<ReturnType<typeof open>>

const setTo = (n: number, id = 1): string => `PATCH /tasks/${id} {"n":${n}}`

const test = suite('history of calls in flight')

test('a call in flight disappears at once, and is compensated when the server did it', async () => {
  const { controller, history, answer, sent, n, can, finish } = await open()
  const seen: unknown[] = []
  const stop = effect(() => void seen.push(n()))
  const call = controller.fetch(partialUpdate, { id: 1 }, { n: 1 })
  await turns()
  const undone = history.undo()
  assert.equal([n(), can()], [0, [false, true]])
  await answer()
  assert.is((await call).n, 1, 'its own promise has the answer of the server')
  assert.equal(sent, [setTo(1), setTo(0)])
  await answer()
  assert.equal(await undone, { kept: [] })
  assert.is(seen.lastIndexOf(1), 1, 'nobody sees the answer that was undone')
  stop()
  const again = history.redo()
  assert.is(n(), 1)
  await finish(again)
  assert.equal([sent.length, can()], [3, [true, false]])
})

test('when the server did not do it, nothing is compensated', async () => {
  const { controller, history, refuse, sent, n, can } = await open()
  const call = rejected(controller.fetch(partialUpdate, { id: 1 }, { n: 1 }))
  await turns()
  const undone = history.undo()
  await refuse()
  assert.instance(await call, NetworkError)
  assert.equal(await undone, { kept: [] })
  assert.equal([sent.length, n(), can(), history.error.value], [1, 0, [false, true], undefined])
})

test('when the compensation fails, the undo is undone', async () => {
  const { call, history, answer, refuse, n, can } = await open()
  await call()
  const undone = rejected(history.undo())
  await answer()
  await refuse()
  assert.instance(await undone, NetworkError)
  assert.is(history.error.value, await undone)
  assert.equal([n(), can()], [1, [true, false]])
})

test('an undo of a row that is gone fails once: then the step below is the next one', async () => {
  const { controller, history, rows, n, can } = await openTasks()
  for (const id of [1, 2]) await controller.fetch(partialUpdate, { id }, { n: id })
  rows.delete(2)
  assert.is(await rejected(history.undo()), history.error.value)
  assert.equal([(history.error.value as NetworkError).status, n(2), can()], [404, 2, [true, false]])
  await history.undo()
  assert.equal([n(1), can(), history.error.value], [0, [false, true], undefined])
})

test('a getUndo that throws fails the undo, and not the call', async () => {
  const { controller, history, answer, n, can } = await open()
  const failing = partialUpdate.extend({ getUndo: (): UndoCall => { throw new Error('no') } })
  const call = controller.fetch(failing, { id: 1 }, { n: 1 })
  await turns()
  const undone = rejected(history.undo())
  await answer()
  assert.is((await call).n, 1)
  assert.equal([(await undone).message, (await rejected(history.undo())).message], ['no', 'no'])
  assert.equal([n(), can()], [1, [true, false]])
})

/** A redo before the undo has ended: nothing is sent that the server need not do. The row shows the call again at once. */
const redos: [title: string, before: (tasks: Tasks) => unknown, moves: ('undo' | 'redo')[], answers: ('answer' | 'refuse')[], sent: string[]][] = [
  ['redo while the undone call is in flight shows it again, and sends nothing', () => {}, ['undo', 'redo'], ['answer'], [setTo(1)]],
  ['redo while the compensation waits drops that, and sends nothing', async ({ controller, answer }) => {
    await answer()
    // Recorded by another history. It occupies the lane of the row.
    createHistory(controller)
    void controller.fetch(partialUpdate, { id: 1 }, { title: 'mow' })
  }, ['undo', 'redo'], ['answer'], [setTo(1), 'PATCH /tasks/1 {"title":"mow"}']],
  ['redo while the compensation is in flight is sent once, after it; undo again drops that',
    ({ answer }) => answer(), ['undo', 'redo', 'undo', 'redo'], ['answer', 'answer'], [setTo(1), setTo(0), setTo(1)]],
  ['a redo that waits for a compensation which fails is not sent', ({ answer }) => answer(), ['undo', 'redo'], ['refuse'], [setTo(1), setTo(0)]],
]
for (const [title, before, moves, answers, sent] of redos) {
  test(title, async () => {
    const tasks = await open()
    await tasks.call()
    await before(tasks)
    const [first, ...rest] = moves
    const all = [tasks.history[first!]()]
    await turns()
    all.push(...rest.map(verb => tasks.history[verb]() as never))
    assert.is(tasks.n(), 1)
    for (const settle of answers) await tasks[settle]()
    await Promise.all(all)
    assert.equal([tasks.n(), tasks.can(), tasks.sent], [1, [true, false], sent])
  })
}

test('the redo of a call that was made on a temporary pk goes before what the user does next, too', async () => {
  const { call, controller, history, answer, n, sent } = await open()
  void controller.fetch(getList.push, { title: 'mow' })
  const { id } = controller.getResponse(getList).data!.at(-1)!
  void controller.fetch(partialUpdate, { id }, { n: 1 })
  for (let i = 0; i < 2; i++) await answer()
  void history.undo()
  await turns()
  void history.redo()
  assert.is(n(3), 1)
  await call(3, 2)
  for (let i = 0; i < 3; i++) await answer()
  assert.equal(sent.slice(1), [setTo(1, 3), setTo(0, 3), setTo(1, 3), setTo(2, 3)])
})

test('the redo of a call that was undone before it could be sent names a created row as the server does', async () => {
  const { controller, history, answer, sent } = await open()
  void controller.fetch(getList.push, { title: 'mow' })
  void controller.fetch(partialUpdate, { id: 1 }, { n: controller.getResponse(getList).data!.at(-1)!.id })
  void history.undo()
  await answer()
  void history.redo()
  await turns()
  assert.equal(sent.slice(1), [setTo(3)], 'a number, and no text')
})

test('the same when the row was created again', async () => {
  const { controller, history, answer, n } = await open()
  for (const act of [() => controller.fetch(partialUpdate, { id: 1 }, { n: 1 }), () => controller.fetch(remove, { id: 1 }), history.undo]) {
    void act()
    await answer()
  }
  void history.undo()
  await turns()
  assert.equal([n(1), n(3)], [undefined, 0])
  void history.redo()
  assert.is(n(3), 1)
})

test('a creation that is undone in flight is deleted when it is there', async () => {
  const { controller, history, sent, answer, visible, finish } = await open()
  const before = visible()
  void controller.fetch(getList.push, { title: 'mow' })
  await turns()
  const undone = history.undo()
  assert.equal(visible(), before)
  await answer()
  assert.equal([sent[1], visible()], ['DELETE /tasks/3', before])
  await finish(undone)
  assert.equal(visible(), before)
})

test('what the user does after an undo in flight stays', async () => {
  const { call, history, answer, sent, n } = await open()
  await call()
  const undone = history.undo()
  await call(1, 5)
  for (let i = 0; i < 3; i++) await answer()
  await undone
  assert.equal([sent, n()], [[setTo(1), setTo(5)], 5])
})

test('what the user does after an undo ends what could be redone, also while the undo is in flight', async () => {
  const { call, controller, history, answer, can, finish } = await open()
  await call()
  await answer()
  const undone = history.undo()
  assert.is(can()[1], true)
  controller.set(Task, { id: 2, n: 5 })
  assert.is(can()[1], false)
  await finish(undone)
  assert.is(can()[1], false)
})

test('an asynchronous group is one step', async () => {
  const { controller, history, answer, sent, can, n, finish } = await open()
  const work = history.group(async ({ fetch, set }: GroupVerbs) => {
    const { id } = await fetch(getList.push, { title: 'mow' })
    set(Task, { id: 1 }, task => void (task.n = id))
    await fetch(partialUpdate, { id: 2 }, { n: 1 })
  })
  // A step of its own: it is not made through the group.
  controller.set(Task, { id: 2 }, task => void (task.title = 'rake'))
  await turns()
  await answer()
  await finish(work)
  assert.is(n(), 3)
  await history.undo()
  assert.equal([controller.get(Task, { id: 2 })!.title, can()], ['reap', [true, true]])
  const undone = history.undo()
  await turns()
  assert.is(sent[2], setTo(0, 2))
  await answer()
  assert.is(sent[3], 'DELETE /tasks/3')
  await finish(undone)
  assert.equal([n(), can()], [0, [false, true]])
})

test('a group that cannot be undone shows its calls in flight again', async () => {
  const { call, history, answer, refuse, can, n, sent } = await open()
  await history.group(() => Promise.all([call(1), call(2)]))
  await answer(1)
  const undone = rejected(history.undo())
  assert.equal([n(1), n(2)], [0, 0], 'all of it disappears at once')
  await turns()
  await refuse(1)
  assert.instance(await undone, NetworkError)
  assert.is(n(), 1)
  await answer()
  assert.equal([n(), sent.length, can()], [1, 3, [true, false]])
})

test('what a group does after it was undone is a step of its own', async () => {
  const { history, n, can } = await open()
  let set: GroupVerbs['set']
  history.group(verbs => {
    set = verbs.set
    set(Task, { id: 1 }, task => void (task.n = 1))
  })
  await history.undo()
  set!(Task, { id: 1 }, task => void (task.n = 2))
  assert.equal([n(), can()], [2, [true, false]])
  await history.undo()
  assert.equal([n(), can()], [0, [false, true]])
})

test('a history records from when it was created; historyOf finds it, or creates it', async () => {
  const controller = new Controller({ gc: false })
  controller.set(Task, { id: 1, n: 1 })
  const history = historyOf(controller)
  assert.is(historyOf(controller), history)
  assert.is(history.canUndo.value, false)
  controller.set(Task, { id: 1, n: 2 })
  await history.undo()
  await history.undo()
  assert.is(controller.get(Task, { id: 1 })!.n, 1)
  const own = createHistory(controller, { limit: 1 })
  assert.is(historyOf(controller), own)
})

test('a step that cannot be renamed leaves the history, and is reported', async () => {
  const { controller, history, server, errors, can, sent } = await open()
  server.holds = () => false
  const getUndo = (): UndoCall => ({ endpoint: partialUpdate, args: [{ id: 1 }, {}] })
  const name = new RestEndpoint({ path: '/tasks/:task', method: 'PUT', body: {} as object, schema: Task, getUndo })
  await controller.fetch(name, { task: 1 }, { title: 'mow' })
  await controller.fetch(remove, { id: 1 })
  await history.undo()
  assert.equal(errors.map(error => (error as PatchcordError).code), ['RENAME'])
  assert.match((errors[0] as Error).message, /Task 1 is now 3/)
  assert.equal(can(), [false, true])
  await history.redo()
  assert.is(sent[3], 'DELETE /tasks/3')
})

test('a child that was deleted before its parent comes back to the new parent', async () => {
  class Item extends Entity {
    static override key = 'Item'
    id = 0
    task: Task | undefined = undefined
    title = ''
    static override schema = { task: Task }
  }
  const { controller, history, server, rows, sent } = await open()
  server.holds = () => false
  const items = createResource({ path: '/items/:id', schema: Item, optimistic: true })
  rows.set(5, { id: 5, title: 'hoe', n: 0 })
  controller.setResponse(items.getList, [{ id: 5, task: 1, title: 'hoe' }])
  await controller.fetch(items.delete, { id: 5 })
  await controller.fetch(remove, { id: 1 })
  await history.undo()
  await history.undo()
  assert.equal(sent.slice(2), ['POST /tasks {"id":1,"title":"sow","n":0}', 'POST /items {"id":5,"task":3,"title":"hoe"}'])
})

test('undo before a call has left: nothing is sent', async () => {
  const { controller, history, sent, n, finish } = await open()
  const first = controller.fetch(partialUpdate, { id: 1 }, { title: 'mow' })
  const second = rejected(controller.fetch(partialUpdate, { id: 1 }, { n: 1 }))
  assert.is(n(), 1)
  await history.undo()
  assert.instance(await second, AbortError)
  assert.equal([n(), controller.get(Task, { id: 1 })!.title], [0, 'mow'])
  await turns()
  await finish(first)
  assert.equal(sent, ['PATCH /tasks/1 {"title":"mow"}'])
})

test('undo and redo in one turn of a call that has not left: it is sent', async () => {
  const { call, controller, history, answer, both } = await open()
  await call()
  void controller.fetch(partialUpdate, { id: 1 }, { title: 'mow' })
  void history.undo()
  void history.redo()
  for (let i = 0; i < 2; i++) await answer()
  both('1 mow 1', '2 reap 0')
})

test('a call that is undone while it waits for another attempt is not made again', async () => {
  const sent: (string | undefined)[] = []
  const fetch = async (_url: string, { method }: RequestInit): Promise<Response> => Response.json([], { status: sent.push(method) === 2 ? 503 : 200 })
  const { controller, history } = await openTasks({ fetch: fetch as never, retry: { base: 20 } })
  const deleted = rejected(controller.fetch(remove, { id: 1 }))
  await turns()
  await history.undo()
  assert.instance(await deleted, AbortError)
  assert.equal(sent, ['GET', 'DELETE'])
})

test('a call of a group that fails while the group is being undone is no part of it any more', async () => {
  const { call, controller, history, answer, refuse, n, can, finish } = await open()
  await history.group(() => Promise.all([call(1), call(2)]))
  await answer(1)
  const undone = rejected(history.undo())
  controller.abort(partialUpdate, { id: 1 }, { n: 1 })
  await turns()
  await refuse()
  assert.instance(await undone, NetworkError)
  assert.equal(can(), [true, false])
  const again = history.undo()
  await turns()
  await finish(again)
  assert.equal([n(2), can()], [0, [false, true]])
})

test('a reset while something is being undone leaves nothing to undo', async () => {
  const { call, controller, history, answer, can } = await open()
  await call()
  await answer()
  const undone = rejected(history.undo())
  controller.reset()
  assert.instance(await undone, ResetError)
  assert.equal([can(), history.error.value], [[false, false], undefined])
})

test('a step that was undone while a later undo failed can still be redone', async () => {
  const { call, history, server, answer, refuse, n, can } = await open()
  for (const id of [1, 2]) {
    await call(id, id)
    await answer()
  }
  const moves = Promise.allSettled([history.undo(), history.undo()])
  await turns()
  await refuse()
  await answer()
  assert.equal((await moves).map(({ status }) => status), ['rejected', 'fulfilled'])
  assert.equal([n(1), n(2), can()], [0, 2, [true, true]])
  server.holds = () => false
  await history.redo()
  assert.equal([n(1), n(2), can()], [1, 2, [true, false]])
  await history.undo()
  assert.equal([n(1), n(2)], [1, 0])
})

test.run()
