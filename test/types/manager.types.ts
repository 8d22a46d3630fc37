import { subscribe, type Action, type Controller, type Manager, type ManagerHost } from '../../src/index.ts'
import { Todo, Todos } from './todos.ts'

/** A manager has the controller's own verbs, and their types. */
export function createFeed(listen: (receive: (todo: { id: number; title: string }) => void) => () => void): Manager {
  let stop: (() => void) | undefined
  return {
    start(host) {
      stop = listen(({ id, title }) => {
        host.set(Todo, { id }, (todo) => {
          todo.title = title
          // @ts-expect-error there is no such field
          todo.titel = title
        })
        host.setResponse(Todos.get, { id }, { id, title })
        host.setError(Todos.getList, new Error())
        host.invalidate(Todos.get, { id })
        // @ts-expect-error Property 'id' is missing
        host.invalidate(Todos.get, {})
        // @ts-expect-error the arguments are missing
        host.setResponse(Todos.get, { id, title })
        // @ts-expect-error Property 'id' is missing
        host.setError(Todos.get, { ID: 1 }, new Error())
      })
    },
    stop: () => stop?.(),
  }
}

/** What came as an action goes out as it came. */
export function repeat(host: ManagerHost, action: Action): void {
  if (action.type === 'invalidate') host.invalidate(action.endpoint, ...action.args)
  if (action.type === 'setResponse') host.setResponse(action.endpoint, ...action.args, action.response)
  if (action.type === 'setError') host.setError(action.endpoint, ...action.args, action.error)
  if (action.type === 'fetch') void host.fetch(action.endpoint, ...action.args)
}

/** Each call of a mutation changes something, so it is not polled. */
export function poll(controller: Controller): void {
  subscribe(controller, Todos.get, { id: 1 })
  // @ts-expect-error it has a side effect
  subscribe(controller, Todos.getList.push, { title: 'x' })
}
