import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHistory } from '../../../src/history/index.ts'
import { Controller, createResource, Entity, NetworkError, RestEndpoint, type AnyEndpoint } from '../../../src/index.ts'
import { mockFetch } from '../../../src/testing/index.ts'
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
    meet(id: number, endpoint: AnyEndpoint = loose, answers: (string | undefined)[] = ['a', 'b']): void {
      const { length } = requests
      for (const title of ['a', 'b']) void controller.fetch(endpoint, { id }, { title })
      for (const [n, request] of requests.slice(length).entries()) request.answer(answers[n] && { id, title: answers[n] })
    },
  }
}
const turn = (): Promise<void> => new Promise(resolve => setTimeout(resolve))
type World = ReturnType<typeof world>

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

test('also when one was answered before an older one, which waited for another, was sent', async () => {
  const row = { id: 1, title: 'sow' }
  const answer = ({ body }: { body: unknown }): object => ({ body: { ...Object.assign(row, body) }, delay: (body as { slow?: 1 }).slow ? 20 : 1 })
  const controller = new Controller({ fetch: mockFetch({ 'GET /posts': () => ({ body: [row] }), 'PATCH /posts/1': answer }) })
  controller.setResponse(getList, [row])
  await Promise.all([controller.fetch(partialUpdate, { id: 1 }, { title: 'a', slow: 1 } as object), controller.fetch(partialUpdate, { id: 1 }, { title: 'b' }), controller.fetch(loose, { id: 1 }, { title: 'a' })])
  await new Promise(resolve => setTimeout(resolve, 20))
  assert.is(controller.get(Post, { id: 1 })!.title, 'b')
})

const known = ({ controller }: World, id: number): void => controller.setResponse(get, { id }, { id, title: 'sow' })
const conflict = (status: number) => ({ controller, requests }: World) => {
  void controller.fetch(update, { id: 1 }, { title: 'a' })
  requests[0]!.fail(new NetworkError('conflict', { status }))
}
class Versioned extends Post {
  static override key = 'Versioned'
  static override version = 'title'
}
const versions = createResource({ path: '/versions/:id', schema: Versioned })

/** What happens, and the reads that are sent. */
const stories: [title: string, run: (world: World) => unknown, reads: string[], options?: { revalidateOverlap?: boolean }][] = [
  ['by a read of it alone, if there was one', world => (known(world, 1), world.meet(1)), ['GET /posts/1']],
  ['a row that no read shows is not asked for', ({ meet }) => meet(9), []],
  ['a read that started after them answers the doubt by itself', async ({ controller, requests, meet }) => {
    meet(9)
    await turn()
    void controller.fetch(get, { id: 9 })
    requests[2]!.answer({ id: 9, title: 'y' })
  }, ['GET /posts/9']],
  ['a read that is under way does not count: it may have been answered before them', world => {
    known(world, 1)
    void world.controller.fetch(get, { id: 1 })
    world.meet(1)
  }, ['GET /posts/1', 'GET /posts/1']],
  ['not after calls that were sent one after the other, or that are about others', ({ controller, requests }) => {
    void controller.fetch(partialUpdate, { id: 2 }, { title: 'c' })
    for (const title of ['a', 'b']) {
      void controller.fetch(partialUpdate, { id: 1 }, { title })
      requests.at(-1)!.answer({ id: 1, title })
    }
    requests[0]!.answer({ id: 2, title: 'c' })
  }, []],
  ['not where a version says which is newer', ({ controller, meet }) => {
    controller.setResponse(versions.get, { id: 1 }, { id: 1, title: 'a' })
    meet(1, versions.partialUpdate.extend({ serial: false }), ['b', 'a'])
  }, []],
  ['a version does not tell whether a deleted row is there', ({ controller, requests }) => {
    controller.setResponse(versions.get, { id: 1 }, { id: 1, title: 'a' })
    for (const endpoint of [versions.update, versions.delete]) void controller.fetch(endpoint.extend({ serial: false }) as AnyEndpoint, { id: 1 }, {})
    for (const request of [...requests].reverse()) request.answer({ id: 1, title: 'b' })
  }, ['GET /versions/1']],
  ['a call that is aborted may have been done', ({ controller }) => {
    void controller.fetch(partialUpdate, { id: 1 }, { title: 'a' })
    controller.abort(partialUpdate, { id: 1 }, { title: 'a' })
  }, ['GET /posts']],
  ['not where the last answer confirms the others', ({ meet }) => meet(1, loose, ['x', 'x']), []],
  ['not where it confirms one that waits above an older call', ({ controller, requests }) => {
    const both = loose.extend({ schema: { post: Post, other: Post } })
    for (const title of ['a', 'b']) void controller.fetch(both, { id: 2 }, { title })
    for (const request of [...requests].reverse()) request.answer({ post: { id: 2 }, other: { id: 1, title: 'new' } })
  }, []],
  ['not where it deletes what came with another answer that waits above the same older call', ({ controller, requests }) => {
    for (const title of ['a', 'b']) void controller.fetch(getList.push.extend({ serial: false }), { title })
    requests[1]!.answer({ id: 9, title: 'b' })
    void controller.fetch(Posts.delete, { id: 9 })
    requests[2]!.answer({ id: 9 })
    requests[0]!.fail(new Error('lost'))
  }, []],
  ['an answer that tells nothing confirms nothing', ({ meet }) => meet(1, loose, []), ['GET /posts']],
  ['a row in the answers of calls about others, of which an older one comes last', ({ controller, requests }) => {
    for (const id of [2, 3]) void controller.fetch(partialUpdate.extend({ schema: [Post] }), { id }, { title: 'c' })
    requests[1]!.answer([{ id: 3 }, { id: 1, title: 'new' }])
    requests[0]!.answer([{ id: 2 }, { id: 1, title: 'old' }])
  }, ['GET /posts']],
  ['a list that a creation has changed, of which an older answer comes last', ({ controller, requests }) => {
    void controller.fetch(new RestEndpoint({ path: '/sorted', method: 'POST', schema: { posts: getList.schema } }))
    void controller.fetch(getList.push, { title: 'new' })
    requests[1]!.answer({ id: 9, title: 'new' })
    requests[0]!.answer({ posts: [{ id: 1, title: 'sow' }] })
  }, ['GET /posts']],
  ['after a 409 the entity is fetched again: the server has something else than we thought', conflict(409), ['GET /posts']],
  ['after a 412 the entity is fetched again: the server has something else than we thought', conflict(412), ['GET /posts']],
  ['not where it is turned off', ({ meet }) => meet(1), [], { revalidateOverlap: false }],
]
for (const [title, run, expected, options] of stories) {
  test(title, async () => {
    const setting = world(options)
    await run(setting)
    await turn()
    assert.equal(setting.reads(), expected)
  })
}

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

test('a deleted row that an older answer brings back expires every list that shows it', () => {
  const { controller, requests, reads } = world()
  const some = { tag: 'odd' }
  controller.setResponse(getList, some, [{ id: 1, title: 'sow' }])
  void controller.fetch(partialUpdate.extend({ schema: [Post] }), { id: 2 }, { title: 'c' })
  void controller.fetch(Posts.delete, { id: 1 })
  requests[1]!.answer({})
  requests[0]!.answer([{ id: 2 }, { id: 1, title: 'old' }])
  assert.equal(reads(), ['GET /posts'])
  requests[2]!.answer([{ id: 2 }])
  assert.is(controller.getResponse(getList, some).expiresAt, 0)
})

test('after a call was undone under way: the server may have done it all the same', async () => {
  const { controller, requests, reads } = world()
  const history = createHistory(controller)
  void controller.fetch(update.extend({ getUndo: undefined as never }), { id: 1 }, { title: 'a' })
  await history.undo()
  assert.equal(reads(), ['GET /posts'])
  requests[1]!.answer([{ id: 1, title: 'a' }])
  assert.is(controller.get(Post, { id: 1 })!.title, 'a')
})

test('a call whose key throws while requests are ended neither holds them up, nor the rows that are fetched again later', async () => {
  const { controller, reads, meet } = world()
  let isBroken = false
  void controller.fetch(loose.extend({ key: () => { if (isBroken) throw new Error('broken'); return 'call' } }), { id: 5 }, { title: 'a' })
  const read = outcome(controller.fetch(get, { id: 1 }))
  isBroken = true
  controller.abort(get, { id: 1 })
  isBroken = false
  assert.is(((await read) as Error).name, 'AbortError')
  meet(1)
  assert.equal(reads(), ['GET /posts/1', 'GET /posts'])
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
