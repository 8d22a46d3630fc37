import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, Endpoint, type Manager, type ManagerHost, type Patch } from '../../../src/index.ts'
import { createServer, Post, Posts, throwing } from './posts.ts'

const test = suite('managers of a controller')
const patches: Patch[] = [{ op: 'add', path: ['entities', 'Todo', '1'], value: { id: 1 } }]

test('managers see what is asked, in their order, before it is done', async () => {
  const seen: string[] = []
  const watcher = (name: string): Manager => ({
    start: () => void seen.push(`${name} start`),
    action: ({ type }) => void seen.push(`${name} ${type}`),
    commit: ({ cause }) => void seen.push(`${name} commit ${cause}`),
    stop: () => void seen.push(`${name} stop`),
  })
  const { get } = Posts
  const controller = new Controller({ managers: [watcher('a'), watcher('b')], fetch: createServer().fetch })
  await controller.fetch(get, { id: 1 })
  controller.invalidate(get, { id: 1 })
  controller.expireAll(get)
  controller.invalidateAll(get)
  controller.set(Post, { id: 1, title: 'reap' })
  controller.setResponse(get, { id: 1 }, { id: 1, title: 'mow' })
  controller.setError(get, { id: 1 }, new Error('no'))
  controller.abort(get, { id: 1 })
  controller.reset()
  controller.dispose()
  const of = (name: string): string[] => seen.filter(each => each.startsWith(name)).map(each => each.slice(2))
  assert.equal(of('a'), of('b'))
  assert.equal(of('a'), [
    'start',
    ...['fetch', 'commit fetch', 'invalidate', 'expireAll', 'invalidateAll', 'set', 'commit set', 'setResponse', 'commit setResponse', 'setError'],
    ...['abort', 'reset', 'commit reset', 'stop'],
  ])
})

for (const hook of ['start', 'action', 'commit', 'stop'] as const) {
  test(`one that throws in ${hook} is reported, and stops neither the request nor the others`, async () => {
    const [reported, seen]: unknown[][] = [[], []]
    const broken = new Error('mine')
    const controller = new Controller({
      onError: error => void reported!.push(error),
      managers: [{ [hook]: throwing(broken) }, { [hook]: () => void seen!.push(broken) }],
    })
    const endpoint = new Endpoint(async () => 'there', { name: 'get' })
    assert.is(await controller.fetch(endpoint), 'there')
    controller.expireAll(endpoint)
    controller.dispose()
    assert.equal(seen!.length, { start: 1, action: 2, commit: 1, stop: 1 }[hook])
    assert.equal(reported, seen)
  })
}

test('who has stopped is reported no commit, also when another of them stops all in the middle of one', () => {
  for (const isBefore of [true, false]) {
    const events: string[] = []
    const controller: Controller = new Controller({
      managers: [{ commit: () => controller.dispose() }, { commit: () => void events.push('commit'), stop: () => void events.push('stop') }],
    })
    if (isBefore) controller.dispose()
    controller.applyPatches(patches)
    assert.equal(events, ['stop'])
  }
})

test('one may fetch, write and read as soon as it starts, and the others are notified', async () => {
  const events: string[] = []
  const boot = new Endpoint(async () => 'there', { name: 'boot' })
  let fetched: Promise<unknown> | undefined
  const start = (host: ManagerHost): void => {
    host.setResponse(boot, 'ready')
    events.push(host.snapshot().endpoints.size === 1 ? 'read' : 'nothing')
    fetched = host.fetch(boot)
  }
  const other: Manager = { action: ({ type }) => void events.push(type), commit: ({ cause }) => void events.push(cause) }
  const controller = new Controller({ managers: [other, { start }] })
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

test.run()
