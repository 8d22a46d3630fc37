import { untracked } from '@preact/signals-core'
import { PatchcordError } from '../base/errors.ts'
import { attempt, markHandled } from '../base/report.ts'
import type { AnyEndpoint, ViewOf } from '../endpoint/types.ts'
import type { Controller } from './Controller.ts'
import type { Live } from './createLive.ts'

/**
 * The data of a reader of an endpoint, and whether it has to fetch.
 *
 * @example
 * const { status, data, error }: ReadStatus<Todo[]> = readStatus(controller, controller, TodoResource.getList, [])
 * if (status === 'failed') throw error
 */
export interface ReadStatus<T> {
  readonly key?: string
  /** The stored data, even where it may not be shown. */
  readonly data?: T | undefined
  /** The error of the last request, if that failed. */
  readonly error?: unknown
  /**
   * `idle`: there are no arguments yet. `missing`: nothing may be shown before the next answer. `failed`: the error is
   * thrown instead of the data. `ready`: the data is shown; an error stands beside it.
   */
  readonly status: 'idle' | 'missing' | 'failed' | 'ready'
  /** Nothing may be shown, whether or not a request has failed. */
  readonly isMissing: boolean
  readonly stale: boolean
  /** Whether a request is in flight. */
  readonly inFlight: boolean
  /** A token, not a reason: a reader asks once for each value of it. Undefined where asking does not help. */
  readonly cause?: string
}

/** The controller, or live objects. */
type StatusReader = Pick<Live, 'getResponse' | 'isFetching'>

const IDLE = { status: 'idle', isMissing: false, stale: false, inFlight: false } as const

/** Starts the cause of a read that has nothing to show. */
const MISSING = '!'

/** In milliseconds. If a reader is invalidated or reset within this time after a request has failed, the failure is probably the reason: a manager may reset after each 401. Such a reader asks once more, and then stops. */
const REPEAT_AFTER = 100

/**
 * The key that these arguments spell; undefined while the first one is `null`.
 *
 * @example
 * readKey(TodoResource.get, [{ id: 1 }]) // 'GET /todos/1'
 */
export function readKey(endpoint: AnyEndpoint, args: readonly unknown[]): string | undefined {
  if (args[0] === null) return undefined
  if (endpoint.sideEffect) throw new PatchcordError('SIDE_EFFECT', `${endpoint.name} cannot be read. Use controller.fetch.`)
  return endpoint.key(...args)
}

/**
 * Reads an endpoint without fetching, and tells what to do with it. `reader` is the controller, for snapshots, or what
 * `createLive` returned, for live objects. Tracked as the reader tracks. Never throws.
 *
 * @example
 * const { data, stale } = readStatus(controller, controller, TodoResource.get, [{ id: 1 }])
 */
export function readStatus<E extends AnyEndpoint>(controller: Controller, reader: StatusReader, endpoint: E, args: readonly unknown[]): ReadStatus<ViewOf<E>> {
  const given = args as Parameters<E>
  try {
    const key = readKey(endpoint, args)
    if (key === undefined) return IDLE
    const { data, error, expiryStatus, expiresAt, inFlight, markedAt } = reader.getResponse(endpoint, ...given)
    const isExpired = expiresAt <= controller.clock.now()
    const isMissing = expiryStatus === 1 || (expiryStatus === 2 && isExpired)
    // While a request is in flight the error is not final.
    const isFailed = error !== undefined && !inFlight && (isMissing || endpoint.errorPolicy(error) !== 'soft')
    if (isFailed) addRetry(error, controller, endpoint, args)
    const status = isFailed ? 'failed' : isMissing ? 'missing' : 'ready'
    return { key, data, error, status, isMissing, stale: isMissing || isExpired, inFlight, cause: `${isMissing ? MISSING : ''}${markedAt} ${key}` }
  } catch (error) {
    // The arguments spell no request, or a query threw.
    return { ...IDLE, error, status: 'failed', inFlight: attempt(() => reader.isFetching(endpoint, ...given)) ?? false }
  }
}

/** One request of a reader. */
interface Request {
  readonly key: string
  /** The end of a request before it; see `Requests.lastEnd`. */
  readonly end: object | undefined
  readonly repeats: number
  readonly abort: AbortController
  promise?: Promise<unknown>
  isSettled: boolean
  failure?: unknown
}

/**
 * The requests of one reader. It asks once for each cause; when it leaves, a request that nobody else waits for is
 * aborted.
 *
 * @example
 * const requests = new ReadRequests(controller)
 * requests.ask(TodoResource.getList, [], readStatus(controller, controller, TodoResource.getList, []))
 * requests.leave()
 */
export class ReadRequests {
  readonly #controller: Controller
  readonly #onSettled: () => void
  #cause: string | undefined
  #request: Request | undefined
  /** The last arguments that had data. */
  #last: { readonly key: string | undefined; readonly endpoint: AnyEndpoint; readonly args: readonly unknown[] } | undefined

  /** Calls `onSettled` after the latest request has settled. */
  constructor(controller: Controller, onSettled: () => void = () => {}) {
    this.#controller = controller
    this.#onSettled = onSettled
  }

  /** Fetches if the status has a new cause and is not fresh. Returns the request for this cause; undefined if none was needed. */
  ask(endpoint: AnyEndpoint, args: readonly unknown[], { cause, error, inFlight, isMissing, stale }: ReadStatus<unknown>): Promise<unknown> | undefined {
    const { clock, requests, temporaryPks } = this.#controller
    const last = this.#request
    const joins = isMissing && inFlight && last?.isSettled
    if (this.#isAsked(cause) && !joins) {
      this.#cause = cause
      return last?.promise
    }
    const key = cause && endpoint.key(...temporaryPks.resolve(args))
    // A reader that mounts after an error asks at once, unless it mounts because of the error.
    const retries = key !== undefined && key !== last?.key && error !== undefined && !requests.waking.has(key)
    if (key === undefined || (!stale && !retries)) return void this.leave(cause)
    this.#cause = cause
    const { lastEnd: end } = requests
    // A failure of another request counts: a manager may reset all readers when one is refused.
    const isRepeated = key === last?.key && (!last.isSettled || last.failure !== undefined) && end && (end.key ?? key) === key && clock.now() - end.at < REPEAT_AFTER
    const repeats = isRepeated ? last.repeats + (end === last.end ? 0 : 1) : 0
    if (repeats > 1 && !joins) {
      this.#onSettled()
      return last!.promise
    }
    const request: Request = (this.#request = { key, end, repeats, abort: new AbortController(), isSettled: false })
    const own = endpoint.signal ? endpoint : (endpoint as AnyEndpoint & { extend(options: object): AnyEndpoint }).extend({ signal: request.abort.signal })
    const settle = (failure?: unknown): void => {
      Object.assign(request, { isSettled: true, failure })
      if (this.#request === request) this.#onSettled()
    }
    request.promise = untracked(async () => {
      const send = (): Promise<unknown> => this.#controller[joins || retries ? 'fetch' : 'fetchIfStale'](own, ...(args as unknown[]))
      return retries ? requests.pace(key, send) : send()
    })
    request.promise.then(() => settle(), settle)
    // After the new one: a request that both wait for goes on.
    last?.abort.abort()
    return request.promise
  }

  /** Fetches, even when the data is fresh. Handled: whoever wants the error awaits it. */
  refetch<E extends AnyEndpoint>(endpoint: E, args: readonly unknown[]): Promise<ViewOf<E> | undefined> {
    return markHandled((async () => (readKey(endpoint, args) === undefined ? undefined : this.#controller.fetch(endpoint, ...(args as Parameters<E>))))())
  }

  /** The data that a reader shows; throws the error it shows instead, or what `wait` returns while it has to wait. */
  take<T>({ endpoint, args }: { readonly endpoint: AnyEndpoint; readonly args: readonly unknown[] }, { cause, data, error, inFlight, key, status }: ReadStatus<T>, wait: () => unknown): T | undefined {
    if (status === 'ready' || status === 'idle') return data
    if (cause && (inFlight || !this.#isSettled(cause))) throw wait()
    const failure = status === 'failed' ? error : this.#request?.failure
    if (failure === undefined && data !== undefined) return data
    throw failure ?? addRetry(new PatchcordError('EMPTY', `${key} has an answer that its schema cannot show. Drop readers of deleted rows.`), this.#controller, endpoint, args)
  }

  /** The data of a reader that neither waits nor throws. `isPrevious`: the data belongs to earlier arguments. */
  look<E extends AnyEndpoint>(reader: StatusReader, endpoint: E, args: readonly unknown[], now: ReadStatus<ViewOf<E>>): { readonly data: ViewOf<E> | undefined; readonly error: unknown; readonly isPrevious: boolean; readonly loading: boolean } {
    const { cause, isMissing, key } = now
    const isSettled = this.#isSettled(cause)
    // A request that was never sent, or that a reset has ended, is not in the status.
    const error = now.error ?? (isMissing && isSettled ? this.#request?.failure : undefined)
    const loading = now.inFlight || (isMissing && error === undefined && !isSettled)
    // An answer may expire at once; it is shown all the same.
    const hasView = !isMissing || (isSettled && error === undefined)
    // Without arguments there is nothing to go on showing.
    if (hasView && (now.data !== undefined || key === undefined)) this.#last = { key, endpoint, args }
    const before = hasView || (error !== undefined && !now.inFlight) || endpoint.keepPrevious === false || this.#last?.key === key ? undefined : this.#last
    // Read anew: after a reset there is nothing to show.
    const previous = before && readStatus(this.#controller, reader, before.endpoint, before.args)
    const data = hasView ? now.data : previous?.isMissing === false ? (previous.data as ViewOf<E>) : undefined
    return { data, error, isPrevious: !hasView && data !== undefined, loading }
  }

  /** The reader is gone; or, with a cause, it needs no request for that. */
  leave(cause?: string): void {
    this.#request?.abort.abort()
    this.#request = undefined
    this.#cause = cause
  }

  #isAsked(cause: string | undefined): boolean {
    // Data that has arrived may be stale already; to ask for it again would never end.
    return !!cause && (cause === this.#cause || MISSING + cause === this.#cause)
  }

  #isSettled(cause: string | undefined): boolean {
    return this.#isAsked(cause) && this.#request?.isSettled !== false
  }
}

/**
 * An error that a reader throws to its error boundary.
 *
 * @example
 * const tryAgain = (error: ReadError, reset: () => void): void => {
 *   void error.retry()
 *   reset()
 * }
 */
export interface ReadError extends Error {
  /** Fetches again at once. */
  retry(): Promise<unknown>
}

/** Adds a method `retry()` for the error boundary, unless the error is frozen or is no `Error`. Returns the error. */
function addRetry(error: unknown, controller: Controller, endpoint: AnyEndpoint, args: readonly unknown[]): unknown {
  return error instanceof Error && Object.isExtensible(error) ? Object.defineProperty(error, 'retry', { value: () => controller.fetch(endpoint, ...(args as unknown[])), configurable: true }) : error
}
