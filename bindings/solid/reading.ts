import { readKey, ReadRequests, readStatus } from '../../src/index.ts'
import type { AnyEndpoint, ReadStatus, ViewOf } from '../../src/index.ts'
import { useBinding } from './DataProvider.ts'
import { attempt, createSignal, follow, hydrated, inTransition, isServer, memo, onCleanup, untrack, type Failure } from './reactive.ts'

/**
 * A value, or a function that returns it. A reader follows the function.
 *
 * @example
 * type A = MaybeAccessor<number> // number | (() => number)
 */
export type MaybeAccessor<T> = T | (() => T)

/**
 * The arguments of an endpoint, each as a value or an accessor. With `null` as the first argument nothing is read.
 *
 * @example
 * type A = AccessorArgs<[{ id: number }]> // [MaybeAccessor<{ id: number } | null>]
 */
export type AccessorArgs<A extends readonly unknown[]> = { [K in keyof A]: MaybeAccessor<K extends '0' ? A[K] | null : A[K]> } | (A extends readonly [] ? NotYet : never)

/** An endpoint without arguments may have to wait as well. */
type NotYet = [notYet: MaybeAccessor<null | undefined>]

export function resolveArgs(args: readonly unknown[]): unknown[] {
  return args.map(each => (typeof each === 'function' ? (each as () => unknown)() : each))
}

/**
 * A read of an endpoint. Call it for the data, as live objects; undefined while there is nothing to show.
 *
 * @example
 * const todos: Reading<Todo[]> = useSuspense(TodoResource.getList)
 * return <For each={todos()}>{todo => <li>{todo.title}</li>}</For>
 */
export interface Reading<T> {
  (): T | undefined
  /** The data, or the previous data while there is nothing newer. Suspends only before the first answer. */
  readonly latest: T | undefined
  /** Whether a request is in flight, with data on screen or without. */
  readonly loading: boolean
  /** The error of the last request, if that failed. */
  readonly error: unknown
  /** Fetches again, even when the data is fresh. */
  refetch(): Promise<T | undefined>
}

/** The resolved arguments; another object only when they spell another request. The key is a `Failure` when they spell none. */
export function createCall<E extends AnyEndpoint>(endpoint: E, args: readonly unknown[]): () => { readonly args: Parameters<E>; readonly key: string | undefined | Failure } {
  return memo(before => {
    const now = resolveArgs(args) as Parameters<E>
    const key = attempt(() => readKey(endpoint, now))
    return before && before.key === key ? before : { args: now, key }
  })
}

/** One endpoint with arguments that may change, as one reader sees it. */
export interface EndpointRead<T, A = readonly unknown[]> {
  readonly args: () => A
  readonly status: () => ReadStatus<T>
  readonly data: () => T | undefined
  /** The data, or that of the last arguments that had some. */
  readonly latest: () => T | undefined
  /** The data for a reader that neither suspends nor throws. */
  readonly look: () => { readonly data: T | undefined; readonly error: unknown; readonly isPrevious: boolean; readonly loading: boolean }
  /** Fetches if this reader has to; see `ReadRequests.ask`. */
  readonly ask: () => Promise<unknown> | undefined
  readonly refetch: () => Promise<T | undefined>
}

/** With `suspends`, a transition keeps the data that was on screen until the new data is there. */
export function createRead<E extends AnyEndpoint>(endpoint: E, args: readonly unknown[], suspends?: boolean): EndpointRead<ViewOf<E>, Parameters<E>> {
  const { controller, live } = useBinding()
  const call = createCall(endpoint, args)
  const [settled, setSettled] = createSignal({})
  const requests = new ReadRequests(controller, () => setSettled({}))
  // Later, because another reader of the same key may replace it.
  if (!isServer) onCleanup(() => queueMicrotask(() => requests.leave()))
  const now = (): Parameters<E> => call().args
  const status = memo(() => readStatus(controller, live, endpoint, now()))
  let last: Parameters<E> | undefined
  const data = memo<ViewOf<E> | undefined>(before => {
    const { data, isMissing, error, key } = status()
    // If these arguments failed, the error is thrown instead of data of earlier ones.
    last = data !== undefined ? now() : key && !error ? last : undefined
    return suspends && isMissing && data !== before && inTransition() ? before : data
  })
  return {
    args: now,
    status,
    data,
    // Read anew: after a reset there is nothing to show.
    latest: () => data() ?? (last && readStatus(controller, live, endpoint, last).data),
    look() {
      settled()
      return requests.look(live, endpoint, now(), status())
    },
    // A server renders once, and shows an error that is stored.
    ask: () => untrack(() => (isServer && status().status === 'failed' ? undefined : requests.ask(endpoint, now(), status()))),
    refetch: () => untrack(() => requests.refetch(endpoint, now())),
  }
}

/** Fetches stale data, now and whenever the read was marked stale. Missing data only with `missing`: `useSuspense` waits for that by itself. */
export function keepFresh({ status, ask }: Pick<EndpointRead<unknown>, 'ask' | 'status'>, missing: boolean): void {
  let last: string | undefined
  follow(status, ({ isMissing, key }, before) => {
    if (key !== before?.key) last = key
    // While a transition waits, Solid also runs this with the arguments from before. To ask for both in turn would never end.
    if (key === last && (missing || !isMissing)) hydrated(ask)
  })
}

/** Makes `get` a `Reading` with the status of `read`. */
export function readingOf<T>({ status, latest, refetch }: Pick<EndpointRead<T>, 'latest' | 'refetch'> & { readonly status: () => Pick<ReadStatus<T>, 'error' | 'inFlight'> }, get: () => T | undefined): Reading<T> {
  return Object.defineProperties(get as Reading<T>, {
    latest: { get: () => latest() ?? get() },
    loading: { get: memo(() => status().inFlight) },
    error: { get: memo(() => status().error) },
    refetch: { value: refetch },
  })
}
