import { keep } from '../base/plain.ts'
import type { Stamp } from '../base/stamp.ts'
import type { EditOperation } from '../normalize/operations.ts'
import { rebase } from '../normalize/rebase.ts'
import type { Cell } from '../store/cell.ts'
import type { Draft } from '../store/Draft.ts'
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

/** A row from outside: the later of two rows wins, and takes over the fields that only the other one has. */
export class IncomingRow implements EditOperation {
  readonly type = 'edit'
  readonly cell: Cell
  readonly incoming: Incoming

  constructor(cell: Cell, incoming: Incoming) {
    this.cell = cell
    this.incoming = incoming
  }

  apply(draft: Draft): void {
    const { cell, incoming: { row, hasRow, before = {}, stamp, isNewer } } = this
    const own = draft.read(cell)
    if (!isNewer && draft.stamp(cell)?.deleted) return
    const [below, above] = isNewer ? [own, hasRow ? row : own] : [row, own]
    const isMerged = below && above && cell.table.ordinal >= 0
    const next = isMerged ? rebase(below, { before, after: above, fields: new Set(Object.keys({ ...before, ...above })) }) : above
    draft.write(cell, keep(own, next) as Row)
    // A stamp alone says nothing about a row that is not here.
    if (isNewer && stamp && (next || stamp.deleted)) draft.setStamp(cell, stamp)
  }
}
