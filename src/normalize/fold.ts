import { ValidationError } from '../base/errors.ts'
import { parseObject } from '../base/keys.ts'
import { copyOf, hasOwn, identical, isObject, keep, put, take, type Plain } from '../base/plain.ts'
import type { Meta, Stamp } from '../base/stamp.ts'
import type { CollectionKey } from '../schema/filter.ts'
import type { Fields, MembershipChange, MergePolicy } from '../schema/interface.ts'
import type { Plan } from '../schema/plan.ts'
import type { Draft } from '../store/Draft.ts'
import type { Cell, Row, State, Table } from '../store/State.ts'

/** The effect of a response, a local write or a foreign patch on a state. Operations do not depend on a state, so they can be folded again over another one. */
export type Operation = WriteOperation | RemoveOperation | MembersOperation | EditOperation

/** Merges a record into a row, or creates it. */
export interface WriteOperation {
  readonly type: 'write'
  readonly cell: Cell
  readonly policy: MergePolicy
  /** The plan of an entity class; undefined for collections. */
  readonly plan: Plan | undefined
  /** Set by the walk when it has the whole record, so not by a shallow one. */
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

const NO_META: Meta = /* @__PURE__ */ Object.freeze({ fetchedAt: 0, date: 0, expiresAt: 0 })

/** Folds operations into a draft, in order. */
export function fold(draft: Draft, operations: readonly Operation[], options: FoldOptions): void {
  const { only } = options
  const deleted: Stamp = Object.freeze({ ...options.stamp, deleted: true })
  const earlier = recordsBefore(draft, operations)
  for (const operation of operations) {
    if (operation.type === 'members') {
      if (!options.overtaken) foldMembers(draft, operation, earlier, options)
    } else if (only && !only.has(operation.cell) && !only.has(operation.cell.table)) continue
    else if (operation.type === 'write') foldWrite(draft, operation, options)
    else if (operation.type === 'remove') foldRemove(draft, operation.cell, deleted, options)
    else operation.apply(draft, options)
  }
}

function foldWrite(draft: Draft, { cell, policy, plan, record, isFirst }: WriteOperation, options: FoldOptions): void {
  const row = draft.read(cell)
  // A patch may have put a list where a record belongs.
  const existing = plan && Array.isArray(row) ? undefined : row
  const known = draft.stamp(cell)
  if (options.overtaken) return foldMissing(draft, cell, existing, known, record, options)
  let { stamp } = options
  // The answer of a creation lies beneath what is known of the row by now. A version may still say that it is newer.
  if (isFirst && (existing || known?.deleted)) stamp = Object.freeze({ ...stamp, fetchedAt: (known?.fetchedAt ?? 0) - 1 })
  if (!existing) {
    // A response from before the deletion does not bring the entity back.
    if (known?.deleted && stamp.fetchedAt < known.fetchedAt) return
    // A response may delete a row and write it again; an equal row keeps its reference.
    draft.write(cell, known?.deleted ? keep(draft.before.read(cell), record) : record)
    return mark(draft, cell, known, stamp, options)
  }
  const existingMeta = known ?? NO_META
  if (plan && !plan.custom.merge) {
    const isOlder = stamp.fetchedAt < existingMeta.fetchedAt
    const next = isOlder ? mergeUnder(existing as Fields, record as Fields) : mergeOver(existing as Fields, record as Fields, draft)
    if (next !== existing) draft.write(cell, next)
    if (!isOlder) mark(draft, cell, known, stamp, options)
    return
  }
  // User code must not write into records, and the operation may be folded again.
  const merged: unknown = policy.mergeWithStore(existingMeta, stamp, Object.freeze(existing), Object.freeze(record))
  if (!isObject(merged)) throw new ValidationError(`${policy.key}: merge must return the record, not ${String(merged)}.`, merged)
  draft.write(cell, keep(existing, merged === record ? record : (take(merged) as Row)))
  const meta = policy.mergeMetaWithStore(existingMeta, stamp, existing, record)
  if (meta !== existingMeta) mark(draft, cell, known, meta === stamp ? stamp : Object.freeze({ ...meta }), options)
}

/** An overtaken response adds missing rows and fields. Rows that it touches are no longer fresh. */
function foldMissing(draft: Draft, cell: Cell, existing: Row | undefined, known: Stamp | undefined, record: object, { stamp }: FoldOptions): void {
  if (existing ? Array.isArray(existing) : known?.deleted) return
  draft.write(cell, existing ? mergeUnder(existing as Fields, record as Fields) : record)
  draft.setStamp(cell, Object.freeze({ ...(known ?? stamp), expiresAt: 0 }))
}

function foldRemove(draft: Draft, cell: Cell, deleted: Stamp, options: FoldOptions): void {
  const known = draft.stamp(cell)
  // A deletion that was asked for before the row was fetched again says nothing about the new row.
  if (options.overtaken || (known !== undefined && deleted.fetchedAt < known.fetchedAt)) return
  draft.write(cell, undefined)
  mark(draft, cell, known, deleted, options)
}

/** Sets the stamp of a row. A pending call does not make data fresh: only the mark `deleted` follows the row. */
function mark(draft: Draft, cell: Cell, known: Stamp | undefined, stamp: Stamp, { pending }: FoldOptions): void {
  if (!pending) return draft.setStamp(cell, stamp)
  if (known?.deleted === stamp.deleted) return
  const { deleted: _, ...meta } = known ?? NO_META as Stamp
  draft.setStamp(cell, stamp.deleted ? Object.freeze({ ...meta, deleted: true }) : meta.fetchedAt ? Object.freeze(meta) : undefined)
}

/** The default merge: `existing` with the fields of `incoming` that differ; `existing` itself when none does. */
function mergeOver(existing: Fields, incoming: Fields, draft: Draft): Fields {
  if (draft.owns(existing)) return mergeInto(existing, incoming)
  let next: Plain | undefined
  const fields = Object.keys(existing)
  const known: unknown[] = Object.values(existing)
  let i = 0
  // In a loop over the names of an object, its members are read without a lookup.
  for (const field in incoming) {
    const value = incoming[field]
    // Two records of one endpoint have the same fields in the same order: most are found without a lookup.
    const old = fields[i++] === field ? known[i - 1] : hasOwn(existing, field) ? existing[field] : undefined
    if (value === old || !hasOwn(incoming, field)) continue
    const reused = typeof value === 'object' ? keep(old, value) : value
    if (identical(reused, old)) continue
    put((next ??= draft.copy(existing)), field, reused)
  }
  return next ?? existing
}

/** The same in place, without comparing, for a record that nobody else refers to: one that a walk is making, or a copy of this draft. */
export function mergeInto(existing: Plain, incoming: Fields): Plain {
  try {
    return Object.assign(existing, incoming)
  } catch {
    // `Object.prototype` is frozen and has a member with the name of a field: such a field cannot be assigned.
    for (const field of Object.keys(incoming)) put(existing, field, incoming[field])
    return existing
  }
}

/** Only the fields that `existing` lacks. */
function mergeUnder(existing: Fields, incoming: Fields): Fields {
  return Object.keys(incoming).every(field => hasOwn(existing, field)) ? existing : mergeInto(mergeInto(copyOf(existing), incoming), existing)
}

/** The records that the operations are going to write, for membership changes that compare old and new values. */
function recordsBefore(draft: Draft, operations: readonly Operation[]): ReadonlyMap<Cell, Row | undefined> | undefined {
  if (!operations.some(operation => operation.type === 'members' && operation.readsRecords)) return undefined
  // Frozen, because a draft changes its own rows in place.
  return new Map(operations.flatMap(operation => (operation.type === 'write' ? [[operation.cell, Object.freeze(draft.read(operation.cell))] as const] : [])))
}

function foldMembers(draft: Draft, { table, change, earlier = [] }: MembersOperation, records: ReturnType<typeof recordsBefore>, { only }: FoldOptions): void {
  const find = <T>(key: string, pk: string, read: (cell: Cell) => T): T | undefined => {
    const cell = draft.directory.find(key)?.find(pk)
    return cell && read(cell)
  }
  const lookup = {
    before: (key: string, pk: string) => find(key, pk, cell => [records?.get(cell), ...earlier.map(state => state.read(cell))].filter(record => record !== undefined)) ?? [],
    after: (key: string, pk: string) => find(key, pk, cell => draft.read(cell)),
  }
  for (const cell of table.bySlot) {
    const existing = draft.read(cell)
    if (existing === undefined || (only && !only.has(cell) && !only.has(table))) continue
    // A collection whose pk is no JSON object has no arguments that a creation could match.
    const key = parseObject(cell.pk) as CollectionKey | undefined
    if (key !== undefined) draft.write(cell, change(existing, key, lookup))
  }
}
