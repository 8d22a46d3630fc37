import { signal, useComputed, type ReadonlySignal } from '@preact/signals'
import { h, render, type ComponentChild } from 'preact'
import { startTransition } from 'preact/compat'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DataProvider, useCache, useCacheSignal, useDLE, useLive, useQuery } from '../../../bindings/preact/index.ts'
import { useQuerySignal, useSubscription, useSuspense, useSuspenseSignal, type DLE } from '../../../bindings/preact/index.ts'
import type { AnyEndpoint } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { withDom } from '../../support/dom.ts'
import { waitFor } from './preactFramework.ts'
import { settle, Stage } from './preactStage.ts'
import { get, Todo } from './todo.ts'
import { quiet, until } from './wire.ts'

/** What Preact's way of waiting asks for, beside what both bindings do. */
const test = suite('preact: waiting and failing')
withDom(test)

let stage: Stage
test.before.each(() => {
  stage = new Stage()
})
test.after.each(() => stage.end())

const Title = ({ id, endpoint = get }: { id: string; endpoint?: AnyEndpoint }): ComponentChild => (useSuspense(endpoint, { id }) as Todo).title

test('arguments that change while data is on show: waits for the new, and never shows the old under them', async () => {
  const id = signal('1')
  const seen: string[] = []
  const Reader = (): ComponentChild => {
    const { title } = useSuspense(get, { id: id.value })
    seen.push(`${id.value} ${title}`)
    return title
  }
  stage.show(waitFor(h(Reader, {})))
  await stage.arrives('1', 'one', 'one')
  id.value = '2'
  await stage.shows('waiting')
  await stage.arrives('2', 'two', 'two')
  id.value = '1'
  await stage.shows('one')
  assert.equal([seen, stage.wire.sent.length], [['1 one', '2 two', '1 one'], 2])
})

test('a reset while others wait is no failure: what had come meanwhile, and is gone, is waited for again', async () => {
  stage.show(waitFor([h(Title, { id: '1' }), h(Title, { id: '2' })]))
  await until(() => stage.wire.pending === 2)
  stage.store('1', 'early')
  await settle()
  assert.is(stage.text, 'waiting')
  stage.controller.reset()
  await until(() => stage.wire.pending === 4)
  assert.is(stage.text, 'waiting')
  for (const title of ['before', 'after']) for (const id of ['1', '2']) await stage.answer(id, title)
  await stage.shows('afterafter')
})

const polled = get.extend({ pollFrequency: 1000 })
for (const [name, Reader, ...ids] of [
  ['useLive', () => useLive(polled, { id: '1' }).title, '1'],
  ['useSubscription, then useSuspense', () => (useSubscription(polled, { id: 'known' }), useSuspense(get, { id: '1' }).title), '1'],
  ['useDLE, then useSuspense', () => (useDLE(get, { id: 'known' }), useSuspense(get, { id: '1' }).title), '1'],
  ['useSuspense of what is there, then of what is not', () => (useSuspense(get, { id: 'known' }), useSuspense(get, { id: '1' }).title), '1'],
  ['useSuspense three times', () => (useSuspense(get, { id: '1' }), useSuspense(get, { id: '2' }), useSuspense(get, { id: '3' }).title), '1', '2', '3'],
  ['useSuspenseSignal twice', () => (useSuspenseSignal(get, { id: '1' }), useSuspenseSignal(get, { id: '2' }).value.title), '1', '2'],
] as [name: string, Reader: () => ComponentChild, ...ids: string[]][]) {
  test(`what stood before a hook that waited ends with its component: ${name}`, async () => {
    stage.controller.setResponse(get, { id: 'known' }, { id: 'known' })
    const Beside = (): ComponentChild => useQuery(Todo, { id: 'known' })?.id
    stage.show([waitFor(h(Reader, {})), h(Beside, {})])
    for (const id of ids) await stage.answer(id, 'milk')
    await stage.shows('milkknown')
    stage.draw(null)
    const sent = stage.wire.sent.length
    stage.expireAll()
    stage.clock.advance(5000)
    await quiet()
    assert.is(stage.wire.sent.length, sent)
  })
}

test('what stood before a hook that waited does not begin when the component has nothing to wait for a moment later', async () => {
  const id = signal<string | null>('2')
  const Polls = ({ id }: { id: string | null }): ComponentChild => {
    const args = id === null ? null : { id }
    useSubscription(polled, args)
    return useSuspense(get, args)?.title ?? 'nothing'
  }
  const Picks = (): ComponentChild => h(Polls, { id: id.value })
  // No `act`, which would draw it all at once.
  render(h(DataProvider, { controller: stage.controller }, waitFor(h(Title, { id: '1' })), waitFor(h(Picks, {}))), stage.page)
  id.value = null
  await stage.answer('1', 'milk')
  await stage.arrives('2', 'bread', 'milknothing')
  stage.clock.advance(1)
  await quiet()
  stage.clock.advance(5000)
  await quiet()
  assert.equal(stage.wire.sent, ['GET /todos/1', 'GET /todos/2'])
})

test('what stood before a hook that waited, again and for something else, is followed once it is shown', async () => {
  const id = signal('1')
  stage.store('known', 'salt')
  const Two = ({ id }: { id: string }): ComponentChild => [useSuspense(get, { id: 'known' }).title, useSuspense(get, { id }).title]
  const Picks = (): ComponentChild => h(Two, { id: id.value })
  stage.show(waitFor(h(Picks, {})))
  await until(() => stage.wire.pending === 1)
  id.value = '2'
  await until(() => stage.wire.pending === 2)
  await stage.answer('1', 'milk')
  await stage.arrives('2', 'bread', 'saltbread')
  stage.expireAll()
  await quiet()
  assert.equal(stage.wire.sent.slice(2).sort(), ['GET /todos/2', 'GET /todos/known'])
})

test('who went while it waited asks for nothing after a reset or an invalidation; who reads the same beside it does', async () => {
  for (const lose of [() => stage.controller.reset(), () => stage.controller.invalidate(get, { id: '1' })]) {
    const sent = stage.wire.sent.length
    stage.show(waitFor(h(Title, { id: '1' })))
    await until(() => stage.wire.sent.length === sent + 1)
    stage.draw(null)
    lose()
    await quiet()
    assert.is(stage.wire.sent.length, sent + 1)
    stage.controller.reset()
    await quiet()
    stage.clock.advance(5000)
  }
  const Reads = (): ComponentChild => useDLE(get, { id: '2' }).data?.title ?? '…'
  const reads = h(Reads, { key: 'reads' })
  stage.show([h('p', { key: 'waits' }, waitFor(h(Title, { id: '2' }))), reads])
  stage.show([reads])
  await until(() => stage.wire.sent.includes('GET /todos/2'))
  stage.controller.invalidate(get, { id: '2' })
  await stage.answer('2', 'old')
  await stage.arrives('2', 'new', 'new')
})

test('what is hidden by a boundary beside it keeps its request', async () => {
  const id = signal('1')
  const Waits = (): ComponentChild => useSuspense(get, { id: id.value }).title
  const Reads = (): ComponentChild => useDLE(get, { id: '9' }).data?.title
  stage.store('1', 'one')
  stage.show(waitFor([h(Waits, {}), h(Reads, {})]))
  await until(() => stage.wire.sent.length === 1)
  id.value = '2'
  await stage.shows('waiting')
  await stage.answer('2', 'two')
  await stage.arrives('9', 'nine', 'twonine')
  assert.equal([stage.wire.aborted, stage.wire.sent.length], [[], 2])
})

test('Preact has no transitions: in startTransition the fallback shows as well', async () => {
  const id = signal('1')
  const Picks = (): ComponentChild => h(Title, { id: id.value })
  stage.store('1', 'one')
  stage.show(waitFor(h(Picks, {})))
  startTransition(() => void (id.value = '2'))
  await stage.shows('waiting')
  await stage.arrives('2', 'two', 'two')
})

for (const [name, use] of [
  ['useSuspenseSignal', id => useSuspenseSignal(get, { id })],
  ['useSuspense, then useQuerySignal', id => (useSuspense(get, { id }), useQuerySignal(Todo, { id }))],
  ['useSuspense, then useCacheSignal', id => (useSuspense(get, { id }), useCacheSignal(get, { id }))],
] as [name: string, use: (id: string) => ReadonlySignal<Todo | undefined>][]) {
  test(`a text that follows a signal is that of the arguments as they are, whatever becomes of those before: ${name}`, async () => {
    const id = signal('1')
    const Text = ({ id }: { id: string }): ComponentChild => {
      const todo = use(id)
      return h('b', null, useComputed(() => todo.value?.title))
    }
    const Pane = (): ComponentChild => waitFor(h(Text, { id: id.value }))
    stage.show(h(Pane, {}))
    for (const now of ['1', '2', '3']) {
      id.value = now
      await stage.arrives(now, `title ${now}`, `title ${now}`)
      for (const other of ['1', '2']) if (other < now) stage.retitle(other, `${other} while ${now} is on show`)
      await settle()
      assert.is(stage.text, `title ${now}`)
    }
    stage.controller.invalidate(get, { id: '3' })
    await stage.shows('waiting')
    stage.retitle('2', 'hidden')
    await stage.arrives('3', 'back', 'back')
    stage.retitle('3', 'last')
    await stage.shows('last')
  })
}

test('without a boundary above, a component that waits says so by what it throws, and nothing is asked for twice', async () => {
  const page = document.createElement('div')
  const draw = (): void => render(h(DataProvider, { controller: stage.controller, children: h(Title, { id: '1' }) }), page)
  const thrown: unknown[] = [caught(draw), caught(draw)]
  for (const each of thrown) assert.instance(each, Promise)
  await stage.answer('1', 'milk')
  await Promise.all(thrown)
  assert.is(stage.wire.sent.length, 1)
})

test('two who waited for what is stale at once have asked once, under one boundary or two', async () => {
  const endpoint = get.extend({ dataExpiryLength: 0 })
  for (const [id, page] of [
    ['1', waitFor([h(Title, { key: 'a', id: '1', endpoint }), h(Title, { key: 'b', id: '1', endpoint })])],
    ['2', [waitFor(h(Title, { id: '2', endpoint })), waitFor(h(Title, { id: '2', endpoint }))]],
  ] as const) {
    stage.show(page)
    await stage.arrives(id, 'milk', 'milkmilk')
    await quiet()
    stage.draw(null)
  }
  assert.equal(stage.wire.sent, ['GET /todos/1', 'GET /todos/2'])
  stage.show(waitFor(h(Title, { id: '1', endpoint })))
  await stage.arrives('1', 'bread', 'bread')
})

test('who waits for one row by different classes is shown each his own', async () => {
  class Loud extends Todo {
    get loud(): string {
      return `${this.title}!`
    }
  }
  const getLoud = get.extend({ schema: Loud })
  const Waits = ({ id }: { id: string }): ComponentChild => useSuspense(getLoud, { id }).loud
  const Reads = ({ id }: { id: string }): ComponentChild => useDLE(getLoud, { id }).data?.loud
  for (const id of ['1', '2']) {
    stage.show([waitFor([h(Title, { id }), h(Waits, { id })]), waitFor(h(Waits, { id })), h(Reads, { id })])
    await stage.arrives(id, 'milk', 'milkmilk!milk!milk!')
  }
  // Who waited first has gone meanwhile.
  stage.show([waitFor(h(Title, { id: '3' })), waitFor(h(Waits, { id: '3' }))])
  stage.show([null, waitFor(h(Waits, { id: '3' }))])
  await stage.arrives('3', 'milk', 'milk!')
  assert.is(stage.wire.sent.length, 3)
  const Any = ({ endpoint }: { endpoint: AnyEndpoint }): ComponentChild => {
    const call = [endpoint, { id: '3' }] as const
    const all = [useSuspense(...call), useDLE(...call).data, useCache(...call), useSuspenseSignal(...call).value]
    return all.map(each => (each as Loud).loud ?? '').join()
  }
  for (const [endpoint, text] of [[get, ',,,'], [getLoud, 'milk!,milk!,milk!,milk!']] as const) {
    stage.show(h(Any, { endpoint }))
    assert.is(stage.text, text)
  }
})

test('an endpoint that a component makes each time is called as it was made last', async () => {
  const token = signal('old')
  const seen: string[] = []
  // Spells the same, and sends another header.
  const signed = (by = token.value): typeof get => polled.extend({ getHeaders: headers => (seen.push(by), headers) }) as unknown as typeof get
  let dle: DLE<Todo> | undefined
  for (const [name, Reader] of [
    ['useSuspense', () => useSuspense(signed(), { id: '1' }).title],
    ['useSuspenseSignal', () => useSuspenseSignal(signed(), { id: '1' }).value.title],
    ['useDLE', () => (dle = useDLE(signed(), { id: '1' })).data?.title],
    ['useSubscription', () => (useSubscription(signed(), { id: '1' }), useCache(get, { id: '1' })?.title)],
  ] as [name: string, Reader: () => ComponentChild][]) {
    token.value = 'old'
    stage.show(waitFor(h(Reader, { key: name })))
    stage.clock.advance(0)
    await stage.arrives('1', 'milk', 'milk')
    token.value = 'new'
    await settle()
    seen.length = 0
    stage.clock.advance(500)
    token.value = 'newest'
    await settle()
    stage.clock.advance(499)
    if (name === 'useSubscription') stage.clock.advance(1)
    else stage.expireAll()
    await stage.arrives('1', 'bread', 'bread')
    if (name === 'useDLE') {
      void dle!.refetch()
      await stage.arrives('1', 'salt', 'salt')
    }
    assert.equal([...new Set(seen)], ['newest'], name)
    stage.draw(null)
    stage.controller.reset()
    stage.clock.advance(5000)
    await quiet()
    assert.is(stage.wire.pending, 0)
  }
})

test('who waited in vain, who waited and went, and who was shown and went leave no timer, and nothing is asked for', async () => {
  const Row = ({ id }: { id: string }): ComponentChild => {
    useSubscription(polled, { id })
    return [useQuerySignal(Todo, { id }).value?.title, useDLE(get, { id }).data?.title, useSuspense(get, { id }).title]
  }
  stage.store('known', 'salt')
  for (const id of ['known', '1', '2', '3']) stage.show(h('p', { key: id }, waitFor(h(Row, { id }))))
  stage.draw(null)
  for (const id of ['1', '2', '3']) await stage.answer(id, 'milk', id === '3' ? 404 : 200)
  // The views that nobody reads any more are released some time later.
  for (let turn = 0; turn < 3; turn++) {
    await settle()
    stage.clock.advance(600_000)
  }
  assert.equal([stage.clock.pending, stage.wire.sent.length], [0, 3])
})

test.run()
