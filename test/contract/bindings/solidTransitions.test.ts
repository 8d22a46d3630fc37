import { createComponent, createSignal, For, onCleanup, Show, useTransition, type JSX } from 'solid-js'
import { insert } from 'solid-js/web'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useQuery, useSuspense } from '../../../bindings/solid/index.ts'
import { Controller } from '../../../src/index.ts'
import { withDom } from '../../support/dom.ts'
import type { Screen } from './framework.ts'
import { mountSolid } from './solidFramework.ts'
import { get, getList, Todo } from './solidTodo.ts'
import { quiet, until, Wire } from './wire.ts'

const test = suite('solid: transitions')

withDom(test)

/** What Solid's compiler makes of `<p>{read()}</p>`. */
function element(read: () => JSX.Element): HTMLElement {
  const made = document.createElement('p')
  insert(made, read)
  return made
}

/** A page that shows another on request, in a transition, as a router does. */
function mountPages(controller: Controller, id: () => string): Screen & { go(): void; isPending(): boolean } {
  const [on, setOn] = createSignal(false)
  let pending: () => boolean
  let start: (work: () => void) => unknown
  const Detail = (): JSX.Element => {
    const todo = useSuspense(get, () => ({ id: id() }))
    return element(() => todo()?.title)
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

/** A page that shows what `show` makes of `id`, which is changed by `go` in a transition. */
function mountArguments(controller: Controller, show: (id: () => string) => JSX.Element): Screen & { readonly page: HTMLElement; go(id: string): Promise<void> } {
  const [id, setId] = createSignal('1')
  let start: (work: () => void) => unknown
  let pending: () => boolean
  const screen = mountSolid(controller, () => {
    ;[pending, start] = useTransition()
    return show(id)
  })
  const go = async (next: string): Promise<void> => {
    void start(() => setId(next))
    await until(() => pending())
    await quiet()
  }
  return { ...screen, go }
}

for (const [name, text] of [
  ['what was', (_id: string, title = 'nothing') => title],
  ['what was with its arguments', (id: string, title = 'nothing') => `${id} ${title}`],
] as const) {
  test(`one that changes arguments leaves ${name} on show, in every element`, async () => {
    const wire = new Wire()
    const controller = new Controller({ fetch: wire.fetch })
    controller.setResponse(get, { id: '1' }, { id: '1', title: 'one' })
    const screen = mountArguments(controller, id => {
      const todo = useSuspense(get, () => ({ id: id() }))
      return [element(() => text(id(), todo()?.title)), element(() => text(id(), todo()?.title))]
    })
    await screen.go('2')
    assert.is(screen.text(), text('1', 'one').repeat(2))
    await wire.answer('/todos/2', { id: '2', title: 'two' })
    await until(() => screen.text() === text('2', 'two').repeat(2))
    screen.unmount()
    controller.dispose()
  })
}

test('what is there and no longer counts is shown when it counts again, whatever else happens meanwhile', async () => {
  const wire = new Wire()
  const controller = new Controller({ fetch: wire.fetch })
  controller.setResponse(getList, [{ id: '1', title: 'one' }, { id: '2', title: 'two' }])
  controller.invalidate(get, { id: '2' })
  const screen = mountArguments(controller, id => {
    const todo = useSuspense(get, () => ({ id: id() }))
    return element(() => todo()?.title)
  })
  await screen.go('2')
  assert.is(screen.text(), 'one')
  controller.expireAll({ testKey: key => key === get.key({ id: '1' }) })
  await quiet()
  assert.is(screen.text(), 'one')
  await wire.answer('/todos/2', { id: '2', title: 'due' })
  await until(() => screen.text() === 'due')
  controller.set(Todo, { id: '2' }, { id: '2', title: 'deux' })
  assert.is(screen.text(), 'deux')
  screen.unmount()
  controller.dispose()
})

test('rows live on while another list is on its way, and stay where that has them too', async () => {
  const wire = new Wire()
  const controller = new Controller({ fetch: wire.fetch })
  controller.setResponse(getList, { page: '1' }, [{ id: '1', title: 'one' }, { id: '2', title: 'two' }])
  let gone = 0
  const screen = mountArguments(controller, page => {
    const todos = useSuspense(getList, () => ({ page: page() }))
    return createComponent(For, {
      get each() {
        return todos()
      },
      children: (todo: Todo) => {
        onCleanup(() => gone++)
        return element(() => todo.title)
      },
    })
  })
  const two = screen.page.querySelectorAll('p')[1]
  await screen.go('2')
  controller.set(Todo, { id: '1' }, { id: '1', title: 'uno' })
  assert.equal([screen.text(), gone], ['unotwo', 0])
  await wire.answer('/todos?page=2', [{ id: '2', title: 'two' }, { id: '3', title: 'three' }])
  await until(() => screen.text() === 'twothree')
  assert.equal([screen.page.querySelector('p') === two, gone], [true, 1])
  screen.unmount()
  controller.dispose()
})

test('a query shows what is there for the arguments that a transition has left it with', async () => {
  const wire = new Wire()
  const controller = new Controller({ fetch: wire.fetch })
  const screen = mountArguments(controller, id => {
    const todo = useQuery(Todo, () => ({ id: id() }))
    const page = useSuspense(getList, () => ({ page: id() }))
    return element(() => `${todo()?.title} of ${page()?.length}`)
  })
  await wire.answer('/todos?page=1', [])
  await until(() => screen.text() === 'undefined of 0')
  await screen.go('2')
  await wire.answer('/todos?page=2', [{ id: '1', title: 'one' }, { id: '2', title: 'two' }])
  await until(() => screen.text() === 'two of 2')
  screen.unmount()
  controller.dispose()
})

test.run()
