import { LiveViews } from '../view/LiveViews.ts'
import type { Tracker } from '../view/tracker.ts'
import type { ViewGraph } from '../view/ViewGraph.ts'
import type { Freshness } from './Freshness.ts'
import { createReads, StatusSources, type StoreReads } from './createReads.ts'

/** Somebody who reads the store through a reactive library. */
export interface LiveReader {
  readonly views: LiveViews
  readonly statuses: StatusSources
  readonly tracker: Tracker
}

/**
 * The source of live objects: a controller.
 *
 * @example
 * const follow = (controller: LiveOrigin): Live => createLive(controller, tracker)
 */
export interface LiveOrigin {
  /** @internal */ readonly graph: ViewGraph
  /** @internal */ readonly freshness: Freshness
  /** @internal */ readonly liveReaders: Set<LiveReader>
  /** @internal */ readonly temporaryPks: { readonly resolve: <T>(value: T) => T }
  readonly report: (error: unknown) => void
}

/**
 * Reads through one reactive library; data as live objects.
 *
 * @example
 * const live: Live = createLive(controller, tracker)
 * const isLoading = live.isFetching(TodoResource.getList)
 */
export interface Live extends StoreReads {
  /** Stops following the store. */
  dispose(): void
}

/**
 * The live objects of a controller, tracked by a reactive library of your choice: one stable instance for each
 * entity, whose fields wake their own readers. A binding passes its library's `tracker`.
 *
 * @example
 * const live = createLive(controller, tracker)
 * const todo = live.query(Todo, { id: '1' })
 */
export function createLive(controller: LiveOrigin, tracker: Tracker): Live {
  const { graph, freshness, liveReaders, temporaryPks, report } = controller
  const views = new LiveViews(graph, tracker, report)
  const statuses = new StatusSources(freshness, tracker)
  const reader: LiveReader = { views, statuses, tracker }
  liveReaders.add(reader)
  return {
    ...createReads(views, statuses, temporaryPks.resolve),
    dispose() {
      liveReaders.delete(reader)
      views.dispose()
      statuses.dispose()
    },
  }
}
