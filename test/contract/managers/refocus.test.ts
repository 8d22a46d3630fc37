import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createRefocus, Endpoint } from '../../../src/index.ts'
import { createPlatform, createWorld, settle } from './world.ts'

const test = suite('refocus')

function set(which?: { testKey(key: string): boolean }) {
  const expired: boolean[] = []
  const world = createWorld({ expireAll: ({ testKey }) => void expired.push(testKey('GET /a')) })
  const manager = createRefocus(which)
  return { ...world, manager, expired }
}

test('lets everything expire when somebody comes back, and not when he goes or looks again', () => {
  const { manager, host, platform, expired } = set()
  manager.start?.(host)
  platform.set({})
  platform.set({ visible: false })
  assert.equal(expired, [])
  platform.set({ visible: true })
  platform.set({})
  assert.equal(expired, [true])
  platform.set({ online: false })
  platform.set({ visible: false })
  platform.set({ online: true })
  assert.equal(expired, [true])
  platform.set({ visible: true })
  assert.equal(expired, [true, true])
  manager.stop?.()
  assert.is(platform.watchers, 0)
})

test('that was started away from the screen, too', () => {
  const { manager, host, platform, expired } = set()
  platform.set({ visible: false })
  manager.start?.(host)
  platform.set({ visible: true })
  assert.equal(expired, [true])
})

test('only what passes', () => {
  const { manager, host, platform, expired } = set({ testKey: (key) => key === 'GET /b' })
  manager.start?.(host)
  platform.set({ online: false })
  platform.set({ online: true })
  assert.equal(expired, [false])
})

test('what is mounted is fetched once more, and shown as it is until then; what is not is not', async () => {
  const platform = createPlatform()
  const controller = new Controller({ platform, managers: [createRefocus()] })
  let sent = 0
  const count = new Endpoint(async (name: string) => `${name} ${++sent}`, { name: 'count' })
  await controller.fetch(count, 'unmounted')
  const seen: unknown[] = []
  const stop = effect(() => {
    seen.push(controller.getResponse(count, 'mounted').data)
    controller.fetchIfStale(count, 'mounted').catch(() => {})
  })
  await settle()
  platform.set({ visible: false })
  await settle()
  assert.is(sent, 2)
  platform.set({ visible: true })
  await settle()
  assert.is(sent, 3)
  assert.equal([...new Set(seen)], [undefined, 'mounted 2', 'mounted 3'])
  stop()
  controller.dispose()
})

test.run()
