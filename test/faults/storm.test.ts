import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, Entity, RestEndpoint } from '../../src/index.ts'
import { createClock } from '../../src/testing/index.ts'
import { pass, settle } from '../contract/managers/world.ts'

const test = suite('a storm')

class Item extends Entity {
  id = 0
  text = ''
  static override key = 'Item'
}

const getItem = new RestEndpoint({ path: '/items/:id', schema: Item })
const change = getItem.extend({ method: 'PATCH', body: {} as { text: string } })
const views = 1000

test('a thousand views and a server that fails: bounded at the network, one timer a key, data stays, and all recover', async () => {
  const clock = createClock()
  const underWay = { now: 0, most: 0 }
  const sent = new Map<string, number>()
  let storm = true
  const controller = new Controller({
    clock,
    gc: false,
    fetch: async (input, init) => {
      const key = `${init?.method} ${input}`
      sent.set(key, (sent.get(key) ?? 0) + 1)
      underWay.most = Math.max(underWay.most, ++underWay.now)
      await settle()
      underWay.now--
      return storm ? new Response('', { status: 503 }) : Response.json({ id: Number(input.split('/').at(-1)), text: 'new' })
    },
  })
  for (let id = 0; id < views; id++) controller.setResponse(getItem, { id }, { id, text: 'old' })
  const idle = clock.pending
  const reads = Array.from({ length: views }, (_, id) => Promise.allSettled([controller.fetch(getItem, { id }), controller.fetch(getItem, { id })]))
  const calls = Array.from({ length: 20 }, (_, id) => controller.fetch(change, { id }, { text: 'changed' }).then(() => true, () => false))
  // Until each has failed at least once and waits; the last ones have a deadline until their answer has been read.
  const timers = (): number => clock.pending - idle
  for (let turn = 0; turn < 400 && (sent.size < views + 20 || underWay.now > 0 || timers() > views); turn++) await settle()
  assert.is(underWay.most, 16)
  assert.ok(timers() <= views, `${timers()} timers for ${views} keys`)
  assert.is(controller.get(Item, { id: 7 })?.text, 'old')

  storm = false
  await pass(clock, 500, 50)
  for (let turn = 0; turn < 400 && underWay.now > 0; turn++) await settle()
  const outcomes = (await Promise.all(reads)).flat()
  assert.ok(outcomes.every(({ status }) => status === 'fulfilled'), 'recovered within one step')
  assert.is(controller.get(Item, { id: 7 })?.text, 'new')
  const times = [...sent].filter(([key]) => key.startsWith('GET')).map(([, count]) => count)
  assert.equal([times.length, Math.max(...times)], [views, 2])
  // What must not be sent twice was not.
  assert.equal(await Promise.all(calls), Array.from({ length: 20 }, () => false))
  assert.ok([...sent].filter(([key]) => key.startsWith('PATCH')).every(([, count]) => count === 1))
  controller.dispose()
})

test.run()
