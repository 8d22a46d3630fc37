import { Endpoint, Entity, RestEndpoint, schema } from '../../src/index.ts'
import type { AnyBody, AnyEndpoint, ViewOf } from '../../src/index.ts'
import { a, type Equal, type Expect } from './expect.ts'

class User extends Entity {
  id = 0
  name = ''
  createdAt = new Date(0)
  static override key = 'User'
  static override schema = { createdAt: Date }
  get label(): string {
    return this.name
  }
}
class Post extends Entity {
  id = ''
  title = ''
  author = new User()
  comments: Comment[] = []
  static override key = 'Post'
  static override schema = { author: User, comments: [{} as typeof Comment] }
}
class Comment extends Entity {
  id = ''
  text = ''
  static override key = 'Comment'
}

export function args(): void {
  const get = new RestEndpoint({ path: '/users/:id', schema: User })
  void get({ id: 1 })
  void get({ id: 'a' })
  // @ts-expect-error Property 'id' is missing
  void get({})
  // @ts-expect-error Expected 1 arguments
  void get()
  // @ts-expect-error 'ID' does not exist, did you mean to write 'id'?
  void get({ ID: 1 })
  // @ts-expect-error a parameter is no object
  void get({ id: {} })
  // @ts-expect-error 'other' does not exist: what goes into the query is reported by searchParams
  void get({ id: 1, other: 2 })
  // @ts-expect-error a read has no body
  void get({ id: 1 }, {})

  const optional = new RestEndpoint({ path: '/users/:id?' })
  void optional()
  void optional({})
  void optional({ id: 1 })
  void optional({ id: undefined })
  // @ts-expect-error 'name' does not exist
  void optional({ name: 'x' })

  const none = new RestEndpoint({ path: '/me' })
  void none()
  // @ts-expect-error Expected 0 arguments
  void none({ id: 1 })

  const files = new RestEndpoint({ path: '/files/*path' })
  void files({ path: ['a', 'b'] })
  // @ts-expect-error a wildcard is a list
  void files({ path: 'a/b' })
}

export function search(): void {
  const list = new RestEndpoint({ path: '/users', searchParams: {} as { group: string; page?: number } })
  void list({ group: 'a' })
  void list({ group: 'a', page: 1 })
  // @ts-expect-error Property 'group' is missing
  void list()
  // @ts-expect-error Property 'group' is missing
  void list({ page: 1 })
  // @ts-expect-error 'gruop' does not exist
  void list({ gruop: 'a' })

  const maybe = new RestEndpoint({ path: '/groups/:group/users', searchParams: {} as { page: number } | undefined })
  void maybe({ group: 1 })
  void maybe({ group: 1, page: 2 })
  // @ts-expect-error a page is a number
  void maybe({ group: 1, page: 'x' })
  const nothing = new RestEndpoint({ path: '/users', searchParams: undefined })
  void nothing()
  // @ts-expect-error there is no query
  void nothing({ a: 1 })
}

export function bodies(): void {
  const update = new RestEndpoint({ path: '/users/:id', method: 'PUT', body: {} as { name: string } })
  void update({ id: 1 }, { name: 'x' })
  // @ts-expect-error Expected 2 arguments: the body is missing
  void update({ id: 1 })
  // @ts-expect-error 'nmae' does not exist
  void update({ id: 1 }, { nmae: 'x' })

  // Without a parameter in the path, one argument is the body.
  const create = new RestEndpoint({ path: '/users', method: 'POST', body: {} as { name: string } })
  void create({ name: 'x' })
  // @ts-expect-error 'id' does not exist
  void create({ id: 1 })
  // @ts-expect-error Expected 1 arguments
  void create()
  const both = new RestEndpoint({ path: '/users', method: 'POST', body: {} as { name: string }, searchParams: {} as { notify: boolean } })
  void both({ notify: true }, { name: 'x' })
  // @ts-expect-error Property 'notify' is missing
  void both({ name: 'x' })
  const either = both.extend({ searchParams: {} as { notify?: boolean } })
  void either({ name: 'x' })
  void either({ notify: true }, { name: 'x' })
  void either(undefined, { name: 'x' })
  // @ts-expect-error 'notfiy' does not exist
  void both({ notfiy: true }, { name: 'x' })

  const free = new RestEndpoint({ path: '/users/:id', method: 'post' })
  void free({ id: 1 })
  void free({ id: 1 }, { anything: 1 })
  void free({ id: 1 }, new FormData())
  const bodiless = new RestEndpoint({ path: '/users/:id/touch', method: 'POST', body: undefined })
  void bodiless({ id: 1 })
  // @ts-expect-error Expected 1 arguments: body is undefined
  void bodiless({ id: 1 }, {})
  const remove = new RestEndpoint({ path: '/users/:id', method: 'DELETE' })
  void remove({ id: 1 })
  // @ts-expect-error DELETE has a body only where one is declared
  void remove({ id: 1 }, {})
  const removeWith = new RestEndpoint({ path: '/users/:id', method: 'DELETE', body: {} as { reason: string } })
  void removeWith({ id: 1 }, { reason: 'x' })
  const bySideEffect = new RestEndpoint({ path: '/run', sideEffect: true })
  void bySideEffect({ any: 1 })
}

export async function results(): Promise<void> {
  const processed = new RestEndpoint({ path: '/users/:id', process: (value: { n: string }) => ({ size: Number(value.n) }) })
  const size = (await processed({ id: 1 })).size
  type Size = Expect<Equal<typeof size, number>>
  const awaited = new RestEndpoint({ path: '/x', process: async () => 'text' })
  const text = await awaited()
  type Text = Expect<Equal<typeof text, string>>
  // Without process it is what the server sent: fields, neither dates nor methods.
  const user = await new RestEndpoint({ path: '/users/:id', schema: User })({ id: 1 })
  type Raw = Expect<Equal<typeof user, { id: number; name: string; createdAt: unknown; readonly label: string }>>
  const posts = await new RestEndpoint({ path: '/posts', schema: new schema.Collection([Post]) })()
  type Title = Expect<Equal<(typeof posts)[number]['title'], string>>
  const unknown = await new RestEndpoint({ path: '/x' })()
  type Unknown = Expect<Equal<typeof unknown, unknown>>
  a<[Size, Text, Raw, Title, Unknown]>()
}

const getPost = new RestEndpoint({ path: '/posts/:id', schema: Post })
const page = new RestEndpoint({ path: '/posts', schema: { results: new schema.Collection([Post]), cursor: '', total: 0 } })
const union = new RestEndpoint({ path: '/feed', schema: [new schema.Union({ user: User, post: Post }, 'type')] })
const sorted = new RestEndpoint({ path: '/posts', schema: new schema.Query(new schema.All(Post), (posts: Post[]) => posts.length) })
const values = new RestEndpoint({ path: '/map', schema: new schema.Values(User) })
const raw = new RestEndpoint({ path: '/x', process: () => 5 })

/** A read shows the view of the schema, through everything nested in it. */
export type Views = [
  Expect<Equal<ViewOf<typeof getPost>, Post>>,
  Expect<Equal<ViewOf<typeof getPost>['author'], User>>,
  Expect<Equal<ViewOf<typeof getPost>['author']['createdAt'], Date>>,
  Expect<Equal<ViewOf<typeof page>, { results: Post[]; cursor: string; total: number }>>,
  Expect<Equal<ViewOf<typeof union>, (User | Post)[]>>,
  Expect<Equal<ViewOf<typeof sorted>, number>>,
  Expect<Equal<ViewOf<typeof values>[string], User>>,
  Expect<Equal<ViewOf<typeof raw>, number>>,
]

const post = page.push
const get = new RestEndpoint({ path: '/x' })
const search1 = new RestEndpoint({ path: '/search', method: 'POST', sideEffect: false, body: {} as { q: string } })
const anyMethod = new RestEndpoint({ path: '/x', method: 'get' as string, body: {} as { q: string } })

/** What changes something follows from the method, unless it is reported. */
export type SideEffects = [
  Expect<Equal<typeof anyMethod.sideEffect, boolean>>,
  Expect<Equal<Parameters<typeof anyMethod>, [body?: AnyBody]>>,
  Expect<Equal<typeof get.sideEffect, false>>,
  Expect<Equal<typeof post.sideEffect, true>>,
  Expect<Equal<typeof search1.sideEffect, false>>,
]

export function extenders(): void {
  const base = new RestEndpoint({ path: '/posts/:id', schema: Post, searchParams: {} as { draft?: boolean } })
  const moved = base.extend({ path: '/articles/:slug' })
  void moved({ slug: 'a' })
  void moved({ slug: 'a', draft: true })
  // @ts-expect-error the path has changed
  void moved({ id: 1 })
  const asUser = base.extend({ schema: User })
  a<Expect<Equal<ViewOf<typeof asUser>, User>>>()
  const posted = base.extend({ method: 'POST', body: {} as { title: string } }).extend({ path: '/new' })
  void posted({ title: 'x' })
  void posted({ draft: true }, { title: 'x' })
  // @ts-expect-error the body is missing
  void posted()
  const processed = base.extend({ process: (value: unknown) => String(value) })
  a<Expect<Equal<Awaited<ReturnType<typeof processed>>, string>>>()
  // @ts-expect-error a path is a string
  base.extend({ path: 5 })
  // @ts-expect-error a method is a string
  void new RestEndpoint({ path: '/x', method: 1 })

  a<Expect<Equal<ViewOf<typeof page.push>, Post>>>()
  a<Expect<Equal<ViewOf<typeof page.unshift>, Post>>>()
  a<Expect<Equal<ViewOf<typeof page.move>, Post>>>()
  void page.push({ title: 'x' })
  const next = page.paginated('cursor')
  void next({ cursor: 'x' })
  // @ts-expect-error Property 'cursor' is missing
  void next({})
  // @ts-expect-error 'curser' does not exist
  void next({ curser: 'x' })
  const byArgs = base.paginated(({ after: _after, ...rest }: { id: string; after: number }) => [rest])
  void byArgs({ id: '1', after: 1 })
  // @ts-expect-error Property 'after' is missing
  void byArgs({ id: '1' })
  const named = new RestEndpoint({ path: '/posts', schema: new schema.Collection([Post]), paginationField: 'page' })
  void named.getPage({ page: 2 })
  // @ts-expect-error Property 'page' is missing
  void named.getPage({})
}

export function subclasses(): void {
  class Authorized<const O> extends RestEndpoint<O> {
    override urlPrefix = 'https://api.example.com'
    override getHeaders(headers: { [name: string]: string }): HeadersInit {
      return { ...headers, authorization: 'x' }
    }
    override async getRequestInit(body?: unknown): Promise<RequestInit> {
      return { ...(await super.getRequestInit(body)), credentials: 'same-origin' }
    }
    override async fetch(...args: Parameters<RestEndpoint<O>['fetch']>): ReturnType<RestEndpoint<O>['fetch']> {
      return super.fetch(...args)
    }
  }
  const get = new Authorized({ path: '/users/:id', schema: User })
  void get({ id: 1 })
  // @ts-expect-error Property 'id' is missing
  void get({})
  class Prefixed extends RestEndpoint {
    override get urlPrefix(): string {
      return 'https://api.example.com'
    }
    override getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
      return { ...super.getRequestInit(body), credentials: 'same-origin' }
    }
    override process(value: { x: number }, params: { id: string }): unknown {
      return { ...value, ...params }
    }
  }
  void new Prefixed({ path: '/users/:id' })({ id: 1 }, { body: 1 })
}

export function anyEndpoint(): void {
  const take = <E extends AnyEndpoint>(_endpoint: E, ..._args: Parameters<E>): ViewOf<E> => a<ViewOf<E>>()
  a<Expect<Equal<ReturnType<typeof take<typeof getPost>>, Post>>>()
  take(getPost, { id: 1 })
  // @ts-expect-error Property 'id' is missing
  take(getPost, {})
  take(page.push, { title: 'x' })
  const endpoint = new Endpoint(async (id: number, deep: boolean) => ({ id, deep }), { name: 'getThing' })
  void endpoint(1, true)
  take(endpoint, 1, true)
  // @ts-expect-error Expected 2 arguments
  void endpoint(1)
  // @ts-expect-error a number was expected
  endpoint.key('1', true)
  const typed = endpoint.extend({ schema: User, dataExpiryLength: 5 })
  a<Expect<Equal<ViewOf<typeof typed>, User>>>()
  const other = endpoint.extend({ fetch: async (name: string) => name.length })
  a<Expect<Equal<Awaited<ReturnType<typeof other>>, number>>>()
  void other('x')
  const body: AnyBody = new FormData()
  void body
}
