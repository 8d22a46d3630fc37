import { ValidationError } from '../base/errors.ts'
import { equal, put } from '../base/plain.ts'
import { keptOf } from '../schema/copy.ts'
import { describe, PROTO_DROPPED } from '../schema/dispatch.ts'
import type { EntityClass, Fields, NormalizeHost } from '../schema/interface.ts'
import { isUnsafe, missingPk, usablePk } from '../schema/pk.ts'
import type { Plan } from '../schema/plan.ts'

/**
 * One entity of a response: process → pk → loop check → validate → nested schemas → write.
 * Runs once for every object that comes in, so what the plan says is default is done here and not called.
 */
export function normalizeEntity(entity: EntityClass, input: unknown, parent: unknown, key: string, host: NormalizeHost): unknown {
  const about = host.meet(entity)
  const plan = about.plan!
  if (typeof input !== 'object' || input === null) return reference(input, plan.key)
  const { custom } = plan
  let processed: Fields = input as Fields
  if (custom.process) {
    const given = entity.process(processed, parent, key, host.args)
    if (given === undefined) return drop(entity, plan, input, parent, key, host)
    if (typeof given !== 'object' || given === null) {
      throw new ValidationError(`${plan.key}: process must return an object, or undefined to delete; it gave ${describe(given)}.`, input)
    }
    processed = given
  }
  const found = pkIn(entity, custom, processed, parent, key, host)
  let pk = usablePk(found, processed)
  if (pk === undefined && host.creating) {
    pk = host.temporaryPk(plan.key)
    // Whoever sees the entity, and what is nested in it, must be able to speak of it: a class whose pk is its `id` finds it there.
    const named = { ...processed, id: pk }
    if (pkIn(entity, custom, named, parent, key, host) === pk) processed = named
  }
  if (pk === undefined) throw missingPk(plan.key, found, processed)
  if (isUnsafe(found)) warnUnsafe(plan, found)
  const entry = host.enter(about, pk, input)
  if (entry === undefined) return pk

  if (custom.validate) {
    const sentence = entity.validate(processed)
    if (sentence) throw new ValidationError(`${plan.key}: ${sentence}`, processed)
  }
  // On a polluted page the store would seem to have what its records only inherit.
  const stored = custom.merge || host.polluted ? undefined : host.stored(entry)
  const base = host.keptCount
  // What is nested may have spoken of this very row.
  const same = plan.fields.length === 0 || (visitFields(plan, pk, processed, stored, host) && host.stored(entry) === stored)
  if (stored !== undefined && same && plan.compare(processed, stored, plan.byName)) host.keep(entry, stored)
  else host.write(entry, recordOf(plan, processed, base, host))
  host.keptCount = base
  return entry.cell.pk
}

/** What the class says is the pk. */
function pkIn(entity: EntityClass, custom: Plan['custom'], input: Fields, parent: unknown, key: string, host: NormalizeHost): unknown {
  if (custom.pk) return entity.pk(input, parent, key, host.args)
  if (custom.instancePk) return custom.instancePk.call(input, parent, key, host.args)
  return host.polluted && !Object.hasOwn(input, 'id') ? undefined : input['id']
}

/** Stands for a field that the input does not have. */
const ABSENT = Symbol('absent')

/** Adds what is kept of each field that the schema speaks of; says whether `stored` has the same. */
function visitFields(plan: Plan, pk: string, processed: Fields, stored: Fields | undefined, host: NormalizeHost): boolean {
  const { ownerKey, ownerPk, keptCount } = host
  const { fields } = plan
  host.ownerKey = plan.key
  host.ownerPk = pk
  host.keptCount += fields.length
  let same = true
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i]![0]
    let kept: unknown = ABSENT
    if (Object.hasOwn(processed, field)) {
      const known = stored?.[field]
      kept = host.visit(fields[i]![1], processed[field], processed, field, known)
      if (kept !== known && !equal(kept, known)) same = false
    }
    host.kept[keptCount + i] = kept
  }
  host.ownerKey = ownerKey
  host.ownerPk = ownerPk
  return same
}

/** A fresh record: own fields, with nested data copied, and schema fields as they are kept. */
function recordOf(plan: Plan, processed: Fields, base: number, host: NormalizeHost): Fields {
  let record: { [field: string]: unknown } | undefined
  try {
    record = plan.copy(processed, plan, base, host)
  } catch (error) {
    // A name that a frozen `Object.prototype` has.
    if (!(error instanceof TypeError)) throw error
  }
  record ??= copyWithCare(plan, processed, base, host)
  const { fields } = plan
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i]![0]
    const kept = host.kept[base + i]
    if (kept === ABSENT || record[field] === kept) continue
    if (kept === undefined) delete record[field]
    else put(record, field, kept)
  }
  return record
}

function copyWithCare(plan: Plan, input: Fields, base: number, host: NormalizeHost): { [field: string]: unknown } {
  const record: { [field: string]: unknown } = {}
  for (const field of Object.keys(input)) {
    if (field === '__proto__') host.warn(PROTO_DROPPED)
    else {
      const kept = keptOf(plan, field, input[field], base, host)
      if (kept !== undefined) put(record, field, kept)
    }
  }
  return record
}

/** What stands for an entity where only its pk is given. */
function reference(input: unknown, key: string): unknown {
  if (typeof input === 'string' || typeof input === 'boolean' || input === undefined || input === null) return input
  if (typeof input === 'bigint' || (typeof input === 'number' && Number.isFinite(input))) return `${input}`
  throw new ValidationError(`Expected ${key}, an object or its pk, found ${describe(input)}.`, input)
}

/** `process` gave nothing: the response says that the entity is gone. */
function drop(entity: EntityClass, plan: Plan, input: object, parent: unknown, key: string, host: NormalizeHost): unknown {
  const found = entity.pk(input, parent, key, host.args)
  const pk = usablePk(found, input)
  if (pk === undefined) throw missingPk(plan.key, found, input)
  host.remove(entity, pk)
  return pk
}

function warnUnsafe(plan: Plan, pk: unknown): void {
  if (plan.warned.has('unsafe')) return
  plan.warned.add('unsafe')
  console.warn(
    `patchcord: ${plan.key} has the number ${String(pk)} as its pk, beyond 2^53: two ids may have become one when the JSON was parsed. ` +
      'Have the server send strings, or read the text in parseResponse.',
  )
}
