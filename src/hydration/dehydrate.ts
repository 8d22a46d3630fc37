import type { Stamp } from '../base/stamp.ts'
import type { Controller } from '../controller/Controller.ts'
import { exportState, type Dehydrated } from './transfer.ts'

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
