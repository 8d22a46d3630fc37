import { ValidationError } from '../base/errors.ts'
import { equal, put } from '../base/plain.ts'
import { describe } from './dispatch.ts'
import type { EntityClass, Fields, NormalizeHost } from './interface.ts'
import { isUnsafe, missingPk, usablePk } from './pk.ts'
import type { Plan } from './plan.ts'

/**
 * One entity of a response: process → pk → loop check → validate → nested schemas → write.
 * Runs once for every object that comes in, so what the plan says is default is done here and not called.
 */
export function normalizeEntity(entity: EntityClass, input: unknown, parent: unknown, key: string, host: NormalizeHost): unknown {
  const plan = host.plan(entity)
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
  const found = custom.pk
    ? entity.pk(processed, parent, key, host.args)
    : custom.instancePk
      ? custom.instancePk.call(processed, parent, key, host.args)
      : host.polluted && !Object.hasOwn(processed, 'id')
        ? undefined
        : processed['id']
  const pk = usablePk(found, processed) ?? (host.creating ? host.temporaryPk(plan.key) : undefined)
  if (pk === undefined) throw missingPk(plan.key, found, processed)
  if (isUnsafe(found)) warnUnsafe(plan, found)
  const entry = host.enter(entity, pk, input)
  if (entry === undefined) return pk

  if (custom.validate) {
    const sentence = entity.validate(processed)
    if (sentence) throw new ValidationError(`${plan.key}: ${sentence}`, processed)
  }
  // On a polluted page the store would seem to have what its records only inherit.
  let stored = custom.merge || host.polluted ? undefined : host.stored(entry)
  let nested: readonly unknown[] = NONE
  if (plan.fields.length > 0) {
    nested = visitFields(plan, pk, processed, stored, host)
    // What is nested may have spoken of this very row.
    stored &&= host.stored(entry)
  }
  if (stored !== undefined && isStored(plan, processed, nested, stored)) host.keep(entry, stored)
  else host.write(entry, recordOf(plan, processed, nested, host))
  return entry.cell.pk
}

const NONE: readonly unknown[] = []
/** Stands for a field that the input does not have. */
const ABSENT = Symbol('absent')

/** What is kept of each field that the schema speaks of. */
function visitFields(plan: Plan, pk: string, processed: Fields, stored: Fields | undefined, host: NormalizeHost): unknown[] {
  const { ownerKey, ownerPk } = host
  host.ownerKey = plan.key
  host.ownerPk = pk
  const kept: unknown[] = []
  for (let i = 0; i < plan.fields.length; i++) {
    const field = plan.fields[i]![0]
    kept.push(Object.hasOwn(processed, field) ? host.visit(plan.fields[i]![1], processed[field], processed, field, stored?.[field]) : ABSENT)
  }
  host.ownerKey = ownerKey
  host.ownerPk = ownerPk
  return kept
}

/** Whether the store has all of this already. Then there is nothing to copy: most of what is fetched again has not changed. */
function isStored(plan: Plan, processed: Fields, nested: readonly unknown[], stored: Fields): boolean {
  for (let i = 0; i < nested.length; i++) {
    if (nested[i] !== ABSENT && !equal(nested[i], stored[plan.fields[i]![0]])) return false
  }
  return plan.walk(processed, undefined, stored, plan.byName) === 0
}

/** A fresh record: own fields, with nested data copied, and schema fields as they are kept. */
function recordOf(plan: Plan, processed: Fields, nested: readonly unknown[], host: NormalizeHost): Fields {
  let record = new plan.blank()
  let objects = -1
  try {
    objects = plan.walk(processed, record, record, plan.byName)
  } catch {
    // A name that a frozen `Object.prototype` has.
  }
  if (objects < 0) {
    record = copyWithCare(processed, host)
    objects = Infinity
  }
  for (let i = 0; i < nested.length; i++) {
    if (nested[i] === ABSENT) continue
    const field = plan.fields[i]![0]
    if (typeof record[field] === 'object' && record[field] !== null) objects--
    if (nested[i] === undefined) delete record[field]
    else put(record, field, nested[i])
  }
  // Most objects in a record are those that its schema speaks of; the rest is looked for only if there is any.
  if (objects > 0) ownFields(plan, record, host)
  return record
}

function copyWithCare(input: Fields, host: NormalizeHost): { [field: string]: unknown } {
  const record: { [field: string]: unknown } = {}
  for (const field of Object.keys(input)) {
    if (field === '__proto__') host.warn('__proto__', 'the response has a key "__proto__", which was dropped.')
    else if (input[field] !== undefined) put(record, field, input[field])
  }
  return record
}

function ownFields(plan: Plan, record: { [field: string]: unknown }, host: NormalizeHost): void {
  for (const field of Object.keys(record)) {
    const value = record[field]
    if (typeof value !== 'object' || value === null || plan.byName.has(field)) continue
    const owned = host.own(value)
    if (owned === undefined) delete record[field]
    else record[field] = owned
  }
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
