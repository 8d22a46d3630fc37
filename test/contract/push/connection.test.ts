import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { effectOf } from './reading.ts'
import { subscribe } from '../../../src/index.ts'
import { connect } from '../../../src/push/index.ts'
import { set, settle, Todo, TodoResource, Wire } from './wire.ts'

const test = suite('push: connection')

const upsert = (id: number, title: string, messageId = `${id}`): { id: string; type: 'upsert'; entity: string; value: object } => ({ id: messageId, type: 'upsert', entity: 'Todo', value: { id, title, done: false } })

test('resumes after the last message that it has received', async () => {
  const { wire, send, pass, stream, controller } = set()
  assert.is(stream.status.value, 'connecting')
  await send(upsert(1, 'a', '41'), upsert(2, 'b', '42'))
  assert.is(stream.status.value, 'open')
  assert.is(stream.lastId(), '42')
  wire.drop()
  await settle()
  assert.is(stream.status.value, 'waiting')
  await pass(500)
  assert.equal(wire.opened, [undefined, '42'])
  await send(upsert(2, 'c', '43'))
  assert.is(controller.get(Todo, { id: 2 })?.title, 'c')
})

test('a message that has arrived and not landed is not asked for again, and lands', async () => {
  const { wire, pass, controller } = set()
  await pass(0)
  wire.send(upsert(1, 'a', '1'))
  await settle()
  wire.drop()
  await pass(1000)
  assert.equal(wire.opened, [undefined, '1'])
  assert.is(controller.get(Todo, { id: 1 })?.title, 'a')
})

test('begins after a given id', async () => {
  const { wire, pass } = set({ lastId: '7' })
  await pass(0)
  assert.equal(wire.opened, ['7'])
})

test('tries again later and later, at random within the upper half, and begins anew after a connection that lasted', async () => {
  const { random } = Math
  try {
    for (const [value, share] of [[0, 0.5], [0.999_999, 1]] as const) {
      Math.random = () => value
      const { wire, stream, clock, send, pass } = set()
      const waits: number[] = []
      for (let n = 0; n < 9; n++) {
        await settle()
        wire.drop()
        await settle()
        assert.is(stream.status.value, 'waiting')
        const from = clock.now()
        for (const opened = wire.opened.length; wire.opened.length === opened; ) clock.advance(50)
        waits.push(clock.now() - from)
      }
      assert.equal(waits, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000].map(wait => wait * share))
      await send({ id: '1', type: 'ping' })
      await pass(5100)
      wire.drop()
      await pass(500)
      assert.is(wire.opened.length, 11)
      stream.stop()
      assert.is(clock.pending, 0)
    }
  } finally {
    Math.random = random
  }
})

test('a source that throws is reported once in a series of failures', async () => {
  const { wire, errors, pass, stream } = set()
  await pass(0)
  for (let n = 0; n < 3; n++) {
    wire.drop(new Error('refused'))
    await pass(2000)
  }
  assert.equal(errors.map(({ message }) => message), ['refused'])
  stream.stop()
})

test('a source that cannot even be called, and a stream that cannot be opened, are reported and tried again', async () => {
  const fail = (): never => {
    throw new Error('broken')
  }
  for (const options of [{ source: fail }, { source: undefined, url: '/stream', open: fail }] as object[]) {
    const { errors, stream, pass } = set(options)
    await settle()
    assert.is(errors.length, 1)
    assert.is(stream.status.value, 'waiting')
    await pass(500)
    assert.is(errors.length, 1)
    stream.stop()
  }
})

test('pauses offline, and connects at once when it is online again', async () => {
  const { wire, platform, stream, send, pass } = set()
  await send(upsert(1, 'a'))
  platform.set({ online: false })
  assert.is(stream.status.value, 'paused')
  assert.ok(wire.signal.aborted)
  await pass(60_000)
  assert.is(wire.opened.length, 1)
  platform.set({ online: true })
  await settle()
  assert.equal(wire.opened, [undefined, '1'])
})

test('does not connect while it is offline from the start', async () => {
  const { platform } = set()
  platform.set({ online: false })
  const wire = new Wire()
  const { controller } = set({}, { platform })
  const stream = connect(controller, { source: wire.source, types: {} })
  await settle()
  assert.is(stream.status.value, 'paused')
  assert.is(wire.opened.length, 0)
})

test('a page that is opened hidden connects when it is seen, and one that comes online while it is hidden does too', async () => {
  const { platform } = set()
  platform.set({ visible: false })
  const wire = new Wire()
  const { controller } = set({}, { platform })
  const stream = connect(controller, { source: wire.source, types: {} })
  await settle()
  assert.equal([stream.status.value, wire.opened.length], ['paused', 0])
  platform.set({ visible: true })
  await settle()
  assert.equal([stream.status.value, wire.opened.length], ['connecting', 1])
  platform.set({ visible: false, online: false })
  platform.set({ online: true })
  await settle()
  assert.equal([stream.status.value, wire.opened.length], ['paused', 1])
  platform.set({ visible: true })
  await settle()
  assert.equal([stream.status.value, wire.opened.length], ['connecting', 2])
})

test('a connection that was stopped stays so after a logout, and stops once', async () => {
  const { controller, stream, wire } = set()
  await settle()
  stream.stop()
  stream.stop()
  controller.reset()
  await settle()
  assert.equal([stream.status.value, wire.opened.length], ['stopped', 1])
  controller.dispose()
  assert.is(stream.status.value, 'stopped')
})

test('a page that is hidden for a minute disconnects until it is seen; a shorter look elsewhere costs nothing', async () => {
  const { wire, platform, stream, send, pass } = set()
  await send(upsert(1, 'a'))
  platform.set({ visible: false })
  await pass(59_000)
  platform.set({ visible: true })
  await pass(59_000)
  platform.set({ visible: false })
  await pass(59_900)
  assert.is(stream.status.value, 'open')
  await pass(200)
  assert.is(stream.status.value, 'paused')
  assert.is(wire.opened.length, 1)
  platform.set({ visible: true })
  await settle()
  assert.equal(wire.opened, [undefined, '1'])
})

test('a connection that is silent for longer than its pings allow is given up', async () => {
  const { wire, stream, send, pass } = set()
  await send({ id: '1', type: 'ping', every: 1000 })
  await pass(1500)
  await send({ id: '1', type: 'ping', every: 1000 })
  await pass(1900)
  assert.is(stream.status.value, 'open')
  await pass(700)
  assert.is(wire.opened.length, 2)
  assert.is(wire.opened[1], '1')
})

test('a connection without pings may be silent for ever', async () => {
  const { wire, send, pass } = set()
  await send(upsert(1, 'a'))
  await pass(600_000)
  assert.is(wire.opened.length, 1)
})

test('stop ends it, also while it waits, and leaves no timer and no listener', async () => {
  const { wire, stream, platform, clock, pass, controller } = set({}, { gc: false })
  wire.drop()
  await settle()
  stream.stop()
  stream.stop()
  assert.is(stream.status.value, 'stopped')
  await pass(60_000)
  assert.is(wire.opened.length, 1)
  assert.is(clock.pending, 0)
  assert.is(platform.watchers, 0)
  const other = set({}, { gc: false })
  await other.send({ id: '1', type: 'ping', every: 1000 }, { id: '2', type: 'reset' })
  other.controller.dispose()
  assert.is(other.stream.status.value, 'stopped')
  assert.ok(other.wire.signal.aborted)
  assert.is(other.clock.pending, 0)
  await other.pass(60_000)
  assert.equal(other.errors, [])
  controller.dispose()
})

test('what arrives after stop does not land', async () => {
  const { wire, stream, pass, controller } = set()
  await pass(0)
  wire.send(upsert(1, 'a'))
  await settle()
  stream.stop()
  await pass(100)
  assert.is(controller.get(Todo, { id: 1 }), undefined)
})

test('a reset of the store drops what has not landed and connects anew, without an id', async () => {
  const { wire, pass, controller, send, stream } = set()
  await send(upsert(1, 'a', '8'))
  wire.send(upsert(2, 'of the last user', '9'))
  await settle()
  controller.reset()
  await pass(100)
  assert.equal(wire.opened, [undefined, undefined])
  assert.is(controller.get(Todo, { id: 1 }), undefined)
  assert.is(controller.get(Todo, { id: 2 }), undefined)
  assert.is(stream.lastId(), undefined)
  await send(upsert(3, 'of the next user', '1'))
  assert.is(controller.get(Todo, { id: 3 })?.title, 'of the next user')
})

test('two streams of one controller both write', async () => {
  const { controller, send, pass } = set()
  const wire = new Wire()
  const second = connect(controller, { source: wire.source, types: { Todo } })
  await send(upsert(1, 'a'))
  wire.send(upsert(2, 'b'))
  await pass(100)
  assert.is(controller.get(Todo, { id: 1 })?.title, 'a')
  assert.is(controller.get(Todo, { id: 2 })?.title, 'b')
  second.stop()
  await send(upsert(3, 'c'))
  assert.is(controller.get(Todo, { id: 3 })?.title, 'c')
})

test('endpoints with `stream: true` do not poll while there is a stream; others do', async () => {
  const { controller, fetch, pass, stream } = set()
  const polled = TodoResource.getList.extend({ pollFrequency: 1000 })
  const streamed = TodoResource.get.extend({ pollFrequency: 1000, stream: true })
  const stops = [subscribe(controller, polled), subscribe(controller, streamed, { id: 1 })]
  await pass(3500)
  assert.equal(new Set(fetch.calls.map(({ url }) => url)), new Set(['/todos']))
  for (const stop of stops) stop()
  stream.stop()
  const stop = subscribe(controller, streamed, { id: 1 })
  await pass(2500)
  assert.ok(fetch.calls.some(({ url }) => url === '/todos/1'))
  stop()
})

test('an address can follow what is on screen; a read that is new there is fetched again', async () => {
  const opened: string[] = []
  const sources: { onmessage: ((event: never) => void) | null; closed: boolean }[] = []
  const open = (url: string) => {
    opened.push(url)
    const events = { onmessage: null, onerror: null, closed: false, close: () => void (events.closed = true) }
    sources.push(events)
    return events
  }
  const message = (data: object, lastEventId: string): void => sources.at(-1)!.onmessage!({ data: JSON.stringify(data), lastEventId } as never)
  const { controller, fetch, pass } = set({ source: undefined as never, open, url: keys => `/stream?keys=${keys.join()}` })
  const get = TodoResource.get.extend({ stream: true })
    const reading = effectOf(controller, get, { id: 1 })
  const stopOne = subscribe(controller, get, { id: 1 })
  await pass(100)
  message({ type: 'reset' }, '5')
  await pass(1100)
  const before = fetch.calls.length
  const stopList = subscribe(controller, get, { id: 2 })
  const stopAgain = subscribe(controller, get, { id: 1 })
  await pass(100)
  assert.is(opened.at(-1), '/stream?keys=GET /todos/1,GET /todos/2&lastEventId=5')
  assert.ok(sources.slice(0, -1).every(({ closed }) => closed))
  message({ type: 'ping' }, '')
  await pass(1100)
  assert.is(fetch.calls.length, before)
  stopList()
  stopAgain()
  await pass(100)
  assert.is(opened.at(-1), '/stream?keys=GET /todos/1&lastEventId=5')
  stopOne()
  await pass(100)
  message({ type: 'ping' }, '')
  const stopBack = subscribe(controller, get, { id: 1 })
  await pass(100)
  message({ type: 'ping' }, '')
  await pass(1100)
  assert.is(fetch.calls.length, before + 1)
  stopBack()
  reading.stop()
})

test.run()
