import type { Heap } from '../managers/sweep.ts'
import type { Timeline } from '../order/timeline.ts'
import { forEachResult, forEachRow } from '../store/changes.ts'
import { moveIndexes } from '../store/lookup.ts'
import type { Store } from '../store/store.ts'
import type { Reader } from './follower.ts'
import type { Freshness } from './freshness.ts'

/** What collection needs of a controller. */
export interface HeapOrigin {
  readonly store: Store
  readonly freshness: Freshness
  readonly followers: Iterable<Reader>
  together<T>(work: () => T): T
}

/** A controller, as collection sees it. */
export function heapOf(origin: HeapOrigin, timeline: Timeline, readers: readonly Reader[]): Heap {
  const { store, freshness, followers } = origin
  return {
    get state() {
      return store.state
    },
    statuses: freshness,
    forEachUse(use) {
      for (const each of [...readers, ...followers]) each.forEachUse(use)
    },
    forEachHeld(visit) {
      timeline.holds(visit)
      // What layers have changed rests on what is beneath.
      forEachRow(store.base, store.state, visit)
      forEachResult(store.base, store.state, visit)
    },
    collect(cells) {
      origin.together(() => {
        timeline.collect(cells, { cause: 'collect' })
        for (const { table, pk } of cells) if (table === store.state.cells!.endpoints) freshness.forget(pk)
        moveIndexes(store.state)
      })
    },
  }
}
