import type { Entry, Known, Membership } from '../schema/interface.ts'
import type { Cell, CellTable } from '../store/cell.ts'

/**
 * What a response asks of the store, before any store has been looked at: it can be done to any version,
 * and done again to another.
 */
export type Operation = Write | Remove | Members

/** What a pass knows of a class or collection. */
export interface Acquaintance extends Known {
  readonly table: CellTable
  /** It tells how a row came to be: whatever is known of the row is newer, whenever this arrives. */
  readonly first: boolean
}

export type Found = typeof UNSURE | typeof NEW | typeof SAME
export const UNSURE = 0
/** Its cell was made for it: nobody can know anything of it. */
export const NEW = 1
/** It is the record itself: nothing of it has changed. */
export const SAME = 2

/** Merge a record into a row. */
export class Write implements Entry {
  declare readonly cell: Cell
  declare readonly about: Acquaintance
  /** The object that spoke of this row first; undefined once that no longer matters. */
  declare input: object | undefined
  /** Undefined until the entity's fields have been visited. */
  record: object | undefined = undefined
  /** What the pass has found of the row in the draft. */
  declare found: Found

  constructor(cell: Cell, about: Acquaintance, input: object | undefined, found: Found = UNSURE) {
    this.cell = cell
    this.about = about
    this.input = input
    this.found = found
  }

  /** The same, told of a row that nobody can have known before. */
  asFirst(): Write {
    const first = new Write(this.cell, { ...this.about, first: true }, this.input)
    first.record = this.record
    return first
  }
}

/** Mark a row deleted. */
export class Remove {
  declare readonly cell: Cell

  constructor(cell: Cell) {
    this.cell = cell
  }
}

/** Change the members of the collections of one table. */
export class Members {
  declare readonly table: CellTable
  declare readonly membership: Membership

  constructor(table: CellTable, membership: Membership) {
    this.table = table
    this.membership = membership
  }
}
