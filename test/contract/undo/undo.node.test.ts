import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AbortError, NetworkError, ResetError } from '../../../src/index.ts'
import { openTodos, Todo, until } from './todos.ts'
import { isSettled } from '../../support/state.ts'

type World = Awaited<ReturnType<typeof openTodos>>

const test = suite('undo over HTTP')
let world: World
test.before.each(async () => {
  world = await openTodos()
})
test.after.each(() => world.close())

/** Client and server agree, and this is what they say. */
function both(...lines: string[]): void {
  assert.equal(world.stored(), lines, 'the server')
  assert.equal(world.visible(), lines, 'the client')
}

test('a change is undone, and done again', async () => {
  const { controller, history, resource, asked } = world
  await controller.fetch(resource.partialUpdate, { id: 1 }, { title: 'mow', done: true })
  both('1 mow done', '2 reap')
  await history.undo()
  both('1 sow', '2 reap')
  assert.equal(world.can(), [false, true])
  await history.redo()
  both('1 mow done', '2 reap')
  assert.equal(world.can(), [true, false])
  assert.equal(asked(), ['PATCH /todos/1 {"title":"mow","done":true}', 'PATCH /todos/1 {"title":"sow","done":false}', 'PATCH /todos/1 {"title":"mow","done":true}'])
})

test('a whole update is undone field by field', async () => {
  const { controller, history, resource, asked } = world
  await controller.fetch(resource.update, { id: 2 }, { title: 'mow', done: true })
  await history.undo()
  both('1 sow', '2 reap')
  assert.is(asked().at(-1), 'PUT /todos/2 {"title":"reap","done":false}')
})

test('a creation is undone by deleting, and done again; an undo after that finds the new one', async () => {
  const { controller, history, resource } = world
  const { id } = await controller.fetch(resource.getList.push, { title: 'mow' })
  await history.undo()
  both('1 sow', '2 reap')
  assert.is(controller.get(Todo, { id }), undefined)
  await history.redo()
  both('1 sow', '2 reap', '4 mow')
  await history.undo()
  both('1 sow', '2 reap')
  assert.equal(world.asked().map(each => each.split(' {')[0]), ['POST /todos', 'DELETE /todos/3', 'POST /todos', 'DELETE /todos/4'])
})

test('a deletion is undone by making it again, and done again under its new pk', async () => {
  const { controller, history, resource } = world
  await controller.fetch(resource.partialUpdate, { id: 2 }, { title: 'mow' })
  await controller.fetch(resource.delete, { id: 2 })
  both('1 sow')
  await history.undo()
  both('1 sow', '3 mow')
  await history.redo()
  both('1 sow')
  await history.undo()
  both('1 sow', '4 mow')
  // The change was made to what was number 2.
  await history.undo()
  both('1 sow', '4 reap')
  assert.equal(world.can(), [false, true])
})

test('it shows at once, and the layer goes with the answer', async () => {
  const { controller, history, resource, options } = world
  await controller.fetch(resource.partialUpdate, { id: 1 }, { done: true })
  options.holds = () => true
  const undone = history.undo()
  assert.equal(world.visible(), ['1 sow', '2 reap'])
  await until(() => world.asked().length === 2)
  assert.not(isSettled(controller))
  options.holds = () => false
  world.release()
  await undone
  assert.ok(isSettled(controller))
  both('1 sow', '2 reap')
})

test('when the call that undoes is refused, the undo is undone, and the error is there to be seen', async () => {
  const { controller, history, resource, options } = world
  await controller.fetch(resource.partialUpdate, { id: 1 }, { done: true })
  options.refuses = () => true
  const undone = history.undo().catch((error: unknown) => error)
  assert.equal(world.visible(), ['1 sow', '2 reap'])
  const error = await undone
  assert.instance(error, NetworkError)
  assert.is((error as NetworkError).status, 422)
  assert.is(history.error.value, error)
  both('1 sow done', '2 reap')
  assert.equal(world.can(), [true, false])
  options.refuses = () => false
  await history.undo()
  both('1 sow', '2 reap')
  assert.is(history.error.value, undefined)
  assert.equal(world.can(), [false, true])
})

test('the same for a creation whose deletion is refused, and for a deletion that is not made again', async () => {
  const { controller, history, resource, options } = world
  await controller.fetch(resource.getList.push, { title: 'mow' })
  options.refuses = ({ method }) => method === 'DELETE'
  assert.instance(await history.undo().catch((error: unknown) => error), NetworkError)
  both('1 sow', '2 reap', '3 mow')
  options.refuses = () => false
  await controller.fetch(resource.delete, { id: 1 })
  options.refuses = ({ method }) => method === 'POST'
  assert.instance(await history.undo().catch((error: unknown) => error), NetworkError)
  both('2 reap', '3 mow')
  assert.equal(world.can(), [true, false])
})

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

test('undo while a call without getUndo is under way ends it; when the server had taken it, the client finds out', async () => {
  const { controller, history, resource, options } = world
  options.holds = ({ method }) => method === 'PATCH'
  const call = controller.fetch(resource.partialUpdate.extend({ getUndo: undefined as never }), { id: 1 }, { done: true }).catch((error: unknown) => error)
  assert.equal(world.visible(), ['1 sow done', '2 reap'])
  await until(() => world.asked().length === 1)
  const before = world.reads()
  await history.undo()
  assert.instance(await call, AbortError)
  assert.equal(world.visible(), ['1 sow', '2 reap'])
  assert.equal(world.can(), [false, true])
  // The server has done it all the same: what it has is asked for, once.
  await until(() => world.visible()[0] === '1 sow done')
  assert.is(world.reads(), before + 1)
  both('1 sow done', '2 reap')
})

test('undo before a call has left: nothing is sent', async () => {
  const { controller, history, resource, options } = world
  options.holds = ({ method }) => method === 'PATCH'
  const first = controller.fetch(resource.partialUpdate, { id: 1 }, { title: 'mow' })
  const second = controller.fetch(resource.partialUpdate, { id: 1 }, { done: true }).catch((error: unknown) => error)
  assert.equal(world.visible(), ['1 mow done', '2 reap'])
  await until(() => world.asked().length === 1)
  await history.undo()
  assert.instance(await second, AbortError)
  assert.equal(world.visible(), ['1 mow', '2 reap'])
  world.release()
  await first
  both('1 mow', '2 reap')
  assert.equal(world.asked(), ['PATCH /todos/1 {"title":"mow"}'])
})

test('a group is one step, undone last first', async () => {
  const { controller, history, resource, asked } = world
  await history.group(() =>
    Promise.all([
      controller.fetch(resource.partialUpdate, { id: 1 }, { done: true }),
      controller.fetch(resource.getList.push, { title: 'mow' }),
      controller.fetch(resource.delete, { id: 2 }),
    ]),
  )
  both('1 sow done', '3 mow')
  const before = asked().length
  await history.undo()
  both('1 sow', '4 reap')
  assert.equal(asked().slice(before).map(each => each.split(' {')[0]), ['POST /todos', 'DELETE /todos/3', 'PATCH /todos/1'])
  assert.equal(world.can(), [false, true])
  await history.redo()
  both('1 sow done', '5 mow')
})

test('a group of which one call cannot be undone is as it was', async () => {
  const { controller, history, resource, options } = world
  await history.group(() =>
    Promise.all([controller.fetch(resource.partialUpdate, { id: 1 }, { done: true }), controller.fetch(resource.partialUpdate, { id: 2 }, { done: true })]),
  )
  options.refuses = ({ url }) => url === '/todos/1'
  const error = await history.undo().catch((failure: unknown) => failure)
  assert.instance(error, NetworkError)
  assert.is(history.error.value, error)
  both('1 sow done', '2 reap done')
  assert.equal(world.can(), [true, false])
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
  assert.is(world.stored()[1], '2 reap')
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

test('a field that another client has changed since is left alone, and named', async () => {
  const { controller, history, resource, asked, other } = world
  await controller.fetch(resource.partialUpdate, { id: 1 }, { title: 'mow', done: true })
  other(1, { title: 'theirs' })
  await controller.fetch(resource.get, { id: 1 })
  assert.equal(await history.undo(), { kept: [{ key: 'Todo', pk: '1', field: 'title' }] })
  both('1 theirs', '2 reap')
  assert.is(asked().at(-1), 'PATCH /todos/1 {"title":"theirs","done":false}')
})

test('a local write is undone without the server', async () => {
  const { controller, history, asked } = world
  controller.set(Todo, { id: 1 }, todo => void (todo.title = 'mow'))
  assert.equal(world.visible(), ['1 mow', '2 reap'])
  await history.undo()
  both('1 sow', '2 reap')
  assert.equal(asked(), [])
})

test.run()
