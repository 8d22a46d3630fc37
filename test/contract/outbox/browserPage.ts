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
const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1]!

/** How long it takes to restore `count` entities, and what a commit costs beside a persisted store of that size. */
async function measure(count: number): Promise<Record<string, number>> {
  const made = new Controller({ gc: false })
  const source = persist(made, { version: '1', name: 'measured' })
  await source.restored
  made.setResponse(RowResource.getList, rows(count))
  const json = JSON.stringify(exportState(made.snapshot()))
  const commit = (controller: Controller): number => {
    const times: number[] = []
    for (let i = 0; i < 301; i++) {
      const start = performance.now()
      for (let k = 0; k < 10; k++) controller.set(Row, { id: (i * 7 + k) % count }, (row: { title: string }) => void (row.title = `changed ${i}`))
      times.push((performance.now() - start) / 10)
    }
    return median(times)
  }
  const bare = new Controller({ gc: false })
  bare.setResponse(RowResource.getList, rows(count))
  const without = commit(bare)
  const withPersist = commit(made)
  await source.dispose()
  const [parse, restore, apply]: [number[], number[], number[]] = [[], [], []]
  const read: number[] = []
  for (let i = 0; i < 9; i++) {
    let start = performance.now()
    JSON.parse(json)
    parse.push(performance.now() - start)
    start = performance.now()
    const storage = idbStorage('measured')
    const records = await storage.read()
    read.push(performance.now() - start)
    await storage.close()
    const change = (records[0]![1] as { change: unknown }).change
    const target = new Controller({ gc: false })
    const tracker = trackChanges(target, { origin: 'measure' })
    start = performance.now()
    tracker.apply(change)
    apply.push(performance.now() - start)
    tracker.stop()
    const again = new Controller({ gc: false })
    start = performance.now()
    const restoredPage = persist(again, { version: '1', name: 'measured' })
    await restoredPage.restored
    restore.push(performance.now() - start)
    await restoredPage.dispose()
    target.dispose()
    again.dispose()
  }
  indexedDB.deleteDatabase('measured')
  return { entries: count, json: json.length, parse: median(parse), read: median(read), apply: median(apply), restore: median(restore), commitWithout: without, commitWith: withPersist }
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
