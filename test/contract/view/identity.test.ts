import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Collection, Entity, Lazy, Values } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { openPaths } from '../../support/frozen.ts'
import { World } from './world.ts'

const test = suite('view: the same object until something it shows has changed')

class User extends Entity {
  id = ''
  name = ''
  born: Date | undefined = undefined
  score: number = 0
  friends: User[] = []
  rivals: User[] = []
  home: { street: string; owner: User | undefined } | undefined = undefined
  notes: unknown = undefined
  static override key = 'User'
  static override schema: Fields = { born: Date }
}
User.schema = { born: Date, friends: [User], rivals: [User], home: { owner: User } }

class Post extends Entity {
  id = ''
  title = ''
  author: User | undefined = undefined
  static override key = 'Post'
  static override schema = { author: User }
}

/** The same rows by another class. */
class Card extends Entity {
  id = ''
  name = ''
  static override key = 'User'
}

const users = [User]
const posts = [Post]
const named = (id: string, name: string, more: object = {}): object => ({ id, name, ...more })

test('unchanged rows keep their objects, and the changed one is new', () => {
  const world = new World()
  world.respond('all', posts, ['1', '2', '3'].map(id => ({ id, title: id, author: { id: `u${id}`, name: id } })))
  const list = world.watchResult<Post[]>(posts, 'all')
  const [one, two, three] = list.last
  world.write(Post, { id: '2', title: 'x' })
  const now = list.last
  assert.is(list.runs, 2)
  assert.is(now[0], one)
  assert.is(now[2], three)
  assert.is.not(now[1], two)
  assert.is(now[1]!.title, 'x')
  assert.is(now[1]!.author, two!.author)
})

test('a change goes up from the entity to the root, and nowhere else', () => {
  const world = new World()
  world.respond('all', posts, [{ id: '1', author: named('u', 'a', { friends: [named('v', 'b')] }) }, { id: '2', author: named('w', 'c') }])
  const list = world.watchResult<Post[]>(posts, 'all')
  const before = list.last
  world.write(User, named('v', 'x'))
  const after = list.last
  assert.is.not(after, before)
  assert.is.not(after[0], before[0])
  assert.is.not(after[0]!.author, before[0]!.author)
  assert.is.not(after[0]!.author!.friends, before[0]!.author!.friends)
  assert.is(after[0]!.author!.friends[0]!.name, 'x')
  assert.is(after[1], before[1])
})

test('old views never change', () => {
  const world = new World()
  const none = { friends: [], rivals: [] }
  const friends = [named('v', 'b', none), named('w', 'c', none)]
  world.respond('all', posts, [{ id: '1', title: 'a', author: named('u', 'a', { ...none, friends }) }])
  const list = world.watchResult<Post[]>(posts, 'all')
  const before = list.last
  const spelled = JSON.stringify(before)
  assert.equal(openPaths(before), [])
  world.write(users, [named('v', 'x'), named('u', 'y', { friends: ['w'] })])
  world.remove(User, 'w')
  world.remove(Post, '1')
  assert.is(JSON.stringify(before), spelled)
  for (const view of list.seen) assert.equal(openPaths(view), [])
})

test('nested lists, objects and dates keep theirs when another field of the parent changes', () => {
  const world = new World()
  world.write(User, named('1', 'a', { born: '2020-01-01', friends: [named('2', 'b')], rivals: [named('3', 'c')], home: { street: 's', owner: '2' } }))
  const user = world.watch<User>(User, '1')
  const before = user.last
  world.write(User, named('1', 'x'))
  assert.is.not(user.last, before)
  for (const field of ['friends', 'rivals', 'home', 'born'] as const) assert.is(user.last[field], before[field])
  world.write(User, { id: '1', rivals: ['2', '3'] })
  assert.is(user.last.friends, before.friends)
  assert.equal(user.last.rivals.map(each => each.id), ['2', '3'])
  world.write(User, named('3', 'y'))
  assert.is(user.last.home, before.home)
  assert.is(user.last.friends, before.friends)
})

test('a list that comes to be leaves the list beside it alone', () => {
  const world = new World()
  world.write(User, named('1', 'a', { rivals: [named('2', 'b'), named('3', 'c')] }))
  const user = world.watch<User>(User, '1')
  const { rivals } = user.last
  world.write(User, { id: '1', friends: ['3', '2'] })
  assert.is(user.last.rivals, rivals)
  assert.equal(user.last.friends.map(each => each.id), ['3', '2'])
  world.write(User, { id: '1', friends: ['2'], name: 'x' })
  assert.is(user.last.rivals, rivals)
  // What was in one field is in the other now.
  world.write(User, { id: '1', friends: ['2', '3'], rivals: ['2'] })
  assert.equal(user.last.friends.map(each => each.id), ['2', '3'])
  assert.equal(user.last.rivals.map(each => each.id), ['2'])
})

test('objects and lists in a list keep theirs when another one changes, comes or goes', () => {
  const world = new World()
  const board = [{ posts }]
  const column = (name: string, ...ids: string[]): object => ({ name, posts: ids.map(id => ({ id })) })
  world.respond('board', board, [column('a', '1'), column('b', '2')])
  const watch = world.watchResult<{ posts: Post[] }[]>(board, 'board')
  const [a, b] = watch.last
  world.write(Post, { id: '2', title: 'x' })
  assert.is(watch.last[0], a)
  assert.is.not(watch.last[1], b)
  const changed = watch.last[1]
  world.commit([{ op: 'add', path: ['endpoints', 'board', 0], value: { name: 'c', posts: ['3', '1'] } }])
  assert.equal(watch.last.map(each => each.posts.map(post => post.id).join()), ['1', '1', '2'])
  assert.is(watch.last[1], a)
  assert.is(watch.last[2], changed)
  world.commit([{ op: 'remove', path: ['endpoints', 'board', 1] }])
  assert.is(watch.last[1], changed)
})

test('a list that comes before another, in a list or a map, does not take what that was', () => {
  const world = new World()
  const rows = [posts]
  const named = new Collection(new Values(posts))
  world.respond('rows', rows, [[{ id: '1' }], [{ id: '2' }]])
  world.write(named, { 5: ['1'] }, [{}])
  const listed = world.watchResult<Post[][]>(rows, 'rows')
  const mapped = world.watch<{ [name: string]: Post[] }>(named, {})
  const [one, two] = listed.last
  const { 5: five } = mapped.last
  world.commit([{ op: 'add', path: ['endpoints', 'rows', 0], value: ['2', '1'] }])
  assert.is(listed.last[1], one)
  assert.is(listed.last[2], two)
  world.commit([{ op: 'add', path: ['entities', named.key, '{}', '3'], value: ['2'] }])
  assert.is(mapped.last[5], five)
  assert.is(mapped.last[3]![0]!.id, '2')
})

test('what is made anew has the fields that it had, and leaves accessors of its class alone', () => {
  class Note extends Entity {
    id = ''
    text = ''
    get author(): string {
      return 'me'
    }
    static override key = 'Note'
    static override schema = { author: User, about: Post }
  }
  const world = new World()
  world.write(Note, { id: '1', text: 'a', author: '1' })
  const watch = world.watch<Note>(Note, '1')
  world.write(Note, { id: '1', text: 'b' })
  assert.equal([Object.keys(watch.last), watch.last.text, watch.last.author, world.reported], [['id', 'text'], 'b', 'me', []])
})

test('there is one object for each class and row, whoever shows it', () => {
  const world = new World()
  const page = new Collection([Post])
  world.respond('all', posts, [{ id: '1', author: named('u', 'a') }, { id: '2', author: 'u' }])
  world.write(page, ['1'].map(id => ({ id })), [{}])
  const all = world.watchResult<Post[]>(posts, 'all')
  const listed = world.watch<Post[]>(page, {})
  const user = world.watch<User>(User, { id: 'u' })
  const card = world.watch<Card>(Card, 'u')
  for (const name of ['b', 'c']) {
    assert.is(all.last[0], listed.last[0])
    assert.is(all.last[0]!.author, all.last[1]!.author)
    assert.is(all.last[0]!.author, user.last)
    assert.is(all.last[0], world.get(Post, '1'))
    assert.instance(card.last, Card)
    world.write(User, named('u', name))
    assert.is(card.last.name, name)
    assert.is(user.last.name, name)
  }
})

test('INV-23 fetching the same again wakes nobody and keeps every object', () => {
  const world = new World()
  const payload = (): object[] => [
    named('1', 'a', { score: 1, born: '2020-01-01', notes: { b: [1, { c: null }], a: 'x' }, friends: [named('2', 'b')], home: { street: 's', owner: '2' } }),
    named('2', 'b', { born: 'garbage', notes: [] }),
  ]
  world.respond('users', users, payload())
  const watches = [world.watchResult<User[]>(users, 'users'), world.watch<User[]>(User, '1'), world.watch(User, { id: '2' })]
  const before = watches.map(watch => watch.last)
  const permuted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(permuted)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).reverse().map(([name, member]) => [name, permuted(member)]))
  }
  for (let i = 0; i < 5; i++) {
    world.respond('users', users, i % 2 ? payload() : permuted(payload()))
    // Another object with the same pks stands for the response.
    assert.equal(watches.map(watch => watch.runs), [1, 1, 1])
  }
  watches.forEach((watch, i) => assert.is(watch.last, before[i]))
  assert.is(world.get(User, '1'), (before[0] as User[])[0])
})

test('INV-23 NaN and dates that are none are equal to themselves', () => {
  const world = new World()
  world.write(users, [{ id: '1', score: NaN, born: 'garbage', notes: { deep: [NaN] } }])
  const user = world.watch<User>(User, '1')
  const before = user.last
  assert.ok(Number.isNaN(before.score) && Number.isNaN(before.born!.getTime()))
  world.write(users, [{ id: '1', score: NaN, born: 'garbage', notes: { deep: [NaN] } }])
  assert.is(user.runs, 1)
  assert.is(world.get(User, '1'), before)
  world.write(users, [{ id: '1', name: 'x' }])
  assert.is(user.runs, 2)
  assert.is(user.last.born, before.born)
  assert.is(user.last.notes, before.notes)
})

test('what a deserializer made shows its new value, though nobody can look into it', () => {
  class Money {
    readonly currency: string = 'EUR'
    readonly #cents: number
    constructor(cents: number) {
      this.#cents = cents
    }
    toString(): string {
      return `${this.#cents} ${this.currency}`
    }
  }
  class Item extends Entity {
    id = ''
    price: Money | undefined = undefined
    static override key = 'Item'
    static override schema = { price: Money }
  }
  const world = new World()
  const prices = { all: [Money] }
  world.write(Item, { id: '1', price: 3 })
  world.respond('prices', prices, { all: [1, 2] })
  const item = world.watch<Item>(Item, '1')
  const list = world.watchResult<{ all: Money[] }>(prices, 'prices')
  world.write(Item, { id: '1', price: 4 })
  world.respond('prices', prices, { all: [1, 5] })
  assert.is(String(item.last.price), '4 EUR')
  assert.is(list.last.all.join(), '1 EUR,5 EUR')
})

test('a field that no view shows, or that shows the same, wakes nobody', () => {
  const world = new World()
  world.write(users, [named('1', 'a', { friends: ['2', '9'] }), named('2', 'b')])
  const user = world.watch<User>(User, '1')
  // Not there before, and not there now.
  assert.is(user.during(() => world.write(User, { id: '1', friends: ['2', '8'] })), 0)
  assert.is(user.during(() => world.remove(User, '8')), 0)
  assert.is(user.during(() => world.write(User, { id: '1', friends: ['2'] })), 0)
  assert.is(user.during(() => world.write(User, { id: '1', friends: ['2', '2'] })), 1)
  world.write(Post, { id: 'p', author: 'x' })
  const post = world.watch<Post>(Post, 'p')
  assert.is(post.during(() => world.write(Post, { id: 'p', author: 'y' })), 0)
  assert.is(post.during(() => world.write(User, { id: 'y' })), 1)
})

test('a lazy relation shows pks, and its query is one and the same', () => {
  class Fan extends Entity {
    id = ''
    idols: string[] = []
    static override key = 'Fan'
    static override schema = { idols: new Lazy([User]) }
  }
  const world = new World()
  world.write(Fan, { id: '1', idols: [named('u', 'a'), named('v', 'b')] })
  const fan = world.watch<Fan>(Fan, '1')
  assert.equal(fan.last.idols, ['u', 'v'])
  const { query } = Fan.schema.idols
  assert.is(query, Fan.schema.idols.query)
  const idols = world.watch<User[]>(query, fan.last.idols)
  assert.is(fan.during(() => world.write(User, named('u', 'x'))), 0)
  assert.is(idols.runs, 2)
  assert.equal(idols.last.map(user => user.name), ['x', 'b'])
})

test('one stored collection is one array, nested or at the top', () => {
  const world = new World()
  class Author extends Entity {
    id = ''
    posts: Post[] = []
    static override key = 'Author'
    static override schema = { posts: new Collection([Post], { nestKey: (parent: { id: string }) => ({ author: parent.id }) }) }
  }
  const byAuthor = new Collection([Post])
  world.respond('author', Author, { id: 'a', posts: [{ id: '1' }, { id: '2' }] })
  world.respond('posts', byAuthor, [{ id: '1' }, { id: '2' }], [{ author: 'a' }])
  const author = world.watch<Author>(Author, 'a')
  const list = world.watch<Post[]>(byAuthor, { author: 'a' })
  const result = world.watchResult<Post[]>(byAuthor, 'posts', [{ author: 'a' }])
  for (const change of [undefined, [Post, { id: '2', title: 'new' }], [byAuthor.push, { id: '3' }, [{ author: 'a' }]]] as const) {
    if (change) world.write(...(change as unknown as [unknown, unknown]))
    assert.is(author.last.posts, list.last)
    assert.is(list.last, result.last)
    assert.is(list.last, world.get(byAuthor, { author: 'a' }))
  }
  assert.equal(list.last.map(({ id, title }) => `${id} ${title}`), ['1 ', '2 new', '3 '])
})

test.run()
