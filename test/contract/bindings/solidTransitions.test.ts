import { createComponent, createSignal, onCleanup, Show, useTransition, type JSX } from 'solid-js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useDLE, useQuery, useSuspense } from '../../../bindings/solid/index.ts'
import type { Mounted } from './framework.ts'
import { each, wrap } from './solidFramework.ts'
import { paragraph, withStage, type Stage } from './solidStage.ts'
import { get, getList, Todo } from './todo.ts'
import { quiet, shows, until } from './wire.ts'

const test = suite('solid: transitions')

let stage: Stage
withStage(test, now => void (stage = now))

const [one, two, three] = [{ id: '1', title: 'one' }, { id: '2', title: 'two' }, { id: '3', title: 'three' }]

/** A page that shows what `show` makes of `id`, which is changed by `go` in a transition. */
function mountArguments<T>(first: T, show: (id: () => T) => JSX.Element): Mounted & { go(id: T): Promise<void>; set(id: T): void; isPending(): boolean } {
  const [id, setId] = createSignal(first)
  let start: (work: () => void) => unknown
  let pending: () => boolean
  const screen = stage.mount(() => {
    ;[pending, start] = useTransition()
    return show(id)
  })
  const go = async (next: T): Promise<void> => {
    void start(() => setId(() => next))
    await until(() => pending())
    await quiet()
  }
  return { ...screen, go, set: next => void setId(() => next), isPending: () => pending() }
}

for (const [name, end, text] of [
  ['the data has come', () => stage.answer('2', 'two'), /^two$/],
  ['that is given other arguments, for which there is data', setId => void setId('1'), /^one$/],
  ['its request fails', () => stage.answer('2', '', 404), /404/],
] as [name: string, end: (setId: (id: string) => void) => unknown, text: RegExp][]) {
  test(`one that mounts a reader ends when ${name}`, async () => {
    stage.store('1', 'one')
    const [id, setId] = createSignal('2')
    const Detail = (): JSX.Element => {
      const todo = useSuspense(get, () => ({ id: id() }))
      return paragraph(() => todo()?.title)
    }
    // A page that shows another on request, as a router does.
    const screen = mountArguments(false as boolean, isOpen => {
      const props = Object.defineProperty({ keyed: true, fallback: 'old' }, 'when', { get: isOpen })
      return wrap(Show, props as never, () => createComponent(Detail, {}))
    })
    await screen.go(true)
    assert.equal([screen.text(), screen.isPending(), stage.wire.pending], ['old', true, 1])
    await end(setId)
    await until(() => text.test(screen.text()))
    assert.is(screen.isPending(), false)
    if (screen.text() !== 'two') return
    stage.retitle('2', 'due')
    assert.is(screen.text(), 'due')
  })
}

test('one ends that leads back to arguments whose request it had left', async () => {
  stage.store('1', 'one')
  const screen = mountArguments('1', id => {
    const todo = useSuspense(get, () => ({ id: id() }))
    return paragraph(() => todo()?.title)
  })
  screen.set('3')
  for (const id of ['2', '3']) await screen.go(id)
  for (const title of ['left', 'three']) await stage.answer('3', title)
  await until(() => screen.text() === 'three' && !screen.isPending())
})

for (const [name, text] of [
  ['what was', (_id: string, title = 'nothing') => title],
  ['what was with its arguments', (id: string, title = 'nothing') => `${id} ${title}`],
] as const) {
  test(`one that changes arguments leaves ${name} on show, in every element`, async () => {
    stage.store('1', 'one')
    const screen = mountArguments('1', id => {
      const todo = useSuspense(get, () => ({ id: id() }))
      return [paragraph(() => text(id(), todo()?.title)), paragraph(() => text(id(), todo()?.title))]
    })
    await screen.go('2')
    assert.is(screen.text(), text('1', 'one').repeat(2))
    await stage.answer('2', 'two')
    await shows(screen.text, text('2', 'two').repeat(2))
    assert.is(screen.isPending(), false)
  })
}

test('what is there and no longer counts is shown when it counts again, whatever else happens meanwhile', async () => {
  const { controller } = stage
  controller.setResponse(getList, [one, two])
  controller.invalidate(get, { id: '2' })
  const screen = mountArguments('1', id => {
    const todo = useSuspense(get, () => ({ id: id() }))
    return paragraph(() => todo()?.title)
  })
  await screen.go('2')
  assert.is(screen.text(), 'one')
  controller.expireAll({ testKey: key => key === get.key({ id: '1' }) })
  await quiet()
  assert.is(screen.text(), 'one')
  await stage.answer('2', 'due')
  await shows(screen.text, 'due')
  stage.retitle('2', 'deux')
  assert.is(screen.text(), 'deux')
})

test('rows live on while another list is on its way and after it has come, and stay where that has them too', async () => {
  stage.controller.setResponse(getList, { page: '1' }, [one, two])
  let gone = 0
  const screen = mountArguments('1', page => {
    const todos = useSuspense(getList, () => ({ page: page() }))
    const first = useQuery(Todo, { id: '1' })
    const row = (todo: Todo): JSX.Element => {
      onCleanup(() => gone++)
      return paragraph(() => todo.title)
    }
    return [each(todos, row), paragraph(() => ` ${first()?.title}`)]
  })
  const before = screen.page.querySelectorAll('p')[1]
  await screen.go('2')
  stage.retitle('1', 'uno')
  assert.equal([screen.text(), gone], ['unotwo uno', 0])
  await stage.wire.answer('/todos?page=2', [two, three])
  await shows(screen.text, 'twothree uno')
  assert.equal([screen.page.querySelector('p') === before, gone], [true, 1])
  stage.retitle('3', 'tre')
  assert.is(screen.text(), 'twotre uno')
})

test('a query shows what is there for the arguments that a transition has left it with', async () => {
  const screen = mountArguments('1', id => {
    const todo = useQuery(Todo, () => ({ id: id() }))
    const page = useSuspense(getList, () => ({ page: id() }))
    return paragraph(() => `${todo()?.title} of ${page()?.length}`)
  })
  await stage.wire.answer('/todos?page=1', [])
  await shows(screen.text, 'undefined of 0')
  await screen.go('2')
  await stage.wire.answer('/todos?page=2', [one, two])
  await shows(screen.text, 'two of 2')
})

for (const [what, status, options] of [['fails', 404, {}], ['succeeds, and is stale at once', 200, { dataExpiryLength: 0 }]] as const) {
  for (const suspends of [false, true]) {
    test(`a read that ${what} is sent once while the transition waits for another, by ${suspends ? 'useSuspense over stale data' : 'useDLE'}`, async () => {
      const own = get.extend(options)
      stage.store('1', 'one')
      if (suspends) {
        stage.store('2', 'two')
        stage.controller.expireAll({ testKey: key => key === get.key({ id: '2' }) })
      }
      const screen = mountArguments('1', id => {
        const todo = suspends ? useSuspense(own, () => ({ id: id() })) : useDLE(own, () => ({ id: id() }))
        const page = useSuspense(getList, () => ({ page: id() }))
        return [paragraph(() => ('data' in todo ? todo.data : todo.latest)?.title), paragraph(() => page()?.length)]
      })
      await stage.wire.answer('/todos?page=1', [])
      await shows(screen.text, 'one0')
      const before = stage.wire.sent.length
      await screen.go('2')
      await stage.answer('2', 'due', status)
      for (let i = 0; i < 3; i++) await quiet()
      assert.equal(stage.wire.sent.slice(before).sort(), ['GET /todos/2', 'GET /todos?page=2'])
      assert.equal([stage.wire.aborted, stage.reported], [[], []])
      await stage.wire.answer('/todos?page=2', [one, two])
      await until(() => !screen.isPending())
      await quiet()
      assert.is(stage.wire.sent.length, before + 2)
    })
  }
}

test('arguments that change outside of the transition that waits are followed', async () => {
  const [other, setOther] = createSignal('1')
  for (const id of ['1', '2']) stage.store(id, `todo ${id}`)
  const screen = mountArguments('1', id => {
    const todo = useDLE(get, () => ({ id: other() }))
    const page = useSuspense(getList, () => ({ page: id() }))
    return [paragraph(() => todo.data?.title), paragraph(() => page()?.length)]
  })
  await stage.wire.answer('/todos?page=1', [])
  await shows(screen.text, 'todo 10')
  await screen.go('2')
  for (const id of ['3', '2', '4']) {
    setOther(id)
    await quiet()
  }
  await stage.answer('4', 'four')
  await until(() => screen.text().startsWith('four'))
  assert.equal(stage.wire.sent.slice(2), ['GET /todos/3', 'GET /todos/4'])
})

test.run()
