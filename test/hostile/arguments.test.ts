import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHistory } from '../../src/history/index.ts'
import { Controller, createResource, Entity, PatchcordError, PathError, schema } from '../../src/index.ts'
import { isSettled } from '../support/state.ts'

const test = suite('hostile arguments of calls')

class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}
const { getList, partialUpdate } = createResource({ path: '/todos/:id', schema: Todo, optimistic: true })

/** A server that makes what it is sent, and a client that knows of temporary pks already. */
async function world(): Promise<{ controller: Controller; errors: unknown[] }> {
  let made = 0
  const errors: unknown[] = []
  const controller = new Controller({
    fetch: async (_, init) => Response.json({ id: `${++made}`, ...JSON.parse(init!.body as string) as object }),
    onError: error => errors.push(error),
  })
  controller.setResponse(getList, [])
  await controller.fetch(getList.push, { title: 'first' })
  return { controller, errors }
}

/** A list, as a body may have one, of which the time is over: so is every draft of Immer after its recipe. */
function revoked(): { list: unknown[]; revoke: () => void } {
  const { proxy, revoke } = Proxy.revocable<unknown[]>([], {})
  return { list: proxy, revoke }
}

const refused = (call: Promise<unknown>): Promise<unknown> => call.then(() => assert.unreachable(), (error: unknown) => error)

test('H12 a body that cannot be read fails its own call, and leaves nothing behind', async () => {
  const { controller } = await world()
  const expired = revoked()
  expired.revoke()
  const throwing = { get deep(): never { throw new Error('not now') } }
  for (const [at, body] of [expired.list, throwing].entries()) {
    assert.instance(await refused(controller.fetch(partialUpdate, { id: '1' }, { title: 'lost', body } as object)), PatchcordError)
    assert.ok(isSettled(controller))
    assert.is((await controller.fetch(getList.push, { title: 'next' })).id, `${at + 2}`)
  }
  assert.equal(controller.getResponse(getList).data!.map(({ id, title }) => id + title), ['1first', '2next', '3next'])
})

test('H12 a body that can no longer be read when its call is sent goes as it was when the call was made', async () => {
  const { controller } = await world()
  const { list, revoke } = revoked()
  const making = controller.fetch(getList.push, { title: 'made' })
  const { id } = controller.getResponse(getList).data![1]!
  const waiting = controller.fetch(partialUpdate, { id }, { title: 'changed', list } as object)
  revoke()
  assert.is((await making).id, '2')
  assert.is((await waiting).title, 'changed')
})

test('H32 a body that contains itself many times over fails its call at once', async () => {
  const { controller } = await world()
  const parent: { title: string; children: object[] } = { title: 'tree', children: [] }
  parent.children.push({ parent }, { parent }, { parent })
  assert.instance(await refused(controller.fetch(partialUpdate, { id: '1' }, parent)), PatchcordError)
  assert.is(controller.get(Todo, { id: '1' })!.title, 'first')
  // What speaks of something that is being made is looked into again when that is there.
  const making = controller.fetch(getList.push, { title: 'made' })
  const { id } = controller.getResponse(getList).data![1]!
  const waiting = controller.fetch(partialUpdate, { id }, { ...parent, id })
  assert.is((await making).id, '2')
  assert.instance(await refused(waiting), PatchcordError)
})

test('H50 a pk of dots, from a server, fails the calls that waited for it, and those that still speak of it by its temporary name', async () => {
  class Note extends Entity {
    id = ''
    static override key = 'Note'
  }
  const notes = createResource({ path: '/todos/:todo/notes/:id', schema: Note, optimistic: true })
  const sent: string[] = []
  const controller = new Controller({ fetch: async input => (sent.push(input), Response.json({ id: '..', title: 'made' })) })
  const history = createHistory(controller)
  controller.setResponse(getList, [])
  const making = controller.fetch(getList.push, { title: 'made' })
  const todo = controller.getResponse(getList).data![0]!.id
  const waiting = [controller.fetch(notes.getList.push, { todo }, {}), controller.fetch(notes.getList.push, { todo }, {})]
  assert.is((await making).id, '..')
  for (const call of waiting) assert.instance(await refused(call), PathError)
  assert.instance(await refused(controller.fetch(notes.getList.push, { todo }, {})), PathError)
  assert.ok(isSettled(controller))
  assert.not.ok(controller.get(new schema.All(Note))?.length)
  assert.equal(sent, ['/todos'])
  // Of the four only the first has come to something, and to take that back would need an address too.
  assert.instance(await refused(history.undo()), PathError)
})

test.run()
