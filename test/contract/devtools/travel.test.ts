import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createClock } from '../../../src/testing/index.ts'
import { createWorld, rows, Todo, TodoResource } from './world.ts'

const test = suite('devtools: time travel')

test('readers see the chosen state, and the newest again afterwards', async () => {
  const { controller, tools } = createWorld()
  await controller.fetch(TodoResource.getList)
  const seen: unknown[] = []
  const live: unknown[] = []
  const row = controller.live(Todo, { id: 2 })
  const stops = [
    effect(() => void seen.push(controller.getResponse(TodoResource.getList).data?.map(({ title }) => title).join())),
    effect(() => void live.push(row?.title)),
  ]
  controller.set(Todo, { id: 2 }, todo => void (todo.title = 'rest'))
  controller.set(Todo, { id: 2 }, todo => void (todo.title = 'dance'))
  tools.show(tools.recording.commits[1]!)
  assert.equal([seen.at(-1), live.at(-1)], ['sow,rest', 'rest'])
  assert.is(controller.get(Todo, { id: 2 })?.title, 'rest')
  tools.show(tools.recording.commits[0]!)
  assert.equal([seen.at(-1), live.at(-1)], ['sow,reap', 'reap'])
  tools.showNow()
  assert.equal([seen.at(-1), live.at(-1)], ['sow,dance', 'dance'])
  for (const stop of stops) stop()
})

test('writes go on underneath, unseen until now is shown', async () => {
  const { controller, tools } = createWorld()
  await controller.fetch(TodoResource.getList)
  controller.set(Todo, { id: 1 }, todo => void (todo.title = 'plough'))
  const seen: unknown[] = []
  const live: unknown[] = []
  const row = controller.live(Todo, { id: 2 })
  const stops = [effect(() => void seen.push(controller.get(Todo, { id: 2 })?.done)), effect(() => void live.push(row?.done))]
  tools.show(tools.recording.commits[0]!)
  await controller.fetch(TodoResource.partialUpdate, { id: 2 }, { done: true })
  assert.equal([seen.at(-1), live.at(-1)], [false, false])
  assert.equal(tools.recording.commits.map(({ cause }) => cause), ['fetch', 'set', 'call', 'fetch'])
  tools.showNow()
  assert.equal([seen.at(-1), live.at(-1)], [true, true])
  controller.set(Todo, { id: 2 }, todo => void (todo.done = false))
  assert.equal([seen.at(-1), live.at(-1)], [false, false])
  for (const stop of stops) stop()
})

test('a state from before garbage collection is shown too', async () => {
  const clock = createClock(1_700_000_000_000)
  const { controller, tools } = createWorld({ 'GET /todos/9': { body: { id: 9, title: 'once', done: false } } }, { clock, gc: { after: 1000, every: 1000 } })
  await controller.fetch(TodoResource.getList)
  await controller.fetch(TodoResource.get, { id: 9 })
  const titles: unknown[] = []
  const stop = effect(() => void titles.push(controller.getResponse(TodoResource.getList).data?.map(({ title }) => title).join()))
  controller.set(Todo, { id: 2 }, todo => void (todo.title = 'rest'))
  for (let i = 0; i < 20; i++) await clock.advance(60_000)
  assert.ok(tools.recording.commits.some(({ cause }) => cause === 'collect'), tools.recording.commits.map(({ cause }) => cause).join())
  assert.is(controller.get(Todo, { id: 9 }), undefined)
  tools.show(tools.recording.commits[1]!)
  assert.is(titles.at(-1), 'sow,reap')
  assert.is(controller.get(Todo, { id: 9 })?.title, 'once')
  for (let i = 0; i < 20; i++) await clock.advance(60_000)
  assert.is(titles.at(-1), 'sow,reap')
  tools.showNow()
  assert.is(titles.at(-1), 'sow,rest')
  assert.is(controller.get(Todo, { id: 9 }), undefined)
  controller.set(Todo, { id: 2 }, todo => void (todo.title = 'dance'))
  assert.is(titles.at(-1), 'sow,dance')
  stop()
})

test('a temporary pk that becomes real meanwhile shows as the real row', async () => {
  const { controller, tools } = createWorld({ 'POST /todos': { body: { id: 3, title: 'new', done: false }, delay: 20 } })
  await controller.fetch(TodoResource.getList)
  const seen: unknown[] = []
  const stop = effect(() => void seen.push(controller.live(TodoResource.getList)?.map(({ title }) => title).join()))
  const created = controller.fetch(TodoResource.getList.push, { title: 'new' })
  assert.is(seen.at(-1), 'sow,reap,new')
  tools.show(tools.recording.commits[0]!)
  assert.is(seen.at(-1), 'sow,reap')
  await created
  tools.showNow()
  assert.is(seen.at(-1), 'sow,reap,new')
  assert.is(controller.get(Todo, { id: 3 })?.title, 'new')
  stop()
})

test('disposing shows the newest state', async () => {
  const { controller, tools } = createWorld()
  await controller.fetch(TodoResource.getList)
  controller.setResponse(TodoResource.getList, [{ ...rows[0], title: 'plough' }])
  tools.show(tools.recording.commits[0]!)
  assert.is(controller.get(Todo, { id: 1 })?.title, 'sow')
  tools.dispose()
  assert.is(controller.get(Todo, { id: 1 })?.title, 'plough')
})

test.run()
