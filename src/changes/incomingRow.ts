import { keep } from '../base/plain.ts'
import type { Stamp } from '../base/stamp.ts'
import type { EditOperation } from '../normalize/operations.ts'
import { rebase } from '../normalize/rebase.ts'
import type { Cell } from '../store/cell.ts'
import type { Row } from '../store/State.ts'

interface Incoming {
  /** Undefined when it was removed. */
  readonly row: Row | undefined
  /** False when only a stamp came: the row that is here was confirmed. */
  readonly hasRow: boolean
  /** What the sender had before; needed to merge lists. */
  readonly before: Row | undefined
  readonly stamp: Stamp | undefined
  readonly isNewer: boolean
}

/** A row from another tab or from disk. The later of it and the row that is here is stored, with the fields that only the earlier one has. */
export function incomingRow(cell: Cell, { row, hasRow, before = {}, stamp, isNewer }: Incoming): EditOperation {
  return {
    type: 'edit',
    cell,
    apply(draft) {
      const own = draft.read(cell)
      if (!isNewer && draft.stamp(cell)?.deleted) return
      const [below, above] = isNewer ? [own, hasRow ? row : own] : [row, own]
      const isMerged = below && above && cell.table.ordinal >= 0
      const next = isMerged ? rebase(below, { before, after: above, fields: new Set(Object.keys({ ...before, ...above })) }) : above
      draft.write(cell, keep(own, next) as Row)
      // A stamp alone says nothing about a row that is not here.
      if (isNewer && stamp && (next || stamp.deleted)) draft.setStamp(cell, stamp)
    },
  }
}
