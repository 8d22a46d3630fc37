import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { WebSocket as NodeWebSocket } from 'undici'
import { Controller, createResource, Entity, NetworkError } from '../../../src/index.ts'
import { mockFetch } from '../../../src/testing/index.ts'
import { createLogout } from './examples/logout.ts'
import { createPush } from './examples/push.ts'
import { serveSocket } from './examples/socketServer.ts'
import { rejection } from './world.ts'

const test = suite('managers that a user may write')

class Price extends Entity {
  id = ''
  value = 0
  static override key = 'Price'
}
const Prices = createResource({ path: '/prices/:id', schema: Price })

/** Node 20 has no WebSocket of its own; what a test does to the globals it undoes. */
async function withWebSocket(work: () => Promise<void>): Promise<void> {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket')
  Object.defineProperty(globalThis, 'WebSocket', { value: NodeWebSocket, configurable: true, writable: true })
  try {
    await work()
  } finally {
    if (before) Object.defineProperty(globalThis, 'WebSocket', before)
    else Reflect.deleteProperty(globalThis, 'WebSocket')
  }
}

test('a socket: what is pushed wakes its readers, what is garbage is reported, and it ends with the controller', () =>
  withWebSocket(async () => {
    const server = await serveSocket()
    const reported: unknown[] = []
    const controller = new Controller({ managers: [createPush(server.url, { Price })], onError: (error) => void reported.push(error) })
    try {
      await server.connected(1)
      const seen: unknown[] = []
      const until = (value: number): Promise<void> =>
        new Promise((resolve) => {
          const stop = effect(() => {
            if (controller.get(Price, { id: 'a' })?.value === value) queueMicrotask(() => (stop(), resolve()))
          })
        })
      const stop = effect(() => void seen.push(controller.get(Price, { id: 'a' })?.value))
      server.push(JSON.stringify({ entity: 'Price', data: { id: 'a', value: 1 } }))
      await until(1)
      server.push('not JSON')
      server.push(JSON.stringify({ entity: 'Price', data: { value: 'no id' } }))
      server.push(JSON.stringify({ entity: 'Price', data: { id: 'a', value: 2, note: 'x'.repeat(200) } }))
      await until(2)
      stop()
      assert.equal(seen, [undefined, 1, 2])
      assert.equal(reported.map((error) => (error as Error).name), ['SyntaxError', 'MissingPkError'])
      controller.dispose()
      await server.connected(0)
    } finally {
      controller.dispose()
      await server.close()
    }
  }))

test('a logout: 401 forgets everything, whoever has asked, and tells once for each; other errors do not', async () => {
  let logouts = 0
  const fetch = mockFetch({
    'GET /prices/1': { body: { id: '1', value: 1 } },
    'GET /prices/2': { status: 403 },
    'GET /prices/3': { status: 401 },
    'PUT /prices/1': { status: 401 },
    'GET /prices/4': () => new Promise<never>(() => {}),
  })
  const controller = new Controller({ fetch, managers: [createLogout(() => logouts++)] })
  const price = async (): Promise<unknown> => (await controller.fetch(Prices.get, { id: '1' }), controller.get(Price, { id: '1' })?.value)
  assert.is(await price(), 1)
  await rejection(controller.fetch(Prices.get, { id: '2' }))
  assert.is(controller.get(Price, { id: '1' })?.value, 1)
  const pending = rejection(controller.fetch(Prices.get, { id: '4' }))
  const error = await rejection(controller.fetch(Prices.get, { id: '3' }))
  assert.instance(error, NetworkError, 'the caller gets the error of the server')
  assert.is((await pending).name, 'ResetError')
  assert.is(controller.get(Price, { id: '1' }), undefined)
  assert.is(logouts, 1)
  assert.is(await price(), 1)
  await rejection(controller.fetch(Prices.update, { id: '1' }, { value: 2 }))
  assert.is(controller.get(Price, { id: '1' }), undefined)
  assert.is(logouts, 2)
  controller.dispose()
})

test.run()
