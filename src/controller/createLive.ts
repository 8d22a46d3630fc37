import type { AnyEndpoint, ViewOf } from '../endpoint/types.ts'
import type { Denormalize, QueryArgs } from '../schema/types.ts'
import { LiveViews } from '../view/LiveViews.ts'
import type { Tracker } from '../view/tracker.ts'
import type { ViewGraph } from '../view/ViewGraph.ts'
import type { Freshness } from './Freshness.ts'
import { Responses, StatusSources, type ResponseView } from './Responses.ts'

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
  /** The stored data for these arguments, as live objects. */
  query<S>(schema: S, ...args: QueryArgs<S>): Denormalize<S> | undefined
  /** The data of a read of `endpoint`, without fetching. */
  getResponse<E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): ResponseView<ViewOf<E>>
  /** The error of its last request, if that failed. */
  getError<E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): unknown
  /** Whether a request for it is in flight. */
  isFetching<E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): boolean
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
  const { graph, freshness, liveReaders, temporaryPks } = controller
  const views = new LiveViews(graph, tracker, error => controller.report(error))
  const statuses = new StatusSources(freshness, tracker)
  const responses = new Responses(views, statuses, temporaryPks.resolve)
  const reader: LiveReader = { views, statuses, tracker }
  liveReaders.add(reader)
  return {
    query: <S>(schema: S, ...args: QueryArgs<S>) => views.query(schema, temporaryPks.resolve(args)) as Denormalize<S> | undefined,
    getResponse: (endpoint, ...args) => responses.get(endpoint, args),
    getError: (endpoint, ...args) => responses.status(endpoint, args).error,
    isFetching: (endpoint, ...args) => responses.status(endpoint, args).inFlight > 0,
    dispose() {
      liveReaders.delete(reader)
      views.dispose()
      statuses.dispose()
    },
  }
}
