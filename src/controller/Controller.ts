import { computed, type ReadonlySignal } from '@preact/signals-core'
import { systemClock, type Clock } from '../base/clock.ts'
import { AbortError, NetworkError, SchemaError } from '../base/errors.ts'
import { text } from '../base/keys.ts'
import { own, share } from '../base/plain.ts'
import { reportUncaught } from '../base/report.ts'
import { runEndpoint } from '../endpoint/run.ts'
import type { AnyEndpoint, Transport, ViewOf } from '../endpoint/types.ts'
import { normalizeInto, type NormalizeMeta } from '../normalize/normalize.ts'
import { updateInto } from '../normalize/update.ts'
import { handlerOf, nameOf } from '../schema/dispatch.ts'
import type { EntityClass } from '../schema/interface.ts'
import type { Denormalize, RecordOf } from '../schema/types.ts'
import type { StampGroup } from '../store/apply.ts'
import type { Draft } from '../store/draft.ts'
import type { Patch } from '../store/immer.ts'
import type { State } from '../store/state.ts'
import { Store, type Commit } from '../store/store.ts'
import { denormalize } from '../view/denormalize.ts'
import { ViewGraph } from '../view/graph.ts'
import { LiveViews } from '../view/live.ts'
import { queryKey } from '../view/query.ts'
import { signalTracker } from '../view/signalTracker.ts'

/** What a controller may be told. */
export interface ControllerOptions {
  /** Sends requests; the platform's `fetch` unless given. */
  readonly fetch?: Transport
  readonly clock?: Clock
  /** What to begin with. */
  readonly initialState?: State
  /** Told of what effects and listeners throw; `reportError` unless given. */
  readonly onError?: (error: unknown) => void
}

/** Arguments with a response after them; where all arguments may be left out, the response alone. */
export type WithResponse<A extends readonly unknown[]> = [...Required<A>, response: unknown] | ([] extends A ? [response: unknown] : never)

/**
 * The verbs of an application: fetch, read, write. Works alone, in Node and in the browser; every method can be
 * passed around detached.
 *
 * @example
 * const controller = new Controller()
 * await controller.fetch(TodoResource.getList)
 * effect(() => console.log(controller.get(Todo, { id: '1' })?.title))
 */
export class Controller {
  /** @internal */ readonly store: Store
  /** @internal */ readonly report: (error: unknown) => void
  readonly #graph: ViewGraph
  readonly #clock: Clock
  readonly #transport: Transport | undefined
  #live: LiveViews | undefined
  #lastFetch = 0
  #disposed = false

  constructor({ fetch, clock = systemClock, initialState, onError = reportUncaught }: ControllerOptions = {}) {
    this.#transport = fetch
    this.#clock = clock
    this.report = onError
    this.store = new Store(initialState, onError)
    this.#graph = new ViewGraph(this.store, onError, clock)
  }

  /** Runs the endpoint, writes what it answers, and gives the view of it. */
  readonly fetch = async <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): Promise<ViewOf<E>> => {
    const meta = this.#meta(endpoint)
    let answer: unknown
    try {
      answer = await runEndpoint(endpoint, args, { transport: this.#transport })
    } catch (error) {
      // The server says that what we have is what there is.
      const unchanged = error instanceof NetworkError && error.status === 304
      const known = unchanged ? this.#graph.result(endpoint.schema, endpoint.key(...(args as unknown as never[])), args) : undefined
      if (known === undefined) throw error
      return known as ViewOf<E>
    }
    if (this.#disposed) throw new AbortError('The controller was disposed of.')
    return this.#receive(endpoint, args, answer, meta, 'fetch') as ViewOf<E>
  }

  /** Writes `response` as if the network had answered with it. */
  readonly setResponse = <E extends AnyEndpoint>(endpoint: E, ...rest: WithResponse<Parameters<E>>): void => {
    const args = rest.slice(0, -1) as Parameters<E>
    this.#receive(endpoint, args, rest[rest.length - 1], this.#meta(endpoint), 'setResponse')
  }

  /** The view that the store can give for these arguments, without fetching. Tracked inside effects. */
  readonly get = <S>(schema: S, ...args: readonly unknown[]): Denormalize<S> | undefined =>
    this.#graph.query(schema, args) as Denormalize<S> | undefined

  /** The same read as a signal. */
  readonly view = <S>(schema: S, ...args: readonly unknown[]): ReadonlySignal<Denormalize<S> | undefined> =>
    computed(() => this.get(schema, ...args))

  /**
   * The same read as live objects: one stable instance for each entity, whose fields are tracked one by one. A list
   * of them is another array only when its members or their order change.
   *
   * @example
   * const todo = controller.live(Todo, { id: '1' })
   * effect(() => console.log(todo?.title)) // runs again when the title changes, and for nothing else
   */
  readonly live = <S>(schema: S, ...args: readonly unknown[]): Denormalize<S> | undefined =>
    (this.#live ??= new LiveViews(this.store, signalTracker, this.report)).query(schema, args)

  /**
   * Writes locally: a value, merged like a response, or an updater, which gets an Immer draft of the record.
   *
   * @example
   * controller.set(Todo, { id: '1' }, todo => { todo.done = true })
   */
  readonly set = <S>(schema: S, ...rest: [...args: unknown[], value: object | ((record: RecordOf<S>) => unknown)]): void => {
    const value = rest[rest.length - 1]
    const args = rest.slice(0, -1)
    const meta: NormalizeMeta = { ...this.#meta(undefined), expiresAt: Infinity }
    this.store.transact(
      draft => {
        if (typeof value !== 'function') normalizeInto(draft, schema, value, args, meta)
        else updateInto(draft, asEntity(schema), this.#pkOf(schema, args), value as (record: never) => unknown, args, meta)
      },
      { cause: 'set' },
    )
  }

  /** The document as it is now. It costs nothing to keep, and it never changes. */
  readonly snapshot = (): State => this.store.state

  /** Calls `listener` after every commit; the returned function ends it. */
  readonly subscribePatches = (listener: (commit: Commit) => void): (() => void) => this.store.subscribe(listener)

  /** Applies patches from outside, all or none. */
  readonly applyPatches = (
    patches: readonly Patch[],
    { origin, stamps }: { readonly origin?: string; readonly stamps?: readonly StampGroup[] } = {},
  ): void => this.store.commit(patches, stamps, { cause: 'applyPatches', origin })

  /** Lets go of views, and ends what is in flight with an `AbortError`. */
  readonly dispose = (): void => {
    this.#disposed = true
    this.#graph.dispose()
    this.#live?.dispose()
  }

  #receive(endpoint: AnyEndpoint, args: readonly unknown[], answer: unknown, meta: NormalizeMeta, cause: string): unknown {
    const { schema, sideEffect } = endpoint
    const key = sideEffect ? undefined : endpoint.key(...args)
    const result = this.store.transact(
      draft => {
        const stored = normalizeInto(draft, schema, answer, args, meta)
        updateResults(draft, endpoint.update?.(stored as never, ...(args as never[])))
        if (key === undefined) return stored
        const cell = draft.intern(draft.cells.endpoints, key)
        draft.writeResult(cell, share(draft.result(cell), stored))
        return stored
      },
      { cause },
    )
    if (!schema) return answer
    return key === undefined ? denormalize(schema, result, this.store.state, args) : this.#graph.result(schema, key, args)
  }

  /** When a request starts: strictly increasing, whatever the clock does. */
  #meta(endpoint: AnyEndpoint | undefined): NormalizeMeta {
    const date = this.#clock.date()
    const fetchedAt = (this.#lastFetch = Math.max(this.#lastFetch + 1, date))
    return { fetchedAt, date, expiresAt: this.#clock.now() + (endpoint?.dataExpiryLength ?? 60_000) }
  }

  #pkOf(schema: unknown, args: readonly unknown[]): string {
    const found = queryKey(schema, args, this.store.state)
    // What is not there is named in the error by what was asked for.
    return typeof found === 'string' ? found : text(args[0])
  }
}

/** Results of other endpoints that this answer changes: a page carries its cursor into the list that it continues. */
function updateResults(draft: Draft, updates: { readonly [key: string]: (previous: never) => unknown } = {}): void {
  for (const key of Object.keys(updates)) {
    const cell = draft.cells.endpoints.find(key)
    const previous = cell && draft.result(cell)
    if (cell !== undefined && previous !== undefined) draft.writeResult(cell, share(previous, own(updates[key]!(previous as never))))
  }
}

function asEntity(schema: unknown): EntityClass {
  if (typeof schema === 'function' && handlerOf(schema) !== undefined) return schema as unknown as EntityClass
  throw new SchemaError(`An updater needs an entity class, not ${nameOf(schema)}.`)
}
