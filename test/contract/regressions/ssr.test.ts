import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches, Controller, createResource, dehydrate, Entity, hydrate, PatchError, renderState } from '../../../src/index.ts'
import { createClock, mockFetch } from '../../../src/testing/index.ts'
import { caught, warnings } from '../../support/caught.ts'
import { write } from '../../support/write.ts'
import { begun, get, getList, open, remove, Todo } from './page.ts'
import { initialOf } from '../../support/initialOf.ts'

const test = suite('regressions: what travels from a server')

const wireOf = (controller: Controller): Record<string, unknown> => JSON.parse(JSON.stringify(dehydrate(controller))) as Record<string, unknown>
const row = (record: unknown): unknown[] => [['Todo', [['1', record, null]]]]

test('data-client B19, apollo-client#5727, redux#1855, electrode#441, catalyst-core#468 #469, serialize-javascript CVE-2019-16769 no text of the data ends the script', () => {
  for (const text of ['</script><script>alert(1)</script>', '<!--<script>', '</SCRIPT\n>', '\u2028\u2029', ']]>', '"\\u003c/script']) {
    const { controller } = open()
    controller.set(Todo, { id: text, title: text, [text]: { [text]: [text] } })
    const html = renderState(dehydrate(controller))
    assert.is(html.match(/[<\u2028\u2029]/g)!.length, 2, html)
    const page = open().controller
    assert.ok(hydrate(page, html.slice(html.indexOf('>') + 1, html.lastIndexOf('<'))))
    assert.is(page.get(Todo, { id: text })!.title, text)
  }
})

test('devalue CVE-2026-30226, TanStack/db#1595 no name in hydrated data reaches a prototype', () => {
  const good = wireOf(begun().controller)
  for (const spoiled of [
    { ...good, entities: row(JSON.parse('{"id":"1","__proto__":{"isAdmin":true}}')) },
    { ...good, entities: row(JSON.parse('{"id":"1","deep":{"list":[{"__proto__":{"isAdmin":true}}]}}')) },
    { ...good, entities: JSON.parse('[["__proto__",[["isAdmin",{"id":"isAdmin"},null]]]]') as unknown },
    { ...good, endpoints: JSON.parse('[["k",{"__proto__":{"isAdmin":true}}]]') as unknown },
  ]) {
    const { controller } = open()
    assert.is(warnings(() => assert.not(hydrate(controller, spoiled))).length, 1)
    assert.is(controller.get(Todo, { id: '1' }), undefined)
    assert.is(({} as { isAdmin?: unknown }).isAdmin, undefined)
  }
})

test('devalue CVE-2026-22774 #22775, CVE-2026-42570 a number in a message makes no list longer than the message', () => {
  const { state } = write(Todo, { id: '1', list: [1] })
  for (const last of [4_000_000_000, 4_294_967_294, 2, 'length', -1, 0.5]) {
    for (const op of ['add', 'replace'] as const) {
      assert.instance(caught(() => applyPatches(state, [{ op, path: ['entities', 'Todo', '1', 'list', last], value: 4e9 }])), PatchError, `${op} ${last}`)
    }
  }
  const good = wireOf(begun().controller)
  for (const entities of [{ length: 4e9 }, [['Todo', { length: 4e9 }]]]) warnings(() => assert.not(hydrate(open().controller, { ...good, entities })))
})

test('seroval CVE-2026-59940, GHSA-hx9m-jf43-8ffr what looks like a promise, a function or an expression is data', async () => {
  const good = wireOf(begun().controller)
  const { controller } = open()
  const record = { id: '1', title: 'x', then: { status: 1, value: 'y' }, toJSON: 'z', regexp: { source: '(a+)+$' }, valueOf: { call: 1 } }
  warnings(() => assert.ok(hydrate(controller, { ...good, entities: row(record) })))
  let todo: Todo | undefined
  warnings(() => (todo = controller.get(Todo, { id: '1' })))
  assert.is((await Promise.resolve(todo))!.title, 'x')
  assert.equal(Object.keys(wireOf(controller)), Object.keys(good))
})

test('svelte-persisted-store#306, vuex-module-decorators#146, sapper#16 #1672, nuxt/bridge#451, legend-state#161 two users who ask for one address at one time see each his own', async () => {
  const render = async (user: string): Promise<string> => {
    const clock = createClock()
    const answer = (): Promise<object> => new Promise(resolve => setTimeout(() => resolve({ body: [{ id: '1', title: user }] }), Math.random() * 5))
    const controller = new Controller({ clock, fetch: mockFetch({ 'GET /todos': answer, 'GET /todos/1': { body: { id: '1', n: user.length } } }) })
    const list = await controller.fetch(getList)
    await controller.fetch(get, { id: '1' })
    const html = `${list[0]!.title} ${controller.get(Todo, { id: '1' })!.title} ${renderState(dehydrate(controller))}`
    controller.dispose()
    return html
  }
  const users = Array.from({ length: 20 }, (_, i) => `user${i}.`)
  const pages = await Promise.all(users.map(render))
  pages.forEach((page, i) => assert.equal(new Set(page.match(/user\d+\./g)), new Set([users[i]])))
})

test('TanStack/query#6982 #7009 #7127 #7174 what a server has fetched is not fetched again', async () => {
  const server = open()
  server.controller.setResponse(getList, [{ id: '1', title: 'sent', n: 1 }])
  const page = open()
  hydrate(page.controller, wireOf(server.controller))
  assert.is((await page.controller.fetchIfStale(getList))[0]!.title, 'sent')
  assert.is((await page.controller.fetchIfStale(get, { id: '1' })).title, 'sent')
  assert.equal(page.wire.sent, [])
})

test('TanStack/db#1127 dates are dates after a restart, and the same ones', () => {
  class Event extends Entity {
    id = ''
    at = new Date(0)
    static override key = 'Event'
    static override schema = { at: Date }
  }
  const event = createResource({ path: '/events/:id', schema: Event }).get
  const before = open().controller
  before.setResponse(event, { id: '1' }, { id: '1', at: '2024-02-29T12:00:00.000Z' })
  // A local write with a real date is written down as text too.
  before.set(Event, { id: '2', at: new Date(86_400_000) } as never)
  const after = open({ initialState: initialOf(JSON.parse(JSON.stringify(dehydrate(before)))) }).controller
  assert.equal(['1', '2'].map(id => after.get(Event, { id })!.at), [new Date('2024-02-29T12:00:00.000Z'), new Date(86_400_000)])
})

test('TanStack/query#9752 #8969 a page that arrives broken is a warning, and everything is fetched as usual', async () => {
  const text = JSON.stringify(dehydrate(begun().controller))
  for (const data of [text.slice(0, -9), '', 'null', undefined, [], new Error('x'), { version: 99 }, new Proxy({}, { get: () => { throw new Error('trap') } })]) {
    const page = open()
    assert.is(warnings(() => assert.not(hydrate(page.controller, data))).length, 1)
    const asked = page.controller.fetchIfStale(get, { id: '1' })
    await page.wire.answer('/todos/1', { id: '1', title: 'fetched' })
    assert.is((await asked).title, 'fetched')
  }
})

test('urql#2458 what is written down after a reset has nothing from before it', async () => {
  const { controller, wire } = begun()
  const deleted = controller.fetch(remove, { id: '1' })
  await wire.answer('/todos/1', null, 204)
  await deleted
  controller.reset()
  const { entities, endpoints, freshness } = wireOf(controller) as { entities: [string, unknown[]][]; endpoints: unknown[]; freshness: unknown[] }
  assert.equal([entities.flatMap(([, rows]) => rows), endpoints, freshness], [[], [], []])
})

test('TanStack/db#1387, urql#866 a deletion is remembered across a restart', async () => {
  const { controller, wire } = begun()
  const deleted = controller.fetch(remove, { id: '1' })
  await wire.answer('/todos/1', null, 204)
  await deleted
  const after = open({ initialState: initialOf(wireOf(controller)) })
  assert.is(after.controller.getResponse(get, { id: '1' }).data, undefined)
  assert.is(after.controller.getResponse(get, { id: '1' }).expiryStatus, 1)
})

test.run()
