import type { Stamp } from '../base/stamp.ts'
import type { EditOperation } from '../normalize/operations.ts'
import { rebase, type RowChange } from '../normalize/rebase.ts'
import type { Cell } from '../store/cell.ts'
import type { Draft } from '../store/Draft.ts'
import type { Row } from '../store/State.ts'

const NONE: ReadonlySet<string> = /* @__PURE__ */ Object.freeze(new Set<string>())

/** The positions of a change and of what is known of a row. */
export interface Positions {
  readonly at: number
  readonly knownAt: number
  /** The stamp of the change, if it is newer. */
  readonly stamp: Stamp | undefined
  /** The row was deleted here, not before the change. */
  readonly isDeleted: boolean
}

/** What becomes of a row by a change from outside. */
export class Incoming implements EditOperation, RowChange {
  readonly type = 'edit'
  readonly cell: Cell
  readonly before: Row | undefined
  readonly positions: Positions
  after: Row | undefined
  fields: ReadonlySet<string> | undefined = NONE

  constructor(cell: Cell, row: Row | undefined, positions: Positions) {
    this.cell = cell
    this.before = this.after = row
    this.positions = positions
  }

  /** The whole row is another one. */
  replace(row: Row | undefined): void {
    this.after = row
    this.fields = undefined
  }

  /** One field of the row has changed. */
  set(row: Row, field: string): void {
    this.after = row
    if (this.fields) this.fields = new Set([...this.fields, field])
  }

  /** Whether it does anything. A stamp alone says nothing about a row that is not here. */
  get isChange(): boolean {
    const { stamp } = this.positions
    return this.after !== this.before || (stamp !== undefined && (this.after !== undefined || stamp.deleted === true))
  }

  apply(draft: Draft): void {
    draft.write(this.cell, rebase(draft.read(this.cell), this))
    if (this.positions.stamp) draft.setStamp(this.cell, this.positions.stamp)
  }
}
