import type { AnyEndpoint } from '../endpoint/types.ts'
import { cellOf, readResult, type State } from '../store/state.ts'
import { queryKey } from '../view/query.ts'
import { reach } from '../view/reach.ts'
import type { Freshness, Status } from './freshness.ts'

/** A row. */
export interface Target {
  readonly key: string
  readonly pk: string
}

export interface Reader {
  readonly endpoint: AnyEndpoint
  readonly args: readonly unknown[]
}

/** A read that has been made before and that shows this row: one of the row alone, if there is one. */
export function readerOf({ key, pk }: Target, state: State, freshness: Freshness): Reader | undefined {
  const cell = cellOf(state, key, pk)
  let other: Status | undefined
  for (const name of freshness.keys()) {
    const status = freshness.get(name)
    const { endpoint, args } = status
    if (endpoint === undefined || endpoint.sideEffect) continue
    const { schema } = endpoint
    try {
      if ((schema as { readonly key?: unknown } | undefined)?.key === key && queryKey(schema, args, state) === pk) return status as Reader
    } catch {
      // A class that throws when it is asked for a pk does not say that it shows this row by itself. Its result may.
    }
    if (other === undefined) {
      reach(schema, readResult(state, name), state, each => {
        if (each === cell) other = status
      })
    }
  }
  return other as Reader | undefined
}
