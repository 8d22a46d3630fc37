import * as assert from 'uvu/assert'
import { Controller, createResource, Entity, ProviderError } from '../../../src/index.ts'
import type { ControllerOptions, Manager } from '../../../src/index.ts'
import { createClock, type HandClock } from '../../../src/testing/index.ts'
import { WAITING, type Framework, type Screen, type Reader, type Spec } from './framework.ts'
import { quiet, until, Wire } from './wire.ts'

type Suite = (name: string, test: () => Promise<void>) => void

class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}

const TodoResource = createResource({ path: '/todos/:id', schema: Todo })
const { get, getList } = TodoResource

/** What managers may do with what has been answered. */
const spoilers: { readonly [verb: string]: (controller: Controller, key: string) => void } = {
  reset: controller => controller.reset(),
  invalidateAll: (controller, key) => controller.invalidateAll({ testKey: each => each === key }),
  expireAll: (controller, key) => controller.expireAll({ testKey: each => each === key }),
}

/** The rules of both bindings, written as the text of a page and the requests that it sends. */
export function conformance(suite: Suite, framework: Framework): void {
  /** Whether a read ends with the component that waits for it. Preact does not say when a suspended component is removed. */
  const leaves = framework.name === 'solid'
  let wire: Wire
  let clock: HandClock
  let controller: Controller
  let screens: Screen[]
  let messages: unknown[][]
  const { warn, error } = console

  // Not with hooks: one that throws takes the whole suite with it, unseen.
  const test = (name: string, body: () => void | Promise<void>): void =>
    suite(name, async () => {
      wire = new Wire()
      clock = createClock(1e12)
      controller = make()
      screens = []
      messages = []
      console.warn = (...words) => void messages.push(words)
      console.error = (...words) => void messages.push(words)
      try {
        await body()
        for (const screen of screens.splice(0)) screen.unmount()
      } finally {
        Object.assign(console, { warn, error })
        controller.dispose()
      }
      assert.equal(messages, [], 'nothing is logged to the console')
    })

  const make = (options: ControllerOptions = {}): Controller => new Controller({ fetch: wire.fetch, clock, retry: false, ...options })
  const mount = (spec: Partial<Spec>): Screen => {
    const screen = framework.mount({ controller, hook: 'useSuspense', target: get, args: () => ({ id: '1' }), text: title, ...spec })
    screens.push(screen)
    return screen
  }
  const shows = (screen: Screen, text: string): Promise<void> =>
    until(() => screen.text() === text, `'${text}'`).catch(() => assert.is(screen.text(), text))
  const answer = (id: string, name: string): Promise<void> => wire.answer(`/todos/${id}`, { id, title: name })

  test('useSuspense waits for the first answer, asks once, and shows it', async () => {
    const screen = mount({})
    assert.is(screen.text(), WAITING)
    await answer('1', 'milk')
    await shows(screen, 'milk')
    await quiet()
    assert.equal(wire.sent, ['GET /todos/1'])
  })

  test('what comes in another way while it is waited for is shown at once', async () => {
    for (const [id, come] of [
      ['1', () => controller.setResponse(get, { id: '1' }, { id: '1', title: 'pushed' })],
      ['2', () => controller.setResponse(getList, [{ id: '2', title: 'pushed' }])],
    ] as const) {
      const screen = mount({ args: () => ({ id }) })
      await until(() => wire.sent.length === Number(id))
      come()
      await shows(screen, 'pushed')
      // It was asked for before.
      await answer(id, 'late')
      await quiet()
      assert.is(screen.text(), 'pushed')
    }
    assert.is(wire.sent.length, 2)
  })

  test('what is fresh is shown at once, and not asked for', async () => {
    controller.setResponse(get, { id: '1' }, { id: '1', title: 'milk' })
    assert.is(mount({}).text(), 'milk')
    await quiet()
    assert.equal(wire.sent, [])
  })

  test('what is stale is shown at once, and asked for', async () => {
    controller.setResponse(get, { id: '1' }, { id: '1', title: 'milk' })
    clock.advance(get.dataExpiryLength + 1)
    const screen = mount({})
    assert.is(screen.text(), 'milk')
    await answer('1', 'bread')
    await shows(screen, 'bread')
    assert.is(wire.sent.length, 1)
  })

  test('two readers of one thing ask once', async () => {
    const both = [mount({}), mount({})]
    await answer('1', 'milk')
    for (const screen of both) await shows(screen, 'milk')
    assert.is(wire.sent.length, 1)
  })

  test('a refetch keeps what is shown, says so in loading, and never waits', async () => {
    let reader: Reader
    const seen: string[] = []
    const screen = mount({
      text(read) {
        reader = read
        const text = `${title(read)} ${read.loading}`
        seen.push(text)
        return text
      },
    })
    await answer('1', 'milk')
    await shows(screen, 'milk false')
    const done = reader!.refetch()
    await shows(screen, 'milk true')
    await answer('1', 'bread')
    await done
    await shows(screen, 'bread false')
    assert.not.ok(seen.slice(seen.indexOf('milk false')).some(text => text.startsWith('undefined')))
  })

  test('what was invalidated is waited for again', async () => {
    const screen = mount({})
    await answer('1', 'milk')
    await shows(screen, 'milk')
    controller.invalidate(get, { id: '1' })
    await shows(screen, WAITING)
    await answer('1', 'bread')
    await shows(screen, 'bread')
    assert.is(wire.sent.length, 2)
  })

  test('what was invalidated while it was asked for is asked for anew, and the first answer never shows', async () => {
    const screen = mount({})
    await until(() => wire.pending === 1)
    controller.invalidate(get, { id: '1' })
    await until(() => wire.pending === 2)
    await answer('1', 'old')
    await quiet()
    assert.is(screen.text(), WAITING)
    await answer('1', 'new')
    await shows(screen, 'new')
    assert.is(wire.sent.length, 2)
  })

  test('what has expired stays on show while it is asked for', async () => {
    const screen = mount({})
    await answer('1', 'milk')
    await shows(screen, 'milk')
    controller.expireAll({ testKey: key => get.testKey(key) })
    await until(() => wire.pending === 1)
    assert.is(screen.text(), 'milk')
    await answer('1', 'bread')
    await shows(screen, 'bread')
    assert.is(wire.sent.length, 2)
  })

  test('after a reset what is on show is asked for again, whether or not it had come', async () => {
    const screens = [mount({}), mount({ args: () => ({ id: '2' }) })]
    await answer('1', 'milk')
    await shows(screens[0]!, 'milk')
    controller.reset()
    await shows(screens[0]!, WAITING)
    await until(() => wire.pending >= 2)
    assert.equal(wire.sent.slice(2).toSorted(), ['GET /todos/1', 'GET /todos/2'])
  })

  test('a row that was deleted is asked for again', async () => {
    const screen = mount({})
    await answer('1', 'milk')
    await shows(screen, 'milk')
    const gone = controller.fetch(TodoResource.delete, { id: '1' })
    await wire.answer('/todos/1', { id: '1' })
    await gone
    await wire.answer('/todos/1', { message: 'gone' }, 404)
    await until(() => screen.text().startsWith('error: '))
  })

  test('what was opened by its temporary pk stays on show when it has its real one, and is waited for again when it is invalidated', async () => {
    controller.setResponse(getList, [])
    const made = controller.fetch(getList.push.extend({ getOptimisticResponse: (_, todo) => todo }), { title: 'milk' })
    const { id } = controller.getResponse(getList).data![0]!
    const screens = (['useSuspense', 'useDLE', 'useCache'] as const).map(hook => mount({ hook, args: () => ({ id }) }))
    const query = mount({ hook: 'useQuery', target: Todo, args: () => ({ id }) })
    for (const screen of [...screens, query]) await shows(screen, 'milk')
    await wire.answer('/todos', { id: '7', title: 'oat milk' })
    await made
    await answer('7', 'oat milk')
    await quiet()
    assert.equal([...screens, query].map(screen => screen.text()), ['oat milk', 'oat milk', 'oat milk', 'oat milk'])
    controller.invalidate(get, { id: '7' })
    await shows(screens[0]!, WAITING)
    await answer('7', 'rice milk')
    for (const screen of [...screens, query]) await shows(screen, 'rice milk')
    controller.invalidate(get, { id })
    await shows(screens[0]!, WAITING)
    await wire.answer('/todos/7', {}, 404)
    await until(() => screens[0]!.text().startsWith('error: '), 'the error')
    assert.equal(wire.sent, ['POST /todos', 'GET /todos/7', 'GET /todos/7', 'GET /todos/7'])
  })

  test('a failure without data goes to the boundary', async () => {
    const screen = mount({})
    await wire.answer('/todos/1', {}, 404)
    await until(() => screen.text().startsWith('error: '))
    assert.match(screen.text(), '404')
    await quiet()
    assert.is(wire.sent.length, 1)
  })

  test('a soft failure leaves the data on show and stands beside it', async () => {
    let reader: Reader
    const screen = mount({ text: read => `${title((reader = read))} ${String((read.error as { status?: number } | undefined)?.status)}` })
    await answer('1', 'milk')
    await shows(screen, 'milk undefined')
    reader!.refetch().catch(() => {})
    await wire.answer('/todos/1', {}, 503)
    await shows(screen, 'milk 503')
    reader!.refetch().catch(() => {})
    await answer('1', 'bread')
    await shows(screen, 'bread undefined')
  })

  test('a hard failure takes the data off the page', async () => {
    let reader: Reader
    const screen = mount({ text: read => title((reader = read)) })
    await answer('1', 'milk')
    await shows(screen, 'milk')
    reader!.refetch().catch(() => {})
    await wire.answer('/todos/1', {}, 403)
    await until(() => screen.text().startsWith('error: '))
    assert.is(controller.get(Todo, { id: '1' })?.title, 'milk')
  })

  test('arguments that spell no request are an error that says so', () => {
    assert.match(mount({ args: () => ({ id: '' }) }).text(), /^error: .*id/)
    assert.match(mount({ hook: 'useDLE', args: () => ({ id: '' }), text: read => `error: ${(read.error as Error).message}` }).text(), /^error: .*id/)
  })

  test('a call that changes something cannot be read, and is never made by reading', async () => {
    const target = TodoResource.partialUpdate.extend({ pollFrequency: 1000 })
    for (const hook of ['useSuspense', 'useLive', 'useSubscription'] as const) {
      assert.match(mount({ hook, target, text: read => String(read.data) }).text(), /^error: .*controller\.fetch/, hook)
    }
    assert.match(mount({ hook: 'useDLE', target, text: read => `error: ${(read.error as Error).message}` }).text(), /^error: .*controller\.fetch/)
    await quiet()
    clock.advance(5000)
    await quiet()
    assert.equal(wire.sent, [])
  })

  test('an endpoint that throws before it sends anything is a failure like any other', async () => {
    const broken = get.extend({
      fetch: () => {
        throw new Error('broken')
      },
    })
    await shows(mount({ target: broken }), 'error: broken')
  })

  test('null means not yet: nothing is asked for until there are arguments', async () => {
    for (const hook of ['useSuspense', 'useDLE', 'useFetch', 'useLive', 'useSubscription', 'useCache', 'useQuery'] as const) {
      const target = hook === 'useQuery' ? Todo : get
      assert.is(mount({ hook, target, args: () => null, text: read => String(read.data) }).text(), 'undefined', hook)
    }
    const id = framework.cell<string | null>(null)
    const screen = mount({ args: () => (id.get() === null ? null : { id: id.get() }), text: read => `${title(read)} ${read.loading}` })
    assert.is(screen.text(), 'undefined false')
    await quiet()
    assert.equal(wire.sent, [])
    id.set('1')
    await answer('1', 'milk')
    await shows(screen, 'milk false')
    id.set(null)
    await shows(screen, 'undefined false')
  })

  test('when arguments change on the way, the answer for the old ones never shows', async () => {
    const id = framework.cell('1')
    const seen = new Set<string>()
    const screen = mount({
      args: () => ({ id: id.get() }),
      text: read => {
        seen.add(title(read))
        return title(read)
      },
    })
    await until(() => wire.pending === 1)
    id.set('2')
    await until(() => wire.pending === 2)
    await answer('1', 'one')
    await quiet()
    assert.is(screen.text(), WAITING)
    await answer('2', 'two')
    await shows(screen, 'two')
    assert.not.ok(seen.has('one'))
    id.set('1')
    if (leaves) await answer('1', 'one')
    await shows(screen, 'one')
    assert.is(wire.sent.length, leaves ? 3 : 2)
  })

  test(`unmounted while it waits: ${leaves ? 'the request is aborted' : 'the answer is retained'}, and nothing is logged`, async () => {
    const screen = mount({})
    await until(() => wire.pending === 1)
    screen.unmount()
    await (leaves ? until(() => wire.aborted.length === 1) : answer('1', 'milk'))
    await until(() => leaves || controller.get(Todo, { id: '1' }) !== undefined)
    assert.is(screen.text(), '')
  })

  test('useDLE neither waits nor throws', async () => {
    const screen = mount({
      hook: 'useDLE',
      text: read => `${title(read)} ${read.loading} ${String((read.error as { status?: number } | undefined)?.status)}`,
    })
    assert.is(screen.text(), 'undefined true undefined')
    await wire.answer('/todos/1', {}, 404)
    await shows(screen, 'undefined false 404')
    controller.invalidate(get, { id: '1' })
    await answer('1', 'milk')
    await shows(screen, 'milk false undefined')
  })

  test('what is invalid once it is stale, and stale at once, is shown when it has come', async () => {
    const target = get.extend({ invalidIfStale: true, dataExpiryLength: 0 })
    for (const hook of ['useSuspense', 'useDLE'] as const) {
      const screen = mount({ hook, target, args: () => ({ id: hook }) })
      await answer(hook, 'milk')
      await shows(screen, 'milk')
    }
    await quiet()
    assert.is(wire.sent.length, 2)
  })

  test('useDLE asks again on request, whether it is fresh or not, and gives what came of it', async () => {
    let reader: Reader
    const screen = mount({ hook: 'useDLE', text: read => `${title((reader = read))} ${read.loading} ${String((read.error as { status?: number } | undefined)?.status)}` })
    await answer('1', 'milk')
    await shows(screen, 'milk false undefined')
    const done = reader!.refetch() as Promise<Todo>
    await shows(screen, 'milk true undefined')
    await answer('1', 'bread')
    assert.is((await done).title, 'bread')
    await shows(screen, 'bread false undefined')
    // Nobody has to await it.
    void reader!.refetch()
    await wire.answer('/todos/1', {}, 503)
    await shows(screen, 'bread false 503')
  })

  test('useDLE has nothing to ask for again before it has arguments, and says why where they spell no request', async () => {
    let reader: Reader
    const text = (read: Reader): string => String((reader = read).data)
    mount({ hook: 'useDLE', args: () => null, text })
    assert.is(await reader!.refetch(), undefined)
    mount({ hook: 'useDLE', args: () => ({ id: '' }), text })
    assert.match(await reader!.refetch().then(String, (error: Error) => error.message), 'id')
    assert.equal(wire.sent, [])
  })

  test('useQuery reads entities, wakes when they change, and never asks', async () => {
    const screen = mount({ hook: 'useQuery', target: Todo })
    assert.is(screen.text(), 'undefined')
    controller.set(Todo, { id: '1' }, { id: '1', title: 'milk' })
    await shows(screen, 'milk')
    controller.set(Todo, { id: '1' }, todo => {
      todo.title = 'bread'
    })
    await shows(screen, 'bread')
    assert.equal(wire.sent, [])
  })

  test('useCache shows what is there, never what was invalidated, and never asks', async () => {
    const screen = mount({ hook: 'useCache' })
    assert.is(screen.text(), 'undefined')
    controller.setResponse(get, { id: '1' }, { id: '1', title: 'milk' })
    await shows(screen, 'milk')
    controller.invalidate(get, { id: '1' })
    await shows(screen, 'undefined')
    await quiet()
    assert.equal(wire.sent, [])
  })

  test('useFetch asks early for what others read, whether or not its promise is looked at', async () => {
    let promise: unknown
    const looks = framework.cell(false)
    mount({
      hook: 'useFetch',
      text: read => {
        promise = looks.get() ? read.data : undefined
        return ''
      },
    })
    await until(() => wire.pending === 1)
    const screen = mount({})
    await answer('1', 'milk')
    await shows(screen, 'milk')
    assert.is(wire.sent.length, 1)
    controller.invalidate(get, { id: '1' })
    looks.set(true)
    await answer('1', 'bread')
    await shows(screen, 'bread')
    assert.is(((await promise) as Todo).title, 'bread')
    assert.is(wire.sent.length, 2)
  })

  test('a list shows what comes, goes and changes', async () => {
    const screen = mount({ target: getList, args: () => undefined, text: read => ((read.data as Todo[] | undefined) ?? []).map(todo => todo.title).join() })
    await wire.answer('/todos', [{ id: '1', title: 'milk' }])
    await shows(screen, 'milk')
    controller.set(Todo, { id: '1' }, { id: '1', title: 'bread' })
    await shows(screen, 'bread')
    const pushed = controller.fetch(getList.push, { title: 'jam' })
    await wire.answer('/todos', { id: '2', title: 'jam' })
    await pushed
    await shows(screen, 'bread,jam')
  })

  test('useSubscription polls while it is mounted, and leaves no timer', async () => {
    const target = get.extend({ pollFrequency: 1000 })
    controller.setResponse(get, { id: '1' }, { id: '1', title: 'milk' })
    const idle = clock.pending
    const polling = mount({ hook: 'useSubscription', target, text: () => '' })
    const screen = mount({ hook: 'useQuery', target: Todo })
    clock.advance(1)
    await quiet()
    clock.advance(1001)
    await answer('1', 'bread')
    await shows(screen, 'bread')
    polling.unmount()
    await quiet()
    clock.advance(100_000)
    await quiet()
    assert.is(wire.sent.length, 1)
    assert.is(clock.pending, idle)
  })

  test('useLive waits for the first answer and polls', async () => {
    const screen = mount({ hook: 'useLive', target: get.extend({ pollFrequency: 1000 }) })
    assert.is(screen.text(), WAITING)
    await answer('1', 'milk')
    await shows(screen, 'milk')
    clock.advance(1)
    await quiet()
    clock.advance(1001)
    await answer('1', 'bread')
    await shows(screen, 'bread')
  })

  test('useLoading follows what an action comes to', async () => {
    let finish: (value: string) => void
    let fail: (error: Error) => void
    const action = (): Promise<string> =>
      new Promise((resolve, reject) => {
        finish = resolve
        fail = reject
      })
    const screen = framework.loading(controller, action, (loading, error) => `${loading} ${String(error)}`)
    screens.push(screen)
    assert.is(screen.text(), 'false undefined')
    const first = screen.run('a')
    await shows(screen, 'true undefined')
    finish!('done')
    assert.is(await first, 'done')
    await shows(screen, 'false undefined')
    void screen.run('b')
    fail!(new Error('no'))
    await shows(screen, 'false Error: no')
    const third = screen.run('c')
    await shows(screen, 'true undefined')
    screen.unmount()
    finish!('late')
    assert.is(await third, 'late')
  })

  test('nothing is asked for over and over: answers that are stale at once, errors that are, views that are never valid', async () => {
    class Picky extends Todo {
      static override key = 'Picky'
      static override createIfValid(): undefined {}
    }
    const stale = get.extend({ dataExpiryLength: 0 })
    const fragile = get.extend({ errorExpiryLength: 0 })
    const invalid = get.extend({ schema: Picky, path: '/picky/:id' })
    for (const hook of ['useSuspense', 'useDLE'] as const) {
      mount({ hook, target: stale, args: () => ({ id: `stale-${hook}` }) })
      mount({ hook, target: fragile, args: () => ({ id: `fragile-${hook}` }) })
      mount({ hook, target: invalid, args: () => ({ id: `invalid-${hook}` }) })
      await wire.answer(`/todos/stale-${hook}`, { id: `stale-${hook}`, title: '' })
      await wire.answer(`/todos/fragile-${hook}`, {}, 404)
      await wire.answer(`/picky/invalid-${hook}`, { id: `invalid-${hook}`, title: '' })
    }
    await quiet()
    assert.is(wire.sent.length, 6)
  })

  for (const [name, act] of Object.entries(spoilers)) {
    for (const status of [401, 200]) {
      // A reset after each success is the wish of whoever wrote that manager, and is stopped by the breaker.
      test(`INV-43 a manager that calls ${name} after each ${status} makes no loop`, async () => {
        let sent = 0
        const spoil: Manager = {
          action(action) {
            if (action.type !== 'fetch') return
            const after = (error?: { readonly status?: number }): void => void ((error?.status ?? 200) === status && act(guarded, action.key))
            action.outcome.then(() => after(), after)
          },
        }
        const reported: unknown[] = []
        // Answers at once: a loop of microtasks would never end.
        const fetch = async (): Promise<Response> => (++sent > 50 ? new Promise<never>(() => {}) : Response.json({ id: '1', title: 'milk' }, { status }))
        const guarded: Controller = make({ managers: [spoil], fetch, onError: error => reported.push(error) })
        for (const hook of ['useSuspense', 'useDLE', 'useLive', 'useFetch'] as const) {
          sent = 0
          const screen = framework.mount({ controller: guarded, hook, target: get, args: () => ({ id: hook }), text: title })
          for (let turn = 0; turn < 5; turn++) await quiet()
          assert.ok(sent >= 1 && sent <= 2, `${hook}: ${sent} requests`)
          const before = sent
          for (let second = 0; second < 60; second++) {
            clock.advance(1000)
            await new Promise(resolve => setTimeout(resolve))
          }
          assert.ok(sent - before <= 2, `${hook}: ${sent - before} more within a minute`)
          screen.unmount()
          await quiet()
        }
        guarded.dispose()
      })
    }
  }

  test('two controllers share nothing', async () => {
    const other = make()
    const screens = [mount({}), mount({ controller: other })]
    assert.is(screens[1]!.text(), WAITING)
    await answer('1', 'mine')
    await shows(screens[0]!, 'mine')
    assert.is(screens[1]!.text(), WAITING)
    await answer('1', 'yours')
    await shows(screens[1]!, 'yours')
    assert.is(screens[0]!.text(), 'mine')
    screens[1]!.unmount()
    other.dispose()
  })

  test('two roots of one controller show the same', async () => {
    const both = [mount({}), mount({})]
    await answer('1', 'milk')
    for (const screen of both) await shows(screen, 'milk')
    both[0]!.unmount()
    controller.set(Todo, { id: '1' }, { id: '1', title: 'bread' })
    await shows(both[1]!, 'bread')
  })

  test('a controller that was disposed of before the page went does no harm', async () => {
    mount({ hook: 'useLive', target: get.extend({ pollFrequency: 1000 }) })
    await answer('1', 'milk')
    controller.dispose()
    for (const screen of screens) screen.unmount()
  })

  test('without a provider the error says what to do', () => {
    const screen = mount({ controller: undefined })
    assert.match(screen.text(), new ProviderError('There is no DataProvider above').message)
  })
}

function title(read: Reader): string {
  return String((read.data as Todo | undefined)?.title)
}
