import { signal, useComputed, type ReadonlySignal } from '@preact/signals'
import { Component, h, render, type ComponentChild, type ComponentChildren } from 'preact'
import { Suspense } from 'preact/compat'
import { useState } from 'preact/hooks'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DataProvider, useCache, useCacheSignal, useController, useDLE, useFetch, useHistory, useLive, useQuery, useQuerySignal, useSubscription, useSuspense, useSuspenseSignal, type DLE } from '../../../bindings/preact/index.ts'
import { historyOf } from '../../../src/history/index.ts'
import { All, Endpoint, type AnyEndpoint, type Controller } from '../../../src/index.ts'
import { withDom } from '../../support/dom.ts'
import { Disposals } from './Disposals.ts'
import { get, getList, partialUpdate, rowsOf, settle, Stage, Todo } from './preactStage.ts'
import { quiet, until } from './wire.ts'

/** Waiting, failing, and coming back. */
const test = suite('preact: waiting and failing')
withDom(test)

let stage: Stage
const faults: unknown[] = []
const note = (error: unknown): void => void faults.push(error)

test.before(() => {
  if (typeof process !== 'undefined') process.on('unhandledRejection', note)
})
test.before.each(() => {
  stage = new Stage()
})
test.after.each(() => stage.end())

/** Shows what was thrown, and tries again on request. */
class Boundary extends Component<{ children?: ComponentChildren }, { error?: Error | undefined }> {
  static last: Boundary
  static override getDerivedStateFromError(error: Error): { error: Error } {
    return { error }
  }

  override render(): ComponentChildren {
    Boundary.last = this
    return this.state.error ? `error: ${this.state.error.message}` : this.props.children
  }

  retry(): void {
    this.setState({ error: undefined })
  }
}

const waitFor = (children: ComponentChildren): ComponentChild => h(Boundary, {}, h(Suspense, { fallback: 'waiting', children }))
const Title = ({ id, endpoint = get }: { id: string; endpoint?: AnyEndpoint }): ComponentChild => (useSuspense(endpoint, { id }) as Todo).title
const shows = (text: string): Promise<void> => until(() => stage.text === text, text).catch(() => assert.is(stage.text, text))

test('a provider below the boundary keeps its own store while its children wait, and disposes of it once', async () => {
  const disposals = new Disposals()
  let own: Controller | undefined
  const Own = (): null => {
    const controller = useController()
    assert.ok(own === undefined || own === controller)
    own = disposals.watch(controller)
    return null
  }
  const endpoint = get.extend({ transport: stage.wire.fetch })
  stage.draw(waitFor(h(DataProvider, {}, h(Own, {}), h(Title, { id: '1', endpoint }))))
  await stage.wire.answer('/todos/1', { id: '1', title: 'milk' })
  await shows('milk')
  assert.is(stage.wire.sent.length, 1)
  own!.invalidate(endpoint, { id: '1' })
  await shows('waiting')
  assert.is(disposals.of(own!), 0)
  await stage.wire.answer('/todos/1', { id: '1', title: 'bread' })
  await shows('bread')
  stage.draw(null)
  assert.is(disposals.of(own!), 1)
})

test('a provider that goes while its children wait disposes of its own store', async () => {
  const disposals = new Disposals()
  let own: Controller | undefined
  const Own = (): null => {
    own = disposals.watch(useController())
    return null
  }
  stage.draw(h(DataProvider, {}, h(Own, {}), waitFor(h(Title, { id: '1', endpoint: get.extend({ transport: stage.wire.fetch }) }))))
  await shows('waiting')
  stage.draw(null)
  assert.is(disposals.of(own!), 1)
  await settle()
})

test('a provider may begin with a state', () => {
  stage.controller.setResponse(getList, rowsOf(2))
  const Count = (): ComponentChild => useSuspense(getList).length
  stage.draw(waitFor(h(DataProvider, { initialState: stage.controller.snapshot() }, h(Count, {}))))
  assert.is(stage.text, '2')
})

test('arguments that change while data is on show: waits for the new, never shows the old under them, and keeps its state', async () => {
  const id = signal('1')
  const seen: string[] = []
  const Reader = (): ComponentChild => {
    const [mine] = useState({})
    const now = id.value
    const { title } = useSuspense(get, { id: now })
    seen.push(`${now} ${title}`)
    states.add(mine)
    return title
  }
  const states = new Set<object>()
  stage.show(waitFor(h(Reader, {})))
  await stage.wire.answer('/todos/1', { id: '1', title: 'one' })
  await shows('one')
  id.value = '2'
  await shows('waiting')
  await stage.wire.answer('/todos/2', { id: '2', title: 'two' })
  await shows('two')
  id.value = '1'
  await shows('one')
  assert.equal(seen, ['1 one', '2 two', '1 one'])
  assert.is(stage.wire.sent.length, 2)
})

test('a boundary that tries again asks again at once', async () => {
  stage.show(waitFor(h(Title, { id: '1' })))
  await stage.wire.answer('/todos/1', {}, 404)
  await until(() => stage.text.startsWith('error'))
  Boundary.last.retry()
  await shows('waiting')
  await stage.wire.answer('/todos/1', { id: '1', title: 'milk' })
  await shows('milk')
  assert.is(stage.wire.sent.length, 2)
})

test('a hard failure on show goes to the boundary; tried again, it asks, though the data is fresh', async () => {
  stage.controller.setResponse(get, { id: '1' }, { id: '1', title: 'milk' })
  stage.show(waitFor(h(Title, { id: '1' })))
  stage.controller.setError(get, { id: '1' }, Object.assign(new Error('forbidden'), { status: 403 }))
  await shows('error: forbidden')
  stage.clock.advance(get.errorExpiryLength + 1)
  Boundary.last.retry()
  await stage.wire.answer('/todos/1', { id: '1', title: 'bread' })
  await shows('bread')
})

test('a hard failure on show goes to the boundary, however short errors are retained', async () => {
  const endpoint = get.extend({ errorExpiryLength: 0 })
  stage.controller.setResponse(endpoint, { id: '1' }, { id: '1', title: 'milk' })
  stage.show(waitFor(h(Title, { id: '1', endpoint })))
  stage.controller.setError(endpoint, { id: '1' }, Object.assign(new Error('forbidden'), { status: 403 }))
  await shows('error: forbidden')
  assert.equal(stage.wire.sent, [])
})

test('a reset while it waits is no failure: it waits for the next answer', async () => {
  stage.show(waitFor(h(Title, { id: '1' })))
  await until(() => stage.wire.pending === 1)
  stage.controller.reset()
  await until(() => stage.wire.pending === 2)
  await settle()
  assert.is(stage.text, 'waiting')
  await stage.wire.answer('/todos/1', { id: '1', title: 'before' })
  await stage.wire.answer('/todos/1', { id: '1', title: 'after' })
  await shows('after')
})

test('nor is a reset while others wait: what had come meanwhile, and is gone, is waited for again', async () => {
  stage.show(waitFor([h(Title, { id: '1' }), h(Title, { id: '2' })]))
  await until(() => stage.wire.pending === 2)
  stage.controller.setResponse(get, { id: '1' }, { id: '1', title: 'early' })
  await settle()
  assert.is(stage.text, 'waiting')
  stage.controller.reset()
  await until(() => stage.wire.pending === 4)
  assert.is(stage.text, 'waiting')
  for (const title of ['before', 'after']) for (const id of ['1', '2']) await stage.wire.answer(`/todos/${id}`, { id, title })
  await shows('afterafter')
})

test('who has waited, was shown, and has gone, asks for nothing any more', async () => {
  stage.show(waitFor(h(Title, { id: '1' })))
  await stage.wire.answer('/todos/1', { id: '1', title: 'milk' })
  await shows('milk')
  stage.draw(null)
  stage.controller.expireAll({ testKey: () => true })
  stage.controller.invalidate(get, { id: '1' })
  await settle()
  assert.is(stage.wire.sent.length, 1)
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
    for (const id of ids) await stage.wire.answer(`/todos/${id}`, { id, title: 'milk' })
    await shows('milkknown')
    stage.draw(null)
    const sent = stage.wire.sent.length
    stage.controller.expireAll({ testKey: () => true })
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
  await stage.wire.answer('/todos/1', { id: '1', title: 'milk' })
  await stage.wire.answer('/todos/2', { id: '2', title: 'bread' })
  await shows('milknothing')
  stage.clock.advance(1)
  await quiet()
  stage.clock.advance(5000)
  await quiet()
  assert.equal(stage.wire.sent, ['GET /todos/1', 'GET /todos/2'])
})

test('what stood before a hook that waited, again and for something else, is followed once it is shown', async () => {
  const id = signal('1')
  stage.controller.setResponse(get, { id: 'known' }, { id: 'known', title: 'salt' })
  const Two = ({ id }: { id: string }): ComponentChild => [useSuspense(get, { id: 'known' }).title, useSuspense(get, { id }).title]
  const Picks = (): ComponentChild => h(Two, { id: id.value })
  stage.show(waitFor(h(Picks, {})))
  await until(() => stage.wire.pending === 1)
  id.value = '2'
  await until(() => stage.wire.pending === 2)
  await stage.wire.answer('/todos/1', { id: '1', title: 'milk' })
  await stage.wire.answer('/todos/2', { id: '2', title: 'bread' })
  await shows('saltbread')
  stage.controller.expireAll({ testKey: () => true })
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
  await stage.wire.answer('/todos/2', { id: '2', title: 'old' })
  await stage.wire.answer('/todos/2', { id: '2', title: 'new' })
  await shows('new')
})

test('an abort ends the wait at the boundary, and nothing is asked for again by itself', async () => {
  stage.show(waitFor(h(Title, { id: '1' })))
  await until(() => stage.wire.pending === 1)
  stage.controller.abort(get, { id: '1' })
  await until(() => stage.text.startsWith('error'))
  await quiet()
  assert.is(stage.wire.sent.length, 1)
})

test('a signal that has ended, or a controller that was disposed of, is an error and no loop', async () => {
  const abort = new AbortController()
  abort.abort()
  stage.show(waitFor(h(Title, { id: '1', endpoint: get.extend({ signal: abort.signal }) })))
  await until(() => stage.text.startsWith('error'))
  stage.draw(null)
  stage.controller.dispose()
  stage.show(waitFor(h(Title, { id: '2' })))
  await until(() => stage.text.startsWith('error'))
  assert.match(stage.text, 'disposed')
  assert.equal(stage.wire.sent, [])
})

test('an answer that its schema cannot show is an error that says so', async () => {
  class Picky extends Todo {
    static override key = 'Picky'
    static override createIfValid(): undefined {}
  }
  stage.show(waitFor(h(Title, { id: '1', endpoint: get.extend({ schema: Picky }) })))
  await stage.wire.answer('/todos/1', { id: '1' })
  await until(() => stage.text.startsWith('error'))
  assert.match(stage.text, 'GET /todos/1 has an answer that its schema cannot show')
  assert.is(stage.wire.sent.length, 1)
})

test('what is invalid once it is stale is shown once it has come, and waited for when it expires', async () => {
  const endpoint = get.extend({ invalidIfStale: true, dataExpiryLength: 0 })
  stage.show(waitFor(h(Title, { id: '1', endpoint })))
  await stage.wire.answer('/todos/1', { id: '1', title: 'milk' })
  await shows('milk')
  await quiet()
  assert.is(stage.wire.sent.length, 1)
  stage.controller.expireAll({ testKey: () => true })
  await shows('waiting')
  await stage.wire.answer('/todos/1', { id: '1', title: 'bread' })
  await shows('bread')
  assert.is(stage.wire.sent.length, 2)
})

test('the same as a signal: waits when it is invalidated or expires, and throws what fails for good', async () => {
  const endpoint = get.extend({ invalidIfStale: true, dataExpiryLength: 0 })
  const Signal = (): ComponentChild => {
    const todo = useSuspenseSignal(endpoint, { id: '1' })
    return h('b', null, useComputed(() => todo.value.title))
  }
  stage.show(waitFor(h(Signal, {})))
  for (const [title, lose] of [
    ['milk', () => stage.controller.invalidate(endpoint, { id: '1' })],
    ['bread', () => stage.controller.expireAll({ testKey: () => true })],
  ] as const) {
    await stage.wire.answer('/todos/1', { id: '1', title })
    await shows(title)
    lose()
    await shows('waiting')
  }
  await stage.wire.answer('/todos/1', { id: '1', title: 'salt' })
  await shows('salt')
  assert.is(stage.wire.sent.length, 3)
  stage.controller.setError(endpoint, { id: '1' }, Object.assign(new Error('forbidden'), { status: 403 }))
  await shows('error: forbidden')
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
    const rename = (id: string, title: string): void => stage.controller.set(Todo, { id }, todo => void (todo.title = title))
    for (const now of ['1', '2', '3']) {
      id.value = now
      await stage.wire.answer(`/todos/${now}`, { id: now, title: `title ${now}` })
      await shows(`title ${now}`)
      for (const other of ['1', '2']) if (other < now) rename(other, `${other} while ${now} is on show`)
      await settle()
      assert.is(stage.text, `title ${now}`)
    }
    stage.controller.invalidate(get, { id: '3' })
    await shows('waiting')
    rename('2', 'hidden')
    await stage.wire.answer('/todos/3', { id: '3', title: 'back' })
    await shows('back')
    rename('3', 'last')
    await shows('last')
  })
}

test('falsy answers are answers', async () => {
  for (const value of [0, '', false, null]) {
    let sent = 0
    const endpoint = new Endpoint(async () => (sent++, value), { name: `falsy ${String(value)}` })
    const Value = (): ComponentChild => JSON.stringify(useSuspense(endpoint))
    stage.show(waitFor(h(Value, { key: String(value) })))
    await shows(JSON.stringify(value))
    await quiet()
    assert.is(sent, 1)
  }
})

test('a call that changes something cannot be read', () => {
  const Reader = (): ComponentChild => useSuspense(partialUpdate as unknown as typeof get, { id: '1' }).title
  stage.show(waitFor(h(Reader, {})))
  assert.match(stage.text, /^error: .*controller\.fetch/)
  const ErrorText = (): ComponentChild => String(useDLE(partialUpdate as unknown as typeof get, { id: '1' }).error)
  stage.show(h(ErrorText, { key: 'error' }))
  assert.match(stage.text, 'controller.fetch')
})

test('without a boundary above, a component that waits says so by what it throws, and nothing is asked for twice', async () => {
  const thrown: unknown[] = []
  const page = document.createElement('div')
  for (const _ of [1, 2]) {
    try {
      render(h(DataProvider, { controller: stage.controller, children: h(Title, { id: '1' }) }), page)
    } catch (error) {
      thrown.push(error)
    }
  }
  assert.ok(thrown.every(each => each instanceof Promise))
  await stage.wire.answer('/todos/1', { id: '1', title: 'milk' })
  await Promise.all(thrown)
  assert.is(stage.wire.sent.length, 1)
})

test('mounted twice, unmounted and mounted again while it waits: one request', async () => {
  const page = waitFor([h(Title, { key: 'a', id: '1' }), h(Title, { key: 'b', id: '1' })])
  stage.show(page)
  stage.draw(null)
  stage.show(page)
  await stage.wire.answer('/todos/1', { id: '1', title: 'milk' })
  await shows('milkmilk')
  assert.is(stage.wire.sent.length, 1)
})

test('two who waited for what is stale at once have asked once, under one boundary or two', async () => {
  const endpoint = get.extend({ dataExpiryLength: 0 })
  for (const [id, page] of [
    ['1', waitFor([h(Title, { key: 'a', id: '1', endpoint }), h(Title, { key: 'b', id: '1', endpoint })])],
    ['2', [waitFor(h(Title, { id: '2', endpoint })), waitFor(h(Title, { id: '2', endpoint }))]],
  ] as const) {
    stage.show(page)
    await stage.wire.answer(`/todos/${id}`, { id, title: 'milk' })
    await shows('milkmilk')
    await quiet()
    stage.draw(null)
  }
  assert.equal(stage.wire.sent, ['GET /todos/1', 'GET /todos/2'])
  stage.show(waitFor(h(Title, { id: '1', endpoint })))
  await stage.wire.answer('/todos/1', { id: '1', title: 'bread' })
  await shows('bread')
})

test('useFetch gives a new promise when what it fetched was marked, the same one otherwise', async () => {
  const promises = new Set<unknown>()
  const Page = ({ turn }: { turn: number }): ComponentChild => {
    promises.add(useFetch(get, { id: '1' }))
    return turn
  }
  stage.show(h(Page, { turn: 1 }))
  await stage.wire.answer('/todos/1', { id: '1', title: 'milk' })
  stage.show(h(Page, { turn: 2 }))
  assert.is(promises.size, 1)
  stage.controller.invalidate(get, { id: '1' })
  await stage.wire.answer('/todos/1', {}, 404)
  await settle()
  assert.is(promises.size, 2)
})

test('useDLE says that it loads when its row was deleted, and what came of it', async () => {
  const seen: string[] = []
  const Reader = (): ComponentChild => {
    const { data, loading, error } = useDLE(get, { id: '1' })
    seen.push(`${data?.title} ${loading} ${String((error as { status?: number } | undefined)?.status)}`)
    return null
  }
  stage.controller.setResponse(get, { id: '1' }, { id: '1', title: 'milk' })
  stage.show(h(Reader, {}))
  stage.controller.applyPatches([{ op: 'remove', path: ['entities', 'Todo', '1'] }])
  await stage.wire.answer('/todos/1', {}, 404)
  await until(() => seen.length > 2)
  assert.equal(seen, ['milk false undefined', 'undefined true undefined', 'undefined false 404'])
  stage.controller.abort(get, { id: '1' })
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
    await stage.wire.answer(`/todos/${id}`, { id, title: 'milk' })
    await shows('milkmilk!milk!milk!')
  }
  // Who waited first has gone meanwhile.
  stage.show([waitFor(h(Title, { id: '3' })), waitFor(h(Waits, { id: '3' }))])
  stage.show([null, waitFor(h(Waits, { id: '3' }))])
  await stage.wire.answer('/todos/3', { id: '3', title: 'milk' })
  await shows('milk!')
  assert.is(stage.wire.sent.length, 3)
  const Any = ({ endpoint }: { endpoint: AnyEndpoint }): ComponentChild =>
    [useSuspense(endpoint, { id: '3' }), useDLE(endpoint, { id: '3' }).data, useCache(endpoint, { id: '3' }), useSuspenseSignal(endpoint, { id: '3' }).value].map(each => (each as Loud).loud ?? '').join()
  stage.show(h(Any, { endpoint: get }))
  assert.is(stage.text, ',,,')
  stage.show(h(Any, { endpoint: getLoud }))
  assert.is(stage.text, 'milk!,milk!,milk!,milk!')
})

test('an endpoint that a component makes each time is called as it was made last', async () => {
  const token = signal('old')
  const seen: string[] = []
  const signed = (): typeof get => {
    const by = token.value
    // Spells the same, and sends another header.
    return polled.extend({ getHeaders: headers => (seen.push(by), headers) }) as unknown as typeof get
  }
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
    await stage.wire.answer('/todos/1', { id: '1', title: 'milk' })
    await shows('milk')
    token.value = 'new'
    await settle()
    seen.length = 0
    stage.clock.advance(500)
    token.value = 'newest'
    await settle()
    stage.clock.advance(499)
    if (name === 'useSubscription') stage.clock.advance(1)
    else stage.controller.expireAll({ testKey: () => true })
    await stage.wire.answer('/todos/1', { id: '1', title: 'bread' })
    await shows('bread')
    if (name === 'useDLE') {
      void dle!.refetch()
      await stage.wire.answer('/todos/1', { id: '1', title: 'salt' })
      await shows('salt')
    }
    assert.ok(seen.length > 0)
    assert.ok(seen.every(each => each === 'newest'), `${name}: ${seen.join()}`)
    stage.draw(null)
    stage.controller.reset()
    stage.clock.advance(5000)
    await quiet()
    assert.is(stage.wire.pending, 0)
  }
})

test('useDLE stops loading when its request was aborted', async () => {
  let result: unknown
  const Reader = (): ComponentChild => {
    const { data, loading, error } = useDLE(get, { id: '1' })
    result = { data, loading, error }
    return null
  }
  stage.show(h(Reader, {}))
  await until(() => stage.wire.pending === 1)
  stage.controller.abort(get, { id: '1' })
  await settle()
  assert.equal(result, { data: undefined, loading: false, error: undefined })
  assert.is(stage.wire.sent.length, 1)
})

test('useHistory gives signals and verbs', async () => {
  const Undo = (): ComponentChild => {
    const { canUndo } = useHistory()
    return `${useQuery(Todo, { id: '1' })?.title} ${canUndo.value}`
  }
  stage.controller.setResponse(get, { id: '1' }, { id: '1', title: 'milk' })
  stage.show(h(Undo, {}))
  stage.controller.set(Todo, { id: '1' }, todo => void (todo.title = 'bread'))
  await shows('bread true')
  await historyOf(stage.controller).undo()
  await shows('milk false')
})

test('a read of null is undefined, whatever could be read without arguments', () => {
  stage.controller.setResponse(getList, rowsOf(2))
  const Reader = (): ComponentChild => String(useQuery(new All(Todo), null) ?? useSuspenseSignal(get, null).value)
  stage.show(h(Reader, {}))
  assert.is(stage.text, 'undefined')
})

test('two copies of signals are noticed', () => {
  const foreign = Object.assign(Object.create(stage.controller) as Controller, { view: () => ({ value: undefined }) })
  stage.draw(h(Boundary, {}, h(DataProvider, { controller: foreign })))
  assert.match(stage.text, /two copies of @preact\/signals-core.*npm dedupe/)
})

// Last, and no hook: uvu does not say what a hook after a test throws.
test('none of this left a rejection that nobody handled', async () => {
  await quiet()
  if (typeof process !== 'undefined') process.off('unhandledRejection', note)
  assert.equal(faults, [])
})

test.run()
