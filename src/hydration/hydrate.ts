import type { Stamp } from '../base/stamp.ts'
import type { Controller } from '../controller/Controller.ts'
import { additions, exportState, readExported, type Dehydrated } from './transfer.ts'

/**
 * Everything that the server has confirmed to a controller, for `hydrate` elsewhere. Optimistic responses are left out.
 *
 * @example
 * const html = renderState(dehydrate(controller))
 */
export function dehydrate(controller: Controller): Dehydrated {
  const { clock, timeline, freshness } = controller
  const ahead = clock.date() - clock.now()
  const { version, entities, endpoints } = exportState(timeline.base)
  const toWallTime = (stamp: Stamp | null): Stamp | null => stamp && { ...stamp, expiresAt: stamp.expiresAt + ahead }
  // A key without a result of its own can be invalid too: its entities came with other answers.
  const invalid = [...freshness.keys()].filter(key => freshness.get(key).fetchedAt < freshness.get(key).invalidAt)
  const keys = new Set([...endpoints.map(([key]) => key), ...invalid])
  return {
    version,
    entities: entities.map(([key, rows]) => [key, rows.map(([pk, record, stamp]) => [pk, record, toWallTime(stamp)] as const)] as const),
    endpoints,
    freshness: [...keys].map(key => {
      const { date, expiresAt } = freshness.get(key)
      return [key, date, invalid.includes(key) ? -1 : expiresAt + ahead] as const
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
    read = readExported(typeof data === 'string' ? JSON.parse(data) : data)
  } catch (error) {
    console.warn(`patchcord: nothing was hydrated. ${String(error)}`)
    return false
  }
  controller.batch(() => {
    const { clock, freshness, timeline } = controller
    const ahead = clock.date() - clock.now()
    const dates = new Map(read.freshness.map(([key, date]) => [key, date]))
    const isNews = (key: string): boolean => {
      const { fetchedAt, date } = freshness.get(key)
      return !fetchedAt || date < (dates.get(key) ?? 0)
    }
    // Compared with the base: an optimistic response says nothing about confirmed data.
    const { patches, stamps } = additions(timeline.base, { ...read, endpoints: read.endpoints.filter(([key]) => isNews(key)) })
    // Its positions mean nothing here: another process counted otherwise.
    const position = timeline.positionAt([...dates.values(), ...stamps.map(({ stamp }) => stamp.date)].reduce((a, b) => Math.max(a, b), 0))
    const own = stamps.map(({ key, pks, stamp }) => ({ key, pks, stamp: { ...stamp, fetchedAt: position.fetchedAt, expiresAt: stamp.expiresAt - ahead } }))
    timeline.apply(patches, own, { cause: 'applyPatches', origin: 'hydrate' }, position)
    for (const [key, date, expiresAt] of read.freshness) {
      if (!isNews(key)) continue
      const known = freshness.get(key)
      const at = known.fetchedAt || position.fetchedAt
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
  return controller => void hydrate(controller, data)
}
