import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { denormalize, emptyState, Entity, schema } from '../../../src/index.ts'
import type { Fields, State } from '../../../src/index.ts'
import { write } from '../../support/write.ts'

const test = suite('denormalize: what is where')

class User extends Entity {
  id = ''
  name = 'anonymous'
  static override key = 'User'
}
/** `author` is required, because its default is truthy; `editor` is optional. */
class Post extends Entity {
  id = ''
  title = 'untitled'
  author: User = User.fromJS()
  editor: User | undefined = undefined
  tags: readonly string[] = []
  static override key = 'Post'
  static override schema = { author: User, editor: User }
}
const remove = (pk: string, state: State, type: unknown = User): State => write(new schema.Invalidate(type as never), pk, state).state
test('a pk may be given as a number', () => {
  assert.is(denormalize(User, 5, write(User, { id: 5 }).state)!.id, 5)
})

test('a raw object that its class will not have is not shown', () => {
  class Named extends User {
    static override validate(processed: Fields): string | undefined {
      return processed['name'] ? undefined : 'no name'
    }
  }
  assert.is(denormalize(Named, { id: '1' }, emptyState), undefined)
  assert.is(denormalize(Post, { id: '1', author: 'u' }, remove('u', write(User, { id: 'u' }).state)), undefined)
})

test('null and undefined results are themselves', () => {
  for (const each of [Post, [Post], { post: Post }, new schema.Collection([Post])]) {
    assert.is(denormalize(each, null, emptyState), null)
    assert.is(denormalize(each, undefined, emptyState), undefined)
  }
})

test.run()
