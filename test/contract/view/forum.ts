import { All, Collection, Entity, Lazy, Query, Union, Values } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import type { Tape } from '../../support/tape.ts'
import type { ViewClient } from './client.ts'
import { NEEDED } from './node.ts'

/**
 * Users, posts and comments that refer to each other every way that entities can: circles, needs, lists, collections.
 * A default that is an object makes a field required.
 */
export class User extends Entity {
  id = ''
  name = ''
  lead: User | object = NEEDED
  best: User | undefined = undefined
  posts: Post[] | undefined = undefined
  born: Date | undefined = undefined
  /** By a query; without a default. */
  declare drafts?: Post[]
  static override key = 'User'
  static override indexes = ['name']
  static override schema: Fields = {}
}

export class Bot extends Entity {
  id = ''
  name = ''
  owner: User | object = NEEDED
  static override key = 'Bot'
  static override schema: Fields = { owner: User }
  static override validate(record: Fields): string | undefined {
    return record['name'] === undefined ? 'no name' : undefined
  }
}

/** The same rows as bots, with fewer fields, and nothing required. */
class Machine extends Entity {
  id = ''
  name = '?'
  static override key = 'Bot'
}

export class Post extends Entity {
  id = ''
  title = ''
  author: User | object = NEEDED
  editor: User | undefined = undefined
  comments: Comment[] | undefined = undefined
  box: { top: Comment | undefined; others: Comment[] } | undefined = undefined
  readers: { [name: string]: User } = {}
  static override key = 'Post'
  static override schema: Fields = {}
}

export class Comment extends Entity {
  id = ''
  text = ''
  post: Post | object = NEEDED
  parent: Comment | undefined = undefined
  replies: Comment[] | undefined = undefined
  by: User | Bot | undefined = undefined
  friends: string[] | undefined = undefined
  static override key = 'Comment'
  static override schema: Fields = {}
}

/** The same rows as posts, seen by a class that refuses some of them. */
class Summary extends Entity {
  id = ''
  title = ''
  static override key = 'Post'
  static override validate(record: Fields): string | undefined {
    return record['title'] === 'b' ? 'b is no title' : undefined
  }
}

const anyone = new Union({ user: User, bot: Bot }, 'type')
const either = [anyone]
const lazyFriends = new Lazy([User])
const thread = new Collection([Comment], { nestKey: (parent: { id: string }) => ({ post: parent.id }) })
const group = new Collection([Post])
const feed = new Collection([anyone])
const drafts = new Query([Post], (posts: readonly Post[]) => posts.filter(post => post.title !== 'c'))
User.schema = { lead: User, best: User, posts: [Post], born: Date, drafts }
// What cannot be done without is looked at neither first nor last.
Post.schema = { editor: User, comments: thread, author: User, readers: new Values(User), box: { top: Comment, others: [Comment] } }
Comment.schema = { parent: Comment, replies: [Comment], post: Post, by: anyone, friends: lazyFriends }

/** Something to read: a query with arguments, or the result of an endpoint. */
export interface Reading { readonly name: string; readonly schema: unknown; readonly args: readonly unknown[]; readonly endpoint?: string }

const titled = new Query(new All(Post), (posts: readonly Post[], title: string) => posts.filter(post => post.title === title))
const found = new Query(new All(Post), (posts: readonly Post[]) => posts.find(post => post.title === 'b') ?? null)
const counted = new Query({ users: new All(User), posts: new All(Summary) }, ({ posts, users }) => ({ posts: posts.length, users: users.length }))
const names = new Query(group, (posts: readonly Post[]) => posts.map(post => (post.author as Partial<User> | undefined)?.name).join())

const sorted = new Query(new All(User), (users: readonly User[]) => [...users].sort((a, b) => a.name.localeCompare(b.name)))
const written = new Query({ user: User, posts: new All(Post) }, ({ posts, user }) => posts.filter(post => post.author === user))

const page = { items: [Post], first: User, at: Date, more: { all: [Comment] } }
const people = new Values(User)

export const readings: readonly Reading[] = [
  ...['1', '2'].flatMap(pk => [User, Post, Comment, Bot, Machine].map(schema => ({ name: `${schema.name} ${pk}`, schema, args: [pk] }))),
  ...['a', 'b'].map(name => ({ name: `user by name ${name}`, schema: User, args: [{ name }] })),
  { name: 'all posts', schema: new All(Post), args: [] },
  { name: 'all summaries', schema: new All(Summary), args: [] },
  { name: 'all of several', schema: new All({ user: User, bot: Bot }, 'type'), args: [] },
  { name: 'query', schema: titled, args: ['a'] },
  { name: 'query that may find nothing', schema: found, args: [] },
  { name: 'joined query', schema: counted, args: [] },
  { name: 'sorted query', schema: sorted, args: [] },
  { name: 'query that joins by identity', schema: written, args: [{ id: '1' }] },
  { name: 'query of a collection', schema: names, args: [{ page: 1 }] },
  { name: 'collection', schema: group, args: [{ page: 1 }] },
  { name: 'collection of several', schema: feed, args: [] },
  { name: 'union', schema: anyone, args: [{ id: '1', type: 'bot' }] },
  { name: 'lazy', schema: lazyFriends.query, args: [['2', '0', '1']] },
  { name: 'object', schema: { user: User, group }, args: [{ id: '0', page: 1 }] },
  { name: 'page', schema: page, args: [], endpoint: 'page' },
  { name: 'people', schema: people, args: [], endpoint: 'people' },
  { name: 'anyone', schema: either, args: [], endpoint: 'anyone' },
]

const ids = ['0', '1', '2', '3']

const many = (tape: Tape, most: number, one: (tape: Tape, depth: number) => object): object[] =>
  Array.from({ length: 1 + tape.int(most) }, () => one(tape, 2))

/** A pk, now and then the whole entity. */
const someone = (tape: Tape, depth: number): unknown => (depth > 0 && tape.chance(30) ? user(tape, depth - 1) : tape.pick(ids))
const some = (tape: Tape, one: (tape: Tape, depth: number) => unknown, depth: number): unknown[] =>
  tape.some(ids).map(id => (depth > 0 && tape.chance(30) ? one(tape, depth - 1) : id))

function user(tape: Tape, depth: number): object {
  return {
    id: tape.pick(ids),
    ...(tape.chance(60) ? { name: tape.pick(['a', 'b', 'c']) } : {}),
    ...(tape.chance(15) ? { lead: tape.chance(20) ? null : someone(tape, depth) } : {}),
    ...(tape.chance(30) ? { best: tape.chance(20) ? null : someone(tape, depth) } : {}),
    ...(tape.chance(30) ? { posts: some(tape, post, depth) } : {}),
    ...(tape.chance(20) ? { drafts: some(tape, post, depth) } : {}),
    ...(tape.chance(20) ? { born: tape.pick(['2020-01-01', 'garbage']) } : {}),
  }
}

function bot(tape: Tape, depth: number): object {
  return { id: tape.pick(ids), name: tape.pick(['a', 'b']), ...(tape.chance(50) ? { owner: someone(tape, depth) } : {}) }
}

function post(tape: Tape, depth: number): object {
  return {
    id: tape.pick(ids),
    ...(tape.chance(60) ? { title: tape.pick(['a', 'b', 'c']) } : {}),
    ...(tape.chance(40) ? { author: someone(tape, depth) } : {}),
    ...(tape.chance(30) ? { editor: tape.chance(20) ? null : someone(tape, depth) } : {}),
    ...(tape.chance(30) ? { comments: some(tape, comment, depth) } : {}),
    ...(tape.chance(20) ? { readers: { x: tape.pick(ids), y: tape.pick(ids) } } : {}),
    ...(tape.chance(20) ? { box: { n: tape.int(3), top: tape.pick(ids), ...(tape.chance(50) ? { others: some(tape, comment, depth) } : {}) } } : {}),
  }
}

const member = (tape: Tape): object => (tape.chance(50) ? { type: 'user', ...user(tape, 0) } : { type: 'bot', ...bot(tape, 0) })

function comment(tape: Tape, depth: number): object {
  return {
    id: tape.pick(ids),
    ...(tape.chance(50) ? { text: tape.pick(['a', 'b', 'c']) } : {}),
    ...(tape.chance(40) ? { post: depth > 0 && tape.chance(30) ? post(tape, depth - 1) : tape.pick(ids) } : {}),
    ...(tape.chance(30) ? { parent: tape.pick(ids) } : {}),
    ...(tape.chance(30) ? { replies: some(tape, comment, depth) } : {}),
    ...(tape.chance(30) ? { by: member(tape) } : {}),
    ...(tape.chance(10) ? { friends: tape.some(ids) } : {}),
  }
}

/** The ways in which a store changes, in one commit each. */
const changes: readonly ((at: ViewClient, tape: Tape) => void)[] = [
  (at, tape) => at.write([Post], many(tape, 3, post)),
  (at, tape) => at.write([Post], many(tape, 3, post)),
  (at, tape) => at.writeAll([[Post], many(tape, 2, post)], [User, user(tape, 2)]),
  (at, tape) => at.write([User], many(tape, 2, user)),
  (at, tape) => at.write([User], many(tape, 2, user)),
  (at, tape) => at.write([Comment], many(tape, 3, comment)),
  (at, tape) => at.remove(tape.pick([User, Post, Comment, Bot]), ...tape.some(ids)),
  (at, tape) => at.write(group, Array.from({ length: tape.int(4) }, () => post(tape, 1)), [{ page: 1 }]),
  (at, tape) => at.write(feed, [member(tape), member(tape)].slice(tape.int(3))),
  (at, tape) => at.write(tape.pick([group.push, group.remove, thread.unshift]), tape.chance(50) ? post(tape, 0) : comment(tape, 0), [{}]),
  (at, tape) => (tape.chance(50) ? at.write(Bot, bot(tape, 1)) : at.write(Machine, { id: tape.pick(ids) })),
  (at, tape) => {
    const first = tape.chance(70) ? { first: someone(tape, 1), at: tape.pick(['2020-01-01', '2021-01-01']) } : {}
    at.respond('page', page, { items: many(tape, 2, post), ...first, more: { n: tape.int(2), all: tape.some(ids) } })
  },
  (at, tape) => at.respond('anyone', either, [{ type: 'bot', ...bot(tape, 1) }, { type: 'user', ...user(tape, 1) }, { type: 'none' }]),
  (at, tape) => at.respond('people', people, { x: user(tape, 1), y: tape.pick(ids) }),
  // Not a deletion that the server spoke of: the row is gone as if it had never been.
  (at, tape) => at.collect(tape.pick(['User', 'Post', 'Comment', 'Bot', feed.key]), ...tape.some([...ids, '{}'])),
]

export function change(at: ViewClient, tape: Tape): void {
  tape.pick(changes)(at, tape)
}
