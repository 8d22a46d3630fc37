import { createComponent, ErrorBoundary, Suspense, type JSX } from 'solid-js'
import { insert } from 'solid-js/web'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useCache, useDLE, useFetch, useQuery, useSuspense, type Reading } from '../../../bindings/solid/index.ts'
import { Controller, Query } from '../../../src/index.ts'
import { withDom } from '../../support/dom.ts'
import type { Screen } from './framework.ts'
import { mountSolid } from './solidFramework.ts'
import { get, getList, Todo } from './solidTodo.ts'
import { until, Wire } from './wire.ts'

const test = suite('solid: boundaries')

withDom(test)

/** An element that shows what `read` gives. */
function textOf(read: () => unknown): JSX.Element {
  const element = document.createElement('p')
  insert(element, read as () => JSX.Element)
  return element
}

/** How many there are; each must have a title. */
const strict = new Query(getList.schema, todos => {
  if (todos.some(todo => todo.title === '')) throw new Error('no title')
  return todos.length
})
const getStrict = getList.extend({ schema: strict })

test('what a query throws goes to the boundary of who reads it, and all others run', () => {
  const reported: unknown[] = []
  const controller = new Controller({ onError: error => void reported.push(error) })
  controller.setResponse(getList, [{ id: '1', title: 'one' }])
  let again: (() => void) | undefined
  const screen = mountSolid(controller, () => [
    createComponent(ErrorBoundary, {
      fallback: (error: Error, reset: () => void) => {
        again = reset
        return error.message
      },
      get children() {
        return createComponent(() => textOf(useQuery(strict)), {})
      },
    }),
    createComponent(() => {
      const todo = useQuery(Todo, { id: '1' })
      return textOf(() => ` ${todo()?.title}.`)
    }, {}),
  ])
  assert.is(screen.text(), '1 one.')
  controller.set(Todo, { id: '1' }, { id: '1', title: '' })
  assert.is(screen.text(), 'no title .')
  controller.set(Todo, { id: '1' }, { id: '1', title: 'two' })
  again!()
  assert.is(screen.text(), '1 two.')
  assert.equal(reported, [])
  screen.unmount()
  controller.dispose()
})

for (const [hook, use] of [
  ['useQuery', () => useQuery(strict)],
  ['useSuspense', () => useSuspense(getStrict)],
] as const) {
  test(`what a query throws is thrown where it is read by ${hook}, and not where it is asked for`, () => {
    const controller = new Controller()
    controller.setResponse(getStrict, [{ id: '1', title: 'one' }])
    let again: (() => void) | undefined
    const screen = mountSolid(controller, () => {
      const count = use()
      return [
        createComponent(ErrorBoundary, {
          fallback: (error: Error, reset: () => void) => {
            again = reset
            return error.message
          },
          get children() {
            return textOf(count)
          },
        }),
        textOf(() => ' beside'),
      ]
    })
    assert.is(screen.text(), '1 beside')
    controller.set(Todo, { id: '1' }, { id: '1', title: '' })
    assert.is(screen.text(), 'no title beside')
    controller.set(Todo, { id: '1' }, { id: '1', title: 'two' })
    again!()
    assert.is(screen.text(), '1 beside')
    screen.unmount()
    controller.dispose()
  })
}

test('what a query throws stands beside what is read without throwing, and does not stop who only asks', () => {
  const controller = new Controller()
  controller.setResponse(getStrict, [{ id: '1', title: 'one' }])
  const screen = mountSolid(controller, () => {
    const todos = useDLE(getStrict)
    const cached = useCache(getStrict)
    useFetch(getStrict)
    return textOf(() => `${todos.data} ${cached()} ${(todos.error as Error | undefined)?.message}`)
  })
  assert.is(screen.text(), '1 1 undefined')
  controller.set(Todo, { id: '1' }, { id: '1', title: '' })
  assert.is(screen.text(), 'undefined undefined no title')
  controller.set(Todo, { id: '1' }, { id: '1', title: 'two' })
  assert.is(screen.text(), '1 1 undefined')
  screen.unmount()
  controller.dispose()
})

/** A read above the boundary that shows it. */
function mountAbove(controller: Controller): Screen & { refetch(): Promise<unknown>; reset(): void } {
  let todo: Reading<Todo>
  let again: (() => void) | undefined
  const screen = mountSolid(controller, () => {
    todo = useSuspense(get, { id: '1' })
    return createComponent(ErrorBoundary, {
      fallback: (error: Error, reset: () => void) => {
        again = reset
        return error.message
      },
      get children() {
        return createComponent(Suspense, {
          fallback: 'again',
          get children() {
            return textOf(() => todo()?.title)
          },
        })
      },
    })
  })
  return { ...screen, refetch: () => todo.refetch(), reset: () => again!() }
}

test('a boundary that is reset while its read is tried again waits, and shows what comes', async () => {
  const wire = new Wire()
  const controller = new Controller({ fetch: wire.fetch, retry: false })
  const screen = mountAbove(controller)
  await wire.answer('/todos/1', {}, 500)
  await until(() => /500/.test(screen.text()))
  void screen.refetch()
  screen.reset()
  assert.is(screen.text(), 'again')
  await wire.answer('/todos/1', { id: '1', title: 'one' })
  await until(() => screen.text() === 'one')
  assert.is(wire.sent.length, 2)
  screen.unmount()
  controller.dispose()
})

test('of two failures the second is thrown', async () => {
  const wire = new Wire()
  const controller = new Controller({ fetch: wire.fetch, retry: false })
  const screen = mountAbove(controller)
  await wire.answer('/todos/1', {}, 500)
  await until(() => /500/.test(screen.text()))
  const asked = screen.refetch()
  await wire.answer('/todos/1', {}, 404)
  await asked.catch(() => {})
  screen.reset()
  await until(() => /404/.test(screen.text()))
  screen.unmount()
  controller.dispose()
})

test('what failed and has come by another way is shown', async () => {
  const wire = new Wire()
  const controller = new Controller({ fetch: wire.fetch, retry: false })
  const screen = mountAbove(controller)
  await wire.answer('/todos/1', {}, 500)
  await until(() => /500/.test(screen.text()))
  controller.setResponse(get, { id: '1' }, { id: '1', title: 'one' })
  screen.reset()
  assert.is(screen.text(), 'one')
  screen.unmount()
  controller.dispose()
})

test.run()
