import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Collection, Controller, createResource, dehydrate, Endpoint, Entity, exportState, Lazy, type Commit, type ControllerOptions } from '../../../src/index.ts'
import { createHistory } from '../../../src/history/index.ts'
import { createClock, mockFetch, type HandClock } from '../../../src/testing/index.ts'
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

const TodoResource = createResource({ path: '/todos/:id', schema: Todo })
const UserResource = createResource({ path: '/users/:id', schema: User })
const MINUTE = 60_000
const list = [
  { id: 1, title: 'sow', owner: { id: 7, name: 'ann' } },
  { id: 2, title: 'reap', owner: 7 },
]

interface Setting {
  readonly controller: Controller
  readonly clock: HandClock
  /** What is stored: `Todo 1`, `GET /todos`. */
  stored(): string[]
  /** Minute by minute: what nobody reads any more is released between two of them. */
  pass(minutes: number): Promise<void>
}

function started(options: ControllerOptions = {}): Setting {
  const clock = createClock()
  const controller = new Controller({ clock, fetch: mockFetch({ 'GET /todos': { body: list } }, { clock }), ...options })
  return {
    controller,
    clock,
    stored: () => {
      const { entities, endpoints } = exportState(controller.snapshot())
      return [...entities.flatMap(([key, rows]) => rows.map(([pk]) => `${key} ${pk}`)), ...endpoints.map(([key]) => key)].sort()
    },
    async pass(minutes) {
      for (; minutes > 0; minutes--) {
        clock.advance(Math.min(minutes, 1) * MINUTE)
        await Promise.resolve()
        await Promise.resolve()
      }
    },
  }
}

const nothing = (): Promise<never[]> => Promise.resolve([])
const holds = (stored: string[], expected: string[]): void => assert.equal(stored, expected.sort())

test('what an endpoint brought goes some minutes after it has expired, with all that was known of it', async () => {
  const { controller, stored, pass } = started()
  controller.setResponse(TodoResource.getList, list)
  holds(stored(), ['Todo 1', 'Todo 2', 'User 7', '[Todo] {}', 'GET /todos'])
  await pass(5)
  assert.is(stored().length, 5)
  await pass(2)
  holds(stored(), [])
  assert.equal([...dehydrate(controller).freshness], [])
  assert.is(controller.getResponse(TodoResource.getList).expiryStatus, 1)
})

test('gc: false keeps everything, and winds no clock', async () => {
  const { controller, clock, stored, pass } = started({ gc: false })
  controller.setResponse(TodoResource.getList, list)
  assert.is(clock.pending, 0)
  await pass(1000)
  assert.is(stored().length, 5)
})

test('a controller that holds nothing winds no clock', async () => {
  const { controller, clock, pass } = started()
  assert.is(clock.pending, 0)
  controller.setResponse(TodoResource.getList, list)
  assert.is(clock.pending, 1)
  await pass(60)
  ;(globalThis as { gc?: () => void }).gc?.()
  assert.equal(exportState(controller.snapshot()).entities, [])
  controller.dispose()
  assert.is(clock.pending, 0)
})

test('what an effect reads stays, with all that it shows; when the effect ends it goes', async () => {
  const { controller, stored, pass } = started()
  controller.setResponse(TodoResource.getList, list)
  controller.setResponse(UserResource.get, { id: 8 }, { id: 8, name: 'bob' })
  const stop = effect(() => void controller.get(Todo, { id: 1 }))
  await pass(60)
  holds(stored(), ['Todo 1', 'User 7'])
  stop()
  await Promise.resolve()
  await pass(5)
  holds(stored(), ['Todo 1', 'User 7'])
  await pass(1)
  holds(stored(), [])
})

test('an endpoint that is read stays, however long ago it has expired, and what it shows', async () => {
  const { controller, stored, pass } = started()
  controller.setResponse(TodoResource.getList, list)
  const stop = effect(() => void controller.getResponse(TodoResource.getList).data)
  await pass(600)
  assert.is(stored().length, 5)
  stop()
})

test('who reads only the error of an endpoint keeps it', async () => {
  const { controller, pass } = started()
  controller.setError(TodoResource.getList, new Error('down'))
  const seen: unknown[] = []
  const stop = effect(() => void seen.push(controller.getError(TodoResource.getList)))
  await pass(600)
  assert.is(seen.length, 1)
  assert.ok(controller.getError(TodoResource.getList))
  stop()
})

test('an error that nobody reads is forgotten', async () => {
  const { controller, pass } = started()
  controller.setError(TodoResource.getList, new Error('down'))
  await pass(10)
  assert.equal([...dehydrate(controller).freshness], [])
  assert.is(controller.getError(TodoResource.getList), undefined)
})

test('an answer without a reader or an endpoint of its own is retained for a while: a mutation, a local write', async () => {
  const { controller, stored, pass } = started()
  controller.set(User, { id: 8, name: 'bob' })
  await pass(4)
  controller.set(User, { id: 8 }, { id: 8, name: 'bea' })
  await pass(4)
  holds(stored(), ['User 8'])
  await pass(3)
  holds(stored(), [])
})

test('the same answer again counts as one', async () => {
  const { controller, stored, pass } = started()
  for (let i = 0; i < 10; i++) {
    controller.setResponse(TodoResource.partialUpdate, { id: 1 }, {}, { id: 1, title: 'sow' })
    await pass(4)
  }
  holds(stored(), ['Todo 1'])
})

test('a row that is retained for a while keeps what it shows', async () => {
  const { controller, stored, pass } = started()
  controller.set(User, { id: 7, name: 'ann' })
  await pass(4)
  controller.set(Todo, { id: 1, owner: '7' })
  await pass(4)
  holds(stored(), ['User 7', 'Todo 1'])
  await pass(6)
  holds(stored(), [])
})

test('what a view only keeps the pks of stays with it', async () => {
  const { controller, stored, pass } = started()
  controller.setResponse(TodoResource.get, { id: 1 }, { id: 1, watchers: [{ id: 8, name: 'bob' }] })
  const stop = effect(() => void controller.get(Todo, { id: 1 }))
  await pass(60)
  holds(stored(), ['User 8', 'Todo 1'])
  stop()
})

test('a deletion is remembered for a while, and then forgotten', async () => {
  const { controller, stored, pass } = started()
  controller.setResponse(UserResource.get, { id: 8 }, { id: 8, name: 'bob' })
  controller.setResponse(UserResource.delete, { id: 8 }, {})
  holds(stored(), ['User 8', 'GET /users/8'])
  await pass(10)
  holds(stored(), [])
})

test('indexes forget what is gone, and find what comes back', async () => {
  const { controller, pass } = started()
  controller.set(User, { id: 8, name: 'bob' })
  assert.is(controller.get(User, { name: 'bob' })?.id, 8)
  await pass(10)
  assert.is(controller.get(User, { name: 'bob' }), undefined)
  const seen: unknown[] = []
  const stop = effect(() => void seen.push(controller.get(User, { name: 'bob' })?.id))
  controller.set(User, { id: 8, name: 'bob' })
  assert.equal(seen, [undefined, 8])
  stop()
})

test('what was collected and comes again is new, and wakes whoever waits for it', async () => {
  const { controller, pass } = started()
  controller.setResponse(TodoResource.getList, list)
  await pass(10)
  const titles: unknown[] = []
  const live: unknown[] = []
  const stops = [
    effect(() => void titles.push(controller.get(Todo, { id: 1 })?.title)),
    effect(() => void live.push(controller.live(Todo, { id: 1 })?.title)),
  ]
  await pass(10)
  controller.setResponse(TodoResource.getList, list)
  assert.equal(titles, [undefined, 'sow'])
  assert.equal(live, [undefined, 'sow'])
  for (const stop of stops) stop()
})

test('a live object that is retained stays, and so does what it would show', async () => {
  const { controller, stored, pass } = started()
  controller.setResponse(TodoResource.getList, list)
  const todo = controller.live(Todo, { id: 1 })!
  await pass(60)
  holds(stored(), ['Todo 1', 'User 7'])
  assert.is(todo.owner?.name, 'ann')
})

test('a collection that is read by live objects stays, with members that nobody has looked at', async () => {
  const { controller, stored, pass } = started()
  controller.setResponse(TodoResource.getList, list)
  const lengths: unknown[] = []
  const stop = effect(() => void lengths.push(controller.live(TodoResource.getList.schema)?.length))
  await pass(60)
  holds(stored(), ['Todo 1', 'Todo 2', 'User 7', '[Todo] {}'])
  assert.equal(lengths, [2])
  stop()
})

test('a snapshot that was taken before reads as it did', async () => {
  const { controller, stored, pass } = started()
  controller.setResponse(TodoResource.getList, list)
  const snapshot = controller.snapshot()
  const before = exportState(snapshot)
  await pass(10)
  controller.setResponse(TodoResource.get, { id: 1 }, { id: 1, title: 'other' })
  await pass(1)
  assert.equal(exportState(snapshot), before)
  holds(stored(), ['Todo 1', 'GET /todos/1'])
})

test('collection is a commit: it says what goes, and that it was no deletion', async () => {
  const { controller, pass } = started()
  controller.set(User, { id: 8, name: 'bob' })
  const commits: Commit[] = []
  controller.subscribePatches(commit => commits.push(commit))
  await pass(10)
  assert.equal(commits.map(({ cause, patches }) => [cause, patches]), [['collect', [{ op: 'remove', path: ['entities', 'User', '8'] }]]])
  assert.equal(commits[0]!.inversePatches, [{ op: 'add', path: ['entities', 'User', '8'], value: { id: 8, name: 'bob' } }])
  assert.equal(exportState(commits[0]!.after), { version: 1, entities: [], endpoints: [] })
})

test('an endpoint with a request under way stays', async () => {
  const { controller, clock, stored, pass } = started({ timeout: Infinity, fetch: mockFetch({ 'GET /todos': () => new Promise(() => {}) }) })
  controller.setResponse(TodoResource.getList, list)
  const request = controller.fetch(TodoResource.getList)
  clock.advance(60 * MINUTE)
  assert.is(stored().length, 5)
  controller.abort(TodoResource.getList)
  await request.catch(() => {})
  await pass(10)
  holds(stored(), [])
})

test('what an optimistic call shows, and rests on, stays until it is settled', async () => {
  const Optimistic = createResource({ path: '/todos/:id', schema: Todo, optimistic: true })
  const { controller, stored, pass } = started({ timeout: Infinity, fetch: mockFetch({ 'PATCH /todos/1': () => new Promise(() => {}) }) })
  controller.set(Todo, { id: 1, title: 'sow', owner: { id: 7, name: 'ann' } })
  const call = controller.fetch(Optimistic.partialUpdate, { id: 1 }, { title: 'harrow' })
  await pass(60)
  holds(stored(), ['Todo 1', 'User 7'])
  assert.is(controller.get(Todo, { id: 1 })?.title, 'harrow')
  controller.abort(Optimistic.partialUpdate, { id: 1 }, { title: 'harrow' })
  await call.catch(() => {})
  assert.is(controller.get(Todo, { id: 1 })?.title, 'sow')
  await pass(10)
  holds(stored(), [])
})

test('after and every are options', () => {
  const { controller, clock, stored } = started({ gc: { after: 10, every: 5 } })
  controller.set(User, { id: 8 })
  clock.advance(14)
  assert.is(stored().length, 1)
  clock.advance(1)
  assert.is(stored().length, 0)
})

test('beyond maxEntities what was of use the longest ago goes first, whole endpoints at a time', async () => {
  const { controller, stored, pass } = started({ gc: { maxEntities: 4 } })
  const page = new Endpoint(nothing as (args: { page: number }) => Promise<never[]>, { name: 'page', schema: [User] })
  for (const number of [1, 2, 3]) {
    controller.setResponse(page, { page: number }, [{ id: number * 10 }, { id: number * 10 + 1 }])
    await pass(0.5)
  }
  controller.set(User, { id: 99 })
  const stop = effect(() => void controller.get(User, { id: 10 }))
  await pass(1)
  // One is in use; of the pages, only the newest, and then another, find room; the rest is over.
  assert.equal(stored().filter(each => each.startsWith('User')).length, 5)
  holds(stored(), ['User 10', 'User 20', 'User 21', 'User 30', 'User 31', 'page [{"page":2}]', 'page [{"page":3}]'])
  stop()
})

test('a schema that throws when it is asked stops no collection', async () => {
  const { controller, stored, pass } = started()
  class Bad extends Entity {
    static override key = 'Bad'
    id = 0
    static override queryKey(): never {
      throw new Error('mine')
    }
  }
  const stop = effect(() => {
    try {
      controller.get(Bad, { id: 1 })
    } catch {}
  })
  controller.set(User, { id: 8 })
  await pass(10)
  holds(stored(), [])
  stop()
})

test('a collection of another kind goes with its endpoint', async () => {
  const { controller, stored, pass } = started()
  const named = new Endpoint(nothing as (args: { of: string }) => Promise<never[]>, { name: 'named', schema: new Collection([User]) })
  for (const of of ['a', 'b']) controller.setResponse(named, { of }, [{ id: 1, name: of }])
  const stop = effect(() => void controller.getResponse(named, { of: 'a' }).data)
  await pass(60)
  holds(stored(), ['[User] {"of":"a"}', 'User 1', 'named [{"of":"a"}]'])
  stop()
})

test('what was hydrated and never read goes whole: a list does not stay without what it names', async () => {
  const titles = new Endpoint(async () => list, { name: 'titles', schema: [Todo], dataExpiryLength: 60 * MINUTE })
  const server = started()
  server.controller.setResponse(titles, list)
  const { controller, pass } = started({ initialState: initialOf(dehydrate(server.controller)) })
  await pass(10)
  assert.is((await controller.fetchIfStale(titles)).length, 2)
})

test('INV-30 a use between two passes counts: data is retained for its time after it', async () => {
  for (const use of [
    (controller: Controller) => effect(() => void controller.get(User, { id: 8 }))(),
    (controller: Controller) => void controller.get(User, { id: 8 }),
    (controller: Controller) => void controller.getResponse(UserResource.get, { id: 8 }),
  ]) {
    const { controller, clock, stored } = started({ gc: { after: 30, every: 10 } })
    controller.set(User, { id: 8, name: 'bob' })
    clock.advance(25)
    use(controller)
    clock.advance(29)
    holds(stored(), ['User 8'])
    clock.advance(30)
    holds(stored(), [])
  }
})

test('INV-30 pages that are retained for a list keep what they show, though the list no longer names it', async () => {
  const { getList } = createResource({ path: '/todos/:id', schema: Todo, paginationField: 'page' })
  const { controller, stored, pass } = started()
  controller.setResponse(getList, [{ id: 1 }])
  controller.setResponse(getList.getPage, { page: 2 }, [{ id: 2 }])
  controller.setResponse(getList, [{ id: 1 }])
  const stop = effect(() => void controller.getResponse(getList).data)
  await pass(60)
  assert.ok(stored().includes('Todo 2'), stored().join())
  assert.equal(controller.getResponse(getList.getPage, { page: 2 }).data?.map(({ id }) => id), [2])
  stop()
})

/** A class that refuses no record: its live objects need no snapshots, which would keep what they show. */
class Task extends Entity {
  static override key = 'Task'
  static override schema = { owner: User }
  id = 0
  title = ''
  owner: User | undefined = undefined
}

test('INV-30 live objects of hydrated data keep what they would show: nothing was stored by its class here', async () => {
  const { getList } = createResource({ path: '/tasks/:id', schema: Task })
  const server = started()
  server.controller.setResponse(getList, list)
  const { controller, stored, pass } = started({ initialState: initialOf(dehydrate(server.controller)) })
  const [task] = controller.live(getList)!
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
  const { controller, stored, pass } = started()
  const { warn } = console
  console.warn = () => {}
  controller.set(Brief, { id: 1, title: 'sow' })
  controller.set(Task, { id: 1, owner: { id: 7, name: 'ann' } })
  console.warn = warn
  const task = controller.live(Task, { id: 1 })!
  await pass(60)
  holds(stored(), ['Task 1', 'User 7'])
  assert.is(task.owner?.name, 'ann')
})

for (const isCollected of [false, true]) {
  test(`INV-30 the live object of a temporary pk shows the real row${isCollected ? ', also after a pass has moved it' : ''}`, async () => {
    class Note extends Entity {
      static override key = 'Note'
      id = ''
      title = ''
      static override validate(value: { readonly title?: string }): string | undefined {
        return value.title === 'bad' ? 'no' : undefined
      }
    }
    const { getList } = createResource({ path: '/notes/:id', schema: Note, optimistic: true })
    let answer: (value: unknown) => void
    const { controller, stored, pass } = started({ managers: [{ action: action => action.type === 'fetch' && (void action.args, (answer = action.answer), true) }] })
    controller.setResponse(getList, [])
    controller.set(Note, { id: 'first', title: 'goes' })
    const created = controller.fetch(getList.push, { title: 'mine' })
    const temporary = controller.live(getList)![0]!
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
  const { controller, stored, pass } = started()
  const history = createHistory(controller)
  controller.setResponse(UserResource.get, { id: 1 }, { id: 1, name: 'goes' })
  controller.setResponse(UserResource.get, { id: 2 }, { id: 2, name: 'goes too' })
  controller.setResponse(UserResource.get, { id: 3 }, { id: 3, name: 'stays' })
  const names: unknown[] = []
  const stop = effect(() => void names.push(controller.get(User, { id: 3 })?.name))
  controller.set(User, { id: 2 }, user => void (user.name = 'renamed'))
  controller.set(User, { id: 3 }, user => void (user.name = 'renamed'))
  await pass(60)
  holds(stored(), ['User 3'])
  await history.undo()
  await history.redo()
  await history.undo()
  assert.equal(names, ['stays', 'renamed', 'stays', 'renamed', 'stays'])
  const undone = await history.undo()
  assert.equal(undone.kept, [{ key: 'User', pk: '2' }])
  holds(stored(), ['User 3'])
  stop()
})

test('INV-30 a pass wakes nobody: not who reads a view, a status, a list, a count, an index or a live object', async () => {
  const { controller, stored, pass } = started()
  const { getList } = TodoResource
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
  const before = seen.map(([value]) => value)
  await pass(60)
  assert.not.ok(stored().includes('User 8'))
  assert.equal(seen.map(({ length }) => length), reads.map(() => 1))
  reads.forEach((read, i) => assert.is(read(), before[i], String(read)))
  for (const stop of stops) stop()
})

test('INV-32 a pass is one commit, and its inverse puts everything back', async () => {
  const { controller, stored, pass } = started()
  controller.setResponse(TodoResource.getList, list)
  const before = stored()
  const commits: Commit[] = []
  controller.subscribePatches(commit => commits.push(commit))
  await pass(10)
  assert.equal(commits.map(({ cause }) => cause), ['collect'])
  holds(stored(), [])
  controller.applyPatches(commits[0]!.inversePatches)
  holds(stored(), before)
})

test('INV-32 a pass that finds nothing to remove is no commit', async () => {
  const { controller, pass } = started()
  controller.setResponse(TodoResource.getList, list)
  const stop = effect(() => void controller.getResponse(TodoResource.getList).data)
  const state = controller.snapshot()
  await pass(60)
  assert.is(controller.snapshot(), state)
  stop()
})

test.run()
