import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, Entity, NetworkError, type Platform, type Transport } from '../../../src/index.ts'
import { createHistory } from '../../../src/history/index.ts'
import { outbox, type Outbox, type OutboxOptions, type RejectedCall } from '../../../src/outbox/index.ts'
import { keyedServer, type KeyedServer } from '../../support/keyedServer.ts'
import { createLocks } from '../../support/locks.ts'
import { memoryStorage, type MemoryStorage } from '../../support/memoryStorage.ts'

const test = suite('outbox')

class Todo extends Entity {
  static override key = 'Todo'
  id: number | string = 0
  title = ''
}
const TodoResource = createResource({ path: '/todos/:id', schema: Todo, optimistic: true })

let alive: ReturnType<typeof setInterval>
test.before(() => void (alive = setInterval(() => {}, 1000)))
test.after(() => clearInterval(alive))
const open: Controller[] = []
test.after.each(() => {
  for (const controller of open.splice(0)) controller.dispose()
})

/** A network that can be taken away. */
interface Net {
  isOnline: boolean
  readonly platform: Platform
  readonly change: (isOnline: boolean) => void
}
function net(isOnline = true): Net {
  const listeners = new Set<() => void>()
  const own: Net = {
    isOnline,
    platform: { online: () => own.isOnline, visible: () => true, watch: listener => (listeners.add(listener), () => void listeners.delete(listener)) },
    change(next) {
      own.isOnline = next
      for (const listener of [...listeners]) listener()
    },
  }
  return own
}

interface Page {
  readonly controller: Controller
  readonly box: Outbox
  readonly rejected: RejectedCall[]
  readonly errors: unknown[]
  readonly keys: (string | null)[]
}

function page(storage: MemoryStorage, server: KeyedServer, network: Net = net(), options: Partial<OutboxOptions> & { readonly fetch?: Transport } = {}): Page {
  const rejected: RejectedCall[] = []
  const errors: unknown[] = []
  const keys: (string | null)[] = []
  const fetch: Transport = options.fetch ?? (async (input, init) => {
    await Promise.resolve()
    if (!network.isOnline) throw new TypeError('no network')
    const key = new Headers(init?.headers).get('idempotency-key')
    if (init?.method !== 'GET') keys.push(key)
    const { status, body } = server.handle(init?.method ?? 'GET', input, init?.body ? JSON.parse(init.body as string) : undefined, key ?? undefined)
    return Response.json(body, { status })
  })
  const controller = new Controller({ fetch, platform: network.platform, gc: false, onError: error => void errors.push(error) })
  open.push(controller)
  const { fetch: _fetch, ...given } = options
  void _fetch
  const box = outbox(controller, { storage, endpoints: [TodoResource], onRejected: call => void rejected.push(call), ...given })
  return { controller, box, rejected, errors, keys }
}

const titles = ({ controller }: Page): string[] | undefined => controller.get(TodoResource.getList.schema)?.map(({ title }) => title)
async function until(holds: () => boolean, what: string): Promise<void> {
  for (let i = 0; i < 400; i++) {
    if (holds()) return
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  assert.unreachable(`never: ${what}`)
}
const pause = (ms = 30): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

test('a call is stored before it is sent, carries a key, and is removed with its answer', async () => {
  const [storage, server] = [memoryStorage(), keyedServer()]
  let stored = 0
  const network = net()
  const { controller, box, keys } = page(storage, server, network)
  server.rows.get(1)!.title = 'one'
  const { handle } = server
  Object.assign(server, { handle: (...args: Parameters<KeyedServer['handle']>) => ((stored = storage.disk.size), handle(...args)) })
  await controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'uno' })
  assert.is(stored, 1)
  assert.ok(keys[0]!.length > 10)
  await until(() => storage.disk.size === 0, 'an empty outbox')
  assert.is(box.pending.value, 0)
  assert.equal(server.done, ['update uno'])
})

test('calls that were made offline are shown after a reload, sent in order, and done once', async () => {
  const [storage, server] = [memoryStorage(), keyedServer()]
  const network = net()
  const first = page(storage, server, network)
  await first.controller.fetch(TodoResource.getList)
  network.change(false)
  void first.controller.fetch(TodoResource.getList.push, { title: 'three' })
  void first.controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'uno' })
  void first.controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'eins' })
  void first.controller.fetch(TodoResource.delete, { id: 2 })
  assert.equal(titles(first), ['eins', 'three'])
  await until(() => storage.disk.size === 4, 'four calls')
  first.controller.dispose()

  const second = page(storage, server, network)
  second.controller.setResponse(TodoResource.getList, [{ id: 1, title: 'one' }, { id: 2, title: 'two' }])
  await second.box.restored
  assert.equal(titles(second), ['eins', 'three'])
  assert.is(second.box.pending.value, 4)
  network.change(true)
  await until(() => second.box.pending.value === 0, 'all sent')
  assert.equal(server.done, ['create three', 'update uno', 'update eins', 'delete two'])
  assert.equal(titles(second), ['eins', 'three'])
  assert.equal(second.controller.get(TodoResource.getList.schema)?.map(({ id }) => id), [1, 101])
  await until(() => storage.disk.size === 0, 'an empty outbox')
})

test('a temporary pk is the same after a reload, and calls that name it are sent with the real one', async () => {
  const [storage, server] = [memoryStorage(), keyedServer()]
  const network = net(false)
  const first = page(storage, server, network)
  void first.controller.fetch(TodoResource.getList.push, { title: 'three' })
  first.controller.setResponse(TodoResource.getList, [])
  const id = String(first.controller.get(TodoResource.getList.schema)![0]!.pk())
  assert.match(id, /^new:/)
  void first.controller.fetch(TodoResource.partialUpdate, { id }, { title: 'drei' })
  await until(() => storage.disk.size === 2, 'two calls')
  first.controller.dispose()

  const second = page(storage, server, network)
  second.controller.setResponse(TodoResource.getList, [])
  await second.box.restored
  assert.equal(second.controller.get(TodoResource.getList.schema)?.map(todo => [todo.pk(), todo.title]), [[id, 'drei']])
  network.change(true)
  await until(() => second.box.pending.value === 0, 'all sent')
  assert.equal(server.done, ['create three', 'update drei'])
  assert.is(second.controller.get(Todo, { id: 101 })?.title, 'drei')
})

test('the real pk is stored with the removal of the creation: a crash after it loses nothing', async () => {
  const [disk, server] = [new Map<string, unknown>(), keyedServer()]
  const network = net(false)
  const first = page(memoryStorage(disk), server, network)
  void first.controller.fetch(TodoResource.getList.push, { title: 'three' })
  first.controller.setResponse(TodoResource.getList, [])
  const id = String(first.controller.get(TodoResource.getList.schema)![0]!.pk())
  void first.controller.fetch(TodoResource.partialUpdate, { id }, { title: 'drei' })
  await until(() => disk.size === 2, 'two calls')
  first.controller.dispose()

  const storage = memoryStorage(disk)
  let writes = 0
  // Killed right after the write that removes the creation.
  storage.fail = operation => (operation === 'write' && ++writes > 2 ? new Promise(() => {}) : undefined)
  network.isOnline = true
  const second = page(storage, server, network, { fetch: (input, init) => (init?.method === 'PATCH' ? new Promise(() => {}) : Promise.resolve(Response.json(server.handle('POST', input, JSON.parse(init!.body as string), new Headers(init!.headers).get('idempotency-key')!).body))) })
  await until(() => disk.size === 1, 'the creation is gone')
  second.controller.dispose()
  const third = page(memoryStorage(disk), server, network)
  await until(() => server.done.length === 2, 'the update')
  assert.equal(server.done, ['create three', 'update drei'])
  await until(() => third.box.pending.value === 0, 'nothing pending')
})

test('a failure of the network or of the server is tried again with the same key', async () => {
  const [storage, server] = [memoryStorage(), keyedServer()]
  let answers = ['lost', '503', 'broken'] as string[]
  const keys: (string | null)[] = []
  const network = net()
  const { controller, box } = page(storage, server, network, {
    fetch: (input, init) => {
      const key = new Headers(init?.headers).get('idempotency-key')
      keys.push(key)
      const { status, body } = server.handle(init!.method!, input, JSON.parse(init!.body as string), key!)
      const [next] = answers
      answers = answers.slice(1)
      // The server has done it, and the answer is lost on the way.
      if (next === 'lost') return Promise.reject(new TypeError('reset'))
      if (next === '503') return Promise.resolve(new Response('', { status: 503 }))
      if (next === 'broken') return Promise.resolve(new Response('<html>log in to this network</html>', { headers: { 'content-type': 'text/html' } }))
      return Promise.resolve(Response.json(body, { status }))
    },
  })
  const call = controller.fetch(TodoResource.getList.push, { title: 'three' })
  for (let i = 0; i < 3; i++) {
    await until(() => keys.length === i + 1, `attempt ${i + 1}`)
    await pause()
    network.change(true)
  }
  await call
  assert.is(keys.length, 4)
  assert.is(new Set(keys).size, 1)
  assert.equal(server.done, ['create three'])
  await until(() => box.pending.value === 0, 'an empty outbox')
})

test('a call that the server refuses leaves the outbox, its change disappears, and the app is notified', async () => {
  const [storage, server] = [memoryStorage(), keyedServer()]
  const network = net(false)
  const { controller, box, rejected } = page(storage, server, network)
  controller.setResponse(TodoResource.getList, [])
  const refused = controller.fetch(TodoResource.getList.push, { title: 'refused' })
  const id = String(controller.get(TodoResource.getList.schema)![0]!.pk())
  void controller.fetch(TodoResource.partialUpdate, { id }, { title: 'never' })
  void controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'uno' })
  network.change(true)
  const error = await refused.catch((each: unknown) => each)
  assert.is((error as NetworkError).status, 422)
  await until(() => box.pending.value === 0, 'an empty outbox')
  assert.equal(rejected.map(call => (call.error as NetworkError).status), [422, 422])
  assert.is(rejected[0]!.endpoint.name, 'Todo.getList.push')
  assert.equal(controller.get(TodoResource.getList.schema)?.length, 0)
  // The one behind it is sent all the same.
  assert.equal(server.done, ['update uno'])
  await until(() => storage.disk.size === 0, 'an empty storage')
})

test('isRejected decides what stays', async () => {
  const [storage, server] = [memoryStorage(), keyedServer()]
  let isLoggedIn = false
  const network = net()
  const { controller, box, rejected } = page(storage, server, network, {
    isRejected: error => error instanceof NetworkError && error.status === 422,
    fetch: () => Promise.resolve(isLoggedIn ? Response.json({ id: 1, title: 'uno' }) : new Response('', { status: 401 })),
  })
  const call = controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'uno' })
  await pause()
  assert.is(box.pending.value, 1)
  isLoggedIn = true
  network.change(true)
  await call
  assert.equal(rejected, [])
})

test('a logout drops what was not sent', async () => {
  const [storage, server] = [memoryStorage(), keyedServer()]
  const network = net(false)
  const { controller, box, rejected } = page(storage, server, network)
  void controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'uno' })
  await until(() => storage.disk.size === 1, 'one call')
  // That of another tab.
  storage.disk.set('new:other.1', { patchcord: 1, id: 'new:other.1', owner: 'other', n: 9, endpoint: 'Todo.partialUpdate', args: [{ id: 1 }, { title: 'eins' }], key: 'k' })
  controller.reset()
  await until(() => storage.disk.size === 0, 'an empty storage')
  assert.is(box.pending.value, 0)
  assert.equal(rejected, [])
  network.change(true)
  await pause()
  assert.equal(server.done, [])
})

test('an undo takes a call back that was not sent', async () => {
  const [storage, server] = [memoryStorage(), keyedServer()]
  const network = net(false)
  const { controller } = page(storage, server, network)
  const history = createHistory(controller)
  controller.setResponse(TodoResource.getList, [{ id: 1, title: 'one' }])
  void controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'uno' })
  await until(() => storage.disk.size === 1, 'one call')
  await history.undo()
  assert.is(controller.get(Todo, { id: 1 })?.title, 'one')
  await until(() => storage.disk.size === 0, 'an empty storage')
  network.change(true)
  await pause()
  assert.equal(server.done, [])
})

test('two tabs never send one call, and a tab takes over the calls of one that closed', async () => {
  const [disk, server, locks] = [new Map<string, unknown>(), keyedServer(), createLocks()]
  const network = net(false)
  const first = page(memoryStorage(disk), server, network, { locks: locks.of('a') })
  await first.box.restored
  void first.controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'uno' })
  await until(() => disk.size === 1, 'one call')
  const second = page(memoryStorage(disk), server, network, { locks: locks.of('b') })
  const third = page(memoryStorage(disk), server, network, { locks: locks.of('c') })
  await Promise.all([second.box.restored, third.box.restored])
  assert.is(second.box.pending.value + third.box.pending.value, 0)
  // The tab is closed without a word.
  first.controller.dispose()
  locks.end('a')
  await until(() => second.box.pending.value + third.box.pending.value === 1, 'one of them has the call')
  network.change(true)
  await until(() => disk.size === 0, 'an empty storage')
  assert.equal(server.done, ['update uno'])
  assert.equal([...server.keys.values()], [1])
})

/** What a database may answer. */
for (const [what, error] of Object.entries({ 'quota exceeded': new DOMException('full', 'QuotaExceededError'), 'closed': new DOMException('closing', 'InvalidStateError'), 'a private window': new TypeError('no indexedDB') })) {
  test(`without a storage calls are sent all the same, with one report: ${what}`, async () => {
    const [storage, server] = [memoryStorage(), keyedServer()]
    storage.fail = () => {
      throw error
    }
    const { controller, errors } = page(storage, server)
    await controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'uno' })
    await controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'eins' })
    assert.equal(server.done, ['update uno', 'update eins'])
    assert.is(errors.length, 1)
  })
}

test('garbage in the storage is ignored, and calls of endpoints that are gone stay where they are', async () => {
  const [storage, server] = [memoryStorage(), keyedServer()]
  storage.disk.set('a', 'text').set('b', null).set('c', { patchcord: 1 }).set('d', { patchcord: 2, id: 'x' })
  storage.disk.set('new:old.1', { patchcord: 1, id: 'new:old.1', owner: 'gone', n: 3, endpoint: 'Gone.update', args: [], key: 'k' })
  storage.disk.set('new:old.2', { patchcord: 1, id: 'new:old.2', owner: 'gone', n: 4, endpoint: 'Todo.partialUpdate', args: [{ id: 1 }, { title: 'uno' }], key: 'k2' })
  const { box, errors } = page(storage, server)
  await box.restored
  await until(() => server.done.length === 1, 'the call that can be made')
  await until(() => storage.disk.size === 5, 'its removal')
  assert.equal(errors, [])
})

test('reads, and calls of endpoints that are not named, go their usual way', async () => {
  const [storage, server] = [memoryStorage(), keyedServer()]
  const { controller, keys } = page(storage, server, net(), { endpoints: [TodoResource.getList.push] })
  await controller.fetch(TodoResource.getList)
  await controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'uno' })
  assert.equal(keys, [null])
  await controller.fetch(TodoResource.getList.push, { title: 'three' })
  assert.ok(keys[1])
})

test.run()
