import type { Added, Draft } from './draft.ts'
import type { Patch } from './immer.ts'
import type { State } from './state.ts'

/**
 * What patches that were made here remember of their making: the version that they lead to. It only saves work.
 * Patches that were changed, copied or sent are judged like any others.
 */
export interface Origin {
  readonly draft: Draft
  readonly after: State
  readonly stamps: readonly object[]
  /** For each patch the row that it adds; where it does something else, a copy of the patch. */
  readonly marks: readonly (Added | Patch)[]
}

const ORIGIN = Symbol('origin')

/** Hidden, so that the list still is and compares as a list of patches. */
export function remember(patches: Patch[], origin: Origin): void {
  Object.defineProperty(patches, ORIGIN, { value: origin })
}

/** The version that these patches were made from, if `state` is the one that they were made for. */
export function madeFrom(state: State, patches: readonly Patch[], stamps: readonly object[]): State | undefined {
  const origin = (patches as { [ORIGIN]?: Origin })[ORIGIN]
  if (origin === undefined || origin.draft.before !== state || origin.stamps !== stamps || patches.length !== origin.marks.length) return undefined
  for (let i = 0; i < patches.length; i++) if (!isIntact(patches[i]!, origin.marks[i]!)) return undefined
  return origin.draft.restore() ? origin.after : undefined
}

/** By its content and not by its identity: whoever has a patch may write to it. */
function isIntact({ op, path, value }: Patch, mark: Added | Patch): boolean {
  if ('op' in mark) return op === mark.op && Object.is(value, mark.value) && path.length === mark.path.length && path.every((step, i) => step === mark.path[i])
  const { cell, record } = mark
  // Of the very same string nothing has to be fetched.
  return op === 'add' && value === record && path.length === 3 && Object.is(path[2], cell.pk) && path[1] === cell.table.key && path[0] === 'entities'
}
