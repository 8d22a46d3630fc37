import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHistory } from '../../../src/history/index.ts'
import { Controller, createResource, Entity, NetworkError, RestEndpoint, type Action, type FetchAction } from '../../../src/index.ts'

class Post extends Entity {
  static override key = 'Post'
  id = 0
  title = ''
}

class Versioned extends Entity {
  static override key = 'Versioned'
  static override version = 'rev'
  id = 0
  rev = 0
}

const PostResource = createResource({ path: '/posts/:id', schema: Post })
const loose = PostResource.partialUpdate.extend({ serial: false })

function world(options: { revalidateOverlap?: boolean } = {}): { controller: Controller; requests: FetchAction[]; reads: () => string[] } {
  const requests: FetchAction[] = []
  const action = (each: Action): boolean => each.type === 'fetch' && requests.push(each) > 0
  const controller = new Controller({ managers: [{ action }], ...options })
  controller.setResponse(PostResource.getList, [{ id: 1, title: 'sow' }])
  return { controller, requests, reads: () => requests.filter(({ endpoint }) => !endpoint.sideEffect).map(({ key }) => key) }
}

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
  const { controller, requests, reads } = world()
  controller.setResponse(PostResource.get, { id: 1 }, { id: 1, title: 'sow' })
  for (const title of ['a', 'b']) void controller.fetch(loose, { id: 1 }, { title })
  for (const request of [...requests]) request.answer({ id: 1, title: 'x' })
  assert.equal(reads(), ['GET /posts/1'])
})

test('a row that no read shows yet is fetched once more when the reads in flight have ended', async () => {
  const { controller, requests, reads } = world()
  void controller.fetch(PostResource.get, { id: 9 })
  for (const title of ['a', 'b']) void controller.fetch(loose, { id: 9 }, { title })
  for (const request of requests.slice(1)) request.answer({ id: 9, title: 'x' })
  requests[0]!.answer({ id: 9, title: 'y' })
  await new Promise(resolve => setTimeout(resolve))
  assert.equal(reads(), ['GET /posts/9', 'GET /posts/9'])
  requests[3]!.answer({ id: 9, title: 'y' })
  assert.is(controller.get(Post, { id: 9 })!.title, 'y')
})

test('a row that no read shows is not asked for', async () => {
  const { controller, requests, reads } = world()
  for (const title of ['a', 'b']) void controller.fetch(loose, { id: 9 }, { title })
  for (const request of [...requests]) request.answer({ id: 9, title: 'x' })
  await new Promise(resolve => setTimeout(resolve))
  assert.equal(reads(), [])
})

test('a read that started after them answers the doubt by itself', () => {
  const { controller, requests, reads } = world()
  for (const title of ['a', 'b']) void controller.fetch(loose, { id: 9 }, { title })
  for (const request of [...requests]) request.answer({ id: 9, title: 'x' })
  void controller.fetch(PostResource.get, { id: 9 })
  requests[2]!.answer({ id: 9, title: 'y' })
  assert.equal(reads(), ['GET /posts/9'])
})

test('a read that is under way does not count: it may have been answered before them', () => {
  const { controller, requests, reads } = world()
  controller.setResponse(PostResource.get, { id: 1 }, { id: 1, title: 'sow' })
  void controller.fetch(PostResource.get, { id: 1 })
  for (const title of ['a', 'b']) void controller.fetch(loose, { id: 1 }, { title })
  for (const request of requests.slice(1)) request.answer({ id: 1, title: 'x' })
  assert.equal(reads(), ['GET /posts/1', 'GET /posts/1'])
})

test('not after calls that were sent one after the other, or that are about others', () => {
  const { controller, requests, reads } = world()
  for (const title of ['a', 'b']) void controller.fetch(PostResource.partialUpdate, { id: 1 }, { title })
  void controller.fetch(loose, { id: 2 }, { title: 'c' })
  for (const request of [...requests]) request.answer({ id: 1, title: 'x' })
  assert.equal(reads(), [])
})

test('not where a version says which is newer, and not where it is turned off', () => {
  const VersionedResource = createResource({ path: '/versioned/:id', schema: Versioned })
  const { controller, requests, reads } = world()
  controller.setResponse(VersionedResource.get, { id: 1 }, { id: 1, rev: 1 })
  for (const rev of [2, 3]) void controller.fetch(VersionedResource.partialUpdate.extend({ serial: false }), { id: 1 }, { rev })
  for (const request of [...requests]) request.answer({ id: 1, rev: 3 })
  assert.equal(reads(), [])
  const off = world({ revalidateOverlap: false })
  for (const title of ['a', 'b']) void off.controller.fetch(loose, { id: 1 }, { title })
  for (const request of [...off.requests]) request.answer({ id: 1, title: 'x' })
  assert.equal(off.reads(), [])
})

for (const status of [409, 412]) {
  test(`after a ${status} the entity is fetched again: the server has something else than we thought`, () => {
    const { controller, requests, reads } = world()
    void controller.fetch(PostResource.update, { id: 1 }, { title: 'a' })
    requests[0]!.fail(new NetworkError('conflict', { status }))
    assert.equal(reads(), ['GET /posts'])
  })
}

test('after a call was undone under way: the server may have done it all the same', async () => {
  const { controller, requests, reads } = world()
  const history = createHistory(controller)
  void controller.fetch(PostResource.update, { id: 1 }, { title: 'a' })
  await history.undo()
  assert.equal(reads(), ['GET /posts'])
  requests[1]!.answer([{ id: 1, title: 'a' }])
  assert.is(controller.get(Post, { id: 1 })!.title, 'a')
})

test('what nobody has ever read is not fetched', () => {
  const { controller, requests, reads } = world()
  for (const title of ['a', 'b']) void controller.fetch(loose, { id: 7 }, { title })
  for (const request of [...requests]) request.answer({ id: 7, title: 'x' })
  assert.equal(reads(), [])
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
  const call = controller.fetch(write, { profile: { id: '1' } }).catch((error: unknown) => error)
  requests[0]!.fail(new NetworkError('conflict', { status: 409 }))
  assert.is(((await call) as NetworkError).status, 409)
  assert.equal(reads(), ['GET /members/ann'])
})

test.run()
