import { createResource, Entity } from '../../../src/index.ts'

export class Task extends Entity {
  static override key = 'Task'
  id = 0
  title = ''
  n = 0
}

export const { getList, partialUpdate, delete: remove } = createResource({ path: '/tasks/:id', schema: Task, optimistic: true })
