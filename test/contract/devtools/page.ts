// A small app with devtools, driven from outside: tasks and their owners, a list, and buttons that change them.
import { effect } from '@preact/signals-core'
import { Controller, createResource, Entity } from '../../../src/index.ts'
import { devtools, type Devtools, type DevtoolsOptions } from '../../../src/devtools/index.ts'

class Person extends Entity {
  static override key = 'Person'
  id = 0
  name = ''
}

class Task extends Entity {
  static override key = 'Task'
  static override schema = { owner: Person }
  id = 0
  title = ''
  done = false
  points = 0
  owner: Person | undefined = undefined
}

const TaskResource = createResource({ path: '/api/tasks/:id', schema: Task, optimistic: true })
const query = new URLSearchParams(location.search)
const controller = new Controller({ retry: false })

/** One text node a field, as a framework would write it. */
function show(task: Task): HTMLElement {
  const row = document.createElement('li')
  const box = document.createElement('input')
  const title = document.createElement('span')
  const owner = document.createElement('small')
  box.type = 'checkbox'
  box.onchange = () => void controller.fetch(TaskResource.partialUpdate, { id: task.id }, { done: !task.done }).catch(() => {})
  row.append(box, title, owner)
  effect(() => void (box.checked = task.done))
  effect(() => void (title.textContent = task.title))
  effect(() => void (owner.textContent = task.owner?.name ?? ''))
  return row
}

function start(): void {
  const list = document.createElement('ul')
  const heading = document.createElement('h1')
  heading.textContent = 'Tasks'
  document.body.append(heading, list)
  const rows = new Map<Task, HTMLElement>()
  effect(() => {
    const tasks = controller.live(TaskResource.getList) ?? []
    list.replaceChildren(...tasks.map(task => rows.get(task) ?? rows.set(task, show(task)).get(task)!))
  })
}

/** What a test does to the page. */
export interface DevtoolsPage {
  readonly tools: Devtools
  readonly controller: Controller
  readonly TaskResource: typeof TaskResource
  readonly Task: typeof Task
  readonly fill: (count: number) => void
}

const options: DevtoolsOptions = { open: query.has('open'), ...(query.has('right') ? { dock: 'right' } : {}) }
const page: DevtoolsPage = {
  tools: devtools(controller, options),
  controller,
  TaskResource,
  Task,
  fill: count => controller.setResponse(TaskResource.getList, { page: 'all' }, Array.from({ length: count }, (_, i) => ({ id: 1000 + i, title: `Task ${i}`, done: false, points: i % 8, owner: { id: 1 + (i % 4), name: `Person ${i % 4}` } }))),
}
Object.assign(window, { page })
start()
void controller.fetch(TaskResource.getList)
