import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, Endpoint, Entity, MissingPkError } from '../../../src/index.ts'
import { createClock } from '../../../src/testing/index.ts'

const test = suite('answers of calls, and what is shown before them')

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}
const TodoResource = createResource({ urlPrefix: 'http://x', path: '/todos/:id', schema: Todo })

test('update is called where its key has no result yet', async () => {
  const mine = new Endpoint(async (): Promise<string[]> => [], { name: 'mine' })
  const add = new Endpoint(async (id: string) => id, { name: 'add', sideEffect: true, update: (id: string) => ({ [mine.key()]: (ids: string[] = []) => [...ids, id] }) })
  const controller = new Controller()
  await controller.fetch(add, 'a')
  assert.equal(controller.getResponse(mine).data, ['a'])
  await controller.fetch(add, 'b')
  assert.equal(controller.getResponse(mine).data, ['a', 'b'])
})

test('a throw in update is reported, and the answer is stored', async () => {
  const reported: unknown[] = []
  const controller = new Controller({ fetch: async () => Response.json({ id: 1, title: 'new' }), onError: error => reported.push(error) })
  const fault = new Error('no such list')
  const throwing = (where: 'update' | 'updater') =>
    TodoResource.partialUpdate.extend({
      update: () => {
        if (where === 'update') throw fault
        return {
          [TodoResource.getList.key()]: () => {
            throw fault
          },
        }
      },
    })
  for (const where of ['update', 'updater'] as const) {
    controller.setResponse(TodoResource.get, { id: 1 }, { id: 1, title: 'old' })
    const todo = await controller.fetch(throwing(where), { id: 1 }, { title: 'new' })
    assert.equal([todo.title, controller.get(Todo, { id: 1 })?.title, reported.splice(0)], ['new', 'new', [fault]], where)
  }
})

test('snap has the time and the error of a read, so that a layer can stamp what it shows', async () => {
  class Doc extends Entity {
    id = 0
    text = ''
    updatedAt = 0
    static override key = 'Doc'
    static override shouldUpdate(_existing: unknown, _incoming: unknown, now: { updatedAt: number }, next: { updatedAt: number }): boolean {
      return next.updatedAt >= now.updatedAt
    }
  }
  const Docs = createResource({ urlPrefix: 'http://x', path: '/docs/:id', schema: Doc })
  const clock = createClock(5000)
  const reported: unknown[] = []
  const controller = new Controller({ clock, fetch: () => new Promise<never>(() => {}), onError: error => reported.push(error) })
  const failure = new Error('offline')
  controller.setResponse(Docs.get, { id: 1 }, { id: 1, text: 'old', updatedAt: 4000 })
  controller.setError(Docs.getList, failure)
  clock.advance(10)
  const seen: unknown[] = []
  const save = Docs.partialUpdate.extend({
    getOptimisticResponse(snap, { id }, body) {
      seen.push(snap.getError(Docs.getList), snap.getError(Docs.get, { id }))
      return { id, ...(body as object), updatedAt: snap.fetchedAt }
    },
  })
  void controller.fetch(save, { id: 1 }, { text: 'new' })
  assert.equal([seen, reported], [[failure, undefined], []])
  assert.ok(controller.get(Doc, { id: 1 })!.updatedAt >= 5010)
  assert.is(controller.get(Doc, { id: 1 })!.text, 'new')
})

for (const answer of [{ message: 'created' }, { data: { id: 5 } }]) {
  test(`a creation that is answered with ${JSON.stringify(answer)} fails, leaves no row, and what spoke of it is never sent`, async () => {
    const sent: string[] = []
    const controller = new Controller({
      fetch: async (url: string, { method }: RequestInit = {}) => {
        sent.push(`${method} ${url}`)
        return Response.json(answer)
      },
    })
    const Rows = createResource({ urlPrefix: 'http://x', path: '/rows/:id', schema: Todo, optimistic: true })
    controller.setResponse(Rows.getList, [])
    const created = controller.fetch(Rows.getList.push, { title: 'a' })
    const visible = controller.getResponse(Rows.getList).data!
    assert.is(visible.length, 1)
    const changed = controller.fetch(Rows.partialUpdate, { id: visible[0]!.id }, { title: 'b' })
    const [error, other] = await Promise.all([created, changed].map(promise => promise.then(() => undefined, (failure: Error) => failure)))
    assert.instance(error, MissingPkError)
    assert.match(error!.message, Object.keys(answer)[0]!)
    assert.instance(other, Error)
    assert.equal(controller.getResponse(Rows.getList).data, [])
    assert.equal(sent, ['POST http://x/rows'])
  })
}

test.run()
