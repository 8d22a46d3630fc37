import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { subscribe } from '../../../src/index.ts'
import { connect } from '../../../src/push/index.ts'
import { createPlatform } from '../managers/world.ts'
import { effectOf, set, settle, Todo, TodoResource, upsert, Wire } from './wire.ts'

const test = suite('push: connection')

test('resumes after the last message that it has received', async () => {
  const { wire, send, pass, stream, todo } = set()
  assert.is(stream.status.value, 'connecting')
  await send(upsert({ id: 1, title: 'a' }, '41'), upsert({ id: 2, title: 'b' }, '42'))
  assert.equal([stream.status.value, stream.lastId()], ['open', '42'])
  wire.drop()
  await settle()
  assert.is(stream.status.value, 'waiting')
  await pass(500)
  assert.equal(wire.opened, [undefined, '42'])
  await send(upsert({ id: 2, title: 'c' }, '43'))
  assert.is(todo(2)?.title, 'c')
})

test('a message that has arrived and not landed is not asked for again, and lands', async () => {
  const { wire, pass, todo } = set()
  await pass(0)
  wire.send(upsert({ id: 1, title: 'a' }))
  await settle()
  wire.drop()
  await pass(1000)
  assert.equal([wire.opened, todo(1)?.title], [[undefined, '1'], 'a'])
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
  const { wire, errors, pass } = set()
  await pass(0)
  for (let n = 0; n < 3; n++) {
    wire.drop(new Error('refused'))
    await pass(2000)
  }
  assert.equal(errors.map(({ message }) => message), ['refused'])
})

test('a source that cannot even be called, and a stream that cannot be opened, are reported and tried again', async () => {
  let calls = 0
  const fail = (): never => {
    calls++
    throw new Error('broken')
  }
  for (const options of [{ source: fail }, { source: undefined, url: '/stream', open: fail }] as object[]) {
    calls = 0
    const { errors, stream, pass } = set(options)
    await settle()
    assert.equal([errors.length, stream.status.value], [1, 'waiting'])
    await pass(500)
    assert.equal([errors.length, calls], [1, 2])
  }
})

test('pauses offline, and connects at once when it is online again', async () => {
  const { wire, platform, stream, send, pass } = set()
  await send(upsert({ id: 1, title: 'a' }))
  platform.set({ online: false })
  assert.equal([stream.status.value, wire.signal.aborted], ['paused', true])
  await pass(60_000)
  assert.is(wire.opened.length, 1)
  platform.set({ online: true })
  await settle()
  assert.equal(wire.opened, [undefined, '1'])
})

for (const name of ['online', 'visible'] as const) {
  test(`a page that is opened while it is not ${name} connects when it is; one that is hidden does not when it comes online`, async () => {
    const platform = createPlatform()
    platform.set({ [name]: false })
    const { stream, wire } = set({}, { platform })
    const status = async (): Promise<unknown[]> => {
      await settle()
      return [stream.status.value, wire.opened.length]
    }
    assert.equal(await status(), ['paused', 0])
    platform.set({ [name]: true })
    assert.equal(await status(), ['connecting', 1])
    platform.set({ visible: false, online: false })
    platform.set({ online: true })
    assert.equal(await status(), ['paused', 1])
    platform.set({ visible: true })
    assert.equal(await status(), ['connecting', 2])
  })
}

test('a page that is hidden for a minute disconnects until it is seen; a shorter look elsewhere costs nothing', async () => {
  const { wire, platform, stream, send, pass } = set()
  await send(upsert({ id: 1, title: 'a' }))
  platform.set({ visible: false })
  await pass(59_000)
  platform.set({ visible: true })
  await pass(59_000)
  platform.set({ visible: false })
  await pass(59_900)
  assert.is(stream.status.value, 'open')
  await pass(200)
  assert.equal([stream.status.value, wire.opened.length], ['paused', 1])
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
  assert.equal(wire.opened, [undefined, '1'])
})

test('a connection without pings may be silent for ever', async () => {
  const { wire, send, pass } = set()
  await send(upsert({ id: 1, title: 'a' }))
  await pass(600_000)
  assert.is(wire.opened.length, 1)
})

test('stop ends it once and for all, also while it waits and after a logout, and leaves no timer and no listener', async () => {
  const { wire, stream, platform, clock, pass, controller } = set({}, { gc: false })
  wire.drop()
  await settle()
  stream.stop()
  stream.stop()
  await pass(60_000)
  controller.reset()
  await settle()
  assert.equal([stream.status.value, wire.opened.length, clock.pending, platform.watchers], ['stopped', 1, 0, 0])
  controller.dispose()
  assert.is(stream.status.value, 'stopped')
})

test('the end of the controller stops it', async () => {
  const { send, controller, stream, wire, clock, pass, errors } = set({}, { gc: false })
  await send({ id: '1', type: 'ping', every: 1000 }, { id: '2', type: 'reset' })
  controller.dispose()
  assert.equal([stream.status.value, wire.signal.aborted, clock.pending], ['stopped', true, 0])
  await pass(60_000)
  assert.equal(errors, [])
})

test('what arrives after stop does not land', async () => {
  const { wire, stream, pass, todo } = set()
  await pass(0)
  wire.send(upsert({ id: 1, title: 'a' }))
  await settle()
  stream.stop()
  await pass(100)
  assert.is(todo(1), undefined)
})

test('a reset of the store drops what has not landed and connects anew, without an id', async () => {
  const { wire, pass, controller, send, stream, todo } = set()
  await send(upsert({ id: 1, title: 'a' }, '8'))
  wire.send(upsert({ id: 2, title: 'of the last user' }, '9'))
  await settle()
  controller.reset()
  await pass(100)
  assert.equal([wire.opened, stream.lastId()], [[undefined, undefined], undefined])
  assert.equal([todo(1), todo(2)], [undefined, undefined])
  await send(upsert({ id: 3, title: 'of the next user' }))
  assert.is(todo(3)?.title, 'of the next user')
})

test('two streams of one controller both write', async () => {
  const { controller, send, pass, todo } = set()
  const wire = new Wire()
  const second = connect(controller, { source: wire.source, types: { Todo } })
  await send(upsert({ id: 1, title: 'a' }))
  wire.send(upsert({ id: 2, title: 'b' }))
  await pass(100)
  second.stop()
  await send(upsert({ id: 3, title: 'c' }))
  assert.equal([1, 2, 3].map(id => todo(id)?.title), ['a', 'b', 'c'])
})

test('endpoints with `stream: true` do not poll while there is a stream; others do', async () => {
  const { controller, asked, pass, stream } = set()
  const polled = TodoResource.getList.extend({ pollFrequency: 1000 })
  const streamed = TodoResource.get.extend({ pollFrequency: 1000, stream: true })
  const stops = [subscribe(controller, polled), subscribe(controller, streamed, { id: 1 })]
  await pass(3500)
  assert.equal(new Set(asked()), new Set(['GET /todos']))
  for (const stop of stops) stop()
  stream.stop()
  subscribe(controller, streamed, { id: 1 })
  await pass(2500)
  assert.ok(asked().includes('GET /todos/1'))
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
  effectOf(controller, get, { id: 1 })
  const stopOne = subscribe(controller, get, { id: 1 })
  await pass(100)
  message({ type: 'reset' }, '5')
  await pass(1100)
  const before = fetch.calls.length
  const more = [subscribe(controller, get, { id: 2 }), subscribe(controller, get, { id: 1 })]
  await pass(100)
  assert.is(opened.at(-1), '/stream?keys=GET /todos/1,GET /todos/2&lastEventId=5')
  assert.ok(sources.slice(0, -1).every(({ closed }) => closed))
  message({ type: 'ping' }, '')
  await pass(1100)
  assert.is(fetch.calls.length, before)
  for (const stop of more) stop()
  await pass(100)
  assert.is(opened.at(-1), '/stream?keys=GET /todos/1&lastEventId=5')
  stopOne()
  await pass(100)
  message({ type: 'ping' }, '')
  subscribe(controller, get, { id: 1 })
  await pass(100)
  message({ type: 'ping' }, '')
  await pass(1100)
  assert.is(fetch.calls.length, before + 1)
})

test.run()
