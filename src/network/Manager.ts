import type { Clock } from '../base/clock.ts'
import type { Platform } from '../base/platform.ts'
import type { AnyEndpoint, ViewOf, WithResponse } from '../endpoint/types.ts'
import type { Commit } from '../order/Commit.ts'
import type { Denormalize, QueryArgs, RecordOf } from '../schema/types.ts'
import type { Patch } from '../store/immer.ts'
import type { StampGroup } from '../store/patches.ts'
import type { State } from '../store/State.ts'

/**
 * Something that goes on by itself beside an application: a socket, a poll, a logout. Everything is optional.
 *
 * @example
 * function createLogout(): Manager {
 *   let controller: ManagerHost
 *   return {
 *     start(host) { controller = host },
 *     action(action) {
 *       if (action.type === 'fetch') action.outcome.catch(error => { if (error.status === 401) controller.reset() })
 *     },
 *   }
 * }
 */
export interface Manager {
  /** Called once, when the controller is there. */
  start?(controller: ManagerHost): void
  /**
   * Called for everything that somebody asks of the controller, before it is done. The first manager that answers a
   * fetch with `true` carries it out, by calling its `answer` or its `fail`.
   */
  action?(action: Action): boolean | void
  /** Called after every commit. */
  commit?(commit: Commit): void
  /** Called once, when the controller is disposed of. */
  stop?(): void
}

/**
 * A request to a controller.
 *
 * @example
 * const refuseWrites = ({ type }: Action): boolean => type === 'set' || type === 'setResponse'
 */
export type Action =
  | FetchAction
  | { readonly type: 'set'; readonly schema: unknown; readonly args: readonly unknown[]; readonly value: unknown }
  | { readonly type: 'setResponse'; readonly endpoint: AnyEndpoint; readonly args: readonly unknown[]; readonly key: string; readonly response: unknown }
  | { readonly type: 'setError'; readonly endpoint: AnyEndpoint; readonly args: readonly unknown[]; readonly key: string; readonly error: unknown }
  | { readonly type: 'invalidate' | 'abort'; readonly endpoint: AnyEndpoint; readonly args: readonly unknown[]; readonly key: string }
  | { readonly type: 'invalidateAll' | 'expireAll'; readonly testKey: (key: string) => boolean }
  | { readonly type: 'reset' }
  | PollAction
  | CallAction

/**
 * A request that is to be made. The manager that makes it calls `answer` or `fail`, once.
 *
 * @example
 * const logged = ({ key, outcome }: FetchAction): Promise<void> => outcome.then(() => console.log(key), () => console.log(key, 'failed'))
 */
export interface FetchAction {
  readonly type: 'fetch'
  readonly endpoint: AnyEndpoint
  /** The id of the call; undefined for a read. */
  readonly call?: string
  /** As they are to be sent. Reading them counts as sending a call: read them when the request goes out. */
  readonly args: readonly unknown[]
  readonly key: string
  /** Ends the request. */
  readonly signal: AbortSignal
  /** The outcome, once it is in the store; for managers that only watch. */
  readonly outcome: Promise<unknown>
  readonly answer: (value: unknown) => void
  readonly fail: (error: unknown) => void
}

/**
 * A call was made. An action `fetch` follows when it is sent; before that it may wait for other calls.
 *
 * @example
 * const logged = ({ call, outcome }: CallAction): Promise<void> => outcome.then(() => console.log(call.endpoint.name), () => console.log(call.id, 'failed'))
 */
export interface CallAction extends Pick<FetchAction, 'outcome'> {
  readonly type: 'call'
  /** `id` begins the temporary pks of what it creates. In `args` those that became real are replaced. */
  readonly call: Pick<FetchAction, 'endpoint' | 'args'> & { readonly id: string }
}

/**
 * A poll that is due. A manager that answers with `true` calls `send` to make the request, or `skip` to wait for
 * another interval.
 *
 * @example
 * const pauseAtNight = (action: Action): boolean => {
 *   const isNight = action.type === 'poll' && new Date().getHours() < 6
 *   if (isNight) action.skip()
 *   return isNight
 * }
 */
export interface PollAction extends Pick<FetchAction, 'key'> {
  readonly type: 'poll'
  /** Milliseconds between two polls. */
  readonly interval: number
  /** Resolves when the answer is in the store, or when the request has failed. */
  readonly send: () => Promise<void>
  readonly skip: () => void
}

/**
 * The verbs that a manager may use: the controller's own.
 *
 * @example
 * const signOut = (host: ManagerHost): void => host.reset()
 * signOut(controller)
 */
export interface ManagerHost {
  readonly clock: Clock
  readonly platform: Platform
  fetch<E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): Promise<ViewOf<E>>
  fetchIfStale<E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): Promise<ViewOf<E>>
  get<S>(schema: S, ...args: QueryArgs<S>): Denormalize<S> | undefined
  set<S>(schema: S, ...rest: [...args: unknown[], value: object | ((record: RecordOf<S>) => unknown)]): void
  setResponse<E extends AnyEndpoint>(endpoint: E, ...rest: WithResponse<Parameters<E>>): void
  setError<E extends AnyEndpoint>(endpoint: E, ...rest: WithResponse<Parameters<E>>): void
  invalidate<E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): void
  invalidateAll(which: { testKey(key: string): boolean }): void
  expireAll(which: { testKey(key: string): boolean }): void
  reset(): void
  /** Shows an action to all managers, as if somebody had asked for it; true when one of them carries it out. */
  dispatch(action: Action): boolean
  snapshot(): State
  applyPatches(patches: readonly Patch[], options?: { readonly origin?: string; readonly stamps?: readonly StampGroup[] }): void
  /** Tells whoever wants to know of an error that nobody awaits. */
  report(error: unknown): void
}
