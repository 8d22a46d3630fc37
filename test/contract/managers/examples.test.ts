import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, Entity, NetworkError, type Manager, type ManagerHost } from '../../../src/index.ts'
import { mockFetch } from '../../../src/testing/index.ts'
import { rejected } from '../../support/caught.ts'

const test = suite('managers that a user may write')

class Price extends Entity {
  id = ''
  value = 0
  static override key = 'Price'
}
const Prices = createResource({ path: '/prices/:id', schema: Price })

/** Takes in the prices that a socket pushes. */
const createPush = (open: () => EventTarget & { close(): void }): Manager => {
  let socket: ReturnType<typeof open>
  return {
    start(controller) {
      socket = open()
      socket.addEventListener('message', event => {
        try {
          controller.set(Price, JSON.parse((event as MessageEvent<string>).data) as object)
        } catch (error) {
          controller.report(error)
        }
      })
    },
    stop: () => socket.close(),
  }
}

/** Forgets everything when the server no longer knows who we are. */
const createLogout = (onLogout: () => void): Manager => {
  let controller: ManagerHost
  return {
    start: host => void (controller = host),
    action(action) {
      if (action.type !== 'fetch') return
      action.outcome.catch((error: { status?: number }) => {
        if (error.status !== 401) return
        controller.reset()
        onLogout()
      })
    },
  }
}

test('a socket: what is pushed wakes its readers, what is garbage is reported, and it ends with the controller', () => {
  let closed = 0
  const socket = Object.assign(new EventTarget(), { close: () => void closed++ })
  const reported: string[] = []
  const controller = new Controller({ managers: [createPush(() => socket)], onError: error => void reported.push((error as Error).name) })
  const seen: unknown[] = []
  const stop = effect(() => void seen.push(controller.get(Price, { id: 'a' })?.value))
  for (const data of ['{"id":"a","value":1}', 'not JSON', '{"value":"no id"}', '{"id":"a","value":2}']) {
    socket.dispatchEvent(new MessageEvent('message', { data }))
  }
  stop()
  assert.equal([seen, reported, closed], [[undefined, 1, 2], ['SyntaxError', 'MissingPkError'], 0])
  controller.dispose()
  assert.is(closed, 1)
})

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
  const stored = (): unknown[] => [controller.get(Price, { id: '1' })?.value, logouts]
  await controller.fetch(Prices.get, { id: '1' })
  await rejected(controller.fetch(Prices.get, { id: '2' }))
  assert.equal(stored(), [1, 0])
  const pending = rejected(controller.fetch(Prices.get, { id: '4' }))
  assert.instance(await rejected(controller.fetch(Prices.get, { id: '3' })), NetworkError, 'the caller gets the error of the server')
  assert.is((await pending).name, 'ResetError')
  assert.equal(stored(), [undefined, 1])
  await controller.fetch(Prices.get, { id: '1' })
  assert.equal(stored(), [1, 1])
  await rejected(controller.fetch(Prices.update, { id: '1' }, { value: 2 }))
  assert.equal(stored(), [undefined, 2])
  controller.dispose()
})

test.run()
