import { denormalizeMember } from './dispatch.ts'
import { INVALID, type EntityClass, type Fields, type ViewHost } from './interface.ts'
import { planOf, type Plan } from './plan.ts'

/**
 * A view is made in two steps, so that entities which refer to each other in circles can be closed by reference:
 * all instances are allocated first, then filled.
 */

/** What a stored reference shows: the entity behind a pk, or one built in place from a raw object. */
export function viewEntity(entity: EntityClass, stored: unknown, host: ViewHost): unknown {
  if (typeof stored === 'string') return host.entity(entity, stored)
  if (typeof stored === 'number' || typeof stored === 'bigint') return host.entity(entity, `${stored}`)
  if (typeof stored !== 'object' || stored === null) return stored
  const plan = planOf(entity)
  const instance = allocateView(entity, stored as Fields, plan)
  return instance !== undefined && fillView(instance, stored as Fields, host, plan) ? Object.freeze(instance) : INVALID
}

/** An instance with the fields of `record` as they are stored; undefined when the class will not have them. */
export function allocateView(entity: EntityClass, record: Fields, plan: Plan = planOf(entity), polluted: boolean = isPolluted()): object | undefined {
  if (plan.custom.create) return entity.createIfValid(record)
  if (plan.custom.validate && entity.validate(record)) return undefined
  // What inherits nothing lends no names to a loop.
  return plan.make(entity, polluted ? (Object.assign(Object.create(null) as object, record) as Fields) : record, plan)
}

const NOTHING = {}

/** Whether somebody has put names on `Object.prototype` that a loop over any object meets. */
export function isPolluted(): boolean {
  for (const _ in NOTHING) return true
  return false
}

/** Resolves the nested fields; false when the view must not be shown. Freezing is the caller's: it may have to fill again. */
export function fillView(instance: object, record: Fields, host: ViewHost, plan: Plan): boolean {
  const { shown } = plan
  for (let i = 0; i < shown.length; i++) {
    // By places: taking a pair apart with a pattern is the work of an iterator.
    const pair = shown[i]!
    const field = pair[0]
    if (!Object.hasOwn(record, field)) continue
    const value = denormalizeMember(pair[1], record, field, host)
    // A field whose default is truthy is one that the class cannot do without.
    if (value === INVALID && plan.defaults[field]) return false
    ;(instance as { [field: string]: unknown })[field] = value === INVALID ? undefined : value
  }
  return true
}
