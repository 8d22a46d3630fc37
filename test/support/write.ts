import { applyPatches, emptyState, normalize } from '../../src/index.ts'
import type { NormalizeMeta, Normalized, State } from '../../src/index.ts'

/** A response that was fetched at this moment. */
export const at = (fetchedAt: number): NormalizeMeta => ({ fetchedAt, date: fetchedAt, expiresAt: fetchedAt + 1000 })

/** A response taken apart, and the state after it. */
export interface Written { readonly change: Normalized; readonly result: unknown; readonly state: State }

/** Takes `input` in by the public doors: `normalize`, then `applyPatches`. */
export function write(schema: unknown, input: unknown, state: State = emptyState, args: readonly unknown[] = [], meta?: NormalizeMeta): Written {
  const change = normalize(schema, input, args, state, meta)
  return { change, result: change.result, state: applyPatches(state, change.patches, change.stamps) }
}

/** Takes several responses in, one after the other. */
export function writeAll(schema: unknown, inputs: readonly unknown[], state: State = emptyState): State {
  return inputs.reduce((before: State, input) => write(schema, input, before).state, state)
}
