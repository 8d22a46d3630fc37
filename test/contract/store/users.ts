import { Entity, schema } from '../../../src/index.ts'

export class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
  static override indexes = ['name']
}
export const users = new schema.Collection([User])
