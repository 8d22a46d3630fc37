// Lists that are fetched in pages, and lists that a new or deleted row may belong to.
import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, dehydrate, Endpoint, Entity, hydrate, RestEndpoint, schema } from '../../../src/index.ts'
import { eventTurns } from '../../support/waiting.ts'

let looks = 0

class Post extends Entity {
  id = 0
  tag = ''
  static override key = 'Post'
  static override get schema(): typeof none {
    looks++
    return none
  }
}

const none: { readonly [field: string]: unknown } = {}

const searchParams = {} as { tag?: string; limit?: number; sort?: string; q?: string } | undefined
const Posts = createResource({ urlPrefix: 'http://x', path: '/posts/:id', schema: Post, paginationField: 'page', searchParams })

/** A server of posts in pages of two, newest first, and its client. */
function createWorld(...ids: number[]) {
  const rows = ids.map(id => ({ id, tag: id % 2 ? 'odd' : 'even' }))
  const asked: string[] = []
  const waiting: (() => void)[] = []
  const server = { fails: '', holds: (_request: string): boolean => false }
  const take = (method: string, { pathname, searchParams: params }: URL, body: unknown): Response => {
    if (method === 'POST') {
      rows.unshift({ id: 100 + rows.length, ...(JSON.parse(String(body)) as { tag: string }) })
      return Response.json(rows[0])
    }
    if (method === 'PATCH') return Response.json(Object.assign(rows.find(({ id }) => pathname.endsWith(`/${id}`))!, JSON.parse(String(body))))
    if (method === 'DELETE') return new Response(null, { status: rows.splice(rows.findIndex(({ id }) => pathname.endsWith(`/${id}`)), 1).length ? 204 : 404 })
    const [page, limit] = [Number(params.get('page') ?? 1), Number(params.get('limit') ?? 2)]
    return Response.json(rows.filter(({ tag }) => tag === (params.get('tag') ?? tag)).slice((page - 1) * limit, page * limit))
  }
  const fetch = async (input: string, { method = 'GET', body }: RequestInit = {}): Promise<Response> => {
    const request = `${method} ${input.slice('http://x'.length)}`
    asked.push(request)
    const response = server.fails && input.includes(server.fails) ? new Response('{}', { status: 404 }) : take(method, new URL(input), body)
    if (server.holds(request)) await new Promise<void>(go => void waiting.push(go))
    return response
  }
  const controller = new Controller({ fetch, retry: false })
  return {
    ...{ controller, fetch, rows, asked, server },
    /** Sends the answers that were delayed. */
    go(): void {
      server.holds = () => false
      for (const go of waiting.splice(0)) go()
    },
    list: (args: object = {}) => controller.fetch(Posts.getList, args as never),
    page: (page: number) => controller.fetch(Posts.getList.getPage, { page } as never),
    push: (tag: string) => controller.fetch(Posts.getList.push, { tag } as never),
    ids: (args: object = {}): number[] | undefined => controller.getResponse(Posts.getList, args as never).data?.map(({ id }) => id),
    expired: (...lists: object[]): boolean[] => lists.map(args => controller.getResponse(Posts.getList, args as never).expiresAt === 0),
  }
}

const idle = (): Promise<void> => eventTurns(20)

const pages = suite('a list and its pages')

pages('a refetch keeps the later pages, asks for them again one after the other, and drops what they no longer contain', async () => {
  const { controller, rows, asked, list, page, ids } = createWorld(9, 8, 7, 6, 5, 4)
  await list()
  for (const number of [2, 3]) await page(number)
  assert.equal(ids(), [9, 8, 7, 6, 5, 4])

  rows.splice(rows.findIndex(({ id }) => id === 6), 1)
  rows.unshift({ id: 10, tag: '' })
  asked.length = 0
  const visible: (number[] | undefined)[] = []
  const end = effect(() => void visible.push(controller.view(Posts.getList, {} as never).value?.map(({ id }) => id)))
  await list()
  assert.equal(ids(), [10, 9, 8, 7, 6, 5, 4], 'the first page goes before what later pages had')
  await idle()
  assert.equal(ids(), [10, 9, 8, 7, 5, 4])
  assert.equal(asked, ['GET /posts', 'GET /posts?page=2', 'GET /posts?page=3'])
  for (const rows of visible) assert.ok(rows!.length >= 6, `never shrinks to its first page: ${String(rows)}`)
  end()

  await list()
  await idle()
  assert.equal(ids(), [10, 9, 8, 7, 5, 4])
})

pages('a refetch asks for no page beyond the first empty one', async () => {
  const { asked, list, page, ids } = createWorld(9, 8, 7)
  await list()
  for (const number of [2, 3, 4, 5]) await page(number)
  asked.length = 0
  await list()
  await idle()
  assert.equal(asked, ['GET /posts', 'GET /posts?page=2', 'GET /posts?page=3'])
  assert.equal(ids(), [9, 8, 7])
})

pages('a page that fails leaves the list as it is', async () => {
  const { rows, server, list, page, ids } = createWorld(9, 8, 7, 6)
  await list()
  await page(2)
  rows.unshift({ id: 10, tag: '' })
  server.fails = 'page=2'
  await list()
  await idle()
  assert.equal(ids(), [10, 9, 8, 7, 6])
})

for (const [title, delayed, length] of [
  ['a row that is created while pages are fetched again stays', /POST|page=2/, 5],
  ['a row that is created while the list is fetched again stays, though the answer does not have it yet', /GET \/posts$/, 4],
] as const) {
  pages(title, async () => {
    const { server, go, list, page, push, ids } = createWorld(9, 8, 7, 6)
    await list()
    await page(2)
    server.holds = request => delayed.test(request)
    const again = list()
    await idle()
    const created = push('new')
    await idle()
    go()
    await Promise.all([again, created])
    await idle()
    assert.equal([ids()!.filter(id => id >= 100), ids()!.length], [[104], length])
  })
}

pages('a row that is deleted, and created again while pages are fetched again, is not lost from a list that could not take it', async () => {
  const { controller, server, go, list, expired, ids } = createWorld(9, 8, 7, 6)
  const args = { limit: 2 }
  await list(args)
  await controller.fetch(Posts.getList.getPage, { ...args, page: 2 } as never)
  await controller.fetch(Posts.delete, { id: 9 })
  server.holds = request => /page=2/.test(request)
  await list(args)
  await idle()
  assert.equal(expired(args), [false])
  await controller.fetch(Posts.getList.push, { id: 9 } as never)
  go()
  await idle()
  assert.equal([ids(args), expired(args)], [[8, 7, 6], [true]])
  await list(args)
  await idle()
  assert.equal([ids(args), expired(args)], [[9, 8, 7, 6], [false]])
})

type World = ReturnType<typeof createWorld>
for (const [title, delayed, first, second] of [
  ['the first page is shown, though its list was fetched again before it arrived', /page=2/, ({ page }) => page(2), ({ list }) => list()],
  ['a page that is asked for while its list is fetched again comes behind the others', /posts$/, ({ list }) => list(), ({ page }) => page(3)],
  ['a list that is fetched again while its pages are keeps their order', /page=2/, ({ list }) => list(), ({ list }) => list()],
] as [string, RegExp, (world: World) => Promise<unknown>, (world: World) => Promise<unknown>][]) {
  pages(title, async () => {
    const world = createWorld(9, 8, 7, 6, 5, 4)
    await world.list()
    if (!title.includes('first')) await world.page(2)
    world.server.holds = request => delayed.test(request)
    const acts = [first(world)]
    await idle()
    acts.push(second(world))
    await idle()
    world.go()
    await Promise.all(acts)
    await idle()
    await world.page(3)
    assert.equal(world.ids(), [9, 8, 7, 6, 5, 4])
  })
}

for (const overlap of ['', ', and a page is asked for meanwhile', ', and meanwhile the list']) for (const [title, change, expected] of [
  ['rows before a cursor', ids => ids.unshift(10, 9), [10, 9, 8, 7, 6, 5]],
  ['a row less', ids => ids.splice(3, 1), [8, 7, 6, 4, 3, 2]],
  ['a page less', ids => ids.splice(0, 2), [6, 5, 4, 3, 2, 1]],
  ['one page left', ids => ids.splice(2), [8, 7]],
  ['nothing new', () => 0, [8, 7, 6, 5, 4, 3]],
] as [string, (ids: number[]) => unknown, number[]][]) {
  pages(`a list inside of an object has the cursor of its last page, and a refetch follows the cursors of the new answers: ${title}${overlap}`, async () => {
    const [asked, ids] = [[] as string[], [8, 7, 6, 5, 4, 3, 2, 1]]
    /** A feed in pages of two. A cursor names the row before its page, and is unknown without that row. */
    const fetch = async (input: string): Promise<Response> => {
      const cursor = new URL(input).searchParams.get('cursor')
      const from = ids.findIndex(id => `after ${id}` === cursor) + 1
      const page = ids.slice(from, from + 2)
      asked.push(input)
      return cursor && !from ? new Response('{}', { status: 400 }) : Response.json({ results: page.map(id => ({ id })), info: { tag: 'b', next: from + 2 < ids.length ? `after ${page.at(-1)}` : null } })
    }
    const { getList } = Posts.extend({ getList: { schema: { results: new schema.Collection([Post]), info: { tag: '', next: '' } } } })
    const controller = new Controller({ fetch, retry: false })
    const feed = () => controller.getResponse(getList, { tag: 'b' }).data!
    const more = () => controller.fetch(getList.paginated('cursor'), { tag: 'b', cursor: feed().info.next } as never)
    await controller.fetch(getList, { tag: 'b' })
    for (const _ of [2, 3]) await more()
    change(ids)
    const acts = [() => controller.fetch(getList, { tag: 'b' }), more]
    if (overlap.endsWith('list')) acts.reverse()
    const done = acts.map(act => overlap && act())
    if (overlap) controller.expireAll({ testKey: () => true })
    await Promise.allSettled(done)
    await idle()
    for (const _ of overlap ? [] : [1, 2]) {
      asked.length = 0
      const cursors = new Set([feed().info.next])
      const end = effect(() => void cursors.add(feed().info.next))
      await controller.fetch(getList, { tag: 'b' })
      await idle()
      end()
      assert.equal([feed().results.map(({ id }) => id), asked.length <= 3, cursors.size <= 2], [expected, true, true])
    }
    if (!overlap && feed().info.next) await more()
    assert.equal(feed().results.map(({ id }) => id), ids.slice(0, 8))
  })
}

pages('a page of one list is asked for with that list alone, however many others there are', async () => {
  const { asked, list, page } = createWorld(9, 8, 7, 6)
  await list()
  await list({ tag: 'odd' })
  await page(2)
  asked.length = 0
  await list({ tag: 'odd' })
  await idle()
  assert.equal(asked, ['GET /posts?tag=odd'])
})

pages('what a class throws while the pages are merged is reported', async () => {
  const errors: unknown[] = []
  const { fetch } = createWorld(9, 8, 7, 6)
  const controller = new Controller({ fetch, retry: false, onError: error => void errors.push((error as Error).message) })
  let lists = 0
  class Pages extends schema.Collection<(typeof Post)[]> {
    override pk(...args: Parameters<schema.Collection['pk']>): string {
      if (lists++ > 3) throw new Error('unlucky')
      return super.pk(...args)
    }
  }
  const { getList } = Posts.extend({ getList: { schema: new Pages([Post]) } })
  await controller.fetch(getList)
  await controller.fetch(getList.getPage, { page: 2 } as never)
  await controller.fetch(getList)
  await idle()
  assert.equal(errors, ['unlucky'])
  controller.dispose()
})

const created = suite('lists and created rows')

created('a list that nothing contradicts is expired by the answer and fetched again while it is watched', async () => {
  const { controller, list, push, ids, expired } = createWorld(9, 8)
  const lists = [{}, { limit: 3 }, { sort: 'id' }, { tag: 'even' }, { q: 'x' }, { q: 'x', tag: 'even' }, { tag: 'even,odd' }, { tag: ['odd', 'even'] }, { tag: { $ne: 'even' } }]
  for (const args of lists) await list(args)
  await push('odd')
  assert.equal(expired(...lists), [false, true, true, false, true, false, true, true, true])
  assert.is(ids()!.length, 3, 'the plain list took it')
  await controller.fetchIfStale(Posts.getList, { limit: 3 } as never)
  assert.is(ids({ limit: 3 })!.length, 3)
})

created('a list whose arguments equal fields of the answered record is expired, and one that took the row for another value', async () => {
  for (const [body, lists, expected] of [[{}, [{ tag: 'odd', limit: 5 }, { tag: 'even', limit: 5 }], [true, false]], [{ tag: 'even' }, [{}, { tag: 'even' }, { tag: 'odd' }], [false, true, true]]] as const) {
    const { controller, list, expired } = createWorld(9, 8)
    for (const args of lists) await list(args)
    await controller.fetch(Posts.getList.push.extend({ process: (value: object) => ({ ...value, tag: 'odd' }) }), body as never)
    assert.equal(expired(...lists), expected)
  }
})

created('a list with an argument that the URL does not show is the list without it', async () => {
  const { list, push, ids } = createWorld(9)
  const lists = [{}, { q: [] }, { q: {} }]
  for (const args of lists) await list(args)
  await push('odd')
  for (const args of lists) assert.equal(ids(args), [9, 101])
})

created('a row that moves leaves sorted lists and parts of lists too; those that may have it now are expired', async () => {
  const { controller, list, ids, expired } = createWorld(9, 8)
  const lists = ['odd', 'even'].flatMap(tag => [{ tag }, { tag, limit: 5 }, { tag, sort: 'id' }])
  const page = { tag: 'odd', page: 2 }
  for (const args of [...lists, page]) await list(args)
  await controller.fetch(Posts.getList.move, { id: 9 }, { tag: 'even' } as never)
  assert.equal(lists.map(ids), [[], [], [], [8, 9], [8], [8]])
  assert.equal(expired(...lists, page), [false, true, false, false, true, true, true])
  await list(page)
  await controller.fetch(Posts.getList.remove, { id: 8 }, { tag: 'even' } as never)
  assert.equal(lists.map(ids), [[], [], [], [9], [], []])
  assert.equal(expired(page), [true])
})

created('a read is made again that was answered before a call which has ended meanwhile, or before it was expired', async () => {
  const acts: ((world: ReturnType<typeof createWorld>) => unknown)[] = [
    ({ controller }) => controller.fetch(Posts.getList.push, { tag: 'odd' } as never),
    ({ controller }) => controller.fetch(Posts.delete, { id: 9 }),
    ({ controller, rows }) => rows.shift() && controller.expireAll(Posts.getList),
  ]
  for (const act of acts) for (const isFirst of [true, false]) {
    const world = createWorld(9, 8, 7)
    const args = { limit: 2, sort: 'id' }
    if (!isFirst) await world.list(args)
    world.server.holds = request => request.startsWith('GET')
    const reading = world.list(args)
    await act(world)
    world.go()
    await reading
    await idle()
    assert.equal(world.ids(args), world.rows.slice(0, 2).map(({ id }) => id))
  }
})

created('a row that moves while lists are read that nobody had read before is in one of them in the end', async () => {
  const { controller, server, list, go, ids, expired } = createWorld(9, 8)
  server.holds = () => true
  const odd = list({ tag: 'odd' })
  const moved = controller.fetch(Posts.getList.move, { id: 9 }, { tag: 'even' } as never)
  const all = list()
  go()
  await Promise.all([odd, moved, all])
  // The answer of the last read has hidden from which list the row came.
  assert.equal([ids(), expired({ tag: 'odd' })], [[9, 8], [true]])
  await controller.fetchIfStale(Posts.getList, { tag: 'odd' } as never)
  assert.equal(ids({ tag: 'odd' }), [])
})

created('a creation or deletion expires lists that may have changed, hydrated ones like those that were fetched, whether or not they were read here', async () => {
  const lists = [{}, { limit: 1 }, { limit: 2 }, { sort: 'id' }, { q: 'x' }]
  for (const isDeletion of [true, false]) {
    const [fetched, hydrated, unread] = [createWorld(9, 8, 7), createWorld(9, 8, 7), createWorld(9, 8, 7)]
    for (const args of lists) await fetched.list(args)
    for (const { controller } of [hydrated, unread]) hydrate(controller, JSON.parse(JSON.stringify(dehydrate(fetched.controller))))
    assert.equal(lists.map(hydrated.ids), lists.map(fetched.ids))
    for (const { controller, push, expired } of [fetched, hydrated, unread]) {
      await (isDeletion ? controller.fetch(Posts.delete, { id: 8 }) : push('odd'))
      assert.equal(expired(...lists), [false, true, true, !isDeletion, !isDeletion])
    }
  }
})

created('every read that shows a list which may have changed expires, wherever in its schema the list is; to find it costs nothing for each row of other lists', async () => {
  const [Blog, Author] = ['Blog', 'Author'].map(name => class extends Entity {
    id = 0
    static override key = name
    static override schema: { [field: string]: unknown } = {}
  }) as [typeof Post, typeof Post]
  // In a circle, whichever class is met first.
  Object.assign(Blog.schema, { author: Author, posts: new schema.Collection([Post], { nestKey: ({ id }: { id: number }) => ({ id, limit: 2 }) }) })
  Object.assign(Author.schema, { blogs: [Blog] })
  const [other, author] = [2, 1].map(id => ({ id, blogs: [{ id, author: id, posts: [{ id: 9, tag: 'odd' }] }] })) as [object, { id: number; blogs: object[] }]
  const { controller } = createWorld()
  const schemas: [schema: unknown, value: unknown][] = [
    [Author, author], [Blog, author.blogs[0]], [[Author], [other, author]], [{ page: { authors: [Author] } }, { page: { authors: [author] } }],
    [new schema.Collection(new schema.Values(Author), { argsKey: () => ({ all: '' }) }), { ann: author }],
    [new schema.Array({ author: Author, post: Post }, 'type'), [{ type: 'author', ...author }]],
    [new schema.Query(Author, each => each.id), author], [{ lazy: new schema.Lazy([Author]) }, { lazy: [author] }],
    // None of these shows it.
    [[Post], Array.from({ length: 500 }, (_, id) => ({ id }))], [{ when: Date, text: '', none: null, rest: [] }, { when: '2026-01-01', text: 'x', none: null, rest: [1] }], [undefined, [author]],
  ]
  const endpoints = schemas.map(([schema], n) => new RestEndpoint({ path: `/read${n}`, schema }))
  endpoints.forEach((endpoint, n) => controller.setResponse(endpoint, schemas[n]![1]))
  looks = 0
  await controller.fetch(Posts.delete, { id: 8 })
  assert.ok(looks < 100, `${looks} looks`)
  assert.equal(endpoints.flatMap((endpoint, n) => (controller.getResponse(endpoint).expiresAt === 0 ? n : [])), [0, 1, 2, 3, 4, 5, 6, 7])
})

created('a deletion of many rows looks at each stored list once', async () => {
  const { controller } = createWorld()
  for (let page = 0; page < 50; page++) controller.setResponse(Posts.getList, { limit: 3, tag: `${page}` }, [{ id: page }])
  const clear = new Endpoint(async () => Array.from({ length: 300 }, (_, id) => id), { name: 'clear', sideEffect: true, schema: [new schema.Invalidate(Post)] })
  const { parse } = JSON
  let parsed = 0
  JSON.parse = (...args) => (parsed++, parse(...args))
  await controller.fetch(clear).finally(() => (JSON.parse = parse))
  assert.ok(parsed <= 100, `${parsed} keys of lists were parsed`)
  assert.is(controller.getResponse(Posts.getList, { limit: 3, tag: '7' }).expiresAt, 0)
})

pages.run()
created.run()
