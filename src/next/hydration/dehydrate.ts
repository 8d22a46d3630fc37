import type { Clock } from '../base/clock.ts'
import type { Stamp } from '../base/stamp.ts'
import { isInvalid, type Freshness } from '../controller/Freshness.ts'
import type { Timeline } from '../order/Timeline.ts'
import { exportState, type ExportedState } from './transfer.ts'

/**
 * What a controller knows, as plain data, ready for JSON. Times are wall times: another process has another clock.
 *
 * @example
 * const data: Dehydrated = dehydrate(controller)
 * const again = new Controller({ initialState: data })
 */
export interface Dehydrated extends ExportedState {
  /** When each result was fetched, and until when it is fresh: a time below 0 when it no longer counts. */
  readonly freshness: readonly (readonly [key: string, date: number, expiresAt: number])[]
}

/**
 * What can be written down: a controller.
 *
 * @example
 * const save = (controller: DehydrationSource): void => localStorage.setItem('state', JSON.stringify(dehydrate(controller)))
 */
export interface DehydrationSource {
  readonly clock: Clock
  /** @internal */ readonly timeline: Timeline
  /** @internal */ readonly freshness: Freshness
}

/**
 * Everything that a controller has been told, to be given to `hydrate` elsewhere. What is only hoped for, an optimistic
 * answer, is left out.
 *
 * @example
 * const html = renderState(dehydrate(controller))
 */
export function dehydrate(controller: DehydrationSource): Dehydrated {
  const { clock, timeline, freshness } = controller
  const ahead = clock.date() - clock.now()
  const { version, entities, endpoints } = exportState(timeline.base)
  const written = (stamp: Stamp | null): Stamp | null => stamp && { ...stamp, expiresAt: stamp.expiresAt + ahead }
  return {
    version,
    entities: entities.map(([key, rows]) => [key, rows.map(([pk, record, stamp]) => [pk, record, written(stamp)] as const)] as const),
    endpoints,
    // What other answers have brought for a key can be invalid too, without a result of its own.
    freshness: [...new Set([...endpoints.map(([key]) => key), ...[...freshness.keys()].filter(key => isInvalid(freshness.get(key)))])].map(key => {
      const status = freshness.get(key)
      return [key, status.date, isInvalid(status) ? -1 : status.expiresAt + ahead] as const
    }),
  }
}
