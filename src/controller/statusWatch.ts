import { obtain } from '../base/obtain.ts'
import { LiveIndex } from '../view/liveIndex.ts'
import type { Source, Tracker } from '../view/tracker.ts'
import type { Use } from '../view/use.ts'
import type { Freshness, Status } from './freshness.ts'

/** Reads of statuses for one reactive library: whoever reads one runs again when it changes. */
export interface StatusWatch {
  get(key: string): Status
  /** Tells which endpoints somebody looks at. */
  forEachUse(use: Use): void
  dispose(): void
}

export function createStatusWatch(freshness: Freshness, tracker: Tracker): StatusWatch {
  /** Whoever depends on a source keeps it. */
  const sources = new LiveIndex<Source>()
  return {
    get(key) {
      if (tracker.isTracking()) obtain(sources, key, () => tracker.source()).track()
      return freshness.get(key)
    },
    forEachUse(use) {
      sources.forEach(key => use.result(undefined, key, []))
    },
    dispose: freshness.subscribe(key => sources.get(key)?.trigger()),
  }
}
