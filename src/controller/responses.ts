import type { AnyEndpoint, ViewOf } from '../endpoint/types.ts'
import { Schema } from '../schema/interface.ts'
import { rowOf, stampOf, type State } from '../store/state.ts'
import { queryKey } from '../view/query.ts'
import { reach } from '../view/reach.ts'
import { INVALID_IF_STALE, INVALID_STATUS, isInvalid, VALID, type Status } from './freshness.ts'

/**
 * What a read of an endpoint shows, and how far it may be trusted.
 *
 * @example
 * const { data, expiryStatus }: ResponseView<Todo[]> = controller.getResponse(TodoResource.getList)
 * if (expiryStatus === 1) await controller.fetch(TodoResource.getList)
 */
export interface ResponseView<T> {
  readonly data: T | undefined
  /** 1: must not be shown as it is, fetch. 2: the same once it has expired. 3: may be shown, though it may have expired. */
  readonly expiryStatus: 1 | 2 | 3
  /** On the monotonic clock. */
  readonly expiresAt: number
  /** Another number each time that it was invalidated, expired or forgotten: whoever shows it asks again. */
  readonly markedAt: number
}

/** Where views come from: snapshots, or live objects. */
export interface Views {
  query(schema: unknown, args: readonly unknown[]): unknown
  result(schema: unknown, endpointKey: string, args: readonly unknown[]): unknown
}

/** Reads endpoints: what they answered, or what other endpoints have brought that answers them. `known` says what arguments have become that name something by a temporary pk. */
export interface Responses {
  getResponse<E extends AnyEndpoint>(endpoint: E, ...args: readonly unknown[]): ResponseView<ViewOf<E>>
  getError(endpoint: AnyEndpoint, ...args: readonly unknown[]): unknown
  isFetching(endpoint: AnyEndpoint, ...args: readonly unknown[]): boolean
}

export function createResponses(views: Views, statuses: { get(key: string): Status }, store: { readonly state: State }, known: (args: readonly unknown[]) => readonly unknown[] = args => args): Responses {
  const statusOf = (endpoint: AnyEndpoint, args: readonly unknown[]): Status => statuses.get(keyOf(endpoint, known(args)))
  return {
    getResponse<E extends AnyEndpoint>(endpoint: E, ...given: readonly unknown[]): ResponseView<ViewOf<E>> {
      const { schema } = endpoint
      const args = known(given)
      const key = keyOf(endpoint, args)
      const status = statuses.get(key)
      const answered = status.fetchedAt !== undefined
      const data = answered ? views.result(schema, key, args) : schema ? views.query(schema, args) : undefined
      // A query may come to nothing.
      const there = data !== undefined || (answered && (!schema || (schema instanceof Schema && schema.computes)))
      const expiryStatus = !there || isInvalid(status) ? INVALID_STATUS : endpoint.invalidIfStale ? INVALID_IF_STALE : VALID
      // Of an endpoint that has failed nobody else can say that it is well again.
      const expiresAt = answered ? status.expiresAt : there && status.expiredAt < 0 && status.error === undefined ? earliest(schema, args, store.state) : 0
      return { data: data as ViewOf<E> | undefined, expiryStatus, expiresAt, markedAt: status.markedAt }
    },
    getError: (endpoint, ...args) => statusOf(endpoint, args).error,
    isFetching: (endpoint, ...args) => statusOf(endpoint, args).fetching > 0,
  }
}

/** What came with other answers is as fresh as the oldest of them. */
function earliest(schema: unknown, args: readonly unknown[], state: State): number {
  let time = Infinity
  reach(
    schema,
    queryKey(schema, args, state),
    state,
    cell => {
      // What is not there brought nothing that could be old; there is a cell of it only if somebody looked for it.
      time = Math.min(time, stampOf(state, cell)?.expiresAt ?? (rowOf(state, cell) ? 0 : Infinity))
    },
    args,
  )
  return time
}

export function keyOf(endpoint: AnyEndpoint, args: readonly unknown[]): string {
  return endpoint.key(...(args as never[]))
}
