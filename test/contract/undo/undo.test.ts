import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHistory } from '../../../src/history/index.ts'
import { AbortError, Controller, createResource, Entity, NetworkError, schema } from '../../../src/index.ts'
import { mockFetch } from '../../../src/testing/index.ts'
import { isSettled } from '../../support/state.ts'
import { Todo } from '../../support/todo.ts'
import { User } from '../store/users.ts'
import { getList, openTasks, partialUpdate, remove, Task, turns, update } from './tasks.ts'

type Tasks = Awaited<ReturnType<typeof openTasks>>

const test = suite('undo of what was answered')

type Act = (tasks: Tasks) => unknown

const change: Act = ({ controller }) => controller.fetch(partialUpdate, { id: 1 }, { title: 'mow', n: 1 })
const sendForm: Act = ({ controller }) => controller.fetch(partialUpdate, { id: 1 }, { title: 'sow', n: 1 })
const replace: Act = ({ controller }) => controller.fetch(update, { id: 2 }, { title: 'mow', n: 1 })
const create: Act = ({ controller }) => controller.fetch(getList.push, { title: 'mow' })
const remove2: Act = ({ controller }) => controller.fetch(remove, { id: 2 })
const remove2Twice: Act = tasks => Promise.all([remove2(tasks), tasks.controller.applyPatches([{ op: 'remove', path: ['entities', 'Task', '2'] }], { origin: 'push' })])
const write: Act = ({ controller }) => controller.set(Task, { id: 1 }, task => void (task.title = 'mow'))
const setBoth: Act = ({ controller, history }) => history.group(() => Promise.all([1, 2].map(id => controller.fetch(partialUpdate, { id }, { n: 1 }))))
const several: Act = tasks => tasks.history.group(() => Promise.all([change, create, remove2].map(act => act(tasks))))
const before = ['1 sow 0', '2 reap 0']

/** What is there after it was done, undone, done again and undone again; and what was sent for that. */
const kinds: [title: string, act: Act, states: string[][], sent: string[]][] = [
  ['a change is undone, and done again', change,
    [['1 mow 1', '2 reap 0'], before, ['1 mow 1', '2 reap 0'], before], ['PATCH /tasks/1 {"title":"mow","n":1}', 'PATCH /tasks/1 {"title":"sow","n":0}', 'PATCH /tasks/1 {"title":"mow","n":1}']],
  ['a PATCH of a whole form is undone in the fields that it changed: somebody else may have changed the others since', sendForm,
    [['1 sow 1', '2 reap 0'], before, ['1 sow 1', '2 reap 0'], before], ['PATCH /tasks/1 {"title":"sow","n":1}', 'PATCH /tasks/1 {"n":0}', 'PATCH /tasks/1 {"title":"sow","n":1}', 'PATCH /tasks/1 {"n":0}']],
  ['a whole update is undone field by field', replace,
    [['1 sow 0', '2 mow 1'], before, ['1 sow 0', '2 mow 1'], before], ['PUT /tasks/2 {"title":"mow","n":1}', 'PUT /tasks/2 {"title":"reap","n":0}', 'PUT /tasks/2 {"title":"mow","n":1}']],
  ['a creation is undone by deleting, and done again; an undo after that finds the new one', create,
    [[...before, '3 mow 0'], before, [...before, '4 mow 0'], before], ['POST /tasks {"title":"mow"}', 'DELETE /tasks/3', 'POST /tasks {"title":"mow"}', 'DELETE /tasks/4']],
  ['a deletion is undone by making it again, and done again under its new pk', remove2,
    [['1 sow 0'], ['1 sow 0', '3 reap 0'], ['1 sow 0'], ['1 sow 0', '4 reap 0']],
    ['DELETE /tasks/2', 'POST /tasks {"id":2,"title":"reap","n":0}', 'DELETE /tasks/3', 'POST /tasks {"title":"reap","n":0,"id":3}']],
  ['a deletion that a message of the server tells of before the answer is undone too', remove2Twice,
    [['1 sow 0'], ['1 sow 0', '3 reap 0'], ['1 sow 0'], ['1 sow 0', '4 reap 0']], ['DELETE /tasks/2', 'POST /tasks {"id":2,"title":"reap","n":0}']],
  ['a local write is undone without the server', write, [['1 mow 0', '2 reap 0'], before, ['1 mow 0', '2 reap 0'], before], []],
  ['a group is one step, undone last first', several,
    [['1 mow 1', '3 mow 0'], ['1 sow 0', '4 reap 0'], ['1 mow 1', '5 mow 0'], ['1 sow 0', '6 reap 0']],
    ['PATCH /tasks/1 {"title":"mow","n":1}', 'POST /tasks {"title":"mow"}', 'DELETE /tasks/2',
      'POST /tasks {"id":2,"title":"reap","n":0}', 'DELETE /tasks/3', 'PATCH /tasks/1 {"title":"sow","n":0}']],
]
for (const [title, act, states, sent] of kinds) {
  test(title, async () => {
    const tasks = await openTasks()
    const { history, can } = tasks
    for (const [i, state] of states.entries()) {
      await (i === 0 ? act(tasks) : i === 2 ? history.redo() : history.undo())
      assert.equal(tasks.visible(), state)
      if (sent.length > 0) tasks.both(...state)
      assert.equal(can(), [i % 2 === 0, i % 2 === 1])
    }
    assert.equal(tasks.sent.slice(0, sent.length || undefined), sent)
  })
}

class Step extends Entity { static override key = 'Step'; static override schema = { task: Task }; id = 0; task?: Task }

test('steps before a deletion are about the row that was made again, also where the arguments of a list name it', async () => {
  const { controller, history, both, can } = await openTasks()
  const steps = new schema.Collection([Step])
  await controller.fetch(partialUpdate, { id: 2 }, { title: 'mow' })
  controller.set(steps, { task: 2 }, [{ id: 5 }])
  await controller.fetch(remove, { id: 2 })
  for (const verb of ['undo', 'undo', 'undo'] as const) await history[verb]()
  both('1 sow 0', '3 reap 0')
  assert.equal([can(), controller.get(steps, { task: 3 })?.length ?? 0], [[false, true], 0])
  for (const verb of ['redo', 'redo'] as const) await history[verb]()
  assert.equal([can(), controller.get(steps, { task: 3 })?.map(({ id }) => id)], [[true, true], [5]])
})

/** What both have after the refusal, and after the next attempt. */
const refusals: [title: string, act: Act, verb: 'undo' | 'redo', refused: RegExp, refusedState: string[], state: string[]][] = [
  ['when the call that undoes is refused, the undo is undone, and the error is there to be seen', change, 'undo', /^PATCH/, ['1 mow 1', '2 reap 0'], before],
  ['the same for a creation whose deletion is refused', create, 'undo', /^DELETE/, [...before, '3 mow 0'], before],
  ['and for a deletion that is not made again', remove2, 'undo', /^POST/, ['1 sow 0'], ['1 sow 0', '3 reap 0']],
  ['a group of which one call cannot be undone is as it was', setBoth, 'undo', /tasks\/1/, ['1 sow 1', '2 reap 1'], before],
  ['a redo that is refused is still to be done', change, 'redo', /^PATCH/, before, ['1 mow 1', '2 reap 0']],
  ['a group of which one call cannot be done again is still undone', setBoth, 'redo', /tasks\/2/, before, ['1 sow 1', '2 reap 1']],
]
for (const [title, act, verb, refused, refusedState, state] of refusals) {
  test(title, async () => {
    const tasks = await openTasks()
    const { history, server, both, can } = tasks
    const isUndo = verb === 'undo'
    await act(tasks)
    if (!isUndo) await history.undo()
    server.refuses = request => refused.test(request)
    const error: unknown = await history[verb]().catch((failure: unknown) => failure)
    assert.instance(error, NetworkError)
    assert.equal([(error as NetworkError).status, can()], [422, [isUndo, !isUndo]])
    assert.is(history.error.value, error)
    both(...refusedState)
    server.refuses = () => false
    await history[verb]()
    both(...state)
    assert.equal([history.error.value, can()], [undefined, [!isUndo, isUndo]])
  })
}

test('it shows at once, and the layer goes with the answer', async () => {
  const { controller, history, server, answer, visible, both } = await openTasks()
  await controller.fetch(partialUpdate, { id: 1 }, { n: 1 })
  server.holds = () => true
  const undo = history.undo()
  assert.equal([visible(), isSettled(controller)], [before, false])
  await answer()
  await undo
  assert.ok(isSettled(controller))
  both(...before)
})

test('undo while a call without getUndo is under way ends it; when the server had taken it, the client finds out', async () => {
  const { controller, history, server, rows, sent, visible, can, both } = await openTasks()
  server.holds = request => request.startsWith('PATCH')
  const call = controller.fetch(partialUpdate.extend({ getUndo: undefined as never }), { id: 1 }, { n: 1 }).catch((error: unknown) => error)
  await turns()
  assert.equal([visible(), sent.length], [['1 sow 1', '2 reap 0'], 1])
  rows.set(1, { id: 1, title: 'sow', n: 1 })
  await history.undo()
  assert.instance(await call, AbortError)
  assert.equal([visible(), can()], [before, [false, true]])
  // The server has done it all the same: what it has is asked for, once.
  await turns()
  assert.equal(sent.slice(1), ['GET /tasks'])
  both('1 sow 1', '2 reap 0')
})

test('the undo of a call that has changed nothing sends nothing, so that it takes back nobody else\'s change', async () => {
  const { controller, history, rows, sent, both, can } = await openTasks()
  await controller.fetch(partialUpdate, { id: 1 }, { n: 0 })
  rows.set(1, { id: 1, title: 'sow', n: 8 })
  await controller.fetch(getList)
  sent.length = 0
  assert.equal([await history.undo(), sent, can()], [{ kept: [] }, [], [false, true]])
  both('1 sow 8', '2 reap 0')
})

class Basket extends Entity { static override schema = { todos: [Todo] }; id = 0; todos: Todo[] = [] }
const baskets = createResource({ path: '/baskets/:id', schema: Basket, body: {} as object, optimistic: true })

test('nested rows without a pk show at once; those that a call sent as objects are sent back as objects', async () => {
  const todos = ['a', 'b'].map((title, i) => ({ id: i + 1, title }))
  const changed = [{ id: 1, title: 'c' }, todos[1], { title: 'd' }]
  const fetch = mockFetch({ 'PATCH /baskets/1': [{ body: { id: 1, todos: changed.map((todo, i) => ({ ...todo, id: i + 1 })) } }, { body: { id: 1, todos } }] })
  const controller = new Controller({ gc: false, fetch })
  const history = createHistory(controller)
  const visible = (): string => controller.get(Basket, { id: 1 })!.todos.map(({ title }) => title).join()
  controller.set(Basket, { id: 1, todos })
  const call = controller.fetch(baskets.partialUpdate, { id: 1 }, { todos: changed })
  assert.is(visible(), 'c,b,d')
  await call.then(history.undo)
  assert.equal([visible(), fetch.calls[1]!.body], ['a,b', { todos }])
})

test('a creation that is answered in an envelope is undone, and made again for the steps after it', async () => {
  const { controller, history, both } = await openTasks()
  const push = getList.push.extend({ schema: { data: getList.push.schema }, process: (data: unknown) => ({ data }), getOptimisticResponse: undefined as never })
  await controller.fetch(push, { title: 'mow' })
  await controller.fetch(partialUpdate, { id: 3 }, { n: 1 })
  for (const verb of ['undo', 'undo', 'redo', 'redo'] as const) await history[verb]()
  both('1 sow 0', '2 reap 0', '4 mow 1')
})

test('a settled call without getUndo is no step', async () => {
  const { controller, can } = await openTasks()
  await controller.fetch(partialUpdate.extend({ getUndo: undefined as never }), { id: 2 }, { n: 9 })
  assert.equal(can(), [false, false])
})

const oneOf = new schema.Union({ task: Task }, 'type')
const guessed = new schema.Union({ task: Task }, () => 'task')
class Post extends Entity {
  static override key = 'Post'
  static override schema = { pinned: oneOf, tasks: new schema.Collection([Task]), by: new schema.Values(Task), all: [oneOf], in: { at: Task }, labels: [User], guessed }
  id = 0
}

test('relations of every shape go to the server in its form, and those that a PUT did not change as they were sent', async () => {
  const task = { id: 5, type: 'task' }
  let row: object = { id: 7, n: '5', pinned: task, tasks: [task], by: { x: task }, all: [task], in: { at: task, others: [1] }, labels: [{ id: '5' }, { id: '09' }], guessed: { id: 6 } }
  const expected = row
  const answer = ({ body }: { readonly body: unknown }): { body: object } => ({ body: (row = { ...row, ...(body as object) }) })
  const fetch = mockFetch({ 'GET /posts/7': () => ({ body: row }), 'PUT /posts/7': answer, 'DELETE /posts/7': { status: 204 }, 'POST /posts': answer })
  const controller = new Controller({ fetch })
  const posts = createResource({ path: '/posts/:id', schema: Post, body: {} as object })
  const history = createHistory(controller)
  await controller.fetch(posts.get, { id: 7 })
  await controller.fetch(posts.update, { id: 7 }, { ...row, n: 6, by: {} })
  await history.undo()
  assert.equal(row, { ...expected, by: { x: 5 } })
  await controller.fetch(posts.delete, { id: 7 })
  await history.undo()
  assert.equal(fetch.calls.at(-1)!.body, { id: 7, n: '5', pinned: task, by: { x: 5 }, all: [task], in: { at: 5, others: [1] }, labels: ['5', '09'], guessed: { id: 6 } })
  const { getUndo } = posts.partialUpdate
  assert.equal(getUndo!.call(posts.partialUpdate, { previous: { by: { x: '5' }, tasks: 'stored' }, result: {} }, { id: 7 }, { by: {}, tasks: [1] })!.args[1], { by: { x: 5 } })
})

test.run()
