import { All, Collection, Entity, Lazy, Query, Union, Values } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import type { Tape } from '../../support/tape.ts'

/** Users, posts and comments that refer to each other every way that entities can: circles, needs, lists, collections. */
export class User extends Entity {
  id = ''
  name = ''
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
  owner: User = new User()
  static override key = 'Bot'
  static override schema: Fields = { owner: User }
}

export class Post extends Entity {
  id = ''
  title = ''
  /** Cannot do without. */
  author: User = new User()
  editor: User | undefined = undefined
  comments: Comment[] | undefined = undefined
  box: { top: Comment | undefined; others: Comment[] } | undefined = undefined
  static override key = 'Post'
  static override schema: Fields = {}
}

export class Comment extends Entity {
  id = ''
  text = ''
  post: Post = new Post()
  parent: Comment | undefined = undefined
  replies: Comment[] | undefined = undefined
  by: User | Bot | undefined = undefined
  friends: string[] | undefined = undefined
  static override key = 'Comment'
  static override schema: Fields = {}
}

/** The same rows as posts, seen by a class that refuses some of them. */
export class Summary extends Entity {
  id = ''
  title = ''
  static override key = 'Post'
  static override validate(record: Fields): string | undefined {
    return record['title'] === 'b' ? 'b is no title' : undefined
  }
}

export const anyone = new Union({ user: User, bot: Bot }, 'type')
export const lazyFriends = new Lazy([User])
export const thread = new Collection([Comment], { nestKey: (parent: { id: string }) => ({ post: parent.id }) })
export const group = new Collection([Post])
User.schema = { best: User, posts: [Post], born: Date, drafts: new Query([Post], (posts: readonly Post[]) => posts.filter(post => post.title !== 'c')) }
// What cannot be done without is looked at neither first nor last.
Post.schema = { editor: User, comments: thread, author: User, box: { top: Comment, others: [Comment] } }
Comment.schema = { parent: Comment, replies: [Comment], post: Post, by: anyone, friends: lazyFriends }

/** Something to read: a query with arguments, or the result of an endpoint. */
export interface Reading {
  readonly name: string
  readonly schema: unknown
  readonly args: readonly unknown[]
  readonly endpoint?: string
}

const titled = new Query(new All(Post), (posts: readonly Post[], title: string) => posts.filter(post => post.title === title))
const found = new Query(new All(Post), (posts: readonly Post[]) => posts.find(post => post.title === 'b') ?? null)
const counted = new Query({ users: new All(User), posts: new All(Summary) }, ({ posts, users }) => ({ posts: posts.length, users: users.length }))
const names = new Query(group, (posts: readonly Post[]) => posts.map(post => (post.author as User | undefined)?.name).join())

export const page = { items: [Post], first: User, more: { all: [Comment] } }
const people = new Values(User)

export const readings: readonly Reading[] = [
  { name: 'user 1', schema: User, args: ['1'] },
  { name: 'post 2', schema: Post, args: [{ id: '2' }] },
  { name: 'comment 0', schema: Comment, args: ['0'] },
  { name: 'user by name', schema: User, args: [{ name: 'a' }] },
  { name: 'all posts', schema: new All(Post), args: [] },
  { name: 'all summaries', schema: new All(Summary), args: [] },
  { name: 'all of several', schema: new All({ user: User, bot: Bot }, 'type'), args: [] },
  { name: 'query', schema: titled, args: ['a'] },
  { name: 'query that may find nothing', schema: found, args: [] },
  { name: 'joined query', schema: counted, args: [] },
  { name: 'query of a collection', schema: names, args: [{ page: 1 }] },
  { name: 'collection', schema: group, args: [{ page: 1 }] },
  { name: 'union', schema: anyone, args: [{ id: '1', type: 'bot' }] },
  { name: 'lazy', schema: lazyFriends.query, args: [['2', '0', '1']] },
  { name: 'object', schema: { user: User, group }, args: [{ id: '0', page: 1 }] },
  { name: 'page', schema: page, args: [], endpoint: 'page' },
  { name: 'people', schema: people, args: [], endpoint: 'people' },
  { name: 'anyone', schema: [anyone], args: [], endpoint: 'anyone' },
]

const ids = ['0', '1', '2', '3']

/** A pk, now and then the whole entity. */
const someone = (tape: Tape, depth: number): unknown => (depth > 0 && tape.chance(30) ? user(tape, depth - 1) : tape.pick(ids))
const some = (tape: Tape, one: (tape: Tape, depth: number) => unknown, depth: number): unknown[] =>
  tape.some(ids).map(id => (depth > 0 && tape.chance(30) ? one(tape, depth - 1) : id))

export function user(tape: Tape, depth: number): object {
  return {
    id: tape.pick(ids),
    ...(tape.chance(60) ? { name: tape.pick(['a', 'b', 'c']) } : {}),
    ...(tape.chance(30) ? { best: tape.chance(20) ? null : someone(tape, depth) } : {}),
    ...(tape.chance(30) ? { posts: some(tape, post, depth) } : {}),
    ...(tape.chance(20) ? { drafts: some(tape, post, depth) } : {}),
    ...(tape.chance(20) ? { born: tape.pick(['2020-01-01', 'garbage']) } : {}),
  }
}

export function bot(tape: Tape, depth: number): object {
  return { id: tape.pick(ids), name: tape.pick(['a', 'b']), ...(tape.chance(50) ? { owner: someone(tape, depth) } : {}) }
}

export function post(tape: Tape, depth: number): object {
  return {
    id: tape.pick(ids),
    ...(tape.chance(60) ? { title: tape.pick(['a', 'b', 'c']) } : {}),
    ...(tape.chance(40) ? { author: someone(tape, depth) } : {}),
    ...(tape.chance(30) ? { editor: tape.chance(20) ? null : someone(tape, depth) } : {}),
    ...(tape.chance(30) ? { comments: some(tape, comment, depth) } : {}),
    ...(tape.chance(20) ? { box: { n: tape.int(3), top: tape.pick(ids), ...(tape.chance(50) ? { others: some(tape, comment, depth) } : {}) } } : {}),
  }
}

export function comment(tape: Tape, depth: number): object {
  const member = (): object => (tape.chance(50) ? { type: 'user', ...user(tape, 0) } : { type: 'bot', ...bot(tape, 0) })
  return {
    id: tape.pick(ids),
    ...(tape.chance(50) ? { text: tape.pick(['a', 'b', 'c']) } : {}),
    ...(tape.chance(40) ? { post: depth > 0 && tape.chance(30) ? post(tape, depth - 1) : tape.pick(ids) } : {}),
    ...(tape.chance(30) ? { parent: tape.pick(ids) } : {}),
    ...(tape.chance(30) ? { replies: some(tape, comment, depth) } : {}),
    ...(tape.chance(30) ? { by: member() } : {}),
    ...(tape.chance(10) ? { friends: tape.some(ids) } : {}),
  }
}
