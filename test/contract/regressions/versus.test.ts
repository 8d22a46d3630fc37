// What random histories, compared with 0.1.0 (test/versus), found in version 2.
import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { All, applyPatches, Collection, Controller, createResource, denormalize, emptyState, Entity, normalize, Query, RestEndpoint, schema } from '../../../src/index.ts'
import { createHistory } from '../../../src/history/index.ts'
import { createClock } from '../../../src/testing/index.ts'

const test = suite('regressions: found by versus')

class Todo extends Entity {
  id = ''
  title = ''
  n = 0
  tags: readonly string[] = []
  static override key = 'Todo'
}

const Todos = createResource({ urlPrefix: 'https://api.test', path: '/todos/:id', schema: Todo, optimistic: true })
const page = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/page', schema: { results: [Todo], total: 0 } })

/** How often a reader runs, beyond the first time. */
function wakes(read: () => unknown): () => number {
  let runs = -1
  effect(() => {
    read()
    runs++
  })
  return () => runs
}

const settled = (): Promise<void> => new Promise(resolve => void setTimeout(resolve))

test('a read without an answer wakes when another tab writes its result', () => {
  const controller = new Controller({ gc: false })
  const view = controller.view(page)
  const runs = wakes(() => view.value)
  controller.applyPatches([{ op: 'add', path: ['endpoints', page.key()], value: { results: [], total: 2 } }], { origin: 'tab' })
  assert.equal(view.value, { results: [], total: 2 })
  assert.is(runs(), 1)
  controller.applyPatches([{ op: 'remove', path: ['endpoints', page.key()] }], { origin: 'tab' })
  assert.is(view.value, undefined)
  assert.is(runs(), 2)
})

test('the same for live objects', () => {
  const controller = new Controller({ gc: false })
  const seen: unknown[] = []
  effect(() => void seen.push((controller.live(page) as { total: number } | undefined)?.total))
  controller.applyPatches([{ op: 'add', path: ['endpoints', page.key()], value: { results: [], total: 2 } }])
  assert.equal(seen, [undefined, 2])
})

test('a query that computes NaN wakes nobody while it stays NaN', () => {
  const controller = new Controller({ gc: false })
  const sum = new Query(new All(Todo), todos => todos.reduce((total, { n }) => total + n, 0))
  controller.set(Todo, { id: '1', n: NaN })
  const view = controller.view(sum)
  const runs = wakes(() => view.value)
  controller.set(Todo, { id: '2', n: 1 })
  assert.is(runs(), 0)
  controller.set(Todo, { id: '1', n: 1 })
  assert.is(view.value, 2)
  assert.is(runs(), 1)
})

test('a field that comes with the value of its default leaves the view as it is', () => {
  const controller = new Controller({ gc: false })
  controller.set(Todo, { id: '1', title: 'sow' })
  const before = controller.get(Todo, { id: '1' })
  const view = controller.view(Todo, { id: '1' })
  const runs = wakes(() => view.value)
  controller.set(Todo, { id: '1', n: 0, tags: [] })
  assert.is(controller.get(Todo, { id: '1' }), before)
  controller.set(Todo, { id: '1', tags: ['x'] })
  assert.equal(controller.get(Todo, { id: '1' })?.tags, ['x'])
  assert.is(runs(), 1)
})

test('a live list does not show a created row that a later call deletes', async () => {
  let answer = (_value: unknown): void => {}
  const fetch = ((_input, init) => new Promise(resolve => void (init?.method === 'POST' && (answer = value => resolve(Response.json(value)))))) as typeof globalThis.fetch
  const controller = new Controller({ gc: false, fetch })
  controller.setResponse(Todos.getList, [{ id: '1' }])
  const ids = (): (string | undefined)[] | undefined => controller.live(Todos.getList)?.map(({ id }) => id)
  const seen: unknown[] = []
  effect(() => void seen.push(ids()?.length))
  const created = controller.fetch(Todos.getList.push, { title: 'new' })
  assert.is(ids()?.length, 2)
  // The pk that the server is going to give.
  controller.fetch(Todos.delete, { id: '2' }).catch(() => {})
  await settled()
  answer({ id: '2', title: 'new' })
  await created
  assert.equal(controller.getResponse(Todos.getList).data?.map(({ id }) => id), ['1'])
  assert.equal(ids(), ['1'])
  assert.equal(seen, [1, 2, 1])
  controller.dispose()
})

for (const [name, read] of [
  ['a view', (controller: Controller) => { const view = controller.view(new All(Todo)); return () => view.value }],
  ['live objects', (controller: Controller) => { const all = new All(Todo); return () => controller.live(all) }],
] as const) {
  test(`collection leaves an empty All on screen empty: ${name}`, async () => {
    const clock = createClock()
    const controller = new Controller({ clock, gc: { after: 1000, every: 100 } })
    const history = createHistory(controller)
    controller.set(Todo, { id: '1' })
    await history.undo()
    const show = read(controller)
    const seen: unknown[] = []
    effect(() => void seen.push(show()?.length))
    clock.advance(10_000)
    assert.equal(seen, [0])
    assert.equal(controller.get(new All(Todo)), [])
    controller.dispose()
  })
}

test('assign takes a map with entries that are null', () => {
  const coins = new Collection(new schema.Values(Todo))
  const { result, patches, stamps } = normalize(coins.assign, { a: { id: '1' }, b: null }, [{}])
  assert.equal(result, { a: '1' })
  const view = denormalize(coins.assign, result, applyPatches(emptyState, patches, stamps), [{}]) as unknown as { readonly a: Todo }
  assert.is(view.a.id, '1')
})

test('a row that a foreign patch brings back after its deletion is not fresh', () => {
  const controller = new Controller({ gc: false })
  controller.setResponse(Todos.delete, { id: '1' }, { id: '1' })
  controller.applyPatches([{ op: 'add', path: ['entities', 'Todo', '1'], value: { id: '1', title: 'back', n: 1, tags: [] } }], { origin: 'tab' })
  const { data, expiresAt } = controller.getResponse(Todos.get, { id: '1' })
  assert.is(data?.title, 'back')
  assert.is(expiresAt, 0)
})

test('a list that is fetched after one of its pages is there', async () => {
  const fetch = (input => Promise.resolve(Response.json(String(input).includes('cursor') ? [{ id: '2' }] : [{ id: '1' }]))) as typeof globalThis.fetch
  const controller = new Controller({ gc: false, fetch })
  await controller.fetch(Todos.getList.paginated('cursor'), { cursor: 2 })
  const list = await controller.fetch(Todos.getList)
  assert.equal(list.map(({ id }) => id), ['1'])
  controller.dispose()
})

test('a page from before its list is no page of it', async () => {
  let first = [{ id: '1' }, { id: '2' }]
  const asked: string[] = []
  const fetch = (input => {
    asked.push(String(input).replace('https://api.test', ''))
    return Promise.resolve(Response.json(String(input).includes('cursor') ? [{ id: '2' }] : first))
  }) as typeof globalThis.fetch
  const controller = new Controller({ gc: false, fetch })
  await controller.fetch(Todos.getList.paginated('cursor'), { cursor: 2 })
  await controller.fetch(Todos.getList)
  first = [{ id: '1' }]
  await controller.fetch(Todos.getList)
  assert.equal(controller.get(Todos.getList.schema, {})!.map(({ id }) => id), ['1'])
  await settled()
  assert.equal(asked, ['/todos?cursor=2', '/todos', '/todos'])
  controller.dispose()
})

test('an entity stays when the undo of a local write removes a list that it shows', async () => {
  class Project extends Entity {
    id = ''
    todos: readonly Todo[] = []
    static override key = 'Project'
    static override schema = { todos: new Collection([Todo], { nestKey: (parent: { readonly id: string }) => ({ project: parent.id }) }) }
  }
  const controller = new Controller({ gc: false })
  const history = createHistory(controller)
  controller.set(new Collection([Todo]), { project: 'p1' }, [{ id: '1' }])
  controller.applyPatches([{ op: 'add', path: ['entities', 'Project', 'p1'], value: { id: 'p1', todos: '{"project":"p1"}' } }])
  assert.is(controller.get(Project, { id: 'p1' })?.todos.length, 1)
  await history.undo()
  assert.is(controller.get(Project, { id: 'p1' })?.id, 'p1')
  controller.dispose()
})

test('a list whose members lead back to it shows itself there, read first or after a change', () => {
  class Task extends Entity {
    id = ''
    title = ''
    project: Project | undefined = undefined
    static override key = 'Task'
    static override schema: { readonly [field: string]: unknown } = {}
  }
  class Project extends Entity {
    id = ''
    tasks: readonly Task[] = []
    static override key = 'Project'
    static override schema = { tasks: new Collection([Task], { nestKey: (parent: { id: string }) => ({ project: parent.id }) }) }
  }
  Task.schema = { project: Project }
  const list = new Collection([Task])
  const controller = new Controller({ gc: false })
  const check = (...ids: string[]): void => {
    const tasks = controller.get(list, { project: 'p1' })!
    assert.equal(tasks.map(({ id }) => id), ids)
    for (const { project } of tasks) assert.is(project!.tasks, tasks)
    assert.is(controller.get(Project, { id: 'p1' })!.tasks, tasks)
    assert.ok(Object.isFrozen(tasks))
  }
  controller.set(Project, { id: 'p1', tasks: [{ id: 'k1', project: 'p1' }] })
  check('k1')
  controller.set(list, { project: 'p1' }, [])
  check()
  controller.set(list, { project: 'p1' }, [{ id: 'k1' }, { id: 'k2', project: 'p1' }])
  check('k1', 'k2')
  // One member changes: the list is patched, not built.
  controller.set(Task, { id: 'k2', title: 'new' })
  check('k1', 'k2')
  assert.is(controller.get(list, { project: 'p1' })![1]!.title, 'new')
  controller.dispose()
})

test.run()
