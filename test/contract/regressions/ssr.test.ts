import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Controller, createResource, dehydrate, Entity } from '../../../src/index.ts'
import { begun, get, open, remove } from './page.ts'
import { initialOf } from '../../support/initialOf.ts'

const test = suite('regressions: what travels from a server')

const wireOf = (controller: Controller): Record<string, unknown> => JSON.parse(JSON.stringify(dehydrate(controller))) as Record<string, unknown>
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
