import type { Controller } from '../controller/Controller.ts'
import { additions, readExported, type Dehydrated } from './transfer.ts'

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
