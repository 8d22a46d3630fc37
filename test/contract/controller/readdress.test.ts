import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHistory } from '../../../src/history/index.ts'
import { Controller, createResource, Entity, schema, type Action, type FetchAction } from '../../../src/index.ts'

class Task extends Entity {
  static override key = 'Task'
  id = 0
  title = ''
}

const Tasks = createResource({ path: '/projects/:project/tasks/:id', schema: Task, optimistic: true })
const project = 3

type Row = { readonly [field: string]: unknown }

/** A server that gives everything it makes a number of its own, and delays the requests that the test names. */
function world() {
  const rows = new Map<unknown, Row>([[3, { id: 3, title: 'sow' }]])
  const asked: string[] = []
  const options = { holds: false, letters: '' }
  let last = 6
  const fetch = (url: string | URL | Request, { method = 'GET', body, signal }: RequestInit = {}): Promise<Response> => {
    const sent = (typeof body === 'string' ? JSON.parse(body) : {}) as Row
    const path = String(url)
    if (method !== 'GET') asked.push(`${method} ${path}`)
    if (options.holds) return new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)))
    const named = path.split('/')[4]!
    const id = method === 'POST' ? (options.letters ? `${options.letters}${++last}` : ++last) : /^\d+$/.test(named) ? Number(named) : named
    if (method === 'GET') return Promise.resolve(Response.json([...rows.values()]))
    const row = { ...rows.get(id), ...sent, id }
    if (method === 'DELETE') rows.delete(id)
    else rows.set(id, row)
    return Promise.resolve(Response.json(row))
  }
  const controller = new Controller({ fetch: fetch as never, retry: false, gc: false, revalidateOverlap: false })
  return { controller, history: createHistory(controller), rows, asked, options }
}

const test = suite('history: what has another pk now')

test('only the parameter that names the row is another one, not those that happen to have its number', async () => {
  const { controller, history, asked } = world()
  await controller.fetch(Tasks.getList, { project })
  await controller.fetch(Tasks.partialUpdate, { project, id: 3 }, { title: 'mow' })
  await controller.fetch(Tasks.delete, { project, id: 3 })
  await history.undo()
  await history.undo()
  await history.redo()
  assert.equal(asked.slice(2), ['POST /projects/3/tasks', 'PATCH /projects/3/tasks/7', 'PATCH /projects/3/tasks/7'])
})

test('nor those of the creation', async () => {
  const { controller, history, asked } = world()
  await controller.fetch(Tasks.getList, { project: 7 })
  await controller.fetch(Tasks.getList.push, { project: 7 }, { title: 'mow' })
  await controller.fetch(Tasks.delete, { project: 7, id: 7 })
  await history.undo()
  await history.undo()
  assert.equal(asked, ['POST /projects/7/tasks', 'DELETE /projects/7/tasks/7', 'POST /projects/7/tasks', 'DELETE /projects/7/tasks/8'])
})

test('a number becomes what the row is called now, also where that is none', async () => {
  const { controller, history, asked, options } = world()
  await controller.fetch(Tasks.getList, { project })
  await controller.fetch(Tasks.partialUpdate, { project, id: 3 }, { title: 'mow' })
  await controller.fetch(Tasks.delete, { project, id: 3 })
  options.letters = 'task-'
  await history.undo()
  await history.undo()
  assert.equal(asked.slice(2), ['POST /projects/3/tasks', 'PATCH /projects/3/tasks/task-7'])
})

test('a call that was undone under way is done again under the new pk', async () => {
  const { controller, history, asked, options } = world()
  await controller.fetch(Tasks.getList, { project })
  await controller.fetch(Tasks.getList.push, { project }, { title: 'mow' })
  options.holds = true
  // Without a call that undoes it, it is ended.
  controller.fetch(Tasks.partialUpdate.extend({ getUndo: undefined as never }), { project, id: 7 }, { title: 'rake' }).catch(() => {})
  await history.undo()
  options.holds = false
  await history.undo()
  await history.redo()
  await history.redo()
  assert.equal(asked.slice(2), ['DELETE /projects/3/tasks/7', 'POST /projects/3/tasks', 'PATCH /projects/3/tasks/8'])
})

test('a local write is done again to the row as it is called now', async () => {
  const { controller, history } = world()
  const visible = (): Row[] => controller.getResponse(Tasks.getList, { project }).data!.map(({ id, title }) => ({ id, title }))
  await controller.fetch(Tasks.getList, { project })
  controller.set(Task, { id: 3 }, task => void (task.title = 'mow'))
  controller.set(Task, { id: 3 }, { id: 3, title: 'rake' })
  await controller.fetch(Tasks.delete, { project, id: 3 })
  for (let i = 0; i < 3; i++) await history.undo()
  assert.equal(visible(), [{ id: 7, title: 'sow' }])
  await history.redo()
  assert.equal(visible(), [{ id: 7, title: 'mow' }])
  await history.redo()
  assert.equal(visible(), [{ id: 7, title: 'rake' }])
  assert.is(controller.get(Task, { id: 3 }), undefined)
})

class Note extends Entity {
  static override key = 'Note'
  id = 0
  type = 'note'
  title = ''
}

class Picture extends Note {
  static override key = 'Picture'
  override type = 'picture'
}

const Feed = createResource({ path: '/feeds/:feed/posts/:id', schema: new schema.Union({ note: Note, picture: Picture }, 'type'), optimistic: true })
const feed = 1

test('one of several types is known by the answer, where the arguments do not say which', async () => {
  const { controller, history, asked, rows } = world()
  rows.set(3, { id: 3, type: 'picture', title: 'sow' })
  const visible = (): Row[] => controller.getResponse(Feed.getList, { feed }).data!.map(({ id, title }) => ({ id, title }))
  await controller.fetch(Feed.getList, { feed })
  await controller.fetch(Feed.partialUpdate, { feed, id: 3 }, { title: 'mow' })
  await history.undo()
  assert.equal(visible(), [{ id: 3, title: 'sow' }])
  await history.redo()
  await controller.fetch(Feed.delete, { feed, id: 3 })
  assert.equal(visible(), [])
  await history.undo()
  assert.equal(visible(), [{ id: 7, title: 'mow' }])
  await history.undo()
  assert.equal(visible(), [{ id: 7, title: 'sow' }])
  await history.redo()
  await history.redo()
  assert.equal(visible(), [])
  assert.equal(asked.at(-1), 'DELETE /feeds/1/posts/7')
})

test('and one that is made again is found by its steps', async () => {
  const { controller, history, asked } = world()
  controller.setResponse(Feed.getList, { feed }, [])
  await controller.fetch(Feed.getList.push, { feed }, { type: 'note', title: 'sow' })
  await controller.fetch(Feed.partialUpdate, { feed, id: 7 }, { title: 'mow' })
  await history.undo()
  await history.undo()
  await history.redo()
  await history.redo()
  assert.equal(asked.slice(2), ['PATCH /feeds/1/posts/7', 'DELETE /feeds/1/posts/7', 'POST /feeds/1/posts', 'PATCH /feeds/1/posts/8'])
})

test('what was answered while something else had to be waited for is undone all the same', async () => {
  const requests: FetchAction[] = []
  const action = (each: Action): boolean => each.type === 'fetch' && requests.push(each) > 0
  const controller = new Controller({ managers: [{ action }], gc: false, revalidateOverlap: false })
  const history = createHistory(controller)
  const turn = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 1))
  const { getList, partialUpdate, delete: remove } = createResource({ path: '/tasks/:id', schema: Task, optimistic: true })
  controller.setResponse(getList, [{ id: 3, title: 'sow' }])
  void controller.fetch(getList.move, { id: 3 }, { title: 'mow' })
  void controller.fetch(getList.push, { title: 'rake' })
  // The creation must stay above the move, which was asked for first; it is in the base only after that.
  requests[1]!.answer({ id: 7, title: 'rake' })
  void controller.fetch(partialUpdate, { id: 7 }, { title: 'hoe' })
  assert.equal(requests[2]!.args, [{ id: 7 }, { title: 'hoe' }])
  requests[0]!.answer({ id: 3, title: 'mow' })
  requests[2]!.answer({ id: 7, title: 'hoe' })
  void controller.fetch(remove, { id: 7 })
  requests[3]!.answer({ id: 7 })
  void history.undo()
  assert.equal(requests[4]!.args, [{ id: 7, title: 'hoe' }])
  requests[4]!.answer({ id: 8, title: 'hoe' })
  await turn()
  void history.undo()
  assert.equal(requests[5]!.args, [{ id: 8 }, { title: 'rake' }])
  requests[5]!.answer({ id: 8, title: 'rake' })
  await turn()
  void history.undo()
  assert.equal(requests[6]!.args, [{ id: 8 }])
})

test('while a creation is slow, what was answered after it is what an undo goes back to', async () => {
  const requests: FetchAction[] = []
  const action = (each: Action): boolean => each.type === 'fetch' && requests.push(each) > 0
  const controller = new Controller({ managers: [{ action }], gc: false, revalidateOverlap: false })
  const history = createHistory(controller)
  const { getList, partialUpdate, delete: remove } = createResource({ path: '/tasks/:id', schema: Task, optimistic: true })
  controller.setResponse(getList, [{ id: 3, title: 'sow' }])
  const answer = (value: object): void => {
    const { args, answer } = requests.at(-1)!
    assert.ok(args)
    answer(value)
  }
  void controller.fetch(getList.push, { title: 'rake' })
  // It changes lists, as the creation does, and so stays above that; and what is done to the same row stays above it.
  void controller.fetch(getList.move, { id: 3 }, { title: 'mow' })
  answer({ id: 3, title: 'mow' })
  for (const title of ['hoe', 'dig']) {
    void controller.fetch(partialUpdate, { id: 3 }, { title })
    answer({ id: 3, title })
  }
  const undone = history.undo()
  assert.equal(requests.at(-1)!.args, [{ id: 3 }, { title: 'hoe' }])
  answer({ id: 3, title: 'hoe' })
  await undone
  // A second deletion finds nothing, and so there is nothing to make again.
  for (let i = 0; i < 2; i++) {
    void controller.fetch(remove, { id: 3 })
    answer({ id: 3 })
  }
  void history.undo()
  await new Promise(resolve => setTimeout(resolve, 1))
  assert.equal(requests.at(-1)!.args, [{ id: 3, title: 'hoe' }])
})

test.run()
