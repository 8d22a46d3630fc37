import { createComponent, createSignal, ErrorBoundary, Show, type JSX } from 'solid-js'
import { insert } from 'solid-js/web'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useDLE, useLoading, useSuspense, type DLE } from '../../../bindings/solid/index.ts'
import { Controller, type Manager, type ManagerHost } from '../../../src/index.ts'
import { withDom } from '../../support/dom.ts'
import type { Screen } from './framework.ts'
import { mountSolid } from './solidFramework.ts'
import { get, type Todo } from './solidTodo.ts'
import { quiet, until, Wire } from './wire.ts'

/** Previous data, requests that end with their readers, retry. */
const test = suite('solid: readers')
withDom(test)

let wire: Wire
let controller: Controller
test.before.each(() => {
  wire = new Wire()
  controller = new Controller({ fetch: wire.fetch, retry: false, gc: false })
})
test.after.each(() => controller.dispose())

interface RetryError extends Error {
  retry(): Promise<unknown>
}

const text = (read: () => unknown): JSX.Element => read as unknown as JSX.Element
const shows = (screen: Screen, wanted: string): Promise<void> => until(() => screen.text() === wanted, wanted).catch(() => assert.is(screen.text(), wanted))
const answer = (id: string, title = `title ${id}`): Promise<void> => wire.answer(`/todos/${id}`, { id, title })
const read = (id: () => string | null, endpoint = get): DLE<Todo> => useDLE(endpoint, () => (id() === null ? null : { id: id()! }))
const textOf = (dle: DLE<Todo>): string => `${dle.data?.title} ${dle.isPrevious ? 'previous' : 'own'} ${dle.loading ? 'loading' : 'done'}`

test('useDLE shows the previous data while the arguments change, until there is an answer', async () => {
  const [id, setId] = createSignal<string | null>('1')
  const screen = mountSolid(controller, () => {
    const dle = read(id)
    return text(() => textOf(dle))
  })
  await shows(screen, 'undefined own loading')
  await answer('1')
  await shows(screen, 'title 1 own done')
  setId('2')
  await shows(screen, 'title 1 previous loading')
  setId('3')
  await shows(screen, 'title 1 previous loading')
  await answer('3')
  await shows(screen, 'title 3 own done')
  setId('4')
  await shows(screen, 'title 3 previous loading')
  await wire.answer('/todos/4', {}, 404)
  await shows(screen, 'undefined own done')
  setId('3')
  await shows(screen, 'title 3 own done')
  setId(null)
  await shows(screen, 'undefined own done')
  screen.unmount()
})

test('useDLE shows no previous data after a reset, nor with keepPrevious: false', async () => {
  const [id, setId] = createSignal('1')
  const screen = mountSolid(controller, () => {
    const dles = [read(id), read(id, get.extend({ keepPrevious: false } as object) as typeof get)]
    return text(() => dles.map(textOf).join(', '))
  })
  await answer('1')
  await shows(screen, 'title 1 own done, title 1 own done')
  setId('2')
  await shows(screen, 'title 1 previous loading, undefined own loading')
  controller.reset()
  await shows(screen, 'undefined own loading, undefined own loading')
  screen.unmount()
})

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

test('a component that replaces another one keeps its request', async () => {
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
  screen.unmount()
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
  screen.unmount()
})

test('a manager that resets after each 401 makes no loop', async () => {
  let host: ManagerHost & { reset(): void }
  let sent = 0
  const logout: Manager = {
    start: started => void (host = started as typeof host),
    action: action => void (action.type === 'fetch' && action.outcome.catch((error: { status?: number }) => error.status === 401 && host.reset())),
  }
  const guarded = new Controller({ managers: [logout], retry: false, fetch: async () => (sent++, Response.json({}, { status: 401 })) })
  const screen = mountSolid(guarded, () => {
    const todo = useSuspense(get, { id: '1' })
    return text(() => todo()?.title)
  })
  await until(() => screen.text().startsWith('error'))
  await quiet()
  assert.ok(sent <= 2, `${sent} requests`)
  screen.unmount()
  guarded.dispose()
})

test('the error of useLoading is an Error, whatever was thrown', async () => {
  let run: (() => Promise<never>) | undefined
  let error: (() => Error | undefined) | undefined
  const screen = mountSolid(controller, () => {
    const [start, , failure] = useLoading(() => Promise.reject<never>('no'))
    run = start
    error = failure as () => Error | undefined
    return ''
  })
  void run!()
  await quiet()
  assert.equal([error!()?.message, error!()?.cause], ['no', 'no'])
  screen.unmount()
})

test.run()
