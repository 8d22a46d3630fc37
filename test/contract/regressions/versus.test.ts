// What random histories, compared with 0.1.0 (test/versus), found in version 2.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { All, Collection, dehydrate, Entity, Query, RestEndpoint, schema } from '../../../src/index.ts'
import { createHistory } from '../../../src/history/index.ts'
import { mockFetch } from '../../../src/testing/index.ts'
import { quiet } from '../bindings/wire.ts'
import { get, getList, open, remove, Todo, seen } from './page.ts'

const test = suite('regressions: found by versus')

const overview = new RestEndpoint({ path: '/overview', schema: { results: [Todo], total: 0 } })
const ids = (list: readonly Todo[] | undefined): string[] | undefined => list?.map(({ id }) => id)

test('a read without an answer, by view or live, wakes when another tab writes its result, and when it takes it away', () => {
  const { controller } = open()
  const view = controller.view(overview)
  const values = seen(() => view.value)
  const live = seen(() => (controller.live(overview) as { total: number } | undefined)?.total)
  const path = ['endpoints', overview.key()]
  controller.applyPatches([{ op: 'add', path, value: { results: [], total: 2 } }], { origin: 'tab' })
  controller.applyPatches([{ op: 'remove', path }], { origin: 'tab' })
  assert.equal(values, [undefined, { results: [], total: 2 }, undefined])
  assert.equal(live, [undefined, 2, undefined])
})

test('a query that computes NaN wakes nobody while it stays NaN', () => {
  const { controller } = open()
  controller.set(Todo, { id: '1', n: NaN })
  const view = controller.view(new Query(new All(Todo), todos => todos.reduce((total, { n }) => total + n, 0)))
  const values = seen(() => view.value)
  controller.set(Todo, { id: '2', n: 1 })
  controller.set(Todo, { id: '1', n: 1 })
  assert.equal(values, [NaN, 2])
})

test('a field that comes with the value of its default leaves the view as it is', () => {
  const { controller } = open()
  controller.set(Todo, { id: '1', title: 'sow' })
  const values = seen(() => controller.get(Todo, { id: '1' }))
  controller.set(Todo, { id: '1', n: 0, tags: [] })
  assert.is(controller.get(Todo, { id: '1' }), values[0])
  controller.set(Todo, { id: '1', tags: ['x'] })
  assert.equal(values.map(todo => todo?.tags), [[], ['x']])
})

test('a deleted row that a patch brings back above a local write which is undone is stale, not deleted', async () => {
  const { controller } = open()
  const history = createHistory(controller)
  controller.setResponse(remove, { id: '3' }, { id: '3' })
  controller.fetch(getList).catch(() => {})
  controller.set(Todo, { id: '3' })
  controller.applyPatches([{ op: 'add', path: ['entities', 'Todo', '3'], value: { id: '3' } }], { origin: 'tab' })
  await history.undo()
  assert.equal([controller.get(Todo, { id: '3' })?.id, controller.getResponse(get, { id: '3' }).expiresAt, dehydrate(controller).entities[0]![1]], ['3', 0, [['3', { id: '3' }, null]]])
  controller.dispose()
})

test('a live list does not show a created row that a later call deletes', async () => {
  const { controller, wire } = open()
  controller.setResponse(getList, [{ id: '1' }])
  const lengths = seen(() => controller.live(getList)?.length)
  const created = controller.fetch(getList.push, { title: 'new' })
  // The pk that the server is going to give.
  controller.fetch(remove, { id: '2' }).catch(() => {})
  await wire.answer('/todos', { id: '2', title: 'new' })
  await created
  assert.equal([ids(controller.getResponse(getList).data), ids(controller.live(getList))], [['1'], ['1']])
  assert.equal(lengths, [1, 2, 1])
  controller.dispose()
})

test('collection leaves an empty All on screen empty, as a view and as live objects', async () => {
  const all = new All(Todo)
  for (const how of ['view', 'live'] as const) {
    const { controller, clock } = open({ gc: { after: 1000, every: 100 } })
    const history = createHistory(controller)
    controller.set(Todo, { id: '1' })
    await history.undo()
    const lengths = seen(() => (how === 'view' ? controller.view(all).value : controller.live(all))?.length)
    clock.advance(10_000)
    assert.equal([lengths, controller.get(all)], [[0], []])
    controller.dispose()
  }
})

test('assign takes a map with entries that are null', () => {
  const { controller } = open()
  const coins = new Collection(new schema.Values(Todo))
  controller.set(coins, {}, {})
  controller.set(coins.assign, {}, { a: { id: '1' }, b: null })
  assert.equal(Object.entries(controller.get(coins, {})!).map(([name, { id }]) => [name, id]), [['a', '1']])
})

test('a row that a foreign patch brings back after its deletion is not fresh', () => {
  const { controller } = open()
  controller.setResponse(remove, { id: '1' }, { id: '1' })
  const value = { id: '1', title: 'back', n: 1, tags: [] }
  controller.applyPatches([{ op: 'add', path: ['entities', 'Todo', '1'], value }], { origin: 'tab' })
  const { data, expiresAt } = controller.getResponse(get, { id: '1' })
  assert.equal([data?.title, expiresAt], ['back', 0])
})

test('a page that was fetched before its list is no page of it: the list is there, and a refetch asks for the list alone', async () => {
  const lists = [[{ id: '1' }, { id: '2' }], [{ id: '1' }]].map(body => ({ body }))
  const fetch = mockFetch({ 'GET /todos?cursor=2': { body: [{ id: '2' }] }, 'GET /todos': lists })
  const { controller } = open({ fetch })
  await controller.fetch(getList.paginated('cursor'), { cursor: 2 })
  assert.equal(ids(await controller.fetch(getList)), ['1', '2'])
  assert.equal(ids(await controller.fetch(getList)), ['1'])
  await quiet()
  assert.equal(fetch.calls.map(({ url }) => url), ['/todos?cursor=2', '/todos', '/todos'])
  controller.dispose()
})

/** A project lists its tasks, and each task leads back to it. */
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
const tasks = new Collection([Task])

test('an entity stays when the undo of a local write removes a list that it shows', async () => {
  const { controller } = open()
  const history = createHistory(controller)
  controller.set(tasks, { project: 'p1' }, [{ id: '1' }])
  controller.applyPatches([{ op: 'add', path: ['entities', 'Project', 'p1'], value: { id: 'p1', tasks: '{"project":"p1"}' } }])
  assert.is(controller.get(Project, { id: 'p1' })?.tasks.length, 1)
  await history.undo()
  assert.is(controller.get(Project, { id: 'p1' })?.id, 'p1')
})

test('a list whose members lead back to it shows itself there, read first or after a change', () => {
  const { controller } = open()
  const check = (...pks: string[]): void => {
    const list = controller.get(tasks, { project: 'p1' })!
    assert.equal(list.map(({ id }) => id), pks)
    for (const { project } of list) assert.is(project!.tasks, list)
    assert.is(controller.get(Project, { id: 'p1' })!.tasks, list)
    assert.ok(Object.isFrozen(list))
  }
  controller.set(Project, { id: 'p1', tasks: [{ id: 'k1', project: 'p1' }] })
  check('k1')
  controller.set(tasks, { project: 'p1' }, [])
  check()
  controller.set(tasks, { project: 'p1' }, [{ id: 'k1' }, { id: 'k2', project: 'p1' }])
  check('k1', 'k2')
  // One member changes: the list is patched, not built.
  controller.set(Task, { id: 'k2', title: 'new' })
  check('k1', 'k2')
  assert.is(controller.get(tasks, { project: 'p1' })![1]!.title, 'new')
})

test.run()
