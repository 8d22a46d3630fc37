import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity, PatchcordError, schema, type Fields } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { LiveStore, watch } from './liveStore.ts'

const test = suite('live objects')

class User extends Entity {
  id = ''
  name = ''
  born: Date | undefined = undefined
  tags: string[] = []
  static override key = 'User'
  static override schema: Fields = { born: Date }

  get initial(): string {
    return this.name.slice(0, 1)
  }

  greet(other: string): string {
    return `${this.name} greets ${other}`
  }
}

class Post extends Entity {
  id = ''
  title = ''
  author: User | undefined = undefined
  replies: Post[] = []
  static override key = 'Post'
  static override schema: Fields = {}
}
Post.schema = { author: User, replies: [Post] }

const bob = { id: '1', name: 'Bob', born: '2000-01-01T00:00:00.000Z' }
const ann = { id: '2', name: 'Ann' }

/** A store with Bob, Ann and posts of theirs, and Bob as a live object. */
function setup(): { at: LiveStore; user: User } {
  const at = new LiveStore()
  at.write([User], [bob, ann])
  at.write([Post], [{ id: 'p', title: 'one', author: '1', replies: ['q'] }, { id: 'q', title: 'two', author: '2' }])
  return { at, user: at.entity(User, '1')! }
}

test('getters and methods read through it, and so are tracked', () => {
  const { at, user } = setup()
  const texts = [watch(() => user.initial), watch(() => user.greet('Ann'))]
  assert.equal(texts.map(each => each.last), ['B', 'Bob greets Ann'])
  at.write(User, { id: '1', name: 'Rob' })
  at.write(User, { id: '1', tags: ['x'] })
  assert.equal(texts.map(each => [each.last, each.runs]), [['R', 2], ['Rob greets Ann', 2]])
  assert.equal([user.pk(), user.constructor], ['1', User])
})

test('it looks like an object with own data: JSON, spread, keys, in, deep equality; what no record has is the default of the class', () => {
  const { at } = setup()
  const user = at.entity(User, '2')!
  assert.is(JSON.stringify(user), '{"id":"2","name":"Ann","tags":[]}')
  assert.equal({ ...user }, { ...ann, born: undefined, tags: [] })
  assert.equal([Object.keys(user), Object.entries(user).length], [['id', 'name', 'born', 'tags'], 4])
  assert.equal(['name', 'tags', 'greet', 'initial', 'nope'].map(name => name in user), [true, true, true, true, false])
  assert.equal(['name', 'greet'].map(name => Object.hasOwn(user, name)), [true, false])
  assert.equal(user, User.fromJS(ann))
  assert.is(user.tags, user.tags)
  assert.equal(Object.getOwnPropertyDescriptor(user, 'name'), { value: 'Ann', enumerable: true, configurable: true, writable: false })
  const reply = { id: 'q', title: 'two', author: { ...ann, tags: [] }, replies: [] }
  assert.equal(JSON.parse(JSON.stringify(at.entity(Post, 'p'))), { id: 'p', title: 'one', author: { ...bob, tags: [] }, replies: [reply] })
})

test('fields that the class does not name are there too, and watched by those who looked for them', () => {
  const { at, user } = setup()
  const watches = [watch(() => (user as { email?: string }).email), watch(() => Object.keys(user)), watch(() => 'phone' in user)]
  const fresh = (): number[] => watches.map(each => each.fresh())
  assert.equal([watches[0]!.last, fresh()], [undefined, [1, 1, 1]])
  at.write(User, { id: '1', nickname: 'n' })
  assert.equal(fresh(), [0, 1, 1])
  at.write(User, { id: '1', email: 'b@x' })
  assert.equal(watches.map(each => each.last), ['b@x', ['id', 'name', 'born', 'tags', 'nickname', 'email'], false])
  assert.equal(fresh(), [1, 1, 1])
  at.write(User, { id: '1', email: 'c@x', name: 'Rob' })
  assert.equal(fresh(), [1, 0, 0])
})

test('a payload field named like a member of the class is not shown', () => {
  const { at, user } = setup()
  at.write(User, { id: '1', greet: 'evil', toString: 'evil', initial: 'evil', constructor: 'evil' })
  assert.equal([user.greet('x'), user.initial, user.constructor], ['Bob greets x', 'B', User])
  assert.equal(Object.keys(user), ['id', 'name', 'born', 'tags'])
})

test('hostile pks are ordinary', () => {
  const at = new LiveStore()
  const pks = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then', ' ']
  at.write([User], pks.map(id => ({ id, name: `n${id}` })))
  for (const pk of pks) assert.is(at.entity(User, pk)!.name, `n${pk}`)
  assert.is(at.entity(User, 'valueOf'), undefined)
})

test('writing to it is an error that says what to do, and its lists are frozen', () => {
  const { at, user } = setup()
  const attempts: (() => unknown)[] = [
    () => (user.name = 'x'),
    () => ((user as { other?: string }).other = 'x'),
    () => Reflect.deleteProperty(user, 'other'),
    () => Object.defineProperty(user, 'name', { value: 'x' }),
    () => Object.assign(user, { name: 'x' }),
    () => Object.freeze(user),
    () => Object.setPrototypeOf(user, {}),
    () => (user.tags = []),
  ]
  for (const attempt of attempts) assert.is(caught(attempt, PatchcordError, /User.*controller\.set/s)['code'], 'READ_ONLY')
  assert.is(user.name, 'Bob')
  for (const list of [at.entity(Post, 'p')!.replies, at.query(new schema.All(Post))]) assert.ok(Object.isFrozen(list))
})

test('a deserialized field is the same object until its stored value changes', () => {
  const { at, user } = setup()
  const born = watch(() => user.born)
  const dates: [input: object, runs: number, time: number][] = [
    [{ name: 'Rob' }, 0, Date.parse(bob.born)],
    [{ born: '2001-01-01' }, 1, Date.parse('2001-01-01')],
    [{ born: 'never' }, 1, NaN],
    [{ name: 'Bob', born: 'never' }, 0, NaN],
  ]
  for (const [input, runs, time] of dates) {
    assert.is(born.during(() => at.write(User, { id: '1', ...input })), runs)
    assert.is(user.born, born.last)
    assert.equal(user.born!.getTime(), time)
  }
})

test('a deleted row keeps its last values, and comes back as itself', () => {
  const { at, user } = setup()
  const name = watch(() => user.name)
  const there = watch(() => at.entity(User, '1') !== undefined)
  at.remove(User, '1')
  assert.equal([user.name, user.initial, JSON.stringify(user)], ['Bob', 'B', JSON.stringify({ ...bob, tags: [] })])
  assert.is(at.entity(User, '1'), undefined)
  assert.equal([name.fresh(), there.fresh(), there.last], [1, 2, false])
  at.write(User, { id: '1', name: 'Bob' })
  assert.is(at.entity(User, '1'), user)
  assert.equal([name.fresh(), there.fresh(), there.last, user.born], [0, 1, true, undefined])
})

test('a class that makes its instances itself is shown as it makes them, and what it makes the same each time wakes nobody', () => {
  class Shift extends Entity {
    id = ''
    title = ''
    from = 0
    tags: string[] = []
    span: { start: Date; open: boolean } | undefined = undefined
    static override key = 'Shift'
    static override fromJS<T>(this: T, props: Fields = {}): never {
      const made = Object.assign(new (this as new () => Shift)(), props)
      made.span = { start: new Date(made.from), open: made.title === '' }
      return made as never
    }
  }
  const at = new LiveStore()
  at.write(Shift, { id: '1', title: 'a', from: 1 })
  const shift = at.entity(Shift, '1')!
  assert.equal({ ...shift }, { id: '1', title: 'a', from: 1, tags: [], span: { start: new Date(1), open: false } })
  const [tags, span] = [watch(() => shift.tags), watch(() => shift.span)]
  at.write(Shift, { id: '1', title: 'b' })
  assert.equal([shift.title, tags.runs, span.runs, shift.tags === tags.last, shift.span === span.last], ['b', 1, 1, true, true])
  at.write(Shift, { id: '1', title: '', from: 2, tags: ['x'] })
  assert.equal([tags.last, span.last, tags.runs, span.runs], [['x'], { start: new Date(2), open: true }, 2, 2])
})

test('a relation that a class gets later is followed', () => {
  class Book extends Entity {
    id = ''
    author: User | undefined = undefined
    static override key = 'Book'
    static override schema: { [field: string]: unknown } = {}
  }
  const at = new LiveStore()
  at.write(Book, { id: '1' })
  const book = at.entity(Book, '1')!
  assert.is(book.author, undefined)
  Book.schema['author'] = User
  at.write([Book], [{ id: '1', author: { id: 'a', name: 'x' } }, { id: '2', author: 'a' }])
  assert.is(at.entity(Book, '2')!.author!.name, 'x')
  assert.is(book.author, at.entity(User, 'a'))
})

test('what a class throws is reported, and its row not shown', () => {
  class Strict extends Entity {
    id = ''
    n = 0
    static override key = 'Strict'
    static override validate(record: Fields): string | undefined {
      if (record['n'] === 13) throw new Error('unlucky')
      return record['n'] === 4 ? 'no four' : undefined
    }
  }
  const at = new LiveStore()
  at.write(Strict, { id: '1', n: 1 })
  const strict = at.entity(Strict, '1')!
  const visible = watch(() => at.entity(Strict, '1')?.n)
  for (const [n, ...shown] of [[13, undefined, 1], [4, undefined, 1], [5, 5, 5]] as const) {
    at.commit([{ op: 'replace', path: ['entities', 'Strict', '1', 'n'], value: n }])
    assert.equal([visible.last, strict.n], shown)
  }
  assert.equal(at.errors.map(error => (error as Error).message), ['unlucky'])
})

test('after dispose it shows what it last showed, and wakes nobody', () => {
  const { at, user } = setup()
  const name = watch(() => user.name)
  at.live.dispose()
  at.live.dispose()
  at.write(User, { id: '1', name: 'Rob' })
  assert.equal([user.name, name.runs], ['Bob', 1])
})

test.run()
