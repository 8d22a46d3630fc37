import type { Stamp } from '../base/stamp.ts'
import type { MembershipChange, MergePolicy } from '../schema/interface.ts'
import type { Plan } from '../schema/plan.ts'
import type { Cell, Table } from '../store/cell.ts'
import type { Draft } from '../store/Draft.ts'
import type { State } from '../store/State.ts'

/** The effect of a response, a local write or a foreign patch on a state. Operations do not depend on a state, so they can be folded again over another one. */
export type Operation = WriteOperation | RemoveOperation | MembersOperation | EditOperation

/** Merges a record into a row, or creates it. */
export interface WriteOperation {
  readonly type: 'write'
  readonly cell: Cell
  readonly policy: MergePolicy
  /** The plan of an entity class; undefined for collections. */
  readonly plan: Plan | undefined
  record: object
  /** The answer of a creation: existing data about the row is newer, and wins. */
  isFirst?: boolean
}

/** Marks a row as deleted. */
export interface RemoveOperation {
  readonly type: 'remove'
  readonly cell: Cell
}

/** Changes the members of every stored collection of a table. */
export interface MembersOperation extends Omit<MembershipChange, 'key'> {
  readonly type: 'members'
  readonly table: Table
  /** States in which the call was made and sent. */
  earlier?: readonly State[]
}

/** Edits one row in a way of its own: an updater, a patch from outside, the result of an endpoint. */
export interface EditOperation {
  readonly type: 'edit'
  readonly cell: Cell
  apply(draft: Draft, options: FoldOptions): void
  /** Of an updater: the cells of the objects that it last wrote into schema fields. */
  nested?: readonly Cell[]
}

/** The stamp of a response, and how its operations are folded. */
export interface FoldOptions {
  readonly stamp: Stamp
  /** A pending call: it does not make data fresh. */
  readonly pending?: boolean
  /** The response came too late for its position: it only adds what is missing. */
  readonly overtaken?: boolean | undefined
  /** The operations were folded before: an updater that no longer applies has no effect. */
  readonly isReplay?: boolean
  /** Only these cells, and collections of these tables, are written. */
  readonly only?: ReadonlySet<Cell | Table>
}
