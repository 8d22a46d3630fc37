import type { Stamp } from '../base/stamp.ts'
import type { ChangeOperation } from '../normalize/operations.ts'
import { locate, patchDraft, stampDraft } from '../store/applyPatches.ts'
import type { Cell } from '../store/cell.ts'
import { Draft } from '../store/Draft.ts'
import type { Patch } from '../store/immer.ts'
import type { StampGroup } from '../store/patches.ts'
import type { State } from '../store/State.ts'

/** Patches from outside as operations that can be folded again over another state. A removed entity counts as deleted, unless garbage collection removed it; a list that is gone may be fetched again. */
export function changeOperations(base: State, patches: readonly Patch[], stamps: readonly StampGroup[], stamp: Stamp, deletes: boolean): ChangeOperation[] {
  const draft = new Draft(base)
  const removed = new Set<Cell>()
  patchDraft(draft, patches, cell => cell.table.ordinal >= 0 && typeof cell.table.owner !== 'object' && removed.add(cell))
  if (deletes) for (const cell of removed) if (draft.read(cell) === undefined) draft.setStamp(cell, Object.freeze({ ...stamp, deleted: true }))
  stampDraft(draft, stamps)
  const fields = new Map<Cell, Set<string> | undefined>()
  for (const patch of patches) {
    const { cell, path } = locate(draft, patch)
    if (path.length === 0) fields.set(cell, undefined)
    else if (!fields.has(cell)) fields.set(cell, new Set([String(path[0])]))
    else fields.get(cell)?.add(String(path[0]))
  }
  for (const { key, pks } of stamps) for (const pk of pks) if (!fields.has(draft.directory.table(key).cell(pk))) fields.set(draft.directory.table(key).cell(pk), new Set())
  return [...fields].map(([cell, names]) => {
    const after = draft.stamp(cell)
    return { type: 'change', cell, before: base.read(cell), after: draft.read(cell), fields: names, stamp: cell.table.ordinal < 0 || after === base.stamp(cell) ? undefined : (after ?? null) }
  })
}
