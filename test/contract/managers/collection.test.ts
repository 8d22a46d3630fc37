import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Collection, Controller, createResource, dehydrate, Endpoint, Entity, exportState, Lazy } from '../../../src/index.ts'
import type { Action, Commit, ControllerOptions, Patch } from '../../../src/index.ts'
import { createHistory } from '../../../src/history/index.ts'
import { createClock, mockFetch } from '../../../src/testing/index.ts'
import { warnings } from '../../support/caught.ts'
import { initialOf } from '../../support/initialOf.ts'

const test = suite('collection')

class User extends Entity {
  static override key = 'User'
  static override indexes = ['name']
  id = 0
  name = ''
}

class Todo extends Entity {
  static override key = 'Todo'
  static override schema = { owner: User, watchers: new Lazy([User]) }
  id = 0
  title = ''
  owner: User | undefined = undefined
  watchers: string[] = []
}

/** A class that refuses no record: its live objects need no snapshots, which would keep what they show. */
class Task extends Entity {
  static override key = 'Task'
  static override schema = { owner: User }
  id = 0
  title = ''
  owner: User | undefined = undefined
}

const { get, getList, partialUpdate } = createResource({ path: '/todos/:id', schema: Todo })
const UserResource = createResource({ path: '/users/:id', schema: User })
const MINUTE = 60_000
const list = [{ id: 1, title: 'sow', owner: { id: 7, name: 'ann' } }, { id: 2, title: 'reap', owner: 7 }]
const everything = ['Todo 1', 'Todo 2', 'User 7', '[Todo] {}', 'GET /todos']

function started(options: ControllerOptions = {}) {
  const clock = createClock()
  const controller = new Controller({ clock, fetch: mockFetch({ 'GET /todos': { body: list } }, { clock }), ...options })
  return {
    controller,
    clock,
    /** The effects of `watch`. */
    stops: [] as (() => void)[],
    /** What is stored: `Todo 1`, `GET /todos`. */
    stored: (): string[] => {
      const { entities, endpoints } = exportState(controller.snapshot())
      return [...entities.flatMap(([key, rows]) => rows.map(([pk]) => `${key} ${pk}`)), ...endpoints.map(([key]) => key)].sort()
    },
    /** Minute by minute: what nobody reads any more is released between two of them. */
    async pass(minutes: number): Promise<void> {
      for (; minutes > 0; minutes--) {
        clock.advance(Math.min(minutes, 1) * MINUTE)
        await Promise.resolve()
        await Promise.resolve()
      }
    },
  }
}
type Setting = ReturnType<typeof started>

/** Something is done, a number of minutes pass, or this is what is stored then. */
type Step = ((setting: Setting) => unknown) | number | readonly string[]

async function follow(setting: Setting, ...steps: Step[]): Promise<void> {
  for (const step of steps) {
    if (typeof step === 'number') await setting.pass(step)
    else if (typeof step === 'function') await step(setting)
    else assert.equal(setting.stored(), [...step].sort())
  }
}
const story = (title: string, ...steps: Step[]): void => void test(title, () => follow(started(), ...steps))

const fetched: Step = ({ controller }) => controller.setResponse(getList, list)
const set = (entity: typeof User | typeof Todo | typeof Task, record: object): Step => ({ controller }) => controller.set(entity, record as never)
/** An effect that reads. */
const watch = (read: (controller: Controller) => unknown): Step => ({ controller, stops }) => void stops.push(effect(() => void read(controller)))
/** All effects end. */
const leave: Step = async ({ stops }) => {
  for (const stop of stops.splice(0)) stop()
  await Promise.resolve()
}
const nothing = (): Promise<never[]> => Promise.resolve([])

story('what an endpoint brought goes some minutes after it has expired, with all that was known of it',
  fetched, everything, 5, everything, 2, [], ({ controller }) => {
    assert.equal([...dehydrate(controller).freshness], [])
    assert.is(controller.getResponse(getList).expiryStatus, 1)
  })

test('gc: false keeps everything, and winds no clock', () =>
  follow(started({ gc: false }), fetched, ({ clock }) => assert.is(clock.pending, 0), 1000, everything))

story('a controller that holds nothing winds no clock',
  ({ clock }) => assert.is(clock.pending, 0), fetched, ({ clock }) => assert.is(clock.pending, 1), 60,
  ({ controller, clock }) => {
    ;(globalThis as { gc?: () => void }).gc?.()
    assert.equal(exportState(controller.snapshot()).entities, [])
    controller.dispose()
    assert.is(clock.pending, 0)
  })

story('what an effect reads stays, with all that it shows; when the effect ends it goes',
  fetched, ({ controller }) => controller.setResponse(UserResource.get, { id: 8 }, { id: 8, name: 'bob' }),
  watch(controller => controller.get(Todo, { id: 1 })), 60, ['Todo 1', 'User 7'], leave, 5, ['Todo 1', 'User 7'], 1, [])

story('an endpoint that is read stays, however long ago it has expired, and what it shows; INV-32 a pass that finds nothing to remove is no commit',
  fetched, watch(controller => controller.getResponse(getList).data), async ({ controller, pass }) => {
    const state = controller.snapshot()
    await pass(600)
    assert.is(controller.snapshot(), state)
  }, everything, leave)

const failed: Step = ({ controller }) => controller.setError(getList, new Error('down'))
test('who reads only the error of an endpoint keeps it', async () => {
  const seen: unknown[] = []
  await follow(started(), failed, watch(controller => seen.push(controller.getError(getList))), 600,
    ({ controller }) => assert.ok(controller.getError(getList)), leave)
  assert.is(seen.length, 1)
})

story('an error stays, however long ago the endpoint was used', failed, 5.5, failed, 1, ({ controller }) => assert.ok(controller.getError(getList)))

story('an error that nobody reads is forgotten', failed, 10, ({ controller }) => {
  assert.equal([...dehydrate(controller).freshness], [])
  assert.is(controller.getError(getList), undefined)
})

story('an answer without a reader or an endpoint of its own is retained for a while: a mutation, a local write',
  set(User, { id: 8, name: 'bob' }), 4, ({ controller }) => controller.set(User, { id: 8 }, { id: 8, name: 'bea' }), 4, ['User 8'], 3, [])

const changed: Step = ({ controller }) => controller.setResponse(partialUpdate, { id: 1 }, {}, { id: 1, title: 'sow' })

story('the same answer again counts as one', ...Array.from({ length: 10 }, () => [changed, 4]).flat(), ['Todo 1'])

story('a row that is retained for a while keeps what it shows',
  set(User, { id: 7, name: 'ann' }), 4, set(Todo, { id: 1, owner: '7' }), 4, ['User 7', 'Todo 1'], 6, [])

story('what a view only keeps the pks of stays with it',
  ({ controller }) => controller.setResponse(get, { id: 1 }, { id: 1, watchers: [{ id: 8, name: 'bob' }] }),
  watch(controller => controller.get(Todo, { id: 1 })), 60, ['User 8', 'Todo 1'], leave)

story('a deletion is remembered for a while, and then forgotten',
  ({ controller }) => controller.setResponse(UserResource.get, { id: 8 }, { id: 8, name: 'bob' }),
  ({ controller }) => controller.setResponse(UserResource.delete, { id: 8 }, {}), ['User 8', 'GET /users/8'], 10, [])

test('indexes forget what is gone, and find what comes back', async () => {
  const { controller, pass } = started()
  const find = (): unknown => controller.get(User, { name: 'bob' })?.id
  controller.set(User, { id: 8, name: 'bob' })
  assert.is(find(), 8)
  await pass(10)
  const seen: unknown[] = []
  const stop = effect(() => void seen.push(find()))
  controller.set(User, { id: 8, name: 'bob' })
  assert.equal(seen, [undefined, 8])
  stop()
})

test('what was collected and comes again is new, and wakes whoever waits for it', async () => {
  const setting = started()
  const { controller } = setting
  const [titles, live]: unknown[][] = [[], []]
  await follow(setting, fetched, 10,
    watch(() => titles!.push(controller.get(Todo, { id: 1 })?.title)),
    watch(() => live!.push(controller.live(Todo, { id: 1 })?.title)), 10, fetched, leave)
  assert.equal([titles, live], [[undefined, 'sow'], [undefined, 'sow']])
})

test('a live object that is retained stays, and so does what it would show', async () => {
  const setting = started()
  await follow(setting, fetched)
  const todo = setting.controller.live(Todo, { id: 1 })!
  await follow(setting, 60, ['Todo 1', 'User 7'])
  assert.is(todo.owner?.name, 'ann')
})

test('a collection that is read by live objects stays, with members that nobody has looked at', async () => {
  const lengths: unknown[] = []
  const watched = watch(controller => lengths.push(controller.live(getList.schema)?.length))
  await follow(started(), fetched, watched, 60, ['Todo 1', 'Todo 2', 'User 7', '[Todo] {}'], leave)
  assert.equal(lengths, [2])
})

test('a snapshot that was taken before reads as it did', async () => {
  const setting = started()
  await follow(setting, fetched)
  const snapshot = setting.controller.snapshot()
  const before = exportState(snapshot)
  await follow(setting, 10, ({ controller }) => controller.setResponse(get, { id: 1 }, { id: 1, title: 'other' }), 1, ['Todo 1', 'GET /todos/1'])
  assert.equal(exportState(snapshot), before)
})

test('INV-32 collection is one commit: it says what goes, and that it was no deletion, and its inverse puts everything back', async () => {
  const setting = started()
  const { controller } = setting
  const commits: Commit[] = []
  await follow(setting, set(User, { id: 8, name: 'bob' }), fetched, () => controller.subscribePatches(commit => commits.push(commit)), 10, [])
  assert.equal(commits.map(({ cause }) => cause), ['collect'])
  const { patches, inversePatches, after } = commits[0]!
  const path = ['entities', 'User', '8']
  const ofUser = (patch: Patch): boolean => String(patch.path) === String(path)
  assert.equal(patches.filter(ofUser), [{ op: 'remove', path }])
  assert.equal(inversePatches.filter(ofUser), [{ op: 'add', path, value: { id: 8, name: 'bob' } }])
  assert.equal(exportState(after), { version: 1, entities: [], endpoints: [] })
  await follow(setting, () => controller.applyPatches(inversePatches), [...everything, 'User 8'])
})

const pending = { timeout: Infinity, fetch: () => new Promise<never>(() => {}) }

test('an endpoint with a request under way stays', () =>
  follow(started(pending), fetched, ({ controller }) => void controller.fetch(getList), ({ clock }) => clock.advance(60 * MINUTE),
    everything, ({ controller }) => controller.abort(getList), 10, []))

test('what an optimistic call shows, and rests on, stays until it is settled', () => {
  const change = createResource({ path: '/todos/:id', schema: Todo, optimistic: true }).partialUpdate
  const args = [{ id: 1 }, { title: 'harrow' }] as const
  const shows = (title: string): Step => ({ controller }) => assert.is(controller.get(Todo, { id: 1 })?.title, title)
  return follow(started(pending), set(Todo, { id: 1, title: 'sow', owner: { id: 7, name: 'ann' } }),
    ({ controller }) => void controller.fetch(change, ...args), 60, ['Todo 1', 'User 7'], shows('harrow'),
    ({ controller }) => controller.abort(change, ...args), shows('sow'), 10, [])
})

test('after and every are options', () => {
  const { controller, clock, stored } = started({ gc: { after: 10, every: 5 } })
  controller.set(User, { id: 8 })
  clock.advance(14)
  assert.is(stored().length, 1)
  clock.advance(1)
  assert.is(stored().length, 0)
})

test('beyond maxEntities what was of use the longest ago goes first, whole endpoints at a time', () => {
  const page = new Endpoint(nothing as (args: { page: number }) => Promise<never[]>, { name: 'page', schema: new Collection([User]) })
  const answer = (number: number): Step => ({ controller }) =>
    controller.setResponse(page, { page: number }, [{ id: number * 10 }, { id: number * 10 + 1 }])
  return follow(started({ gc: { maxEntities: 4 } }), answer(1), 0.5, answer(2), 0.5, answer(3), 0.5, set(User, { id: 99 }),
    watch(controller => controller.get(User, { id: 10 })), 1,
    // One is in use; of the pages, only the newest, and then another, find room; the rest is over. Lists do not count.
    ['User 10', 'User 20', 'User 21', 'User 30', 'User 31', '[User] {"page":"2"}', '[User] {"page":"3"}', 'page [{"page":2}]', 'page [{"page":3}]'], leave)
})

const named = new Endpoint(nothing as (args: { of: string }) => Promise<never[]>, { name: 'named', schema: new Collection([User]) })

class Bad extends Entity {
  static override key = 'Bad'
  id = 0
  static override queryKey(): never {
    throw new Error('mine')
  }
}

story('a schema that throws when it is asked stops no collection',
  watch(controller => assert.throws(() => controller.get(Bad, { id: 1 }))), set(User, { id: 8 }), 10, [], leave)

story('a collection of another kind goes with its endpoint',
  ...['a', 'b'].map((of): Step => ({ controller }) => controller.setResponse(named, { of }, [{ id: 1, name: of }])),
  watch(controller => controller.getResponse(named, { of: 'a' }).data), 60, ['[User] {"of":"a"}', 'User 1', 'named [{"of":"a"}]'], leave)

test('what was hydrated and never read goes whole: a list does not stay without what it names', async () => {
  const titles = new Endpoint(async () => list, { name: 'titles', schema: [Todo], dataExpiryLength: 60 * MINUTE })
  const server = started()
  server.controller.setResponse(titles, list)
  const { controller, pass } = started({ initialState: initialOf(dehydrate(server.controller)) })
  await pass(10)
  assert.is((await controller.fetchIfStale(titles)).length, 2)
})

const uses: [title: string, use: (controller: Controller) => unknown][] = [
  ['of an effect', controller => effect(() => void controller.get(User, { id: 8 }))()],
  ['of a read', controller => controller.get(User, { id: 8 })],
  ['of an endpoint', controller => controller.getResponse(UserResource.get, { id: 8 })],
]
for (const [title, use] of uses) {
  test(`INV-30 a use between two passes counts: data is retained for its time after it (${title})`, () =>
    follow(started({ gc: { after: 30, every: 10 } }), set(User, { id: 8, name: 'bob' }),
      ({ clock }) => clock.advance(25), ({ controller }) => void use(controller), ({ clock }) => clock.advance(29),
      ['User 8'], ({ clock }) => clock.advance(30), []))
}

const paged = createResource({ path: '/todos/:id', schema: Todo, paginationField: 'page' }).getList
const firstPage: Step = ({ controller }) => controller.setResponse(paged, [{ id: 1 }])

story('INV-30 pages that are retained for a list keep what they show, though the list no longer names it',
  firstPage, ({ controller }) => controller.setResponse(paged.getPage, { page: 2 }, [{ id: 2 }]), firstPage,
  watch(controller => controller.getResponse(paged).data), 60, ['Todo 1', 'Todo 2', '[Todo] {}', 'GET /todos', 'GET /todos?page=2 page'],
  ({ controller }) => assert.equal(controller.getResponse(paged.getPage, { page: 2 }).data?.map(({ id }) => id), [2]), leave)

test('INV-30 live objects of hydrated data keep what they would show: nothing was stored by its class here', async () => {
  const tasks = createResource({ path: '/tasks/:id', schema: Task }).getList
  const server = started()
  server.controller.setResponse(tasks, list)
  const { controller, stored, pass } = started({ initialState: initialOf(dehydrate(server.controller)) })
  const [task] = controller.live(tasks)!
  await pass(60)
  assert.ok(stored().includes('User 7'), stored().join())
  assert.is(task!.owner?.name, 'ann')
})

test('INV-30 a row is retained with what each class shows of it, not only the one that stored it first', async () => {
  class Brief extends Entity {
    static override key = 'Task'
    id = 0
    title = ''
  }
  const setting = started()
  const { controller } = setting
  warnings(() => {
    controller.set(Brief, { id: 1, title: 'sow' })
    controller.set(Task, { id: 1, owner: { id: 7, name: 'ann' } })
  })
  const task = controller.live(Task, { id: 1 })!
  await follow(setting, 60, ['Task 1', 'User 7'])
  assert.is(task.owner?.name, 'ann')
})

class Note extends Entity {
  static override key = 'Note'
  id = ''
  title = ''
  static override validate(value: { readonly title?: string }): string | undefined {
    return value.title === 'bad' ? 'no' : undefined
  }
}

for (const isCollected of [false, true]) {
  test(`INV-30 the live object of a temporary pk shows the real row${isCollected ? ', also after a pass has moved it' : ''}`, async () => {
    const notes = createResource({ path: '/notes/:id', schema: Note, optimistic: true }).getList
    let answer: (value: unknown) => void
    const action = (each: Action): boolean => each.type === 'fetch' && (void each.args, (answer = each.answer), true)
    const { controller, stored, pass } = started({ managers: [{ action }] })
    controller.setResponse(notes, [])
    controller.set(Note, { id: 'first', title: 'goes' })
    const created = controller.fetch(notes.push, { title: 'mine' })
    const temporary = controller.live(notes)![0]!
    controller.set(Note, { id: '5', title: 'real' })
    const real = controller.live(Note, { id: '5' })!
    answer!({ id: '5', title: 'real' })
    await created
    controller.set(Note, { id: '6', title: 'other' })
    const other = controller.live(Note, { id: '6' })!
    if (isCollected) await pass(60)
    assert.is(stored().includes('Note first'), !isCollected)
    controller.set(Note, { id: '5', title: 'changed' })
    assert.equal([temporary.title, real.title, other.title], ['changed', 'changed', 'other'])
  })
}

test('INV-30 undo and redo reach rows that a pass has moved; an update of one that is gone brings nothing back', async () => {
  const setting = started()
  const { controller } = setting
  const history = createHistory(controller)
  const rename = (id: number): Step => () => controller.set(User, { id }, user => void (user.name = 'renamed'))
  const names: unknown[] = []
  await follow(setting,
    ...[1, 2, 3].map((id): Step => () => controller.setResponse(UserResource.get, { id }, { id, name: `user ${id}` })),
    watch(() => names.push(controller.get(User, { id: 3 })?.name)), rename(2), rename(3), 60, ['User 3'],
    () => history.undo(), () => history.redo(), () => history.undo(),
    async () => assert.equal((await history.undo()).kept, [{ key: 'User', pk: '2' }]), ['User 3'], leave)
  assert.equal(names, ['user 3', 'renamed', 'user 3', 'renamed', 'user 3'])
})

test('INV-30 a pass wakes nobody: not who reads a view, a status, a list, a count, an index or a live object', async () => {
  const { controller, stored, pass } = started()
  controller.setResponse(getList, list)
  controller.setResponse(UserResource.get, { id: 8 }, { id: 8, name: 'goes' })
  const reads = [
    () => controller.get(Todo, { id: 1 }),
    () => controller.getResponse(getList).data,
    () => controller.getResponse(getList).expiresAt,
    () => controller.getError(getList),
    () => controller.isFetching(UserResource.get, { id: 99 }),
    () => controller.get(Todo, { id: 99 }),
    () => controller.get(User, { name: 'ann' }),
    () => controller.get(User, { name: 'nobody' }),
    () => controller.live(Todo, { id: 1 }),
    () => controller.live(getList),
    () => controller.live(Todo, { id: 99 }),
  ]
  const seen = reads.map((): unknown[] => [])
  const stops = reads.map((read, i) => effect(() => void seen[i]!.push(read())))
  await pass(60)
  assert.not.ok(stored().includes('User 8'))
  assert.equal(seen.map(({ length }) => length), reads.map(() => 1))
  reads.forEach((read, i) => assert.is(read(), seen[i]![0], String(read)))
  for (const stop of stops) stop()
})

test.run()
