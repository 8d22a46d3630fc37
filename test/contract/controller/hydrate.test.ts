import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, dehydrate, Endpoint, Entity, exportState, hydrate, renderState } from '../../../src/index.ts'
import { createClock, mockFetch, type HandClock, type MockFetch } from '../../../src/testing/index.ts'
import { law } from '../../support/settings.ts'
import { initialOf } from '../../support/initialOf.ts'

class User extends Entity {
  static override key = 'User'
  id = 0
  name = ''
}

class Post extends Entity {
  static override key = 'Post'
  static override schema = { author: User }
  id = 0
  title = ''
  author = User.fromJS()
}

const PostResource = createResource({ path: '/posts/:id', schema: Post })
const posts = [
  { id: 1, title: 'sow', author: { id: 7, name: 'ann' } },
  { id: 2, title: '</script><!--', author: { id: 7, name: 'ann' } },
]

function world(date: number, skip = 0): { controller: Controller; clock: HandClock; fetch: MockFetch } {
  const clock = createClock(date - skip)
  clock.advance(skip)
  const fetch = mockFetch({ 'GET /posts': { body: posts }, 'DELETE /posts/2': { status: 204 }, 'GET /posts/1': { body: { id: 1, title: 'new' } } })
  return { controller: new Controller({ fetch, clock }), clock, fetch }
}

/** What was warned of while `work` ran. */
function warnings(work: () => void): string[] {
  const messages: string[] = []
  const { warn } = console
  console.warn = (...words: unknown[]) => void messages.push(words.join(' '))
  try {
    work()
  } finally {
    console.warn = warn
  }
  return messages
}

const test = suite('dehydrate, hydrate, renderState')

test('what a server has fetched is not fetched again in the page', async () => {
  const server = world(1_000_000, 5)
  const list = await server.controller.fetch(PostResource.getList)
  const wire = JSON.stringify(dehydrate(server.controller))
  // Another process: its clock began elsewhere, and its wall clock is a little behind.
  const page = world(990_000, 777_777)
  assert.ok(hydrate(page.controller, JSON.parse(wire)))
  assert.equal(JSON.stringify(await page.controller.fetchIfStale(PostResource.getList)), JSON.stringify(list))
  assert.is((await page.controller.fetchIfStale(PostResource.get, { id: 1 })).author.name, 'ann')
  assert.is(page.fetch.calls.length, 0)
})

test('it expires when it would have, by the wall clock', async () => {
  const server = world(1_000_000)
  await server.controller.fetch(PostResource.getList)
  const data = dehydrate(server.controller)
  const page = world(1_060_000, 12)
  hydrate(page.controller, data)
  await page.controller.fetchIfStale(PostResource.getList)
  assert.is(page.fetch.calls.length, 1)
  const early = world(1_059_000)
  hydrate(early.controller, data)
  await early.controller.fetchIfStale(PostResource.getList)
  assert.is(early.fetch.calls.length, 0)
  early.clock.advance(1000)
  await early.controller.fetchIfStale(PostResource.getList)
  assert.is(early.fetch.calls.length, 1)
})

test('the whole way through JSON and back gives the same document', async () => {
  const { controller } = world(1_000_000)
  await controller.fetch(PostResource.getList)
  await controller.fetch(PostResource.delete, { id: 2 })
  controller.set(Post, { id: 1, title: 'for ever' })
  const there = new Controller({ initialState: initialOf(JSON.parse(JSON.stringify(dehydrate(controller)))) })
  const plain = ({ entities, endpoints }: ReturnType<typeof exportState>): unknown => ({
    entities: entities.map(([key, rows]) => [key, rows.map(([pk, record, stamp]) => [pk, record, stamp?.deleted, stamp?.expiresAt === Infinity])]),
    endpoints,
  })
  assert.equal(plain(exportState(there.snapshot())), plain(exportState(controller.snapshot())))
})

test('what the page has fetched since stays', async () => {
  const server = world(1_000_000)
  await server.controller.fetch(PostResource.getList)
  const data = dehydrate(server.controller)
  const page = world(1_000_500)
  await page.controller.fetch(PostResource.get, { id: 1 })
  hydrate(page.controller, data)
  assert.is(page.controller.get(Post, { id: 1 })!.title, 'new')
  assert.is(page.controller.get(Post, { id: 2 })!.author.name, 'ann')
})

test('of two results the newer one stays, as of two rows', async () => {
  const count = new Endpoint(async () => 1, { name: 'count' })
  for (const [date, visible] of [[1_000_000, 1], [1_020_000, 2]] as const) {
    const server = world(date)
    server.controller.setResponse(count, 2)
    server.controller.setResponse(PostResource.get, { id: 1 }, { id: 1, title: '2' })
    const page = world(1_010_000)
    page.controller.setResponse(count, 1)
    page.controller.setResponse(PostResource.get, { id: 1 }, { id: 1, title: '1' })
    page.clock.advance(20_000)
    hydrate(page.controller, JSON.stringify(dehydrate(server.controller)))
    assert.equal([page.controller.getResponse(count).data, page.controller.get(Post, { id: 1 })!.title], [visible, String(visible)])
    const until = visible === 1 ? 60_000 : 70_000
    assert.is(page.controller.getResponse(count).expiresAt, until)
    assert.is(await page.controller.fetch(count), 1)
  }
})

test('what is fetched after it counts, however far ahead the clock of the server was', async () => {
  const server = world(9e12)
  await server.controller.fetch(PostResource.getList)
  const page = world(1_000_000)
  hydrate(page.controller, dehydrate(server.controller))
  await page.controller.fetch(PostResource.get, { id: 1 })
  assert.is(page.controller.get(Post, { id: 1 })!.title, 'new')
})

test('what the page is asking for when it is hydrated counts, whether or not rows were written meanwhile', async () => {
  const count = new Endpoint(async () => 1, { name: 'count' })
  const server = world(1_000_000)
  await server.controller.fetch(PostResource.getList)
  await server.controller.fetch(count)
  for (const write of [false, true]) {
    let answer: (fixture: { body: object }) => void
    let counted: (value: number) => void
    const clock = createClock(1_030_000)
    const page = new Controller({ clock, fetch: mockFetch({ 'GET /posts/1': () => new Promise(resolve => (answer = resolve)) }) })
    const asked = page.fetch(PostResource.get, { id: 1 })
    const counting = page.fetch(count.extend({ fetch: () => new Promise<number>(resolve => (counted = resolve)) }))
    await new Promise(resolve => setTimeout(resolve))
    if (write) page.setResponse(PostResource.getList, [{ id: 2, title: 'own' }])
    hydrate(page, JSON.stringify(dehydrate(server.controller)))
    assert.is(page.get(Post, { id: 1 })!.title, 'sow')
    answer!({ body: { id: 1, title: 'new' } })
    counted!(2)
    const { title, author } = await asked
    assert.equal([title, author.name], ['new', 'ann'])
    assert.is(await counting, 2)
    assert.is(page.getResponse(count).data, 2)
    assert.is(page.getResponse(PostResource.get, { id: 1 }).expiresAt, clock.now() + 60_000)
    assert.is(page.get(Post, { id: 2 })!.title, write ? 'own' : '</script><!--')
  }
})

test('a controller may begin with the text of what was written down', async () => {
  const page = new Controller({ clock: createClock(1_000_000), initialState: initialOf(JSON.stringify(await good())) })
  assert.is(page.getResponse(PostResource.getList).data!.length, 2)
})

test('what was invalidated is invalid after it too, until it is fetched', async () => {
  const { controller } = world(1_000_000)
  await controller.fetch(PostResource.getList)
  controller.invalidate(PostResource.getList)
  // Brought by the list, and never fetched itself.
  controller.invalidate(PostResource.get, { id: 1 })
  const wire = JSON.stringify(dehydrate(controller))
  const page = world(1_000_000)
  hydrate(page.controller, wire)
  const again = world(1_000_000).controller
  hydrate(again, JSON.stringify(dehydrate(page.controller)))
  for (const each of [page.controller, again]) {
    assert.is(each.getResponse(PostResource.getList).expiryStatus, 1)
    assert.is(each.getResponse(PostResource.get, { id: 1 }).expiryStatus, 1)
    assert.is(each.getResponse(PostResource.get, { id: 2 }).expiryStatus, 3)
  }
  await page.controller.fetchIfStale(PostResource.getList)
  await page.controller.fetchIfStale(PostResource.get, { id: 1 })
  assert.is(page.fetch.calls.length, 2)
  assert.is(page.controller.getResponse(PostResource.getList).expiryStatus, 3)
  assert.is(page.controller.getResponse(PostResource.get, { id: 1 }).expiryStatus, 3)
})

test('a state may be given as it is, and is fresh for a minute', async () => {
  const { controller } = world(0)
  await controller.fetch(PostResource.getList)
  const clock = createClock()
  const fetch = mockFetch({ 'GET /posts': { body: [] } })
  const other = new Controller({ initialState: controller.snapshot(), fetch, clock })
  assert.is((await other.fetchIfStale(PostResource.getList)).length, 2)
  clock.advance(60_000)
  assert.is((await other.fetchIfStale(PostResource.getList)).length, 0)
})

test('a result without a schema travels too, falsy or not', async () => {
  const zero = new Endpoint(async () => 0, { name: 'zero' })
  const { controller } = world(0)
  await controller.fetch(zero)
  const page = world(0).controller
  hydrate(page, JSON.stringify(dehydrate(controller)))
  assert.is(page.getResponse(zero).data, 0)
  assert.is(page.getResponse(zero).expiryStatus, 3)
})

const good = async (): Promise<ReturnType<typeof dehydrate>> => {
  const { controller } = world(1_000_000)
  await controller.fetch(PostResource.getList)
  return dehydrate(controller)
}

for (const [name, spoil] of Object.entries<(data: Record<string, unknown>) => unknown>({
  nothing: () => undefined,
  null: () => null,
  'a number': () => 7,
  'a list': () => [],
  'JSON cut short': data => JSON.stringify(data).slice(0, -20),
  'a newer version': data => ({ ...data, version: 2 }),
  'no entities': data => ({ ...data, entities: undefined }),
  'a row without a pk': data => ({ ...data, entities: [['Post', [['', {}, null]]]] }),
  'a pk twice': data => ({ ...data, entities: [['Post', [['1', {}, null], ['1', {}, null]]]] }),
  'a record that is a string': data => ({ ...data, entities: [['Post', [['1', 'x', null]]]] }),
  'an own __proto__': data => ({ ...data, entities: [['Post', [['1', JSON.parse('{"__proto__":{"isAdmin":true}}'), null]]]] }),
  'a table called __proto__': data => ({ ...data, entities: [['__proto__', []]] }),
  'freshness that is none': data => ({ ...data, freshness: [['GET /posts']] }),
})) {
  test(`${name} is refused whole, with one warning`, async () => {
    const data = spoil(JSON.parse(JSON.stringify(await good())) as Record<string, unknown>)
    const { controller } = world(1_000_000)
    const before = controller.snapshot()
    const messages = warnings(() => assert.not(hydrate(controller, data)))
    assert.is(messages.length, 1)
    assert.is(controller.snapshot(), before)
    assert.is(controller.getResponse(PostResource.getList).expiryStatus, 1)
    if (data === undefined) return
    let begun: Controller
    const again = warnings(() => (begun = new Controller({ initialState: initialOf(data) })))
    assert.is(again.length, 1)
    assert.is(begun!.getResponse(PostResource.getList).expiryStatus, 1)
  })
}

const { controller: origin } = world(1_000_000)
origin.setResponse(PostResource.getList, posts)
const text = JSON.stringify(dehydrate(origin))
const damaged = fc.oneof(
  fc.tuple(fc.nat(text.length), fc.nat(12), fc.string({ maxLength: 4 })).map(([at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut)),
  fc.json(),
)

law(test, 'INV-48 any damage to good data is refused whole or taken whole, and never throws', 3000, damaged, wire => {
  const { controller } = world(1_000_000)
  const before = controller.snapshot()
  if (!hydrate(controller, wire)) assert.is(controller.snapshot(), before)
  assert.is(({} as { isAdmin?: unknown }).isAdmin, undefined)
})

const words = ['</script>', '</SCRIPT ', '<!--', '<script', ']]>', '\u2028', '\u2029', '&', '"', "'", '\\', '\ud800']
const nasty = fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'binary' })), { maxLength: 6 }).map(each => each.join(''))
const raw = new Endpoint(async () => null, { name: 'raw' })

law(test, 'INV-49 the script element is inert, whatever is in the data', 3000, fc.tuple(nasty, nasty, nasty), ([key, value, id]) => {
  const { controller } = world(0)
  controller.setResponse(raw, { [`k${key}`]: value })
  const data = dehydrate(controller)
  const html = renderState(data, { id, nonce: value })
  const body = /^<script type="application\/json" id="[^"<>]*" nonce="[^"<>]*">([^<\u2028\u2029]*)<\/script>$/.exec(html)
  assert.ok(body, html)
  assert.equal(JSON.parse(body![1]!), JSON.parse(JSON.stringify(data)))
})

test('what was written down before a read began lies beneath its answer, also when it is taken in while that is under way', async () => {
  const yesterday = world(1_000_000)
  await yesterday.controller.fetch(PostResource.getList)
  await yesterday.controller.fetch(PostResource.get, { id: 1 })
  yesterday.controller.set(Post, { id: 1, title: 'old' })
  const clock = createClock(90_000_000)
  const fetch = mockFetch({ 'GET /posts/1': { body: { id: 1, title: 'new' }, delay: 5 } }, { clock })
  const controller = new Controller({ fetch, clock })
  const read = controller.fetch(PostResource.get, { id: 1 })
  controller.set(Post, { id: 2, title: 'mine' })
  assert.ok(hydrate(controller, dehydrate(yesterday.controller)))
  assert.equal([1, 2].map(id => controller.get(Post, { id })!.title), ['old', 'mine'], 'it shows until then')
  await new Promise(resolve => setTimeout(resolve, 1))
  clock.advance(5)
  const { title, author } = await read
  assert.equal([title, author.name], ['new', 'ann'])
  assert.is(controller.getResponse(PostResource.get, { id: 1 }).expiresAt, clock.now() + 60_000)
})

test('what was deleted elsewhere is gone though it is being deleted here too, and that fails', async () => {
  const server = world(1_000_000)
  await server.controller.fetch(PostResource.getList)
  await server.controller.fetch(PostResource.delete, { id: 2 })
  const fetch = mockFetch({ 'DELETE /posts/2': { status: 500 } })
  const page = new Controller({ fetch, clock: createClock(900_000), retry: false })
  page.setResponse(PostResource.get, { id: 2 }, posts[1]!)
  const deleted = page.fetch(PostResource.delete.extend({ getOptimisticResponse: (_snap, params) => params }), { id: 2 })
  assert.is(page.get(Post, { id: 2 }), undefined)
  hydrate(page, dehydrate(server.controller))
  await deleted.catch(() => {})
  assert.is(page.get(Post, { id: 2 }), undefined)
})

test('what was invalidated is fetched again also when it was written down and taken in since', async () => {
  const { controller } = world(1_000_000)
  await controller.fetch(PostResource.get, { id: 1 })
  controller.invalidate(PostResource.get, { id: 1 })
  const page = world(1_000_010)
  hydrate(page.controller, JSON.stringify(dehydrate(controller)))
  await page.controller.fetchIfStale(PostResource.get, { id: 1 })
  assert.is(page.fetch.calls.length, 1)
})

test.run()
