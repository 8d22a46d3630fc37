import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, Endpoint, MissingPkError } from '../../../src/index.ts'
import { createClock } from '../../../src/testing/index.ts'
import { createDesk, outcome, Post, Posts, throwing } from './posts.ts'

const { get, getList, partialUpdate } = Posts

const test = suite('answers of calls, and what is shown before them')

test('update is called where its key has no result yet', async () => {
  const mine = new Endpoint(async (): Promise<string[]> => [], { name: 'mine' })
  const update = (id: string) => ({ [mine.key()]: (ids: string[] = []) => [...ids, id] })
  const add = new Endpoint(async (id: string) => id, { name: 'add', sideEffect: true, update })
  const controller = new Controller()
  await controller.fetch(add, 'a')
  assert.equal(controller.getResponse(mine).data, ['a'])
  await controller.fetch(add, 'b')
  assert.equal(controller.getResponse(mine).data, ['a', 'b'])
})

test('the arguments of a call are copied when it is made, live objects included: they can be stored, and do not change before it is sent', () => {
  const { controller, requests } = createDesk()
  for (const id of [1, 2]) controller.setResponse(get, { id }, { id, title: 'sow' })
  const live = controller.live(Post, { id: 2 })!
  const body = { title: 'x', tags: ['a'], after: { row: live, rows: [live] } }
  void controller.fetch(partialUpdate, { id: 1 }, body as object)
  body.tags.push('b')
  controller.set(Post, { id: 2 }, row => void (row.title = 'reap'))
  const sown = { id: 2, title: 'sow' }
  assert.equal(structuredClone(requests[0]!.args), [{ id: 1 }, { title: 'x', tags: ['a'], after: { row: sown, rows: [sown] } }])
})

test('a throw in update is reported, and the answer is stored', async () => {
  const fault = new Error('no such list')
  for (const update of [throwing(fault), () => ({ [getList.key()]: throwing(fault) })]) {
    const { controller, requests, reported } = createDesk()
    controller.setResponse(get, { id: 1 }, { id: 1, title: 'old' })
    const changed = controller.fetch(partialUpdate.extend({ update }), { id: 1 }, { title: 'new' })
    requests[0]!.answer({ id: 1, title: 'new' })
    assert.equal([(await changed).title, controller.get(Post, { id: 1 })?.title, reported], ['new', 'new', [fault]])
  }
})

test('snap has the time and the error of a read, so that a layer can stamp what it shows', () => {
  const clock = createClock(5000)
  const { controller, reported } = createDesk({ clock })
  const failure = new Error('offline')
  controller.setResponse(get, { id: 1 }, { id: 1, title: 'old' })
  controller.setError(getList, failure)
  clock.advance(10)
  const seen: unknown[] = []
  const save = partialUpdate.extend({
    getOptimisticResponse(snap, { id }) {
      seen.push(snap.getError(getList), snap.getError(get, { id }), snap.fetchedAt >= 5010)
      return { id, title: 'new' }
    },
  })
  void controller.fetch(save, { id: 1 }, {})
  assert.equal([seen, reported, controller.get(Post, { id: 1 })!.title], [[failure, undefined, true], [], 'new'])
})

for (const answer of [{ message: 'created' }, { data: { id: 5 } }]) {
  test(`a creation that is answered with ${JSON.stringify(answer)} fails, leaves no row, and what spoke of it is never sent`, async () => {
    const sent: string[] = []
    const fetch = async (url: string, { method }: RequestInit = {}): Promise<Response> => {
      sent.push(`${method} ${url}`)
      return Response.json(answer)
    }
    const controller = new Controller({ fetch })
    const Rows = createResource({ path: '/rows/:id', schema: Post, optimistic: true })
    controller.setResponse(Rows.getList, [])
    const created = outcome(controller.fetch(Rows.getList.push, { title: 'a' }))
    const [visible] = controller.getResponse(Rows.getList).data!
    const changed = outcome(controller.fetch(Rows.partialUpdate, { id: visible!.id }, { title: 'b' }))
    const error = (await created) as Error
    assert.instance(error, MissingPkError)
    assert.match(error.message, Object.keys(answer)[0]!)
    assert.instance(await changed, Error)
    assert.equal([controller.getResponse(Rows.getList).data, sent], [[], ['POST /rows']])
  })
}

test('a call resolves with its answer, also when the row was deleted on the page meanwhile', async () => {
  const Rows = createResource({ path: '/rows/:id', schema: Post, optimistic: true })
  const controller = new Controller({ fetch: async () => Response.json({ id: 1, title: 'b' }) })
  controller.setResponse(Rows.get, { id: 1 }, { id: 1, title: 'a' })
  const changed = controller.fetch(Rows.partialUpdate, { id: 1 }, { title: 'b' })
  const deleted = controller.fetch(Rows.delete, { id: 1 })
  assert.equal([(await changed).title, controller.get(Post, { id: 1 })], ['b', undefined])
  await deleted
})

test.run()
