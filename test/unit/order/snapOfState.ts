import { denormalize } from '../../../src/index.ts'
import type { AnyEndpoint, Snap, State } from '../../../src/index.ts'
import { ABORT } from '../../../src/order/snap.ts'
import { readResult } from '../../../src/store/state.ts'
import { queryKey } from '../../../src/view/query.ts'

/** What a state shows, without freshness: for a timeline that has no controller. */
export function snapOfState(state: State): Snap {
  return {
    get: (schema, ...args) => denormalize(schema, queryKey(schema, args, state), state, args),
    getResponse: (endpoint: AnyEndpoint, ...args: unknown[]) => {
      const { schema } = endpoint
      const stored = readResult(state, endpoint.key(...args)) ?? (schema ? queryKey(schema, args, state) : undefined)
      const data = (schema ? denormalize(schema, stored, state, args) : stored) as never
      return { data, expiryStatus: stored === undefined ? 1 : 3, expiresAt: stored === undefined ? 0 : Infinity }
    },
    abort: ABORT,
  }
}
