import { ValidationError } from '../base/errors.ts'
import { copyRecord, isPlain, own, share } from '../base/plain.ts'
import type { EntityClass } from '../schema/interface.ts'
import { planOf } from '../schema/plan.ts'
import type { Draft } from '../store/draft.ts'
import { produceRecord } from '../store/immer.ts'
import type { Row } from '../store/rows.ts'
import type { Operation } from './operation.ts'
import { Pass } from './pass.ts'

/** What an updater makes of a record: the next one, and what is to be done with the objects that it wrote into schema fields. */
export interface Updated {
  readonly record: Row
  readonly operations: readonly Operation[]
}

/**
 * Lets `recipe` change a draft of one record, or return the next one. An object that it writes into a schema field is
 * taken apart, so that the record holds its pk.
 */
export function updateRecord(
  draft: Draft,
  entity: EntityClass,
  pk: string,
  existing: Row,
  recipe: (record: never) => unknown,
  args: readonly unknown[],
): Updated {
  const plan = planOf(entity)
  const produced = produceRecord(existing, recipe)
  if (!isPlain(produced)) throw new ValidationError(`${plan.key}: an updater changes its draft or returns a record.`, produced)
  const pass = new Pass(draft, args, (_key, position) => `new:${position}`, true)
  pass.ownerKey = plan.key
  pass.ownerPk = pk
  const next = copyRecord(produced)
  for (const [field, schema] of plan.fields) {
    if (Object.hasOwn(next, field)) next[field] = pass.visit(schema, next[field], next, field)
  }
  return { record: share(existing, own(next)) as Row, operations: pass.operations }
}
