import { hasOwn } from '../base/plain.ts'
import { fullArgs } from '../endpoint/Endpoint.ts'
import type { AnyEndpoint, ViewOf } from '../endpoint/types.ts'
import { isEntityClass, traitsOf } from '../schema/compile.ts'
import { defaultsOf } from '../schema/plan.ts'
import type { Denormalize, QueryArgs } from '../schema/types.ts'
import type { State } from '../store/State.ts'
import { LiveViews } from '../view/LiveViews.ts'
import { Reach } from '../view/Reach.ts'
import type { Source, Tracker } from '../view/tracker.ts'
import type { ViewGraph } from '../view/ViewGraph.ts'
import { obtain, WeakCache } from '../view/WeakCache.ts'
import type { Freshness, Status } from './Freshness.ts'

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

/**
 * The data of a read of an endpoint, and how fresh it is.
 *
 * @example
 * const { data, expiryStatus }: ResponseView<Todo[]> = controller.getResponse(TodoResource.getList)
 * if (expiryStatus === 1) await controller.fetch(TodoResource.getList)
 */
export interface ResponseView<T> {
  readonly data: T | undefined
  /** 1: invalid, fetch before showing it. 2: the same once it has expired. 3: may be shown, though it may have expired. */
  readonly expiryStatus: 1 | 2 | 3
  /** On the monotonic clock. */
  readonly expiresAt: number
  /** Changes each time the read was invalidated, expired or forgotten: whoever shows it asks again. */
  readonly markedAt: number
  /** The error of the last request, if that failed. */
  readonly error: unknown
  /** Whether a request is in flight. */
  readonly inFlight: boolean
}

/** Where views come from: snapshots, or live objects. */
export interface Views {
  readonly state: State
  query(schema: unknown, args: readonly unknown[]): unknown
  result(schema: unknown, endpointKey: string, args: readonly unknown[]): unknown
}

/** Statuses for one reactive library: a reader of a status runs again when it changes. */
export class StatusSources {
  readonly #freshness: Freshness
  readonly #tracker: Tracker
  readonly #sources = new WeakCache<string, Source>()
  declare readonly dispose: () => void

  constructor(freshness: Freshness, tracker: Tracker) {
    this.#freshness = freshness
    this.#tracker = tracker
    this.dispose = freshness.subscribe(key => this.#sources.get(key)?.trigger())
  }

  get(key: string): Status {
    if (this.#tracker.isTracking()) obtain(this.#sources, key, () => this.#tracker.source()).track()
    return this.#freshness.get(key)
  }

  /** The keys that somebody reads. */
  keys(): string[] {
    return this.#sources.keys()
  }
}

/**
 * Reads of what the store has, without fetching.
 *
 * @example
 * const titleIn = (reads: StoreReads): string | undefined => reads.query(Todo, { id: 1 })?.title
 */
export interface StoreReads {
  /** The stored data for these arguments. */
  query<S>(schema: S, ...args: QueryArgs<S>): Denormalize<S> | undefined
  /** The data of a read of `endpoint`, and how fresh it is. */
  getResponse<E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): ResponseView<ViewOf<E>>
  /** The error of its last request, if that failed. */
  getError<E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): unknown
  /** Whether a request for it is in flight. */
  isFetching<E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): boolean
}

/** Endpoints are read by their own answers, or by what the answers of others tell about them. `resolve` replaces temporary pks that became real. */
export function createReads(views: Views, statuses: { get(key: string): Status }, resolve: <T>(args: T) => T): StoreReads {
  const statusOf = (endpoint: AnyEndpoint, args: readonly unknown[]): Status => statuses.get(endpoint.key(...resolve(args)))
  return {
    query: <S>(schema: S, ...args: QueryArgs<S>) => views.query(schema, resolve(args)) as Denormalize<S> | undefined,
    getResponse<E extends AnyEndpoint>(endpoint: E, ...given: Parameters<E>): ResponseView<ViewOf<E>> {
      const { schema } = endpoint
      const own = resolve(given)
      const args = fullArgs(endpoint, own)
      const key = endpoint.key(...own)
      const status = statuses.get(key)
      // The answer came with the page, from disk or from another tab. Whoever reads it first tells how to fetch it again.
      if (status.fetchedAt && !status.endpoint) Object.assign(status, { endpoint, args: own })
      const { state } = views
      const isAnswered = status.fetchedAt || state.result(key) !== undefined
      const data = isAnswered ? views.result(schema, key, args) : schema ? views.query(schema, args) : undefined
      // A query may compute undefined.
      const isThere = data !== undefined || (isAnswered && (!schema || traitsOf(schema).computes))
      const expiryStatus = !isThere || status.fetchedAt < status.invalidAt ? 1 : endpoint.invalidIfStale ? 2 : 3
      // Nobody else can tell that an endpoint that failed works again.
      const expiresAt = isAnswered ? status.expiresAt : isThere && status.expiredAt < 0 && status.error === undefined ? earliestExpiry(schema, args, state) : 0
      return { data: data as ViewOf<E> | undefined, expiryStatus, expiresAt, markedAt: status.markedAt, error: status.error, inFlight: status.inFlight > 0 }
    },
    getError: (endpoint, ...args) => statusOf(endpoint, args).error,
    isFetching: (endpoint, ...args) => statusOf(endpoint, args).inFlight > 0,
  }
}

/** Data from other answers is as fresh as the oldest of them, and stale if a field is missing that the class declares. */
function earliestExpiry(schema: unknown, args: readonly unknown[], state: State): number {
  let time = Infinity
  const reach = new Reach(state, cell => {
    time = Math.min(time, state.stamp(cell)?.expiresAt ?? (state.read(cell) ? 0 : Infinity))
  })
  const found = reach.queryKey(schema, args)
  reach.follow(schema, () => found, args)
  return isComplete(schema, found, state) ? time : 0
}

/** Whether the record that answers a read has every field that its class declares. */
function isComplete(schema: unknown, found: unknown, state: State): boolean {
  const [entity, pk] = traitsOf(schema).resolve?.(found) ?? [schema, found]
  if (!isEntityClass(entity) || typeof pk !== 'string') return true
  const record = state.row(entity.key, pk)
  const defaults = defaultsOf(entity)
  return !record || Object.keys(defaults).every(field => defaults[field] === undefined || hasOwn(record, field))
}
