import type { Stamp } from '../base/stamp.ts'
import type { EntityClass, MembershipChange, MergePolicy } from '../schema/interface.ts'
import type { Plan } from '../schema/plan.ts'
import type { Cell, Table } from '../store/cell.ts'
import type { Row, State } from '../store/State.ts'

/** What a response, a local write or a foreign patch does to a state. Operations do not depend on a state, so they can be folded again over another one. */
export type Operation = WriteOperation | RemoveOperation | ResultOperation | MembersOperation | UpdateOperation | ChangeOperation | ResultUpdateOperation

/** Merges a record into a row, or creates it. */
export interface WriteOperation {
  readonly type: 'write'
  readonly cell: Cell
  readonly policy: MergePolicy
  /** The plan of an entity class; undefined for collections. */
  readonly plan: Plan | undefined
  record: object
  /** The answer of a creation: whatever is known of the row by now was said later, and wins. */
  isFirst?: boolean
}

/** Marks a row as deleted. */
export interface RemoveOperation {
  readonly type: 'remove'
  readonly cell: Cell
}

/** Stores the result of an endpoint. */
export interface ResultOperation {
  readonly type: 'result'
  readonly cell: Cell
  readonly result: unknown
}

/** Changes the members of every stored collection of a table. */
export interface MembersOperation {
  readonly type: 'members'
  readonly table: Table
  readonly change: MembershipChange['change']
  readonly takes: MembershipChange['takes']
  readonly readsRecords: boolean
  /** States in which the call was made and sent. */
  earlier?: readonly State[]
}

/** Lets a function change a draft of a record. */
export interface UpdateOperation {
  readonly type: 'update'
  readonly cell: Cell
  readonly entity: EntityClass
  readonly recipe: (record: never) => unknown
  readonly args: readonly unknown[]
  /** Cells of the objects that the recipe last wrote into schema fields. */
  nested?: readonly Cell[]
}

/** Lets a function change the result of an endpoint. */
export interface ResultUpdateOperation {
  readonly type: 'resultUpdate'
  readonly cell: Cell
  readonly update: (previous: never) => unknown
  readonly report: (error: unknown) => void
}

/** Repeats a change of one row that was made by patches, from outside or by undo. Over another row it is rebased. */
export interface ChangeOperation {
  readonly type: 'change'
  readonly cell: Cell
  readonly before: Row | undefined
  readonly after: Row | undefined
  /** The stamp to set; undefined leaves it. */
  readonly stamp: Stamp | null | undefined
  /** Fields that were set or removed by name; undefined when the whole row was replaced. */
  readonly fields: ReadonlySet<string> | undefined
}

/** The stamp of a response, and how its operations are folded. */
export interface FoldOptions {
  readonly stamp: Stamp
  /** A pending call: it does not make data fresh. */
  readonly pending?: boolean
  /** The response came too late for its position: it only adds what is missing. */
  readonly overtaken?: boolean
  /** The operations were folded before: an updater that no longer applies has no effect. */
  readonly isReplay?: boolean
  /** Only these cells, and collections of these tables, are written. */
  readonly only?: ReadonlySet<Cell | Table>
}
