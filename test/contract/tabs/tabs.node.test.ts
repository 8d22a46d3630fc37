import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createResource, Entity, subscribe, type Clock, type ControllerOptions, type Transport } from '../../../src/index.ts'
import type { Change, Locks } from '../../../src/changes/index.ts'
import { connectTabs, type Channel, type Tabs } from '../../../src/tabs/index.ts'
import { mockFetch } from '../../../src/testing/index.ts'
import { createLocks } from '../../support/locks.ts'

const test = suite('tabs')

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
  done = false
}
const TodoResource = createResource({ path: '/todos/:id', schema: Todo, optimistic: true })

let names = 0
const browserLocks = createLocks()
const open: { readonly tabs: Tabs; readonly controller: Controller }[] = []
const channels: BroadcastChannel[] = []
// Neither a channel nor a timer of the library keeps the process alive.
let alive: ReturnType<typeof setInterval>
test.before(() => void (alive = setInterval(() => {}, 1000)))
test.after(() => clearInterval(alive))
test.after.each(() => {
  for (const { tabs, controller } of open.splice(0)) {
    tabs.dispose()
    controller.dispose()
  }
  for (const channel of channels.splice(0)) channel.close()
})

interface Tab extends Tabs {
  readonly controller: Controller
  readonly requests: string[]
  readonly errors: unknown[]
}

/** One tab, with a server of its own that counts. */
function tab(name: string, { fetch: transport, channel, locks = browserLocks.of(`${++names}`), ...options }: ControllerOptions & { readonly fetch?: Transport; readonly channel?: Channel; readonly locks?: Locks | undefined } = {}): Tab {
  const requests: string[] = []
  const errors: unknown[] = []
  const answer = transport ?? mockFetch({ 'GET /todos': { body: [{ id: 1, title: 'sow', done: false }, { id: 2, title: 'mow', done: false }] }, 'GET /todos/1': { body: { id: 1, title: 'sow', done: false } }, 'PATCH /todos/1': { body: { id: 1, title: 'sow', done: true } }, 'DELETE /todos/2': { status: 204 }, 'POST /todos': { body: { id: 3, title: 'reap', done: false } } })
  const controller = new Controller({
    fetch: (input, init) => {
      requests.push(`${init?.method ?? 'GET'} ${input}`)
      return answer(input, init)
    },
    onError: error => void errors.push(error),
    gc: false,
    ...options,
  })
  const tabs = connectTabs(controller, { name, locks, ...(channel && { channel }) })
  open.push({ tabs, controller })
  return { ...tabs, controller, requests, errors }
}

const fresh = (): string => `test ${++names} ${Math.random()}`
const titles = ({ controller }: Tab): string[] | undefined => controller.get(TodoResource.getList.schema)?.map(({ title, done }) => title + (done ? '!' : ''))

async function until(holds: () => boolean, what: string): Promise<void> {
  for (let i = 0; i < 400; i++) {
    if (holds()) return
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  assert.unreachable(`never: ${what}`)
}
const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

test('a fetch of one tab is shown by the other, as fresh data', async () => {
  const name = fresh()
  const [a, b] = [tab(name), tab(name)]
  await a.controller.fetch(TodoResource.getList)
  await until(() => titles(b)?.length === 2, 'the list')
  assert.equal(titles(b), ['sow', 'mow'])
  await b.controller.fetchIfStale(TodoResource.getList)
  assert.equal(b.requests, [])
})

test('a new tab shows what another has, without a request', async () => {
  const name = fresh()
  const a = tab(name)
  await a.controller.fetch(TodoResource.getList)
  const b = tab(name)
  await b.ready
  assert.equal(titles(b), ['sow', 'mow'])
  assert.is(b.controller.getResponse(TodoResource.getList).expiryStatus, 3)
  await b.controller.fetchIfStale(TodoResource.getList)
  assert.equal(b.requests, [])
})

test('without locks a new tab waits a little for others, and goes on alone', async () => {
  const name = fresh()
  const controller = new Controller()
  const tabs = connectTabs(controller, { name })
  open.push({ tabs, controller })
  await tabs.ready
  controller.set(Todo, { id: 1, title: 'sow', done: false })
  const b = connectTabs(new Controller(), { name })
  await b.ready
  b.dispose()
})

test('a tab that is alone is ready at once when there are locks', async () => {
  const name = fresh()
  const locks = createLocks()
  const a = tab(name, { locks: locks.of('a') })
  const started = Date.now()
  await a.ready
  assert.ok(Date.now() - started < 200)
  await a.controller.fetch(TodoResource.getList)
  const b = tab(name, { locks: locks.of('b') })
  await b.ready
  assert.equal(titles(b), ['sow', 'mow'])
})

test('a pending change stays in its tab until the server confirms it', async () => {
  const name = fresh()
  let confirm!: (response: Response) => void
  const a = tab(name, { fetch: (_, init) => (init?.method === 'PATCH' ? new Promise(resolve => (confirm = resolve)) : Promise.resolve(Response.json([{ id: 1, title: 'sow', done: false }]))) })
  const b = tab(name)
  await a.controller.fetch(TodoResource.getList)
  const call = a.controller.fetch(TodoResource.partialUpdate, { id: 1 }, { done: true })
  assert.equal(titles(a), ['sow!'])
  await until(() => titles(b)?.length === 1, 'the list')
  await pause(60)
  assert.equal(titles(b), ['sow'])
  confirm(Response.json({ id: 1, title: 'sow', done: true }))
  await call
  await until(() => titles(b)?.[0] === 'sow!', 'the confirmed change')
})

test('creations and deletions arrive', async () => {
  const name = fresh()
  const [a, b] = [tab(name), tab(name)]
  await a.controller.fetch(TodoResource.getList)
  await until(() => titles(b)?.length === 2, 'the list')
  await a.controller.fetch(TodoResource.getList.push, { title: 'reap' })
  await b.controller.fetch(TodoResource.delete, { id: 2 })
  await until(() => titles(a)?.join() === 'sow,reap' && titles(b)?.join() === 'sow,reap', 'both')
  // An old response does not bring the row back in the other tab either.
  assert.is(a.controller.get(Todo, { id: 2 }), undefined)
})

test('an invalidation reaches the other tab', async () => {
  const name = fresh()
  const [a, b] = [tab(name), tab(name)]
  await a.controller.fetch(TodoResource.getList)
  await until(() => titles(b)?.length === 2, 'the list')
  a.controller.invalidate(TodoResource.getList)
  await until(() => b.controller.getResponse(TodoResource.getList).expiryStatus === 1, 'the invalidation')
  await b.controller.fetch(TodoResource.getList)
  await until(() => a.controller.getResponse(TodoResource.getList).expiryStatus === 3, 'the new answer')
})

test('a logout in one tab empties all, and what was sent before it does not come back', async () => {
  const name = fresh()
  const [a, b] = [tab(name), tab(name)]
  await a.controller.fetch(TodoResource.getList)
  await until(() => titles(b)?.length === 2, 'the list')
  // Still waiting to be sent when the other logs out.
  b.controller.set(Todo, { id: 9, title: 'secret', done: false })
  a.controller.reset()
  assert.is(titles(a), undefined)
  await until(() => b.controller.get(Todo, { id: 1 }) === undefined, 'the logout')
  // A tab that has not heard of it yet.
  const late = new BroadcastChannel(`patchcord ${name}`)
  channels.push(late)
  late.postMessage({ patchcord: 1, type: 'change', from: 'late', n: 1, resetAt: 0, change: { patches: [{ op: 'add', path: ['entities', 'Todo', '9'], value: { id: 9, title: 'secret', done: false } }], stamps: [], freshness: [] } })
  await pause(60)
  for (const each of [a, b]) assert.is(each.controller.get(Todo, { id: 9 }), undefined)
  await b.controller.fetch(TodoResource.getList)
  await until(() => titles(a)?.length === 2, 'data of the next session')
  // A tab that is opened after the logout keeps what it fetches.
  const c = tab(name)
  await c.ready
  assert.equal(titles(c), ['sow', 'mow'])
})

test('nothing is sent back, and changes of one frame are one message', async () => {
  const name = fresh()
  const seen: { type: string }[] = []
  const spy = new BroadcastChannel(`patchcord ${name}`)
  channels.push(spy)
  spy.onmessage = ({ data }: { data: unknown }) => void seen.push(data as { type: string })
  const [a, b] = [tab(name), tab(name)]
  await Promise.all([a.ready, b.ready])
  for (let id = 10; id < 110; id++) a.controller.set(Todo, { id, title: 'many', done: false })
  await until(() => b.controller.get(Todo, { id: 109 }) !== undefined, 'the rows')
  await pause(100)
  assert.is(seen.filter(({ type }) => type === 'change').length, 1)
})

test('tabs that change one row at the same time end with the same row', async () => {
  const name = fresh()
  const [a, b, c] = [tab(name), tab(name), tab(name)]
  await Promise.all([a.ready, b.ready, c.ready])
  a.controller.set(Todo, { id: 1, title: 'sow', done: false })
  await until(() => [b, c].every(({ controller }) => controller.get(Todo, { id: 1 })), 'the row')
  for (let round = 0; round < 20; round++) {
    a.controller.set(Todo, { id: 1 }, (todo: { title: string }) => void (todo.title = `a${round}`))
    b.controller.set(Todo, { id: 1 }, (todo: { title: string }) => void (todo.title = `b${round}`))
    b.controller.set(Todo, { id: 1 }, (todo: { done: boolean }) => void (todo.done = !todo.done))
    c.controller.set(Todo, { id: 1 }, (todo: { title: string }) => void (todo.title = `c${round}`))
    const rows = (): string[] => [a, b, c].map(({ controller }) => JSON.stringify(controller.get(Todo, { id: 1 })))
    await pause(40)
    await until(() => new Set(rows()).size === 1, `agreement, instead of ${rows().join(' ')}`)
  }
})

test('rows that two tabs add to one list at the same time are in the list of both', async () => {
  const name = fresh()
  const answer = (id: number): Transport => (_, init) => Promise.resolve(Response.json(init?.method === 'POST' ? { id, title: `new ${id}`, done: false } : [{ id: 1, title: 'sow', done: false }]))
  const [a, b, c] = [tab(name, { fetch: answer(7) }), tab(name, { fetch: answer(8) }), tab(name)]
  await a.controller.fetch(TodoResource.getList)
  await until(() => [b, c].every(each => titles(each)?.length === 1), 'the list')
  await Promise.all([a.controller.fetch(TodoResource.getList.push, { title: 'x' }), b.controller.fetch(TodoResource.getList.push, { title: 'y' })])
  await until(() => [a, b, c].every(each => titles(each)?.length === 3), 'three rows in each')
  assert.equal(titles(a), titles(b))
  assert.equal(titles(a), titles(c))
})

/** A channel that loses messages. */
function lossy(name: string, loses: (message: { readonly type: string }) => boolean): Channel {
  const channel = new BroadcastChannel(`patchcord ${name}`)
  return {
    postMessage: message => void (loses(message as { type: string }) || channel.postMessage(message)),
    addEventListener: (_, listener) => void (channel.onmessage = listener as never),
    close: () => channel.close(),
    unref: () => (channel as unknown as { unref(): void }).unref(),
  } as Channel
}

test('after a lost message the whole state is handed over', async () => {
  const name = fresh()
  let isLost = false
  const a = tab(name, { channel: lossy(name, ({ type }) => type === 'change' && isLost) })
  const b = tab(name)
  await Promise.all([a.ready, b.ready])
  a.controller.set(Todo, { id: 1, title: 'sow', done: false })
  await until(() => b.controller.get(Todo, { id: 1 }) !== undefined, 'the first row')
  isLost = true
  a.controller.set(Todo, { id: 2, title: 'lost', done: false })
  await pause(50)
  isLost = false
  a.controller.set(Todo, { id: 3, title: 'after', done: false })
  await until(() => b.controller.get(Todo, { id: 2 })?.title === 'lost', 'the lost row')
})

test('two tabs that poll one key make the requests of one, and a tab that closes is replaced', async () => {
  const name = fresh()
  const locks = createLocks()
  const polled = TodoResource.get.extend({ pollFrequency: 40 })
  const a = tab(name, { locks: locks.of('a') })
  await a.ready
  const stop = subscribe(a.controller, polled, { id: 1 })
  const b = tab(name, { locks: locks.of('b') })
  await b.ready
  const stopB = subscribe(b.controller, polled, { id: 1 })
  await pause(600)
  const [first, second] = [a.requests.length, b.requests.length]
  assert.ok(first + second >= 5 && first + second <= 19, `${first} and ${second} requests in 15 intervals`)
  stop()
  a.dispose()
  locks.end('a')
  const before = b.requests.length
  await until(() => b.requests.length > before + 2, 'the other tab polls')
  stopB()
})

/** What somebody else may say on the channel. */
const garbage: { readonly [what: string]: unknown } = {
  'null': null,
  'a number': 7,
  'a text': 'state',
  'an empty object': {},
  'a list': [1, 2, 3],
  'another program': { type: 'state', payload: {} },
  'an older version': { patchcord: 0, type: 'change', from: 'x', n: 1, resetAt: 0, change: { patches: [{ op: 'remove', path: ['entities', 'Todo', '1'] }], stamps: [], freshness: [] } },
  'a newer version': { patchcord: 2, type: 'change', from: 'x', n: 1, resetAt: 0, change: { patches: [{ op: 'remove', path: ['entities', 'Todo', '1'] }], stamps: [], freshness: [] } },
  'an unknown type': { patchcord: 1, type: 'dance', from: 'x', n: 1, resetAt: 0 },
  'no change': { patchcord: 1, type: 'change', from: 'x', n: 1, resetAt: 0 },
  'patches that are none': { patchcord: 1, type: 'change', from: 'x', n: 1, resetAt: 0, change: { patches: 'all', stamps: [], freshness: [] } },
  'a path into the prototype': { patchcord: 1, type: 'change', from: 'x', n: 1, resetAt: 0, change: { patches: [{ op: 'add', path: ['entities', '__proto__', 'polluted'], value: {} }], stamps: [], freshness: [] } },
  'a field of the prototype': { patchcord: 1, type: 'change', from: 'x', n: 1, resetAt: 0, change: { patches: [{ op: 'replace', path: ['entities', 'Todo', '1', '__proto__'], value: { polluted: 1 } }], stamps: [], freshness: [] } },
  'a deep path': { patchcord: 1, type: 'change', from: 'x', n: 1, resetAt: 0, change: { patches: [{ op: 'replace', path: ['entities', 'Todo', '1', 'title', 'length'], value: 4e9 }], stamps: [], freshness: [] } },
  'an endless position': { patchcord: 1, type: 'change', from: 'x', n: 1, resetAt: 0, change: { patches: [{ op: 'remove', path: ['entities', 'Todo', '1'], at: 1e300 }], stamps: [], freshness: [] } },
  'a stamp without a position': { patchcord: 1, type: 'change', from: 'x', n: 1, resetAt: 0, change: { patches: [], stamps: [{ key: 'Todo', pks: ['1'], stamp: { deleted: true } }], freshness: [] } },
  'freshness without times': { patchcord: 1, type: 'change', from: 'x', n: 1, resetAt: 0, change: { patches: [], stamps: [], freshness: [['GET /todos']] } },
  'seen by nobody': { patchcord: 1, type: 'here', to: 'everybody', from: 'x', n: 1, resetAt: 0 },
}
for (const [what, message] of Object.entries(garbage)) {
  test(`garbage on the channel changes nothing, and later messages count: ${what}`, async () => {
    const name = fresh()
    const [a, b] = [tab(name), tab(name)]
    await Promise.all([a.ready, b.ready])
    a.controller.set(Todo, { id: 1, title: 'sow', done: false })
    await until(() => b.controller.get(Todo, { id: 1 }) !== undefined, 'the row')
    const before = JSON.stringify(b.controller.get(Todo, { id: 1 }))
    const spy = new BroadcastChannel(`patchcord ${name}`)
    channels.push(spy)
    spy.postMessage(message)
    await pause(30)
    assert.is(JSON.stringify(b.controller.get(Todo, { id: 1 })), before)
    assert.is(({} as { polluted?: unknown }).polluted, undefined)
    assert.ok(b.errors.length <= 1)
    a.controller.set(Todo, { id: 2, title: 'after', done: false })
    await until(() => b.controller.get(Todo, { id: 2 }) !== undefined, 'a later row')
  })
}

test('a value that cannot be cloned is skipped with one report, and the rest is sent', async () => {
  const name = fresh()
  const [a, b] = [tab(name), tab(name)]
  await Promise.all([a.ready, b.ready])
  const opaque = Object.create({ constructor: Object }, { [Symbol.toStringTag]: { value: 'Opaque' }, run: { value() {}, enumerable: true } }) as object
  for (const id of [4, 5, 6]) {
    a.controller.set(Todo, { id, title: 'stored', done: false })
    a.controller.set(Todo, { id: id * 10, title: opaque as never, done: false })
    await until(() => b.controller.get(Todo, { id }) !== undefined, 'the row beside it')
  }
  assert.is(b.controller.get(Todo, { id: 40 }), undefined)
  assert.is(a.errors.length, 1)
})

test('a closed channel leaves the tab working alone, with one report', async () => {
  const name = fresh()
  const channel = new BroadcastChannel(`patchcord ${name}`)
  const a = tab(name, { channel: channel as unknown as Channel })
  await a.ready
  channel.close()
  for (const id of [1, 2, 3]) {
    a.controller.set(Todo, { id, title: 'alone', done: false })
    await pause(40)
  }
  assert.is(a.controller.get(Todo, { id: 3 })?.title, 'alone')
  assert.is(a.errors.length, 1)
})

test('10,000 messages in a second are taken in, and the tab answers meanwhile', async () => {
  const name = fresh()
  const b = tab(name)
  await b.ready
  const flood = new BroadcastChannel(`patchcord ${name}`)
  channels.push(flood)
  const change = (n: number): Change => ({ patches: [{ op: 'add', path: ['entities', 'Todo', `${n % 50}`], value: { id: n % 50, title: `flood ${n}`, done: false } }], stamps: [{ key: 'Todo', pks: [`${n % 50}`], stamp: { fetchedAt: Date.now() + n, date: Date.now(), expiresAt: Infinity } }], freshness: [] })
  const started = performance.now()
  for (let n = 1; n <= 10_000; n++) flood.postMessage({ patchcord: 1, type: 'change', from: 'flood', n, resetAt: 0, change: change(n) })
  await until(() => b.controller.get(Todo, { id: 0 })?.title === 'flood 10000', 'the last message')
  assert.ok(performance.now() - started < 15_000)
  assert.equal(b.errors, [])
})

test('a listener that throws does not end the connection', async () => {
  const name = fresh()
  const [a, b] = [tab(name), tab(name)]
  b.controller.subscribePatches(() => {
    throw new Error('listener')
  })
  a.controller.set(Todo, { id: 1, title: 'one', done: false })
  await until(() => b.controller.get(Todo, { id: 1 }) !== undefined, 'the first')
  a.controller.set(Todo, { id: 2, title: 'two', done: false })
  await until(() => b.controller.get(Todo, { id: 2 }) !== undefined, 'the second')
})

test('a late answer of an older read does not replace what came from another tab', async () => {
  const name = fresh()
  let answer!: (response: Response) => void
  const a = tab(name)
  const b = tab(name, { fetch: () => new Promise(resolve => (answer = resolve)) })
  await Promise.all([a.ready, b.ready])
  const read = b.controller.fetch(TodoResource.get, { id: 1 })
  await pause(5)
  a.controller.set(Todo, { id: 1, title: 'newer', done: true })
  await until(() => b.controller.get(Todo, { id: 1 }) !== undefined, 'the newer row')
  answer(Response.json({ id: 1, title: 'older', done: false }))
  await read
  assert.is(b.controller.get(Todo, { id: 1 })?.title, 'newer')
})

test('after dispose nothing is sent and nothing arrives', async () => {
  const name = fresh()
  const [a, b] = [tab(name), tab(name)]
  await Promise.all([a.ready, b.ready])
  b.dispose()
  a.controller.set(Todo, { id: 1, title: 'one', done: false })
  b.controller.set(Todo, { id: 2, title: 'two', done: false })
  await pause(60)
  assert.is(b.controller.get(Todo, { id: 1 }), undefined)
  assert.is(a.controller.get(Todo, { id: 2 }), undefined)
})

// A clock that differs: `expiresAt` travels as wall time.
test('freshness arrives in the time of the other clock', async () => {
  const name = fresh()
  const slow: Clock = { now: () => performance.now() + 1e6, date: () => Date.now(), after: (ms, work) => { const timer = setTimeout(work, ms); return () => clearTimeout(timer) } }
  const [a, b] = [tab(name), tab(name, { clock: slow })]
  await Promise.all([a.ready, b.ready])
  await a.controller.fetch(TodoResource.getList)
  await until(() => titles(b)?.length === 2, 'the list')
  const left = b.controller.getResponse(TodoResource.getList).expiresAt - slow.now()
  assert.ok(left > 50_000 && left <= 60_000, `${left} ms`)
})

test.run()
