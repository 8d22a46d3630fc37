import type { Stamp } from '../base/stamp.ts'
import type { Controller } from '../controller/Controller.ts'
import { exportedWrites, exportState, readExported, type Dehydrated } from './transfer.ts'

/**
 * Everything that the server has confirmed to a controller, for `hydrate` elsewhere. Optimistic responses are left out.
 *
 * @example
 * const html = renderState(dehydrate(controller))
 */
export function dehydrate(controller: Controller): Dehydrated {
  const { clock, timeline, freshness } = controller
  const ahead = clock.date() - clock.now()
  const exported = exportState(timeline.base)
  const toWallTime = (stamp: Stamp | null): Stamp | null => stamp && { ...stamp, expiresAt: stamp.expiresAt + ahead }
  const isInvalid = (key: string): boolean => freshness.get(key).fetchedAt < freshness.get(key).invalidAt
  // A key without a result of its own can be invalid too: its entities came with other answers.
  const keys = new Set(exported.endpoints.map(([key]) => key).concat([...freshness.keys()].filter(isInvalid)))
  return {
    ...exported,
    entities: exported.entities.map(([key, rows]) => [key, rows.map(([pk, record, stamp]) => [pk, record, toWallTime(stamp)] as const)] as const),
    freshness: [...keys].map(key => {
      const { date, expiresAt } = freshness.get(key)
      return [key, date, isInvalid(key) ? -1 : expiresAt + ahead] as const
    }),
  }
}

/**
 * Adds the result of `dehydrate`, as an object or as JSON, to a controller. Data that the controller has fetched itself
 * since then stays. Anything else is refused whole, with one warning: then everything is fetched as usual.
 *
 * @example
 * hydrate(controller, document.getElementById('patchcord')?.textContent)
 */
export function hydrate(controller: Controller, data: unknown): boolean {
  let read: Dehydrated
  try {
    read = typeof data === 'string' ? readExported(JSON.parse(data), false) : readExported(data)
  } catch (error) {
    console.warn(`patchcord: nothing was hydrated. ${error as Error}`)
    return false
  }
  controller.batch(() => {
    const { clock, freshness, timeline } = controller
    const ahead = clock.date() - clock.now()
    const dates = new Map(read.freshness.map(([key, date]) => [key, date]))
    const isNews = (key: string): boolean => {
      const { fetchedAt, date } = freshness.get(key)
      return !fetchedAt || date < dates.get(key)!
    }
    // Its positions mean nothing here: another process counted otherwise.
    const written = [...dates.values(), ...read.entities.flatMap(([, rows]) => rows.map(([, , stamp]) => stamp?.date ?? 0))]
    const position = timeline.positionAt(written.reduce((a, b) => Math.max(a, b), 0))
    const { fetchedAt } = position
    const toOwn = (stamp: Stamp): Stamp => Object.freeze({ ...stamp, fetchedAt, expiresAt: stamp.expiresAt - ahead })
    const news = { ...read, endpoints: read.endpoints.filter(([key]) => isNews(key)) }
    timeline.landAll([() => exportedWrites(news, timeline.directory, toOwn)], { cause: 'applyPatches', origin: 'hydrate' }, position)
    for (const [key, date, expiresAt] of read.freshness) {
      if (!isNews(key)) continue
      const known = freshness.get(key)
      const at = known.fetchedAt || fetchedAt
      freshness.answered(key, { fetchedAt: at, date }, expiresAt - ahead, known.endpoint, known.args)
      if (expiresAt < 0) freshness.invalidate([key], at + 1)
    }
  })
  return true
}

/**
 * The result of `dehydrate`, as the initial state of a controller.
 *
 * @example
 * const controller = new Controller({ initialState: hydrated(document.getElementById('patchcord')?.textContent) })
 */
export function hydrated(data: unknown): (controller: Controller) => void {
  return controller => hydrate(controller, data)
}
