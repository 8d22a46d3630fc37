/** An app in a page: shared with other tabs, stored on disk, with an outbox. The test talks to it through `window.app`. */
import { Controller, createResource, Entity, exportState } from '../../../src/index.ts'
import { trackChanges } from '../../../src/changes/index.ts'
import { outbox } from '../../../src/outbox/index.ts'
import { idbStorage, persist } from '../../../src/persist/index.ts'
import { connectTabs } from '../../../src/tabs/index.ts'

class Todo extends Entity {
  static override key = 'Todo'
  id: number | string = 0
  title = ''
}
class Row extends Entity {
  static override key = 'Row'
  id = 0
  title = ''
  body = ''
  done = false
  owner = ''
}
const TodoResource = createResource({ path: '/todos/:id', schema: Todo, optimistic: true })
const RowResource = createResource({ path: '/rows/:id', schema: Row })

const errors: string[] = []
const controller = new Controller({ onError: error => void errors.push(String(error)) })
const tabs = connectTabs(controller, { name: 'app' })
const persisted = persist(controller, { version: '1', name: 'app', exclude: [Row] })
const box = outbox(controller, { storage: idbStorage('app outbox'), name: 'app', endpoints: [TodoResource], persisted })

const rows = (count: number): object[] => Array.from({ length: count }, (_, id) => ({ id, title: `title of row ${id}`, body: `some more text that belongs to row ${id}`, done: id % 2 === 0, owner: `${id % 100}` }))
const ROUNDS = 15
/** The median, and the lowest and the highest value. */
const spread = (times: number[]): [median: number, lowest: number, highest: number] => {
  times.sort((a, b) => a - b)
  return [times[times.length >> 1]!, times[0]!, times.at(-1)!]
}
const time = async (work: () => unknown): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/**
 * Milliseconds, each with its spread: to parse `count` entities as JSON, to read them from IndexedDB, to take them in,
 * and to restore them, which is both. And a commit with and without `persist`, and the write that stores one commit.
 */
async function measure(count: number): Promise<Record<string, [number, number, number]>> {
  const made = new Controller({ gc: false })
  const source = persist(made, { version: '1', name: 'measured' })
  await source.restored
  made.setResponse(RowResource.getList, rows(count))
  const json = JSON.stringify(exportState(made.snapshot()))
  const change = (controller: Controller, i: number): void => controller.set(Row, { id: (i * 7) % count }, (row: { title: string }) => void (row.title = `changed ${i}`))
  const commits = (controller: Controller): number[] =>
    Array.from({ length: 300 }, (_, i) => {
      const start = performance.now()
      for (let k = 0; k < 10; k++) change(controller, i * 10 + k)
      return (performance.now() - start) / 10
    })
  const bare = new Controller({ gc: false })
  bare.setResponse(RowResource.getList, rows(count))
  const tracker = trackChanges(bare, { origin: 'measure' })
  tracker.take()
  const store = Array.from({ length: 100 }, (_, i) => {
    change(bare, i)
    const start = performance.now()
    structuredClone(tracker.take())
    return performance.now() - start
  })
  tracker.stop()
  const [without, withPersist] = [commits(bare), commits(made)]
  await source.dispose()
  // What is restored is one entry, as after the log was written anew.
  const [parse, read, apply, restore]: number[][] = [[], [], [], []]
  for (let i = 0; i < ROUNDS; i++) {
    const storage = idbStorage('measured')
    let records: Awaited<ReturnType<typeof storage.read>> = []
    read!.push(await time(async () => (records = await storage.read())))
    await storage.close()
    parse!.push(await time(() => void JSON.parse(json)))
    const target = new Controller({ gc: false })
    const taker = trackChanges(target, { origin: 'measure' })
    apply!.push(await time(() => void taker.apply((records[0]![1] as { change: unknown }).change)))
    const again = new Controller({ gc: false })
    let restored!: ReturnType<typeof persist>
    restore!.push(await time(() => (restored = persist(again, { version: '1', name: 'measured' })).restored))
    await restored.dispose()
    taker.stop()
    target.dispose()
    again.dispose()
  }
  indexedDB.deleteDatabase('measured')
  return { parse: spread(parse!), read: spread(read!), apply: spread(apply!), restore: spread(restore!), commitWithout: spread(without), commitWith: spread(withPersist), storeOne: spread(store) }
}

Object.assign(window, {
  app: {
    errors,
    ready: Promise.all([tabs.ready, persisted.restored, box.restored]),
    titles: () => controller.get(TodoResource.getList.schema)?.map(({ title }) => title),
    load: () => controller.fetch(TodoResource.getList).then(() => undefined),
    loadIfStale: () => controller.fetchIfStale(TodoResource.getList).then(() => undefined),
    add: (title: string) => void controller.fetch(TodoResource.getList.push, { title }),
    rename: (id: number | string, title: string) => void controller.fetch(TodoResource.partialUpdate, { id }, { title }),
    ids: () => controller.get(TodoResource.getList.schema)?.map(todo => String(todo.pk())),
    reset: () => controller.reset(),
    pending: () => box.pending.value,
    measure,
  },
})
