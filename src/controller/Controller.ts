/// <reference lib="esnext.disposable" preserve="true" />
import { batch as batchSignals, computed, untracked, type ReadonlySignal } from '@preact/signals-core'
import { systemClock, type Clock } from '../base/clock.ts'
import { AbortError, ResetError, SchemaError } from '../base/errors.ts'
import { systemPlatform, type Platform } from '../base/platform.ts'
import { attempt, markHandled, safeReporter } from '../base/report.ts'
import { fullArgs } from '../endpoint/Endpoint.ts'
import type { AnyEndpoint, Snap, ViewOf, WithResponse } from '../endpoint/types.ts'
import type { Action, Manager, ManagerHost } from '../network/Manager.ts'
import { createNetwork, type NetworkOptions } from '../network/network.ts'
import type { PollingHost } from '../network/polling.ts'
import type { Answer, LocalWrite } from '../order/answer.ts'
import type { Commit } from '../order/Commit.ts'
import type { Renamed } from '../order/creations.ts'
import { ABORT, type DeferredWrite, type WriteObserver } from '../order/Layer.ts'
import { Timeline } from '../order/Timeline.ts'
import { traitsOf } from '../schema/compile.ts'
import type { EntityClass, Fields } from '../schema/interface.ts'
import type { Denormalize, QueryArgs, RecordOf, SomeFields } from '../schema/types.ts'
import { applyPatches } from '../store/applyPatches.ts'
import type { Patch } from '../store/immer.ts'
import { changesBetween, patchesBetween, stampsBetween, type StampGroup } from '../store/patches.ts'
import { Directory, emptyState, State } from '../store/State.ts'
import { denormalize, queryRecord, queryState } from '../view/denormalize.ts'
import { signalTracker } from '../view/tracker.ts'
import { ViewGraph } from '../view/ViewGraph.ts'
import { createLive, createReads, StatusSources, type Live, type LiveReader, type StoreReads } from './createLive.ts'
import { Freshness } from './Freshness.ts'
import { GarbageCollector, type GcOptions } from './garbage.ts'
import { Requests, type CallObserver } from './Requests.ts'

/**
 * A read of a schema or an endpoint.
 *
 * @example
 * const read: Read<'value'> = controller.live
 * const title = read(Todo, { id: 1 })?.title
 */
export interface Read<As extends 'signal' | 'value'> {
  <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): Given<As, ViewOf<E>>
  <S>(schema: S, ...args: QueryArgs<S>): Given<As, Denormalize<S>>
}

type Given<As, T> = As extends 'signal' ? ReadonlySignal<T | undefined> : T | undefined

/** A value that is merged like a response. The names of an entity's fields are checked; a relation is a pk or an object. */
type SetValue<S> = S extends EntityClass ? SomeFields<InstanceType<S>> : object

/** An action about one read, without the read. */
type ReadAction = { readonly type: 'setResponse'; readonly response: unknown } | { readonly type: 'setError'; readonly error: unknown } | { readonly type: 'invalidate' | 'abort' }

/** Notes what the user does; for the history. */
export interface Recorder {
  /** The history that it records for. */
  readonly history: object
  /** Called instead of a local write, which `run` makes. */
  set(write: LocalWrite, run: (observer?: WriteObserver) => DeferredWrite): void
  /** A call is being made. */
  call(endpoint: AnyEndpoint, args: readonly unknown[]): CallObserver
  renamed(key: string, from: string, to: string): void
  clear(): void
}

/**
 * Options of a controller.
 *
 * @example
 * const options: ControllerOptions = { timeout: 10_000, retry: { attempts: 2 }, onError: error => console.error(error) }
 * const controller = new Controller(options)
 */
export interface ControllerOptions extends Omit<NetworkOptions, 'random'> {
  readonly clock?: Clock
  readonly platform?: Platform
  /** Managers of your own. They see every action before the default ones do. */
  readonly managers?: readonly Manager[]
  /** The initial state, or a function that fills the new controller, such as `hydrated(data)`. */
  readonly initialState?: State | ((controller: Controller) => void) | undefined
  /** With `false`, rows are not fetched again after calls about them were in flight at the same time. */
  readonly revalidateOverlap?: boolean
  /** When unused data is removed; `false`: never. */
  readonly gc?: GcOptions | false
  /** Called with errors that effects and listeners throw; `reportError` unless given. */
  readonly onError?: (error: unknown) => void
}

/**
 * The verbs of an application: fetch, read, write. Works alone, in Node and in the browser. Every method can be passed
 * around detached.
 *
 * @example
 * const controller = new Controller()
 * await controller.fetch(TodoResource.getList)
 * effect(() => console.log(controller.get(Todo, { id: '1' })?.title))
 */
export class Controller implements ManagerHost {
  declare readonly clock: Clock
  declare readonly platform: Platform
  declare readonly report: (error: unknown) => void
  /** @internal */ declare readonly timeline: Timeline
  /** @internal */ declare readonly graph: ViewGraph
  /** @internal */ readonly freshness: Freshness = new Freshness()
  /** @internal */ readonly liveReaders: Set<LiveReader> = new Set()
  /** @internal */ declare readonly requests: Requests
  /** @internal */ declare readonly temporaryPks: Timeline['temporaryPks']
  /** @internal */ declare recorder: Recorder | undefined
  /** @internal See `PollingHost`. */ declare follow?: NonNullable<PollingHost['follow']>
  /** @internal */ declare readonly statuses: StatusSources
  readonly #collector: GarbageCollector | undefined
  #managers: readonly Manager[]
  /** The managers that were started. The key of one that was added on first use is the function that makes it. */
  readonly #started = new Map<unknown, Manager>()
  readonly #listeners = new Set<(commit: Commit) => void>()
  readonly #commits: Commit[] = []
  #live: Live | undefined
  #isDisposed = false

  constructor(options: ControllerOptions = {}) {
    const { clock = systemClock, platform = systemPlatform, initialState, managers = [], gc = {} } = options
    this.clock = clock
    this.platform = platform
    this.report = safeReporter(options.onError)
    this.timeline = new Timeline(ownState(initialState), {
      clock,
      snapOf: state => this.#snapOf(state),
      report: this.report,
      renamed: names => this.#renamed(names),
      publish: commit => this.#publish(commit),
    })
    this.temporaryPks = this.timeline.temporaryPks
    this.graph = new ViewGraph(this.timeline.visible, this.report)
    this.statuses = new StatusSources(this.freshness, signalTracker)
    ;({ query: this.get, getResponse: this.getResponse, getError: this.getError, isFetching: this.isFetching } = createReads(this.graph, this.statuses, this.temporaryPks.resolve))
    this.requests = new Requests(this, options.revalidateOverlap !== false)
    if (gc !== false) this.#collector = new GarbageCollector(this, gc)
    const network = createNetwork(options)
    this.#managers = [...managers, network]
    // A manager of the user may fetch while it starts.
    for (const manager of [network, ...managers]) if (!this.#isDisposed) this.#start(manager)
    if (initialState instanceof State) for (const { pk } of this.timeline.directory.results.bySlot) this.freshness.answered(pk, this.timeline.now(), clock.now() + 60_000, undefined, [])
    else initialState?.(this)
  }

  /** Runs the endpoint and stores its answer. Resolves with the view of it. Reads in flight are shared. */
  readonly fetch = <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): Promise<ViewOf<E>> => {
    checkEndpoint(endpoint)
    return this.requests.start(endpoint, args, () => this.recorder?.call(endpoint, args)) as Promise<ViewOf<E>>
  }

  /** The stored data when it is fresh; otherwise what the endpoint answers. */
  readonly fetchIfStale = <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): Promise<ViewOf<E>> =>
    markHandled(
      untracked(async () => {
        checkEndpoint(endpoint)
        const { data, expiryStatus, expiresAt } = this.getResponse(endpoint, ...args)
        const key = endpoint.key(...this.temporaryPks.resolve(args))
        const holds = (until: number): boolean => this.clock.now() < until || this.requests.waking.has(key)
        if (expiryStatus !== 1 && holds(expiresAt)) return data as ViewOf<E>
        const { error, errorUntil } = this.freshness.get(key)
        if (error !== undefined && holds(errorUntil)) throw error
        return this.requests.pace(key, () => this.fetch(endpoint, ...args))
      }),
    )

  /** The view that the store has for these arguments, without fetching. Tracked inside effects. */
  declare readonly get: StoreReads['query']

  /** The data of a read of `endpoint`, without fetching, and how fresh it is. Tracked inside effects. */
  declare readonly getResponse: StoreReads['getResponse']

  /** The error of the last request, if that failed. Tracked inside effects. */
  declare readonly getError: StoreReads['getError']

  /** Whether a request for it is in flight. Tracked inside effects. */
  declare readonly isFetching: StoreReads['isFetching']

  /** A read of a schema or an endpoint as a signal. */
  readonly view: Read<'signal'> = ((target: unknown, ...args: readonly unknown[]) =>
    computed(() => (isEndpoint(target) ? this.getResponse(target, ...(args as unknown[])).data : this.get(target, ...args)))) as Read<'signal'>

  /**
   * A read of a schema or an endpoint as live objects: one stable instance for each entity, whose fields are tracked one
   * by one. A list of them is another array only when its members or their order change.
   *
   * @example
   * const todo = controller.live(Todo, { id: '1' })
   * // Runs again when the title changes, and for nothing else.
   * effect(() => console.log(todo?.title))
   */
  readonly live: Read<'value'> = ((target: unknown, ...args: readonly unknown[]) => {
    const live = (this.#live ??= createLive(this, signalTracker))
    if (!isEndpoint(target)) return live.query(target, ...args)
    // Through a memo: a reader of the data does not run again because a request came and went.
    return signalTracker.memo(() => live.getResponse(target, ...args).data)()
  }) as Read<'value'>

  /**
   * Writes locally: a value, merged like a response, or an updater, which gets an Immer draft of the record.
   *
   * @example
   * controller.set(Todo, { id: '1' }, todo => { todo.done = true })
   */
  readonly set = <S>(schema: S, ...rest: [...args: unknown[], value: SetValue<S> | ((record: RecordOf<S>) => unknown)]): void => {
    const write: LocalWrite = { schema, value: rest.pop(), args: rest as readonly unknown[] }
    this.dispatch({ type: 'set', ...write })
    const run = (observer?: WriteObserver): DeferredWrite => this.batch(() => this.timeline.set(write, { cause: 'set' }, observer))
    if (this.recorder) this.recorder.set(write, run)
    else run()
  }

  /** Stores `response` as if the network had answered with it. */
  readonly setResponse = <E extends AnyEndpoint>(endpoint: E, ...rest: WithResponse<Parameters<E>>): void => {
    const value = (rest as unknown[]).pop()
    const { args, key } = this.#announce({ type: 'setResponse', response: value }, endpoint, rest)
    const answer: Answer = { endpoint, args, key: endpoint.sideEffect ? undefined : key, value, expiresAt: this.clock.now() + endpoint.dataExpiryLength }
    this.batch(() => {
      this.timeline.receive(answer, { cause: 'setResponse' })
      if (answer.key !== undefined) this.freshness.answered(key, this.timeline.now(), answer.expiresAt, endpoint, args)
    })
  }

  /** Behaves as if the network had failed with `error`. */
  readonly setError = <E extends AnyEndpoint>(endpoint: E, ...rest: WithResponse<Parameters<E>>): void => {
    const error = (rest as unknown[]).pop()
    const { args, key } = this.#announce({ type: 'setError', error }, endpoint, rest)
    this.batch(() => this.freshness.failed(key, this.timeline.now(), error, this.clock.now(), endpoint, args))
  }

  /** The stored answer no longer counts: whoever reads it waits for a new one. */
  readonly invalidate = <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): void => {
    this.#invalidate([this.#announce({ type: 'invalidate' }, endpoint, args).key])
  }

  /** The same for all endpoints whose key passes the test. */
  readonly invalidateAll = (which: { testKey(key: string): boolean }): void => this.#invalidate(this.#matching('invalidateAll', which))

  /** Stored answers are still shown, but no longer fresh. */
  readonly expireAll = (which: { testKey(key: string): boolean }): void => {
    const keys = this.#matching('expireAll', which)
    this.batch(() => this.freshness.expire(keys, this.timeline.now().fetchedAt))
  }

  /** Forgets everything. Requests in flight end with a `ResetError`, and their answers never land. */
  readonly reset = (): void => {
    this.dispatch({ type: 'reset' })
    this.batch(() => {
      this.requests.end(() => new ResetError())
      this.timeline.reset()
      this.freshness.clear(this.readKeys())
      this.recorder?.clear()
    })
  }

  /** The same as `reset`. */
  readonly resetEntireStore: () => void = this.reset

  /** Ends the requests for these arguments, for everybody. */
  readonly abort = <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): void => {
    this.requests.end(() => new AbortError(), this.#announce({ type: 'abort' }, endpoint, args).key)
  }

  /** The document as it is now. It is free to keep, and it never changes. */
  readonly snapshot = (): State => this.timeline.visible

  /** Calls `listener` after every commit, until the returned function is called. */
  readonly subscribePatches = (listener: (commit: Commit) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Applies patches from outside, all or none. */
  readonly applyPatches = (patches: readonly Patch[], { origin, stamps = [] }: { readonly origin?: string; readonly stamps?: readonly StampGroup[] } = {}): void =>
    this.batch(() => this.timeline.apply(patches, stamps, { cause: 'applyPatches', origin }))

  /** Stops managers, and ends requests in flight with an `AbortError`. */
  readonly dispose = (): void => {
    if (this.#isDisposed) return
    this.#isDisposed = true
    this.requests.end(() => new AbortError('The controller was disposed of.'))
    this.#listeners.clear()
    for (const manager of this.#started.values()) attempt(() => manager.stop?.(), this.report)
    this.#collector?.stop()
  }

  /** `using controller = new Controller()` disposes of it at the end of its block. */
  readonly [Symbol.dispose]: () => void = this.dispose

  /** The manager that `make` returns, added on first use. It sees every action before those that were added earlier. */
  manager<M extends Manager>(make: () => M): M {
    let manager = this.#started.get(make) as M | undefined
    if (!manager) {
      manager = make()
      this.#managers = [manager, ...this.#managers]
      this.#start(manager, make)
    }
    return manager
  }

  /** @internal Runs `work`, which may commit several times. Readers run once, after it. An error of a reader is reported. */
  readonly batch = <T>(work: () => T): T => {
    let value: T | undefined
    const failures: unknown[] = []
    let run = (): void => void (value = attempt(work, error => void failures.push(error)))
    for (const { views } of this.liveReaders) run = views.batch.bind(views, run)
    attempt(() => batchSignals(run), this.report)
    for (const error of failures) throw error
    return value as T
  }

  #start(manager: Manager, by: unknown = manager): void {
    this.#started.set(by, manager)
    if (manager.commit) this.subscribePatches(commit => manager.commit!(commit))
    attempt(() => manager.start?.(this), this.report)
  }

  /** Dispatches an action about one read. Returns the key of the read, and its arguments with real pks. */
  #announce(action: ReadAction, endpoint: AnyEndpoint, given: readonly unknown[]): { readonly args: readonly unknown[]; readonly key: string } {
    const args = this.temporaryPks.resolve(given)
    const key = endpoint.key(...args)
    this.dispatch({ ...action, endpoint, args, key })
    return { args, key }
  }

  #invalidate(keys: readonly string[]): void {
    for (const key of keys) this.requests.separate(key)
    this.batch(() => this.freshness.invalidate(keys, this.timeline.now().fetchedAt))
  }

  /** The known keys that pass a test, those that somebody only reads included. */
  #matching(type: 'invalidateAll' | 'expireAll', which: { testKey(key: string): boolean }): string[] {
    const testKey = (key: string): boolean => which.testKey(key)
    this.dispatch({ type, testKey })
    return [...new Set([...this.freshness.keys(), ...this.readKeys()])].filter(testKey)
  }

  /** @internal The keys that somebody reads. */
  readKeys(): string[] {
    return [this, ...this.liveReaders].flatMap(({ statuses }) => statuses.keys())
  }

  /** Lets managers see an action; true when one of them carries it out. A manager that delays a fetch dispatches it again. */
  dispatch(action: Action): boolean {
    if (this.#isDisposed) throw new AbortError('The controller was disposed of.')
    this.#collector?.schedule()
    return this.#managers.some(manager => attempt(() => manager.action?.(action), this.report) === true)
  }

  /** A listener may write; the others are notified of that after the current commit. */
  #publish(commit: Commit): void {
    this.#commits.push(commit)
    if (this.#commits.length > 1) return
    for (const step of this.#commits) {
      const { before, after } = step
      const changes = changesBetween(before, after)
      this.graph.commit(after, changes)
      for (const { views } of this.liveReaders) views.commit(changes, after)
      // A read that has no answer of its own wakes when another endpoint or another tab writes one.
      for (const { cell, before: old, after: row } of changes) if (!cell.isEntity && (old === undefined || row === undefined)) this.freshness.touch(cell.pk)
      for (const listener of [...this.#listeners]) if (this.#listeners.has(listener)) attempt(() => listener(step), this.report)
      this.#collector?.schedule()
    }
    this.#commits.length = 0
  }

  #renamed(names: readonly Renamed[]): void {
    for (const { from, to } of names) {
      for (const { views } of this.liveReaders) views.rename(from, to)
      this.recorder?.renamed(from.table.key, from.pk, to.pk)
    }
  }

  /** @internal The view of an answer. */
  readonly viewOf = ({ endpoint, value, args: own, key }: Answer, stored?: unknown): unknown => {
    const { schema } = endpoint
    const args = fullArgs(endpoint, own)
    if (!schema) return value
    const viewIn = (state: State): unknown => denormalize(schema, stored, state, args)
    // The result of a call is not stored, so its view is made anew. A later call may have deleted the row on the page already.
    return traitsOf(schema).answerView?.(value, args) ?? (key === undefined ? (viewIn(this.timeline.visible) ?? viewIn(this.timeline.confirmed)) : untracked(() => this.graph.result(schema, key, args)))
  }

  /** The reads of an optimistic response, in one state. */
  #snapOf(state: State): Snap {
    const views = {
      state,
      query: (schema: unknown, args: readonly unknown[]) => queryState(schema, args, state),
      result: (schema: unknown, key: string, args: readonly unknown[]) => denormalize(schema, state.result(key), state, args),
    }
    const { query: get, getResponse, getError } = createReads(views, this.freshness, args => args)
    return { get, getResponse, getError, '~record': (schema, args) => queryRecord(schema, args, state) as Fields | undefined, fetchedAt: this.timeline.now().fetchedAt, abort: ABORT }
  }
}

export function isEndpoint(target: unknown): target is AnyEndpoint {
  return typeof target === 'function' && 'testKey' in target
}

function checkEndpoint(endpoint: unknown): void {
  if (!isEndpoint(endpoint)) throw new SchemaError(`fetch needs an endpoint, not ${String(endpoint)}. Check its spelling.`)
}

/** A state of this store: with cells of its own. */
function ownState(initial: unknown): State {
  const empty = Object.freeze(new State(new Directory()))
  return initial instanceof State ? applyPatches(empty, patchesBetween(emptyState, initial), stampsBetween(emptyState, initial)) : empty
}
