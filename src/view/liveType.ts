import { isDeserializer } from '../schema/dispatch.ts'
import type { EntityClass } from '../schema/interface.ts'
import { planOf, type Plan } from '../schema/plan.ts'

/** What all live objects of one class have in common. */
export class LiveType {
  declare readonly entity: EntityClass
  /** Stands behind every proxy of the class, and gives it its prototype. It has no fields of its own. */
  declare readonly target: object
  declare plan: Plan
  /** Nested entities that the class cannot do without. */
  declare required: Plan['fields']

  constructor(entity: EntityClass) {
    this.entity = entity
    this.target = Object.create(entity.prototype) as object
    this.plan = planOf(entity)
    this.required = requiredOf(this.plan)
  }

  /** Looks whether `static schema` is another now, as it is with circular references. */
  refresh(): this {
    const plan = planOf(this.entity)
    if (plan !== this.plan) this.required = requiredOf((this.plan = plan))
    return this
  }
}

/** A field whose default is truthy is required; lists leave out what must not be shown, and deserializers know nothing of it. */
function requiredOf(plan: Plan): Plan['fields'] {
  return plan.fields.filter(
    ([field, schema]) =>
      Boolean(schema && plan.defaults[field]) &&
      !plan.members.has(field) &&
      !Array.isArray(schema) &&
      !isDeserializer(schema),
  )
}
