import type { Fields } from '../schema/interface.ts'
import type { Denormalize, QueryArgs } from '../schema/types.ts'

/**
 * Sends a request; by default the platform's `fetch`.
 *
 * @example
 * const logged: Transport = (input, init) => (console.log(input), fetch(input, init))
 */
export type Transport = (input: string, init?: RequestInit) => Promise<Response>

/**
 * The reads of `getOptimisticResponse`: the visible state before this call, with earlier pending calls applied.
 *
 * @example
 * const like = getPost.extend({
 *   method: 'POST',
 *   getOptimisticResponse(snap: Snap, { id }: { id: number }) {
 *     const post = snap.get(Post, { id })
 *     if (!post) throw snap.abort
 *     return { id, likes: post.likes + 1 }
 *   },
 * })
 */
export interface Snap {
  /** The view for these arguments; `undefined` when the store does not have it. */
  get<S>(schema: S, ...args: QueryArgs<S>): Denormalize<S> | undefined
  /** The data and the freshness of `endpoint`, as a read returns them. */
  getResponse<E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): { readonly data: ViewOf<E> | undefined; readonly expiryStatus: number; readonly expiresAt: number }
  /** The error of the last request, if it failed. */
  getError<E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): unknown
  /** @internal The stored record behind a view: what is deserialized or computed cannot be normalized again. */
  '~record'?(schema: unknown, args: readonly unknown[]): Fields | undefined
  /** Later than the `fetchedAt` of every stored record. */
  readonly fetchedAt: number
  /** Throw or return this value to show no optimistic response. */
  readonly abort: unknown
}

/**
 * The input of `getUndo`.
 *
 * @example
 * const getUndo = ({ previous }: UndoContext, params: { id: number }): UndoCall | undefined =>
 *   previous && { endpoint: UserResource.partialUpdate, args: [params, { name: previous['name'] }] }
 * const rename = UserResource.partialUpdate.extend({ getUndo })
 */
export interface UndoContext {
  /** The stored record before the call; `undefined` when there was none. */
  readonly previous: Fields | undefined
  /** The stored record after the call. */
  readonly after?: Fields | undefined
  /** The processed response of the call. Nested rows are pks in it. */
  readonly result: unknown
  /** Fields that somebody else has changed since, with their present values, which `previous` has as well. They are not undone. */
  readonly conflicts?: Fields
  /** The record of another row before the call, such as one nested in `previous`. */
  readonly recordOf?: (key: string, pk: string) => Fields | undefined
}

/**
 * A call that reverts another call.
 *
 * @example
 * const call: UndoCall = { endpoint: TodoResource.delete, args: [{ id: 1 }] }
 */
export interface UndoCall {
  readonly endpoint: AnyEndpoint
  readonly args: readonly unknown[]
}

/**
 * The options of an endpoint. Methods may declare narrower argument types.
 *
 * @example
 * const options: EndpointOptions = { name: 'getUser', schema: User, dataExpiryLength: 5000 }
 */
export interface EndpointOptions {
  /** Identifies the endpoint in keys and messages. */
  readonly name?: string
  readonly schema?: unknown
  /** The call changes data on the server: it always runs, and only its entities are stored. */
  readonly sideEffect?: boolean
  /** Milliseconds for which a response is fresh. */
  readonly dataExpiryLength?: number
  /** Milliseconds to wait after an error before a read may fetch again. */
  readonly errorExpiryLength?: number
  /** Expired data is not shown. */
  readonly invalidIfStale?: boolean
  /** Milliseconds between polls while there is a subscription. */
  readonly pollFrequency?: number
  /** A stream of `patchcord/push` brings the changes: when there is one, subscriptions do not poll. */
  readonly stream?: boolean
  /** With `false`, `useDLE` does not show the data of earlier arguments while new data is loading. */
  readonly keepPrevious?: boolean
  /** `false`: mutations of one entity are sent without waiting for each other. */
  readonly serial?: boolean
  /** Aborts the call. */
  readonly signal?: AbortSignal
  /** Sends requests instead of the platform's `fetch`. */
  readonly transport?: Transport
  /**
   * The values that `fetch` resolves with belong to the store, which rewrites and freezes them instead of copying them.
   * Set it only when `fetch` creates a new value for each call and keeps no reference to it.
   */
  readonly adopt?: boolean
  fetch?(...args: unknown[]): Promise<unknown>
  key?(...args: unknown[]): string
  testKey?(key: string): boolean
  errorPolicy?(error: unknown): 'hard' | 'soft' | undefined
  getOptimisticResponse?(snap: Snap, ...args: unknown[]): unknown
  getUndo?(context: UndoContext, ...args: unknown[]): UndoCall | null | undefined
  update?(result: unknown, ...args: unknown[]): { readonly [key: string]: (previous: never) => unknown }
}

/** The members of every endpoint, independent of its arguments. */
export interface EndpointMembers {
  readonly name: string
  readonly sideEffect: boolean
  readonly dataExpiryLength: number
  readonly errorExpiryLength: number
  readonly invalidIfStale: boolean | undefined
  readonly pollFrequency: number | undefined
  readonly stream: boolean | undefined
  readonly keepPrevious: boolean | undefined
  readonly serial: boolean | undefined
  readonly signal: AbortSignal | undefined
  readonly transport: Transport | undefined
  readonly adopt: boolean | undefined
  readonly getOptimisticResponse: EndpointOptions['getOptimisticResponse'] | undefined
  readonly getUndo: EndpointOptions['getUndo'] | undefined
  readonly update: EndpointOptions['update'] | undefined
  /** Whether `key` belongs to this endpoint. */
  testKey(key: string): boolean
  /** `soft`: existing data stays visible beside this error. `hard`: the read throws. */
  errorPolicy(error: unknown): 'hard' | 'soft' | undefined
}

/**
 * A function with any arguments. Declared as a method because method parameters are bivariant: with `never` as the
 * parameter type, the arguments of `fetch(endpoint.extend({ … }), args)` would be inferred as `never`.
 */
type Run = { run(...args: unknown[]): Promise<unknown> }['run']

/**
 * Any endpoint.
 *
 * @example
 * const load = <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>) => endpoint(...args)
 */
export interface AnyEndpoint extends EndpointMembers, Run {
  readonly schema: unknown
  /** @internal Of a page: the key of the list that it is appended to. */
  readonly '~pageOf'?: (...args: unknown[]) => string
  /** @internal Of a page: the schema by which the first page of its list is taken in again. */
  readonly '~firstPage'?: unknown
  fetch(...args: unknown[]): Promise<unknown>
  key(...args: unknown[]): string
}

/**
 * An endpoint that hooks can read: one without a known side effect.
 *
 * @example
 * const preload = <E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>) => controller.fetchIfStale(endpoint, ...args)
 * void preload(TodoResource.get, { id: 1 })
 */
export interface ReadEndpoint extends AnyEndpoint {
  /** Type-level only. Optional, because an endpoint of unknown type may be read too. */
  readonly '~reads'?: true
}

/** `true` for an endpoint that can be read, else the message that the compiler shows. */
export type Reads<SideEffect> = [SideEffect] extends [true] ? 'Each call changes something. Call controller.fetch with it.' : true

/**
 * The data that a read of an endpoint returns: the view of its schema, or the resolved value without a schema.
 *
 * @example
 * type User = ViewOf<typeof UserResource.get>
 */
export type ViewOf<E extends AnyEndpoint> = [E['schema']] extends [undefined | null | ''] ? Awaited<ReturnType<E>> : Denormalize<E['schema']>

/**
 * Arguments followed by a response. When all arguments are optional, the response may stand alone.
 *
 * @example
 * type A = WithResponse<[{ id: number }]> // [{ id: number }, response: unknown]
 */
export type WithResponse<A extends readonly unknown[]> = [...Required<A>, response: unknown] | ([] extends A ? [response: unknown] : never)

/**
 * `O` with the members of `P` replacing its own: the options after `extend`.
 *
 * @example
 * type A = Override<{ path: '/a'; method: 'GET' }, { path: '/b' }>['path'] // '/b'
 */
export type Override<O, P> = Omit<O, keyof P> & P

/** Rejects members of `P` that are not among the options `Names`, such as misspelled ones. By an object: the compiler reduces `true & '…'` to `never`, and names no option. */
export type KnownOptions<P, Names extends PropertyKey> = { readonly [K in Exclude<keyof P, Names>]: { readonly refused: `There is no option "${K & string}".` } }

/** The arguments in `P` after those in `A`. */
export type RemainingArgs<P extends readonly unknown[], A extends readonly unknown[]> = A extends readonly [unknown, ...infer R]
  ? P extends readonly [_?: unknown, ...rest: infer Q]
    ? RemainingArgs<Q, R>
    : []
  : P
