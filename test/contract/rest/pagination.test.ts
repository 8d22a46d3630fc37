import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createResource, Entity, RestEndpoint, schema } from '../../../src/index.ts'
import { Cache } from './cache.ts'
import { recorder } from './recorder.ts'

const test = suite('pages')

class Post extends Entity {
  id = 0
  static override key = 'Post'
}
const ids = (list: readonly Post[]): number[] => list.map(({ id }) => id)
const numbers = (...list: number[]): object[] => list.map((id) => ({ id }))

/** A list of posts whose answers are given one after the other. */
function listOf(answers: unknown[]) {
  const { calls, transport } = recorder(() => Response.json(answers.shift()))
  return { calls, transport, posts: createResource({ path: '/posts/:id', schema: Post, transport, paginationField: 'page' }) }
}

for (const how of ['paginated', 'paginate', 'getPage'] as const) {
  test(`${how}: a page is fetched with the cursor, and appended without duplicates to the list that the other arguments name`, async () => {
    const { calls, posts } = listOf([numbers(1, 2), numbers(7), numbers(2, 3, 3, 4)])
    const page = how === 'getPage' ? posts.getList.getPage : posts.getList[how]('page')
    assert.equal([page.name, page.sideEffect], ['Post.getList.getPage', false])
    const cache = new Cache()
    await cache.fetch(posts.getList, { tag: 'x' })
    await cache.fetch(posts.getList)
    const visible = await cache.fetch(page, { tag: 'x', page: 2 })
    assert.equal([calls.at(-1)!.input, calls.at(-1)!.init.method], ['/posts?page=2&tag=x', 'GET'])
    assert.equal([ids(cache.read(posts.getList, { tag: 'x' })!), ids(cache.read(posts.getList)!)], [[1, 2, 3, 4], [7]])
    assert.is((visible as unknown as Post[]).length, 4)
  })
}

test('a list that was itself asked for with a cursor is another list', async () => {
  const { posts } = listOf([numbers(1), numbers(5), numbers(2)])
  const cache = new Cache()
  await cache.fetch(posts.getList)
  await cache.fetch(posts.getList, { page: 2 })
  await cache.fetch(posts.getList.getPage, { page: 2 })
  assert.equal([ids(cache.read(posts.getList)!), ids(cache.read(posts.getList, { page: 2 })!)], [[1, 2], [5]])
  assert.is.not(posts.getList.getPage.key({ page: 2 }), posts.getList.key({ page: 2 }))
  assert.ok(posts.getList.getPage.testKey(posts.getList.getPage.key({ page: 2 })))
})

test('a page that is extended to another address has another key, and still belongs to its list', async () => {
  const { calls, posts } = listOf([numbers(1), numbers(2)])
  const page = posts.getList.paginated('page')
  const other = page.extend({ path: '/archive' })
  assert.is.not(other.key({ page: 2 }), page.key({ page: 2 }))
  assert.ok(other.testKey(other.key({ page: 2 })))
  const named = posts.getList.extend({ key: () => 'mine' }).paginated('page')
  assert.is(named.key({ page: 2 }), 'mine page')
  const cache = new Cache()
  await cache.fetch(posts.getList)
  await cache.fetch(other, { page: 2 })
  assert.is(calls.at(-1)!.input, '/archive?page=2')
  assert.equal(ids(cache.read(posts.getList)!), [1, 2])
})

test('a function says which list the arguments of a page mean', async () => {
  const { posts } = listOf([numbers(1), numbers(2), numbers(3)])
  const cache = new Cache()
  await cache.fetch(posts.getList, { tag: 'x' })
  const byList = posts.getList.paginated(({ from: _from, ...rest }: { from: number; tag: string }) => [rest])
  await cache.fetch(byList, { from: 1, tag: 'x' })
  const byObject = posts.getList.paginated(({ from: _from, ...rest }: { from: number; tag: string }) => rest)
  await cache.fetch(byObject, { from: 2, tag: 'x' })
  assert.equal(ids(cache.read(posts.getList, { tag: 'x' })!), [1, 2, 3])
})

test('other members of the answer take the values of the page, at any depth; the list keeps what the page leaves out', async () => {
  const { transport } = listOf([
    { data: { posts: numbers(1), info: { next: 'b' } }, total: 3, once: true },
    { data: { posts: numbers(2), info: { next: '' } }, total: 4 },
  ])
  const shape = new schema.Object({ data: { posts: new schema.Collection([Post]), info: { next: '' } }, total: 0 })
  const list = new RestEndpoint({ path: '/posts', transport, schema: shape })
  const cache = new Cache()
  await cache.fetch(list)
  await cache.fetch(list.paginated('after'), { after: 'b' })
  const { data, total, once } = cache.read(list) as { data: { posts: Post[]; info: object }; total: number; once: boolean }
  assert.equal([ids(data.posts), data.info, total, once], [[1, 2], { next: '' }, 4, true])
})

test('the last page has no cursor: that of the page before it does not stand for it, or there would be a next page for ever', async () => {
  const { transport } = listOf([
    { posts: numbers(1), cursor: 'b', paging: { next: 'b' }, total: 3 },
    { posts: numbers(2), cursor: 'c', paging: { next: 'c' } },
    { posts: numbers(3) },
  ])
  const list = new RestEndpoint({ path: '/posts', transport, schema: { posts: new schema.Collection([Post]), cursor: '', paging: { next: '' } } })
  const cache = new Cache()
  await cache.fetch(list)
  for (const after of ['b', 'c']) await cache.fetch(list.paginated('after'), { after })
  const { posts, cursor, paging, total } = cache.read(list) as { posts: Post[]; cursor?: string; paging?: object; total: number }
  assert.equal([ids(posts), cursor, paging, total], [[1, 2, 3], undefined, undefined, 3])
})

test('a page of a list that is not there is stored for itself and makes no list', async () => {
  const { posts } = listOf([numbers(2)])
  const cache = new Cache()
  await cache.fetch(posts.getList.getPage, { page: 2 })
  assert.is(cache.read(posts.getList), undefined)
  assert.is((cache.get(Post, { id: 2 }) as Post).id, 2)
})

test('a collection with a key of its own, by arguments or by its position, has pages too', async () => {
  const args = { tag: 'x', key: 'posts' }
  for (const options of [{ argsKey: ({ tag }: { tag: string }) => ({ tag }) }, { nestKey: (_: unknown, key: string) => ({ tag: 'x', key }) }]) {
    const { transport } = listOf([{ posts: numbers(1) }, { posts: numbers(2) }])
    const posts = new schema.Collection([Post], options as object)
    const list = new RestEndpoint({ path: '/posts', transport, searchParams: {} as typeof args, schema: { posts } })
    const cache = new Cache()
    await cache.fetch(list, args)
    await cache.fetch(list.paginated('page'), { ...args, page: 2 })
    assert.equal(ids(cache.read(list, args)!.posts), [1, 2])
  }
})

test.run()
