import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, Entity, schema } from '../../../src/index.ts'
import { mockFetch } from '../../../src/testing/index.ts'

const test = suite('schema: names that schemas use themselves')

class Part extends Entity {
  static override key = 'Part'
  id = 0
  label = ''
}

/** Statics with the names of what our own schemas state about themselves. */
class Figure extends Entity {
  static override key = 'Figure'
  static shape = { corners: Part }
  static query = new schema.All(Part)
  static computes = true
  static brackets = '[]'
  static element = { schema: Part }
  static takesPk = true
  static answerView = (): string => 'a static of the user'
  static resolve = (): never => {
    throw new Error('a static of the user')
  }
  id = 0
  name = ''
}

const figure = { id: 1, name: 'square' }
const Figures = createResource({ path: '/figures/:id', schema: Figure })
const responses = { 'GET /figures/1': { body: figure }, 'GET /figures': { body: [figure] }, 'PATCH /figures/1': { body: { ...figure, name: 'cube' } } }

test('an entity class may have statics with any name', async () => {
  const controller = new Controller({ fetch: mockFetch(responses), gc: false })
  const fetched: unknown = await controller.fetch(Figures.get, { id: 1 })
  assert.instance(fetched, Figure)
  assert.is((fetched as Figure).name, 'square')
  assert.is(controller.getResponse(Figures.get, { id: 1 }).data, fetched)
  const live = controller.live(Figures.get, { id: 1 }) as Figure
  assert.instance(live, Figure)
  assert.is(live.name, 'square')
  const changed: unknown = await controller.fetch(Figures.partialUpdate, { id: 1 }, { name: 'cube' })
  assert.instance(changed, Figure)
  assert.is(live.name, 'cube')
  controller.dispose()
})

test('a detail that another answer brought is asked for by its own class', () => {
  const controller = new Controller({ gc: false })
  controller.setResponse(Figures.getList, [figure])
  const { data, expiryStatus } = controller.getResponse(Figures.get, { id: 1 })
  assert.is((data as Figure | undefined)?.name, 'square')
  assert.is(expiryStatus, 3)
  controller.dispose()
})

test('a row without an answer is missing, whatever its class is called', () => {
  const controller = new Controller({ gc: false })
  controller.setResponse(Figures.get, { id: 1 }, figure)
  controller.set(new schema.Invalidate(Figure), { id: 1 })
  assert.is(controller.getResponse(Figures.get, { id: 1 }).expiryStatus, 1)
  controller.dispose()
})

test('an object schema may have fields with any name', () => {
  const names = ['shape', 'query', 'computes', 'brackets', 'element', 'inner', 'definition', 'answerView', 'resolve', 'takesPk', 'version', 'key'] as const
  const shape = Object.fromEntries(names.map(name => [name, Part]))
  const read = Figures.get.extend({ schema: shape })
  const value = Object.fromEntries(names.map((name, i) => [name, { id: i, label: name }]))
  const controller = new Controller({ gc: false })
  controller.setResponse(read, { id: 1 }, value)
  for (const data of [controller.getResponse(read, { id: 1 }).data, controller.live(read, { id: 1 })] as unknown as { [name: string]: Part }[]) {
    for (const name of names) assert.is(data[name]?.label, name)
  }
  controller.set(new schema.Invalidate(Part), { id: 3 })
  assert.is(controller.getResponse(read, { id: 1 }).expiryStatus, 1)
  controller.dispose()
})

test.run()
