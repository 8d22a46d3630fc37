import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { applyPatches, Controller, createResource, emptyState, Endpoint, Entity, normalize, subscribe, type AnyEndpoint, type Fields } from '../../src/index.ts'
import { createHistory } from '../../src/history/index.ts'
import { createClock, mockFetch } from '../../src/testing/index.ts'
import { projectRoot } from '../house/sources.ts'
import { copiedPages, wakesOf, workOf, type Counts } from './work.ts'

const { freshPayload } = (await import(pathToFileURL(join(projectRoot, 'bench/payload.mjs')).href)) as { freshPayload(): object }

class BuildType extends Entity {
  id = ''
  static override key = 'BuildType'
}

class Project extends Entity {
  id = ''
  static override key = 'Project'
  static override schema: Fields = { buildTypes: { buildType: [BuildType] } }
}

class Item extends Entity {
  id = ''
  title = ''
  rank = 0
  static override key = 'Item'
}

const SIZE = 10_000
const item = (at: number): { id: string; title: string; rank: number } => ({ id: `item${at}`, title: `Item ${at}`, rank: at })
const items = (count = SIZE): object[] => Array.from({ length: count }, (_, at) => item(at))
const never = (): Promise<never> => new Promise(() => {})
const list: AnyEndpoint = new Endpoint(never, { name: 'list', schema: [Item] })

/** The project list of the benchmarks, as pure functions take it in. */
function responses(): Record<string, Counts> {
  const schema = { project: [Project] }
  const meta = { fetchedAt: 1, date: 1, expiresAt: 1000 }
  const first = normalize(schema, freshPayload(), [], emptyState, meta)
  const state = applyPatches(emptyState, first.patches, first.stamps)
  const again = normalize(schema, freshPayload(), [], state, { ...meta, fetchedAt: 2 })
  const next = applyPatches(state, again.patches, again.stamps)
  const made = copiedPages(emptyState, state)
  const copied = copiedPages(state, next)
  return {
    'project list: first response': { patches: first.patches.length, 'pages of rows': made.rows, 'pages of stamps': made.stamps },
    'project list: the same again': { patches: again.patches.length, 'pages of rows': copied.rows, 'pages of stamps': copied.stamps },
  }
}

/** One of ten thousand that are shown, in every way there is to show them. */
async function oneOfMany(): Promise<Record<string, Counts>> {
  const controller = new Controller({ gc: false })
  const history = createHistory(controller)
  controller.setResponse(list, items())
  const live = controller.live(list) as readonly Item[]
  const fields = wakesOf(live.slice(0, 100).map(row => () => row.rank))
  const lists = wakesOf([() => (controller.live(list) as readonly Item[]).length])
  const view = controller.view(list)
  const snapshots = wakesOf([() => view.value])
  const entities = wakesOf(items(100).map((_, at) => () => controller.get(Item, { id: `item${at}` })))
  const all = [fields, lists, snapshots, entities]
  const counted = async (work: () => unknown): Promise<Counts> => {
    const before = all.map(({ count }) => count())
    const did = await workOf(controller, work)
    const [field, liveList, snapshot, entity] = all.map(({ count }, at) => count() - before[at]!) as [number, number, number, number]
    return { ...did, 'wakes of a field': field, 'wakes of a live list': liveList, 'wakes of a snapshot': snapshot, 'wakes of an entity': entity }
  }
  const changed = items().with(8, { ...item(8), rank: -2 }).with(7, { ...item(7), rank: -1 })
  const counts = {
    '10,000 items: one field': await counted(() => controller.set(Item, { id: 'item7' }, { id: 'item7', rank: -1 })),
    '10,000 items: the answer again, one field different': await counted(() => controller.setResponse(list, changed)),
    '10,000 items: the same answer': await counted(() => controller.setResponse(list, changed)),
    '10,000 items: one more at the end': await counted(() => controller.setResponse(list, [...changed, item(SIZE)])),
    '10,000 items: one more at the top': await counted(() => controller.setResponse(list, [item(SIZE + 1), ...changed, item(SIZE)])),
    '10,000 items: two are swapped': await counted(() => controller.setResponse(list, [item(SIZE + 1), changed[1], changed[0], ...changed.slice(2), item(SIZE)])),
    '10,000 items: undo': await counted(() => history.undo()),
  }
  all.forEach(({ end }) => end())
  controller.dispose()
  return counts
}

/** Calls that show their effect at once, and their ends. */
async function calls(): Promise<Record<string, Counts>> {
  let answer: ((response: object) => void) | undefined
  let fail: ((error: Error) => void) | undefined
  let sent: (() => void) | undefined
  const put = new Endpoint(
    (_params: { id: string }, _body: object): Promise<object> =>
      new Promise((resolve, reject) => {
        ;[answer, fail] = [resolve, reject]
        sent?.()
      }),
    { name: 'put', sideEffect: true, schema: Item, getOptimisticResponse: (_snap: unknown, params: { id: string }, body: object) => ({ ...params, ...body }) },
  )
  const controller = new Controller({ gc: false, retry: false })
  controller.setResponse(list, items(1_000))
  const reader = wakesOf([() => (controller.get(Item, { id: 'item1' }) as Item | undefined)?.rank])
  const counted = async (work: () => unknown): Promise<Counts> => {
    const before = reader.count()
    return { ...(await workOf(controller, work)), wakes: reader.count() - before }
  }
  let call: Promise<unknown> | undefined
  const begin = (rank: number): Promise<void> =>
    new Promise(resolve => {
      sent = resolve
      call = controller.fetch(put, { id: 'item1' }, { rank }).catch(() => {})
    })
  const counts = {
    'an optimistic call': await counted(() => begin(-1)),
    'a poll beneath it': await counted(() => controller.setResponse(list, items(1_000))),
    'its answer, as expected': await counted(() => (answer!({ ...item(1), rank: -1 }), call)),
    'another call': await counted(() => begin(-2)),
    'its failure': await counted(() => (fail!(new Error('refused')), call)),
  }
  reader.end()
  controller.dispose()
  return counts
}

/** What goes over the wire. */
async function requests(): Promise<Record<string, Counts>> {
  const clock = createClock()
  const fetch = mockFetch({ 'GET /items': { body: items(10) }, 'GET /items/item1': { body: item(1) } }, { clock })
  const platform = { online: () => true, visible: () => true, watch: () => () => {} }
  const controller = new Controller({ fetch, clock, platform, gc: false })
  const { get, getList } = createResource({ path: '/items/:id', schema: Item })
  const polled = getList.extend({ dataExpiryLength: 5_000, pollFrequency: 1_000 })
  const counted = async (work: () => unknown): Promise<Counts> => {
    const before = fetch.calls.length
    await work()
    return { requests: fetch.calls.length - before }
  }
  const counts = {
    'three readers at once': await counted(() => Promise.all([1, 2, 3].map(() => controller.fetch(getList)))),
    'a fresh list': await counted(() => controller.fetchIfStale(getList)),
    'an item that a list brought': await counted(() => controller.fetchIfStale(get, { id: 'item1' })),
    'ten seconds of polling every second, by two': await counted(async () => {
      const ends = [subscribe(controller, polled), subscribe(controller, polled)]
      for (let second = 0; second < 10; second++) {
        clock.advance(1_000)
        // The next waits for the end of this one, and then for its timer.
        do await new Promise(resolve => setImmediate(resolve))
        while (controller.isFetching(polled) || clock.pending === 0)
      }
      ends.forEach(end => end())
    }),
  }
  controller.dispose()
  return counts
}

/** What is released when nobody needs it. */
async function collection(): Promise<Record<string, Counts>> {
  const clock = createClock()
  const controller = new Controller({ clock, gc: { after: 1_000, every: 1_000 } })
  controller.setResponse(list, items(1_000))
  const counts = await workOf(controller, () => {
    clock.advance(3_600_000)
  })
  controller.dispose()
  return { 'a thousand items that nobody reads, an hour later': counts }
}

/** Every scenario of the core, and what it came to. */
export async function coreCounts(): Promise<Record<string, Counts>> {
  return { ...responses(), ...(await oneOfMany()), ...(await calls()), ...(await requests()), ...(await collection()) }
}
