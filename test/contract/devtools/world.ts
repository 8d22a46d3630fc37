import { Controller, createResource, type ControllerOptions } from '../../../src/index.ts'
import { devtools } from '../../../src/devtools/index.ts'
import { mockFetch, type MockRoutes } from '../../../src/testing/index.ts'
import { Todo } from '../../support/todo.ts'

export { Todo }

export const TodoResource = createResource({ path: '/todos/:id', schema: Todo, optimistic: true })
export const { get, getList, partialUpdate } = TodoResource

export const rows = [{ id: 1, title: 'sow', done: false, owner: { id: 7, name: 'ann' } }, { id: 2, title: 'reap', done: false, owner: { id: 7, name: 'ann' } }]

/** A controller that is recorded, without a panel. */
export function createWorld(routes: MockRoutes = {}, options: ControllerOptions = {}) {
  const network = mockFetch({ 'GET /todos': { body: rows }, 'PATCH /todos/2': { body: { id: 2, title: 'reap', done: true } }, ...routes })
  const controller = new Controller({ fetch: network, retry: false, ...options })
  const tools = devtools(controller, { panel: false, redux: false })
  return {
    controller, tools, network,
    recording: tools.recording,
    /** The newest commit. */
    last: () => tools.recording.commits.at(-1)!,
    /** Changes a row, without the server. */
    change: (id: number, fields: Partial<Todo>): void => controller.set(Todo, { id }, todo => void Object.assign(todo, fields)),
    /** Sends a change of a row. */
    send: (id: number, fields: Partial<Todo>) => controller.fetch(partialUpdate, { id }, fields),
  }
}
export type World = ReturnType<typeof createWorld>

/** One that has fetched the list. */
export async function createLoadedWorld(routes?: MockRoutes, options?: ControllerOptions): Promise<World> {
  const world = createWorld(routes, options)
  await world.controller.fetch(getList)
  return world
}
