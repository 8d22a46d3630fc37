import { computed, untracked } from '@preact/signals-core'
import { systemClock, type Clock } from '../base/clock.ts'
import { AbortError, ResetError } from '../base/errors.ts'
import { systemPlatform, type Platform } from '../base/platform.ts'
import { reportUncaught } from '../base/report.ts'
import type { AnyEndpoint, ViewOf } from '../endpoint/types.ts'
import type { Action, ManagerHost } from '../managers/manager.ts'
import { createCollection } from '../managers/collection.ts'
import { createNetwork } from '../managers/network.ts'
import { createPolling } from '../managers/polling.ts'
import { answerOf, type Answer } from '../order/answer.ts'
import { createTimeline, type Timeline, type Place } from '../order/timeline.ts'
import type { Denormalize, RecordOf } from '../schema/types.ts'
import type { StampGroup } from '../store/apply.ts'
import type { Patch } from '../store/immer.ts'
import type { State } from '../store/state.ts'
import { Store, type Commit } from '../store/store.ts'
import { denormalize } from '../view/denormalize.ts'
import { createViewGraph, type ViewGraph } from '../view/graph.ts'
import { signalTracker } from '../view/signalTracker.ts'
import type { WithResponse } from './args.ts'
import { createLive, type Live } from './createLive.ts'
import { createCrew, type Crew } from './crew.ts'
import { createFreshness, INVALID_STATUS, type Freshness } from './freshness.ts'
import type { ControllerOptions } from './options.ts'
import { isEndpoint, type Read } from './read.ts'
import { withThoseInUse, type Follower } from './follower.ts'
import { heapOf } from './heap.ts'
import { createHistory, type History, type Recorder } from './history.ts'
import { hydrate, isState, trust } from './hydrate.ts'
import { quiet } from './quiet.ts'
import { readerOf } from './readerOf.ts'
import { createRequests, type Requests } from './requests.ts'
import { createResponses, keyOf, type ResponseView } from './responses.ts'
import { snapOf } from './snapOf.ts'
import { createStatusWatch, type StatusWatch } from './statusWatch.ts'
import { together } from './together.ts'

/**
 * The verbs of an application: fetch, read, write. Works alone, in Node and in the browser; every method can be
 * passed around detached.
 *
 * @example
 * const controller = new Controller()
 * await controller.fetch(TodoResource.getList)
 * effect(() => console.log(controller.get(Todo, { id: '1' })?.title))
 */
export class Controller implements ManagerHost {
  readonly clock: Clock
  readonly platform: Platform
  readonly report: (error: unknown) => void
  /** What the user has done, to be undone. */
  readonly history: History
  /** @internal */ readonly store: Store
  /** @internal */ readonly freshness: Freshness = createFreshness()
  /** @internal Those who read this store through a reactive library of their own. */
  readonly followers: Set<Follower> = new Set()
  readonly #graph: ViewGraph
  readonly #timeline: Timeline
  readonly #requests: Requests
  readonly #recorder: Recorder
  readonly #crew: Crew
  readonly #watch: StatusWatch
  #live: Live | undefined
  #disposed = false

  constructor(options: ControllerOptions = {}) {
    const { clock = systemClock, platform = systemPlatform, initialState, onError = reportUncaught, managers = [] } = options
    this.clock = clock
    this.platform = platform
    this.report = onError
    const known = isState(initialState) ? initialState : undefined
    this.store = new Store(known, onError)
    this.#graph = createViewGraph(this.store, onError, clock)
    this.#timeline = createTimeline(this.store, clock, state => snapOf(state, this.freshness), onError)
    this.#timeline.onMove((key, from, to) => [...this.followers, this.#recorder].forEach(each => each.move(key, from, to)))
    this.#watch = createStatusWatch(this.freshness, signalTracker)
    ;({ getResponse: this.getResponse, getError: this.getError, isFetching: this.isFetching } = createResponses(this.#graph, this.#watch, this.store))
    this.#requests = createRequests({
      timeline: this.#timeline,
      freshness: this.freshness,
      clock,
      offer: action => this.#offer(action),
      together: work => this.together(work),
      shown: (answer, stored) => this.#shown(answer, stored),
      report: onError,
      base: () => this.store.base,
      readerOf: target => readerOf(target, this.store.state, this.freshness),
      revalidates: options.revalidateOverlap !== false,
    })
    ;({ history: this.history, recorder: this.#recorder } = createHistory(
      {
        base: () => this.store.base,
        send: (endpoint, args, watcher) => this.#requests.start(endpoint, args, () => watcher),
        withdraw: handle => this.together(() => this.#timeline.withdraw(handle, { cause: 'undo' })),
        write: (write, cause) =>
          this.together(() => {
            const before = this.store.state
            const handle = this.#timeline.set(write, { cause })
            return { handle, before, after: this.store.state }
          }),
        patch: patches => this.together(() => this.#timeline.apply({ patches, stamps: [] }, { cause: 'undo' })),
      },
      options.history?.limit ?? 100,
    ))
    const collection = options.gc === false ? [] : [createCollection(options.gc ?? {}, heapOf(this, this.#timeline, [this.#graph, this.#watch]))]
    this.#crew = createCrew([...collection, ...managers, createNetwork(options), createPolling()], onError)
    this.#crew.start(this)
    this.store.subscribe(commit => this.#crew.tell(commit))
    if (known !== undefined) trust(this, this.store.state)
    else if (initialState !== undefined) hydrate(this, initialState)
  }

  /** Runs the endpoint, writes what it answers, and gives the view of it. Reads that are under way are shared. */
  readonly fetch = <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): Promise<ViewOf<E>> =>
    this.#requests.start(endpoint, args, () => this.#recorder.calls(endpoint, args)) as Promise<ViewOf<E>>

  /** What is there when it is fresh; otherwise what the endpoint answers. */
  readonly fetchIfStale = <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): Promise<ViewOf<E>> => {
    const answer = untracked(async () => {
      const { data, expiryStatus, expiresAt } = this.getResponse(endpoint, ...args)
      const now = this.clock.now()
      const key = keyOf(endpoint, args)
      const wakes = this.#requests.wakes(key)
      if (expiryStatus !== INVALID_STATUS && (now < expiresAt || wakes)) return data as ViewOf<E>
      const { error, errorUntil } = this.freshness.get(key)
      if (error !== undefined && (now < errorUntil || wakes)) throw error
      this.#requests.mayAsk(key)
      return this.fetch(endpoint, ...args)
    })
    return quiet(answer)
  }

  /** The view that the store can give for these arguments, without fetching. Tracked inside effects. */
  readonly get = <S>(schema: S, ...args: readonly unknown[]): Denormalize<S> | undefined =>
    this.#graph.query(schema, args) as Denormalize<S> | undefined

  /** What a read of `endpoint` shows, without fetching, and whether it is fresh. Tracked inside effects. */
  readonly getResponse: <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>) => ResponseView<ViewOf<E>>

  /** What the last request came to, when it failed. Tracked inside effects. */
  readonly getError: <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>) => unknown

  /** Whether a request for it is under way. Tracked inside effects. */
  readonly isFetching: <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>) => boolean

  /** A read, of a schema or an endpoint, as a signal. */
  readonly view: Read<'signal'> = ((target: unknown, ...args: readonly unknown[]) =>
    computed(() => (isEndpoint(target) ? this.getResponse(target, ...args).data : this.#graph.query(target, args)))) as Read<'signal'>

  /**
   * A read, of a schema or an endpoint, as live objects: one stable instance for each entity, whose fields are tracked
   * one by one. A list of them is another array only when its members or their order change.
   *
   * @example
   * const todo = controller.live(Todo, { id: '1' })
   * // Runs again when the title changes, and for nothing else.
   * effect(() => console.log(todo?.title))
   */
  readonly live: Read<'value'> = ((target: unknown, ...args: readonly unknown[]) => {
    const live = (this.#live ??= createLive(this, signalTracker))
    if (!isEndpoint(target)) return live.query(target, ...args)
    // Through a memo: who shows the data does not run again because a request came and went.
    return signalTracker.memo(() => live.getResponse(target, ...args).data)()
  }) as Read<'value'>

  /**
   * Writes locally: a value, merged like a response, or an updater, which gets an Immer draft of the record.
   *
   * @example
   * controller.set(Todo, { id: '1' }, todo => { todo.done = true })
   */
  readonly set = <S>(schema: S, ...rest: [...args: unknown[], value: object | ((record: RecordOf<S>) => unknown)]): void => {
    const write = { type: 'set', schema, value: rest.pop(), args: rest as readonly unknown[] } as const
    this.#offer(write)
    this.together(() => this.#recorder.write(write))
  }

  /** Writes `response` as if the network had answered with it. */
  readonly setResponse = <E extends AnyEndpoint>(endpoint: E, ...rest: WithResponse<Parameters<E>>): void => {
    const response = rest.pop()
    const args: readonly unknown[] = rest
    const key = keyOf(endpoint, args)
    this.#offer({ type: 'setResponse', endpoint, args, key, response })
    const answer = answerOf(endpoint, args, endpoint.sideEffect ? undefined : key, response, this.clock.now() + endpoint.dataExpiryLength)
    this.together(() => {
      this.#timeline.receive(answer, { cause: 'setResponse' })
      if (answer.key !== undefined) this.freshness.answered(key, this.place(), answer.expiresAt, endpoint, args)
    })
  }

  /** Behaves as if the network had failed with `error`. */
  readonly setError = <E extends AnyEndpoint>(endpoint: E, ...rest: WithResponse<Parameters<E>>): void => {
    const error = rest.pop()
    const args: readonly unknown[] = rest
    const key = keyOf(endpoint, args)
    this.#offer({ type: 'setError', endpoint, args, key, error })
    const until = this.clock.now() + endpoint.errorExpiryLength
    this.together(() => this.freshness.failed(key, this.place().fetchedAt, error, until, endpoint, args))
  }

  /** What the endpoint answered no longer counts: whoever reads it waits for a new answer. */
  readonly invalidate = <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): void => {
    const key = keyOf(endpoint, args)
    this.#offer({ type: 'invalidate', endpoint, args, key })
    this.#invalidate([key])
  }

  /** The same for all endpoints whose key passes. */
  readonly invalidateAll = (which: { testKey(key: string): boolean }): void => this.#invalidate(this.#known('invalidateAll', which))

  /** What the endpoints answered is still shown, and no longer fresh. */
  readonly expireAll = (which: { testKey(key: string): boolean }): void => {
    const keys = this.#known('expireAll', which)
    this.together(() => this.freshness.expire(keys, this.place().fetchedAt))
  }

  /** Forgets everything. What is under way ends with a `ResetError`, and its answer never lands. */
  readonly reset = (): void => {
    this.#offer({ type: 'reset' })
    this.together(() => {
      this.#requests.endAll(() => new ResetError())
      this.#timeline.reset({ cause: 'reset' })
      this.freshness.clear()
      this.history.clear()
    })
  }

  /** The same as `reset`. */
  readonly resetEntireStore: () => void = this.reset

  /** Polls the endpoint every `pollFrequency` milliseconds, until `unsubscribe` was called as often. */
  readonly subscribe = <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): void =>
    void this.#offer({ type: 'subscribe', endpoint, args, key: keyOf(endpoint, args) })

  /** Takes one `subscribe` back. After `dispose` there is nothing to take back. */
  readonly unsubscribe = <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): void =>
    void (this.#disposed || this.#offer({ type: 'unsubscribe', endpoint, args, key: keyOf(endpoint, args) }))

  /** Ends what is under way for these arguments, for everybody. */
  readonly abort = <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): void => {
    const key = keyOf(endpoint, args)
    this.#offer({ type: 'abort', endpoint, args, key })
    this.#requests.abort(key)
  }

  /** The document as it is now. It costs nothing to keep, and it never changes. */
  readonly snapshot = (): State => this.store.state

  /** Calls `listener` after every commit; the returned function ends it. */
  readonly subscribePatches = (listener: (commit: Commit) => void): (() => void) => this.store.subscribe(listener)

  /** Applies patches from outside, all or none. */
  readonly applyPatches = (
    patches: readonly Patch[],
    { origin, stamps = [] }: { readonly origin?: string; readonly stamps?: readonly StampGroup[] } = {},
  ): void => this.together(() => this.#timeline.apply({ patches, stamps }, { cause: 'applyPatches', origin }))

  /** Stops managers, lets go of views, and ends what is in flight with an `AbortError`. */
  readonly dispose = (): void => {
    if (this.#disposed) return
    this.#disposed = true
    this.#requests.endAll(() => new AbortError('The controller was disposed of.'))
    this.#crew.stop()
    this.#graph.dispose()
    this.#live?.dispose()
    this.#watch.dispose()
  }

  /** @internal Runs `work`; whoever reads what it changed runs once, after it. */
  together<T>(work: () => T): T {
    return together(work, this.followers, this.report)
  }

  #offer(action: Action): boolean {
    if (this.#disposed) throw new AbortError('The controller was disposed of.')
    return this.#crew.offer(action)
  }

  #shown({ schema, value, args, key }: Answer, stored: unknown): unknown {
    if (!schema) return value
    return key === undefined ? denormalize(schema, stored, this.store.state, args) : untracked(() => this.#graph.result(schema, key, args))
  }

  #invalidate(keys: readonly string[]): void {
    keys.forEach(key => this.#requests.part(key))
    this.together(() => this.freshness.invalidate(keys, this.place().fetchedAt))
  }

  #known(type: 'invalidateAll' | 'expireAll', which: { testKey(key: string): boolean }): string[] {
    const testKey = (key: string): boolean => which.testKey(key)
    this.#offer({ type, testKey })
    return [...withThoseInUse(this.freshness.keys(), [this.#watch, ...this.followers])].filter(testKey)
  }

  /** @internal A place of its own in the order of things. */
  place(date?: number): Place {
    return this.#timeline.now(date)
  }
}
