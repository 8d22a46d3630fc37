import { signal } from '@preact/signals'
import { Component, h, type ComponentChild, type ComponentChildren } from 'preact'
import { startTransition, Suspense } from 'preact/compat'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useDLE, useFetch, useSuspense, type DLE } from '../../../bindings/preact/index.ts'
import { withDom } from '../../support/dom.ts'
import { get, Stage, type Todo } from './preactStage.ts'
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

test.run()
