import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, dehydrate, Endpoint, exportState, hydrate, renderState } from '../../../src/index.ts'
import { createClock, mockFetch } from '../../../src/testing/index.ts'
import { warnings } from '../../support/caught.ts'
import { initialOf } from '../../support/initialOf.ts'
import { law } from '../../support/settings.ts'
import { Todo, TodoResource } from '../../support/todo.ts'

const { get, getList } = TodoResource
const one = { id: 1 }
const owner = { id: 7, name: 'ann' }
const todos = [{ id: 1, title: 'sow', done: false, owner }, { id: 2, title: '</script><!--', done: false, owner }]
const count = new Endpoint(async () => 1, { name: 'count' })

/** A process that begins at `date`, `age` milliseconds after its clock has. */
function world(date: number, age = 0) {
  const clock = createClock(date - age)
  clock.advance(age)
  const fetch = mockFetch({ 'GET /todos': { body: todos }, 'DELETE /todos/2': { status: 204 }, 'GET /todos/1': { body: { id: 1, title: 'new' } } })
  return { controller: new Controller({ fetch, clock }), clock, fetch }
}

/** The text of what a server has that has fetched its list at `date`, and then done `more`. */
async function textOf(date = 1_000_000, more: (controller: Controller) => unknown = () => {}): Promise<string> {
  const { controller } = world(date)
  await controller.fetch(getList)
  await more(controller)
  return JSON.stringify(dehydrate(controller))
}
const titleOf = (controller: Controller, id: number): string | undefined => controller.get(Todo, { id })?.title

const test = suite('dehydrate, hydrate, renderState')

test('what a server has fetched is not fetched again in the page, whether it is hydrated or begins with the text of it', async () => {
  const text = await textOf()
  // Another process: its clock began elsewhere, and its wall clock is a little behind.
  const { controller, clock, fetch } = world(990_000, 777_777)
  assert.ok(hydrate(controller, JSON.parse(text)))
  const begun = new Controller({ clock, fetch, initialState: initialOf(text) })
  for (const page of [controller, begun]) {
    assert.equal(JSON.parse(JSON.stringify(await page.fetchIfStale(getList))), todos)
    assert.is((await page.fetchIfStale(get, one)).owner!.name, 'ann')
  }
  assert.is(fetch.calls.length, 0)
})

test('it expires when it would have, by the wall clock', async () => {
  const text = await textOf()
  for (const [date, left] of [[1_060_000, 0], [1_059_000, 1000]] as const) {
    const { controller, clock, fetch } = world(date, 12)
    hydrate(controller, text)
    await controller.fetchIfStale(getList)
    assert.is(fetch.calls.length, left ? 0 : 1)
    clock.advance(left)
    await controller.fetchIfStale(getList)
    assert.is(fetch.calls.length, 1)
  }
})

test('the whole way through JSON and back gives the same document', async () => {
  const { controller } = world(1_000_000)
  await controller.fetch(getList)
  await controller.fetch(TodoResource.delete, { id: 2 })
  controller.set(Todo, { id: 1, title: 'for ever' })
  const there = new Controller({ initialState: initialOf(JSON.parse(JSON.stringify(dehydrate(controller)))) })
  const plain = ({ entities, endpoints }: ReturnType<typeof exportState>): unknown => ({
    entities: entities.map(([key, rows]) => [key, rows.map(([pk, record, stamp]) => [pk, record, stamp?.deleted, stamp?.expiresAt === Infinity])]),
    endpoints,
  })
  assert.equal(plain(exportState(there.snapshot())), plain(exportState(controller.snapshot())))
})

test('of two results the newer one stays, as of two rows, and what the page does not have is taken in', async () => {
  const own = (value: number) => (controller: Controller) => {
    controller.setResponse(count, value)
    controller.setResponse(get, one, { id: 1, title: String(value) })
  }
  for (const [date, visible, until] of [[1_000_000, 1, 60_000], [1_020_000, 2, 70_000]] as const) {
    const { controller, clock } = world(1_010_000)
    own(1)(controller)
    clock.advance(20_000)
    hydrate(controller, await textOf(date, own(2)))
    assert.equal([controller.getResponse(count).data, titleOf(controller, 1), titleOf(controller, 2)], [visible, String(visible), '</script><!--'])
    assert.is(controller.getResponse(count).expiresAt, until)
    assert.is(await controller.fetch(count), 1)
  }
})

test('what is fetched after it counts, however far ahead the clock of the server was', async () => {
  const { controller } = world(1_000_000)
  hydrate(controller, await textOf(9e12))
  await controller.fetch(get, one)
  assert.is(titleOf(controller, 1), 'new')
})

test('what the page is asking for when it is hydrated counts, whether or not rows were written meanwhile', async () => {
  const text = await textOf(1_000_000, async controller => {
    await controller.fetch(get, one)
    controller.set(Todo, { id: 1, title: 'old' })
    await controller.fetch(count)
  })
  for (const write of ['', 'setResponse', 'set']) {
    let answer: (fixture: { body: object }) => void
    let counted: (value: number) => void
    const clock = createClock(1_030_000)
    const page = new Controller({ clock, fetch: mockFetch({ 'GET /todos/1': () => new Promise(resolve => (answer = resolve)) }) })
    const asked = page.fetch(get, one)
    const counting = page.fetch(count.extend({ fetch: () => new Promise<number>(resolve => (counted = resolve)) }))
    await new Promise(resolve => setTimeout(resolve))
    if (write === 'set') page.set(Todo, { id: 2, title: 'own' })
    if (write === 'setResponse') page.setResponse(getList, [{ id: 2, title: 'own' }])
    assert.ok(hydrate(page, text))
    assert.equal([1, 2].map(id => titleOf(page, id)), ['old', write ? 'own' : '</script><!--'], 'it shows until then')
    answer!({ body: { id: 1, title: 'new' } })
    counted!(2)
    const { title, owner } = await asked
    assert.equal([title, owner!.name, await counting, page.getResponse(count).data], ['new', 'ann', 2, 2])
    assert.is(page.getResponse(get, one).expiresAt, clock.now() + 60_000)
  }
})

test('what was invalidated is invalid after it too, until it is fetched', async () => {
  const text = await textOf(1_000_000, controller => {
    controller.invalidate(getList)
    // Brought by the list, and never fetched itself.
    controller.invalidate(get, one)
  })
  const [page, again] = [world(1_000_000), world(1_000_000)]
  hydrate(page.controller, text)
  hydrate(again.controller, JSON.stringify(dehydrate(page.controller)))
  const statuses = ({ controller }: typeof page): number[] => [
    controller.getResponse(getList).expiryStatus, ...[1, 2].map(id => controller.getResponse(get, { id }).expiryStatus),
  ]
  assert.equal([page, again].map(statuses), [[1, 1, 3], [1, 1, 3]])
  await page.controller.fetchIfStale(getList)
  await page.controller.fetchIfStale(get, one)
  assert.equal([page.fetch.calls.length, statuses(page)], [2, [3, 3, 3]])
})

test('a state may be given as it is, and is fresh for a minute', async () => {
  const { controller } = world(0)
  await controller.fetch(getList)
  const clock = createClock()
  const other = new Controller({ initialState: controller.snapshot(), fetch: mockFetch({ 'GET /todos': { body: [] } }), clock })
  assert.is((await other.fetchIfStale(getList)).length, 2)
  clock.advance(60_000)
  assert.is((await other.fetchIfStale(getList)).length, 0)
})

test('a result without a schema travels too, falsy or not', async () => {
  const zero = new Endpoint(async () => 0, { name: 'zero' })
  const { controller } = world(0)
  hydrate(controller, await textOf(0, server => server.fetch(zero)))
  const { data, expiryStatus } = controller.getResponse(zero)
  assert.equal([data, expiryStatus], [0, 3])
})

const rows = (...entities: unknown[]) => (data: object) => ({ ...data, entities })
for (const [name, spoil] of Object.entries<(data: object) => unknown>({
  nothing: () => undefined,
  null: () => null,
  'a number': () => 7,
  'a list': () => [],
  'JSON cut short': data => JSON.stringify(data).slice(0, -20),
  'a newer version': data => ({ ...data, version: 2 }),
  'no entities': data => ({ ...data, entities: undefined }),
  'a row without a pk': rows(['Todo', [['', {}, null]]]),
  'a pk twice': rows(['Todo', [['1', {}, null], ['1', {}, null]]]),
  'a record that is a string': rows(['Todo', [['1', 'x', null]]]),
  'an own __proto__': rows(['Todo', [['1', JSON.parse('{"__proto__":{"isAdmin":true}}'), null]]]),
  'a table called __proto__': rows(['__proto__', []]),
  'freshness that is none': data => ({ ...data, freshness: [['GET /todos']] }),
})) {
  test(`${name} is refused whole, with one warning`, async () => {
    const data = spoil(JSON.parse(await textOf()) as object)
    const { controller } = world(1_000_000)
    const before = controller.snapshot()
    assert.is(warnings(() => assert.not(hydrate(controller, data))).length, 1)
    assert.is(controller.snapshot(), before)
    assert.is(controller.getResponse(getList).expiryStatus, 1)
    if (data === undefined) return
    let begun: Controller
    assert.is(warnings(() => (begun = new Controller({ initialState: initialOf(data) }))).length, 1)
    assert.is(begun!.getResponse(getList).expiryStatus, 1)
  })
}

const { controller: origin } = world(1_000_000)
origin.setResponse(getList, todos)
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

test('what was deleted elsewhere is gone though it is being deleted here too, and that fails', async () => {
  const text = await textOf(1_000_000, server => server.fetch(TodoResource.delete, { id: 2 }))
  const page = new Controller({ fetch: mockFetch({ 'DELETE /todos/2': { status: 500 } }), clock: createClock(900_000), retry: false })
  page.setResponse(get, { id: 2 }, todos[1]!)
  const deleted = page.fetch(TodoResource.delete.extend({ getOptimisticResponse: (_snap, params) => params }), { id: 2 })
  assert.is(page.get(Todo, { id: 2 }), undefined)
  assert.ok(hydrate(page, text))
  await deleted.catch(() => {})
  assert.is(page.get(Todo, { id: 2 }), undefined)
})

test.run()
