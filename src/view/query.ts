import { queryKeyOf } from '../schema/dispatch.ts'
import type { QueryHost } from '../schema/interface.ts'
import { lookup } from '../store/lookup.ts'
import { cellsOf, readRow, type State } from '../store/state.ts'

/** What a state can say about its rows without building a view. */
export class StateQuery implements QueryHost {
  readonly #state: State

  constructor(state: State) {
    this.#state = state
  }

  has(key: string, pk: string): boolean {
    return readRow(this.#state, key, pk) !== undefined
  }

  lookup(key: string, field: string, value: unknown): string | undefined {
    return lookup(this.#state, key, field, value)?.pk
  }

  known(key: string): boolean {
    return cellsOf(this.#state, key) !== undefined
  }

  record(key: string, pk: string): object | undefined {
    return readRow(this.#state, key, pk)
  }
}

/** What `denormalize` is to be given for `schema` and these arguments; undefined when the state cannot answer. */
export function queryKey(schema: unknown, args: readonly unknown[], state: State): unknown {
  return queryKeyOf(schema, args, new StateQuery(state))
}
