import { createResource, Entity } from '../../src/index.ts'

export class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
  greet(): string {
    return this.name
  }
}
export class Todo extends Entity {
  id = 0
  title = ''
  done = false
  due = new Date(0)
  user = new User()
  static override key = 'Todo'
  static override schema = { due: Date, user: User }
}
export const Todos = createResource({ path: '/todos/:id', schema: Todo })
