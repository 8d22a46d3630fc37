import type { Stamp } from '../base/stamp.ts'
import type { EditOperation } from '../normalize/fold.ts'
import { rebase } from '../normalize/rebase.ts'
import { locate, patchDraft, stampDraft } from '../store/applyPatches.ts'
import { Draft } from '../store/Draft.ts'
import type { Patch } from '../store/immer.ts'
import type { StampGroup } from '../store/patches.ts'
import type { Cell, State } from '../store/State.ts'

/** Patches from outside as operations that can be folded again over another state. A removed entity counts as deleted, unless garbage collection removed it; a list that is gone may be fetched again. */
export function changeOperations(base: State, patches: readonly Patch[], stamps: readonly StampGroup[], stamp: Stamp, deletes: boolean): EditOperation[] {
  const draft = new Draft(base)
  const removed = new Set<Cell>()
  patchDraft(draft, patches, cell => cell.isEntity && typeof cell.table.owner !== 'object' && removed.add(cell))
  if (deletes) for (const cell of removed) if (!draft.read(cell)) draft.setStamp(cell, Object.freeze({ ...stamp, deleted: true }))
  stampDraft(draft, stamps)
  const fields = new Map<Cell, Set<string> | undefined>()
  for (const patch of patches) {
    const { cell, path } = locate(draft, patch)
    const names = fields.has(cell) ? fields.get(cell) : new Set<string>()
    fields.set(cell, path.length ? names?.add(String(path[0])) : undefined)
  }
  const stamped = stamps.flatMap(({ key, pks }) => pks.map(pk => draft.directory.table(key).cell(pk)))
  for (const cell of stamped) if (!fields.has(cell)) fields.set(cell, new Set())
  return [...fields].map(([cell, names]) => {
    const change = { before: base.read(cell), after: draft.read(cell), fields: names }
    const after = draft.stamp(cell)
    const isStamped = cell.isEntity && after !== base.stamp(cell)
    const apply = (target: Draft): void => {
      target.write(cell, rebase(target.read(cell), change))
      if (isStamped) target.setStamp(cell, after)
    }
    return { type: 'edit', cell, apply }
  })
}
