// Lists that are fetched in pages, and lists that a new or deleted row may belong to.
import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, Entity, schema } from '../../../src/index.ts'

class Post extends Entity {
  id = 0
  tag = ''
  static override key = 'Post'
}

/** Posts in pages of two, newest first, and what was asked. */
function server(...ids: number[]) {
  const rows = ids.map(id => ({ id, tag: id % 2 ? 'odd' : 'even' }))
  const asked: string[] = []
  const waiting: (() => void)[] = []
  let failing = ''
  let holding = false
  const transport = async (input: string, init?: RequestInit): Promise<Response> => {
    const url = new URL(input, 'http://x')
    asked.push(`${init?.method} ${url.pathname}${url.search}`)
    if (holding) await new Promise<void>(go => void waiting.push(go))
    if (failing && input.includes(failing)) return new Response('{}', { status: 404 })
    if (init?.method === 'POST') {
      const row = { id: 100 + rows.length, ...(JSON.parse(String(init.body)) as { tag: string }) }
      rows.unshift(row)
      return Response.json(row)
    }
    if (init?.method === 'DELETE') {
      rows.splice(rows.findIndex(({ id }) => url.pathname.endsWith(`/${id}`)), 1)
      return new Response(null, { status: 204 })
    }
    const { page, tag, limit } = Object.fromEntries(url.searchParams)
    const matching = rows.filter(row => tag === undefined || row.tag === tag)
    const size = Number(limit ?? 2)
    const from = (Number(page ?? 1) - 1) * size
    return Response.json(matching.slice(from, from + size))
  }
  return { rows, asked, transport, fail: (part: string) => (failing = part), hold: () => (holding = true), go: () => (holding = false, waiting.splice(0).forEach(go => go())) }
}

const setup = (...ids: number[]) => {
  const site = server(...ids)
  const controller = new Controller({ fetch: site.transport, retry: false })
  const Posts = createResource({ urlPrefix: 'http://x', path: '/posts/:id', schema: Post, paginationField: 'page', searchParams: {} as { tag?: string; limit?: number; sort?: string; q?: string } | undefined })
  const ids_ = (args: object = {}): number[] | undefined => controller.getResponse(Posts.getList, args as never).data?.map(({ id }) => id)
  return { ...site, controller, Posts, ids: ids_ }
}

const idle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise(next => setTimeout(next))
}

const pages = suite('a list and its pages')

pages('a refetch keeps the later pages, asks for them again one after the other, and drops what they no longer contain', async () => {
  const { controller, Posts, rows, asked, ids, hold, go } = setup(9, 8, 7, 6, 5, 4)
  await controller.fetch(Posts.getList, {} as never)
  await controller.fetch(Posts.getList.getPage, { page: 2 } as never)
  await controller.fetch(Posts.getList.getPage, { page: 3 } as never)
  assert.equal(ids(), [9, 8, 7, 6, 5, 4])

  rows.splice(rows.findIndex(({ id }) => id === 6), 1)
  rows.unshift({ id: 10, tag: '' })
  asked.length = 0
  const visible: (number[] | undefined)[] = []
  const end = effect(() => void visible.push(controller.view(Posts.getList, {} as never).value?.map(({ id }) => id)))
  await controller.fetch(Posts.getList, {} as never)
  assert.equal(ids(), [10, 9, 8, 7, 6, 5, 4], 'the first page goes before what later pages had')
  await idle()
  assert.equal(ids(), [10, 9, 8, 7, 5, 4])
  assert.equal(asked, ['GET /posts', 'GET /posts?page=2', 'GET /posts?page=3'])
  for (const list of visible) assert.ok(list!.length >= 6, `never shrinks to its first page: ${String(list)}`)
  end()

  hold()
  asked.length = 0
  const again = controller.fetch(Posts.getList, {} as never)
  await idle()
  go()
  await again
  await idle()
  assert.equal(ids(), [10, 9, 8, 7, 5, 4])
})

pages('a refetch asks for no page beyond the first empty one', async () => {
  const { controller, Posts, asked, ids } = setup(9, 8, 7)
  await controller.fetch(Posts.getList, {} as never)
  for (const page of [2, 3, 4, 5]) await controller.fetch(Posts.getList.getPage, { page } as never)
  asked.length = 0
  await controller.fetch(Posts.getList, {} as never)
  await idle()
  assert.equal(asked, ['GET /posts', 'GET /posts?page=2', 'GET /posts?page=3'])
  assert.equal(ids(), [9, 8, 7])
})

pages('a page that fails leaves the list as it is', async () => {
  const { controller, Posts, rows, ids, fail } = setup(9, 8, 7, 6)
  await controller.fetch(Posts.getList, {} as never)
  await controller.fetch(Posts.getList.getPage, { page: 2 } as never)
  rows.unshift({ id: 10, tag: '' })
  fail('page=2')
  await controller.fetch(Posts.getList, {} as never)
  await idle()
  assert.equal(ids(), [10, 9, 8, 7, 6])
})

pages('a row that is created while pages are fetched again stays', async () => {
  const { controller, Posts, ids, hold, go } = setup(9, 8, 7, 6)
  await controller.fetch(Posts.getList, {} as never)
  await controller.fetch(Posts.getList.getPage, { page: 2 } as never)
  await controller.fetch(Posts.getList, {} as never)
  hold()
  const created = controller.fetch(Posts.getList.push, { tag: 'new' } as never)
  await idle()
  go()
  await created
  await idle()
  assert.equal(ids()!.filter(id => id >= 100).length, 1)
  assert.is(ids()!.length, 5)
})

pages('a row that is created while the list is fetched again stays, though the answer does not have it yet', async () => {
  const { Posts, transport } = setup(9, 8, 7, 6)
  let arrive = Promise.resolve()
  const controller = new Controller({
    fetch: async (input, init) => {
      const response = await transport(input, init)
      if (input.endsWith('/posts') && init?.method === 'GET') await arrive
      return response
    },
  })
  await controller.fetch(Posts.getList, {} as never)
  await controller.fetch(Posts.getList.getPage, { page: 2 } as never)
  let go!: () => void
  arrive = new Promise<void>(resolve => void (go = resolve))
  const again = controller.fetch(Posts.getList, {} as never)
  await idle()
  await controller.fetch(Posts.getList.push, { tag: 'new' } as never)
  go()
  await again
  await idle()
  assert.equal(controller.getResponse(Posts.getList, {} as never).data!.map(({ id }) => id).filter(id => id >= 100), [104])
})

pages('a list inside of an object keeps the cursor of its last page', async () => {
  const answers: unknown[] = [
    { results: [{ id: 1 }], cursor: 'b' }, { results: [{ id: 2 }], cursor: 'c' },
    { results: [{ id: 3 }, { id: 1 }], cursor: 'b2' }, { results: [{ id: 2 }], cursor: 'c2' },
  ]
  const controller = new Controller({ fetch: async () => Response.json(answers.shift()) })
  const Posts = createResource({ urlPrefix: 'http://x', path: '/posts/:id', schema: Post }).extend({ getList: { schema: { results: new schema.Collection([Post]), cursor: '' } } })
  const page = Posts.getList.paginated('cursor')
  await controller.fetch(Posts.getList)
  await controller.fetch(page, { cursor: 'b' } as never)
  await controller.fetch(Posts.getList)
  await idle()
  const { data } = controller.getResponse(Posts.getList)
  assert.equal([data!.results.map(({ id }) => id), data!.cursor], [[3, 1, 2], 'c2'])
})

pages('a list inside of an object drops what its pages no longer contain', async () => {
  const answers: unknown[] = [
    { results: [{ id: 5 }, { id: 4 }], cursor: 'b' }, { results: [{ id: 3 }, { id: 2 }], cursor: 'c' },
    { results: [{ id: 6 }, { id: 5 }], cursor: 'b' }, { results: [{ id: 4 }, { id: 2 }], cursor: 'c' },
  ]
  const controller = new Controller({ fetch: async () => Response.json(answers.shift()) })
  const Posts = createResource({ urlPrefix: 'http://x', path: '/posts/:id', schema: Post }).extend({ getList: { schema: { results: new schema.Collection([Post]), cursor: '' } } })
  await controller.fetch(Posts.getList)
  await controller.fetch(Posts.getList.paginated('cursor'), { cursor: 'b' } as never)
  await controller.fetch(Posts.getList)
  await idle()
  assert.equal(controller.getResponse(Posts.getList).data!.results.map(({ id }) => id), [6, 5, 4, 2])
})

pages('a page of one list is asked for with that list alone, however many others there are', async () => {
  const { controller, Posts, asked } = setup(9, 8, 7, 6)
  for (const args of [{}, { tag: 'odd' }]) await controller.fetch(Posts.getList, args as never)
  await controller.fetch(Posts.getList.getPage, { page: 2 } as never)
  asked.length = 0
  await controller.fetch(Posts.getList, { tag: 'odd' } as never)
  await idle()
  assert.equal(asked, ['GET /posts?tag=odd'])
})

pages('what a class throws while the pages are merged is reported', async () => {
  const errors: unknown[] = []
  const { transport } = server(9, 8, 7, 6)
  const controller = new Controller({ fetch: transport, retry: false, onError: error => void errors.push(error) })
  let lists = 0
  class Pages extends schema.Collection<(typeof Post)[]> {
    override pk(...args: Parameters<schema.Collection['pk']>): string {
      if (lists++ > 3) throw new Error('unlucky')
      return super.pk(...args)
    }
  }
  const Posts = createResource({ urlPrefix: 'http://x', path: '/posts/:id', schema: Post, paginationField: 'page' }).extend({ getList: { schema: new Pages([Post]) } })
  await controller.fetch(Posts.getList)
  await controller.fetch(Posts.getList.getPage, { page: 2 } as never)
  await controller.fetch(Posts.getList)
  await idle()
  assert.equal(errors.map(error => (error as Error).message), ['unlucky'])
  controller.dispose()
})

const created = suite('lists and created rows')

created('a list that differs in paging or sorting alone is expired by the answer and fetched again while it is watched', async () => {
  const { controller, Posts, ids } = setup(9, 8)
  await controller.fetch(Posts.getList, {} as never)
  for (const args of [{ limit: 3 }, { sort: 'id' }, { tag: 'even' }, { q: 'x' }]) await controller.fetch(Posts.getList, args as never)
  await controller.fetch(Posts.getList.push, { tag: 'odd' } as never)
  const stale = (args: object): boolean => controller.getResponse(Posts.getList, args as never).expiresAt === 0
  assert.equal([{}, { limit: 3 }, { sort: 'id' }, { tag: 'even' }, { q: 'x' }].map(stale), [false, true, true, false, false])
  assert.is(ids()!.length, 3, 'the plain list took it')
  await controller.fetchIfStale(Posts.getList, { limit: 3 } as never)
  assert.is(ids({ limit: 3 })!.length, 3)
})

created('a list whose arguments equal fields of the answered record is expired', async () => {
  const { controller, Posts } = setup(9, 8)
  await controller.fetch(Posts.getList, { tag: 'odd', limit: 5 } as never)
  await controller.fetch(Posts.getList, { tag: 'even', limit: 5 } as never)
  const push = Posts.getList.push.extend({ process: (value: object) => ({ ...value, tag: 'odd' }) })
  await controller.fetch(push, {} as never)
  const stale = (args: object): boolean => controller.getResponse(Posts.getList, args as never).expiresAt === 0
  assert.equal([{ tag: 'odd', limit: 5 }, { tag: 'even', limit: 5 }].map(stale), [true, false])
})

created('a deletion expires the paged lists that contained the row', async () => {
  const { controller, Posts } = setup(9, 8, 7)
  for (const args of [{}, { limit: 1 }, { limit: 2 }]) await controller.fetch(Posts.getList, args as never)
  await controller.fetch(Posts.delete, { id: 8 })
  const stale = (args: object): boolean => controller.getResponse(Posts.getList, args as never).expiresAt === 0
  assert.equal([{}, { limit: 1 }, { limit: 2 }].map(stale), [false, false, true])
})

created('when no list takes a new row, one hint names the lists and says why', async () => {
  const { controller, Posts } = setup(9)
  const { warn } = console
  const messages: string[] = []
  console.warn = (text: string) => void messages.push(text)
  try {
    class Note extends Post {
      static override key = 'Note'
    }
    const Notes = Posts.getList.extend({ schema: new schema.Collection([Note]) })
    await controller.fetch(Notes, { q: 'x' } as never)
    await controller.fetch(Notes.push, { tag: 'odd' } as never)
    await controller.fetch(Notes.push, { tag: 'odd' } as never)
  } finally {
    console.warn = warn
  }
  assert.is(messages.length, 1)
  assert.match(messages[0]!, /none of the stored lists \[Note\]: {"q":"x"}/)
})

pages.run()
created.run()
