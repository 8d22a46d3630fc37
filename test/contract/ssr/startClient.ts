import { Controller, hydrate } from '../../../src/index.ts'
import { Todo, TodoResource } from './todos.ts'

/** A controller with the state of the page. What `visit` needs is put into the window, the elements that the server sent included. */
export function startClient(): Controller {
  const controller = new Controller({ retry: false })
  const state = document.getElementById('patchcord')
  if (state) hydrate(controller, state.textContent)
  Object.assign(window, {
    before: [...document.querySelectorAll('#app *')],
    rename: (title: string) => controller.set(Todo, { id: '1' }, { id: '1', title }),
    invalidate: () => controller.invalidate(TodoResource.getList),
  })
  return controller
}
