import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller } from '../../../src/index.ts'
import { devtools, type RecordedCommit } from '../../../src/devtools/index.ts'
import { mockFetch } from '../../../src/testing/index.ts'
import { createWorld, rows, Todo, TodoResource } from './world.ts'

const test = suite('devtools: the recording')

const causes = (commits: readonly RecordedCommit[]): string[] => commits.map(({ cause, endpoint }) => [cause, endpoint].filter(Boolean).join(' '))
const tick = (): Promise<void> => new Promise(resolve => setTimeout(resolve))

test('every commit has its cause, its endpoint, its patches and their inverse', async () => {
  const { controller, tools } = createWorld()
  await controller.fetch(TodoResource.getList)
  await controller.fetch(TodoResource.partialUpdate, { id: 2 }, { done: true })
  controller.set(Todo, { id: 1 }, todo => void (todo.title = 'plough'))
  controller.applyPatches([{ op: 'replace', path: ['entities', 'Todo', '1', 'title'], value: 'sow' }], { origin: 'tab-2' })
  const { commits } = tools.recording
  assert.equal(causes(commits), ['fetch GET /todos', 'call PATCH /todos/2', 'fetch PATCH /todos/2', 'set', 'applyPatches'])
  assert.equal(commits.map(({ id }) => id), [1, 2, 3, 4, 5])
  assert.equal(commits[1]!.patches, [{ op: 'replace', path: ['entities', 'Todo', '2', 'done'], value: true }])
  assert.equal(commits[1]!.inversePatches, [{ op: 'replace', path: ['entities', 'Todo', '2', 'done'], value: false }])
  // The answer confirms what was shown: only the confirmed state changes.
  assert.equal([commits[2]!.changed, commits[2]!.patches.length, commits[2]!.basePatches?.length], [0, 0, 1])
  assert.is(commits[4]!.origin, 'tab-2')
  assert.ok(commits.every(({ at }) => Math.abs(at - Date.now()) < 10_000))
  assert.ok([commits[0]!, commits[2]!].every(({ duration = -1 }) => duration >= 0 && duration < 1000))
})

test('a commit that an abort makes names the call that was aborted', async () => {
  const { controller, tools } = createWorld({ 'PATCH /todos/2': { body: {}, delay: 1000 } })
  await controller.fetch(TodoResource.getList)
  const call = controller.fetch(TodoResource.partialUpdate, { id: 2 }, { done: true })
  controller.abort(TodoResource.partialUpdate, { id: 2 }, { done: true })
  await call.catch(() => {})
  assert.equal(causes(tools.recording.commits).slice(1), ['call PATCH /todos/2', 'fail PATCH /todos/2'])
})

test('a write that changes nothing leaves the next commit its own cause and duration', async () => {
  const { controller, tools } = createWorld()
  tools.recording.subscribe(() => {})
  await controller.fetch(TodoResource.getList)
  controller.setResponse(TodoResource.getList, rows)
  await new Promise(resolve => setTimeout(resolve, 30))
  controller.applyPatches([{ op: 'replace', path: ['entities', 'Todo', '1', 'title'], value: 'plough' }])
  const last = tools.recording.commits.at(-1)!
  assert.is(last.endpoint, undefined)
  assert.ok(last.duration! < 25, `${last.duration}`)
})

test('a request knows its times and the commits that it made', async () => {
  const { controller, tools } = createWorld({ 'GET /todos': { body: rows, delay: 20 } })
  const list = controller.fetch(TodoResource.getList)
  const [request] = tools.recording.requests
  assert.equal([request!.key, request!.status, request!.isCall], ['GET /todos', 'pending', false])
  await list
  await tick()
  const { status, startedAt, sentAt, answeredAt, landedAt, commits } = request!
  assert.is(status, 'done')
  assert.ok(startedAt <= sentAt! && sentAt! + 15 <= answeredAt! && answeredAt! <= landedAt!)
  assert.equal(commits, [1])
  assert.is(tools.recording.commits[0]!.request, request)
})

test('a request that fails says so, and keeps its error', async () => {
  const { controller, tools } = createWorld({ 'GET /todos': { status: 500, body: {} } })
  await controller.fetch(TodoResource.getList).catch(() => {})
  await tick()
  assert.is(tools.recording.requests[0]!.status, 'failed')
  assert.is((tools.recording.requests[0]!.error as { status: number }).status, 500)
})

test('an answer that a later one has overtaken is late', async () => {
  const { controller, tools } = createWorld({ 'GET /todos': { body: [{ ...rows[0], title: 'old' }], delay: 30 }, 'GET /todos/1': { body: { ...rows[0], title: 'new' } } })
  await Promise.all([controller.fetch(TodoResource.getList), controller.fetch(TodoResource.get, { id: 1 })])
  assert.equal(tools.recording.requests.map(({ key, isLate }) => [key, isLate]), [['GET /todos', true], ['GET /todos/1', false]])
  assert.is(controller.get(Todo, { id: 1 })?.title, 'new')
})

test('tells which rows changed, which views were rebuilt and which signals woke', async () => {
  const { controller, tools } = createWorld()
  await controller.fetch(TodoResource.getList)
  const stop = effect(() => void controller.getResponse(TodoResource.getList).data)
  controller.set(Todo, { id: 2 }, todo => void (todo.done = true))
  const commit = tools.recording.commits.at(-1)!
  assert.equal(commit.changedRows, ['Todo 2'])
  assert.ok(commit.rebuiltViews.includes('Todo 2'), commit.rebuiltViews.join())
  assert.ok(commit.rebuiltViews.includes('GET /todos'), commit.rebuiltViews.join())
  assert.not(commit.rebuiltViews.includes('Todo 1'))
  assert.equal(commit.wokenSignals, ['GET /todos'])
  stop()
  controller.set(Todo, { id: 2 }, todo => void (todo.done = false))
  assert.equal(tools.recording.commits.at(-1)!.wokenSignals.filter(name => name !== 'GET /todos'), [])
})

test('of live objects it names the field whose readers woke', async () => {
  const { controller, tools } = createWorld()
  await controller.fetch(TodoResource.getList)
  const todo = controller.live(Todo, { id: 2 })
  const stop = effect(() => void todo?.done)
  controller.set(Todo, { id: 2 }, row => void (row.done = true))
  assert.equal(tools.recording.commits.at(-1)!.wokenSignals, ['Todo 2.done'])
  controller.set(Todo, { id: 2 }, row => void (row.title = 'rest'))
  assert.equal(tools.recording.commits.at(-1)!.wokenSignals, [])
  stop()
})

test('two controllers that share a reactive library record their own wakes only', async () => {
  const one = createWorld()
  const two = createWorld()
  const stops = await Promise.all([one, two].map(async ({ controller }) => {
    await controller.fetch(TodoResource.getList)
    const todo = controller.live(Todo, { id: 2 })
    return effect(() => void todo?.done)
  }))
  for (const { controller } of [one, two]) controller.set(Todo, { id: 2 }, row => void (row.done = true))
  for (const { tools } of [one, two]) assert.equal(tools.recording.commits.at(-1)!.wokenSignals, ['Todo 2.done'])
  one.tools.dispose()
  two.controller.set(Todo, { id: 2 }, row => void (row.done = false))
  assert.equal(two.tools.recording.commits.at(-1)!.wokenSignals, ['Todo 2.done'])
  for (const stop of stops) stop()
})

test('says why a row and a view changed, the newest first, at most ten', async () => {
  const { controller, tools } = createWorld()
  await controller.fetch(TodoResource.getList)
  const stop = effect(() => void controller.getResponse(TodoResource.getList).data)
  for (let i = 0; i < 12; i++) controller.set(Todo, { id: 2 }, todo => void (todo.title = `${i}`))
  controller.set(Todo, { id: 1 }, todo => void (todo.title = 'other'))
  const reasons = tools.recording.reasons('Todo 2')
  assert.is(reasons.length, 10)
  assert.equal([reasons[0]!.commit.id, reasons[0]!.text], [13, 'title'])
  const ofView = tools.recording.reasons('GET /todos')
  assert.equal([ofView[0]!.commit.id, ofView[0]!.text], [1, 'arrived'])
  const list = tools.recording.dependents('Todo 2')
  assert.ok(list.includes('GET /todos'), list.join())
  assert.ok(tools.recording.dependents('User 7').includes('Todo 1'))
  stop()
})

test('says who keeps a row from being collected', async () => {
  const { controller, tools } = createWorld()
  await controller.fetch(TodoResource.getList)
  assert.match(tools.recording.keepers('Todo 2').join(), /^GET \/todos is fresh for \d+ s$/)
  const stop = effect(() => void controller.getResponse(TodoResource.getList).data)
  assert.ok(tools.recording.keepers('Todo 2').includes('GET /todos is being read'))
  stop()
  controller.expireAll({ testKey: () => true })
  assert.equal(tools.recording.keepers('Todo 2'), [])
})

test('pending calls stand in order, with what each changes over the one before', async () => {
  const { controller, tools } = createWorld({ 'PATCH /todos/2': { body: {}, delay: 10_000 }, 'PATCH /todos/1': { body: {}, delay: 10_000 } })
  await controller.fetch(TodoResource.getList)
  const calls = [
    controller.fetch(TodoResource.partialUpdate, { id: 2 }, { done: true }),
    controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'a' }),
    controller.fetch(TodoResource.partialUpdate, { id: 2 }, { done: true, title: 'b' }),
  ]
  const { pending } = tools.recording
  assert.equal(pending.map(({ label }) => label), ['PATCH /todos/2', 'PATCH /todos/1', 'PATCH /todos/2'])
  assert.equal(pending[2]!.patches, [{ op: 'replace', path: ['entities', 'Todo', '2', 'title'], value: 'b' }])
  assert.equal(pending.map(({ request }) => request?.key), ['PATCH /todos/2', 'PATCH /todos/1', 'PATCH /todos/2'])
  for (const { request } of pending) request!.abort()
  const outcomes = await Promise.allSettled(calls)
  assert.equal(outcomes.map(outcome => outcome.status === 'rejected' && (outcome.reason as { code: string }).code), ['ABORT', 'ABORT', 'ABORT'])
  assert.equal(tools.recording.pending, [])
  assert.is(controller.get(Todo, { id: 2 })?.done, false)
})

test('a call that is let fail fails alone, and its change goes', async () => {
  const { controller, tools, network } = createWorld({ 'PATCH /todos/2': { body: {}, delay: 10_000 } })
  await controller.fetch(TodoResource.getList)
  const call = controller.fetch(TodoResource.partialUpdate, { id: 2 }, { done: true })
  assert.is(controller.get(Todo, { id: 2 })?.done, true)
  await tick()
  tools.recording.pending[0]!.request!.fail()
  const error = await call.then(() => undefined, (reason: Error) => reason)
  assert.is(error?.message, 'PATCH /todos/2 failed because devtools let it fail.')
  assert.is(controller.get(Todo, { id: 2 })?.done, false)
  assert.is(network.calls.at(-1)!.signal?.aborted, true)
})

test('an answer that is delayed lands when it is released', async () => {
  const { controller, tools } = createWorld()
  await controller.fetch(TodoResource.getList)
  const call = controller.fetch(TodoResource.partialUpdate, { id: 2 }, { done: true })
  const { request } = tools.recording.pending[0]!
  request!.delay()
  await new Promise(resolve => setTimeout(resolve, 20))
  assert.is(tools.recording.pending.length, 1)
  assert.ok(request!.answeredAt !== undefined && request!.landedAt === undefined)
  request!.release()
  assert.is((await call).done, true)
  assert.equal(tools.recording.pending, [])
})

test('keeps about the last 1,000 commits, never more', async () => {
  const { controller, tools } = createWorld()
  await controller.fetch(TodoResource.getList)
  for (let i = 0; i < 1100; i++) controller.set(Todo, { id: 2 }, todo => void (todo.title = `${i}`))
  const { length } = tools.recording.commits
  assert.ok(length <= 1000 && length > 940, `${length}`)
  assert.is(tools.recording.commits.at(-1)!.id, 1101)
})

test('keeps at most 10 MB of commits', () => {
  const { controller, tools } = createWorld()
  for (let i = 0; i < 100; i++) controller.set(Todo, { id: 2, title: `${i}`.padEnd(500_000) })
  const { commits, bytes } = tools.recording
  assert.ok(bytes <= 10_000_000 && bytes > 5_000_000, `${bytes}`)
  assert.ok(commits.length >= 10 && commits.length <= 21, `${commits.length}`)
})

test('a second `devtools` of a controller goes on with the recording, and `dispose` ends it', async () => {
  const { controller, tools } = createWorld()
  controller.set(Todo, { id: 1, title: 'a' })
  const again = devtools(controller, { panel: false, redux: false })
  assert.is(again.recording, tools.recording)
  controller.set(Todo, { id: 1, title: 'b' })
  assert.is(tools.recording.commits.length, 2)
  again.dispose()
  controller.set(Todo, { id: 1, title: 'c' })
  await controller.fetch(TodoResource.getList)
  assert.is(tools.recording.commits.length, 2)
  assert.is(tools.recording.requests.length, 0)
})

test('a listener hears of commits and requests until it leaves', async () => {
  const { controller, tools } = createWorld()
  let heard = 0
  const leave = tools.recording.subscribe(() => heard++)
  controller.set(Todo, { id: 1, title: 'a' })
  assert.is(heard, 1)
  leave()
  controller.set(Todo, { id: 1, title: 'b' })
  assert.is(heard, 1)
})

test('needs no document', () => {
  const controller = new Controller({ fetch: mockFetch({}) })
  const tools = devtools(controller, { redux: false })
  if (typeof document === 'undefined') {
    tools.open()
    tools.close()
  }
  tools.dispose()
})

test.run()
