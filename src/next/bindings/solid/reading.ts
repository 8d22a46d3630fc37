import { PatchcordError } from '../../index.ts'
import type { AnyEndpoint, ViewOf } from '../../index.ts'
import { resolveArgs } from './args.ts'
import { useBinding } from './context.ts'
import { attempt, Failure, follow, hydrated, inTransition, lazyMemo, memo, solidTracker } from './reactive.ts'

/**
 * What a read gives: call it for the data, which is live objects; undefined while there is nothing to show.
 *
 * @example
 * const todos: Reading<Todo[]> = useSuspense(TodoResource.getList)
 * return <For each={todos()}>{todo => <li>{todo.title}</li>}</For>
 */
export interface Reading<T> {
  (): T | undefined
  /** The same, and the data from before for as long as there is nothing newer. Waits for the first alone. */
  readonly latest: T | undefined
  /** Whether a request for it is under way, with data on show or without. */
  readonly loading: boolean
  /** What the last request came to, when it failed. */
  readonly error: unknown
  /** Asks again, whether it is fresh or not. */
  refetch(): Promise<T | undefined>
}

/** One endpoint with arguments that may change, as one reader sees it. */
export interface EndpointRead<T> {
  readonly data: () => T | undefined
  /** The error that stands in place of the data. */
  readonly fault: () => unknown
  /** Why to ask: another one for other arguments, and each time that what is there no longer counts. */
  readonly cause: () => string | undefined
  readonly state: () => ReadState<T>
  readonly refetch: () => Promise<T | undefined>
  readonly fetchIfStale: () => Promise<T | undefined>
  /** Asks if there is a reason to. For who does not want the answer: what is fresh is not even looked at. */
  readonly refresh: () => void
}

interface ReadState<T> {
  readonly data?: T | undefined
  readonly error?: unknown
  readonly fault?: unknown
  readonly cause?: string
  readonly expiresAt?: number
  readonly loading: boolean
}

/** Begins causes under which there is nothing that may be shown. */
const MISSING = '!'

export function isMissing(cause: string | undefined): boolean {
  return cause?.[0] === MISSING
}

/** With `waits` somebody waits for what is missing: then a transition leaves on show what was, and who shows it does not run before the wait is known. */
export function createRead<E extends AnyEndpoint>(endpoint: E, args: readonly unknown[], waits = false): EndpointRead<ViewOf<E>> {
  type T = ViewOf<E>
  const { controller, live } = useBinding()
  const call = createCall(endpoint, args)
  const state = memo((): ReadState<T> => {
    const { args: now, key, fault } = call()
    if (now === undefined) return { error: fault, fault, loading: false }
    const response = attempt(() => live.getResponse(endpoint, ...now))
    const loading = live.isFetching(endpoint, ...now)
    // A query of its schema threw. To ask again would not help.
    if (response instanceof Failure) return { error: response.error, fault: response.error, loading }
    const { data, expiryStatus, expiresAt, markedAt } = response
    const missing = expiryStatus === 1 || (expiryStatus === 2 && expiresAt <= controller.clock.now())
    const error = live.getError(endpoint, ...now)
    return {
      data,
      error,
      // While it is tried again it is not final: a boundary that was reset would otherwise throw what it was reset for.
      fault: !loading && error !== undefined && (missing || endpoint.errorPolicy(error) !== 'soft') ? error : undefined,
      cause: `${missing ? MISSING : ''}${markedAt} ${key}`,
      expiresAt,
      loading,
    }
  })
  const run = async (verb: 'fetch' | 'fetchIfStale'): Promise<T | undefined> => {
    const { args: now, fault } = solidTracker.untracked(call)
    if (fault !== undefined) throw fault
    return now && controller[verb](endpoint, ...now)
  }
  const ask = (verb: 'fetch' | 'fetchIfStale'): Promise<T | undefined> => {
    const answer = run(verb)
    // Whoever wants the error awaits it; nobody has to.
    answer.catch(() => {})
    return answer
  }
  const fetchIfStale = (): Promise<T | undefined> => ask('fetchIfStale')
  return {
    data: memo(before => {
      const { data, cause } = state()
      return waits && data !== before && isMissing(cause) && inTransition() ? before : data
    }),
    fault: memo(() => state().fault),
    cause: memo(() => state().cause),
    state,
    refetch: () => ask('fetch'),
    fetchIfStale,
    // The controller would give it as a snapshot: one of every row, which nobody here reads.
    refresh() {
      const { cause, expiresAt } = solidTracker.untracked(state)
      if (isMissing(cause) || expiresAt! <= controller.clock.now()) void fetchIfStale()
    },
  }
}

/** Fetches what is stale, now and whenever it is told so. What must not be shown only with `missing`: others wait for that. */
export function keepFresh({ cause, refresh }: EndpointRead<unknown>, missing: boolean): void {
  follow(cause, (now, before) => {
    if (now === undefined || isAnswer(now, before)) return
    if (!isMissing(now)) hydrated(refresh)
    else if (missing) refresh()
  })
}

/** Whether what was missing has come. It may be stale already; asking for it again and again would never end. */
export function isAnswer(now: string, before: string | undefined): boolean {
  return before === MISSING + now
}

/** Makes a `Reading` of a read and of what calling it does. */
export function readingOf<T>({ state, data, refetch }: EndpointRead<T>, read: () => T | undefined): Reading<T> {
  const loading = lazyMemo(() => state().loading)
  const error = lazyMemo(() => state().error)
  let last: T | undefined
  const keep = (value: T | undefined): T | undefined => {
    if (value !== undefined) last = value
    return value
  }
  return Object.defineProperties((() => keep(read())) as Reading<T>, {
    latest: {
      get() {
        keep(data())
        return last === undefined ? keep(read()) : last
      },
    },
    loading: { get: loading },
    error: { get: error },
    refetch: { value: refetch },
  })
}

/** A call that could be made; empty for "not yet". */
export interface Call<A> {
  readonly key?: string
  readonly args?: A
  /** Why these arguments cannot be asked for. */
  readonly fault?: unknown
}

/** The arguments as they are now; another call only when they spell another request. */
export function createCall<E extends AnyEndpoint>(endpoint: E, given: readonly unknown[]): () => Call<Parameters<E>> {
  return memo(
    (): Call<Parameters<E>> => {
      const args = resolveArgs(given) as Parameters<E> | undefined
      if (args === undefined) return {}
      try {
        if (endpoint.sideEffect) {
          throw new PatchcordError('SIDE_EFFECT', `${endpoint.name} cannot be read: each call changes something. Call controller.fetch with it.`)
        }
        return { args, key: endpoint.key(...args) }
      } catch (fault) {
        return { fault }
      }
    },
    (before, now) => before.key === now.key && before.fault === now.fault,
  )
}
