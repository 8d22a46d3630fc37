import { Entity } from '../../../src/index.ts'

// Rows whose shape does not matter.

export class User extends Entity {
  id = ''
  name = ''
  email = ''
  static override key = 'User'
  static override indexes = ['name', 'email']
}

export class Bot extends Entity {
  id = ''
  name = ''
  static override key = 'Bot'
}

export class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}

export class Post extends Entity {
  id = ''
  title = ''
  votes = 0
  author: User | undefined = undefined
  static override key = 'Post'
  static override schema = { author: User }
}
