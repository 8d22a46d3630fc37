import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AbortError, NetworkError, ResetError } from '../../../src/index.ts'
import { openTodos, until } from './todos.ts'

type World = Awaited<ReturnType<typeof openTodos>>

const test = suite('undo over HTTP')
let world: World
test.before.each(async () => {
  world = await openTodos()
})
test.after.each(() => world.close())

/** Client and server agree, and this is what they say. */
function both(...lines: string[]): void {
  assert.equal(world.kept(), lines, 'the server')
  assert.equal(world.shown(), lines, 'the client')
}

test('a redo that is refused is still to be done', async () => {
  const { controller, history, resource, options } = world
  await controller.fetch(resource.partialUpdate, { id: 1 }, { done: true })
  await history.undo()
  options.refuses = () => true
  assert.instance(await history.redo().catch((error: unknown) => error), NetworkError)
  both('1 sow', '2 reap')
  assert.equal(world.can(), [false, true])
  options.refuses = () => false
  await history.redo()
  both('1 sow done', '2 reap')
})

test('undo before a call has left: nothing is sent', async () => {
  const { controller, history, resource, options } = world
  options.holds = ({ method }) => method === 'PATCH'
  const first = controller.fetch(resource.partialUpdate, { id: 1 }, { title: 'mow' })
  const second = controller.fetch(resource.partialUpdate, { id: 1 }, { done: true }).catch((error: unknown) => error)
  assert.equal(world.shown(), ['1 mow done', '2 reap'])
  await until(() => world.asked().length === 1)
  await history.undo()
  assert.instance(await second, AbortError)
  assert.equal(world.shown(), ['1 mow', '2 reap'])
  world.letGo()
  await first
  both('1 mow', '2 reap')
  assert.equal(world.asked(), ['PATCH /todos/1 {"title":"mow"}'])
})

test('a group of which one call cannot be done again is still undone', async () => {
  const { controller, history, resource, options } = world
  await history.group(() =>
    Promise.all([controller.fetch(resource.partialUpdate, { id: 1 }, { done: true }), controller.fetch(resource.partialUpdate, { id: 2 }, { done: true })]),
  )
  await history.undo()
  options.refuses = ({ url }) => url === '/todos/2'
  assert.instance(await history.redo().catch((error: unknown) => error), NetworkError)
  both('1 sow', '2 reap')
  assert.equal(world.can(), [false, true])
  options.refuses = () => false
  await history.redo()
  both('1 sow done', '2 reap done')
  await history.undo()
  both('1 sow', '2 reap')
})

test('a call of a group that fails while the group is being undone is no part of it any more', async () => {
  const { controller, history, resource, options } = world
  options.holds = ({ url, method }) => method === 'PATCH' && url === '/todos/1'
  let first: Promise<unknown> | undefined
  const second = history.group(() => {
    first = controller.fetch(resource.partialUpdate, { id: 1 }, { done: true }).catch((error: unknown) => error)
    return controller.fetch(resource.partialUpdate, { id: 2 }, { done: true })
  })
  await second
  options.refuses = ({ url, method }) => method === 'PATCH' && url === '/todos/2'
  const undone = history.undo().catch((error: unknown) => error)
  controller.abort(resource.partialUpdate, { id: 1 }, { done: true })
  await first
  assert.instance(await undone, NetworkError)
  assert.equal(world.can(), [true, false])
  options.refuses = () => false
  await history.undo()
  assert.is(world.kept()[1], '2 reap')
  assert.equal(world.can(), [false, true])
})

test('a reset while something is being undone leaves nothing to undo', async () => {
  const { controller, history, resource, options } = world
  await controller.fetch(resource.partialUpdate, { id: 1 }, { done: true })
  options.holds = () => true
  const undone = history.undo().catch((error: unknown) => error)
  await until(() => world.asked().length === 2)
  controller.reset()
  assert.instance(await undone, ResetError)
  assert.equal(world.can(), [false, false])
  assert.is(history.error.value, undefined)
})

test.run()
