import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createClock } from '../../../src/testing/index.ts'
import { createLoadedWorld, get, getList, rows, Todo, type World } from './world.ts'

const test = suite('devtools: time travel')

/** What readers see of the list, and of its second row as a live object; with a mark for what is done. */
function watch({ controller }: World): () => [list: string | undefined, row: string] {
  const spell = (todo: Todo | undefined): string => `${todo?.title}${todo?.done ? '!' : ''}`
  const live = controller.live(Todo, { id: 2 })
  let list: string | undefined
  let row = ''
  effect(() => void (list = controller.getResponse(getList).data?.map(spell).join()))
  effect(() => void (row = spell(live)))
  return () => [list, row]
}

test('readers see the chosen state, and the newest again afterwards', async () => {
  const world = await createLoadedWorld()
  const { controller, tools, recording, change } = world
  const seen = watch(world)
  change(2, { title: 'rest' })
  change(2, { title: 'dance' })
  tools.show(recording.commits[1]!)
  assert.equal(seen(), ['sow,rest', 'rest'])
  assert.is(controller.get(Todo, { id: 2 })?.title, 'rest')
  tools.show(recording.commits[0]!)
  assert.equal(seen(), ['sow,reap', 'reap'])
  tools.showNow()
  assert.equal(seen(), ['sow,dance', 'dance'])
})

test('writes go on underneath, unseen until now is shown', async () => {
  const world = await createLoadedWorld()
  const { tools, recording, change, send } = world
  change(1, { title: 'plough' })
  const seen = watch(world)
  tools.show(recording.commits[0]!)
  await send(2, { done: true })
  assert.equal(seen(), ['sow,reap', 'reap'])
  assert.equal(recording.commits.map(({ cause }) => cause), ['fetch', 'set', 'call', 'fetch'])
  tools.showNow()
  assert.equal(seen(), ['plough,reap!', 'reap!'])
  change(2, { done: false })
  assert.equal(seen(), ['plough,reap', 'reap'])
})

test('a state from before garbage collection is shown too', async () => {
  const clock = createClock(1_700_000_000_000)
  const collect = async (): Promise<void> => {
    for (let i = 0; i < 20; i++) await clock.advance(60_000)
  }
  const routes = { 'GET /todos/9': { body: { id: 9, title: 'once', done: false } } }
  const world = await createLoadedWorld(routes, { clock, gc: { after: 1000, every: 1000 } })
  const { controller, tools, recording, change } = world
  await controller.fetch(get, { id: 9 })
  const seen = watch(world)
  const state = (): unknown[] => [seen()[0], controller.get(Todo, { id: 9 })?.title]
  change(2, { title: 'rest' })
  await collect()
  assert.ok(recording.commits.some(({ cause }) => cause === 'collect'))
  assert.equal(state(), ['sow,rest', undefined])
  tools.show(recording.commits[1]!)
  assert.equal(state(), ['sow,reap', 'once'])
  await collect()
  assert.is(seen()[0], 'sow,reap')
  tools.showNow()
  assert.equal(state(), ['sow,rest', undefined])
  change(2, { title: 'dance' })
  assert.is(seen()[0], 'sow,dance')
})

test('a temporary pk that becomes real meanwhile shows as the real row', async () => {
  const { controller, tools, recording } = await createLoadedWorld({ 'POST /todos': { body: { id: 3, title: 'new', done: false }, delay: 20 } })
  const seen: unknown[] = []
  const stop = effect(() => void seen.push(controller.live(getList)?.map(({ title }) => title).join()))
  const created = controller.fetch(getList.push, { title: 'new' })
  assert.is(seen.at(-1), 'sow,reap,new')
  tools.show(recording.commits[0]!)
  assert.is(seen.at(-1), 'sow,reap')
  await created
  tools.showNow()
  assert.is(seen.at(-1), 'sow,reap,new')
  assert.is(controller.get(Todo, { id: 3 })?.title, 'new')
  stop()
})

test('disposing shows the newest state', async () => {
  const { controller, tools, recording } = await createLoadedWorld()
  controller.setResponse(getList, [{ ...rows[0], title: 'plough' }])
  tools.show(recording.commits[0]!)
  assert.is(controller.get(Todo, { id: 1 })?.title, 'sow')
  tools.dispose()
  assert.is(controller.get(Todo, { id: 1 })?.title, 'plough')
})

test.run()
