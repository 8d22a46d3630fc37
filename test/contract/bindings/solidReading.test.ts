import { batch, createMemo, createRenderEffect, createSignal, type JSX } from 'solid-js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as solid from '../../../bindings/solid/index.ts'
import { useCache, useDLE, useFetch, useHistory, useQuery, useSubscription, useSuspense } from '../../../bindings/solid/index.ts'
import { historyOf } from '../../../src/history/index.ts'
import { Controller, Endpoint, Query } from '../../../src/index.ts'
import { createClock } from '../../../src/testing/index.ts'
import { mountSolid } from './solidFramework.ts'
import { text, withStage, type Stage } from './solidStage.ts'
import { get, getList, rowsOf, Todo } from './todo.ts'
import { quiet, shows, until } from './wire.ts'

/** What readers of Solid do beside what those of both bindings do. */
const test = suite('solid: readings')

let stage: Stage
withStage(test, now => void (stage = now))

const one = { id: '1', title: 'one' }

test('latest keeps showing what was there, while it is waited for, while other arguments are, and beside a hard error; not if other arguments fail', async () => {
  const [id, setId] = createSignal('1')
  const screen = stage.mount(() => {
    const todo = useSuspense(get, () => ({ id: id() }))
    return text(() => `${todo.latest?.title} ${todo.loading} ${(todo.error as Error | undefined)?.message}`)
  })
  assert.is(screen.text(), 'waiting')
  await stage.answer('1', 'one')
  await shows(screen.text, 'one false undefined')
  stage.controller.invalidate(get, { id: '1' })
  assert.is(screen.text(), 'one true undefined')
  await stage.answer('1', 'uno')
  await shows(screen.text, 'uno false undefined')
  for (const id of ['2', '3']) {
    setId(id)
    assert.is(screen.text(), 'uno true undefined')
  }
  await stage.answer('3', 'three')
  await shows(screen.text, 'three false undefined')
  stage.controller.setError(get, { id: '3' }, new Error('hard'))
  assert.is(screen.text(), 'three false hard')
  setId('4')
  await stage.answer('4', '', 404)
  await until(() => /404/.test(screen.text()) && !/three/.test(screen.text()))
})

test('latest shows nothing of before after a reset, nor without arguments', async () => {
  const [id, setId] = createSignal<string | null>('1')
  const screen = stage.mount(() => {
    const todo = useSuspense(get, () => (id() === null ? null : { id: id()! }))
    return text(() => `${todo.latest?.title}`)
  })
  await stage.answer('1', 'one')
  await shows(screen.text, 'one')
  setId('2')
  assert.is(screen.text(), 'one')
  stage.controller.reset()
  assert.is(screen.text(), 'waiting')
  await stage.answer('2', 'before')
  await stage.answer('2', 'two')
  await shows(screen.text, 'two')
  setId(null)
  await shows(screen.text, 'undefined')
})

test('an accessor that gives an equal request again asks for nothing, wakes nobody, and does not start a poll anew', async () => {
  stage.store('1', 'one')
  const [turn, setTurn] = createSignal(0)
  let runs = 0
  stage.mount(() => {
    const todo = useSuspense(get, () => (turn(), { id: turn() > 1 ? '1' : 1 }))
    useSubscription(get.extend({ pollFrequency: 1000 }), () => (turn(), { id: '1' }))
    createRenderEffect(() => void (todo(), runs++))
    return ''
  })
  stage.clock.advance(1)
  await quiet()
  stage.clock.advance(900)
  for (const next of [1, 2, 3]) setTurn(next)
  await quiet()
  assert.equal([runs, stage.wire.sent], [1, []])
  stage.clock.advance(101)
  await quiet()
  assert.equal(stage.wire.sent, ['GET /todos/1'])
})

test('what an endpoint reads while it is sent is not followed', async () => {
  const [token, setToken] = createSignal('a')
  const used: string[] = []
  const send = async ({ id }: { id: string }): Promise<object> => {
    used.push(token())
    return { id, title: token() }
  }
  const signed = new Endpoint(send, { name: 'signed', schema: Todo, dataExpiryLength: 0 })
  const screen = stage.mount(() => {
    const [first, other] = [useDLE(signed, { id: '1' }), useSuspense(signed, { id: '2' })]
    return text(() => `${first.data?.title}${other()?.title}`)
  })
  await shows(screen.text, 'aa')
  stage.expireAll()
  await until(() => used.length === 4)
  await quiet()
  setToken('b')
  await quiet()
  assert.equal([used.join(''), screen.text()], ['aaaa', 'aa'])
})

test('a query is computed once for all who read it, and not at all when they are gone', async () => {
  let computed = 0
  const titles = new Query(getList.schema, todos => (computed++, todos.map(todo => todo.title).join()))
  stage.controller.setResponse(getList, [one])
  const [on, setOn] = createSignal(true)
  const screen = stage.mount(() => {
    const Titles = (): JSX.Element => text(useQuery(titles))
    return text(() => (on() ? [Titles(), Titles()] : ''))
  })
  assert.equal([screen.text(), computed], ['oneone', 1])
  stage.retitle('1', 'two')
  assert.equal([screen.text(), computed], ['twotwo', 2])
  setOn(false)
  await quiet()
  stage.retitle('1', 'three')
  assert.equal([screen.text(), computed], ['', 2])
})

test('whoever reads useFetch gets the promise for the arguments as they are', async () => {
  const [id, setId] = createSignal('1')
  const seen: unknown[][] = [[], [], []]
  let promise: () => Promise<Todo | undefined> | undefined
  stage.mount(() => {
    const asked = (promise = useFetch(get, () => ({ id: id() })))
    for (const each of seen) createMemo(() => void each.push(asked()))
    return ''
  })
  // Which of several readers Solid runs first changes from time to time.
  for (const next of ['2', '3', '4']) {
    setId(next)
    for (const each of seen) assert.is(each.at(-1), promise!(), next)
  }
  const given = batch(() => (setId('5'), promise!()))
  await stage.answer('5', 'five')
  assert.equal([(await given)?.title, stage.wire.sent.length], ['five', 5])
})

test('who waited runs once when it has come, and not for a refetch or another wait that brings the same, unless it asks for loading', async () => {
  let reads = 0
  const loading: boolean[] = []
  const screen = stage.mount(() => {
    const todos = useSuspense(getList)
    const count = createMemo(() => (reads++, todos()?.length))
    createRenderEffect(() => void loading.push(todos.loading))
    return text(() => `${count()}`)
  })
  assert.equal([screen.text(), reads], ['waiting', 1])
  await stage.wire.answer('/todos', rowsOf(2))
  await shows(screen.text, '2')
  assert.is(reads, 2)
  loading.length = 0
  const done = stage.controller.fetch(getList)
  await stage.wire.answer('/todos', rowsOf(2))
  await done
  assert.equal([reads, loading], [2, [true, false]])
  stage.controller.invalidate(getList)
  await shows(screen.text, 'waiting')
  await stage.wire.answer('/todos', rowsOf(2))
  await shows(screen.text, '2')
  assert.is(reads, 2)
})

test('an error wakes readers once, and again when another one is stored', async () => {
  stage.controller.setResponse(getList, rowsOf(2))
  const errors: unknown[] = []
  let stored = 0
  stage.mount(() => {
    const todos = useDLE(getList)
    const cached = useCache(getList)
    createRenderEffect(() => void errors.push((todos.error as { status?: number } | undefined)?.status))
    createRenderEffect(() => void (cached(), stored++))
    return ''
  })
  for (const status of [500, 200]) {
    stage.expireAll()
    await stage.wire.answer('/todos', rowsOf(2), status)
    await until(() => !stage.controller.isFetching(getList))
  }
  assert.equal([errors, stored], [[undefined, 500, undefined], 1])
})

test('useHistory follows what can be undone, in the same run as what was done', async () => {
  stage.store('1', 'one')
  let followed = 0
  const { canUndo } = historyOf(stage.controller)
  const subscribe = canUndo.subscribe.bind(canUndo)
  canUndo.subscribe = listener => {
    followed++
    const stop = subscribe(listener)
    return () => void (followed--, stop())
  }
  const seen: string[] = []
  let history: ReturnType<typeof useHistory>
  const screen = stage.mount(() => {
    history = useHistory()
    const todo = useQuery(Todo, { id: '1' })
    createRenderEffect(() => void seen.push(`${todo()?.title} ${history.canUndo()} ${history.canRedo()}`))
    return ''
  })
  stage.retitle('1', 'two')
  await history!.undo()
  assert.equal([seen[0], seen.at(-1)], ['one false false', 'one false true'])
  assert.ok(seen.includes('two true false'))
  assert.is(followed, 1)
  screen.unmount()
  assert.is(followed, 0)
})

test('what is on show is not collected; what is no longer is', async () => {
  const clock = createClock(1e12)
  const controller = new Controller({ clock, gc: { after: 1000, every: 1000 } })
  const { gc } = globalThis as { gc?: () => void }
  controller.setResponse(getList, [one])
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
  const isGone = (): boolean => controller.get(Todo, { id: '1' }) === undefined
  for (let turn = 0; turn < 50 && !isGone(); turn++) await pass()
  assert.ok(isGone() || gc === undefined)
  controller.dispose()
})

test('createX is useX', () => {
  const names = Object.entries(solid).filter(([name]) => name.startsWith('create'))
  const wanted = ['createCache', 'createDLE', 'createFetch', 'createLoading', 'createQuery', 'createSubscription', 'createSuspense']
  assert.equal(names.map(([name]) => name).sort(), wanted)
  for (const [name, value] of names) assert.is(value, (solid as Record<string, unknown>)[name.replace('create', 'use')])
})

test.run()
