import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, dehydrate, Entity, hydrate, renderState } from '../../../src/index.ts'
import { createClock, mockFetch } from '../../../src/testing/index.ts'
import { warnings } from '../../support/caught.ts'
import { begun, get, getList, open, remove, Todo } from './page.ts'
import { initialOf } from '../../support/initialOf.ts'

const test = suite('regressions: what travels from a server')

const wireOf = (controller: Controller): Record<string, unknown> => JSON.parse(JSON.stringify(dehydrate(controller))) as Record<string, unknown>
test('seroval CVE-2026-59940, GHSA-hx9m-jf43-8ffr what looks like a promise, a function or an expression is data', async () => {
  const good = wireOf(begun().controller)
  const { controller } = open()
  const record = { id: '1', title: 'x', then: { status: 1, value: 'y' }, toJSON: 'z', regexp: { source: '(a+)+$' }, valueOf: { call: 1 } }
  warnings(() => assert.ok(hydrate(controller, { ...good, entities: [['Todo', [['1', record, null]]]] })))
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
