import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, Entity, schema } from '../../../src/index.ts'
import { mockFetch } from '../../../src/testing/index.ts'
import { Note, Todo } from './todos.ts'

const test = suite('schema: names that schemas use themselves')

/** Statics with the names of what our own schemas state about themselves. */
class Figure extends Entity {
  static override key = 'Figure'
  static shape = { corners: Note }
  static query = new schema.All(Note)
  static computes = true
  static brackets = '[]'
  static element = { schema: Note }
  static takesPk = true
  static answerView = (): string => 'a static of the user'
  static resolve = (): never => { throw new Error('a static of the user') }
  id = 0
  name = ''
}

const figure = { id: 1, name: 'square' }
const Figures = createResource({ path: '/figures/:id', schema: Figure })

test('an entity class may have statics with any name', async () => {
  const fetch = mockFetch({ 'GET /figures/1': { body: figure }, 'PATCH /figures/1': { body: { ...figure, name: 'cube' } } })
  const controller = new Controller({ fetch, gc: false })
  const fetched: unknown = await controller.fetch(Figures.get, { id: 1 })
  const live = controller.live(Figures.get, { id: 1 }) as Figure
  for (const each of [fetched, live]) assert.instance(each, Figure)
  assert.equal([(fetched as Figure).name, live.name], ['square', 'square'])
  assert.is(controller.getResponse(Figures.get, { id: 1 }).data, fetched)
  assert.instance(await controller.fetch(Figures.partialUpdate, { id: 1 }, { name: 'cube' }), Figure)
  assert.is(live.name, 'cube')
  controller.dispose()
})

test('a detail that another answer brought is asked for by its own class, and missing without an answer', () => {
  const controller = new Controller({ gc: false })
  controller.setResponse(Figures.getList, [figure])
  const { data, expiryStatus } = controller.getResponse(Figures.get, { id: 1 })
  assert.equal([(data as Figure | undefined)?.name, expiryStatus], ['square', 3])
  controller.setResponse(Figures.get, { id: 1 }, figure)
  controller.set(new schema.Invalidate(Figure), { id: 1 })
  assert.is(controller.getResponse(Figures.get, { id: 1 }).expiryStatus, 1)
  controller.dispose()
})

test('an object schema may have fields with any name', () => {
  const names = 'shape query computes brackets element inner definition answerView resolve takesPk version key'.split(' ')
  const read = Figures.get.extend({ schema: Object.fromEntries(names.map(name => [name, Todo])) })
  const controller = new Controller({ gc: false })
  controller.setResponse(read, { id: 1 }, Object.fromEntries(names.map((name, i) => [name, { id: i, title: name }])))
  for (const data of [controller.getResponse(read, { id: 1 }).data, controller.live(read, { id: 1 })] as unknown as { [name: string]: Todo }[]) {
    assert.equal(names.map(name => data[name]?.title), names)
  }
  controller.set(new schema.Invalidate(Todo), { id: 3 })
  assert.is(controller.getResponse(read, { id: 1 }).expiryStatus, 1)
  controller.dispose()
})

test.run()
