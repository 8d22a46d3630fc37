import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, NetworkError, type Transport } from '../../../src/index.ts'
import { createHistory } from '../../../src/history/index.ts'
import { outbox, type OutboxOptions, type RejectedCall } from '../../../src/outbox/index.ts'
import { keyedServer, type KeyedServer } from '../../support/keyedServer.ts'
import { createLocks } from '../../support/locks.ts'
import { memoryStorage, type MemoryStorage } from '../../support/memoryStorage.ts'
import { createPlatform, type HandPlatform } from '../managers/world.ts'
import { getList, keepAlive, partialUpdate, pause, remove, title, titles, TodoResource, until } from '../persist/todos.ts'

const test = suite('outbox')
keepAlive(test)
const controllers: Controller[] = []
test.after.each(() => {
  for (const controller of controllers.splice(0)) controller.dispose()
})

interface Options extends Partial<Omit<OutboxOptions, 'storage'>> {
  readonly fetch?: Transport
  readonly storage?: MemoryStorage
  readonly server?: KeyedServer
  readonly platform?: HandPlatform
}

/** Answers as the server does. */
const ask = (server: KeyedServer, input: string, init: RequestInit | undefined): Response => {
  const key = new Headers(init?.headers).get('idempotency-key') ?? undefined
  const { status, body } = server.handle(init?.method ?? 'GET', input, init?.body ? JSON.parse(init.body as string) : undefined, key)
  return Response.json(body, { status })
}

function open(options: Options = {}) {
  const { storage = memoryStorage(), server = keyedServer(), platform = createPlatform(), fetch, ...given } = options
  const rejected: RejectedCall[] = []
  const errors: unknown[] = []
  /** The keys that were sent with calls. */
  const keys: (string | null)[] = []
  const answer: Transport = async (input, init) => {
    await Promise.resolve()
    if (!platform.online()) throw new TypeError('no network')
    if (init?.method !== 'GET') keys.push(new Headers(init?.headers).get('idempotency-key'))
    return (fetch ?? ((input, init) => ask(server, input as string, init)))(input, init)
  }
  const controller = new Controller({ fetch: answer, platform, gc: false, onError: error => void errors.push(error) })
  controllers.push(controller)
  controller.setResponse(getList, [{ id: 1, title: 'one' }, { id: 2, title: 'two' }])
  const box = outbox(controller, { storage, endpoints: [TodoResource], onRejected: call => void rejected.push(call), ...given })
  return {
    controller, box, storage, server, platform, rejected, errors, keys,
    /** Sets the title of a row, by a call. */
    rename: (id: number | string, title: string) => controller.fetch(partialUpdate, { id }, { title }),
    /** Creates a row, by a call, and returns its temporary pk. */
    create(title: string): string {
      void controller.fetch(getList.push, { title })
      return String(controller.get(getList.schema)!.at(-1)!.pk())
    },
    /** Waits until so many calls are on disk. */
    stores: (count: number) => until(() => storage.disk.size === count, `${count} calls on disk`),
    /** Waits until every call has been answered. */
    empties: () => until(() => box.pending.value === 0, 'an empty outbox'),
  }
}
type Page = ReturnType<typeof open>

/** Another page over the same disk, as after a reload. */
const next = ({ storage, server, platform }: Page, others?: Options): Page => open({ storage: memoryStorage(storage.disk), server, platform, ...others })

/** One without a network. */
function openOffline(options?: Options): Page {
  const platform = createPlatform()
  platform.set({ online: false })
  return open({ platform, ...options })
}

test('a call is stored before it is sent, carries a key, and is removed with its answer', async () => {
  const storage = memoryStorage()
  const server = keyedServer()
  let stored = 0
  const fetch: Transport = (input, init) => {
    stored = storage.disk.size
    return Promise.resolve(ask(server, input as string, init))
  }
  const { rename, box, keys, stores } = open({ storage, server, fetch })
  await rename(1, 'uno')
  assert.is(stored, 1)
  assert.ok(keys[0]!.length > 10)
  await stores(0)
  assert.equal([box.pending.value, server.done], [0, ['update uno']])
})

test('a call that has waited for the pk of its row is sent after one that knew it, and blocks nothing', async () => {
  const server = keyedServer()
  let answer = (): void => {}
  const fetch: Transport = async (input, init) => {
    const response = ask(server, input as string, init)
    if (init?.method === 'POST') await new Promise<void>(go => (answer = go))
    return response
  }
  const { controller, create, rename, empties } = open({ server, fetch })
  const temporary = create('three')
  await until(() => server.done.length === 1, 'the creation at the server')
  void rename(temporary, 'tres')
  // A list has the row before the answer of its creation.
  controller.setResponse(getList, [{ id: 1, title: 'one' }, { id: 101, title: 'three' }])
  void rename(101, 'drei')
  answer()
  await empties()
  assert.equal(server.done, ['create three', 'update drei', 'update tres'])
})

test('an outbox that is ended sends what it holds, with its keys, and still one call to a row after the other', async () => {
  const server = keyedServer()
  let go = (): void => {}
  const fetch: Transport = async (input, init) => {
    if (String(init?.body).includes('uno')) await new Promise<void>(answer => (go = answer))
    return ask(server, input as string, init)
  }
  const { box, rename, keys } = open({ server, fetch })
  const made = [rename(1, 'uno'), rename(2, 'zwei'), rename(1, 'eins')]
  await until(() => keys.length === 1, 'the first call')
  void box.dispose()
  await made[1]
  assert.equal(server.done, ['update zwei'])
  go()
  await Promise.all(made)
  assert.equal([server.done, new Set(keys).size, keys.includes(null)], [['update zwei', 'update uno', 'update eins'], 3, false])
})

test('a call that comes back after a reload is sent before a newer one to the same row that is in no outbox', async () => {
  const first = openOffline()
  void first.rename(1, 'uno')
  await first.stores(1)
  first.controller.dispose()
  const { box, controller, platform, server } = next(first)
  await box.restored
  const newer = controller.fetch(partialUpdate.extend({ name: 'other' }), { id: 1 }, { title: 'eins' })
  platform.set({ online: true })
  await newer
  assert.equal(server.done, ['update uno', 'update eins'])
})

test('calls that were made offline are shown after a reload, sent in order, and done once', async () => {
  const first = openOffline()
  first.create('three')
  void first.rename(1, 'uno')
  void first.rename(1, 'eins')
  void first.controller.fetch(remove, { id: 2 })
  assert.equal(titles(first), ['eins', 'three'])
  await first.stores(4)
  first.controller.dispose()

  const second = next(first)
  await second.box.restored
  assert.equal([titles(second), second.box.pending.value], [['eins', 'three'], 4])
  second.platform.set({ online: true })
  await second.empties()
  assert.equal(second.server.done, ['create three', 'update uno', 'update eins', 'delete two'])
  assert.equal(titles(second), ['eins', 'three'])
  assert.equal(second.controller.get(getList.schema)?.map(({ id }) => id), [1, 101])
  await second.stores(0)
})

test('a temporary pk is the same after a reload, and calls that name it are sent with the real one', async () => {
  const first = openOffline()
  const id = first.create('three')
  assert.match(id, /^new:/)
  void first.rename(id, 'drei')
  await first.stores(2)
  first.controller.dispose()

  const second = next(first)
  await second.box.restored
  assert.equal(second.controller.get(getList.schema)?.slice(2).map(todo => [todo.pk(), todo.title]), [[id, 'drei']])
  second.platform.set({ online: true })
  await second.empties()
  assert.equal([second.server.done, title(second, 101)], [['create three', 'update drei'], 'drei'])
})

test('the real pk is stored with the removal of the creation: a crash after it loses nothing', async () => {
  const first = openOffline()
  void first.rename(first.create('three'), 'drei')
  await first.stores(2)
  first.controller.dispose()

  const { server, platform } = first
  const storage = memoryStorage(first.storage.disk)
  let writes = 0
  // Killed right after the write that removes the creation.
  storage.fail = operation => (operation === 'write' && ++writes > 2 ? new Promise(() => {}) : undefined)
  platform.set({ online: true })
  const fetch: Transport = (input, init) => (init?.method === 'PATCH' ? new Promise(() => {}) : Promise.resolve(ask(server, input as string, init)))
  const second = next(first, { storage, fetch })
  await second.stores(1)
  second.controller.dispose()
  const third = next(first)
  await until(() => server.done.length === 2, 'the update')
  assert.equal(server.done, ['create three', 'update drei'])
  await third.empties()
})

test('a failure of the network or of the server is tried again with the same key', async () => {
  const server = keyedServer()
  const failures: (() => Promise<Response>)[] = [
    () => Promise.reject(new TypeError('reset')),
    () => Promise.resolve(new Response('', { status: 503 })),
    () => Promise.resolve(new Response('<html>log in to this network</html>', { headers: { 'content-type': 'text/html' } })),
  ]
  // The server does it, and the answer is lost on the way.
  const fetch: Transport = (input, init) => {
    const answer = ask(server, input as string, init)
    return failures.shift()?.() ?? Promise.resolve(answer)
  }
  const { controller, keys, platform, empties } = open({ server, fetch })
  const call = controller.fetch(getList.push, { title: 'three' })
  for (let i = 0; i < 3; i++) {
    await until(() => keys.length === i + 1, `attempt ${i + 1}`)
    await pause(30)
    platform.set({ online: true })
  }
  await call
  assert.equal([keys.length, new Set(keys).size, server.done], [4, 1, ['create three']])
  await empties()
})

test('a call that the server refuses leaves the outbox, its change disappears, and the app is notified', async () => {
  const page = openOffline()
  const { controller, rejected, server, platform, rename, empties, stores } = page
  const refused = controller.fetch(getList.push, { title: 'refused' })
  void rename(String(controller.get(getList.schema)![2]!.pk()), 'never')
  void rename(1, 'uno')
  platform.set({ online: true })
  const error = await refused.catch((each: unknown) => each)
  assert.is((error as NetworkError).status, 422)
  await empties()
  assert.equal(rejected.map(call => (call.error as NetworkError).status), [422, 422])
  assert.is(rejected[0]!.endpoint.name, 'Todo.getList.push')
  // The one behind it is sent all the same.
  assert.equal([titles(page), server.done], [['uno', 'two'], ['update uno']])
  await stores(0)
})

test('isRejected decides what stays', async () => {
  let isLoggedIn = false
  const { rename, box, rejected, platform } = open({
    isRejected: error => error instanceof NetworkError && error.status === 422,
    fetch: () => Promise.resolve(isLoggedIn ? Response.json({ id: 1, title: 'uno' }) : new Response('', { status: 401 })),
  })
  const call = rename(1, 'uno')
  await pause(30)
  assert.is(box.pending.value, 1)
  isLoggedIn = true
  platform.set({ online: true })
  await call
  assert.equal(rejected, [])
})

test('a logout drops what was not sent', async () => {
  const { controller, box, rejected, storage, server, platform, rename, stores } = openOffline()
  void rename(1, 'uno')
  await stores(1)
  // That of another tab.
  storage.disk.set('new:other.1', storedCall('new:other.1', 'eins'))
  // Another page, which is still reading what is stored.
  const other = open({ storage: memoryStorage(new Map(storage.disk)), server })
  other.controller.reset()
  controller.reset()
  await stores(0)
  await other.stores(0)
  platform.set({ online: true })
  await pause(30)
  assert.equal([box.pending.value, other.box.pending.value, rejected, server.done], [0, 0, [], []])
})

test('an undo takes a call back that was not sent', async () => {
  const page = openOffline()
  const history = createHistory(page.controller)
  void page.rename(1, 'uno')
  await page.stores(1)
  await history.undo()
  assert.is(title(page, 1), 'one')
  await page.stores(0)
  page.platform.set({ online: true })
  await pause(30)
  assert.equal(page.server.done, [])
})

test('two tabs never send one call, and a tab takes over the calls of one that closed', async () => {
  const locks = createLocks()
  const first = openOffline({ locks: locks.of('a') })
  const { server, platform } = first
  void first.rename(1, 'uno')
  await first.stores(1)
  const others = ['b', 'c'].map(owner => next(first, { locks: locks.of(owner) }).box)
  await Promise.all(others.map(({ restored }) => restored))
  const pending = (): number => others.reduce((sum, box) => sum + box.pending.value, 0)
  assert.is(pending(), 0)
  // The tab is closed without a word.
  first.controller.dispose()
  locks.end('a')
  // A tab that is reloaded would take it itself.
  await until(() => pending() === 1, 'one of them has the call', 5000)
  platform.set({ online: true })
  await first.stores(0)
  assert.equal([server.done, [...server.keys.values()]], [['update uno'], [1]])
})

test('the calls of a tab are its own after a reload; later they go before newer ones of the tab that takes them over, which then fetches what it shows', async () => {
  const locks = createLocks()
  const close = ({ controller }: Page, owner: string): void => (controller.dispose(), locks.end(owner))
  const first = openOffline({ locks: locks.of('a') })
  void first.rename(1, 'uno')
  await first.stores(1)
  const other = next(first, { locks: locks.of('b') })
  await other.box.restored
  close(first, 'a')
  const again = next(first, { locks: locks.of('c') })
  await again.box.restored
  assert.equal([again.box.pending.value, title(again, 1), other.box.pending.value], [1, 'uno', 0])
  close(again, 'c')
  void other.rename(1, 'eins')
  await first.stores(2)
  const fetched = other.controller.getResponse(getList).expiresAt
  other.platform.set({ online: true })
  await first.stores(0)
  // The row has been fetched once more since: the tab had made its own call first.
  assert.equal([first.server.done, title(other, 1), other.controller.getResponse(getList).expiresAt > fetched], [['update uno', 'update eins'], 'eins', true])
})

/** What a database may answer. */
const refusals = {
  'quota exceeded': new DOMException('full', 'QuotaExceededError'),
  'closed': new DOMException('closing', 'InvalidStateError'),
  'a private window': new TypeError('no indexedDB'),
}
for (const [what, error] of Object.entries(refusals)) {
  test(`without a storage calls are sent all the same, with one report: ${what}`, async () => {
    const storage = memoryStorage()
    storage.fail = () => { throw error }
    const { rename, server, errors } = open({ storage })
    for (const each of ['uno', 'eins']) await rename(1, each)
    assert.equal([server.done, errors.length], [['update uno', 'update eins'], 1])
  })
}

/** As another page has stored it. */
const storedCall = (id: string, title: string): object => ({ patchcord: 1, id, owner: 'gone', n: 4, endpoint: 'Todo.partialUpdate', args: [{ id: 1 }, { title }], key: 'k' })

test('garbage in the storage is ignored, and calls of endpoints that are gone stay where they are; those that name what such a call creates are refused', async () => {
  const storage = memoryStorage()
  storage.disk.set('a', 'text').set('b', null).set('c', { patchcord: 1 }).set('d', { patchcord: 2, id: 'x' })
  storage.disk.set('new:old.1', { ...storedCall('new:old.1', ''), n: 3, endpoint: 'Gone.update', args: [] })
  storage.disk.set('new:old.2', { ...storedCall('new:old.2', 'uno'), key: 'k2' })
  storage.disk.set('new:old.3', { ...storedCall('new:old.3', ''), n: 5, args: [{ id: 'new:old.1.0' }, { title: 'due' }] })
  const { box, server, errors, rejected, stores } = open({ storage })
  await box.restored
  await until(() => server.done.length === 1, 'the call that can be made')
  await stores(5)
  assert.equal([errors, rejected.map(({ error }) => (error as { code?: string }).code), server.done], [[], ['MISSING'], ['update uno']])
})

test('reads, and calls of endpoints that are not named, go their usual way', async () => {
  const { controller, keys, rename } = open({ endpoints: [getList.push] })
  await controller.fetch(getList)
  await rename(1, 'uno')
  assert.equal(keys, [null])
  await controller.fetch(getList.push, { title: 'three' })
  assert.ok(keys[1])
})

test.run()
