import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, Endpoint, type Manager, type ManagerHost } from '../../../src/index.ts'

const test = suite('managers of a controller')

test('one that throws is reported, and stops neither the request nor the others', async () => {
  const reported: unknown[] = []
  const seen: string[] = []
  const broken = new Error('mine')
  const controller = new Controller({
    onError: error => void reported.push(error),
    managers: [
      {
        action() {
          throw broken
        },
      },
      { action: action => void seen.push(action.type) },
    ],
  })
  const endpoint = new Endpoint(async () => 'there', { name: 'get' })
  assert.is(await controller.fetch(endpoint), 'there')
  controller.expireAll(endpoint)
  controller.dispose()
  assert.equal(seen.slice(0, 2), ['fetch', 'expireAll'])
  assert.ok(reported.length >= 2 && reported.every(error => error === broken))
})

test('who has stopped is reported no commit', () => {
  const events: string[] = []
  const controller = new Controller({ managers: [{ commit: ({ cause }) => void events.push(cause), stop: () => void events.push('stop') }] })
  controller.dispose()
  controller.applyPatches([{ op: 'add', path: ['entities', 'Todo', '1'], value: { id: 1 } }])
  assert.equal(events, ['stop'])
})

test('nor of anything when it is another of them who stops all, in the middle of it', () => {
  const events: string[] = []
  const controller: Controller = new Controller({
    managers: [{ commit: () => controller.dispose() }, { commit: () => void events.push('commit'), stop: () => void events.push('stop') }],
  })
  controller.applyPatches([{ op: 'add', path: ['entities', 'Todo', '1'], value: { id: 1 } }])
  assert.equal(events, ['stop'])
})

test('one may fetch, write and read as soon as it starts, and the others are notified', async () => {
  const events: string[] = []
  const boot = new Endpoint(async () => 'there', { name: 'boot' })
  let fetched: Promise<unknown> | undefined
  const controller = new Controller({
    managers: [
      { action: ({ type }) => void events.push(type), commit: ({ cause }) => void events.push(cause) },
      {
        start(host) {
          host.setResponse(boot, 'ready')
          events.push(host.snapshot().endpoints.size === 1 ? 'read' : 'nothing')
          fetched = host.fetch(boot)
        },
      },
    ],
  })
  assert.is(await fetched, 'there')
  assert.equal(events, ['setResponse', 'setResponse', 'read', 'fetch', 'fetch'])
  controller.dispose()
})

test('when one ends all as it starts, those after it neither start nor stop', () => {
  const events: string[] = []
  const watcher = (name: string, start?: (host: ManagerHost) => void): Manager => ({
    start(host) {
      events.push(`${name} start`)
      start?.(host)
    },
    stop: () => void events.push(`${name} stop`),
  })
  const noSession = watcher('b', host => (host as Controller).dispose())
  new Controller({ managers: [watcher('a'), noSession, watcher('c')] }).dispose()
  assert.equal(events, ['a start', 'b start', 'a stop', 'b stop'])
})

test('one that cannot start is reported, and the others start', () => {
  const reported: unknown[] = []
  const events: string[] = []
  const broken = new Error('no storage')
  const fails = (): never => {
    throw broken
  }
  const controller = new Controller({
    onError: error => void reported.push(error),
    managers: [{ start: fails }, { start: () => void events.push('start'), stop: () => void events.push('stop') }],
  })
  assert.equal(reported, [broken])
  controller.dispose()
  assert.equal(events, ['start', 'stop'])
})

test.run()
