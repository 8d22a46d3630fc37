import { PatchcordError, SchemaError } from '../base/errors.ts'
import { takeApart, type NormalizeMeta } from '../normalize/normalize.ts'
import { Members, Write, type Operation } from '../normalize/operation.ts'
import { updateRecord } from '../normalize/update.ts'
import { isEntityClass, nameOf } from '../schema/dispatch.ts'
import type { EntityClass } from '../schema/interface.ts'
import type { Cell } from '../store/cell.ts'
import type { Draft } from '../store/draft.ts'
import type { Row } from '../store/rows.ts'
import { cellOf, readRow, rowOf, stampOf, type State } from '../store/state.ts'
import type { Answer, LocalWrite } from './answer.ts'
import { Edit, resultEdit, updateEdit } from './step.ts'

/** What is to be done for an answer or a write, before it is done. */
export interface Prepared {
  readonly result: unknown
  readonly operations: readonly Operation[]
  readonly edits: readonly Edit[]
}

const NONE: readonly Edit[] = []

/** `kept`: it may be done to other versions too. `asked`: the base when it was asked for. */
export function prepareAnswer(draft: Draft, answer: Answer, kept: boolean, temporary?: NormalizeMeta['temporary'], asked: readonly State[] = []): Prepared {
  const { schema, value, args, key, update } = answer
  const { result, operations } = takeApart(draft, schema, value, args, temporary, kept)
  for (const state of asked) {
    for (const step of operations) if (step instanceof Members) step.membership.since?.((table, pk) => readRow(state, table, pk))
  }
  const { endpoints } = draft.cells
  const edits: Edit[] = []
  for (const [name, change] of Object.entries(update?.(result) ?? {})) {
    // A result that is not there may yet become known beneath this.
    const cell = kept ? draft.intern(endpoints, name) : endpoints.find(name)
    if (cell !== undefined) edits.push(updateEdit(cell, change))
  }
  if (key !== undefined) edits.push(resultEdit(draft.intern(endpoints, key), result))
  return { result, operations, edits }
}

/**
 * The answer of a call that was made over `before`. What it has created was not known then; so whatever is known of that
 * by now was told later by the server, and a change that the user has made to it meanwhile is later still.
 */
export function prepareOutcome(draft: Draft, answer: Answer, before: State, sent: State, kept: boolean): Prepared {
  const prepared = prepareAnswer(draft, answer, kept, undefined, [before, sent])
  const created = new Set<Cell>()
  for (const step of prepared.operations) {
    for (const made of (step instanceof Members && step.membership.created?.()) || []) {
      const cell = made && cellOf(draft, made.key, made.pk)
      if (cell && rowOf(before, cell) === undefined && stampOf(before, cell) === undefined) created.add(cell)
    }
  }
  if (created.size === 0) return prepared
  return { ...prepared, operations: prepared.operations.map(step => (step instanceof Write && created.has(step.cell) ? step.asFirst() : step)) }
}

/** `pk` says which record an updater is for. It must be there, unless this is being done `again`. */
export function prepareWrite(draft: Draft, { schema, args, value }: LocalWrite, pk: string, kept: boolean, again: boolean): Prepared {
  if (typeof value !== 'function') {
    const { result, operations } = takeApart(draft, schema, value, args, undefined, kept)
    return { result, operations, edits: NONE }
  }
  const entity = asEntity(schema)
  const recipe = value as (record: never) => unknown
  const cell = again ? draft.intern(draft.cells.table(entity.key), pk) : cellOf(draft, entity.key, pk)
  const existing = cell && draft.row(cell)
  if (cell === undefined || (existing === undefined && !again)) {
    throw new PatchcordError('MISSING', `There is no ${entity.key} ${pk} to update. Fetch it first, or set a whole value.`)
  }
  const { record, operations } = existing === undefined ? { record: undefined, operations: [] } : updateRecord(draft, entity, pk, existing, recipe, args)
  const edit = new Edit(cell, (before, on) => {
    if (before.value === undefined) return before
    // Recipes may be impure: over the same record the first outcome stands. What it wrote into schema fields stands anyway.
    const next = before.value === existing ? record : updateRecord(on, entity, pk, before.value as Row, recipe, args).record
    return { value: next, stamp: before.stamp }
  })
  return { result: pk, operations, edits: [edit] }
}

export function asEntity(schema: unknown): EntityClass {
  if (isEntityClass(schema)) return schema
  throw new SchemaError(`An updater needs an entity class, not ${nameOf(schema)}.`)
}

/**
 * For a read that was overtaken: what came after it is no longer known one by one. Records merge by their stamps; a
 * result that is there stays; and what was touched is no longer fresh, so that it is fetched again.
 */
export function cautious(edits: readonly Edit[], operations: readonly Operation[]): Edit[] {
  const kept = edits.map(({ cell, change }) => new Edit(cell, (before, draft, at) => (before.value === undefined ? change(before, draft, at) : before)))
  for (const step of operations) {
    if (!(step instanceof Write)) continue
    kept.push(new Edit(step.cell, ({ value, stamp }) => ({ value, stamp: stamp && Object.freeze({ ...stamp, expiresAt: 0 }) })))
  }
  return kept
}
