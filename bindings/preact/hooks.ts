import { computed, effect, signal, untracked } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import { historyOf, type History } from '../../src/history/index.ts'
import { readKey, readStatus, subscribe } from '../../src/index.ts'
import type { AnyEndpoint, Denormalize, QueryArgs, ReadEndpoint, ViewOf } from '../../src/index.ts'
import { useController, useProvided } from './DataProvider.ts'
import { useMounted, useReading, useReadSignal, useRequests } from './reading.ts'

/**
 * The arguments of an endpoint, or `null` instead of the first: not yet.
 *
 * @example
 * type A = MaybeArgs<typeof getUser> // [{ id: string | number } | null]
 */
export type MaybeArgs<E extends AnyEndpoint> = Parameters<E> extends [infer First, ...infer Rest] ? [First | null, ...Rest] : Parameters<E> | [null | undefined]

/**
 * Reads an endpoint, and fetches when the data is stale. While there is nothing to show, the component suspends under
 * its `Suspense`. An error without data, or a hard error, is thrown to its error boundary; `error.retry()` fetches
 * again. The component renders again only when the data changes.
 *
 * When the arguments change, it suspends until there is data for them. Preact runs the callback of `startTransition` at
 * once and has no other transitions, so the fallback shows; use `useDLE` to keep the previous data on screen.
 *
 * On a server the page waits for the read in `renderToStringAsync` and `renderToReadableStream`; `renderToString` throws
 * when the data is not stored. A read that fails rejects `renderToStringAsync`. In a stream Preact shows the text
 * `undefined` instead and sends the rest of the page; the browser fetches again.
 *
 * @example
 * function Title({ id }: { id: string }) {
 *   const todo = useSuspense(TodoResource.get, { id })
 *   return <h1>{todo.title}</h1>
 * }
 */
export function useSuspense<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): ViewOf<E>
export function useSuspense<E extends ReadEndpoint>(endpoint: E, ...args: MaybeArgs<E>): ViewOf<E> | undefined
export function useSuspense(endpoint: AnyEndpoint, ...args: readonly unknown[]): unknown {
  const reading = useReading(useProvided(), endpoint, args)
  const data = reading?.take()
  // Tracked only once it is shown: some boundaries do not render a component again that is woken while it suspends.
  void reading?.view.value
  useMounted(() => reading?.follow(), [reading])
  return data
}

/**
 * The same as `useSuspense`, as a signal: one for as long as the component is mounted, whatever its arguments become.
 * Put it, or a computed of it, into JSX: when the data changes, the text node does, and the component does not render.
 *
 * @example
 * function Title({ id }: { id: string }) {
 *   const todo = useSuspenseSignal(TodoResource.get, { id })
 *   return <h1>{useComputed(() => todo.value.title)}</h1>
 * }
 */
export function useSuspenseSignal<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): ReadonlySignal<ViewOf<E>>
export function useSuspenseSignal<E extends ReadEndpoint>(endpoint: E, ...args: MaybeArgs<E>): ReadonlySignal<ViewOf<E> | undefined>
export function useSuspenseSignal(endpoint: AnyEndpoint, ...args: readonly unknown[]): ReadonlySignal<unknown> {
  const reading = useReading(useProvided(), endpoint, args)
  reading?.take()
  const blocked = useMemo(() => computed(() => reading?.status.value.status !== 'ready' && reading?.status.value), [reading])
  void blocked.value
  useMounted(() => reading?.follow(), [reading])
  const read = (last?: unknown) => () => {
    const { data, status } = reading?.status.value ?? {}
    // When data goes missing, readers of the signal run before the component suspends. Until it does, they get the last value.
    return (last = status === 'ready' || data !== undefined ? data : last)
  }
  return useReadSignal(read, [reading], reading?.key)
}

/**
 * Reads an endpoint without fetching: undefined where `useSuspense` would suspend.
 *
 * @example
 * const me = useCache(UserResource.get, { id: 'me' })
 * return me ? <p>{me.name}</p> : <Login />
 */
export function useCache<E extends ReadEndpoint>(endpoint: E, ...args: MaybeArgs<E>): ViewOf<E> | undefined {
  return useCacheSignal(endpoint, ...args).value
}

/**
 * The same as `useCache`, as a signal: one for as long as the component is mounted, whatever its arguments become.
 *
 * @example
 * const me = useCacheSignal(UserResource.get, { id: 'me' })
 * return <p>{useComputed(() => me.value?.name ?? 'nobody')}</p>
 */
export function useCacheSignal<E extends ReadEndpoint>(endpoint: E, ...args: MaybeArgs<E>): ReadonlySignal<ViewOf<E> | undefined> {
  const controller = useController()
  const key = readKey(endpoint, args)
  const read = (): ViewOf<E> | undefined => {
    const { data, isMissing } = readStatus(controller, controller, endpoint, args)
    return isMissing ? undefined : data
  }
  return useReadSignal(() => read, [controller, key, endpoint.schema], key)
}

/**
 * Data, loading, error.
 *
 * @example
 * const { data, error }: DLE<Todo[]> = useDLE(TodoResource.getList)
 * return <p>{error ? 'Out of reach.' : data?.length}</p>
 */
export interface DLE<T> {
  readonly data: T | undefined
  /** Whether `data` belongs to earlier arguments, because there is none yet for these. */
  readonly isPrevious: boolean
  /** Whether a request is in flight, with data on screen or without. */
  readonly loading: boolean
  /** The error of the last request, if that failed. */
  readonly error: unknown
  /** Fetches again, even when the data is fresh. Nobody has to await it. */
  refetch(): Promise<T | undefined>
}

/**
 * Reads an endpoint, and fetches when the data is stale. Neither suspends nor throws. When the arguments change, it
 * shows the previous data with `isPrevious` until there is an answer; an endpoint with `keepPrevious: false` does not.
 *
 * A server does not fetch for it: data that is not stored is `loading` there, and is fetched when the page starts. A
 * failed read is `error`, and the page is sent.
 *
 * @example
 * const { data, error, refetch } = useDLE(TodoResource.getList)
 * if (error) return <button onClick={refetch}>Try again</button>
 * return <p>{data ? `${data.length} things to do` : '…'}</p>
 */
export function useDLE<E extends ReadEndpoint>(endpoint: E, ...args: MaybeArgs<E>): DLE<ViewOf<E>> {
  const provided = useProvided()
  const { controller } = provided
  const settled = useMemo(() => signal(0), [])
  const requests = useRequests(provided, () => void settled.value++)
  const latest = useRef<[E, readonly unknown[]]>([endpoint, args])
  latest.current = [endpoint, args]
  const { key, error: fault } = untracked(() => readStatus(controller, controller, endpoint, args))
  const inputs = [requests, key ?? String(fault), endpoint.schema]
  const { state, ask } = useMemo(() => {
    let last: DLE<ViewOf<E>> | undefined
    const status = computed(() => readStatus(controller, controller, ...latest.current))
    const refetch = (): Promise<ViewOf<E> | undefined> => requests.refetch(...latest.current)
    const state = computed(() => {
      void settled.value
      const { data, error, isPrevious, loading } = requests.look(controller, ...latest.current, status.value)
      return last && last.data === data && last.error === error && last.loading === loading && last.isPrevious === isPrevious ? last : (last = { data, isPrevious, loading, error, refetch })
    })
    const ask = (missing: boolean): (() => void) =>
      effect(() => {
        const now = status.value
        if (missing || !now.isMissing) untracked(() => requests.ask(...latest.current, now))
      })
    return { state, ask }
  }, inputs)
  const visible = state.value
  // Missing data is fetched only once it was rendered: a row that was deleted may go with its component.
  const missing = visible.data === undefined || visible.isPrevious
  useMounted(() => ask(missing), [...inputs, missing])
  return visible
}

/**
 * Fetches when the data is stale, and returns the promise: to start a request that is read further down.
 *
 * @example
 * function Page() {
 *   useFetch(TodoResource.getList)
 *   return <Suspense fallback="…"><Todos /></Suspense>
 * }
 */
export function useFetch<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): Promise<ViewOf<E>>
export function useFetch<E extends ReadEndpoint>(endpoint: E, ...args: MaybeArgs<E>): Promise<ViewOf<E>> | undefined
export function useFetch(endpoint: AnyEndpoint, ...args: readonly unknown[]): Promise<unknown> | undefined {
  const provided = useProvided()
  const { controller } = provided
  const requests = useRequests(provided)
  const key = readKey(endpoint, args)
  const status = useMemo(() => computed(() => readStatus(controller, controller, endpoint, args)), [controller, key])
  const cause = useMemo(() => computed(() => status.value.cause), [status])
  return useMemo(() => (cause.value === undefined ? undefined : (requests.ask(endpoint, args, status.peek()) ?? controller.fetchIfStale(endpoint, ...args))), [requests, cause.value])
}

/**
 * Reads what the store has for a schema; undefined when it has nothing. Never fetches. The component renders again only
 * when the value changes.
 *
 * @example
 * const user = useQuery(User, { username: 'bob' })
 * return <p>{user?.email}</p>
 */
export function useQuery<S>(schema: S, ...args: QueryArgs<S>): Denormalize<S> | undefined {
  return useQuerySignal(schema, ...args).value
}

/**
 * The same as `useQuery`, as a signal: one for as long as the component is mounted, whatever its arguments become.
 *
 * @example
 * function Row({ id }: { id: string }) {
 *   const todo = useQuerySignal(Todo, { id })
 *   return <li>{useComputed(() => todo.value?.title)}</li>
 * }
 */
export function useQuerySignal<S>(schema: S, ...args: QueryArgs<S>): ReadonlySignal<Denormalize<S> | undefined> {
  const controller = useController()
  const read = (): Denormalize<S> | undefined => (args[0] === null ? undefined : controller.get(schema, ...args))
  return useReadSignal(() => read, [controller, schema, ...args.flatMap(spread)], (schema as { readonly key?: string }).key ?? 'query')
}

/** An argument as values that can be compared one by one: a component makes a new `{ id }` in each render. */
function spread(arg: unknown): unknown[] {
  const prototype: unknown = typeof arg === 'object' && arg !== null ? Object.getPrototypeOf(arg) : undefined
  return prototype === Object.prototype || prototype === Array.prototype ? [prototype, ...Object.entries(arg as object).flat(), prototype] : [arg]
}

/**
 * Polls an endpoint, every `pollFrequency` milliseconds, while the component is mounted.
 *
 * @example
 * useSubscription(PriceResource.get, { symbol })
 * return <b>{useCache(PriceResource.get, { symbol })?.value ?? '…'}</b>
 */
export function useSubscription<E extends ReadEndpoint>(endpoint: E, ...args: MaybeArgs<E>): void {
  const controller = useController()
  const key = readKey(endpoint, args)
  const end = useRef<(() => void) | undefined>(undefined)
  const inputs = [controller, key, endpoint.pollFrequency]
  useMounted(() => () => end.current?.(), inputs)
  useMounted(() => {
    const before = end.current
    end.current = key === undefined ? undefined : subscribe(controller, endpoint, ...(args as Parameters<E>))
    // Afterwards, so that an endpoint that is created in each render takes over, and the interval goes on.
    return void before?.()
  }, [...inputs, endpoint])
}

/**
 * `useSuspense` and `useSubscription` in one: reads an endpoint, and polls it while the component is mounted.
 *
 * @example
 * const price = useLive(PriceResource.get, { symbol })
 * return <b>{price.value}</b>
 */
export function useLive<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): ViewOf<E>
export function useLive<E extends ReadEndpoint>(endpoint: E, ...args: MaybeArgs<E>): ViewOf<E> | undefined
export function useLive<E extends ReadEndpoint>(endpoint: E, ...args: MaybeArgs<E>): ViewOf<E> | undefined {
  const data = useSuspense(endpoint, ...args)
  useSubscription(endpoint, ...args)
  return data
}

/**
 * Tracks an action of the user. `run` returns its promise; nobody has to await it.
 *
 * @example
 * const [save, saving, error] = useLoading((title: string) => controller.fetch(TodoResource.getList.push, { title }))
 * return <button disabled={saving} onClick={() => save('milk')}>Add</button>
 */
export function useLoading<A extends unknown[], R>(action: (...args: A) => R | Promise<R>): [run: (...args: A) => Promise<R>, loading: boolean, error: Error | undefined] {
  const latest = useRef(action)
  latest.current = action
  const [run, running, error] = useMemo(() => {
    const running = signal(0)
    const error = signal<Error | undefined>(undefined)
    let last: Promise<R>
    const run = (...args: A): Promise<R> => {
      error.value = undefined
      running.value++
      const outcome = (last = (async () => latest.current(...args))().finally(() => running.value--))
      outcome.catch((failure: unknown) => outcome === last && (error.value = failure instanceof Error ? failure : new Error(String(failure), { cause: failure })))
      return outcome
    }
    return [run, running, error] as const
  }, [])
  return [run, running.value > 0, error.value]
}

/**
 * The user's actions, to undo and redo.
 *
 * @example
 * const { undo, canUndo } = useHistory()
 * return <button disabled={!canUndo.value} onClick={undo}>Undo</button>
 */
export function useHistory(): History {
  return historyOf(useController())
}
