import type { AnyEndpoint, ViewOf } from '../endpoint/types.ts'
import type { Names } from '../order/names.ts'
import type { Denormalize } from '../schema/types.ts'
import type { Store } from '../store/store.ts'
import { createLiveViews } from '../view/live.ts'
import type { Tracker } from '../view/tracker.ts'
import type { Follower } from './follower.ts'
import type { Freshness } from './freshness.ts'
import { createResponses, type ResponseView } from './responses.ts'
import { createStatusWatch } from './statusWatch.ts'

/**
 * What live objects are made from: a controller.
 *
 * @example
 * const follow = (controller: LiveOrigin): Live => createLive(controller, tracker)
 */
export interface LiveOrigin {
  /** @internal */ readonly store: Store
  /** @internal */ readonly freshness: Freshness
  /** @internal */ readonly followers: Set<Follower>
  /** @internal */ readonly known: Names['known']
  report(error: unknown): void
}

/**
 * Reads through one reactive library; data as live objects.
 *
 * @example
 * const live: Live = createLive(controller, tracker)
 * const isLoading = live.isFetching(TodoResource.getList)
 */
export interface Live {
  /** What the store can show for these arguments, as live objects. */
  query<S>(schema: S, ...args: readonly unknown[]): Denormalize<S> | undefined
  /** What a read of `endpoint` shows, without fetching. */
  getResponse<E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): ResponseView<ViewOf<E>>
  /** What its last request came to, when it failed. */
  getError<E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): unknown
  /** Whether a request for it is under way. */
  isFetching<E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): boolean
  /** Stops following the store. */
  dispose(): void
}

/**
 * The live objects of a controller, tracked by a reactive library of your choice: one stable instance for each
 * entity, whose fields wake their own readers. A binding gives its library's `tracker`.
 *
 * @example
 * const live = createLive(controller, tracker)
 * const todo = live.query(Todo, { id: '1' })
 */
export function createLive(controller: LiveOrigin, tracker: Tracker): Live {
  const { store, freshness, followers, known } = controller
  const views = createLiveViews(store, tracker, error => controller.report(error))
  const watch = createStatusWatch(freshness, tracker)
  const follower: Follower = {
    batch: work => tracker.batch(work),
    move: (key, from, to) => views.move(key, from, to),
    forEachUse(use) {
      views.reader.forEachUse(use)
      watch.forEachUse(use)
    },
  }
  followers.add(follower)
  return {
    query: (schema, ...args) => views.query(schema, known(args)),
    ...createResponses(views, watch, store, known),
    dispose() {
      followers.delete(follower)
      watch.dispose()
      views.dispose()
    },
  }
}
