import type { Tracker } from '../../../src/index.ts'
import type { EntityClass } from '../../../src/schema/interface.ts'
import type { Store } from '../../../src/store/store.ts'
import { createLiveViews, type LiveViews } from '../../../src/view/live.ts'
import { signalTracker } from '../../../src/view/signalTracker.ts'

/** Live views of which single objects are asked for too. */
export interface LiveObjectViews extends LiveViews {
  /** The live object of one row; undefined when there is nothing to show. */
  entity<E extends EntityClass>(entity: E, pk: string): InstanceType<E> | undefined
}

export function liveViews(store: Store, report: (error: unknown) => void, tracker: Tracker = signalTracker): LiveObjectViews {
  const views = createLiveViews(store, tracker, report)
  return {
    ...views,
    entity<E extends EntityClass>(entity: E, pk: string): InstanceType<E> | undefined {
      const shown = views.reader.entity(entity, pk)
      return typeof shown === 'object' ? (shown as InstanceType<E>) : undefined
    },
  }
}
