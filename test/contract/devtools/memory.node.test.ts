import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller } from '../../../src/index.ts'
import { devtools } from '../../../src/devtools/index.ts'
import { createClock, mockFetch } from '../../../src/testing/index.ts'
import { heapUsed } from '../../support/heapUsed.ts'
import { get, getList, Todo } from './world.ts'

const test = suite('devtools: memory')

/** Room for what a store of this size takes by itself to vary. */
const NOISE = 2_000_000
const LIMIT = 10_000_000

type Work = (controller: Controller) => Promise<unknown> | void

/** How many bytes the recording of `work` holds: what is freed when it is cleared. */
async function recorded(work: Work, controller = new Controller({ fetch: mockFetch({}) })): Promise<number> {
  const tools = devtools(controller, { panel: false, redux: false })
  await work(controller)
  // Most small commits are weighed in a task of their own.
  await new Promise(resolve => setTimeout(resolve, 5))
  const { bytes } = tools.recording
  // Only the length: the list itself would keep the commits alive.
  assert.ok(bytes <= LIMIT || tools.recording.commits.length === 1, `${bytes}`)
  const before = await heapUsed()
  tools.recording.clear()
  const after = await heapUsed()
  // It is in use until here.
  tools.dispose()
  controller.dispose()
  return before - after
}

const fill = (controller: Controller, length: number): void =>
  controller.setResponse(getList, Array.from({ length }, (_, id) => ({ id: id + 1, title: `${id}`.padEnd(20) })))

/** Not by `repeat`, whose texts share their parts. */
const longText = (seed: number): string => Buffer.alloc(300_000, `${seed}`).toString('latin1')

const works: { readonly [name: string]: Work } = {
  'writes all over a table of 100,000 rows': controller => {
    fill(controller, 100_000)
    for (let i = 0; i < 5000; i++) controller.set(Todo, { id: 1 + ((i * 7919) % 100_000) }, todo => void (todo.title = `${i}`))
  },
  'long texts': controller => {
    for (let i = 0; i < 300; i++) controller.set(Todo, { id: 1, title: longText(i) })
  },
  'long texts among many short ones': controller => {
    for (let i = 0; i < 1000; i++) controller.set(Todo, { id: 1, title: i % 16 === 8 ? longText(i) : `${i}` })
  },
  'a list of 20,000 that gets another row, again and again': controller => {
    fill(controller, 20_000)
    for (let i = 0; i < 500; i++) controller.setResponse(getList.push, { title: '' }, { id: 30_000 + i, title: `${i}` })
  },
  'polls in which every row changes': controller => {
    for (let i = 0; i < 60; i++) {
      controller.setResponse(getList, Array.from({ length: 4000 }, (_, id) => ({ id: id + 1, title: `${i} ${id}`, done: i % 2 === 0 })))
    }
  },
}

for (const [name, work] of Object.entries(works)) {
  test(`${name} leave at most 10 MB`, async () => {
    const bytes = await recorded(work)
    assert.ok(bytes < LIMIT + NOISE, `${bytes}`)
  })
}

test('tables from before garbage collection count', async () => {
  const clock = createClock(1_700_000_000_000)
  const bytes = await recorded(async controller => {
    fill(controller, 30_000)
    // The list stays, in new tables each time.
    effect(() => void controller.getResponse(getList).data)
    for (let i = 0; i < 12; i++) {
      controller.setResponse(get, { id: 200_000 + i }, { id: 200_000 + i, title: 'once' })
      for (let turn = 0; turn < 4; turn++) await clock.advance(60_000)
    }
  }, new Controller({ fetch: mockFetch({}), clock, gc: { after: 60_000, every: 60_000 } }))
  assert.ok(bytes < LIMIT + NOISE, `${bytes}`)
})

test.run()
