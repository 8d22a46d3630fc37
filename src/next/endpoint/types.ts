import type { Fields } from '../schema/interface.ts'
import type { Denormalize } from '../schema/types.ts'

/**
 * What the platform's `fetch` is to us: an address and an init in, a response out.
 *
 * @example
 * const logged: Transport = (input, init) => (console.log(input), fetch(input, init))
 */
export type Transport = (input: string, init?: RequestInit) => Promise<Response>

/**
 * What an optimistic answer may look at: the view as it is before this call, earlier calls included.
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
  /** The view of what these arguments name; undefined when it is not there. */
  get<S>(schema: S, ...args: readonly unknown[]): Denormalize<S> | undefined
  /** What a read of `endpoint` would show. */
  getResponse<E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): { readonly data: ViewOf<E> | undefined; readonly expiryStatus: number; readonly expiresAt: number }
  /** The error of the last request, if that failed. */
  getError<E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): unknown
  /** Later than the `fetchedAt` of everything that is stored. */
  readonly fetchedAt: number
  /** Thrown, or returned, it means: no optimistic response this time. */
  readonly abort: unknown
}

/**
 * What an undo starts from.
 *
 * @example
 * const getUndo = ({ previous }: UndoContext, params: { id: number }): UndoCall | undefined =>
 *   previous && { endpoint: UserResource.partialUpdate, args: [params, { name: previous['name'] }] }
 * const rename = UserResource.partialUpdate.extend({ getUndo })
 */
export interface UndoContext {
  /** The record before the call, as stored; undefined when there was none. */
  readonly previous: Fields | undefined
  /** What the call resolved with: the processed answer. */
  readonly result: unknown
}

/**
 * The call that takes another one back.
 *
 * @example
 * const call: UndoCall = { endpoint: TodoResource.delete, args: [{ id: 1 }] }
 */
export interface UndoCall {
  readonly endpoint: AnyEndpoint
  readonly args: readonly unknown[]
}

/**
 * What may be said of an endpoint. Methods may be annotated with the arguments that they expect.
 *
 * @example
 * const options: EndpointOptions = { name: 'getUser', schema: User, dataExpiryLength: 5000 }
 */
export interface EndpointOptions {
  /** Names the endpoint in keys and messages. */
  readonly name?: string
  readonly schema?: unknown
  /** The call changes something: it always runs, and only its entities are kept. */
  readonly sideEffect?: boolean
  /** Milliseconds for which an answer is fresh. */
  readonly dataExpiryLength?: number
  /** Milliseconds for which an error is not tried again. */
  readonly errorExpiryLength?: number
  /** Data past its expiry is not shown. */
  readonly invalidIfStale?: boolean
  /** Milliseconds between polls while somebody is subscribed. */
  readonly pollFrequency?: number
  /** False: `useDLE` does not show the data of earlier arguments while it waits. */
  readonly keepPrevious?: boolean
  /** False: calls to one entity need not wait for each other. */
  readonly serial?: boolean
  /** Ends the call. */
  readonly signal?: AbortSignal
  /** Sends instead of the platform's `fetch`. */
  readonly transport?: Transport
  fetch?(...args: unknown[]): Promise<unknown>
  key?(...args: unknown[]): string
  testKey?(key: string): boolean
  errorPolicy?(error: unknown): 'hard' | 'soft' | undefined
  getOptimisticResponse?(snap: Snap, ...args: unknown[]): unknown
  getUndo?(context: UndoContext, ...args: unknown[]): UndoCall | undefined
  update?(result: unknown, ...args: unknown[]): { readonly [key: string]: (previous: never) => unknown }
}

/** What every endpoint has, whatever its arguments are. */
export interface EndpointMembers {
  readonly name: string
  readonly sideEffect: boolean
  readonly dataExpiryLength: number
  readonly errorExpiryLength: number
  readonly invalidIfStale: boolean | undefined
  readonly pollFrequency: number | undefined
  readonly keepPrevious: boolean | undefined
  readonly serial: boolean | undefined
  readonly signal: AbortSignal | undefined
  readonly transport: Transport | undefined
  readonly getOptimisticResponse: EndpointOptions['getOptimisticResponse'] | undefined
  readonly getUndo: EndpointOptions['getUndo'] | undefined
  readonly update: EndpointOptions['update'] | undefined
  /** Whether `key` is one of this endpoint's. */
  testKey(key: string): boolean
  /** Whether data that is there stays on screen beside this error (`soft`), or the read throws (`hard`). */
  errorPolicy(error: unknown): 'hard' | 'soft' | undefined
}

/**
 * Whatever its arguments are. Written as a method, because the arguments of methods are compared both ways: with
 * `never` in their place, a call such as `fetch(endpoint.extend({ … }), args)` would be inferred from that.
 */
type Run = { run(...args: unknown[]): Promise<unknown> }['run']

/**
 * Any endpoint; for code that takes one.
 *
 * @example
 * const load = <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>) => endpoint(...args)
 */
export interface AnyEndpoint extends EndpointMembers, Run {
  readonly schema: unknown
  fetch(...args: unknown[]): Promise<unknown>
  key(...args: unknown[]): string
}

/**
 * An endpoint that can be read by hooks: any but those that are known to change something.
 *
 * @example
 * const preload = <E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>) => controller.fetchIfStale(endpoint, ...args)
 * void preload(TodoResource.get, { id: 1 })
 */
export interface ReadEndpoint extends AnyEndpoint {
  /** Type-level only. It need not be said: of any endpoint it is not known, and code for any may read. */
  readonly '~reads'?: true
}

/** What is told of a read by the compiler: `true`, or why it cannot be. */
export type Reads<SideEffect> = [SideEffect] extends [true] ? 'Each call changes something. Call controller.fetch with it.' : true

/**
 * What a read of an endpoint shows: the view of its schema, or what it resolves with when it has none.
 *
 * @example
 * type User = ViewOf<typeof UserResource.get>
 */
export type ViewOf<E extends AnyEndpoint> = [E['schema']] extends [undefined | null | ''] ? Awaited<ReturnType<E>> : Denormalize<E['schema']>

/**
 * Arguments with something after them; where all arguments may be left out, that alone.
 *
 * @example
 * type A = WithResponse<[{ id: number }]> // [{ id: number }, response: unknown]
 */
export type WithResponse<A extends readonly unknown[]> = [...Required<A>, response: unknown] | ([] extends A ? [response: unknown] : never)

/**
 * `O` with the members of `P` in place of its own: the options of what `extend` makes.
 *
 * @example
 * type A = Override<{ path: '/a'; method: 'GET' }, { path: '/b' }>['path'] // '/b'
 */
export type Override<O, P> = Omit<O, keyof P> & P
