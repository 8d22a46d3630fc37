import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Collection, Entity } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { openPaths } from '../../support/frozen.ts'
import { Watch } from './watch.ts'
import { bothWays } from './ways.ts'
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

bothWays(test, 'there is one object for each class and row, whoever shows it', at => {
  const page = new Collection([Post])
  at.respond('all', posts, [{ id: '1', author: named('u', 'a') }, { id: '2', author: 'u' }])
  at.write(page, [{ id: '1' }], [{}])
  const seen = new Watch(() => {
    const [all, user, card] = [at.result<Post[]>(posts, 'all'), at.get<User>(User, { id: 'u' }), at.get<Card>(Card, 'u')]
    assert.instance(user, User)
    assert.instance(card, Card)
    assert.is(all[0], at.get<Post[]>(page, {})[0])
    assert.is(all[0], at.get(Post, '1'))
    assert.equal(all.map(({ author }) => author === user), [true, true])
    return [user.name, card.name]
  })
  for (const name of ['b', 'c']) {
    at.write(User, named('u', name))
    assert.equal([seen.last, at.errors], [[name, name], []])
  }
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
  world.write(User, named('1', 'a', { born: '2020-01-01', rivals: [named('2', 'b'), named('3', 'c')], home: { street: 's', owner: '2' } }))
  const user = world.watch<User>(User, '1')
  const before = user.last
  const ids = (list: readonly User[]): string => list.map(each => each.id).join()
  const changes: [input: { id: string; [field: string]: unknown }, friends: string, rivals: string][] = [
    [{ id: '1', name: 'x' }, '', '2,3'],
    // A list comes to be beside another one.
    [{ id: '1', friends: ['3', '2'] }, '3,2', '2,3'],
    [{ id: '1', friends: ['2'], name: 'y' }, '2', '2,3'],
    // What was in one field is in the other now.
    [{ id: '1', friends: ['2', '3'], rivals: ['2'] }, '2,3', '2'],
    [{ id: '3', name: 'z' }, '2,3', '2'],
  ]
  for (const [input, friends, rivals] of changes) {
    const { last } = user
    assert.is(user.during(() => world.write(User, input)), 1)
    assert.equal([ids(user.last.friends), ids(user.last.rivals)], [friends, rivals])
    assert.equal([user.last.home === before.home, user.last.born === before.born], [true, true])
    for (const field of ['friends', 'rivals'] as const) {
      const listed = ids(user.last[field])
      if (listed === ids(last[field]) && !listed.includes(input.id)) assert.is(user.last[field], last[field])
    }
  }
})

test('a list in a result that is an object is the same when another member changes', () => {
  const world = new World()
  const shape = { user: User, posts, total: 0 }
  const respond = (total: number): void => world.respond('page', shape, { user: named('u', 'a'), posts: [{ id: '1' }], total })
  respond(1)
  const page = world.watchResult<{ user: User; posts: Post[]; total: number }>(shape, 'page')
  const before = page.last
  world.write(User, named('u', 'b'))
  assert.equal([page.last.user.name, page.last.posts === before.posts], ['b', true])
  respond(2)
  assert.equal([page.last.total, page.last.posts === before.posts, before.total], [2, true, 1])
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
  assert.equal([Object.keys(watch.last), watch.last.text, watch.last.author, world.errors], [['id', 'text'], 'b', 'me', []])
})

bothWays(test, 'INV-23 fetching the same again wakes nobody and keeps every object', at => {
  const payload = (): object[] => [
    named('1', 'a', { score: 1, born: '2020-01-01', notes: { b: [1, { c: null }], a: 'x' }, friends: [named('2', 'b')], home: { street: 's', owner: '2' } }),
    named('2', 'b', { born: 'garbage', notes: [] }),
  ]
  at.respond('users', users, payload())
  const text = new Watch(() => JSON.stringify(at.result(users, 'users')))
  const watches = [at.watchResult(users, 'users'), at.watch(User, '1'), at.watch(User, { id: '2' }), text]
  const before = watches.map(watch => watch.last)
  const permuted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(permuted)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).reverse().map(([name, member]) => [name, permuted(member)]))
  }
  for (let i = 0; i < 5; i++) {
    at.respond('users', users, i % 2 ? payload() : permuted(payload()))
    // Another object with the same pks stands for the response.
    assert.equal(watches.map(watch => watch.runs), [1, 1, 1, 1])
  }
  watches.forEach((watch, i) => assert.is(watch.last, before[i]))
  assert.is(at.get(User, '1'), (before[0] as User[])[0])
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

bothWays(test, 'a date in a list stays when another one of the list changes', at => {
  class Trip extends Entity {
    days: Date[] = []
    static override key = 'Trip'
    static override schema = { days: [Date] }
  }
  const write = (last: string): readonly Date[] => {
    at.write(Trip, { id: '1', days: ['2020-01-01', last] })
    return at.get<Trip>(Trip, '1').days
  }
  const before = write('2021-01-01')
  const after = write('2022-01-01')
  assert.equal([after[0] === before[0], after[1]], [true, new Date('2022-01-01')])
})

bothWays(test, 'what a deserializer made shows its new value, though nobody can look into it', at => {
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
  const prices = { all: [Money] }
  at.write(Item, { id: '1', price: 3 })
  at.respond('prices', prices, { all: [1, 2] })
  const text = new Watch(() => `${at.get<Item>(Item, '1').price} ${at.result<{ all: Money[] }>(prices, 'prices').all.join()}`)
  assert.is(text.last, '3 EUR 1 EUR,2 EUR')
  at.write(Item, { id: '1', price: 4 })
  at.respond('prices', prices, { all: [1, 5] })
  assert.is(text.last, '4 EUR 1 EUR,5 EUR')
})

bothWays(test, 'one stored collection is one array, nested or at the top', at => {
  class Author extends Entity {
    id = ''
    posts: Post[] = []
    static override key = 'Author'
    static override schema = { posts: new Collection([Post], { nestKey: (parent: { id: string }) => ({ author: parent.id }) }) }
  }
  const byAuthor = new Collection([Post])
  at.respond('author', Author, { id: 'a', posts: [{ id: '1' }, { id: '2' }] })
  at.respond('posts', byAuthor, [{ id: '1' }, { id: '2' }], [{ author: 'a' }])
  const text = new Watch(() => {
    const list = at.get<Post[]>(byAuthor, { author: 'a' })
    assert.is(at.get<Author>(Author, 'a').posts, list)
    assert.is(at.result(byAuthor, 'posts', [{ author: 'a' }]), list)
    return list.map(({ id, title }) => id + title).join()
  })
  const changes: [change: () => void, text: string][] = [
    [() => {}, '1,2'],
    [() => at.write(Post, { id: '2', title: 'new' }), '1,2new'],
    [() => at.write(byAuthor.push, { id: '3' }, [{ author: 'a' }]), '1,2new,3'],
  ]
  for (const [change, expected] of changes) {
    change()
    assert.equal([text.last, at.errors], [expected, []])
  }
})

test.run()
