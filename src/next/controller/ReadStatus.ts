import { untracked } from '@preact/signals-core'
import { PatchcordError } from '../base/errors.ts'
import type { AnyEndpoint, ViewOf } from '../endpoint/types.ts'
import type { Controller } from './Controller.ts'
import type { Live } from './createLive.ts'

/**
 * What a reader of an endpoint shows, and whether it has to ask.
 *
 * @example
 * const { status, data, error }: ReadStatus<Todo[]> = readStatus(controller, controller, TodoResource.getList, [])
 * if (status === 'failed') throw error
 */
export interface ReadStatus<T> {
  /** The stored data, even where it may not be shown. */
  readonly data?: T | undefined
  /** The error of the last request, if that failed. */
  readonly error?: unknown
  /**
   * `idle`: there are no arguments yet. `missing`: nothing may be shown before the next answer. `failed`: the error is
   * thrown in place of the data. `ready`: the data is shown; an error stands beside it.
   */
  readonly status: 'idle' | 'missing' | 'failed' | 'ready'
  /** Nothing may be shown, whether or not a request has failed. */
  readonly isMissing: boolean
  readonly stale: boolean
  /** Whether a request is in flight. */
  readonly inFlight: boolean
  /** Changes whenever a reader has to ask again. Undefined where asking does not help. */
  readonly cause?: string
}

/** The controller, or live objects. */
type StatusReader = Pick<Live, 'getResponse' | 'getError' | 'isFetching'>

const IDLE = { status: 'idle', isMissing: false, stale: false, inFlight: false } as const

/** Starts the cause of a read that has nothing to show. */
const MISSING = '!'

/** A reader that is marked again before it has an answer asks once more. After that it waits this long. */
const REPEAT_AFTER = 1000

/**
 * The key that these arguments spell; undefined while the first one is `null`.
 *
 * @example
 * readKey(TodoResource.get, [{ id: 1 }]) // 'GET /todos/1'
 */
export function readKey(endpoint: AnyEndpoint, args: readonly unknown[]): string | undefined {
  if (args[0] === null) return undefined
  if (endpoint.sideEffect) throw new PatchcordError('SIDE_EFFECT', `${endpoint.name} cannot be read: each call changes something. Call controller.fetch with it.`)
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
  let inFlight = false
  try {
    const key = readKey(endpoint, args)
    if (key === undefined) return IDLE
    inFlight = reader.isFetching(endpoint, ...given)
    const { data, expiryStatus, expiresAt, markedAt } = reader.getResponse(endpoint, ...given)
    const error = reader.getError(endpoint, ...given)
    const isExpired = expiresAt <= controller.clock.now()
    const isMissing = expiryStatus === 1 || (expiryStatus === 2 && isExpired)
    // While a request is in flight the error is not final.
    const isFailed = error !== undefined && !inFlight && (isMissing || endpoint.errorPolicy(error) !== 'soft')
    if (isFailed) addRetry(error, controller, endpoint, args)
    const status = isFailed ? 'failed' : isMissing ? 'missing' : 'ready'
    return { data, error, status, isMissing, stale: isMissing || isExpired, inFlight, cause: `${isMissing ? MISSING : ''}${markedAt} ${key}` }
  } catch (error) {
    // The arguments spell no request, or a query threw.
    return { ...IDLE, error, status: 'failed', inFlight }
  }
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
  #endpoint: AnyEndpoint | undefined
  #key: string | undefined
  #cause: string | undefined
  #promise: Promise<unknown> | undefined
  #abort: AbortController | undefined
  #isSettled = true
  #failure: { readonly error: unknown } | undefined
  /** The last arguments that had data. */
  #shown: { readonly key: string | undefined; readonly endpoint: AnyEndpoint; readonly args: readonly unknown[] } | undefined
  #repeats = 0
  #askedAt = 0

  /** Calls `onSettled` after the latest request has settled. */
  constructor(controller: Controller, onSettled: () => void = () => {}) {
    this.#controller = controller
    this.#onSettled = onSettled
  }

  /** Fetches if the status has a new cause and is not fresh. Returns the request for this cause; undefined if none was needed. */
  ask(endpoint: AnyEndpoint, args: readonly unknown[], { cause, error, inFlight, isMissing, stale }: ReadStatus<unknown>): Promise<unknown> | undefined {
    const { clock, requests } = this.#controller
    const joins = isMissing && inFlight && this.#isSettled
    const isAsked = this.#isAsked(cause)
    this.#cause = cause
    if (cause === undefined) this.#end()
    if (cause === undefined || (isAsked && !joins)) return this.#promise
    const key = endpoint.key(...this.#controller.temporaryPks.resolve(args))
    const isFirst = key !== this.#key
    const isUnanswered = !isFirst && (this.#failure !== undefined || !this.#isSettled)
    // A manager may reset the store after each 401: without a limit that would never end.
    this.#repeats = isUnanswered && clock.now() - this.#askedAt < REPEAT_AFTER ? this.#repeats + 1 : 0
    if (this.#repeats > 1 && !joins) return this.#promise
    this.#key = key
    this.#endpoint = endpoint
    this.#askedAt = clock.now()
    // A reader that mounts after an error asks at once, unless it mounts because of the error.
    const retries = isFirst && error !== undefined && !requests.breaker.isWaking(key)
    if (!stale && !retries) this.#end()
    else this.#fetch(joins || retries ? 'fetch' : 'fetchIfStale', args)
    return this.#promise
  }

  /** The data that a reader shows; throws the error it shows instead, or what `wait` returns while it has to wait. */
  take<T>(status: ReadStatus<T>, wait: () => unknown): T | undefined {
    const { cause, data, error, inFlight } = status
    if (status.status === 'ready' || status.status === 'idle') return data
    if (cause !== undefined && (inFlight || !this.#isAsked(cause) || !this.#isSettled)) throw wait()
    if (status.status === 'failed') throw error
    if (this.#failure) throw this.#failure.error
    if (data === undefined) throw new PatchcordError('EMPTY', `${this.#key} was answered with nothing that its schema can show. Look at the answer.`)
    return data
  }

  /** What a reader shows that neither waits nor throws. `isPrevious`: the data belongs to earlier arguments. */
  look<E extends AnyEndpoint>(reader: StatusReader, endpoint: E, args: readonly unknown[], status: ReadStatus<ViewOf<E>>): { readonly data: ViewOf<E> | undefined; readonly isPrevious: boolean; readonly loading: boolean } {
    const { cause, data, error, inFlight, isMissing } = status
    const isOver = this.#isSettled && this.#isAsked(cause)
    const loading = inFlight || (isMissing && error === undefined && !isOver)
    // An answer may expire at once; it is shown all the same.
    if (!isMissing || (isOver && data !== undefined && this.#failure === undefined)) {
      if (data !== undefined) this.#shown = { key: readKey(endpoint, args), endpoint, args }
      return { data, isPrevious: false, loading }
    }
    const shown = error === undefined && endpoint.keepPrevious !== false ? this.#shown : undefined
    // Read anew: after a reset there is nothing to show.
    const previous = shown && shown.key !== readKey(endpoint, args) ? readStatus(this.#controller, reader, shown.endpoint, shown.args) : status
    const isPrevious = !previous.isMissing && previous.data !== undefined
    return { data: isPrevious ? (previous.data as ViewOf<E>) : undefined, isPrevious, loading }
  }

  /** The reader is gone. */
  leave(): void {
    this.#cause = this.#key = undefined
    this.#end()
  }

  #isAsked(cause: string | undefined): boolean {
    // Data that has arrived may be stale already; to ask for it again would never end.
    return cause !== undefined && (cause === this.#cause || MISSING + cause === this.#cause)
  }

  #fetch(verb: 'fetch' | 'fetchIfStale', args: readonly unknown[]): void {
    const controller = this.#controller
    const endpoint = this.#endpoint!
    const before = this.#abort
    const abort = (this.#abort = new AbortController())
    const leaving = endpoint.signal ? endpoint : (endpoint as AnyEndpoint & { extend(options: object): AnyEndpoint }).extend({ signal: abort.signal })
    this.#isSettled = false
    this.#failure = undefined
    const settle = (failure?: { readonly error: unknown }): void => {
      if (this.#promise !== promise) return
      this.#isSettled = true
      this.#failure = failure
      if (failure) addRetry(failure.error, controller, endpoint, args)
      this.#onSettled()
    }
    const promise = untracked(async () => {
      if (verb === 'fetch') controller.requests.checkLoop(this.#key!)
      return controller[verb](leaving, ...(args as unknown[]))
    })
    this.#promise = promise
    promise.then(() => settle(), (error: unknown) => settle({ error }))
    // After the new one: a request that both wait for goes on.
    before?.abort()
  }

  #end(): void {
    this.#promise = this.#failure = undefined
    this.#isSettled = true
    this.#abort?.abort()
    this.#abort = undefined
  }
}

/** Adds `retry()` to an error that a reader throws, for its boundary. */
function addRetry(error: unknown, controller: Controller, endpoint: AnyEndpoint, args: readonly unknown[]): void {
  if (error instanceof Error && Object.isExtensible(error)) Object.defineProperty(error, 'retry', { value: () => controller.fetch(endpoint, ...(args as unknown[])), configurable: true })
}
