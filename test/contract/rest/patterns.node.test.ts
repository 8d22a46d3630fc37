import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createResource, Entity, RestEndpoint, schema } from '../../../src/index.ts'
import { Cache } from './cache.ts'
import { serve, type Server } from './server.ts'

/** The seven patterns of the interface document, each on a real server. */
const test = suite('patterns over HTTP')

let server: Server
test.before.each(async () => void (server = await serve()))
test.after.each(() => server.close())

class Account extends Entity {
  id = ''
  balance = 0
  static override key = 'Account'
}
class Trade extends Entity {
  id = ''
  amount = 0
  static override key = 'Trade'
}
class Post extends Entity {
  id = 0
  title = ''
  static override key = 'Post'
}

test('1: a mutation whose answer nests several entities writes them all', async () => {
  const Trades = createResource({ urlPrefix: server.url, path: '/trades/:id', schema: Trade }).extend((Base) => ({
    create: Base.getList.push.extend({ schema: { trade: Base.getList.push.schema, account: Account } }),
  }))
  const cache = new Cache()
  server.answer = ({ method }) => (method === 'GET' ? [] : { trade: { id: 't1', amount: 5 }, account: { id: 'a1', balance: 95 } })
  await cache.fetch(Trades.getList)
  const { trade, account } = await cache.fetch(Trades.create, { amount: 5 })
  assert.equal([server.last().method, server.last().url, server.last().body], ['POST', '/trades', '{"amount":5}'])
  assert.instance(trade, Trade)
  assert.instance(account, Account)
  assert.is((cache.get(Account, { id: 'a1' }) as Account).balance, 95)
  assert.equal(cache.read(Trades.getList)!.map(({ id }) => id), ['t1'])
})

const idsOf = (list: readonly Post[]): number[] => list.map(({ id }) => id)

test('2: tokens in the body', async () => {
  const Posts = createResource({ urlPrefix: server.url, path: '/posts/:id', schema: Post }).extend({
    getList: { schema: { results: new schema.Collection([Post]), nextPage: '', prevPage: '' } },
  })
  const pages = {
    '/posts': { results: [{ id: 1 }, { id: 2 }], nextPage: 'b', prevPage: '' },
    '/posts?token=b': { results: [{ id: 2 }, { id: 3 }], nextPage: '', prevPage: 'a' },
  }
  server.answer = ({ url }) => pages[url as keyof typeof pages]
  const cache = new Cache()
  const first = await cache.fetch(Posts.getList)
  assert.equal([idsOf(first.results), first.nextPage], [[1, 2], 'b'])
  await cache.fetch(Posts.getList.paginated('token'), { token: first.nextPage })
  const { results, nextPage, prevPage } = cache.read(Posts.getList)!
  assert.equal([idsOf(results), nextPage, prevPage], [[1, 2, 3], '', 'a'])
  assert.equal(server.seen.map(({ url }) => url), Object.keys(pages))
})

test('3: tokens in headers', async () => {
  class Linked<const O> extends RestEndpoint<O> {
    override async parseResponse(response: Response): Promise<unknown> {
      const results = await super.parseResponse(response)
      const link = response.headers.get('link')
      return link !== null || Array.isArray(results) ? { link, results } : results
    }
  }
  const Posts = createResource({ urlPrefix: server.url, path: '/posts/:id', schema: Post, Endpoint: Linked }).extend({
    getList: { schema: { results: [Post], link: '' } },
  })
  server.answer = ({ method }, response) => {
    if (method === 'POST') return { id: 9, title: 'alone' }
    response.writeHead(200, { 'content-type': 'application/json', link: '</posts?page=2>; rel="next"' }).end('[{"id":1,"title":"x"}]')
    return undefined
  }
  const cache = new Cache()
  const { results, link } = await cache.fetch(Posts.getList)
  assert.is(link, '</posts?page=2>; rel="next"')
  assert.instance(results[0], Post)
  assert.equal(await Posts.get.extend({ method: 'POST', body: undefined })({ id: 9 }), { id: 9, title: 'alone' } as never)
})

test('4: cursor pagination', async () => {
  const Posts = createResource({ urlPrefix: server.url, path: '/groups/:group/posts/:id', schema: Post, paginationField: 'cursor' }).extend({
    getList: { schema: { results: new schema.Collection([Post]), cursor: '' } },
  })
  server.answer = ({ url }) => {
    const cursor = Number(new URL(url, server.url).searchParams.get('cursor') ?? 0)
    return { results: [{ id: cursor * 10 + 1 }, { id: cursor * 10 + 2 }], cursor: `${cursor + 1}` }
  }
  const cache = new Cache()
  await cache.fetch(Posts.getList, { group: 'a' })
  await cache.fetch(Posts.getList, { group: 'b' })
  for (const _ of [1, 2]) {
    const { cursor } = cache.read(Posts.getList, { group: 'a' })!
    await cache.fetch(Posts.getList.getPage, { group: 'a', cursor })
  }
  const [a, b] = ['a', 'b'].map((group) => cache.read(Posts.getList, { group })!)
  assert.equal([idsOf(a!.results), a!.cursor, idsOf(b!.results), b!.cursor], [[1, 2, 11, 12, 21, 22], '3', [1, 2], '1'])
  assert.is(server.last().url, '/groups/a/posts?cursor=2')
})

test('5: a shared endpoint class', async () => {
  class Api<const O> extends RestEndpoint<O> {
    override get urlPrefix(): string {
      return server.url
    }
    override getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
      return { ...super.getRequestInit(body), credentials: 'same-origin' }
    }
    override getHeaders(headers: { [name: string]: string }): HeadersInit {
      return { ...headers, authorization: 'Bearer x' }
    }
    override process(value: unknown, ...args: never): unknown {
      const [params] = args as unknown as [{ group?: string } | undefined]
      return params?.group && !Array.isArray(value) ? { ...(value as object), title: params.group } : value
    }
  }
  const Posts = createResource({ path: '/groups/:group/posts/:id', schema: Post, Endpoint: Api })
  const Accounts = createResource({ path: '/accounts/:id', schema: Account, Endpoint: Api })
  server.answer = () => ({ id: 1 })
  assert.equal(await Posts.get({ group: 'a', id: 1 }), { id: 1, title: 'a' })
  await Accounts.update({ id: 1 }, { balance: 2 })
  assert.equal(server.seen.map(({ headers }) => headers.authorization), ['Bearer x', 'Bearer x'])
  assert.is((Accounts.get.getRequestInit() as RequestInit).credentials, 'same-origin')
})

test('6: wrapper functions', async () => {
  const createPaged = <const P extends string, S extends typeof Post>(options: { path: P; schema: S }) =>
    createResource({ urlPrefix: server.url, ...options }).extend({
      getList: { schema: { results: new schema.Collection([options.schema]), total: 0, limit: 0, skip: 0 } },
    })
  const Posts = createPaged({ path: '/posts/:id', schema: Post })
  server.answer = ({ method }) => (method === 'POST' ? { id: 2, title: 'b' } : { results: [{ id: 1, title: 'a' }], total: 1, limit: 10, skip: 0 })
  const cache = new Cache()
  const list = await cache.fetch(Posts.getList, { skip: 0 })
  assert.equal([list.total, list.limit, list.skip, idsOf(list.results)], [1, 10, 0, [1]])
  await cache.fetch(Posts.getList.push, { skip: 0 }, { title: 'b' })
  assert.equal(cache.read(Posts.getList, { skip: 0 })!.results.map(({ title }) => title), ['a', 'b'])
})

test('7: key case, both ways', async () => {
  const deep = (value: unknown, rename: (name: string) => string): unknown => {
    if (Array.isArray(value)) return value.map((each) => deep(each, rename))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [rename(name), deep(member, rename)]))
  }
  const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  class Snake<const O> extends RestEndpoint<O> {
    override getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
      return super.getRequestInit(deep(body, snake))
    }
    override process(value: unknown): unknown {
      return deep(value, camel)
    }
  }
  class Person extends Entity {
    id = 0
    firstName = ''
    homeAddresses: { streetName: string | null }[] = []
    static override key = 'Person'
  }
  const People = createResource({ urlPrefix: server.url, path: '/people/:id', schema: Person, Endpoint: Snake })
  server.answer = ({ method, body }) => ({ id: 1, ...(method === 'GET' ? { first_name: 'Ada', home_addresses: [{ street_name: null }] } : (JSON.parse(body) as object)) })
  const cache = new Cache()
  const ada = await cache.fetch(People.get, { id: 1 })
  assert.equal([ada.firstName, ada.homeAddresses], ['Ada', [{ streetName: null }]])
  await cache.fetch(People.partialUpdate, { id: 1 }, { firstName: 'Grace', homeAddresses: [{ streetName: 'Main' }, { streetName: null }] })
  assert.is(server.last().body, '{"first_name":"Grace","home_addresses":[{"street_name":"Main"},{"street_name":null}]}')
  assert.equal((cache.get(Person, { id: 1 }) as Person).homeAddresses, [{ streetName: 'Main' }, { streetName: null }])
  await People.getList()
  assert.is(server.last().body, '')
})

test.run()
