import { createResource, Entity, type Controller } from '../../../src/index.ts'

/** What most tests of the bindings read. */
export class Todo extends Entity {
  id = ''
  title = ''
  done = false
  static override key = 'Todo'
}

export const { get, getList, partialUpdate, delete: remove } = createResource({ path: '/todos/:id', schema: Todo })

export const rowsOf = (count: number): { id: string; title: string; done: boolean }[] =>
  Array.from({ length: count }, (_, n) => ({ id: String(n), title: `title ${n}`, done: false }))

/** Whether the controller refuses writes. */
export function isDisposed(controller: Controller): boolean {
  try {
    controller.set(Todo, { id: '0' }, { id: '0' })
    return false
  } catch (error) {
    return (error as Error).message.includes('disposed')
  }
}
