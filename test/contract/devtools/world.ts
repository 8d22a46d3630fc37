import { Controller, createResource, type ControllerOptions } from '../../../src/index.ts'
import { devtools, type Devtools } from '../../../src/devtools/index.ts'
import { mockFetch, type MockFetch } from '../../../src/testing/index.ts'
import { Todo } from '../../support/todo.ts'

export { Todo }

export const TodoResource = createResource({ path: '/todos/:id', schema: Todo, optimistic: true })

export const rows = [
  { id: 1, title: 'sow', done: false, owner: { id: 7, name: 'ann' } },
  { id: 2, title: 'reap', done: false, owner: { id: 7, name: 'ann' } },
]

export interface World {
  readonly controller: Controller
  readonly tools: Devtools
  readonly network: MockFetch
}

/** A controller that is recorded, without a panel. */
export function createWorld(routes: Parameters<typeof mockFetch>[0] = {}, options: ControllerOptions = {}): World {
  const network = mockFetch({ 'GET /todos': { body: rows }, 'PATCH /todos/2': { body: { id: 2, title: 'reap', done: true } }, ...routes })
  const controller = new Controller({ fetch: network, retry: false, ...options })
  return { controller, tools: devtools(controller, { panel: false, redux: false }), network }
}
