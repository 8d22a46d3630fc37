import { createResource, Entity } from '../../../src/index.ts'

/** What most tests of the Solid binding read. */
export class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}

export const { get, getList } = createResource({ path: '/todos/:id', schema: Todo })
