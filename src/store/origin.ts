import type { Added } from './draft.ts'
import type { Patch } from './immer.ts'
import type { State } from './state.ts'

/**
 * What patches that were made here remember of their making: the version that they lead to. It only saves work.
 * Patches that were changed, copied or sent are judged like any others.
 */
export interface Origin {
  readonly draft: { readonly before: State; restore(): boolean }
  readonly after: State
  readonly stamps: readonly object[]
  /** For each patch the row that it adds; where it does something else, a copy of the patch. */
  readonly marks: readonly (Added | Patch)[]
}

/** Makes nothing and gives the list that it is called with, for a class to add a field to. */
const Given = function (list: object): object {
  return list
} as unknown as new (list: object) => object

/** Patches with a private field: nobody can see it, so that they still are and compare as a list. */
class Remembering extends Given {
  readonly #origin: Origin

  constructor(patches: readonly Patch[], origin: Origin) {
    super(patches)
    this.#origin = origin
  }

  static originOf(patches: object): Origin | undefined {
    return #origin in patches ? patches.#origin : undefined
  }
}

export function remember(patches: readonly Patch[], origin: Origin): void {
  void new Remembering(patches, origin)
}

/** The version that these patches were made from, if `state` is the one that they were made for. */
export function madeFrom(state: State, patches: readonly Patch[], stamps: readonly object[]): State | undefined {
  const origin = Remembering.originOf(patches)
  if (origin === undefined || origin.draft.before !== state || origin.stamps !== stamps || patches.length !== origin.marks.length) return undefined
  for (let i = 0; i < patches.length; i++) if (!isIntact(patches[i], origin.marks[i]!)) return undefined
  return origin.draft.restore() ? origin.after : undefined
}

/** By its content and not by its identity: whoever has a patch may write to it, or put something else in its place. */
function isIntact(patch: Patch | undefined, mark: Added | Patch): boolean {
  const { op, path, value } = patch ?? ({} as Partial<Patch>)
  if (path === undefined) return false
  if ('op' in mark) return op === mark.op && Object.is(value, mark.value) && path.length === mark.path.length && path.every((step, i) => step === mark.path[i])
  const { cell, record } = mark
  // Of the very same string nothing has to be fetched.
  return op === 'add' && value === record && path.length === 3 && Object.is(path[2], cell.pk) && path[1] === cell.table.key && path[0] === 'entities'
}
