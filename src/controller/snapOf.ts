import type { Snap } from '../endpoint/types.ts'
import { ABORT } from '../order/snap.ts'
import { readResult, type State } from '../store/state.ts'
import { denormalize } from '../view/denormalize.ts'
import { queryKey } from '../view/query.ts'
import type { Freshness } from './freshness.ts'
import { createResponses } from './responses.ts'

/** What an optimistic answer may look at in one version of the state. */
export function snapOf(state: State, freshness: Freshness): Snap {
  const query = (schema: unknown, args: readonly unknown[]): unknown => denormalize(schema, queryKey(schema, args, state), state, args)
  const result = (schema: unknown, key: string, args: readonly unknown[]): unknown => denormalize(schema, readResult(state, key), state, args)
  return {
    get: (schema, ...args) => query(schema, args) as never,
    getResponse: createResponses({ query, result }, freshness, { state }).getResponse,
    abort: ABORT,
  }
}
