import { queryKeyOf } from '../schema/dispatch.ts'
import { lookup } from '../store/lookup.ts'
import { cellsOf, readRow, type State } from '../store/state.ts'

/** What `denormalize` is to be given for `schema` and these arguments; undefined when the state cannot answer. */
export function queryKey(schema: unknown, args: readonly unknown[], state: State): unknown {
  return queryKeyOf(schema, args, {
    has: (key, pk) => readRow(state, key, pk) !== undefined,
    lookup: (key, field, value) => lookup(state, key, field, value)?.pk,
    known: key => cellsOf(state, key) !== undefined,
    record: (key, pk) => readRow(state, key, pk),
  })
}
