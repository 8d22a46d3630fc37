import { PatchcordError, ValidationError } from '../base/errors.ts'
import { copyRecord, isPlain, own, share } from '../base/plain.ts'
import type { EntityClass, Fields } from '../schema/interface.ts'
import { planOf } from '../schema/plan.ts'
import type { Draft } from '../store/draft.ts'
import { produceRecord } from '../store/immer.ts'
import type { Row } from '../store/rows.ts'
import { fold } from './fold.ts'
import type { NormalizeMeta } from './normalize.ts'
import { Pass } from './pass.ts'

/**
 * Lets `recipe` change a draft of one record, or return the next one. An object that it writes into a schema field is
 * normalized, so that the record holds its pk.
 */
export function updateInto(
  draft: Draft,
  entity: EntityClass,
  pk: string,
  recipe: (record: never) => unknown,
  args: readonly unknown[],
  meta: NormalizeMeta,
): void {
  const plan = planOf(entity)
  const cell = draft.cells.find(plan.key)?.find(pk)
  const existing = cell && draft.row(cell)
  if (cell === undefined || existing === undefined) {
    throw new PatchcordError('MISSING', `There is no ${plan.key} ${pk} to update. Fetch it first, or set a whole value.`)
  }
  const produced = produceRecord(existing, recipe)
  if (!isPlain(produced)) throw new ValidationError(`${plan.key}: an updater changes its draft or returns a record.`, produced)
  const { fetchedAt, date, expiresAt } = meta
  const pass = new Pass(draft, args, (_key, position) => `new:${position}`)
  const next = copyRecord(produced)
  for (const [field, schema] of plan.fields) {
    if (Object.hasOwn(next, field)) next[field] = pass.visit(schema, next[field], next, field)
  }
  fold(draft, pass.operations, Object.freeze({ fetchedAt, date, expiresAt }))
  pass.end()
  draft.write(cell, share(existing, own(next)) as Row)
}

/** A recipe for a record of `E`. */
export type Updater = (record: Fields) => unknown
