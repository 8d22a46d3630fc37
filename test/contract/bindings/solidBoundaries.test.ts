import { createComponent, ErrorBoundary, Suspense, type JSX } from 'solid-js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useCache, useDLE, useFetch, useQuery, useSuspense, type Reading } from '../../../bindings/solid/index.ts'
import { Query } from '../../../src/index.ts'
import type { Screen } from './framework.ts'
import { wrap } from './solidFramework.ts'
import { paragraph, withStage, type Stage } from './solidStage.ts'
import { get, getList, Todo } from './todo.ts'
import { shows, until } from './wire.ts'

const test = suite('solid: boundaries')

let stage: Stage
withStage(test, now => void (stage = now))

/** Resets the boundary that has caught last. */
let reset: () => void

/** An error boundary that shows the message. */
const catching = (inner: () => JSX.Element): JSX.Element =>
  wrap(ErrorBoundary, { fallback: (error: Error, again: () => void) => ((reset = again), error.message) }, inner)

/** How many there are; each must have a title. */
const strict = new Query(getList.schema, todos => {
  if (todos.some(todo => todo.title === '')) throw new Error('no title')
  return todos.length
})
const getStrict = getList.extend({ schema: strict })

for (const [name, page] of [
  ['goes to the boundary of who reads it, and all others run', () => catching(() => createComponent(() => paragraph(useQuery(strict)), {}))],
  [
    'is thrown where it is read by useQuery, and not where it is asked for',
    () => {
      const count = useQuery(strict)
      return catching(() => paragraph(count))
    },
  ],
  [
    'is thrown where it is read by useSuspense, and not where it is asked for',
    () => {
      const count = useSuspense(getStrict)
      return catching(() => paragraph(count))
    },
  ],
] as [name: string, page: () => JSX.Element][]) {
  test(`what a query throws ${name}`, () => {
    stage.controller.setResponse(getStrict, [{ id: '1', title: 'one' }])
    const screen = stage.mount(() => {
      const todo = useQuery(Todo, { id: '1' })
      return [page(), paragraph(() => ` ${todo()?.title}.`)]
    })
    assert.is(screen.text(), '1 one.')
    stage.retitle('1', '')
    assert.is(screen.text(), 'no title .')
    stage.retitle('1', 'two')
    reset()
    assert.is(screen.text(), '1 two.')
    assert.equal(stage.reported, [])
  })
}

test('what a query throws stands beside what is read without throwing, and does not stop who only asks', () => {
  stage.controller.setResponse(getStrict, [{ id: '1', title: 'one' }])
  const screen = stage.mount(() => {
    const todos = useDLE(getStrict)
    const cached = useCache(getStrict)
    useFetch(getStrict)
    return paragraph(() => `${todos.data} ${cached()} ${(todos.error as Error | undefined)?.message}`)
  })
  for (const [title, text] of [['one', '1 1 undefined'], ['', 'undefined undefined no title'], ['two', '1 1 undefined']] as const) {
    stage.retitle('1', title)
    assert.is(screen.text(), text)
  }
})

/** A read above the boundary that shows it, and has failed. */
async function mountFailed(): Promise<Screen & { refetch(): Promise<unknown> }> {
  let todo: Reading<Todo>
  const screen = stage.mount(() => {
    todo = useSuspense(get, { id: '1' })
    return ['above ', catching(() => wrap(Suspense, { fallback: 'again' }, () => paragraph(() => todo()?.title)))]
  })
  // Only the boundary below which it is read waits.
  assert.is(screen.text(), 'above again')
  await stage.answer('1', '', 500)
  await until(() => /500/.test(screen.text()))
  return { ...screen, refetch: () => todo.refetch() }
}

test('a boundary that is reset while its read is tried again waits, and shows what comes', async () => {
  const screen = await mountFailed()
  void screen.refetch()
  reset()
  assert.is(screen.text(), 'above again')
  await stage.answer('1', 'one')
  await shows(screen.text, 'above one')
  assert.is(stage.wire.sent.length, 2)
})

test('of two failures the second is thrown', async () => {
  const screen = await mountFailed()
  const asked = screen.refetch()
  await stage.answer('1', '', 404)
  await asked.catch(() => {})
  reset()
  await until(() => /404/.test(screen.text()))
})

test('what failed and has come by another way is shown', async () => {
  const screen = await mountFailed()
  stage.store('1', 'one')
  reset()
  assert.is(screen.text(), 'above one')
})

test.run()
