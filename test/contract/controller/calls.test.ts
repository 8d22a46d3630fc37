import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHistory, historyOf } from '../../../src/history/index.ts'
import { AbortError, Controller, createResource, Entity, type Action, type FetchAction } from '../../../src/index.ts'
import { createClock } from '../../../src/testing/index.ts'
import { isSettled } from '../../support/state.ts'

class Post extends Entity {
  static override key = 'Post'
  id = ''
  title = ''
}

const { get, getList, partialUpdate } = createResource({ path: '/posts/:id', schema: Post, optimistic: true })

function world(): { controller: Controller; requests: FetchAction[] } {
  const requests: FetchAction[] = []
  const action = (action: Action): boolean => action.type === 'fetch' && requests.push(action) > 0
  const controller = new Controller({ managers: [{ action }], clock: createClock() })
  createHistory(controller)
  return { controller, requests }
}

/** Lets what is already decided happen. */
const settle = (): Promise<void> => new Promise(resolve => setTimeout(resolve))

const test = suite('calls, to those whom their optimistic answers wake')

test('what is being made can be asked for, and written to: that waits until it is made', async () => {
  const { controller, requests } = world()
  controller.setResponse(getList, [])
  const asked: Promise<unknown>[] = []
  effect(() => {
    const [post] = controller.getResponse(getList).data ?? []
    if (post?.title !== 'sow') return
    asked.push(controller.fetch(get, { id: post.id }), controller.fetch(partialUpdate, { id: post.id }, { title: 'reap' }))
  })
  const made = controller.fetch(getList.push, { title: 'sow' })
  assert.equal(requests.map(({ key }) => key), ['POST /posts'])
  requests[0]!.answer({ id: '7', title: 'sow' })
  await made
  await settle()
  assert.equal(requests.slice(1).map(({ key, args }) => [key.split(' ')[0], args[0]]), [['PATCH', { id: '7' }], ['GET', { id: '7' }]])
  for (const { answer } of requests.slice(1)) answer({ id: '7', title: 'reap' })
  await Promise.all(asked)
  assert.is(controller.get(Post, { id: '7' })?.title, 'reap')
})

test('who reads it by the pk that it had while it was being made goes on with what it has become', async () => {
  const { controller, requests } = world()
  controller.setResponse(getList, [])
  const made = controller.fetch(getList.push, { title: 'sow' })
  const { id } = controller.getResponse(getList).data![0]!
  const live = controller.live(Post, { id })
  const seen: unknown[] = []
  const readings = [
    () => controller.get(Post, { id })?.id,
    () => controller.get(Post, id)?.id,
    () => controller.view(Post, { id }).value?.id,
    () => controller.live(Post, { id })?.id,
    () => controller.live(get, { id })?.id,
    () => controller.getResponse(get, { id }).data?.id,
  ]
  const stop = effect(() => void seen.push(readings.map(read => read())))
  requests[0]!.answer({ id: '7', title: 'sow' })
  await made
  assert.equal(seen, [readings.map(() => id), readings.map(() => '7')])
  assert.is(controller.live(Post, { id }), live)
  stop()

  const asked = controller.fetch(get, { id }).catch((error: unknown) => error)
  assert.is(controller.isFetching(get, { id }), true)
  const failure = new Error('no')
  requests[1]!.fail(failure)
  assert.is(await asked, failure)
  assert.is(controller.getError(get, { id }), failure)
  controller.invalidate(get, { id })
  assert.equal([controller.getResponse(get, { id }).expiryStatus, controller.getResponse(get, { id: '7' }).expiryStatus], [1, 1])
})

test('a read that waits for it is under way, and who looks at that sees what it comes to', async () => {
  const { controller, requests } = world()
  controller.setResponse(getList, [])
  const made = controller.fetch(getList.push, { title: 'sow' })
  const after = controller.getResponse(getList).data![0]!.id
  const seen: unknown[] = []
  const stop = effect(() => void seen.push([controller.getResponse(getList, { after }).data?.length, controller.isFetching(getList, { after })]))
  const asked = controller.fetch(getList, { after })
  requests[0]!.answer({ id: '7', title: 'sow' })
  await made
  await settle()
  assert.is(requests[1]!.key, 'GET /posts?after=7')
  requests[1]!.answer([{ id: '8', title: 'reap' }])
  await asked
  assert.equal(seen, [
    [undefined, false],
    [undefined, true],
    // It has another name now.
    [undefined, true],
    [1, false],
  ])
  stop()
})

test('one that was never made is not there, and that is no error', async () => {
  const { controller, requests } = world()
  controller.setResponse(getList, [])
  const made = controller.fetch(getList.push, { title: 'sow' }).catch(() => {})
  const { id } = controller.getResponse(getList).data![0]!
  requests[0]!.fail(new Error('no'))
  await made
  assert.equal([controller.get(Post, { id }), controller.live(Post, { id }), controller.getResponse(get, { id }).expiryStatus], [undefined, undefined, 1])
})

test('who waits to ask for it can leave, and be aborted: then nothing is asked', async () => {
  const { controller, requests } = world()
  controller.setResponse(getList, [])
  const made = controller.fetch(getList.push, { title: 'sow' })
  const { id } = controller.getResponse(getList).data![0]!
  const leaving = new AbortController()
  const asked = [controller.fetch(get.extend({ signal: leaving.signal }), { id }), controller.fetch(get, { id })]
  leaving.abort()
  controller.abort(get, { id })
  for (const each of asked) assert.instance(await each.catch((error: unknown) => error), AbortError)
  requests[0]!.answer({ id: '7', title: 'sow' })
  await made
  await settle()
  assert.is(requests.length, 1)
})

test('it can be aborted, and undone', async () => {
  const ends = {
    abort: (controller: Controller) => controller.abort(partialUpdate, { id: '1' }, { title: 'reap' }),
    undo: (controller: Controller) => historyOf(controller).undo(),
  }
  for (const end of Object.values(ends)) {
    const { controller } = world()
    controller.setResponse(get, { id: '1' }, { id: '1', title: 'sow' })
    effect(() => void (controller.get(Post, { id: '1' })?.title === 'reap' && end(controller)))
    const outcome = await controller.fetch(partialUpdate, { id: '1' }, { title: 'reap' }).catch((error: unknown) => error)
    assert.instance(outcome, AbortError)
    assert.is(controller.get(Post, { id: '1' })?.title, 'sow')
  }
})

test('what is called by one who listens to the commit of a call goes after it', () => {
  const { controller, requests } = world()
  controller.setResponse(get, { id: '1' }, { id: '1', title: 'sow' })
  controller.subscribePatches(() => {
    if (controller.get(Post, { id: '1' })?.title === 'reap') void controller.fetch(partialUpdate, { id: '1' }, { title: 'eat' })
  })
  void controller.fetch(partialUpdate, { id: '1' }, { title: 'reap' })
  assert.equal(requests.map(({ args }) => args[1]), [{ title: 'reap' }, { title: 'eat' }])
})

test('he may ask for what it makes, and undo it', async () => {
  const { controller, requests } = world()
  controller.setResponse(getList, [])
  let asked: Promise<unknown> | undefined
  controller.subscribePatches(() => {
    const [post] = controller.getResponse(getList).data ?? []
    if (post?.title === 'sow') asked ??= controller.fetch(get, { id: post.id })
    if (post?.title === 'burn') void historyOf(controller).undo()
  })
  void controller.fetch(getList.push, { title: 'sow' })
  requests[0]!.answer({ id: '7', title: 'sow' })
  await settle()
  requests[1]!.answer({ id: '7', title: 'reap' })
  assert.equal(await asked, controller.get(Post, { id: '7' }))
  const undone = await controller.fetch(partialUpdate, { id: '7' }, { title: 'burn' }).catch((error: unknown) => error)
  assert.instance(undone, AbortError)
  assert.is(requests.length, 2)
})

test('who ends a call in an optimistic answer ends it, and what it had expected goes', async () => {
  const { controller, requests } = world()
  controller.setResponse(getList, [{ id: '1', title: 'sow' }])
  const saving = controller.fetch(partialUpdate, { id: '1' }, { title: 'reap' })
  const deleting = createResource({ path: '/posts/:id', schema: Post }).delete.extend({
    getOptimisticResponse(_: unknown, params: { id: number | string }) {
      controller.abort(partialUpdate, params, { title: '' })
      return params
    },
  })
  const gone = controller.fetch(deleting, { id: '1' })
  assert.instance(await saving.catch((error: unknown) => error), AbortError)
  assert.is(controller.get(Post, { id: '1' }), undefined)
  requests[1]!.fail(new Error('no'))
  assert.is(await gone.catch(({ message }: Error) => message), 'no')
  await settle()
  assert.is(controller.get(Post, { id: '1' })!.title, 'sow')
  assert.ok(isSettled(controller))
})

test.run()
