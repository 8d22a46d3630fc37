// The internals that the laws need. Version 2 has its own in test/adapter.next.ts, with the same names and meanings.
import { fold as foldOperations } from '../src/normalize/fold.ts'
import { normalizeInto, takeApart } from '../src/normalize/normalize.ts'
import { diffStamps, diffStates } from '../src/store/diff.ts'
import { Draft } from '../src/store/draft.ts'
import { lookup as lookupCell } from '../src/store/lookup.ts'
import { cellOf } from '../src/store/state.ts'
import { exportState, type NormalizeMeta, type Patch, type StampGroup, type State } from '../src/index.ts'

/** The record as it is stored; `exportState` leaves out what JSON cannot express. */
export { readRow } from '../src/store/state.ts'

/** The result of an endpoint as it is stored, for the same reason. */
export { readResult } from '../src/store/state.ts'

/** What arguments find, as `denormalize` takes it; a controller for each of a million questions would take minutes. */
export { queryKey } from '../src/view/query.ts'

/** The pk of the first row whose field has this value; the public way in asks it of `static indexes` only. */
export const lookup = (state: State, key: string, field: string, value: unknown): string | undefined => lookupCell(state, key, field, value)?.pk

/** The patches and stamps between any two states; commits and `inversePatches` show it for neighbours only. */
export const difference = (before: State, after: State): { readonly patches: readonly Patch[]; readonly stamps: readonly StampGroup[] } => ({
  patches: diffStates(before, after),
  stamps: diffStamps(before, after),
})

/** Takes a response into a state without patches, as a controller does, but with stamps of the caller's. */
export const fold = (before: State, schema: unknown, input: unknown, args: readonly unknown[], meta: NormalizeMeta): State => {
  const draft = new Draft(before)
  try {
    normalizeInto(draft, schema, input, args, meta)
  } catch (error) {
    draft.abandon()
    throw error
  }
  return draft.finish()
}

/** Takes a response in and drops the state that it leads to, so that only what a write leaves behind by accident is left. */
export const foldAndDrop = (before: State, schema: unknown, input: unknown, args: readonly unknown[], meta: NormalizeMeta): void => {
  const draft = new Draft(before)
  try {
    normalizeInto(draft, schema, input, args, meta)
  } finally {
    draft.abandon()
  }
}

/** As `fold`, by operations that were made without looking at the state, as for a read that lands late. */
export const foldBlind = (before: State, schema: unknown, input: unknown, args: readonly unknown[], meta: NormalizeMeta): State => {
  const { fetchedAt, date, expiresAt, temporary } = meta
  const draft = new Draft(before)
  foldOperations(draft, takeApart(draft, schema, input, args, temporary, true).operations, Object.freeze({ fetchedAt, date, expiresAt }))
  return draft.finish()
}

/** Whatever a failed write could leave behind beside rows and stamps; no door shows it. */
export const traces = (state: State): unknown => {
  const tables = [...(state.cells?.tables ?? []), ...(state.cells ? [state.cells.endpoints] : [])]
  const marks = exportState(state).entities.flatMap(([key, rows]) => rows.filter(([pk]) => cellOf(state, key, pk)!.pass !== undefined).map(([pk]) => `${key} ${pk}`))
  return { cells: tables.map(({ key, size }) => [key, size]), marks }
}
