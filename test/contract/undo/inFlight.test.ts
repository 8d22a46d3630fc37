import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHistory, historyOf, type GroupVerbs } from '../../../src/history/index.ts'
import { AbortError, Controller, createResource, Entity, NetworkError, ResetError, RestEndpoint, type FetchAction, type PatchcordError, type UndoCall } from '../../../src/index.ts'
import { getList, partialUpdate, remove, Task } from './tasks.ts'

const turn = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 1))

/** A controller whose requests are answered by hand. Those of one lane are sent one after the other, as over the network. */
function world({ limit = 100, errors = [] as unknown[] } = {}) {
  const requests: FetchAction[] = []
  const lanes = new Map<unknown, FetchAction[]>()
  const send = (action: FetchAction): void => {
    assert.ok(action.args)
    requests.push(action)
  }
  const done = (action: FetchAction): void => {
    const lane = lanes.get(action.lane) ?? []
    const isFirst = lane[0] === action
    lanes.set(action.lane, lane.filter(each => each !== action))
    const [next] = lanes.get(action.lane)!
    if (isFirst && next) send(next)
  }
  const controller = new Controller({
    gc: false,
    revalidateOverlap: false,
    onError: error => void errors.push(error),
    managers: [
      {
        action(action) {
          if (action.type !== 'fetch') return
          const lane = lanes.get(action.lane) ?? []
          lanes.set(action.lane ?? action, [...lane, action])
          action.signal.addEventListener('abort', () => done(action))
          if (lane.length === 0) send(action)
          return true
        },
      },
    ],
  })
  const history = createHistory(controller, { limit })
  controller.setResponse(getList, [{ id: 1, title: 'sow', n: 0 }, { id: 2, title: 'reap', n: 0 }])
  return {
    controller,
    history,
    requests,
    errors,
    answer: (at: number, value: object): void => {
      requests[at]!.answer(value)
      done(requests[at]!)
    },
    fail: (at: number, status = 422): void => {
      requests[at]!.fail(new NetworkError(`${status}`, { status } as never))
      done(requests[at]!)
    },
    bodies: (): unknown[] => requests.map(({ args }) => args.at(-1)),
    n: (): number | undefined => controller.get(Task, { id: 1 })?.n,
    can: (): [boolean, boolean] => [history.canUndo.value, history.canRedo.value],
  }
}

const test = suite('history of calls in flight')

test('a call in flight disappears at once, and is compensated when the server did it', async () => {
  const { controller, history, answer, bodies, n, can } = world()
  const seen: unknown[] = []
  const stop = effect(() => void seen.push(n()))
  const call = controller.fetch(partialUpdate, { id: 1 }, { n: 1 })
  const undone = history.undo()
  assert.equal([n(), can()], [0, [false, true]])
  answer(0, { id: 1, title: 'sow', n: 1 })
  assert.is((await call).n, 1, 'its own promise has the answer of the server')
  assert.equal(bodies(), [{ n: 1 }, { n: 0 }])
  answer(1, { id: 1, title: 'sow', n: 0 })
  assert.equal(await undone, { kept: [] })
  assert.is(seen.lastIndexOf(1), 1, 'nobody sees the answer that was undone')
  stop()
  const again = history.redo()
  assert.is(n(), 1)
  answer(2, { id: 1, title: 'sow', n: 1 })
  await again
  assert.equal([bodies().length, can()], [3, [true, false]])
})

test('when the server did not do it, nothing is compensated', async () => {
  const { controller, history, fail, bodies, n, can } = world()
  const call = controller.fetch(partialUpdate, { id: 1 }, { n: 1 }).catch((error: unknown) => error)
  const undone = history.undo()
  fail(0)
  assert.instance(await call, NetworkError)
  assert.equal(await undone, { kept: [] })
  assert.equal([bodies().length, n(), can()], [1, 0, [false, true]])
  assert.is(history.error.value, undefined)
})

test('when the compensation fails, the undo is undone', async () => {
  const { controller, history, answer, fail, n, can } = world()
  void controller.fetch(partialUpdate, { id: 1 }, { n: 1 })
  const undone = history.undo().catch((error: unknown) => error)
  answer(0, { id: 1, title: 'sow', n: 1 })
  fail(1)
  const error = await undone
  assert.instance(error, NetworkError)
  assert.is(history.error.value, error)
  assert.equal([n(), can()], [1, [true, false]])
})

test('a getUndo that throws fails the undo, and not the call', async () => {
  const { controller, history, answer, n, can } = world()
  const failing = partialUpdate.extend({
    getUndo: (): UndoCall => {
      throw new Error('no')
    },
  })
  const call = controller.fetch(failing, { id: 1 }, { n: 1 })
  const undone = history.undo().catch((error: unknown) => error)
  answer(0, { id: 1, title: 'sow', n: 1 })
  assert.is((await call).n, 1)
  assert.is(((await undone) as Error).message, 'no')
  assert.is(((await history.undo().catch((error: unknown) => error)) as Error).message, 'no')
  assert.equal([n(), can()], [1, [true, false]])
})

test('redo while the undone call is in flight shows it again, and sends nothing', async () => {
  const { controller, history, answer, bodies, n, can } = world()
  void controller.fetch(partialUpdate, { id: 1 }, { n: 1 })
  const moves = [history.undo(), history.redo()]
  assert.is(n(), 1)
  answer(0, { id: 1, title: 'sow', n: 1 })
  await Promise.all(moves)
  assert.equal([n(), can(), bodies().length], [1, [true, false], 1])
})

test('redo while the compensation waits drops that, and sends nothing', async () => {
  const { controller, history, answer, bodies, n, can } = world()
  void controller.fetch(partialUpdate, { id: 1 }, { n: 1 })
  answer(0, { id: 1, title: 'sow', n: 1 })
  // Recorded by another history. It occupies the lane of the row.
  createHistory(controller)
  void controller.fetch(partialUpdate, { id: 1 }, { title: 'mow' })
  const moves = [history.undo(), history.redo()]
  answer(1, { id: 1, title: 'mow', n: 1 })
  await Promise.all(moves)
  assert.equal([n(), can(), bodies().length], [1, [true, false], 2])
})

test('redo while the compensation is in flight is sent once, after it; undo again drops that', async () => {
  const { controller, history, answer, bodies, n, can } = world()
  void controller.fetch(partialUpdate, { id: 1 }, { n: 1 })
  answer(0, { id: 1, title: 'sow', n: 1 })
  const moves = [history.undo(), history.redo(), history.undo(), history.redo()]
  assert.is(n(), 1)
  answer(1, { id: 1, title: 'sow', n: 0 })
  answer(2, { id: 1, title: 'sow', n: 1 })
  await Promise.all(moves)
  assert.equal([n(), can()], [1, [true, false]])
  assert.equal(bodies(), [{ n: 1 }, { n: 0 }, { n: 1 }])
})

test('a redo that waits for a compensation which fails is not sent', async () => {
  const { controller, history, answer, fail, bodies, n, can } = world()
  void controller.fetch(partialUpdate, { id: 1 }, { n: 1 })
  answer(0, { id: 1, title: 'sow', n: 1 })
  const moves = [history.undo(), history.redo()]
  fail(1)
  await Promise.all(moves)
  assert.equal([n(), can(), bodies().length], [1, [true, false], 2])
})

test('a creation that is undone in flight is deleted when it is there', async () => {
  const { controller, history, requests, answer } = world()
  const ids = (): number[] => controller.getResponse(getList).data!.map(({ id }) => id)
  void controller.fetch(getList.push, { title: 'mow' })
  const undone = history.undo()
  assert.equal(ids(), [1, 2])
  answer(0, { id: 3, title: 'mow', n: 0 })
  assert.equal(requests[1]!.args, [{ id: 3 }])
  assert.equal(ids(), [1, 2])
  answer(1, {})
  await undone
  assert.equal(ids(), [1, 2])
})

test('what the user does after an undo in flight stays', async () => {
  const { controller, history, answer, bodies, n } = world()
  void controller.fetch(partialUpdate, { id: 1 }, { n: 1 })
  const undone = history.undo()
  void controller.fetch(partialUpdate, { id: 1 }, { n: 5 })
  answer(0, { id: 1, title: 'sow', n: 1 })
  answer(1, { id: 1, title: 'sow', n: 5 })
  answer(2, { id: 1, title: 'sow', n: 5 })
  await undone
  assert.equal(bodies(), [{ n: 1 }, { n: 5 }, { n: 5 }])
  assert.is(n(), 5)
})

test('an asynchronous group is one step', async () => {
  const { controller, history, answer, requests, can, n } = world()
  const work = history.group(async ({ fetch, set }: GroupVerbs) => {
    const { id } = await fetch(getList.push, { title: 'mow' })
    set(Task, { id: 1 }, task => void (task.n = id))
    await fetch(partialUpdate, { id: 2 }, { n: 1 })
  })
  // A step of its own: it is not made through the group.
  controller.set(Task, { id: 2 }, task => void (task.title = 'rake'))
  answer(0, { id: 3, title: 'mow', n: 0 })
  await turn()
  answer(1, { id: 2, title: 'reap', n: 1 })
  await work
  assert.is(n(), 3)
  await history.undo()
  assert.equal([controller.get(Task, { id: 2 })!.title, can()], ['reap', [true, true]])
  const undone = history.undo()
  assert.equal(requests[2]!.args, [{ id: 2 }, { n: 0 }])
  answer(2, { id: 2, title: 'reap', n: 0 })
  await turn()
  assert.equal(requests[3]!.args, [{ id: 3 }])
  answer(3, {})
  await undone
  assert.equal([n(), can()], [0, [false, true]])
})

test('a group that cannot be undone shows its calls in flight again', async () => {
  const { controller, history, answer, fail, can, n, bodies } = world()
  history.group(() => {
    void controller.fetch(partialUpdate, { id: 1 }, { n: 1 })
    void controller.fetch(partialUpdate, { id: 2 }, { n: 1 })
  })
  answer(1, { id: 2, title: 'reap', n: 1 })
  const undone = history.undo().catch((error: unknown) => error)
  assert.equal([n(), controller.get(Task, { id: 2 })!.n], [0, 0], 'all of it disappears at once')
  fail(2)
  assert.instance(await undone, NetworkError)
  assert.is(n(), 1)
  answer(0, { id: 1, title: 'sow', n: 1 })
  await turn()
  assert.equal([n(), bodies().length, can()], [1, 3, [true, false]])
})

test('what a group does after it was undone is a step of its own', async () => {
  const { controller, history, can } = world()
  let set: GroupVerbs['set']
  history.group(verbs => {
    set = verbs.set
    set(Task, { id: 1 }, task => void (task.n = 1))
  })
  await history.undo()
  set!(Task, { id: 1 }, task => void (task.n = 2))
  assert.equal([controller.get(Task, { id: 1 })!.n, can()], [2, [true, false]])
  await history.undo()
  assert.equal([controller.get(Task, { id: 1 })!.n, can()], [0, [false, true]])
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
  const other = new Controller({ gc: false })
  const own = createHistory(other, { limit: 1 })
  assert.is(historyOf(other), own)
})

test('a step that cannot be renamed leaves the history, and is reported', async () => {
  const { controller, history, answer, errors, can, requests } = world()
  const name = new RestEndpoint({ path: '/tasks/:task/name', method: 'PUT', body: {} as object, schema: Task, getUndo: (): UndoCall => ({ endpoint: partialUpdate, args: [{ id: 1 }, {}] }) })
  void controller.fetch(name, { task: 1 }, { title: 'mow' })
  answer(0, { id: 1, title: 'mow', n: 0 })
  void controller.fetch(remove, { id: 1 })
  answer(1, {})
  const undone = history.undo()
  answer(2, { id: 7, title: 'mow', n: 0 })
  await undone
  assert.equal(errors.map(error => (error as PatchcordError).code), ['RENAME'])
  assert.match((errors[0] as Error).message, /Task 1 was created again as 7/)
  assert.equal(can(), [false, true])
  void history.redo()
  assert.equal(requests[3]!.args, [{ id: 7 }])
})

test('a child that was deleted before its parent comes back to the new parent', async () => {
  class Item extends Entity {
    static override key = 'Item'
    id = 0
    task: Task | undefined = undefined
    rank = 0
    static override schema = { task: Task }
  }
  const items = createResource({ path: '/items/:id', schema: Item, optimistic: true })
  const { controller, history, answer, requests } = world()
  controller.setResponse(items.getList, [{ id: 5, task: 1, rank: 1 }])
  void controller.fetch(items.delete, { id: 5 })
  answer(0, {})
  void controller.fetch(remove, { id: 1 })
  answer(1, {})
  const parent = history.undo()
  answer(2, { id: 7, title: 'sow', n: 0 })
  await parent
  void history.undo()
  assert.equal(requests[3]!.args, [{ id: 5, task: 7, rank: 1 }])
})

test('a redo that is refused is still to be done', async () => {
  const { controller, history, answer, fail, n, can } = world()
  void controller.fetch(partialUpdate, { id: 1 }, { n: 1 })
  answer(0, { id: 1, title: 'sow', n: 1 })
  void history.undo()
  answer(1, { id: 1, title: 'sow', n: 0 })
  await turn()
  const refused = history.redo().catch((error: unknown) => error)
  fail(2)
  assert.instance(await refused, NetworkError)
  assert.equal([n(), can()], [0, [false, true]])
  const redone = history.redo()
  answer(3, { id: 1, title: 'sow', n: 1 })
  await redone
  assert.equal([n(), can()], [1, [true, false]])
})

test('undo before a call has left: nothing is sent', async () => {
  const { controller, history, answer, bodies, n } = world()
  const first = controller.fetch(partialUpdate, { id: 1 }, { title: 'mow' })
  const second = controller.fetch(partialUpdate, { id: 1 }, { n: 1 }).catch((error: unknown) => error)
  assert.is(n(), 1)
  await history.undo()
  assert.instance(await second, AbortError)
  assert.equal([n(), controller.get(Task, { id: 1 })!.title], [0, 'mow'])
  answer(0, { id: 1, title: 'mow', n: 0 })
  await first
  assert.equal(bodies(), [{ title: 'mow' }])
})

test('a group of which one call cannot be done again is still undone', async () => {
  const { controller, history, requests, answer, fail, can } = world()
  const both = (): number[] => [1, 2].map(id => controller.get(Task, { id })!.n)
  const row = (at: number, n: number): void => answer(at, { id: (requests[at]!.args[0] as { id: number }).id, title: '', n })
  history.group(() => [1, 2].map(id => controller.fetch(partialUpdate, { id }, { n: 1 })))
  for (const at of [0, 1]) row(at, 1)
  const undone = history.undo()
  row(2, 0)
  await turn()
  row(3, 0)
  await undone
  const refused = history.redo().catch((error: unknown) => error)
  row(4, 1)
  await turn()
  fail(5)
  await turn()
  row(6, 0)
  assert.instance(await refused, NetworkError)
  assert.equal([both(), can()], [[0, 0], [false, true]])
  const redone = history.redo()
  row(7, 1)
  await turn()
  row(8, 1)
  await redone
  assert.equal([both(), can()], [[1, 1], [true, false]])
})

test('a call of a group that fails while the group is being undone is no part of it any more', async () => {
  const { controller, history, answer, fail, can } = world()
  let first: Promise<unknown> | undefined
  history.group(() => {
    first = controller.fetch(partialUpdate, { id: 1 }, { n: 1 }).catch((error: unknown) => error)
    void controller.fetch(partialUpdate, { id: 2 }, { n: 1 })
  })
  answer(1, { id: 2, title: 'reap', n: 1 })
  const undone = history.undo().catch((error: unknown) => error)
  controller.abort(partialUpdate, { id: 1 }, { n: 1 })
  await first
  fail(2)
  assert.instance(await undone, NetworkError)
  assert.equal(can(), [true, false])
  const again = history.undo()
  answer(3, { id: 2, title: 'reap', n: 0 })
  await again
  assert.equal([controller.get(Task, { id: 2 })!.n, can()], [0, [false, true]])
})

test('a reset while something is being undone leaves nothing to undo', async () => {
  const { controller, history, answer, can } = world()
  void controller.fetch(partialUpdate, { id: 1 }, { n: 1 })
  answer(0, { id: 1, title: 'sow', n: 1 })
  const undone = history.undo().catch((error: unknown) => error)
  controller.reset()
  assert.instance(await undone, ResetError)
  assert.equal([can(), history.error.value], [[false, false], undefined])
})

test('a step that was undone while a later undo failed can still be redone', async () => {
  const { controller, history, answer, fail, can } = world()
  const both = (): number[] => [1, 2].map(id => controller.get(Task, { id })!.n)
  for (const id of [1, 2]) {
    void controller.fetch(partialUpdate, { id }, { n: id })
    answer(id - 1, { id, title: '', n: id })
  }
  const moves = Promise.allSettled([history.undo(), history.undo()])
  fail(2)
  await turn()
  answer(3, { id: 1, title: '', n: 0 })
  assert.equal((await moves).map(({ status }) => status), ['rejected', 'fulfilled'])
  assert.equal([both(), can()], [[0, 2], [true, true]])
  const redone = history.redo()
  answer(4, { id: 1, title: '', n: 1 })
  await redone
  assert.equal([both(), can()], [[1, 2], [true, false]])
  const undone = history.undo()
  answer(5, { id: 2, title: '', n: 0 })
  await undone
  assert.equal(both(), [1, 0])
})

test('what the user does after an undo ends what could be redone, also while the undo is in flight', async () => {
  const { controller, history, answer, can } = world()
  void controller.fetch(partialUpdate, { id: 1 }, { n: 1 })
  answer(0, { id: 1, title: 'sow', n: 1 })
  const undone = history.undo()
  assert.is(can()[1], true)
  controller.set(Task, { id: 2, n: 5 })
  assert.is(can()[1], false)
  answer(1, { id: 1, title: 'sow', n: 0 })
  await undone
  assert.is(can()[1], false)
})

test.run()
