import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createRefocus, Endpoint } from '../../../src/index.ts'
import { createPlatform, createWorld, settle } from './world.ts'

const test = suite('refocus')

/** Started where the platform is as given. `expired` has what was expired: whether `GET /a` was part of it. */
function set(which?: { testKey(key: string): boolean }, at: { visible?: boolean } = {}) {
  const expired: boolean[] = []
  const { host, platform } = createWorld({ expireAll: ({ testKey }) => void expired.push(testKey('GET /a')) })
  const manager = createRefocus(which)
  platform.set(at)
  manager.start?.(host)
  return { platform, manager, expired }
}

test('lets everything expire when somebody comes back, and not when he goes or looks again', () => {
  const { manager, platform, expired } = set()
  const changes = [{}, { visible: false }, { visible: true }, {}, { online: false }, { visible: false }, { online: true }, { visible: true }]
  const counts = changes.map(change => (platform.set(change), expired.length))
  assert.equal([counts, expired], [[0, 0, 1, 1, 1, 1, 1, 2], [true, true]])
  manager.stop?.()
  assert.is(platform.watchers, 0)
})

test('that was started away from the screen, too, and only what passes', () => {
  const { platform, expired } = set({ testKey: key => key === 'GET /b' }, { visible: false })
  platform.set({ visible: true })
  for (const online of [false, true]) platform.set({ online })
  assert.equal(expired, [false, false])
})

test('what is mounted is fetched once more, and shown as it is until then; what is not is not', async () => {
  const platform = createPlatform()
  const controller = new Controller({ platform, managers: [createRefocus()] })
  let sent = 0
  const count = new Endpoint(async (name: string) => `${name} ${++sent}`, { name: 'count' })
  await controller.fetch(count, 'unmounted')
  const seen = new Set<unknown>()
  const stop = effect(() => {
    seen.add(controller.getResponse(count, 'mounted').data)
    controller.fetchIfStale(count, 'mounted').catch(() => {})
  })
  await settle()
  for (const [visible, expected] of [[false, 2], [true, 3]] as const) {
    platform.set({ visible })
    await settle()
    assert.is(sent, expected)
  }
  assert.equal([...seen], [undefined, 'mounted 2', 'mounted 3'])
  stop()
  controller.dispose()
})

test.run()
