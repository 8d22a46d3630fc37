import type { AnyEndpoint } from '../endpoint/types.ts'
import type { Patch } from '../store/immer.ts'
import type { StampGroup } from '../store/apply.ts'

/** What the network, or somebody in its place, has answered. */
export interface Answer {
  readonly schema: unknown
  readonly value: unknown
  readonly args: readonly unknown[]
  /** Where the result is kept; undefined for calls with a side effect, of which only the entities are. */
  readonly key: string | undefined
  /** Until when it is fresh, on the monotonic clock. */
  readonly expiresAt: number
  /** Results of other endpoints that this one changes. */
  readonly update?: ((result: unknown) => { readonly [key: string]: (previous: never) => unknown } | undefined) | undefined
}

/** What `endpoint` has answered, or is expected to. */
export function answerOf(endpoint: AnyEndpoint, args: readonly unknown[], key: string | undefined, value: unknown, expiresAt: number): Answer {
  return { schema: endpoint.schema, value, args, key, expiresAt, update: endpoint.update && (result => endpoint.update!(result, ...args)) }
}

/** A write that this client makes by itself: a value, merged like an answer, or a recipe for one record. */
export interface LocalWrite {
  readonly schema: unknown
  readonly args: readonly unknown[]
  readonly value: unknown
}

/** Patches from outside, with their stamps. */
export interface ForeignWrite {
  readonly patches: readonly Patch[]
  readonly stamps: readonly StampGroup[]
}
