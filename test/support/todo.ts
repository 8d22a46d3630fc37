import { createResource, Entity } from '../../src/index.ts'

export class User extends Entity {
  static override key = 'User'
  id = 0
  name = ''
}

export class Todo extends Entity {
  static override key = 'Todo'
  static override schema = { owner: User }
  id = 0
  title = ''
  done = false
  owner: User | null = null
}

export const TodoResource = createResource({ path: '/todos/:id', schema: Todo })
