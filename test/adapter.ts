// The internals that laws and hostile inputs may name, because no door gives what they need.
import { fold as foldOperations } from '../src/normalize/fold.ts'
import { takeApart } from '../src/normalize/normalize.ts'
import { Draft } from '../src/store/Draft.ts'
import { patchesBetween, stampsBetween } from '../src/store/patches.ts'
import { findByIndex } from '../src/store/SecondaryIndex.ts'
import { Builder } from '../src/view/Builder.ts'
import type { NormalizeMeta, Patch, StampGroup, State } from '../src/index.ts'

/** One record, where `exportState` would copy the whole state. */
export const readRow = (state: State, key: string, pk: string): object | undefined => {
  const cell = state.cell(key, pk)
  return cell && Object.freeze(state.read(cell))
}

/** The stored result of an endpoint, as it is. */
export const readResult = (state: State, key: string): unknown => {
  const cell = state.directory?.results.find(key)
  return cell && state.read(cell)
}

/** What a schema finds in a state, before it becomes a view. */
export const queryKey = (schema: unknown, args: readonly unknown[], state: State): unknown => new Builder(state, args).queryKey(schema, args)

/** An index alone, without the views that use it. */
export const lookup = (state: State, key: string, field: string, value: unknown): string | undefined => findByIndex(state, key, field, value)?.pk

/** Patches of any two states; doors give those of one commit. */
export const difference = (before: State, after: State): { readonly patches: readonly Patch[]; readonly stamps: readonly StampGroup[] } => ({
  patches: patchesBetween(before, after),
  stamps: stampsBetween(before, after),
})

/** The next state itself, where `normalize` gives patches to it. */
export const fold = (before: State, schema: unknown, input: unknown, args: readonly unknown[], meta: NormalizeMeta): State => {
  const { fetchedAt, date, expiresAt } = meta
  const draft = new Draft(before)
  foldOperations(draft, takeApart(schema, input, args, draft.directory, { copies: true }).operations, { stamp: Object.freeze({ fetchedAt, date, expiresAt }) })
  return draft.finish()
}

/** A response that is folded and comes to nothing. */
export const foldAndDrop = (before: State, schema: unknown, input: unknown, args: readonly unknown[], meta: NormalizeMeta): void => void fold(before, schema, input, args, meta)

/** A response that is folded by a caller who has not seen the state. */
export const foldBlind = fold
