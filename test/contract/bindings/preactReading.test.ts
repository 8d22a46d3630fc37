import { signal } from '@preact/signals'
import { Component, h, type ComponentChild, type ComponentChildren } from 'preact'
import { startTransition, Suspense } from 'preact/compat'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useDLE, useFetch, useLoading, useSuspense, type DLE } from '../../../bindings/preact/index.ts'
import { Controller, type Manager, type ManagerHost } from '../../../src/index.ts'
import { withDom } from '../../support/dom.ts'
import { get, settle, Stage, type Todo } from './preactStage.ts'
import { quiet, until } from './wire.ts'

/** Previous data, requests that end with their readers, retry. */
const test = suite('preact: readers')
withDom(test)

let stage: Stage
test.before.each(() => {
  stage = new Stage()
})
test.after.each(() => stage.end())

interface RetryError extends Error {
  retry(): Promise<unknown>
}

class Boundary extends Component<{ children?: ComponentChildren }, { error?: RetryError | undefined }> {
  static last: Boundary
  static override getDerivedStateFromError(error: RetryError): { error: RetryError } {
    return { error }
  }

  override render(): ComponentChildren {
    Boundary.last = this
    return this.state.error ? `error: ${this.state.error.message}` : this.props.children
  }
}

const waitFor = (children: ComponentChildren): ComponentChild => h(Boundary, {}, h(Suspense, { fallback: 'waiting', children }))
const shows = (text: string): Promise<void> => until(() => stage.text === text, text).catch(() => assert.is(stage.text, text))
const answer = (id: string, title = `title ${id}`): Promise<void> => stage.wire.answer(`/todos/${id}`, { id, title })
const read = (id: string | null, endpoint = get): DLE<Todo> => useDLE(endpoint, id === null ? null : { id })
const textOf = ({ data, isPrevious, loading }: DLE<Todo>): string => `${data?.title} ${isPrevious ? 'previous' : 'own'} ${loading ? 'loading' : 'done'}`

test('useDLE shows the previous data while the arguments change, until there is an answer', async () => {
  const id = signal<string | null>('1')
  const Reader = (): ComponentChild => textOf(read(id.value))
  stage.show(h(Reader, {}))
  await shows('undefined own loading')
  await answer('1')
  await shows('title 1 own done')
  id.value = '2'
  await shows('title 1 previous loading')
  id.value = '3'
  await shows('title 1 previous loading')
  await answer('3')
  await shows('title 3 own done')
  id.value = '4'
  await shows('title 3 previous loading')
  await stage.wire.answer('/todos/4', {}, 404)
  await shows('undefined own done')
  id.value = '3'
  await shows('title 3 own done')
  id.value = null
  await shows('undefined own done')
})

test('useDLE shows no previous data after a reset, nor with keepPrevious: false', async () => {
  const id = signal('1')
  const alone = get.extend({ keepPrevious: false } as object) as typeof get
  const Reader = (): ComponentChild => `${textOf(read(id.value))}, ${textOf(read(id.value, alone))}`
  stage.show(h(Reader, {}))
  await answer('1')
  await shows('title 1 own done, title 1 own done')
  id.value = '2'
  await shows('title 1 previous loading, undefined own loading')
  stage.controller.reset()
  await shows('undefined own loading, undefined own loading')
})

test('a request ends when the arguments change or the component is removed, and nobody else waits for it', async () => {
  const id = signal('1')
  const other = signal(true)
  const Reader = (): ComponentChild => textOf(read(id.value))
  const Other = (): ComponentChild => (other.value ? h(Beside, {}) : null)
  const Beside = (): ComponentChild => (useFetch(get, { id: '2' }), null)
  stage.show([h(Reader, {}), h(Other, {})])
  await until(() => stage.wire.sent.length === 2)
  id.value = '2'
  await until(() => stage.wire.aborted.length === 1)
  id.value = '3'
  await until(() => stage.wire.sent.length === 3)
  await quiet()
  // The other component still waits for 2.
  assert.equal(stage.wire.aborted, ['GET /todos/1'])
  other.value = false
  await until(() => stage.wire.aborted.length === 2)
  stage.show(null)
  await until(() => stage.wire.aborted.length === 3)
  assert.equal(stage.wire.aborted, ['GET /todos/1', 'GET /todos/2', 'GET /todos/3'])
})

test('a request that was made by hand goes on without its reader', async () => {
  const Reader = (): ComponentChild => textOf(read('1'))
  stage.show(h(Reader, {}))
  await until(() => stage.wire.sent.length === 1)
  const asked = stage.controller.fetch(get, { id: '1' })
  stage.show(null)
  await answer('1')
  assert.is((await asked).title, 'title 1')
  assert.equal([stage.wire.aborted, stage.wire.sent.length], [[], 1])
})

test('what is hidden by a boundary beside it keeps its request', async () => {
  const id = signal('1')
  const Waits = (): ComponentChild => useSuspense(get, { id: id.value }).title
  const Reads = (): ComponentChild => textOf(read('9'))
  stage.controller.setResponse(get, { id: '1' }, { id: '1', title: 'title 1' })
  stage.show(waitFor([h(Waits, {}), h(Reads, {})]))
  await until(() => stage.wire.sent.length === 1)
  id.value = '2'
  await shows('waiting')
  await answer('2')
  await answer('9')
  await shows('title 2title 9 own done')
  assert.equal([stage.wire.aborted, stage.wire.sent.length], [[], 2])
})

test('a reader that mounts after an error asks again at once', async () => {
  const Reader = (): ComponentChild => textOf(read('1'))
  stage.show(h(Reader, { key: 'a' }))
  await stage.wire.answer('/todos/1', {}, 404)
  await shows('undefined own done')
  stage.show(h(Reader, { key: 'b' }))
  await answer('1')
  await shows('title 1 own done')
  assert.is(stage.wire.sent.length, 2)
})

test('error.retry() asks again, and the boundary can be reset at once', async () => {
  const Title = (): ComponentChild => useSuspense(get, { id: '1' }).title
  stage.show(waitFor(h(Title, {})))
  await stage.wire.answer('/todos/1', {}, 500)
  await until(() => stage.text.startsWith('error'))
  const { error } = Boundary.last.state
  assert.not.ok(Object.keys(error!).includes('retry'))
  void error!.retry()
  Boundary.last.setState({ error: undefined })
  await shows('waiting')
  await answer('1')
  await shows('title 1')
  assert.is(stage.wire.sent.length, 2)
})

test('a manager that resets after each 401 makes no loop', async () => {
  let host: ManagerHost & { reset(): void }
  let sent = 0
  const logout: Manager = {
    start: controller => void (host = controller as typeof host),
    action: action => void (action.type === 'fetch' && action.outcome.catch((error: { status?: number }) => error.status === 401 && host.reset())),
  }
  const controller = new Controller({ managers: [logout], retry: false, fetch: async () => (sent++, Response.json({}, { status: 401 })) })
  const other = new Stage()
  Object.assign(other, { controller })
  const Title = (): ComponentChild => useSuspense(get, { id: '1' }).title
  other.show(waitFor(h(Title, {})))
  await until(() => other.text.startsWith('error'))
  await quiet()
  assert.match(other.text, '401')
  assert.ok(sent <= 2, `${sent} requests`)
  const Reader = (): ComponentChild => String(read('2').loading)
  other.show(h(Reader, {}))
  await until(() => other.text === 'false')
  await quiet()
  assert.ok(sent <= 4, `${sent} requests`)
  other.end()
})

test('Preact has no transitions: in startTransition the fallback shows as well', async () => {
  const id = signal('1')
  const Title = (): ComponentChild => useSuspense(get, { id: id.value }).title
  stage.controller.setResponse(get, { id: '1' }, { id: '1', title: 'one' })
  stage.show(waitFor(h(Title, {})))
  startTransition(() => void (id.value = '2'))
  await shows('waiting')
  await answer('2', 'two')
  await shows('two')
})

test('the error of useLoading is an Error, whatever was thrown', async () => {
  let run: (() => Promise<never>) | undefined
  let seen: Error | undefined
  const Page = (): null => {
    const [start, , error] = useLoading(() => Promise.reject<never>('no'))
    run = start
    seen = error as Error | undefined
    return null
  }
  stage.show(h(Page, {}))
  void run!()
  await settle()
  assert.instance(seen, Error)
  assert.equal([seen!.message, seen!.cause], ['no', 'no'])
})

test.run()
