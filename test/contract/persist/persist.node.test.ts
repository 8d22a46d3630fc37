import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { trackChanges, type Change } from '../../../src/changes/index.ts'
import { Controller, createResource, Entity, type Platform } from '../../../src/index.ts'
import { persist, type PersistOptions } from '../../../src/persist/index.ts'
import { createClock, mockFetch, type HandClock } from '../../../src/testing/index.ts'
import { asyncLaw } from '../../support/asyncLaw.ts'
import { fileStorage } from '../../support/fileStorage.ts'
import { createLocks } from '../../support/locks.ts'
import { memoryStorage, type MemoryStorage } from '../../support/memoryStorage.ts'
import { getList, keepAlive, pause, remove, title, titles, Todo, until } from './todos.ts'

const test = suite('persist')

class Secret extends Entity {
  static override key = 'Secret'
  id = 0
  word = ''
}
const { getList: getSecrets } = createResource({ path: '/secrets/:id', schema: Secret })

const folder = mkdtempSync(join(tmpdir(), 'persist-'))
keepAlive(test)
test.after(() => rmSync(folder, { recursive: true, force: true }))

/** A clock whose timers run on request. */
function steps(): HandClock & { readonly run: () => Promise<void> } {
  const clock = createClock(1_700_000_000_000)
  /** Lets a second pass, and everything that was started by it. */
  const run = async (): Promise<void> => {
    clock.advance(1000)
    for (let i = 0; i < 20; i++) await new Promise(resolve => setImmediate(resolve))
  }
  return Object.assign(clock, { run })
}

const routes = {
  'GET /todos': { body: [{ id: 1, title: 'sow' }, { id: 2, title: 'mow' }] },
  'GET /secrets': { body: [{ id: 1, word: 'open' }] },
  'DELETE /todos/2': { status: 204 },
}

function page(options: Partial<PersistOptions> = {}, clock = steps(), platform?: Platform) {
  const errors: unknown[] = []
  const fetch = mockFetch(routes)
  const { storage = memoryStorage() } = options
  const controller = new Controller({ fetch, clock, gc: false, onError: error => void errors.push(error), ...(platform && { platform }) })
  const given = { version: '1', ...options, storage }
  return {
    controller, errors, clock, given,
    persisted: persist(controller, given),
    storage: storage as MemoryStorage,
    calls: () => fetch.calls.length,
    word: () => controller.get(Secret, { id: 1 })?.word,
    /** Everything that is known, as it is stored. */
    all: () => trackChanges(controller, { origin: 'look' }).all(),
    /** Sets the title of a row, and waits until it is stored. */
    store(id: number, title: string): Promise<void> {
      controller.set(Todo, { id, title })
      return clock.run()
    },
    /** Fetches a list, and waits until it is stored. */
    async load(list: typeof getList | typeof getSecrets = getList): Promise<void> {
      await controller.fetch(list as typeof getList)
      await clock.run()
    },
  }
}
type Page = ReturnType<typeof page>

/** One that has restored what it finds. */
async function open(options?: Partial<PersistOptions>, clock?: Page['clock']): Promise<Page> {
  const opened = page(options, clock)
  await opened.persisted.restored
  return opened
}

/** The page after a reload, with the same storage. */
const reload = ({ given, clock }: Page, others?: Partial<PersistOptions>): Promise<Page> => open({ ...given, ...others }, clock)

test('data is shown after a reload, and fetched again by the usual rules', async () => {
  const first = await open()
  assert.is(await first.persisted.restored, false)
  await first.load()
  const second = await reload(first)
  assert.is(await second.persisted.restored, true)
  assert.equal(titles(second), ['sow', 'mow'])
  // Still fresh: nothing is sent.
  await second.controller.fetchIfStale(getList)
  assert.is(second.calls(), 0)
  first.clock.advance(61_000)
  await second.controller.fetchIfStale(getList)
  assert.is(second.calls(), 1)
})

test('deleted rows stay deleted, and stamps are stored; pending changes are not', async () => {
  const first = await open()
  await first.load()
  await first.controller.fetch(remove, { id: 2 })
  const before = first.all()
  void first.controller.fetch(getList.push, { title: 'pending' })
  await first.clock.run()
  const second = await reload(first)
  assert.equal(titles(second), ['sow'])
  const { stamps, patches, freshness } = second.all()
  assert.equal([stamps, patches, freshness], [before.stamps, before.patches, before.freshness])
})

for (const isReset of [false, true]) test(`a ${isReset ? 'logout' : 'read'} that came before the data was restored wins over it`, async () => {
  const first = await open()
  await first.store(1, 'stored')
  let go!: () => void
  first.storage.fail = operation => (operation === 'read' ? new Promise(resolve => (go = resolve)) : undefined)
  const second = page({ storage: first.storage }, first.clock)
  await Promise.resolve()
  const read = isReset ? second.controller.reset() : second.controller.fetch(getList)
  go()
  assert.is(await second.persisted.restored, !isReset)
  await read
  assert.equal(titles(second), isReset ? undefined : ['sow', 'mow'])
  await second.clock.run()
  assert.is(second.storage.disk.size === 0, isReset)
})

test('what another tab has handed over is newer than the disk', async () => {
  const first = await open()
  await first.load()
  await first.controller.fetch(remove, { id: 2 })
  await first.clock.run()
  // Not on disk yet.
  first.controller.setResponse(getList.push, { title: 'reap' }, { id: 3, title: 'reap' })
  first.controller.set(Todo, { id: 1 }, todo => void (todo.title = 'sown'))
  const second = page({ storage: first.storage }, first.clock)
  trackChanges(second.controller, { origin: 'tabs' }).apply(structuredClone(first.all()))
  await second.persisted.restored
  assert.equal(titles(second), ['sown', 'reap'])
})

test('changes of 100 ms are one write, and the log is compacted', async () => {
  const first = await open()
  const { controller, clock, storage } = first
  const setAll = (title: string): Promise<void> => {
    for (let id = 0; id < 100; id++) controller.set(Todo, { id, title })
    return clock.run()
  }
  await setAll('many')
  assert.is(storage.writes, 1)
  for (let round = 0; round < 30; round++) await setAll(`round ${round}`)
  assert.is(storage.writes, 31)
  assert.ok(storage.disk.size < 15, `${storage.disk.size} entries`)
  assert.is(title(await reload(first), 99), 'round 29')
})

test('the log of answers that change nothing is compacted as well, also when it goes on after a reload', async () => {
  const storage = memoryStorage()
  for (let visit = 0; visit < 3; visit++) {
    const { controller, persisted } = page({ storage })
    for (let poll = 0; poll < 8; poll++) {
      await persisted.flush()
      controller.setResponse(getList, Array.from({ length: 2000 }, (_, id) => ({ id, title: 'mow' })))
    }
    await persisted.dispose()
  }
  assert.ok(storage.disk.size < 15, `${storage.disk.size} entries`)
})

test('a logout empties the storage, also while something is written', async () => {
  const first = await open()
  const { controller, clock, storage, load } = first
  await controller.fetch(getList)
  let go = (): void => {}
  storage.fail = operation => (operation === 'write' ? new Promise(resolve => (go = resolve)) : undefined)
  await clock.run()
  controller.reset()
  go()
  await clock.run()
  assert.is(storage.disk.size, 0)
  storage.fail = () => {}
  await load(getSecrets)
  const second = await reload(first)
  assert.equal([titles(second), second.word()], [undefined, 'open'])
})

test('after clear nothing of before is written again', async () => {
  const first = page()
  const { persisted, storage, load } = first
  await load()
  await persisted.clear()
  assert.is(storage.disk.size, 0)
  await load(getSecrets)
  const second = await reload(first)
  assert.equal([title(second, 1), second.word()], [undefined, 'open'])
})

test('include and exclude name classes and endpoints', async () => {
  const all = [
    [{ exclude: [Secret, getSecrets] }, 'sow', undefined],
    [{ include: [Todo, getList] }, 'sow', undefined],
    [{ include: [Secret] }, undefined, 'open'],
  ] as const
  for (const [options, todo, secret] of all) {
    const first = page(options)
    const { storage, load } = first
    await load()
    await load(getSecrets)
    assert.is(JSON.stringify([...storage.disk]).includes('open'), secret !== undefined)
    const second = await reload(first)
    assert.equal([title(second, 1), second.word()], [todo, secret])
    // A list without its rows is not shown as an empty one.
    if (todo === undefined) assert.is(second.controller.getResponse(getList).expiryStatus, 1)
  }
})

test('data of another version, or older than maxAge, is dropped', async () => {
  for (const [options, wait] of [[{ version: '2' }, 0], [{ maxAge: 1000 }, 5000]] as const) {
    const first = page()
    await first.load()
    first.clock.advance(wait)
    const second = await reload(first, options)
    assert.equal([await second.persisted.restored, titles(second), second.errors], [false, undefined, []])
    await second.load(getSecrets)
    await second.store(3, 'reap')
    const third = await reload(second, options)
    assert.equal([title(third, 1), title(third, 3), third.word(), third.errors], [undefined, 'reap', 'open', []])
  }
})

test('a hidden page writes at once', async () => {
  let isVisible = true
  let listener = (): void => {}
  const platform: Platform = { online: () => true, visible: () => isVisible, watch: each => ((listener = each), () => {}) }
  const { controller, storage } = page({}, steps(), platform)
  await controller.fetch(getList)
  isVisible = false
  listener()
  await pause(5)
  assert.is(storage.writes, 1)
})

/** What can be on a disk. */
type Entry = { readonly [field: string]: unknown }
const inChange = (entry: Entry, part: object): Entry => ({ ...entry, change: { ...(entry['change'] as object), ...part } })
const hostile: unknown = JSON.parse('{"__proto__":{"x":1}}')
const damaged: { readonly [what: string]: (entry: Entry) => unknown } = {
  'a text': () => 'garbage',
  'null': () => null,
  'no change': entry => ({ ...entry, change: undefined }),
  'patches that are none': entry => inChange(entry, { patches: [{ op: 'add' }] }),
  'a path into the prototype': entry => inChange(entry, { patches: [{ op: 'add', path: ['entities', '__proto__', 'x'], value: { y: 1 }, at: 4e15 }] }),
  'an own __proto__': entry => inChange(entry, { patches: [{ op: 'add', path: ['entities', 'Todo', '7'], value: hostile, at: 4e15 }] }),
  'an entry that is missing': entry => ({ ...entry, isFirst: false }),
  'a stamp without a time': entry => inChange(entry, { stamps: [{ key: 'Todo', pks: ['1'], stamp: {} }] }),
}
for (const [what, damage] of Object.entries(damaged)) {
  test(`damaged data is dropped with one report, and the app runs and stores again: ${what}`, async () => {
    const first = page()
    const { storage, load } = first
    await load()
    for (const [key, entry] of storage.disk) storage.disk.set(key, damage(entry as Entry))
    const second = await reload(first)
    assert.equal([await second.persisted.restored, second.errors.length], [false, 1])
    await second.load()
    await second.clock.run()
    const third = await reload(second)
    assert.equal([await third.persisted.restored, titles(third)], [true, ['sow', 'mow']])
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
      for (let id = 1; id <= 5; id++) await first.store(id, 'stored')
      assert.equal([title(first, 5), first.errors.length], ['stored', 1])
      storage.fail = () => {}
      await first.store(6, 'later')
      for (let i = 0; i < 11; i++) await first.clock.run()
      const second = await reload(first)
      assert.is(await second.persisted.restored, true)
      assert.equal([title(second, 1), title(second, 6)], ['stored', 'later'])
    })
  }
}

test('a write that failed for another reason than a value is repeated with the same values', async () => {
  const first = await open()
  first.storage.fail = () => {
    first.storage.fail = () => {}
    throw new DOMException('', 'AbortError')
  }
  await first.store(1, new Map([['sow', 1]]) as never)
  for (let i = 0; i < 11; i++) await first.clock.run()
  assert.instance(title(await reload(first), 1), Map)
})

test('a storage that never answers does not stop the app', async () => {
  const storage = memoryStorage()
  storage.fail = () => new Promise(() => {})
  const first = page({ storage })
  let isThere: boolean | undefined
  void first.persisted.restored.then(value => (isThere = value))
  for (let i = 0; i < 4; i++) await first.clock.run()
  assert.equal([isThere, first.errors.length], [false, 1])
  await first.controller.fetch(getList)
  assert.equal(titles(first), ['sow', 'mow'])
})

test('one tab writes, and another goes on when it closes', async () => {
  const locks = createLocks()
  const first = await open({ locks: locks.of('a') })
  const second = await reload(first, { locks: locks.of('b') })
  await second.store(9, 'second')
  assert.is(first.storage.writes, 0)
  await first.store(1, 'first')
  assert.is(first.storage.writes, 1)
  locks.end('a')
  for (let i = 0; i < 2; i++) await first.clock.run()
  assert.is(title(await reload(first, { locks: locks.of('c') }), 9), 'second')
})

test('a file holds the last whole write after a crash at any byte', async () => {
  const file = join(folder, 'whole')
  const first = await open({ storage: fileStorage(file) })
  const size = (): number => (existsSync(file) ? readFileSync(file).length : 0)
  const sizes = [0]
  for (let id = 1; id <= 4; id++) {
    await first.store(id, `row ${id}`)
    await until(() => size() > sizes.at(-1)!, 'the write')
    sizes.push(size())
  }
  const bytes = readFileSync(file)
  for (let length = 0; length <= bytes.length; length += 23) {
    const torn = join(folder, 'torn')
    writeFileSync(torn, bytes.subarray(0, length))
    const again = await reload(first, { storage: fileStorage(torn) })
    const rows = [1, 2, 3, 4].filter(id => title(again, id))
    assert.is(rows.length, sizes.filter(each => each > 0 && each <= length).length, `${length} of ${bytes.length} bytes`)
    assert.equal(again.errors, [])
    again.controller.dispose()
  }
  appendFileSync(file, 'garbage\n')
  const damagedPage = await reload(first)
  assert.equal([await damagedPage.persisted.restored, damagedPage.errors.length], [false, 1])
})

const type = fc.constantFrom('set', 'field', 'remove', 'list', 'reset', 'run', 'run')
const act = fc.record({ type, id: fc.integer({ min: 1, max: 4 }), value: fc.nat({ max: 9 }) })
asyncLaw(test, 'RESTORE: after a kill at any write the data is that of a moment before', 300, fc.array(act, { maxLength: 30 }), async history => {
  const { controller, storage, clock } = await open()
  const look = trackChanges(controller, { origin: 'look' })
  const text = ({ patches }: Change): string => patches.map(({ path, value }) => JSON.stringify([path, value])).sort().join('\n')
  const moments = new Set([''])
  for (const { type, id, value } of history) {
    if (type === 'set') controller.set(Todo, { id, title: `t${value}` })
    else if (type === 'field' && controller.get(Todo, { id })) controller.set(Todo, { id }, todo => void (todo.title = `u${value}`))
    else if (type === 'remove') controller.setResponse(remove, { id }, { id })
    else if (type === 'list') controller.setResponse(getList, [{ id, title: `l${value}` }])
    else if (type === 'reset') controller.reset()
    else await clock.run()
    moments.add(text(look.all()))
    const second = await open({ storage: memoryStorage(structuredClone(storage.disk)) }, clock)
    const found = text(second.all())
    if (!moments.has(found)) throw new Error(`found ${found}`)
    if (second.errors.length > 0) throw second.errors[0] as Error
    second.controller.dispose()
  }
  controller.dispose()
}, () => undefined)

test.run()
