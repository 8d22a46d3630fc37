import { createComponent, createSignal, Show, useTransition, type JSX } from 'solid-js'
import { insert } from 'solid-js/web'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useSuspense } from '../../bindings/solid/index.ts'
import { Controller } from '../../src/index.ts'
import { withDom } from '../dom.ts'
import type { Screen } from './framework.ts'
import { mountSolid } from './solidFramework.ts'
import { get, Todo } from './solidTodo.ts'
import { until, Wire } from './wire.ts'

const test = suite('solid: transitions')

withDom(test)

/** A page that shows another when it is told to, in a transition, as a router does. */
function mountPages(controller: Controller, id: () => string): Screen & { go(): void; isPending(): boolean } {
  const [on, setOn] = createSignal(false)
  let pending: () => boolean
  let start: (work: () => void) => unknown
  const Detail = (): JSX.Element => {
    const todo = useSuspense(get, () => ({ id: id() }))
    const element = document.createElement('p')
    insert(element, () => todo()?.title)
    return element
  }
  const screen = mountSolid(controller, () => {
    ;[pending, start] = useTransition()
    return createComponent(Show, {
      keyed: true,
      fallback: 'old',
      get when() {
        return on()
      },
      get children() {
        return createComponent(Detail, {})
      },
    })
  })
  return { ...screen, go: () => void start(() => setOn(true)), isPending: () => pending() }
}

test('one that mounts a reader ends when the data has come', async () => {
  const wire = new Wire()
  const controller = new Controller({ fetch: wire.fetch })
  const screen = mountPages(controller, () => '2')
  screen.go()
  await until(() => wire.pending === 1)
  assert.equal([screen.text(), screen.isPending()], ['old', true])
  await wire.answer('/todos/2', { id: '2', title: 'two' })
  await until(() => screen.text() === 'two')
  assert.is(screen.isPending(), false)
  controller.set(Todo, { id: '2' }, { id: '2', title: 'due' })
  assert.is(screen.text(), 'due')
  screen.unmount()
  controller.dispose()
})

test('one that mounts a reader ends when that is given other arguments, for which there is data', async () => {
  const wire = new Wire()
  const controller = new Controller({ fetch: wire.fetch })
  controller.setResponse(get, { id: '1' }, { id: '1', title: 'one' })
  const [id, setId] = createSignal('2')
  const screen = mountPages(controller, id)
  screen.go()
  await until(() => wire.pending === 1)
  setId('1')
  await until(() => screen.text() === 'one')
  assert.is(screen.isPending(), false)
  screen.unmount()
  controller.dispose()
})

test('one that mounts a reader ends when its request fails', async () => {
  const wire = new Wire()
  const controller = new Controller({ fetch: wire.fetch, retry: false })
  const screen = mountPages(controller, () => '2')
  screen.go()
  await until(() => wire.pending === 1)
  await wire.answer('/todos/2', {}, 404)
  await until(() => screen.text().includes('404'))
  assert.is(screen.isPending(), false)
  screen.unmount()
  controller.dispose()
})

test.run()
