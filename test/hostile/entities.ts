import { Entity } from '../../src/index.ts'

/** What most of these tests attack: a row that can be found by its name, and that refers to another one. */
export class User extends Entity {
  id = ''
  name = ''
  best: User | undefined = undefined
  static override key = 'User'
  static override schema: { [field: string]: unknown } = {}
  static override indexes = ['name']
}
User.schema = { best: User }

export class Tag extends Entity {
  id = ''
  static override key = 'Tag'
}

export class Post extends Entity {
  id = ''
  tags: Tag[] = []
  static override key = 'Post'
  static override schema = { tags: [Tag] }
  static override indexes = ['slug']
}
