import * as fc from 'fast-check'
import { suite } from 'uvu'
import { Controller, type Clock } from '../../../src/index.ts'
import { outbox } from '../../../src/outbox/index.ts'
import { asyncLaw, Coverage } from '../../support/asyncLaw.ts'
import { keyedServer, type KeyedServer } from '../../support/keyedServer.ts'
import { memoryStorage } from '../../support/memoryStorage.ts'
import { getList, partialUpdate, remove, TodoResource } from '../persist/todos.ts'

const test = suite('outbox: crashes')

/** What a user does. `row` is one of the rows of the server, or one that the user has created. */
interface Deed {
  readonly type: 'create' | 'update' | 'delete'
  readonly row: number
}
const type = fc.constantFrom<Deed['type'][]>('create', 'create', 'update', 'update', 'delete')
const deed: fc.Arbitrary<Deed> = fc.record({ type, row: fc.nat({ max: 3 }) })

/** A page that can be killed at any step: from then on its storage and its network do nothing any more. */
function session(disk: Map<string, unknown>, server: KeyedServer, killAt: number) {
  let steps = 0
  let isDead = false
  let busy = 0
  /** One step. When the page is killed at it, nothing follows. */
  const step = (): Promise<void> => {
    if (steps++ >= killAt) isDead = true
    return isDead ? new Promise(() => {}) : Promise.resolve()
  }
  const timers = new Map<object, () => void>()
  const clock: Clock = {
    now: () => Date.now(),
    date: () => Date.now(),
    after: (_, work) => {
      const key = {}
      timers.set(key, work)
      return () => void timers.delete(key)
    },
  }
  const memory = memoryStorage(disk)
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    busy++
    await step()
    const value = await work()
    await step()
    busy--
    return value
  }
  const storage = { read: () => during(memory.read), write: (...args: Parameters<typeof memory.write>) => during(() => memory.write(...args)), clear: () => during(memory.clear), close: () => Promise.resolve() }
  const controller = new Controller({
    clock,
    gc: false,
    timeout: 1e9,
    retry: false,
    onError: () => {},
    platform: { online: () => true, visible: () => true, watch: () => () => {} },
    fetch: (input, init) =>
      during(() => {
        const key = new Headers(init?.headers).get('idempotency-key')
        const { status, body } = server.handle(init?.method ?? 'GET', input, init?.body ? JSON.parse(init.body as string) : undefined, key ?? undefined)
        return Promise.resolve(Response.json(body, { status }))
      }),
  })
  controller.setResponse(getList, [...server.rows.values()].map(row => ({ ...row })))
  const box = outbox(controller, { storage, endpoints: [TodoResource] })
  return {
    controller,
    box,
    isDead: () => isDead,
    isQuiet: () => box.pending.value === 0 && busy === 0,
    tick: () => new Promise<void>(resolve => setImmediate(resolve)),
  }
}

const coverage = new Coverage(['killed', 'lost before it was stored', 'sent again', 'killed twice'])

asyncLaw(test, 'OUTBOX: after kills at every step nothing that was stored is lost, and nothing is done twice', 30, fc.record({ deeds: fc.array(deed, { minLength: 1, maxLength: 4 }), second: fc.nat({ max: 12 }) }), async ({ deeds, second }) => {
  for (let killAt = 0, isKilled = true; isKilled; killAt++) {
    const server = keyedServer()
    const disk = new Map<string, unknown>()
    const met = new Set<string>()
    isKilled = false
    // The user does one thing after the other; what was on disk at any time must be done.
    const everStored = new Set<string>()
    const watchDisk = (): void => {
      for (const value of disk.values()) everStored.add((value as { key: string }).key)
    }
    const page = session(disk, server, killAt)
    await page.tick()
    const made: string[] = []
    for (const [i, { type, row }] of deeds.entries()) {
      if (page.isDead()) break
      const rows = page.controller.get(getList.schema) ?? []
      const id = rows[row % Math.max(1, rows.length)]?.pk() as string | undefined
      const title = `deed ${i}`
      if (type === 'create' || id === undefined) void page.controller.fetch(getList.push, { title })
      else if (type === 'update') void page.controller.fetch(partialUpdate, { id }, { title })
      else void page.controller.fetch(remove, { id })
      made.push(`${type} ${title}`)
      await page.tick()
      watchDisk()
    }
    for (let i = 0; i < 200 && !page.isDead() && !page.isQuiet(); i++) {
      await page.tick()
      watchDisk()
    }
    isKilled = page.isDead()
    page.controller.dispose()
    if (isKilled) {
      met.add('killed')
      const next = session(disk, server, second)
      for (let i = 0; i < 200 && !next.isDead() && !(next.isQuiet() && i > 5); i++) await next.tick()
      if (next.isDead()) met.add('killed twice')
      next.controller.dispose()
    }
    const last = session(disk, server, Infinity)
    for (let i = 0; i < 400 && !(last.isQuiet() && i > 5); i++) await last.tick()
    if (!last.isQuiet()) throw new Error(`killed at ${killAt}: ${last.box.pending.value} calls are still pending`)
    for (let i = 0; i < 5; i++) await last.tick()
    if (disk.size > 0) throw new Error(`killed at ${killAt}: ${disk.size} calls are still stored`)
    // Nothing twice: every deed has a title of its own.
    const twice = server.done.filter((each, i) => server.done.indexOf(each) !== i)
    if (twice.length > 0) throw new Error(`killed at ${killAt}: done twice: ${twice.join()} in ${server.done.join()}`)
    // Nothing lost: whatever was stored has reached the server, with its key.
    const lost = [...everStored].filter(key => !server.keys.has(key))
    if (lost.length > 0) throw new Error(`killed at ${killAt}: ${lost.length} stored calls were never sent; done: ${server.done.join()}`)
    if (everStored.size < made.length) met.add('lost before it was stored')
    if ([...server.keys.values()].some(times => times > 1)) met.add('sent again')
    // In order.
    const numbers = server.done.map(each => Number(each.match(/deed (\d)/)?.[1] ?? -1)).filter(each => each >= 0)
    if (server.done.some(each => each.startsWith('delete'))) numbers.length = 0
    if (numbers.some((each, i) => i > 0 && each < numbers[i - 1]!)) throw new Error(`killed at ${killAt}: out of order: ${server.done.join()}`)
    // The client shows what the server has.
    await last.controller.fetch(getList)
    const onScreen = (last.controller.get(getList.schema) ?? []).map(({ id, title }) => `${id} ${title}`).sort().join()
    const stored = [...server.rows.values()].map(({ id, title }) => `${id} ${title}`).sort().join()
    if (onScreen !== stored) throw new Error(`killed at ${killAt}: onScreen ${onScreen}, on the server ${stored}`)
    last.controller.dispose()
    coverage.add(met)
  }
}, () => coverage.finding())

test.run()
