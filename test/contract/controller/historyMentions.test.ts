import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHistory, type History } from '../../../src/history/index.ts'
import { Controller, createResource, Entity } from '../../../src/index.ts'
import { mockFetch, type MockFetch, type MockRoutes } from '../../../src/testing/index.ts'

class Project extends Entity {
  static override key = 'Project'
  id = 0
  name = ''
}

class Task extends Entity {
  static override key = 'Task'
  id = 0
  title = ''
  rank = 0
  project: Project | undefined = undefined
  others: Project[] = []
  static override schema = { project: Project, others: [Project] }
}

const projects = createResource({ path: '/projects/:id', schema: Project, optimistic: true })
const tasks = createResource({ path: '/tasks/:id', schema: Task, optimistic: true })

/** A server that keeps rows under the next number that is free. */
function world(): { controller: Controller; history: History; fetch: MockFetch } {
  const rows = new Map<string, object>()
  let next = 10
  const routes: MockRoutes = {}
  for (const table of ['projects', 'tasks']) {
    routes[`POST /${table}`] = ({ body }) => {
      const row = { ...(body as object), id: next++ }
      rows.set(`/${table}/${row.id}`, row)
      return { body: row }
    }
    for (let id = 10; id < 20; id++) {
      const url = `/${table}/${id}`
      for (const method of ['PATCH', 'PUT']) {
        routes[`${method} ${url}`] = ({ body }) => {
          rows.set(url, { ...rows.get(url), ...(body as object) })
          return { body: rows.get(url) }
        }
      }
      routes[`DELETE ${url}`] = () => ({ status: 204 })
    }
  }
  const fetch = mockFetch(routes)
  const controller = new Controller({ fetch, retry: false })
  return { controller, history: createHistory(controller), fetch }
}

const sent = ({ calls }: MockFetch): string[] => calls.map(({ method, url, body }) => `${method} ${url} ${JSON.stringify(body) ?? ''}`.trim())

const test = suite('history: what calls say of what is made again')

test('a call that is done again names what was made again as it is called now', async () => {
  const { controller, history, fetch } = world()
  const { id } = await controller.fetch(projects.getList.push, { name: 'p' })
  await controller.fetch(tasks.getList.push, { title: 't', rank: 10, project: id as never, others: [id] as never })
  for (const move of [history.undo, history.undo, history.redo, history.redo]) await move()
  assert.equal(sent(fetch).slice(2), [
    'DELETE /tasks/11',
    'DELETE /projects/10',
    'POST /projects {"name":"p"}',
    'POST /tasks {"title":"t","rank":10,"project":12,"others":[12]}',
  ])
})

test('also where it names itself in what it sends', async () => {
  const { controller, history, fetch } = world()
  const { id } = await controller.fetch(tasks.getList.push, { title: 't' })
  await controller.fetch(tasks.update, { id }, { id, title: 'u', rank: 10 })
  for (const move of [history.undo, history.undo, history.redo, history.redo]) await move()
  assert.is(sent(fetch).at(-1), 'PUT /tasks/11 {"id":11,"title":"u","rank":10}')
})

test('and so does the call that takes it back', async () => {
  const { controller, history, fetch } = world()
  const { id } = await controller.fetch(projects.getList.push, { name: 'p' })
  const task = await controller.fetch(tasks.getList.push, { title: 't', project: id as never })
  await controller.fetch(tasks.partialUpdate, { id: task.id }, { project: null as never })
  await controller.fetch(projects.delete, { id })
  for (const move of [history.undo, history.undo]) await move()
  assert.equal(sent(fetch).slice(4), ['POST /projects {"name":"p","id":10}', 'PATCH /tasks/11 {"project":12}'])
})

test('and a local write', async () => {
  const { controller, history } = world()
  const { id } = await controller.fetch(projects.getList.push, { name: 'p' })
  controller.set(Task, { id: 5, title: 't', rank: 10, project: { id } as never })
  for (const move of [history.undo, history.undo, history.redo, history.redo]) await move()
  assert.equal([controller.get(Task, { id: 5 })!.project!.id, controller.get(Task, { id: 5 })!.rank, controller.get(Project, { id: 10 })], [11, 10, undefined])
})

test('also one whose value leads back to itself', async () => {
  class Group extends Entity {
    static override key = 'Group'
    id = 0
    first: Member | undefined = undefined
    static override schema: { first?: typeof Member } = {}
  }
  class Member extends Entity {
    static override key = 'Member'
    id = 0
    group: Group | undefined = undefined
    project: Project | undefined = undefined
    static override schema = { group: Group, project: Project }
  }
  Group.schema = { first: Member }
  const { controller, history } = world()
  const { id } = await controller.fetch(projects.getList.push, { name: 'p' })
  const group: { id: number; first?: object } = { id: 5 }
  group.first = { id: 6, group, project: id }
  controller.set(Group, group as never)
  for (const move of [history.undo, history.undo, history.redo, history.redo]) await move()
  const visible = controller.get(Group, { id: 5 })!
  assert.equal([visible.first!.project!.id, visible.first!.group === visible], [11, true])
})

test.run()
