import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller } from '../../../src/index.ts'
import { devtools, type RecordedCommit } from '../../../src/devtools/index.ts'
import { mockFetch } from '../../../src/testing/index.ts'
import { pause } from '../../support/waiting.ts'
import { createLoadedWorld, createWorld, get, getList, partialUpdate, rows, Todo } from './world.ts'

const test = suite('devtools: the recording')

const causes = (commits: readonly RecordedCommit[]): string[] => commits.map(({ cause, endpoint }) => [cause, endpoint].filter(Boolean).join(' '))
/** An answer that does not come while the test runs. */
const never = { body: {}, delay: 10_000 }

test('every commit has its cause, its endpoint, its patches and their inverse', async () => {
  const { controller, recording, change, send } = await createLoadedWorld()
  await send(2, { done: true })
  change(1, { title: 'plough' })
  controller.applyPatches([{ op: 'replace', path: ['entities', 'Todo', '1', 'title'], value: 'sow' }], { origin: 'tab-2' })
  const { commits } = recording
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
  const { controller, recording, send } = await createLoadedWorld({ 'PATCH /todos/2': never })
  const call = send(2, { done: true })
  controller.abort(partialUpdate, { id: 2 }, { done: true })
  await call.catch(() => {})
  assert.equal(causes(recording.commits).slice(1), ['call PATCH /todos/2', 'fail PATCH /todos/2'])
})

test('a write that changes nothing leaves the next commit its own cause and duration', async () => {
  const { controller, recording, last } = await createLoadedWorld()
  recording.subscribe(() => {})
  controller.setResponse(getList, rows)
  await pause(30)
  controller.applyPatches([{ op: 'replace', path: ['entities', 'Todo', '1', 'title'], value: 'plough' }])
  assert.is(last().endpoint, undefined)
  assert.ok(last().duration! < 25, `${last().duration}`)
})

test('a request knows its times and the commits that it made', async () => {
  const { controller, recording } = createWorld({ 'GET /todos': { body: rows, delay: 20 } })
  const list = controller.fetch(getList)
  const [request] = recording.requests
  assert.equal([request!.key, request!.status, request!.isCall], ['GET /todos', 'pending', false])
  await list
  await pause()
  const { status, startedAt, sentAt, answeredAt, landedAt, commits } = request!
  assert.ok(startedAt <= sentAt! && sentAt! + 15 <= answeredAt! && answeredAt! <= landedAt!)
  assert.equal([status, commits], ['done', [1]])
  assert.is(recording.commits[0]!.request, request)
})

test('a request that fails says so, and keeps its error', async () => {
  const { controller, recording } = createWorld({ 'GET /todos': { status: 500, body: {} } })
  await controller.fetch(getList).catch(() => {})
  await pause()
  const [request] = recording.requests
  assert.equal([request!.status, (request!.error as { status: number }).status], ['failed', 500])
})

test('an answer that a later one has overtaken is late', async () => {
  const [old, renamed] = ['old', 'new'].map(title => ({ ...rows[0], title }))
  const { controller, recording } = createWorld({ 'GET /todos': { body: [old], delay: 30 }, 'GET /todos/1': { body: renamed } })
  await Promise.all([controller.fetch(getList), controller.fetch(get, { id: 1 })])
  assert.equal(recording.requests.map(({ key, isLate }) => [key, isLate]), [['GET /todos', true], ['GET /todos/1', false]])
  assert.is(controller.get(Todo, { id: 1 })?.title, 'new')
})

test('tells which rows changed, which views were rebuilt and which signals woke', async () => {
  const { controller, change, last } = await createLoadedWorld()
  const stop = effect(() => void controller.getResponse(getList).data)
  change(2, { done: true })
  const { changedRows, rebuiltViews, wokenSignals } = last()
  assert.equal([changedRows, wokenSignals], [['Todo 2'], ['GET /todos']])
  assert.equal(['Todo 2', 'GET /todos', 'Todo 1'].map(name => rebuiltViews.includes(name)), [true, true, false], rebuiltViews.join())
  stop()
  change(2, { done: false })
  assert.equal(last().wokenSignals.filter(name => name !== 'GET /todos'), [])
})

test('of live objects it names the field whose readers woke, of each controller its own', async () => {
  const [one, two] = [await createLoadedWorld(), await createLoadedWorld()]
  const stops = [one, two].map(({ controller }) => {
    const todo = controller.live(Todo, { id: 2 })
    return effect(() => void todo?.done)
  })
  for (const { change, last } of [one, two]) {
    change(2, { done: true })
    assert.equal(last().wokenSignals, ['Todo 2.done'])
    change(2, { title: 'rest' })
    assert.equal(last().wokenSignals, [])
  }
  one.tools.dispose()
  two.change(2, { done: false })
  assert.equal(two.last().wokenSignals, ['Todo 2.done'])
  for (const stop of stops) stop()
})

test('says why a row and a view changed, the newest first, at most ten', async () => {
  const { controller, recording, change } = await createLoadedWorld()
  const stop = effect(() => void controller.getResponse(getList).data)
  for (let i = 0; i < 12; i++) change(2, { title: `${i}` })
  change(1, { title: 'other' })
  const reasons = recording.reasons('Todo 2')
  assert.equal([reasons.length, reasons[0]!.commit.id, reasons[0]!.text], [10, 13, 'title'])
  const [ofView] = recording.reasons('GET /todos')
  assert.equal([ofView!.commit.id, ofView!.text], [1, 'arrived'])
  assert.ok(recording.dependents('Todo 2').includes('GET /todos'))
  assert.ok(recording.dependents('User 7').includes('Todo 1'))
  stop()
})

test('says who keeps a row from being collected', async () => {
  const { controller, recording } = await createLoadedWorld()
  assert.match(recording.keepers('Todo 2').join(), /^GET \/todos is fresh for \d+ s$/)
  const stop = effect(() => void controller.getResponse(getList).data)
  assert.ok(recording.keepers('Todo 2').includes('GET /todos is being read'))
  stop()
  controller.expireAll({ testKey: () => true })
  assert.equal(recording.keepers('Todo 2'), [])
})

test('pending calls stand in order, with what each changes over the one before', async () => {
  const { controller, recording, send } = await createLoadedWorld({ 'PATCH /todos/2': never, 'PATCH /todos/1': never })
  const calls = [send(2, { done: true }), send(1, { title: 'a' }), send(2, { done: true, title: 'b' })]
  const { pending } = recording
  const keys = ['PATCH /todos/2', 'PATCH /todos/1', 'PATCH /todos/2']
  assert.equal([pending.map(({ label }) => label), pending.map(({ request }) => request?.key)], [keys, [...keys.slice(0, 2), undefined]], 'one that waits for another call has no request yet')
  assert.equal(pending[2]!.patches, [{ op: 'replace', path: ['entities', 'Todo', '2', 'title'], value: 'b' }])
  for (const { request } of pending) request?.abort()
  recording.pending[0]!.request!.abort()
  const outcomes = await Promise.allSettled(calls)
  assert.equal(outcomes.map(outcome => outcome.status === 'rejected' && (outcome.reason as { code: string }).code), ['ABORT', 'ABORT', 'ABORT'])
  assert.equal([recording.pending, controller.get(Todo, { id: 2 })?.done], [[], false])
})

test('a call that is let fail fails alone, and its change goes', async () => {
  const { controller, recording, network, send } = await createLoadedWorld({ 'PATCH /todos/2': never })
  const call = send(2, { done: true })
  assert.is(controller.get(Todo, { id: 2 })?.done, true)
  await pause()
  recording.pending[0]!.request!.fail()
  const error = await call.then(() => undefined, (reason: Error) => reason)
  assert.is(error?.message, 'PATCH /todos/2 failed because devtools let it fail.')
  assert.equal([controller.get(Todo, { id: 2 })?.done, network.calls.at(-1)!.signal?.aborted], [false, true])
})

test('an answer that is delayed lands when it is released', async () => {
  const { recording, send } = await createLoadedWorld()
  const call = send(2, { done: true })
  const { request } = recording.pending[0]!
  request!.delay()
  await pause(20)
  assert.is(recording.pending.length, 1)
  assert.ok(request!.answeredAt !== undefined && request!.landedAt === undefined)
  request!.release()
  assert.is((await call).done, true)
  assert.equal(recording.pending, [])
})

test('keeps about the last 1,000 commits, never more', async () => {
  const { recording, change, last } = await createLoadedWorld()
  for (let i = 0; i < 1100; i++) change(2, { title: `${i}` })
  const { length } = recording.commits
  assert.ok(length <= 1000 && length > 940, `${length}`)
  assert.is(last().id, 1101)
})

test('keeps at most 10 MB of commits', async () => {
  const { recording, change } = await createLoadedWorld()
  for (let i = 0; i < 100; i++) change(2, { title: `${i}`.padEnd(500_000) })
  const { commits, bytes } = recording
  assert.ok(bytes <= 10_000_000 && bytes > 5_000_000, `${bytes}`)
  assert.ok(commits.length >= 10 && commits.length <= 21, `${commits.length}`)
})

test('a second `devtools` of a controller goes on with the recording, and `dispose` ends it', async () => {
  const { controller, recording } = createWorld()
  controller.set(Todo, { id: 1, title: 'a' })
  const again = devtools(controller, { panel: false, redux: false })
  assert.is(again.recording, recording)
  controller.set(Todo, { id: 1, title: 'b' })
  assert.is(recording.commits.length, 2)
  again.dispose()
  await controller.fetch(getList)
  assert.equal([recording.commits.length, recording.requests.length], [2, 0])
})

test('a listener hears of commits and requests until it leaves', () => {
  const { controller, recording } = createWorld()
  let heard = 0
  const leave = recording.subscribe(() => heard++)
  controller.set(Todo, { id: 1, title: 'a' })
  assert.is(heard, 1)
  leave()
  controller.set(Todo, { id: 1, title: 'b' })
  assert.is(heard, 1)
})

test('needs no document', () => {
  const tools = devtools(new Controller({ fetch: mockFetch({}) }), { redux: false })
  if (typeof document === 'undefined') {
    tools.open()
    tools.close()
  }
  tools.dispose()
})

test.run()
