import type { Test } from 'uvu'
import { createResource, Entity, type Controller } from '../../../src/index.ts'

export { pause, until } from '../../support/waiting.ts'

export class Todo extends Entity {
  static override key = 'Todo'
  id: number | string = 0
  title = ''
  done = false
}
export const TodoResource = createResource({ path: '/todos/:id', schema: Todo, optimistic: true })
export const { getList, get, partialUpdate, delete: remove } = TodoResource

interface Client {
  readonly controller: Controller
}
/** The titles of the list; with a mark for what is done. */
export const titles = ({ controller }: Client): string[] | undefined =>
  controller.get(getList.schema)?.map(({ title, done }) => title + (done ? '!' : ''))
export const title = ({ controller }: Client, id: number | string): string | undefined => controller.get(Todo, { id })?.title

/** Neither a channel nor a timer of the library keeps the process alive. */
export function keepAlive(test: Test): void {
  let alive: ReturnType<typeof setInterval>
  test.before(() => void (alive = setInterval(() => {}, 1000)))
  test.after(() => clearInterval(alive))
}
