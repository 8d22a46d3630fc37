import * as assert from 'uvu/assert'
import { All, Controller, dehydrate, Endpoint, ProviderError } from '../../../src/index.ts'
import type { ControllerOptions, Manager } from '../../../src/index.ts'
import { createClock, type HandClock } from '../../../src/testing/index.ts'
import { initialOf } from '../../support/initialOf.ts'
import { pass } from '../managers/world.ts'
import { WAITING, type Framework, type Mounted, type Reader, type Screen, type Spec } from './framework.ts'
import { get, getList, isDisposed, partialUpdate, remove, Todo } from './todo.ts'
import { quiet, shows as showsText, until, Wire } from './wire.ts'

/** What is mounted, and what its reader can do. */
type Page = Mounted & Pick<Reader, 'refetch'>
type Suite = (name: string, test: () => Promise<void>) => void

class Picky extends Todo {
  static override key = 'Picky'
  static override createIfValid(): undefined {}
}

const polled = get.extend({ pollFrequency: 1000 })
/** Stale at once, and never shown when it is. */
const strict = get.extend({ invalidIfStale: true, dataExpiryLength: 0 })
/** Retains no error. */
const fragile = get.extend({ errorExpiryLength: 0 })

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
  const faults: unknown[] = []
  const note = (fault: unknown): void => void faults.push(fault)
  const { process } = globalThis as { readonly process?: NodeJS.Process }
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
      process?.on('unhandledRejection', note)
      try {
        await body()
        for (const screen of screens.splice(0)) screen.unmount()
      } finally {
        Object.assign(console, { warn, error })
        process?.off('unhandledRejection', note)
        controller.dispose()
      }
      assert.equal(messages, [], 'nothing is logged to the console')
    })

  const make = (options: ControllerOptions = {}): Controller => new Controller({ fetch: wire.fetch, clock, retry: false, ...options })
  const mount = ({ text = title, ...spec }: Partial<Spec> = {}): Page => {
    let reader: Reader
    const usual = { controller, hook: 'useSuspense', target: get, args: () => ({ id: '1' }) } as const
    const screen = framework.mount({ ...usual, ...spec, text: read => text((reader = read)) })
    screens.push(screen)
    return { ...screen, refetch: () => reader.refetch() }
  }
  const shows = (screen: Screen, text: string): Promise<void> => showsText(screen.text, text)
  const fails = (screen: Screen, message = ''): Promise<void> =>
    until(() => screen.text().startsWith('error: ') && screen.text().includes(message), `the error ${message}`)
  const answer = (id: string, name: string): Promise<void> => wire.answer(`/todos/${id}`, { id, title: name })
  /** The answer arrives, and the screen shows it. */
  const arrives = (screen: Screen, id: string, name: string, text = name): Promise<void> => answer(id, name).then(() => shows(screen, text))
  const store = (name: string, id = '1'): void => controller.setResponse(get, { id }, { id, title: name })
  /** Mounted, answered, and on show. */
  const opened = async (spec: Partial<Spec> = {}): Promise<Page> => {
    const screen = mount(spec)
    await answer('1', 'milk')
    await until(() => screen.text().startsWith('milk'), `milk instead of ${screen.text()}`)
    return screen
  }

  test('what comes in another way while it is waited for is shown at once', async () => {
    for (const [id, come] of [['1', () => store('pushed')], ['2', () => controller.setResponse(getList, [{ id: '2', title: 'pushed' }])]] as const) {
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

  for (const [name, age, sent] of [
    ['what is fresh is shown at once, and not asked for', 0, []],
    ['what is stale is shown at once, and asked for', get.dataExpiryLength + 1, ['GET /todos/1']],
  ] as const) {
    test(name, async () => {
      store('milk')
      clock.advance(age)
      assert.is(mount().text(), 'milk')
      await quiet()
      assert.equal(wire.sent, sent)
    })
  }

  test('falsy answers are answers', async () => {
    for (const value of [0, '', false, null]) {
      let sent = 0
      const target = new Endpoint(async () => (sent++, value), { name: `falsy ${String(value)}` })
      await shows(mount({ target, args: () => undefined, text: read => JSON.stringify(read.data) ?? '' }), JSON.stringify(value))
      await quiet()
      assert.is(sent, 1)
    }
  })

  test('a refetch keeps what is shown, says so in loading, and never waits', async () => {
    const seen: string[] = []
    const note = (text: string): string => (seen.push(text), text)
    const screen = await opened({ text: read => note(`${title(read)} ${read.loading}`) })
    await shows(screen, 'milk false')
    const done = screen.refetch()
    await shows(screen, 'milk true')
    await answer('1', 'bread')
    await done
    await shows(screen, 'bread false')
    assert.not.ok(seen.slice(seen.indexOf('milk false')).some(text => text.startsWith('undefined')))
  })

  const invalidate = (): void => controller.invalidate(get, { id: '1' })
  const expire = (): void => controller.expireAll({ testKey: () => true })
  for (const [name, hook, target, mark, meanwhile] of [
    ['what was invalidated is waited for again', 'useSuspense', get, invalidate, WAITING],
    ['what has expired stays on show while it is asked for', 'useSuspense', get, expire, 'milk'],
    ['what is stale at once, and then invalid, is shown when it has come, and waited for when it expires', 'useSuspense', strict, expire, WAITING],
    ['useDLE shows what is stale at once, and then invalid, until it expires', 'useDLE', strict, expire, 'undefined'],
  ] as const) {
    test(name, async () => {
      const screen = await opened({ hook, target })
      await quiet()
      assert.is(wire.sent.length, 1)
      mark()
      await until(() => wire.pending === 1)
      await shows(screen, meanwhile)
      await arrives(screen, '1', 'bread')
      assert.is(wire.sent.length, 2)
    })
  }

  test('what was invalidated while it was asked for is asked for anew, and the first answer never shows', async () => {
    const screen = mount()
    await until(() => wire.pending === 1)
    invalidate()
    await until(() => wire.pending === 2)
    await answer('1', 'old')
    await quiet()
    assert.is(screen.text(), WAITING)
    await arrives(screen, '1', 'new')
    assert.is(wire.sent.length, 2)
  })

  test('after a reset what is on show is asked for again, whether or not it had come, and the answer from before never shows', async () => {
    const late = mount({ args: () => ({ id: '2' }) })
    const screen = await opened()
    controller.reset()
    await shows(screen, WAITING)
    await until(() => wire.pending === 3)
    assert.equal(wire.sent.slice(2).toSorted(), ['GET /todos/1', 'GET /todos/2'])
    await answer('2', 'before')
    await quiet()
    assert.is(late.text(), WAITING)
    await answer('2', 'after')
    await answer('1', 'bread')
    await shows(late, 'after')
    await shows(screen, 'bread')
  })

  for (const hook of ['useSuspense', 'useDLE'] as const) {
    test(`${hook} arrives, however often the store is reset and the read invalidated while it is in flight`, async () => {
      const screen = await opened({ hook, text: title })
      for (let turn = 0; turn < 3; turn++) {
        controller.invalidate(get, { id: '1' })
        await quiet()
        controller.reset()
        controller.reset()
        await quiet()
      }
      while (wire.pending > 1) await answer('1', 'before')
      await arrives(screen, '1', 'after')
    })
  }

  const deleteRow = async (): Promise<void> => {
    const gone = controller.fetch(remove, { id: '1' })
    await wire.answer('/todos/1', { id: '1' })
    await gone
    await wire.answer('/todos/1', { message: 'gone' }, 404)
  }

  test('a row that was deleted is asked for again', async () => {
    const screen = await opened()
    await deleteRow()
    await fails(screen)
  })

  test('useDLE says that it loads when its row was deleted, and what came of it', async () => {
    const seen: string[] = []
    store('milk')
    mount({ hook: 'useDLE', text: read => (seen.push(stateOf(read)), '') })
    await deleteRow()
    await until(() => seen.length > 2)
    assert.equal(seen, ['milk false undefined', 'undefined true undefined', 'undefined false 404'])
  })

  test('what was shown by its temporary pk stays on show when it has its real one, and is waited for again when it is invalidated', async () => {
    controller.setResponse(getList, [])
    const made = controller.fetch(getList.push.extend({ getOptimisticResponse: (_, todo) => todo }), { title: 'milk' })
    const { id } = controller.getResponse(getList).data![0]!
    const screens = (['useSuspense', 'useDLE', 'useCache', 'useQuery'] as const).map(hook =>
      mount({ hook, target: hook === 'useQuery' ? Todo : get, args: () => ({ id }) }),
    )
    const [waits] = screens as [Page]
    for (const screen of screens) await shows(screen, 'milk')
    await wire.answer('/todos', { id: '7', title: 'oat milk' })
    await made
    await answer('7', 'oat milk')
    await quiet()
    assert.equal(screens.map(screen => screen.text()), ['oat milk', 'oat milk', 'oat milk', 'oat milk'])
    controller.invalidate(get, { id: '7' })
    await shows(waits, WAITING)
    await answer('7', 'rice milk')
    for (const screen of screens) await shows(screen, 'rice milk')
    controller.invalidate(get, { id })
    await shows(waits, WAITING)
    await wire.answer('/todos/7', {}, 404)
    await fails(waits)
    assert.equal(wire.sent, ['POST /todos', 'GET /todos/7', 'GET /todos/7', 'GET /todos/7'])
  })

  for (const [name, again] of [
    ['a failure without data goes to the boundary, which asks again at once when it is reset', () => {}],
    ['error.retry() asks again, and the boundary can be reset at once', screen => void screen.error().retry()],
  ] as [name: string, again: (screen: Page) => void][]) {
    test(name, async () => {
      const screen = mount()
      await wire.answer('/todos/1', {}, 404)
      await fails(screen, '404')
      await quiet()
      assert.is(wire.sent.length, 1)
      assert.not.ok(Object.keys(screen.error()).includes('retry'))
      again(screen)
      screen.reset()
      await shows(screen, WAITING)
      await arrives(screen, '1', 'milk')
      assert.is(wire.sent.length, 2)
    })
  }

  test('a soft failure leaves the data on show and stands beside it', async () => {
    const screen = await opened({ text: stateOf })
    await shows(screen, 'milk false undefined')
    for (const [status, text] of [[503, 'milk false 503'], [200, 'bread false undefined']] as const) {
      screen.refetch().catch(() => {})
      await wire.answer('/todos/1', { id: '1', title: 'bread' }, status)
      await shows(screen, text)
    }
  })

  for (const [name, target] of [
    ['a hard failure takes the data off the page, and a boundary that is reset asks, though the data is fresh', get],
    ['a hard failure takes the data off the page, however short errors are retained', fragile],
  ] as const) {
    test(name, async () => {
      const screen = await opened({ target })
      screen.refetch().catch(() => {})
      await wire.answer('/todos/1', {}, 403)
      await fails(screen, '403')
      await quiet()
      assert.equal([controller.get(Todo, { id: '1' })?.title, wire.sent.length], ['milk', 2])
      clock.advance(target.errorExpiryLength + 1)
      screen.reset()
      await arrives(screen, '1', 'bread')
    })
  }

  test('arguments that spell no request are an error that says so', () => {
    assert.match(mount({ args: () => ({ id: '' }) }).text(), /^error: .*id/)
    assert.match(mount({ hook: 'useDLE', args: () => ({ id: '' }), text: read => (read.error as Error).message }).text(), /id/)
  })

  test('a call that changes something cannot be read, and is never made by reading', async () => {
    const target = partialUpdate.extend({ pollFrequency: 1000 })
    for (const hook of ['useSuspense', 'useLive', 'useSubscription'] as const) {
      assert.match(mount({ hook, target, text: read => String(read.data) }).text(), /^error: .*controller\.fetch/, hook)
    }
    assert.match(mount({ hook: 'useDLE', target, text: read => (read.error as Error).message }).text(), /controller\.fetch/)
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

  test('an abort, a signal that has ended or a disposed controller ends the wait, and nothing is asked for again by itself', async () => {
    const screen = mount()
    const dle = mount({ hook: 'useDLE', text: stateOf })
    await until(() => wire.pending === 1)
    controller.abort(get, { id: '1' })
    await fails(screen)
    await shows(dle, 'undefined false undefined')
    await fails(mount({ args: () => ({ id: '2' }), target: get.extend({ signal: AbortSignal.abort() }) }))
    const late = make()
    late.dispose()
    await fails(mount({ controller: late }), 'disposed')
    await quiet()
    assert.is(wire.sent.length, 1)
  })

  test('null means not yet: nothing is asked for until there are arguments', async () => {
    store('milk')
    for (const hook of ['useSuspense', 'useDLE', 'useFetch', 'useLive', 'useSubscription', 'useCache', 'useQuery'] as const) {
      const target = hook === 'useQuery' ? new All(Todo) : get
      assert.is(mount({ hook, target, args: () => null, text: read => String(read.data) }).text(), 'undefined', hook)
    }
    const id = framework.cell<string | null>(null)
    const screen = mount({ args: () => (id.get() === null ? null : { id: id.get() }), text: read => `${title(read)} ${read.loading}` })
    assert.is(screen.text(), 'undefined false')
    await quiet()
    assert.equal(wire.sent, [])
    id.set('2')
    await arrives(screen, '2', 'bread', 'bread false')
    id.set(null)
    await shows(screen, 'undefined false')
  })

  test('when arguments change on the way, the answer for the old ones never shows', async () => {
    const id = framework.cell('1')
    const seen = new Set<string>()
    const screen = mount({ args: () => ({ id: id.get() }), text: read => (seen.add(title(read)), title(read)) })
    await until(() => wire.pending === 1)
    id.set('2')
    await until(() => wire.pending === 2)
    await answer('1', 'one')
    await quiet()
    assert.is(screen.text(), WAITING)
    await arrives(screen, '2', 'two')
    assert.not.ok(seen.has('one'))
    id.set('1')
    if (leaves) await answer('1', 'one')
    await shows(screen, 'one')
    assert.is(wire.sent.length, leaves ? 3 : 2)
  })

  test(`unmounted while it waits: ${leaves ? 'the request is aborted' : 'the answer is retained'}, and nothing is logged`, async () => {
    const screen = mount()
    await until(() => wire.pending === 1)
    screen.unmount()
    await (leaves ? until(() => wire.aborted.length === 1) : answer('1', 'milk'))
    await until(() => leaves || controller.get(Todo, { id: '1' }) !== undefined)
    assert.is(screen.text(), '')
  })

  test('who was shown and has gone asks for nothing any more', async () => {
    const screen = await opened()
    const dle = mount({ hook: 'useDLE' })
    screen.unmount()
    dle.unmount()
    expire()
    invalidate()
    await quiet()
    assert.is(wire.sent.length, 1)
  })

  // Preact does not say when a component that waits is removed.
  for (const hook of leaves ? (['useSuspense', 'useDLE'] as const) : (['useDLE'] as const)) {
    test(`a request ends when the arguments of ${hook} change or it is removed, and nobody else waits for it`, async () => {
      const id = framework.cell('1')
      const screen = mount({ hook, args: () => ({ id: id.get() }) })
      const others = [mount({ hook, args: () => ({ id: '2' }) }), mount({ hook: 'useFetch', args: () => ({ id: '2' }), text: () => '' })]
      await until(() => wire.sent.length === 2)
      id.set('2')
      await until(() => wire.aborted.length === 1)
      id.set('3')
      await until(() => wire.sent.length === 3)
      for (const other of others) {
        await quiet()
        // The others still wait for 2.
        assert.equal(wire.aborted, ['GET /todos/1'])
        other.unmount()
      }
      await until(() => wire.aborted.length === 2)
      screen.unmount()
      await until(() => wire.aborted.length === 3)
      assert.equal(wire.aborted, ['GET /todos/1', 'GET /todos/2', 'GET /todos/3'])
    })
  }

  test('a request that was made by hand goes on without its reader', async () => {
    const screen = mount({ hook: 'useDLE' })
    await until(() => wire.sent.length === 1)
    const asked = controller.fetch(get, { id: '1' })
    screen.unmount()
    await answer('1', 'milk')
    assert.equal([(await asked).title, wire.aborted, wire.sent.length], ['milk', [], 1])
  })

  for (const hook of ['useSuspense', 'useDLE'] as const) {
    test(`a component that replaces another one takes its request over: ${hook}`, async () => {
      const before = [mount({ hook }), mount({ hook })]
      await until(() => wire.sent.length === 1)
      for (const screen of before) screen.unmount()
      const after = [mount({ hook }), mount({ hook })]
      await quiet()
      await answer('1', 'milk')
      for (const screen of after) await shows(screen, 'milk')
      assert.equal([wire.aborted, wire.sent.length], [[], 1])
    })
  }

  test('useDLE neither waits nor throws', async () => {
    const screen = mount({ hook: 'useDLE', text: stateOf })
    assert.is(screen.text(), 'undefined true undefined')
    await wire.answer('/todos/1', {}, 404)
    await shows(screen, 'undefined false 404')
    invalidate()
    await arrives(screen, '1', 'milk', 'milk false undefined')
  })

  test('a reader that mounts after an error asks again at once', async () => {
    const first = mount({ hook: 'useDLE', text: stateOf })
    await wire.answer('/todos/1', {}, 404)
    await shows(first, 'undefined false 404')
    first.unmount()
    await opened({ hook: 'useDLE' })
    assert.is(wire.sent.length, 2)
  })

  test('useDLE shows the previous data while the arguments change, until there is an answer', async () => {
    const id = framework.cell<string | null>('1')
    const screen = mount({ hook: 'useDLE', args: () => (id.get() === null ? null : { id: id.get() }), text: previousOf })
    await shows(screen, 'undefined own loading')
    await arrives(screen, '1', 'one', 'one own done')
    for (const next of ['2', '3']) {
      id.set(next)
      await shows(screen, 'one previous loading')
    }
    await arrives(screen, '3', 'three', 'three own done')
    id.set('4')
    await shows(screen, 'three previous loading')
    await wire.answer('/todos/4', {}, 404)
    await shows(screen, 'undefined own done')
    id.set('3')
    await shows(screen, 'three own done')
    id.set(null)
    await shows(screen, 'undefined own done')
    id.set('5')
    await shows(screen, 'undefined own loading')
  })

  test('a mounted reader asks again each time it is invalidated, however often its requests have failed', async () => {
    const screen = mount({ hook: 'useDLE', text: stateOf })
    for (let n = 0; n < 4; n++) {
      await shows(screen, 'undefined true undefined')
      await wire.answer('/todos/1', {}, 404)
      await shows(screen, 'undefined false 404')
      clock.advance(150)
      controller.invalidate(get, { id: '1' })
    }
    await arrives(screen, '1', 'milk', 'milk false undefined')
  })

  test('useDLE shows no previous data after a reset, nor with keepPrevious: false', async () => {
    const id = framework.cell('1')
    const alone = get.extend({ keepPrevious: false } as object) as typeof get
    const use = (target: typeof get): Page => mount({ hook: 'useDLE', target, args: () => ({ id: id.get() }), text: previousOf })
    const [retained, dropped] = [use(get), use(alone)]
    await answer('1', 'one')
    await shows(retained, 'one own done')
    await shows(dropped, 'one own done')
    id.set('2')
    await shows(retained, 'one previous loading')
    await shows(dropped, 'undefined own loading')
    controller.reset()
    await shows(retained, 'undefined own loading')
    await shows(dropped, 'undefined own loading')
  })

  test('useDLE shows previous data also while arguments are asked for that have failed before', async () => {
    const id = framework.cell('1')
    const screen = mount({ hook: 'useDLE', args: () => ({ id: id.get() }), text: previousOf })
    await arrives(screen, '1', 'one', 'one own done')
    id.set('2')
    await wire.answer('/todos/2', {}, 422)
    await shows(screen, 'undefined own done')
    id.set('1')
    await shows(screen, 'one own done')
    id.set('2')
    await shows(screen, 'one previous loading')
    await arrives(screen, '2', 'two', 'two own done')
  })

  test('useDLE asks again on request, whether it is fresh or not, and gives what came of it', async () => {
    const screen = await opened({ hook: 'useDLE', text: stateOf })
    await shows(screen, 'milk false undefined')
    const done = screen.refetch() as Promise<Todo>
    await shows(screen, 'milk true undefined')
    await answer('1', 'bread')
    assert.is((await done).title, 'bread')
    await shows(screen, 'bread false undefined')
    // Nobody has to await it.
    void screen.refetch()
    await wire.answer('/todos/1', {}, 503)
    await shows(screen, 'bread false 503')
  })

  test('useDLE has nothing to ask for again before it has arguments, and says why where they spell no request', async () => {
    assert.is(await mount({ hook: 'useDLE', args: () => null }).refetch(), undefined)
    const refused = mount({ hook: 'useDLE', args: () => ({ id: '' }) }).refetch()
    assert.match(await refused.then(String, (error: Error) => error.message), 'id')
    assert.equal(wire.sent, [])
  })

  test('useQuery reads entities, wakes when they change, and never asks', async () => {
    const screen = mount({ hook: 'useQuery', target: Todo })
    assert.is(screen.text(), 'undefined')
    controller.set(Todo, { id: '1' }, { id: '1', title: 'milk' })
    await shows(screen, 'milk')
    controller.set(Todo, { id: '1' }, todo => void (todo.title = 'bread'))
    await shows(screen, 'bread')
    assert.equal(wire.sent, [])
  })

  test('useCache shows what is there, never what was invalidated, and never asks', async () => {
    const screen = mount({ hook: 'useCache' })
    assert.is(screen.text(), 'undefined')
    store('milk')
    await shows(screen, 'milk')
    invalidate()
    await shows(screen, 'undefined')
    await quiet()
    assert.equal(wire.sent, [])
  })

  test('useFetch asks early for what others read, whether or not its promise is looked at, which is a new one only for a new request', async () => {
    const promises = new Set<unknown>()
    const looks = framework.cell(0)
    mount({ hook: 'useFetch', text: read => (looks.get() > 0 && promises.add(read.data), '') })
    await until(() => wire.pending === 1)
    const screen = await opened()
    assert.is(wire.sent.length, 1)
    invalidate()
    looks.set(1)
    await arrives(screen, '1', 'bread')
    looks.set(2)
    await quiet()
    assert.equal([promises.size, ((await [...promises][0]) as Todo).title], [1, 'bread'])
    invalidate()
    await wire.answer('/todos/1', {}, 404)
    await fails(screen)
    assert.equal([promises.size, wire.sent.length], [2, 3])
  })

  test('a list shows what comes, goes and changes', async () => {
    const titles = (read: Reader): string => ((read.data as Todo[] | undefined) ?? []).map(todo => todo.title).join()
    const screen = mount({ target: getList, args: () => undefined, text: titles })
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
    store('milk')
    const idle = clock.pending
    const polling = mount({ hook: 'useSubscription', target: polled, text: () => '' })
    const screen = mount({ hook: 'useQuery', target: Todo })
    clock.advance(1)
    await quiet()
    clock.advance(1001)
    await arrives(screen, '1', 'bread')
    polling.unmount()
    await quiet()
    clock.advance(100_000)
    await quiet()
    assert.equal([wire.sent.length, clock.pending], [1, idle])
  })

  test('useLive waits for the first answer and polls', async () => {
    const screen = mount({ hook: 'useLive', target: polled })
    assert.is(screen.text(), WAITING)
    await arrives(screen, '1', 'milk')
    clock.advance(1)
    await quiet()
    clock.advance(1001)
    await arrives(screen, '1', 'bread')
  })

  test('useLoading follows what an action comes to; its error is an Error, whatever was thrown', async () => {
    let finish: (value: string) => void
    let fail: (reason: unknown) => void
    let failure: unknown
    const action = (): Promise<string> =>
      new Promise((resolve, reject) => {
        finish = resolve
        fail = reject
      })
    const screen = framework.loading(controller, action, (loading, error) => `${loading} ${String((failure = error))}`)
    screens.push(screen)
    assert.is(screen.text(), 'false undefined')
    const first = screen.run('a')
    await shows(screen, 'true undefined')
    finish!('done')
    assert.is(await first, 'done')
    await shows(screen, 'false undefined')
    for (const [reason, cause] of [[new Error('no'), undefined], ['no', 'no']]) {
      void screen.run('b')
      await shows(screen, 'true undefined')
      fail!(reason)
      await shows(screen, 'false Error: no')
      assert.instance(failure, Error)
      assert.is((failure as Error).cause, cause)
    }
    // The error of a call that another one has followed is not shown.
    void screen.run('d')
    const failFirst = fail!
    void screen.run('e')
    failFirst(new Error('first'))
    finish!('done')
    await shows(screen, 'false undefined')
    const last = screen.run('c')
    await shows(screen, 'true undefined')
    screen.unmount()
    finish!('late')
    assert.is(await last, 'late')
  })

  test('nothing is asked for over and over: answers that are stale at once, errors that are, views that are never valid', async () => {
    const stale = get.extend({ dataExpiryLength: 0 })
    const invalid = get.extend({ schema: Picky, path: '/picky/:id' })
    for (const hook of ['useSuspense', 'useDLE'] as const) {
      mount({ hook, target: stale, args: () => ({ id: `stale-${hook}` }) })
      mount({ hook, target: fragile, args: () => ({ id: `fragile-${hook}` }) })
      const screen = mount({ hook, target: invalid, args: () => ({ id: `invalid-${hook}` }) })
      await wire.answer(`/todos/stale-${hook}`, { id: `stale-${hook}`, title: '' })
      await wire.answer(`/todos/fragile-${hook}`, {}, 404)
      await wire.answer(`/picky/invalid-${hook}`, { id: `invalid-${hook}`, title: '' })
      // Solid shows a read without a view as undefined.
      if (hook === 'useSuspense' && !leaves) {
        await fails(screen, 'GET /picky/invalid-useSuspense has an answer that its schema cannot show')
        assert.type(screen.error().retry, 'function')
      } else await shows(screen, 'undefined')
    }
    await quiet()
    assert.is(wire.sent.length, 6)
  })

  for (const [name, act] of Object.entries(spoilers)) {
    for (const status of [401, 200]) {
      // A reset after each success is the wish of whoever wrote that manager, and is stopped.
      test(`INV-43 a manager that calls ${name} after each ${status} makes no loop`, async () => {
        let sent = 0
        const spoil: Manager = {
          action(action) {
            if (action.type !== 'fetch') return
            const after = (error?: { readonly status?: number }): void => void ((error?.status ?? 200) === status && act(guarded, action.key))
            action.outcome.then(() => after(), after)
          },
        }
        // Answers at once: a loop of microtasks would never end.
        const fetch = async (): Promise<Response> => (++sent > 50 ? new Promise<never>(() => {}) : Response.json({ id: '1', title: 'milk' }, { status }))
        const guarded: Controller = make({ managers: [spoil], fetch, onError: () => {} })
        // With two readers, a reset for one of them ends the request of the other.
        for (const [hook, ...more] of [['useSuspense'], ['useDLE'], ['useLive'], ['useFetch'], ...(status === 401 ? [['useSuspense', '2'], ['useDLE', '2']] as const : [])] as const) {
          sent = 0
          const [screen, ...others] = [hook, ...more].map(id => framework.mount({ controller: guarded, hook, target: get, args: () => ({ id }), text: title })) as [Mounted, ...Mounted[]]
          for (let turn = 0; turn < 5; turn++) await quiet()
          assert.ok(sent >= 1 && sent <= (others.length ? 6 : 2), `${hook}: ${sent} requests`)
          if (status === 401 && hook === 'useSuspense') assert.match([screen, ...others].map(each => each.text()).join(), /^error: .*401/)
          const before = sent
          await pass(clock, 60_000, 1000)
          assert.ok(sent - before <= 2 * (1 + others.length), `${hook}: ${sent - before} more within a minute`)
          sent = 0
          guarded.reset()
          await quiet()
          assert.ok(sent || hook === 'useSuspense' || hook === 'useLive', `${hook}: nothing is asked for after a reset`)
          for (const each of [screen, ...others]) each.unmount()
          await quiet()
        }
        guarded.dispose()
      })
    }
  }

  test('two controllers share nothing', async () => {
    const other = make()
    const [mine, yours] = [mount(), mount({ controller: other })]
    assert.is(yours.text(), WAITING)
    await answer('1', 'mine')
    await shows(mine, 'mine')
    assert.is(yours.text(), WAITING)
    await answer('1', 'yours')
    await shows(yours, 'yours')
    assert.is(mine.text(), 'mine')
    yours.unmount()
    other.dispose()
  })

  test('two roots of one controller wait for the first answer, ask once, and show the same, and one outlives the other', async () => {
    const [one, other] = [mount(), mount()]
    assert.equal([one.text(), other.text()], [WAITING, WAITING])
    await answer('1', 'milk')
    for (const screen of [one, other]) await shows(screen, 'milk')
    await quiet()
    assert.equal(wire.sent, ['GET /todos/1'])
    one.unmount()
    controller.set(Todo, { id: '1' }, { id: '1', title: 'bread' })
    await shows(other, 'bread')
  })

  test('a controller that was disposed of before the page went does no harm', async () => {
    mount({ hook: 'useLive', target: polled })
    await answer('1', 'milk')
    controller.dispose()
    for (const screen of screens) screen.unmount()
  })

  test('the controller that was given is the one that is used, and it outlives the provider', () => {
    const provider = framework.provide({ controller })
    provider.unmount()
    assert.equal([provider.controller === controller, isDisposed(controller)], [true, false])
  })

  test('without one the provider makes its own, with the state that it is given, and disposes of it on unmount', () => {
    store('milk')
    const given = [controller.snapshot(), initialOf(dehydrate(controller)), undefined]
    const providers = given.map(initialState => framework.provide(initialState ? { initialState } : {}))
    assert.equal(providers.map(each => each.controller.get(Todo, { id: '1' })?.title), ['milk', 'milk', undefined])
    assert.is(new Set([controller, ...providers.map(each => each.controller)]).size, 4)
    for (const provider of providers) {
      assert.not.ok(isDisposed(provider.controller))
      provider.unmount()
      assert.ok(isDisposed(provider.controller))
    }
  })

  test('a provider of its own begins empty, with a warning, where there is nothing in what it is given', () => {
    // What a page has that came without its state.
    framework.provide({ initialState: initialOf(JSON.parse('null')) }).unmount()
    assert.is(messages.splice(0).length, 1)
  })

  test('without a provider the error says what to do', () => {
    const screen = mount({ controller: undefined })
    assert.match(screen.text(), /There is no DataProvider above.*Wrap .* in <DataProvider>/)
    assert.instance(screen.error(), ProviderError)
  })

  test('none of this left a rejection that nobody handled', async () => {
    await quiet()
    assert.equal(faults, [])
  })
}

function title(read: Reader): string {
  return String((read.data as Todo | undefined)?.title)
}

/** Data, loading, error. */
function stateOf(read: Reader): string {
  return `${title(read)} ${read.loading} ${String((read.error as { status?: number } | undefined)?.status)}`
}

function previousOf(read: Reader): string {
  return `${title(read)} ${read.isPrevious ? 'previous' : 'own'} ${read.loading ? 'loading' : 'done'}`
}
