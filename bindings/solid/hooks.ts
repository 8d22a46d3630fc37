import type { Accessor } from 'solid-js'
import { historyOf, type History } from '../../src/history/index.ts'
import { subscribe } from '../../src/index.ts'
import type { Denormalize, QueryArgs, ReadEndpoint, ViewOf } from '../../src/index.ts'
import { useBinding } from './DataProvider.ts'
import { attempt, createSignal, createToken, follow, fromSignal, given, memo, throwable, Wait } from './reactive.ts'
import { createCall, createRead, keepFresh, readingOf, resolveArgs, type AccessorArgs, type Reading } from './reading.ts'

/**
 * Reads an endpoint, and fetches when the data is stale. While there is nothing to show, the caller suspends under its
 * `<Suspense>`. An error without data, or a hard error, is thrown to its `<ErrorBoundary>`; `error.retry()` fetches
 * again. Later requests show only in `loading`. When the arguments change, `latest` has the previous data.
 *
 * On a server the page waits for the read in `renderToStringAsync` and `renderToStream`; `renderToString` shows the
 * fallback. A read that fails is shown by its `<ErrorBoundary>`, in a stream once the browser has hydrated the page. The
 * rest of the page is sent.
 *
 * @example
 * const todo = useSuspense(TodoResource.get, () => ({ id: props.id }))
 * return <Suspense fallback="…"><h1>{todo()?.title}</h1></Suspense>
 */
export function useSuspense<E extends ReadEndpoint>(endpoint: E, ...args: AccessorArgs<Parameters<E>>): Reading<ViewOf<E>> {
  const read = createRead(endpoint, args, true)
  const { ask, data, status } = read
  const token = createToken(
    before => {
      const { cause, isMissing, inFlight } = status()
      // One wait lasts until there is data, because a transition waits for its promise. After a failure another wait, which ends at once when there is data, replaces it: that clears the error.
      const isNew = isMissing ? before?.cause !== cause || before!.isOver || (before!.isFailed && inFlight) : before?.isFailed
      const wait = isNew ? new Wait(cause!, before) : before
      if (!isMissing) wait?.end()
      return wait
    },
    async () => ask(),
  )
  keepFresh(read, false)
  const failure = memo(() => (status().status === 'failed' ? status().error : undefined))
  return readingOf(read, () => {
    token()
    const error = failure()
    if (error !== undefined) throw throwable(error)
    return data()
  })
}

/**
 * Reads an endpoint without fetching: undefined where `useSuspense` would suspend.
 *
 * @example
 * const me = useCache(UserResource.get, { id: 'me' })
 * return <Show when={me()} fallback={<Login />}>{user => user().name}</Show>
 */
export function useCache<E extends ReadEndpoint>(endpoint: E, ...args: AccessorArgs<Parameters<E>>): Reading<ViewOf<E>> {
  const read = createRead(endpoint, args)
  return readingOf(read, memo(() => (read.status().isMissing ? undefined : read.data())))
}

/**
 * Data, loading, error. Do not destructure it: its members are tracked where they are read.
 *
 * @example
 * const todos: DLE<Todo[]> = useDLE(TodoResource.getList)
 * return <button disabled={todos.loading} onClick={() => todos.refetch()}>Again</button>
 */
export interface DLE<T> extends Pick<Reading<T>, 'error' | 'loading' | 'refetch'> {
  readonly data: T | undefined
  /** Whether `data` belongs to earlier arguments, because there is none yet for these. */
  readonly isPrevious: boolean
}

/**
 * Reads an endpoint, and fetches when the data is stale. Neither suspends nor throws. When the arguments change, it
 * shows the previous data with `isPrevious` until there is an answer; an endpoint with `keepPrevious: false` does not.
 *
 * A server does not fetch for it: data that is not stored is `loading` there, and is fetched when the page starts. A
 * failed read is `error`, and the page is sent.
 *
 * @example
 * const todos = useDLE(TodoResource.getList)
 * return <Show when={todos.data} fallback="…">{list => `${list().length} things to do`}</Show>
 */
export function useDLE<E extends ReadEndpoint>(endpoint: E, ...args: AccessorArgs<Parameters<E>>): DLE<ViewOf<E>> {
  const read = createRead(endpoint, args)
  keepFresh(read, true)
  const look = memo(read.look)
  const data = memo(() => look().data)
  return Object.defineProperties(readingOf({ ...read, status: () => ({ ...look(), inFlight: look().loading }) }, data), {
    data: { get: data },
    isPrevious: { get: () => look().isPrevious },
  }) as Reading<ViewOf<E>> & DLE<ViewOf<E>>
}

/**
 * Fetches when the data is stale, and returns the promise: to start a request that is read further down.
 *
 * @example
 * useFetch(TodoResource.getList)
 * return <Suspense><Todos /></Suspense>
 */
export function useFetch<E extends ReadEndpoint>(endpoint: E, ...args: AccessorArgs<Parameters<E>>): Accessor<Promise<ViewOf<E> | undefined> | undefined> {
  const { controller } = useBinding()
  const { args: now, ask, status } = createRead(endpoint, args)
  const cause = memo(() => status().cause)
  // Asks while it is computed, so that no reader gets the promise for earlier arguments.
  return memo(() => (cause() ? ((ask() ?? controller.fetchIfStale(endpoint, ...now())) as Promise<ViewOf<E>>) : undefined))
}

/**
 * Reads what the store has for a schema, as live objects; undefined when it has nothing. Never fetches.
 *
 * @example
 * const user = useQuery(User, () => ({ username: props.name }))
 * return <p>{user()?.email}</p>
 */
export function useQuery<S>(schema: S, ...args: AccessorArgs<QueryArgs<S>>): Accessor<Denormalize<S> | undefined> {
  const { live } = useBinding()
  // A new object each time, so that Solid keeps the value of a transition apart from the one on screen.
  const found = memo(() => {
    const now = resolveArgs(args)
    return { value: now[0] === null ? undefined : attempt(() => live.query(schema, ...(now as never))) }
  })
  const value = memo(() => found().value)
  return () => given(value())
}

/**
 * Polls an endpoint, every `pollFrequency` milliseconds, while the component lives.
 *
 * @example
 * useSubscription(PriceResource.get, () => ({ symbol: props.symbol }))
 * const price = useCache(PriceResource.get, () => ({ symbol: props.symbol }))
 * return <b>{price()?.value ?? '…'}</b>
 */
export function useSubscription<E extends ReadEndpoint>(endpoint: E, ...args: AccessorArgs<Parameters<E>>): void {
  const { controller } = useBinding()
  follow(createCall(endpoint, args), ({ args: now, key }) => (given(key) ? subscribe(controller, endpoint, ...now) : undefined))
}

/**
 * `useSuspense` and `useSubscription` in one: reads an endpoint, and polls it while the component lives.
 *
 * @example
 * const price = useLive(PriceResource.get, () => ({ symbol: props.symbol }))
 * return <b>{price()?.value}</b>
 */
export function useLive<E extends ReadEndpoint>(endpoint: E, ...args: AccessorArgs<Parameters<E>>): Reading<ViewOf<E>> {
  useSubscription(endpoint, ...args)
  return useSuspense(endpoint, ...args)
}

/**
 * Tracks an action of the user. `run` returns its promise; nobody has to await it.
 *
 * @example
 * const [save, saving, error] = useLoading((title: string) => controller.fetch(TodoResource.getList.push, { title }))
 * return <button disabled={saving()} onClick={() => save('milk')}>Add</button>
 */
export function useLoading<A extends unknown[], R>(action: (...args: A) => R | Promise<R>): [run: (...args: A) => Promise<R>, loading: Accessor<boolean>, error: Accessor<Error | undefined>] {
  const [running, setRunning] = createSignal(0)
  const [error, setError] = createSignal<Error>()
  let last: Promise<R>
  const run = (...args: A): Promise<R> => {
    setError(undefined)
    setRunning(count => count + 1)
    const outcome = (last = (async () => action(...args))().finally(() => setRunning(count => count - 1)))
    outcome.catch((failure: unknown) => outcome === last && setError(failure instanceof Error ? failure : new Error(String(failure), { cause: failure })))
    return outcome
  }
  return [run, () => running() > 0, error]
}

/**
 * The history of a controller, with accessors.
 *
 * @example
 * const history: HistoryAccessors = useHistory()
 * return <Show when={history.error()}>That could not be undone.</Show>
 */
export interface HistoryAccessors extends Pick<History, 'undo' | 'redo' | 'group' | 'clear'> {
  readonly canUndo: Accessor<boolean>
  readonly canRedo: Accessor<boolean>
  /** The error of the last undo or redo, if that failed. */
  readonly error: Accessor<unknown>
}

/**
 * The user's actions, to undo and redo.
 *
 * @example
 * const { undo, canUndo } = useHistory()
 * return <button disabled={!canUndo()} onClick={undo}>Undo</button>
 */
export function useHistory(): HistoryAccessors {
  const { canUndo, canRedo, error, ...verbs } = historyOf(useBinding().controller)
  return { ...verbs, canUndo: fromSignal(canUndo), canRedo: fromSignal(canRedo), error: fromSignal(error) }
}
