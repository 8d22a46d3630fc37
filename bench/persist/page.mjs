import { Controller, createResource, Entity, exportState } from 'patchcord'
import { trackChanges } from 'patchcord/changes'
import { idbStorage, persist } from 'patchcord/persist'

class Row extends Entity {
  static key = 'Row'
  id = 0
}
const RowResource = createResource({ path: '/rows/:id', schema: Row })
const rows = count => Array.from({ length: count }, (_, id) => ({ id, title: `title of row ${id}`, body: `some more text that belongs to row ${id}`, done: id % 2 === 0, owner: `${id % 100}` }))

const time = async work => {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/** Writes one field, 300 times ten rows. Milliseconds for one. */
const commits = (controller, count) =>
  Array.from({ length: 300 }, (_, turn) => {
    const from = performance.now()
    for (let i = turn * 10; i < turn * 10 + 10; i++) controller.set(Row, { id: (i * 7) % count }, row => void (row.title = `changed ${i}`))
    return (performance.now() - from) / 10
  })

/** A controller with rows that are stored under `name`. */
const stored = async (name, count) => {
  const controller = new Controller({ gc: false })
  const persisted = persist(controller, { version: '1', name })
  await persisted.restored
  controller.setResponse(RowResource.getList, rows(count))
  await persisted.flush()
  return [controller, persisted]
}

globalThis.measure = async (count, rounds) => {
  const [made, source] = await stored('measured', count)
  const [changed, other] = await stored('changed', count)
  const json = JSON.stringify(exportState(made.snapshot()))
  const bare = new Controller({ gc: false })
  bare.setResponse(RowResource.getList, rows(count))
  const times = { parse: [], read: [], apply: [], restore: [], without: commits(bare, count), with: commits(changed, count), write: [] }
  const tracker = trackChanges(bare, { origin: 'measure' })
  for (let i = 0; i < 100; i++) {
    bare.set(Row, { id: i }, row => void (row.title = `stored ${i}`))
    times.write.push(await time(() => void structuredClone(tracker.take())))
  }
  await other.dispose()
  await source.dispose()
  for (let round = 0; round < rounds; round++) {
    const storage = idbStorage('measured')
    let records
    times.read.push(await time(async () => (records = await storage.read())))
    await storage.close()
    times.parse.push(await time(() => void JSON.parse(json)))
    const taker = trackChanges(new Controller({ gc: false }), { origin: 'measure' })
    times.apply.push(await time(() => void taker.apply(records[0][1].change)))
    const again = new Controller({ gc: false })
    let persisted
    times.restore.push(await time(() => (persisted = persist(again, { version: '1', name: 'measured' })).restored))
    if (again.get(Row, { id: count - 1 }) === undefined) throw new Error('Nothing was restored.')
    await persisted.dispose()
  }
  return times
}
