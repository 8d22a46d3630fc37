import { createComponent, createRenderEffect, createSignal, ErrorBoundary, Suspense, useTransition, type JSX } from 'solid-js'
import { insert, render } from 'solid-js/web'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as solid from '../../../bindings/solid/index.ts'
import { DataProvider, useCache, useController, useDLE, useHistory, useQuery, useSubscription, useSuspense } from '../../../bindings/solid/index.ts'
import { historyOf } from '../../../src/history/index.ts'
import { Controller, dehydrate, Endpoint, Query } from '../../../src/index.ts'
import { createClock } from '../../../src/testing/index.ts'
import { withDom } from '../../support/dom.ts'
import { mountSolid } from './solidFramework.ts'
import { get, getList, Todo } from './solidTodo.ts'
import { quiet, until, Wire } from './wire.ts'
import { initialOf } from '../../support/initialOf.ts'

const test = suite('solid: readings')

withDom(test)

const text = (read: () => unknown): JSX.Element => read as unknown as JSX.Element

test('latest keeps showing what was there, while it is waited for and while other arguments are', async () => {
  const wire = new Wire()
  const controller = new Controller({ fetch: wire.fetch })
  const [id, setId] = createSignal('1')
  const screen = mountSolid(controller, () => {
    const todo = useSuspense(get, () => ({ id: id() }))
    return text(() => `${todo.latest?.title} ${todo.loading}`)
  })
  assert.is(screen.text(), 'waiting')
  await wire.answer('/todos/1', { id: '1', title: 'one' })
  await until(() => screen.text() === 'one false')
  controller.invalidate(get, { id: '1' })
  assert.is(screen.text(), 'one true')
  await wire.answer('/todos/1', { id: '1', title: 'uno' })
  await until(() => screen.text() === 'uno false')
  for (const id of ['2', '3']) {
    setId(id)
    assert.is(screen.text(), 'uno true')
  }
  await wire.answer('/todos/3', { id: '3', title: 'three' })
  await until(() => screen.text() === 'three false')
  screen.unmount()
  controller.dispose()
})

test('latest keeps showing beside a hard error', async () => {
  const wire = new Wire()
  const controller = new Controller({ fetch: wire.fetch, retry: false })
  controller.setResponse(get, { id: '1' }, { id: '1', title: 'one' })
  const screen = mountSolid(controller, () => {
    const todo = useSuspense(get, { id: '1' })
    return text(() => `${todo.latest?.title} ${(todo.error as Error | undefined)?.message ?? ''}`)
  })
  controller.setError(get, { id: '1' }, new Error('hard'))
  assert.is(screen.text(), 'one hard')
  screen.unmount()
  controller.dispose()
})

test('in a transition the old stays on show until the new has come', async () => {
  const wire = new Wire()
  const controller = new Controller({ fetch: wire.fetch })
  controller.setResponse(get, { id: '1' }, { id: '1', title: 'one' })
  const [id, setId] = createSignal('1')
  let start: (work: () => void) => unknown
  let waiting: () => boolean
  const screen = mountSolid(controller, () => {
    const todo = useSuspense(get, () => ({ id: id() }))
    ;[waiting, start] = useTransition()
    return text(() => todo()?.title)
  })
  assert.is(screen.text(), 'one')
  void start!(() => setId('2'))
  await until(() => waiting!())
  await quiet()
  assert.is(screen.text(), 'one')
  await wire.answer('/todos/2', { id: '2', title: 'two' })
  await until(() => screen.text() === 'two')
  assert.is(waiting!(), false)
  screen.unmount()
  controller.dispose()
})

test('after a transition rows live on', async () => {
  const wire = new Wire()
  const controller = new Controller({ fetch: wire.fetch })
  controller.setResponse(get, { id: '1' }, { id: '1', title: 'one' })
  const [id, setId] = createSignal('1')
  let start: (work: () => void) => unknown
  const screen = mountSolid(controller, () => {
    const todo = useSuspense(get, () => ({ id: id() }))
    const first = useQuery(Todo, { id: '1' })
    ;[, start] = useTransition()
    return text(() => `${todo()?.title} ${first()?.title}`)
  })
  void start!(() => setId('2'))
  await until(() => wire.pending === 1)
  controller.set(Todo, { id: '1' }, { id: '1', title: 'uno' })
  await wire.answer('/todos/2', { id: '2', title: 'two' })
  await until(() => screen.text() === 'two uno')
  controller.set(Todo, { id: '2' }, { id: '2', title: 'due' })
  assert.is(screen.text(), 'due uno')
  screen.unmount()
  controller.dispose()
})

test('only the boundary below which it is read waits', async () => {
  const wire = new Wire()
  const controller = new Controller({ fetch: wire.fetch })
  const screen = mountSolid(controller, () => {
    const todo = useSuspense(get, { id: '1' })
    return [
      'above ',
      createComponent(Suspense, {
        fallback: 'inner',
        get children() {
          return text(() => todo()?.title)
        },
      }),
    ]
  })
  assert.is(screen.text(), 'above inner')
  await wire.answer('/todos/1', { id: '1', title: 'one' })
  await until(() => screen.text() === 'above one')
  screen.unmount()
  controller.dispose()
})

test('a boundary that is reset asks again at once', async () => {
  const wire = new Wire()
  const clock = createClock(1e12)
  const controller = new Controller({ fetch: wire.fetch, clock, retry: false })
  let again: (() => void) | undefined
  const screen = mountSolid(controller, () =>
    createComponent(ErrorBoundary, {
      fallback: (_error: Error, reset: () => void) => {
        again = reset
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
  await until(() => screen.text() === 'failed')
  again!()
  await quiet()
  assert.equal([screen.text(), wire.sent.length], ['waiting', 2])
  await wire.answer('/todos/1', { id: '1', title: 'one' })
  await until(() => screen.text() === 'one')
  assert.is(wire.sent.length, 2)
  screen.unmount()
  controller.dispose()
})

test('an accessor that gives an equal request again asks for nothing and wakes nobody', async () => {
  const actions: string[] = []
  const controller = new Controller({ fetch: () => Promise.reject(new Error('not asked for')), managers: [{ action: ({ type }) => void actions.push(type) }] })
  controller.setResponse(get, { id: '1' }, { id: '1', title: 'one' })
  const [turn, setTurn] = createSignal(0)
  let runs = 0
  const screen = mountSolid(controller, () => {
    const todo = useSuspense(get, () => (turn(), { id: turn() > 1 ? '1' : 1 }))
    useSubscription(get.extend({ pollFrequency: 60_000 }), () => (turn(), { id: '1' }))
    createRenderEffect(() => void (todo(), runs++))
    return ''
  })
  for (const next of [1, 2, 3]) setTurn(next)
  await quiet()
  assert.is(runs, 1)
  assert.equal(actions, ['setResponse'])
  screen.unmount()
  controller.dispose()
})

test('what an endpoint reads while it is sent is not followed', async () => {
  const controller = new Controller()
  const [token, setToken] = createSignal('a')
  const used: string[] = []
  const signed = new Endpoint(
    async ({ id }: { id: string }) => {
      used.push(token())
      return { id, title: token() }
    },
    { name: 'signed', schema: Todo, dataExpiryLength: 0 },
  )
  const screen = mountSolid(controller, () => {
    const [one, other] = [useDLE(signed, { id: '1' }), useSuspense(signed, { id: '2' })]
    return text(() => `${one.data?.title}${other()?.title}`)
  })
  await until(() => screen.text() === 'aa')
  controller.expireAll({ testKey: () => true })
  await until(() => used.length === 4)
  await quiet()
  setToken('b')
  await quiet()
  assert.equal([used.join(''), screen.text()], ['aaaa', 'aa'])
  screen.unmount()
  controller.dispose()
})

test('a query is computed once for all who read it, and not at all when they are gone', async () => {
  let computed = 0
  const titles = new Query(getList.schema, todos => {
    computed++
    return todos.map(todo => todo.title).join()
  })
  const controller = new Controller()
  controller.setResponse(getList, [{ id: '1', title: 'one' }])
  const [on, setOn] = createSignal(true)
  const screen = mountSolid(controller, () => {
    const Titles = (): JSX.Element => text(useQuery(titles))
    return text(() => (on() ? [Titles(), Titles()] : ''))
  })
  assert.equal([screen.text(), computed], ['oneone', 1])
  controller.set(Todo, { id: '1' }, { id: '1', title: 'two' })
  assert.equal([screen.text(), computed], ['twotwo', 2])
  setOn(false)
  await quiet()
  controller.set(Todo, { id: '1' }, { id: '1', title: 'three' })
  assert.equal([screen.text(), computed], ['', 2])
  screen.unmount()
  controller.dispose()
})

test('a provider of its own begins with the state that it is given', () => {
  const source = new Controller()
  source.setResponse(getList, [{ id: '1', title: 'one' }])
  for (const initialState of [source.snapshot(), initialOf(dehydrate(source))]) {
    const page = document.createElement('div')
    let own: Controller | undefined
    const unmount = render(
      () =>
        createComponent(DataProvider, {
          initialState,
          get children() {
            return createComponent(() => {
              own = useController()
              return text(() => useQuery(Todo, { id: '1' })()?.title)
            }, {})
          },
        }),
      page,
    )
    assert.is(page.textContent, 'one')
    assert.is.not(own, source)
    unmount()
    assert.throws(() => own!.set(Todo, { id: '1' }, { id: '1' }), /disposed/)
  }
  source.dispose()
})

test('a provider of its own begins empty, with a warning, where there is nothing in what it is given', () => {
  const { warn } = console
  const messages: unknown[] = []
  console.warn = (words: unknown) => void messages.push(words)
  try {
    const page = document.createElement('div')
    // What a page has that came without its state.
    const initialState = initialOf(JSON.parse('null'))
    render(() => createComponent(DataProvider, { initialState, children: 'here' }), page)()
    assert.is(messages.length, 1)
  } finally {
    console.warn = warn
  }
})

test('useHistory follows what can be undone, in the same run as what was done', async () => {
  const controller = new Controller()
  controller.setResponse(getList, [{ id: '1', title: 'one' }])
  let followed = 0
  const { canUndo } = historyOf(controller)
  const subscribe = canUndo.subscribe.bind(canUndo)
  canUndo.subscribe = listener => {
    followed++
    const stop = subscribe(listener)
    return () => {
      followed--
      stop()
    }
  }
  const seen: string[] = []
  let history: ReturnType<typeof useHistory>
  const screen = mountSolid(controller, () => {
    history = useHistory()
    const todo = useQuery(Todo, { id: '1' })
    createRenderEffect(() => void seen.push(`${todo()?.title} ${history.canUndo()} ${history.canRedo()}`))
    return ''
  })
  controller.set(Todo, { id: '1' }, todo => {
    todo.title = 'two'
  })
  await history!.undo()
  assert.equal([seen[0], seen.at(-1)], ['one false false', 'one false true'])
  assert.ok(seen.includes('two true false'))
  assert.is(followed, 1)
  screen.unmount()
  assert.is(followed, 0)
  controller.dispose()
})

test('what is on show is not collected; what is no longer is', async () => {
  const clock = createClock(1e12)
  const controller = new Controller({ clock, gc: { after: 1000, every: 1000 } })
  const { gc } = globalThis as { gc?: () => void }
  controller.setResponse(getList, [{ id: '1', title: 'one' }])
  const pass = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) {
      gc?.()
      await new Promise(resolve => setTimeout(resolve))
      clock.advance(100_000)
    }
  }
  const screen = mountSolid(controller, () => {
    const todos = useCache(getList)
    return text(() => todos()?.map(todo => todo.title))
  })
  await pass()
  assert.is(screen.text(), 'one')
  screen.unmount()
  if (gc === undefined) return
  for (let turn = 0; turn < 50 && controller.get(Todo, { id: '1' }) !== undefined; turn++) await pass()
  assert.is(controller.get(Todo, { id: '1' }), undefined)
  controller.dispose()
})

test('createX is useX', () => {
  const names = Object.entries(solid).filter(([name]) => name.startsWith('create'))
  assert.equal(names.map(([name]) => name).sort(), ['createCache', 'createDLE', 'createFetch', 'createLoading', 'createQuery', 'createSubscription', 'createSuspense'])
  for (const [name, value] of names) assert.is(value, (solid as Record<string, unknown>)[name.replace('create', 'use')])
})

test.run()
