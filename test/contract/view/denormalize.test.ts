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
const post = (fields: object): { state: State; result: unknown } => write(Post, { id: '1', ...fields })

test('an entity is a frozen instance of its class, with nested fields resolved and defaults for the rest', () => {
  const { state, result } = post({ author: { id: 'u', name: 'Ada' } })
  const view = denormalize(Post, result, state)!
  assert.instance(view, Post)
  assert.instance(view.author, User)
  assert.is(view.author.name, 'Ada')
  assert.is(view.title, 'untitled')
  assert.ok(Object.isFrozen(view) && Object.isFrozen(view.author))
  assert.equal(Object.keys(view).sort(), ['author', 'editor', 'id', 'tags', 'title'])
  assert.equal(JSON.parse(JSON.stringify(view)), { id: '1', title: 'untitled', author: { id: 'u', name: 'Ada' }, tags: [] })
  assert.equal({ ...view.author }, { id: 'u', name: 'Ada' })
})

test('a pk without a record is undefined', () => {
  assert.is(denormalize(User, 'never', emptyState), undefined)
  assert.is(denormalize(User, 'never', write(User, { id: '1' }).state), undefined)
})

test('a pk may be given as a number', () => {
  assert.is(denormalize(User, 5, write(User, { id: 5 }).state)!.id, 5)
})

test('a deleted entity is not shown', () => {
  assert.is(denormalize(User, '1', remove('1', write(User, { id: '1' }).state)), undefined)
})

test('an entity that createIfValid will not have is not shown', () => {
  class Named extends User {
    static override validate(processed: Fields): string | undefined {
      return processed['name'] ? undefined : 'no name'
    }
  }
  const { state } = write(User, { id: '1' })
  assert.is(denormalize(Named, '1', state), undefined)
  assert.instance(denormalize(User, '1', state), User)
})

test('nested and required, but deleted: the parent is not shown', () => {
  const { state, result } = post({ author: { id: 'u' } })
  assert.is(denormalize(Post, result, remove('u', state)), undefined)
})

test('nested and optional, but deleted: the field is undefined', () => {
  const { state, result } = post({ author: { id: 'u' }, editor: { id: 'e' } })
  const view = denormalize(Post, result, remove('e', state))!
  assert.is(view.editor, undefined)
  assert.is(view.author.id, 'u')
})

test('nested and missing: the field is undefined and the parent is shown, required or not', () => {
  const { state, result } = post({ author: 'never', editor: 'neither' })
  const view = denormalize(Post, result, state)!
  assert.ok(Object.hasOwn(view, 'author'))
  assert.equal([view.author, view.editor], [undefined, undefined])
})

test('nested and absent: the default of the class; null: null', () => {
  const { state, result } = post({ editor: null })
  const view = denormalize(Post, result, state)!
  assert.is(view.author.name, 'anonymous')
  assert.is(view.editor, null)
})

test('a raw object where a pk is expected is built in place', () => {
  const { state } = write(User, { id: 'u', name: 'stored' })
  const view = denormalize({ author: User }, { author: { id: 'x', name: 'raw' } }, state)!
  assert.instance(view.author, User)
  assert.is(view.author.name, 'raw')
  const nested = denormalize(Post, { id: '1', author: { id: 'x', name: 'raw' }, editor: 'u' }, state)!
  assert.equal([nested.author.name, nested.editor!.name], ['raw', 'stored'])
  assert.ok(Object.isFrozen(nested.author))
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

test('one entity is one object within a view, whichever way it is reached', () => {
  const { state, result } = write([Post], [{ id: '1', author: { id: 'u' }, editor: 'u' }, { id: '2', author: 'u' }])
  const [one, two] = denormalize([Post], result, state)!
  assert.is(one!.author, one!.editor)
  assert.is(one!.author, two!.author)
})

test('null and undefined results are themselves', () => {
  for (const each of [Post, [Post], { post: Post }, new schema.Collection([Post])]) {
    assert.is(denormalize(each, null, emptyState), null)
    assert.is(denormalize(each, undefined, emptyState), undefined)
  }
})

test('two views of one state are equal', () => {
  const { state, result } = write([Post], [{ id: '1', author: { id: 'u' } }, { id: '2', author: 'u' }])
  assert.equal(denormalize([Post], result, state), denormalize([Post], result, state))
})

test('INVALID goes up through required fields until an optional one, a list or an object', () => {
  class Reply extends Entity {
    id = ''
    post: Post = Post.fromJS()
    static override key = 'Reply'
    static override schema = { post: Post }
  }
  class Thread extends Entity {
    id = ''
    top: Reply | undefined = undefined
    replies: Reply[] = []
    static override key = 'Thread'
    static override schema = { top: Reply, replies: [Reply] }
  }
  const reply = (id: string, author: string): object => ({ id, post: { id: `p${id}`, author: { id: author } } })
  const { state, result } = write(Thread, { id: 't', top: reply('1', 'u'), replies: [reply('1', 'u'), reply('2', 'v')] })
  const view = denormalize(Thread, result, remove('u', state))!
  assert.is(view.top, undefined)
  assert.equal(view.replies.map((each) => each.id), ['2'])
  assert.is(denormalize({ reply: Reply }, { reply: '1' }, remove('u', state)), undefined)
})

test.run()
