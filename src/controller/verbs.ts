import type { Clock } from '../base/clock.ts'
import type { Platform } from '../base/platform.ts'
import type { AnyEndpoint, ViewOf, WithResponse } from '../endpoint/types.ts'
import type { ManagerHost } from '../managers/manager.ts'
import type { Names } from '../order/names.ts'
import type { Place } from '../order/timeline.ts'
import type { Denormalize, RecordOf } from '../schema/types.ts'
import type { StampGroup } from '../store/apply.ts'
import type { Patch } from '../store/immer.ts'
import type { State } from '../store/state.ts'
import type { Commit, Store } from '../store/store.ts'
import type { Follower } from './follower.ts'
import type { Freshness } from './freshness.ts'
import type { History } from './history.ts'
import type { Read } from './read.ts'
import type { ResponseView } from './responses.ts'

/** What a controller can do. Every method can be passed around detached. */
export interface Verbs extends ManagerHost {
  readonly clock: Clock
  readonly platform: Platform
  readonly report: (error: unknown) => void
  /** What the user has done, to be undone. */
  readonly history: History
  /** @internal */ readonly store: Store
  /** @internal */ readonly freshness: Freshness
  /** @internal Those who read this store through a reactive library of their own. */
  readonly followers: Set<Follower>
  /** @internal What arguments have become that name something by a temporary pk. */
  readonly known: Names['known']
  /** @internal Runs `work`; whoever reads what it changed runs once, after it. */
  readonly together: <T>(work: () => T) => T
  /** @internal A place of its own in the order of things. */
  readonly place: (date?: number) => Place

  /** Runs the endpoint, writes what it answers, and gives the view of it. Reads that are under way are shared. */
  readonly fetch: <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>) => Promise<ViewOf<E>>

  /** What is there when it is fresh; otherwise what the endpoint answers. */
  readonly fetchIfStale: <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>) => Promise<ViewOf<E>>

  /** The view that the store can give for these arguments, without fetching. Tracked inside effects. */
  readonly get: <S>(schema: S, ...args: readonly unknown[]) => Denormalize<S> | undefined

  /** What a read of `endpoint` shows, without fetching, and whether it is fresh. Tracked inside effects. */
  readonly getResponse: <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>) => ResponseView<ViewOf<E>>

  /** What the last request came to, when it failed. Tracked inside effects. */
  readonly getError: <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>) => unknown

  /** Whether a request for it is under way. Tracked inside effects. */
  readonly isFetching: <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>) => boolean

  /** A read, of a schema or an endpoint, as a signal. */
  readonly view: Read<'signal'>

  /**
   * A read, of a schema or an endpoint, as live objects: one stable instance for each entity, whose fields are tracked
   * one by one. A list of them is another array only when its members or their order change.
   *
   * @example
   * const todo = controller.live(Todo, { id: '1' })
   * // Runs again when the title changes, and for nothing else.
   * effect(() => console.log(todo?.title))
   */
  readonly live: Read<'value'>

  /**
   * Writes locally: a value, merged like a response, or an updater, which gets an Immer draft of the record.
   *
   * @example
   * controller.set(Todo, { id: '1' }, todo => { todo.done = true })
   */
  readonly set: <S>(schema: S, ...rest: [...args: unknown[], value: object | ((record: RecordOf<S>) => unknown)]) => void

  /** Writes `response` as if the network had answered with it. */
  readonly setResponse: <E extends AnyEndpoint>(endpoint: E, ...rest: WithResponse<Parameters<E>>) => void

  /** Behaves as if the network had failed with `error`. */
  readonly setError: <E extends AnyEndpoint>(endpoint: E, ...rest: WithResponse<Parameters<E>>) => void

  /** What the endpoint answered no longer counts: whoever reads it waits for a new answer. */
  readonly invalidate: <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>) => void

  /** The same for all endpoints whose key passes. */
  readonly invalidateAll: (which: { testKey(key: string): boolean }) => void

  /** What the endpoints answered is still shown, and no longer fresh. */
  readonly expireAll: (which: { testKey(key: string): boolean }) => void

  /** Forgets everything. What is under way ends with a `ResetError`, and its answer never lands. */
  readonly reset: () => void

  /** The same as `reset`. */
  readonly resetEntireStore: () => void

  /** Polls the endpoint every `pollFrequency` milliseconds, until `unsubscribe` was called as often. */
  readonly subscribe: <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>) => void

  /** Takes one `subscribe` back. After `dispose` there is nothing to take back. */
  readonly unsubscribe: <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>) => void

  /** Ends what is under way for these arguments, for everybody. */
  readonly abort: <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>) => void

  /** The document as it is now. It costs nothing to keep, and it never changes. */
  readonly snapshot: () => State

  /** Calls `listener` after every commit; the returned function ends it. */
  readonly subscribePatches: (listener: (commit: Commit) => void) => () => void

  /** Applies patches from outside, all or none. */
  readonly applyPatches: (patches: readonly Patch[], options?: { readonly origin?: string; readonly stamps?: readonly StampGroup[] }) => void

  /** Stops managers, lets go of views, and ends what is in flight with an `AbortError`. */
  readonly dispose: () => void
}
