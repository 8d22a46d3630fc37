import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { trackChanges, type RecordStorage } from '../../../src/changes/index.ts'
import { Controller, createResource, Entity, type Clock, type Platform } from '../../../src/index.ts'
import { persist, type Persisted, type PersistOptions } from '../../../src/persist/index.ts'
import { mockFetch } from '../../../src/testing/index.ts'
import { asyncLaw } from '../../support/asyncLaw.ts'
import { fileStorage } from '../../support/fileStorage.ts'
import { createLocks } from '../../support/locks.ts'
import { memoryStorage } from '../../support/memoryStorage.ts'

const test = suite('persist')

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}
class Secret extends Entity {
  static override key = 'Secret'
  id = 0
  word = ''
}
const TodoResource = createResource({ path: '/todos/:id', schema: Todo, optimistic: true })
const SecretResource = createResource({ path: '/secrets/:id', schema: Secret })

const folder = mkdtempSync(join(tmpdir(), 'persist-'))
let alive: ReturnType<typeof setInterval>
test.before(() => void (alive = setInterval(() => {}, 1000)))
test.after(() => {
  clearInterval(alive)
  rmSync(folder, { recursive: true, force: true })
})

/** A clock whose timers run on request. */
function steps(): Clock & { readonly run: () => Promise<void>; time: number } {
  const timers = new Map<object, { readonly at: number; readonly work: () => void }>()
  const clock = {
    time: 1_700_000_000_000,
    now: () => clock.time,
    date: () => clock.time,
    after(ms: number, work: () => void) {
      const key = {}
      timers.set(key, { at: clock.time + ms, work })
      return () => void timers.delete(key)
    },
    /** Lets a second pass, and everything that was started by it. */
    async run() {
      clock.time += 1000
      for (const [key, { at, work }] of [...timers]) if (at <= clock.time && timers.delete(key)) work()
      for (let i = 0; i < 20; i++) await new Promise(resolve => setImmediate(resolve))
    },
  }
  return clock
}

interface Page {
  readonly controller: Controller
  readonly persisted: Persisted
  readonly errors: unknown[]
  readonly clock: ReturnType<typeof steps>
  readonly calls: () => number
}

function page(options: Partial<PersistOptions> & { readonly storage: RecordStorage }, clock = steps(), platform?: Platform): Page {
  const errors: unknown[] = []
  const fetch = mockFetch({ 'GET /todos': { body: [{ id: 1, title: 'sow' }, { id: 2, title: 'mow' }] }, 'GET /secrets': { body: [{ id: 1, word: 'open' }] }, 'DELETE /todos/2': { status: 204 } })
  const controller = new Controller({ fetch, clock, gc: false, onError: error => void errors.push(error), ...(platform && { platform }) })
  const persisted = persist(controller, { version: '1', ...options })
  return { controller, persisted, errors, clock, calls: () => fetch.calls.length }
}

const titles = ({ controller }: Page): string[] | undefined => controller.get(TodoResource.getList.schema)?.map(({ title }) => title)

test('data is shown after a reload, and fetched again by the usual rules', async () => {
  const storage = memoryStorage()
  const first = page({ storage })
  assert.is(await first.persisted.restored, false)
  await first.controller.fetch(TodoResource.getList)
  await first.clock.run()
  const second = page({ storage }, first.clock)
  assert.is(await second.persisted.restored, true)
  assert.equal(titles(second), ['sow', 'mow'])
  // Still fresh: nothing is sent.
  await second.controller.fetchIfStale(TodoResource.getList)
  assert.is(second.calls(), 0)
  first.clock.time += 61_000
  await second.controller.fetchIfStale(TodoResource.getList)
  assert.is(second.calls(), 1)
})

test('deleted rows stay deleted, and stamps are stored', async () => {
  const storage = memoryStorage()
  const first = page({ storage })
  await first.persisted.restored
  await first.controller.fetch(TodoResource.getList)
  await first.clock.run()
  await first.controller.fetch(TodoResource.delete, { id: 2 })
  await first.clock.run()
  const before = trackChanges(first.controller, { origin: 'look' }).all()
  const second = page({ storage }, first.clock)
  await second.persisted.restored
  assert.equal(titles(second), ['sow'])
  const after = trackChanges(second.controller, { origin: 'look' }).all()
  assert.equal(after.stamps, before.stamps)
  assert.equal(after.patches, before.patches)
  assert.equal(after.freshness, before.freshness)
})

test('pending changes are not stored', async () => {
  const storage = memoryStorage()
  const first = page({ storage })
  await first.controller.fetch(TodoResource.getList)
  void first.controller.fetch(TodoResource.getList.push, { title: 'pending' })
  await first.clock.run()
  const second = page({ storage }, first.clock)
  await second.persisted.restored
  assert.equal(titles(second), ['sow', 'mow'])
})

test('a read that started before the data was restored wins over it', async () => {
  const disk = new Map<string, unknown>()
  const first = page({ storage: memoryStorage(disk) })
  await first.persisted.restored
  first.controller.set(Todo, { id: 1, title: 'stored' })
  await first.clock.run()
  let go!: () => void
  const storage = memoryStorage(disk)
  storage.fail = operation => (operation === 'read' ? new Promise(resolve => (go = resolve)) : undefined)
  const second = page({ storage }, first.clock)
  await Promise.resolve()
  const read = second.controller.fetch(TodoResource.getList)
  go()
  await second.persisted.restored
  await read
  assert.equal(titles(second), ['sow', 'mow'])
})

test('what another tab has handed over is newer than the disk', async () => {
  const storage = memoryStorage()
  const first = page({ storage })
  await first.persisted.restored
  const tracker = trackChanges(first.controller, { origin: 'tabs' })
  await first.controller.fetch(TodoResource.getList)
  await first.clock.run()
  await first.controller.fetch(TodoResource.delete, { id: 2 })
  await first.clock.run()
  // Not on disk yet.
  first.controller.setResponse(TodoResource.getList.push, { title: 'reap' }, { id: 3, title: 'reap' })
  first.controller.set(Todo, { id: 1 }, (todo: { title: string }) => void (todo.title = 'sown'))
  const handedOver = structuredClone(tracker.all())
  const second = page({ storage }, first.clock)
  trackChanges(second.controller, { origin: 'tabs' }).apply(handedOver)
  await second.persisted.restored
  assert.equal(titles(second), ['sown', 'reap'])
})

test('changes of 100 ms are one write, and the log is compacted', async () => {
  const storage = memoryStorage()
  const first = page({ storage })
  await first.persisted.restored
  for (let id = 0; id < 100; id++) first.controller.set(Todo, { id, title: 'many' })
  await first.clock.run()
  assert.is(storage.writes, 1)
  for (let round = 0; round < 30; round++) {
    for (let id = 0; id < 100; id++) first.controller.set(Todo, { id, title: `round ${round}` })
    await first.clock.run()
  }
  assert.is(storage.writes, 31)
  assert.ok(storage.disk.size < 15, `${storage.disk.size} entries`)
  const second = page({ storage }, first.clock)
  await second.persisted.restored
  assert.is(second.controller.get(Todo, { id: 99 })?.title, 'round 29')
})

test('a logout empties the storage, also while something is written', async () => {
  const storage = memoryStorage()
  const first = page({ storage })
  await first.persisted.restored
  await first.controller.fetch(TodoResource.getList)
  let go = (): void => {}
  storage.fail = operation => (operation === 'write' ? new Promise(resolve => (go = resolve)) : undefined)
  const running = first.clock.run()
  await running
  first.controller.reset()
  go()
  await first.clock.run()
  assert.is(storage.disk.size, 0)
  storage.fail = () => {}
  await first.controller.fetch(SecretResource.getList)
  await first.clock.run()
  const second = page({ storage }, first.clock)
  await second.persisted.restored
  assert.is(titles(second), undefined)
  assert.is(second.controller.get(Secret, { id: 1 })?.word, 'open')
})

test('after clear nothing of before is written again', async () => {
  const storage = memoryStorage()
  const first = page({ storage })
  await first.controller.fetch(TodoResource.getList)
  await first.clock.run()
  await first.persisted.clear()
  assert.is(storage.disk.size, 0)
  await first.controller.fetch(SecretResource.getList)
  await first.clock.run()
  const second = page({ storage }, first.clock)
  await second.persisted.restored
  assert.is(second.controller.get(Todo, { id: 1 }), undefined)
  assert.is(second.controller.get(Secret, { id: 1 })?.word, 'open')
})

test('include and exclude name classes and endpoints', async () => {
  for (const [options, todo, secret] of [[{ exclude: [Secret, SecretResource.getList] }, 'sow', undefined], [{ include: [Todo, TodoResource.getList] }, 'sow', undefined], [{ include: [Secret] }, undefined, 'open']] as const) {
    const storage = memoryStorage()
    const first = page({ storage, ...options })
    await first.controller.fetch(TodoResource.getList)
    await first.controller.fetch(SecretResource.getList)
    await first.clock.run()
    assert.is(JSON.stringify([...storage.disk]).includes('open'), secret !== undefined)
    const second = page({ storage, ...options }, first.clock)
    await second.persisted.restored
    assert.is(second.controller.get(Todo, { id: 1 })?.title, todo)
    assert.is(second.controller.get(Secret, { id: 1 })?.word, secret)
    // A list without its rows is not shown as an empty one.
    if (todo === undefined) assert.is(second.controller.getResponse(TodoResource.getList).expiryStatus, 1)
  }
})

test('data of another version, or older than maxAge, is dropped', async () => {
  for (const [options, wait] of [[{ version: '2' }, 0], [{ maxAge: 1000 }, 5000]] as const) {
    const storage = memoryStorage()
    const first = page({ storage })
    await first.controller.fetch(TodoResource.getList)
    await first.clock.run()
    first.clock.time += wait
    const second = page({ storage, ...options }, first.clock)
    assert.is(await second.persisted.restored, false)
    assert.is(titles(second), undefined)
    assert.equal(second.errors, [])
    await second.controller.fetch(SecretResource.getList)
    await second.clock.run()
    const third = page({ storage, version: '2', ...options }, first.clock)
    await third.persisted.restored
    assert.is(third.controller.get(Todo, { id: 1 }), undefined)
  }
})

test('a hidden page writes at once', async () => {
  const storage = memoryStorage()
  let isVisible = true
  let listener = (): void => {}
  const platform: Platform = { online: () => true, visible: () => isVisible, watch: each => ((listener = each), () => {}) }
  const first = page({ storage }, steps(), platform)
  await first.controller.fetch(TodoResource.getList)
  isVisible = false
  listener()
  await new Promise(resolve => setTimeout(resolve, 5))
  assert.is(storage.writes, 1)
})

/** What can be on a disk. */
const damaged: { readonly [what: string]: (entry: Record<string, unknown>) => unknown } = {
  'a text': () => 'garbage',
  'null': () => null,
  'no change': entry => ({ ...entry, change: undefined }),
  'patches that are none': entry => ({ ...entry, change: { ...(entry['change'] as object), patches: [{ op: 'add' }] } }),
  'a path into the prototype': entry => ({ ...entry, change: { ...(entry['change'] as object), patches: [{ op: 'add', path: ['entities', '__proto__', 'x'], value: { y: 1 } }] } }),
  'an own __proto__': entry => ({ ...entry, change: { ...(entry['change'] as object), patches: [{ op: 'add', path: ['entities', 'Todo', '7'], value: JSON.parse('{"__proto__":{"x":1}}') as unknown }] } }),
  'an entry that is missing': entry => ({ ...entry, isFirst: false }),
  'a stamp without a time': entry => ({ ...entry, change: { ...(entry['change'] as object), stamps: [{ key: 'Todo', pks: ['1'], stamp: {} }] } }),
}
for (const [what, damage] of Object.entries(damaged)) {
  test(`damaged data is dropped with one report, and the app runs and stores again: ${what}`, async () => {
    const disk = new Map<string, unknown>()
    const first = page({ storage: memoryStorage(disk) })
    await first.controller.fetch(TodoResource.getList)
    await first.clock.run()
    for (const [key, entry] of disk) disk.set(key, damage(entry as Record<string, unknown>))
    const second = page({ storage: memoryStorage(disk) }, first.clock)
    assert.is(await second.persisted.restored, false)
    assert.is(second.errors.length, 1)
    await second.controller.fetch(TodoResource.getList)
    await second.clock.run()
    await second.clock.run()
    const third = page({ storage: memoryStorage(disk) }, first.clock)
    assert.is(await third.persisted.restored, true)
    assert.equal(titles(third), ['sow', 'mow'])
  })
}

/** What a database may answer. */
const refusals: { readonly [what: string]: unknown } = {
  'quota exceeded': new DOMException('full', 'QuotaExceededError'),
  'aborted without a reason': new DOMException('', 'AbortError'),
  'closed': new DOMException('closing', 'InvalidStateError'),
  'a private window': new TypeError("Cannot read properties of undefined (reading 'open')"),
  'nothing at all': undefined,
}
for (const [what, error] of Object.entries(refusals)) {
  for (const operation of ['read', 'write'] as const) {
    test(`memory only with one report, and stored again when it works: ${operation}, ${what}`, async () => {
      const storage = memoryStorage()
      storage.fail = each => {
        if (each === operation) throw error
      }
      const first = page({ storage })
      assert.is(await first.persisted.restored, false)
      for (let id = 1; id <= 5; id++) {
        first.controller.set(Todo, { id, title: 'stored' })
        await first.clock.run()
      }
      assert.is(first.controller.get(Todo, { id: 5 })?.title, 'stored')
      assert.is(first.errors.length, 1)
      storage.fail = () => {}
      first.controller.set(Todo, { id: 6, title: 'later' })
      for (let i = 0; i < 12; i++) await first.clock.run()
      const second = page({ storage }, first.clock)
      assert.is(await second.persisted.restored, true)
      assert.equal([1, 6].map(id => second.controller.get(Todo, { id })?.title), ['stored', 'later'])
    })
  }
}

test('a storage that never answers does not stop the app', async () => {
  const storage = memoryStorage()
  storage.fail = () => new Promise(() => {})
  const first = page({ storage })
  let isThere: boolean | undefined
  void first.persisted.restored.then(value => (isThere = value))
  for (let i = 0; i < 4; i++) await first.clock.run()
  assert.is(isThere, false)
  assert.is(first.errors.length, 1)
  await first.controller.fetch(TodoResource.getList)
  assert.equal(titles(first), ['sow', 'mow'])
})

test('one tab writes, and another goes on when it closes', async () => {
  const storage = memoryStorage()
  const locks = createLocks()
  const first = page({ storage, locks: locks.of('a') })
  await first.persisted.restored
  const second = page({ storage, locks: locks.of('b') }, first.clock)
  await second.persisted.restored
  second.controller.set(Todo, { id: 9, title: 'second' })
  await first.clock.run()
  assert.is(storage.writes, 0)
  first.controller.set(Todo, { id: 1, title: 'first' })
  await first.clock.run()
  assert.is(storage.writes, 1)
  locks.end('a')
  await first.clock.run()
  await first.clock.run()
  const third = page({ storage, locks: locks.of('c') }, first.clock)
  await third.persisted.restored
  assert.is(third.controller.get(Todo, { id: 9 })?.title, 'second')
})

test('a file holds the last whole write after a crash at any byte', async () => {
  const file = join(folder, 'whole')
  const first = page({ storage: fileStorage(file) })
  await first.persisted.restored
  const sizes = [0]
  for (let id = 1; id <= 4; id++) {
    first.controller.set(Todo, { id, title: `row ${id}` })
    await first.clock.run()
    for (let i = 0; i < 400 && (!existsSync(file) || readFileSync(file).length === sizes.at(-1)); i++) await new Promise(resolve => setTimeout(resolve, 5))
    sizes.push(readFileSync(file).length)
  }
  const bytes = readFileSync(file)
  for (let length = 0; length <= bytes.length; length += 23) {
    const torn = join(folder, 'torn')
    writeFileSync(torn, bytes.subarray(0, length))
    const again = page({ storage: fileStorage(torn) }, first.clock)
    await again.persisted.restored
    const rows = [1, 2, 3, 4].filter(id => again.controller.get(Todo, { id }))
    assert.is(rows.length, sizes.filter(size => size > 0 && size <= length).length, `${length} of ${bytes.length} bytes`)
    assert.equal(again.errors, [])
    again.controller.dispose()
  }
  appendFileSync(file, 'garbage\n')
  const damagedPage = page({ storage: fileStorage(file) }, first.clock)
  assert.is(await damagedPage.persisted.restored, false)
  assert.is(damagedPage.errors.length, 1)
})

asyncLaw(test, 'RESTORE: after a kill at any write the data is that of a moment before', 300, fc.array(fc.record({ type: fc.constantFrom('set', 'field', 'remove', 'list', 'reset', 'run', 'run'), id: fc.integer({ min: 1, max: 4 }), value: fc.nat({ max: 9 }) }), { maxLength: 30 }), async history => {
  const disk = new Map<string, unknown>()
  const storage = memoryStorage(disk)
  const first = page({ storage })
  await first.persisted.restored
  const look = trackChanges(first.controller, { origin: 'look' })
  const text = (patches: readonly { readonly path: readonly unknown[]; readonly value?: unknown }[]): string => patches.map(({ path, value }) => JSON.stringify([path, value])).sort().join('\n')
  const moments = new Set([text([])])
  for (const { type, id, value } of history) {
    if (type === 'set') first.controller.set(Todo, { id, title: `t${value}` })
    else if (type === 'field' && first.controller.get(Todo, { id })) first.controller.set(Todo, { id }, (todo: { title: string }) => void (todo.title = `u${value}`))
    else if (type === 'remove') first.controller.setResponse(TodoResource.delete, { id }, { id })
    else if (type === 'list') first.controller.setResponse(TodoResource.getList, [{ id, title: `l${value}` }])
    else if (type === 'reset') first.controller.reset()
    else await first.clock.run()
    moments.add(text(look.all().patches))
    const second = page({ storage: memoryStorage(structuredClone(disk)) }, first.clock)
    await second.persisted.restored
    const found = text(trackChanges(second.controller, { origin: 'look' }).all().patches)
    if (!moments.has(found)) throw new Error(`found ${found}`)
    if (second.errors.length > 0) throw second.errors[0] as Error
    second.controller.dispose()
  }
  first.controller.dispose()
}, () => undefined)

test.run()
