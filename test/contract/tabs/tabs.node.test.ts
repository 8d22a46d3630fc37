import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Locks } from '../../../src/changes/index.ts'
import { Controller, subscribe, type Clock, type ControllerOptions } from '../../../src/index.ts'
import { connectTabs, type Channel, type Tabs } from '../../../src/tabs/index.ts'
import { mockFetch } from '../../../src/testing/index.ts'
import { createLocks } from '../../support/locks.ts'
import { get, getList, keepAlive, partialUpdate, pause, remove, title, titles, Todo, until } from '../persist/todos.ts'

const test = suite('tabs')
keepAlive(test)

let names = 0
const browserLocks = createLocks()
const open: (() => void)[] = []
test.after.each(() => {
  for (const close of open.splice(0)) close()
})

interface Tab extends Tabs { readonly controller: Controller; readonly requests: string[]; readonly errors: unknown[] }

const rows = [{ id: 1, title: 'sow', done: false }, { id: 2, title: 'mow', done: false }]
const routes = {
  'GET /todos': { body: rows },
  'GET /todos/1': { body: rows[0] },
  'PATCH /todos/1': { body: { ...rows[0], done: true } },
  'DELETE /todos/2': { status: 204 },
  'POST /todos': { body: { id: 3, title: 'reap', done: false } },
}

interface TabOptions extends ControllerOptions {
  readonly channel?: Channel
  readonly locks?: Locks
}

/** One tab, with a server of its own that counts. */
function tab(name: string, { fetch: answer = mockFetch(routes), channel, locks = browserLocks.of(`${++names}`), ...options }: TabOptions = {}): Tab {
  const requests: string[] = []
  const errors: unknown[] = []
  const fetch: typeof answer = (input, init) => {
    requests.push(`${init?.method ?? 'GET'} ${input}`)
    return answer(input, init)
  }
  const controller = new Controller({ fetch, onError: error => void errors.push(error), gc: false, ...options })
  const tabs = connectTabs(controller, { name, locks, ...(channel && { channel }) })
  open.push(tabs.dispose, () => controller.dispose())
  return { ...tabs, controller, requests, errors }
}

const fresh = (): string => `test ${++names} ${Math.random()}`
/** Two tabs that know of each other. */
async function pair(options: TabOptions = {}, name: string = fresh()): Promise<[Tab, Tab]> {
  const tabs: [Tab, Tab] = [tab(name), tab(name, options)]
  await Promise.all(tabs.map(({ ready }) => ready))
  return tabs
}
/** Two tabs, of which one has fetched the list and both show it. */
async function pairWithList(name: string = fresh()): Promise<[Tab, Tab]> {
  const [a, b] = [tab(name), tab(name)]
  await a.controller.fetch(getList)
  await until(() => titles(b)?.length === 2, 'the list')
  return [a, b]
}
/** Somebody else on the channel. */
function channelOf(name: string): BroadcastChannel {
  const channel = new BroadcastChannel(`patchcord ${name}`)
  open.push(() => channel.close())
  return channel
}
const setTitle = ({ controller }: Tab, id: number, title: string): void => controller.set(Todo, { id, title, done: false })
const arrives = (tab: Tab, id: number): Promise<void> => until(() => title(tab, id) !== undefined, `row ${id}`)

test('a fetch of one tab is shown by the other, as fresh data', async () => {
  const [, b] = await pairWithList()
  assert.equal(titles(b), ['sow', 'mow'])
  await b.controller.fetchIfStale(getList)
  assert.equal(b.requests, [])
})

test('a new tab shows what another has, without a request', async () => {
  const name = fresh()
  await tab(name).controller.fetch(getList)
  const b = tab(name)
  await b.ready
  assert.equal(titles(b), ['sow', 'mow'])
  assert.is(b.controller.getResponse(getList).expiryStatus, 3)
  await b.controller.fetchIfStale(getList)
  assert.equal(b.requests, [])
})

test('without locks a new tab waits a little for others, and goes on alone', async () => {
  const name = fresh()
  for (const there of [undefined, 'sow']) {
    const controller = new Controller()
    const tabs = connectTabs(controller, { name })
    open.push(tabs.dispose)
    await tabs.ready
    assert.is(controller.get(Todo, { id: 1 })?.title, there)
    controller.set(Todo, { id: 1, title: 'sow', done: false })
  }
})

test('when the tab that answers new ones is closed, another one does', async () => {
  const name = fresh()
  const [a, b] = await pair({}, name)
  setTitle(a, 1, 'sow')
  await arrives(b, 1)
  a.dispose()
  await pause(5)
  const c = tab(name)
  await c.ready
  assert.is(title(c, 1), 'sow')
})

test('a tab that is alone is ready at once when there are locks', async () => {
  // Without locks it waits for others to answer, for 300 ms.
  assert.is(await Promise.race([tab(fresh()).ready.then(() => 'ready'), pause(280)]), 'ready')
})

test('a pending change stays in its tab until the server confirms it', async () => {
  const name = fresh()
  let confirm!: (response: Response) => void
  const pending = new Promise<Response>(resolve => (confirm = resolve))
  const a = tab(name, { fetch: (_, init) => (init?.method === 'PATCH' ? pending : Promise.resolve(Response.json([rows[0]]))) })
  const b = tab(name)
  await a.controller.fetch(getList)
  const call = a.controller.fetch(partialUpdate, { id: 1 }, { done: true })
  assert.equal(titles(a), ['sow!'])
  await until(() => titles(b)?.length === 1, 'the list')
  await pause(60)
  assert.equal(titles(b), ['sow'])
  confirm(Response.json({ id: 1, title: 'sow', done: true }))
  await call
  await until(() => titles(b)?.[0] === 'sow!', 'the confirmed change')
})

test('creations and deletions arrive', async () => {
  const [a, b] = await pairWithList()
  await a.controller.fetch(getList.push, { title: 'reap' })
  await b.controller.fetch(remove, { id: 2 })
  await until(() => [a, b].every(each => titles(each)?.join() === 'sow,reap'), 'both')
  // An old response does not bring the row back in the other tab either.
  assert.is(title(a, 2), undefined)
})

test('an invalidation reaches the other tab', async () => {
  const [a, b] = await pairWithList()
  a.controller.invalidate(getList)
  await until(() => b.controller.getResponse(getList).expiryStatus === 1, 'the invalidation')
  await b.controller.fetch(getList)
  await until(() => a.controller.getResponse(getList).expiryStatus === 3, 'the new answer')
})

test('a logout in one tab empties all, and what was sent before it does not come back', async () => {
  const name = fresh()
  const [a, b] = await pairWithList(name)
  // Still waiting to be sent when the other logs out.
  setTitle(b, 9, 'secret')
  a.controller.reset()
  assert.is(titles(a), undefined)
  await until(() => title(b, 1) === undefined, 'the logout')
  // A tab that has not heard of it yet.
  const patches = [{ op: 'add', path: ['entities', 'Todo', '9'], value: { id: 9, title: 'secret', done: false }, at: Date.now() }]
  channelOf(name).postMessage(changed({ patches }))
  await pause(60)
  for (const each of [a, b]) assert.is(title(each, 9), undefined)
  await b.controller.fetch(getList)
  await until(() => titles(a)?.length === 2, 'data of the next session')
  // A tab that is opened after the logout keeps what it fetches.
  const c = tab(name)
  await c.ready
  assert.equal(titles(c), ['sow', 'mow'])
})

test('nothing is sent back, and changes of one frame are one message', async () => {
  const name = fresh()
  const seen: string[] = []
  channelOf(name).onmessage = (event: unknown) => void seen.push((event as { data: { type: string } }).data.type)
  const [a, b] = await pair({}, name)
  for (let id = 10; id < 110; id++) setTitle(a, id, 'many')
  await arrives(b, 109)
  await pause(100)
  assert.is(seen.filter(type => type === 'change').length, 1)
})

test('tabs that change one row at the same time end with the same row', async () => {
  const name = fresh()
  const [a, b, c] = [...(await pair({}, name)), tab(name)] as const
  await c.ready
  setTitle(a, 1, 'sow')
  for (const each of [b, c]) await arrives(each, 1)
  for (let round = 0; round < 20; round++) {
    for (const [i, { controller }] of [a, b, c].entries()) controller.set(Todo, { id: 1 }, todo => void (todo.title = `${'abc'[i]}${round}`))
    b.controller.set(Todo, { id: 1 }, todo => void (todo.done = !todo.done))
    const found = (): string[] => [a, b, c].map(({ controller }) => JSON.stringify(controller.get(Todo, { id: 1 })))
    await pause(40)
    await until(() => new Set(found()).size === 1, `agreement, instead of ${found().join(' ')}`)
  }
})

test('rows that two tabs add to one list at the same time are in the list of both', async () => {
  const name = fresh()
  const creating = (id: number): TabOptions => ({
    fetch: (_, init) => Promise.resolve(Response.json(init?.method === 'POST' ? { id, title: `new ${id}`, done: false } : [rows[0]])),
  })
  const [a, b, c] = [tab(name, creating(7)), tab(name, creating(8)), tab(name)]
  await a.controller.fetch(getList)
  await until(() => [b, c].every(each => titles(each)?.length === 1), 'the list')
  await Promise.all([a, b].map(({ controller }) => controller.fetch(getList.push, { title: 'x' })))
  await until(() => [a, b, c].every(each => titles(each)?.length === 3), 'three rows in each')
  assert.equal([titles(b), titles(c)], [titles(a), titles(a)])
})

/** A channel that loses messages. */
function lossy(name: string, loses: (message: { readonly type: string }) => boolean): Channel {
  const channel = channelOf(name)
  return {
    postMessage: message => void (loses(message as { type: string }) || channel.postMessage(message)),
    set onmessage(listener: unknown) {
      channel.onmessage = listener as never
    },
    close: () => channel.close(),
    unref: () => (channel as unknown as { unref(): void }).unref(),
  } as Channel
}

test('after a lost message the whole state is handed over', async () => {
  const name = fresh()
  let isLost = false
  const [b, a] = await pair({ channel: lossy(name, ({ type }) => type === 'change' && isLost) }, name)
  setTitle(a, 1, 'sow')
  await arrives(b, 1)
  isLost = true
  setTitle(a, 2, 'lost')
  await pause(50)
  isLost = false
  setTitle(a, 3, 'after')
  await until(() => title(b, 2) === 'lost', 'the lost row')
})

test('two tabs that poll one key make the requests of one, and a tab that closes is replaced', async () => {
  const name = fresh()
  const locks = createLocks()
  const polled = get.extend({ pollFrequency: 40 })
  const start = async (owner: string): Promise<Tab & { readonly leave: () => void }> => {
    const own = tab(name, { locks: locks.of(owner) })
    await own.ready
    return { ...own, leave: subscribe(own.controller, polled, { id: 1 }) }
  }
  const [a, b] = [await start('a'), await start('b')]
  await pause(600)
  const [first, second] = [a.requests.length, b.requests.length]
  assert.ok(first + second >= 5 && first + second <= 19, `${first} and ${second} requests in 15 intervals`)
  a.leave()
  a.dispose()
  locks.end('a')
  await until(() => b.requests.length > second + 2, 'the other tab polls')
  b.leave()
})

/** What somebody else may say on the channel. */
const envelope = { patchcord: 1, type: 'change', from: 'x', n: 1, resetAt: 0 }
const changed = (change: object): object => ({ ...envelope, change: { patches: [], stamps: [], freshness: [], ahead: 0, ...change } })
const removal = changed({ patches: [{ op: 'remove', path: ['entities', 'Todo', '1'], at: 4e15 }] })
const garbage: { readonly [what: string]: unknown } = {
  'null': null,
  'a number': 7,
  'a text': 'state',
  'an empty object': {},
  'a list': [1, 2, 3],
  'another program': { type: 'state', payload: {} },
  'an older version': { ...removal, patchcord: 0 },
  'a newer version': { ...removal, patchcord: 2 },
  'an unknown type': { ...envelope, type: 'dance' },
  'no change': envelope,
  'patches that are none': changed({ patches: 'all' }),
  'a path into the prototype': changed({ patches: [{ op: 'add', path: ['entities', '__proto__', 'polluted'], value: {}, at: 4e15 }] }),
  'a field of the prototype': changed({ patches: [{ op: 'replace', path: ['entities', 'Todo', '1', '__proto__'], value: { polluted: 1 }, at: 4e15 }] }),
  'a record that is none': changed({ patches: [{ op: 'replace', path: ['entities', 'Todo', '1'], value: 5, at: 4e15 }] }),
  'a deep path': changed({ patches: [{ op: 'replace', path: ['entities', 'Todo', '1', 'title', 'length'], value: 4e9, at: 4e15 }] }),
  'an endless position': changed({ patches: [{ op: 'remove', path: ['entities', 'Todo', '1'], at: 1e300 }] }),
  'a stamp without a position': changed({ stamps: [{ key: 'Todo', pks: ['1'], stamp: { deleted: true } }] }),
  'freshness without times': changed({ freshness: [{ key: 'GET /todos' }] }),
  'seen by nobody': { ...envelope, type: 'here', to: 'everybody' },
}
for (const [what, message] of Object.entries(garbage)) {
  test(`garbage on the channel changes nothing, and later messages count: ${what}`, async () => {
    const name = fresh()
    const [a, b] = await pair({}, name)
    setTitle(a, 1, 'sow')
    await arrives(b, 1)
    const before = JSON.stringify(b.controller.get(Todo, { id: 1 }))
    channelOf(name).postMessage(message)
    await pause(30)
    assert.is(JSON.stringify(b.controller.get(Todo, { id: 1 })), before)
    assert.is(({} as { polluted?: unknown }).polluted, undefined)
    assert.ok(b.errors.length <= 1)
    setTitle(a, 2, 'after')
    await arrives(b, 2)
  })
}

test('a value that cannot be cloned is sent as JSON has it, with one report, and so is the rest', async () => {
  const [a, b] = await pair()
  const opaque: unknown = Object.create({ constructor: Object }, { [Symbol.toStringTag]: { value: 'Opaque' }, run: { value() {}, enumerable: true } })
  for (const id of [4, 5, 6]) {
    setTitle(a, id, 'stored')
    setTitle(a, id * 10, opaque as string)
    await arrives(b, id)
  }
  assert.equal([title(b, 40), a.errors.length], [{}, 1])
})

test('a closed channel leaves the tab working alone, with one report', async () => {
  const name = fresh()
  const channel = channelOf(name)
  const a = tab(name, { channel: channel as unknown as Channel })
  await a.ready
  channel.close()
  for (const id of [1, 2, 3]) {
    setTitle(a, id, 'alone')
    await pause(40)
  }
  assert.equal([title(a, 3), a.errors.length], ['alone', 1])
})

test('10,000 messages in a second are taken in, and the tab answers meanwhile', async () => {
  const name = fresh()
  const b = tab(name)
  await b.ready
  const flood = channelOf(name)
  const started = performance.now()
  for (let n = 1; n <= 10_000; n++) {
    const [id, at] = [n % 50, Date.now()]
    const patches = [{ op: 'add', path: ['entities', 'Todo', `${id}`], value: { id, title: `flood ${n}`, done: false }, at: at + n }]
    const stamps = [{ key: 'Todo', pks: [`${id}`], stamp: { fetchedAt: at + n, date: at, expiresAt: Infinity } }]
    flood.postMessage({ ...changed({ patches, stamps }), from: 'flood', n })
  }
  await until(() => title(b, 0) === 'flood 10000', 'the last message')
  assert.ok(performance.now() - started < 15_000)
  assert.equal(b.errors, [])
})

test('a listener that throws does not end the connection', async () => {
  const [a, b] = await pair()
  b.controller.subscribePatches(() => { throw new Error('listener') })
  for (const id of [1, 2]) {
    setTitle(a, id, 'one')
    await arrives(b, id)
  }
})

test('a late answer of an older read does not replace what came from another tab', async () => {
  let answer!: (response: Response) => void
  const [a, b] = await pair({ fetch: () => new Promise(resolve => (answer = resolve)) })
  const read = b.controller.fetch(get, { id: 1 })
  await pause(5)
  setTitle(a, 1, 'newer')
  await arrives(b, 1)
  answer(Response.json({ id: 1, title: 'older', done: false }))
  await read
  assert.is(title(b, 1), 'newer')
})

test('a read that was in flight while another tab created a row is made once more', async () => {
  const stored = [...rows]
  let answer: (() => void) | undefined
  const [a, b] = await pair({
    async fetch() {
      const body = [...stored]
      if (!answer) await new Promise<void>(go => void (answer = go))
      return Response.json(body)
    },
  })
  const read = b.controller.fetch(getList)
  await pause(5)
  stored.push({ id: 3, title: 'reap', done: false })
  await a.controller.fetch(getList.push, { title: 'reap' })
  await arrives(b, 3)
  answer!()
  await read
  await until(() => titles(b)?.length === 3, 'the row of the other tab')
  assert.equal(b.requests, ['GET /todos', 'GET /todos'])
})

test('a read that was in flight while another tab fetched is not made again', async () => {
  let answer!: (response: Response) => void
  const [a, b] = await pair({ fetch: () => new Promise(resolve => (answer = resolve)) })
  const read = b.controller.fetch(getList)
  await pause(5)
  await a.controller.fetch(get, { id: 1 })
  await arrives(b, 1)
  answer(Response.json(rows))
  await read
  await pause(60)
  assert.equal(b.requests, ['GET /todos'])
})

test('after dispose nothing is sent and nothing arrives', async () => {
  const [a, b] = await pair()
  b.dispose()
  setTitle(a, 1, 'one')
  setTitle(b, 2, 'two')
  await pause(60)
  assert.equal([title(b, 1), title(a, 2)], [undefined, undefined])
})

test('freshness arrives in the time of the other clock', async () => {
  // `expiresAt` travels as wall time.
  const clock: Clock = {
    now: () => performance.now() + 1e6,
    date: () => Date.now(),
    after(ms, work) {
      const timer = setTimeout(work, ms)
      return () => clearTimeout(timer)
    },
  }
  const [a, b] = await pair({ clock })
  await a.controller.fetch(getList)
  await until(() => titles(b)?.length === 2, 'the list')
  const left = b.controller.getResponse(getList).expiresAt - clock.now()
  assert.ok(left > 50_000 && left <= 60_000, `${left} ms`)
})

test.run()
