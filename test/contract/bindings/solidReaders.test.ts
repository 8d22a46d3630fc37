import { batch, createComponent, createMemo, createRenderEffect, createSignal, ErrorBoundary, Show, type JSX } from 'solid-js'
import { insert } from 'solid-js/web'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useCache, useDLE, useFetch, useSuspense, type DLE } from '../../../bindings/solid/index.ts'
import type { Screen } from './framework.ts'
import { controller, mountSolid, wire, withSolid } from './solidFramework.ts'
import { get, getList, type Todo } from './solidTodo.ts'
import { quiet, until } from './wire.ts'

/** Previous data, requests that end with their readers, retry. */
const test = suite('solid: readers')
withSolid(test)

interface RetryError extends Error {
  retry(): Promise<unknown>
}

const text = (read: () => unknown): JSX.Element => read as unknown as JSX.Element
const shows = (screen: Screen, wanted: string): Promise<void> => until(() => screen.text() === wanted, wanted).catch(() => assert.is(screen.text(), wanted))
const answer = (id: string, title = `title ${id}`): Promise<void> => wire.answer(`/todos/${id}`, { id, title })
const read = (id: () => string | null, endpoint = get): DLE<Todo> => useDLE(endpoint, () => (id() === null ? null : { id: id()! }))
const textOf = (dle: DLE<Todo>): string => `${dle.data?.title} ${dle.isPrevious ? 'previous' : 'own'} ${dle.loading ? 'loading' : 'done'}`

for (const hook of ['useSuspense', 'useDLE'] as const) {
  test(`a request ends when the arguments of ${hook} change or it is removed, and nobody else waits for it`, async () => {
    const [id, setId] = createSignal('1')
    const [other, setOther] = createSignal(true)
    const use = (id: () => string): JSX.Element => {
      const todo = hook === 'useDLE' ? useDLE(get, () => ({ id: id() })) : useSuspense(get, () => ({ id: id() }))
      return text(() => ('data' in todo ? todo.data : todo())?.title)
    }
    const screen = mountSolid(controller, () => [
      createComponent(() => use(id), {}),
      createComponent(Show, {
        get when() {
          return other()
        },
        get children() {
          return createComponent(() => use(() => '2'), {})
        },
      } as Parameters<typeof Show>[0]),
    ])
    await until(() => wire.sent.length === 2)
    setId('2')
    await until(() => wire.aborted.length === 1)
    setId('3')
    await until(() => wire.sent.length === 3)
    await quiet()
    assert.equal(wire.aborted, ['GET /todos/1'])
    setOther(false)
    await until(() => wire.aborted.length === 2)
    screen.unmount()
    await until(() => wire.aborted.length === 3)
    assert.equal(wire.aborted, ['GET /todos/1', 'GET /todos/2', 'GET /todos/3'])
  })
}

test('a component that takes the place of another one keeps its request', async () => {
  const [turn, setTurn] = createSignal(1)
  const screen = mountSolid(controller, () =>
    createComponent(Show, {
      get when() {
        return turn()
      },
      keyed: true,
      get children() {
        return createComponent(() => {
          const dle = read(() => '1')
          return text(() => textOf(dle))
        }, {})
      },
    } as unknown as Parameters<typeof Show>[0]),
  )
  await until(() => wire.sent.length === 1)
  setTurn(2)
  await answer('1')
  await shows(screen, 'title 1 own done')
  assert.equal([wire.aborted, wire.sent.length], [[], 1])
})

test('error.retry() asks again, and the boundary can be reset at once', async () => {
  let caught: RetryError
  let reset: () => void
  const screen = mountSolid(controller, () =>
    createComponent(ErrorBoundary, {
      fallback: (error: RetryError, again: () => void) => {
        caught = error
        reset = again
        return 'failed'
      },
      get children() {
        return createComponent(() => {
          const todo = useSuspense(get, { id: '1' })
          const element = document.createElement('p')
          insert(element, () => todo()?.title)
          return element
        }, {})
      },
    }),
  )
  await wire.answer('/todos/1', {}, 500)
  await shows(screen, 'failed')
  assert.not.ok(Object.keys(caught!).includes('retry'))
  void caught!.retry()
  reset!()
  await shows(screen, 'waiting')
  await answer('1')
  await shows(screen, 'title 1')
  assert.is(wire.sent.length, 2)
})

const all = (): object[] => [{ id: '1', title: 'one' }, { id: '2', title: 'two' }]

test('who waited runs once when it has come, and not at all when it is waited for again and comes the same', async () => {
  let reads = 0
  const screen = mountSolid(controller, () => {
    const todos = useSuspense(getList)
    const count = createMemo(() => {
      reads++
      return todos()?.length
    })
    return (() => `${count()}`) as unknown as JSX.Element
  })
  assert.equal([screen.text(), reads], ['waiting', 1])
  await wire.answer('/todos', all())
  await until(() => screen.text() !== 'waiting')
  assert.is(reads, 2)
  controller.invalidate(getList)
  await until(() => screen.text() === 'waiting')
  await wire.answer('/todos', all())
  await until(() => screen.text() !== 'waiting')
  assert.is(reads, 2)
})

test('an error is told once, and what is stored when it is another', async () => {
  controller.setResponse(getList, all())
  const errors: unknown[] = []
  let stored = 0
  mountSolid(controller, () => {
    const todos = useDLE(getList)
    const cached = useCache(getList)
    createRenderEffect(() => void errors.push((todos.error as { status?: number } | undefined)?.status))
    createRenderEffect(() => {
      cached()
      stored++
    })
    return ''
  })
  for (const status of [500, 200]) {
    controller.expireAll({ testKey: () => true })
    await wire.answer('/todos', all(), status)
    await until(() => !controller.isFetching(getList))
  }
  assert.equal([errors, stored], [[undefined, 500, undefined], 1])
})

test('whoever reads it gets the promise for the arguments as they are', async () => {
  const [id, setId] = createSignal('1')
  const seen: unknown[][] = [[], [], []]
  let promise: (() => Promise<Todo | undefined> | undefined) | undefined
  mountSolid(controller, () => {
    const asked = (promise = useFetch(get, () => ({ id: id() })))
    for (const each of seen) createMemo(() => void each.push(asked()))
    return ''
  })
  // Which of several readers Solid runs first changes from time to time.
  for (const next of ['2', '3', '4']) {
    setId(next)
    for (const each of seen) assert.is(each.at(-1), promise!(), next)
  }
  let given: Promise<Todo | undefined> | undefined
  batch(() => {
    setId('5')
    given = promise!()
  })
  await wire.answer('/todos/5', { id: '5', title: 'five' })
  assert.is((await given)?.title, 'five')
  assert.is(wire.sent.length, 5)
})

test.run()
