import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHistory } from '../../../src/history/index.ts'
import { createResource, Entity, NetworkError, RestEndpoint, type AnyEndpoint } from '../../../src/index.ts'
import { createDesk, outcome, Post, Posts } from './posts.ts'

const { get, getList, partialUpdate, update } = Posts
const loose = partialUpdate.extend({ serial: false })

/** A desk with a list of one post. */
function world(options: { revalidateOverlap?: boolean } = {}) {
  const { controller, requests } = createDesk(options)
  controller.setResponse(getList, [{ id: 1, title: 'sow' }])
  return {
    controller,
    requests,
    /** The keys of the reads that were sent. */
    reads: (): string[] => requests.filter(({ endpoint }) => !endpoint.sideEffect).map(({ key }) => key),
    /** Two calls to one row that are sent at once, and then answered. */
    meet(id: number, endpoint: AnyEndpoint = loose): void {
      const { length } = requests
      for (const title of ['a', 'b']) void controller.fetch(endpoint, { id }, { title })
      for (const request of requests.slice(length)) request.answer({ id, title: 'x' })
    },
  }
}
const turn = (): Promise<void> => new Promise(resolve => setTimeout(resolve))

const test = suite('calls that met at the server')

test('the entity is fetched once more when all are over, by a read that shows it', () => {
  const { controller, requests, reads } = world()
  for (const title of ['a', 'b', 'c']) void controller.fetch(loose, { id: 1 }, { title })
  requests[1]!.answer({ id: 1, title: 'b' })
  requests[0]!.answer({ id: 1, title: 'a' })
  assert.equal(reads(), [])
  requests[2]!.fail(new Error('lost'))
  assert.equal(reads(), ['GET /posts'])
  requests[3]!.answer([{ id: 1, title: 'b' }])
  assert.is(controller.get(Post, { id: 1 })!.title, 'b')
  assert.is(reads().length, 1)
})

test('by a read of it alone, if there was one', () => {
  const { controller, reads, meet } = world()
  controller.setResponse(get, { id: 1 }, { id: 1, title: 'sow' })
  meet(1)
  assert.equal(reads(), ['GET /posts/1'])
})

test('a row that no read shows yet is fetched once more when the reads in flight have ended', async () => {
  const { controller, requests, reads, meet } = world()
  void controller.fetch(get, { id: 9 })
  meet(9)
  requests[0]!.answer({ id: 9, title: 'y' })
  await turn()
  assert.equal(reads(), ['GET /posts/9', 'GET /posts/9'])
  requests[3]!.answer({ id: 9, title: 'y' })
  assert.is(controller.get(Post, { id: 9 })!.title, 'y')
})

test('a row that no read shows is not asked for', async () => {
  const { reads, meet } = world()
  meet(9)
  await turn()
  assert.equal(reads(), [])
})

test('a read that started after them answers the doubt by itself', () => {
  const { controller, requests, reads, meet } = world()
  meet(9)
  void controller.fetch(get, { id: 9 })
  requests[2]!.answer({ id: 9, title: 'y' })
  assert.equal(reads(), ['GET /posts/9'])
})

test('a read that is under way does not count: it may have been answered before them', () => {
  const { controller, reads, meet } = world()
  controller.setResponse(get, { id: 1 }, { id: 1, title: 'sow' })
  void controller.fetch(get, { id: 1 })
  meet(1)
  assert.equal(reads(), ['GET /posts/1', 'GET /posts/1'])
})

test('not after calls that were sent one after the other, or that are about others', () => {
  const { controller, requests, reads } = world()
  for (const title of ['a', 'b']) void controller.fetch(partialUpdate, { id: 1 }, { title })
  void controller.fetch(loose, { id: 2 }, { title: 'c' })
  for (const request of [...requests]) request.answer({ id: 1, title: 'x' })
  assert.equal(reads(), [])
})

test('not where a version says which is newer, and not where it is turned off', () => {
  class Versioned extends Entity {
    static override key = 'Versioned'
    static override version = 'rev'
    id = 0
    rev = 0
  }
  const VersionedResource = createResource({ path: '/versioned/:id', schema: Versioned })
  const { controller, requests, reads } = world()
  controller.setResponse(VersionedResource.get, { id: 1 }, { id: 1, rev: 1 })
  for (const rev of [2, 3]) void controller.fetch(VersionedResource.partialUpdate.extend({ serial: false }), { id: 1 }, { rev })
  for (const request of [...requests]) request.answer({ id: 1, rev: 3 })
  assert.equal(reads(), [])
  const off = world({ revalidateOverlap: false })
  off.meet(1)
  assert.equal(off.reads(), [])
})

for (const status of [409, 412]) {
  test(`after a ${status} the entity is fetched again: the server has something else than we thought`, () => {
    const { controller, requests, reads } = world()
    void controller.fetch(update, { id: 1 }, { title: 'a' })
    requests[0]!.fail(new NetworkError('conflict', { status }))
    assert.equal(reads(), ['GET /posts'])
  })
}

test('after a call was undone under way: the server may have done it all the same', async () => {
  const { controller, requests, reads } = world()
  const history = createHistory(controller)
  void controller.fetch(update, { id: 1 }, { title: 'a' })
  await history.undo()
  assert.equal(reads(), ['GET /posts'])
  requests[1]!.answer([{ id: 1, title: 'a' }])
  assert.is(controller.get(Post, { id: 1 })!.title, 'a')
})

test('a class that throws when it is asked for a pk that the arguments do not have leaves nobody waiting', async () => {
  class Member extends Entity {
    static override key = 'Member'
    profile = { id: '' }
    override pk(): string {
      return this.profile.id
    }
  }
  const read = new RestEndpoint({ path: '/members/:name', schema: Member })
  const write = new RestEndpoint({ path: '/members', method: 'PUT', body: {} as object, schema: Member })
  const { controller, requests, reads } = world()
  controller.setResponse(read, { name: 'ann' }, { profile: { id: '1' } })
  const call = outcome(controller.fetch(write, { profile: { id: '1' } }))
  requests[0]!.fail(new NetworkError('conflict', { status: 409 }))
  assert.is(((await call) as NetworkError).status, 409)
  assert.equal(reads(), ['GET /members/ann'])
})

test.run()
