import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, schema } from '../../../src/index.ts'
import { Todo } from '../../support/todo.ts'
import { recorder } from './recorder.ts'

const test = suite('resources')

/** Resolves when the request has reached the transport. */
const sent = (): Promise<void> => new Promise(resolve => setTimeout(resolve))

test('of a form, the text fields are shown before the server responds', async () => {
  let respond = (_response: Response): void => {}
  const { transport } = recorder((_, { method }) => (method === 'GET' ? Response.json([{ id: 1, title: 'sow' }]) : new Promise(resolve => (respond = resolve))))
  const todos = createResource({ path: '/todos/:id', schema: Todo, optimistic: true, transport })
  const controller = new Controller()
  await controller.fetch(todos.getList)
  const titles = (): string[] => controller.getResponse(todos.getList).data!.map(({ title }) => title)
  const form = new FormData()
  form.set('title', 'reap')
  form.set('file', new Blob(['x']))
  const changed = controller.fetch(todos.partialUpdate, { id: 1 }, form)
  assert.equal(titles(), ['reap'])
  assert.not('file' in controller.get(Todo, { id: 1 })!)
  await sent()
  respond(Response.json({ id: 1, title: 'reaped' }))
  await changed
  assert.equal(titles(), ['reaped'])
  const created = controller.fetch(todos.getList.push, form)
  assert.equal(titles(), ['reaped', 'reap'])
  await sent()
  respond(Response.json({ id: 2, title: 'new' }))
  await created
  assert.equal(titles(), ['reaped', 'new'])
})

test('push of a query over a collection adds to that collection, and a page of it is appended there', async () => {
  const { transport } = recorder((input, { method }) => {
    if (method === 'POST') return Response.json({ id: 3, title: 'x' })
    return Response.json(input.includes('page=2') ? [{ id: 4 }] : [{ id: 1, done: true }, { id: 2 }])
  })
  const todos = createResource({ path: '/todos/:id', schema: Todo, transport, paginationField: 'page' })
  const open = todos.getList.extend({ schema: new schema.Query(todos.getList.schema, (list: Todo[]) => list.filter(({ done }) => !done)) })
  const controller = new Controller()
  const ids = (list: unknown): number[] => (list as Todo[]).map(({ id }) => id)
  assert.equal(ids(await controller.fetch(open)), [2])
  assert.is((await controller.fetch(open.push as unknown as typeof todos.getList.push, { title: 'x' })).id, 3)
  assert.equal(ids(controller.getResponse(open).data), [2, 3])
  assert.equal(ids(controller.getResponse(todos.getList).data), [1, 2, 3])
  await controller.fetch(open.paginated('page') as unknown as typeof todos.getList, { page: 2 })
  assert.equal(ids(controller.getResponse(open).data), [2, 3, 4])
})

test.run()
