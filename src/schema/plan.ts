import { MissingPkError, SchemaError } from '../base/errors.ts'
import { isReserved } from '../base/keys.ts'
import { isObject, isPlain, take } from '../base/plain.ts'
import { isDeserialized } from './Deserializer.ts'
import type { EntityClass, Fields } from './interface.ts'

/** The string form of a primary key; undefined when it cannot be one. The same in development and production. */
export function usablePk(pk: unknown, value: object): string | undefined {
  if (typeof pk === 'string') {
    // A template such as `${this.id}` makes these texts when there is no id. If a field of the record has the text as its value, the server really uses it as an id.
    const isSpilled = pk === 'undefined' || pk === 'null' || pk === 'NaN' || pk === '[object Object]'
    return pk === '' || (isSpilled && !Object.values(value).includes(pk)) ? undefined : pk
  }
  return typeof pk === 'bigint' || Number.isFinite(pk) ? `${pk as number}` : undefined
}

/** Two integers beyond this range may have become one number while the response was parsed. */
export function isUnsafe(pk: unknown): boolean {
  return Number.isInteger(pk) && !Number.isSafeInteger(pk)
}

export function missingPk(key: string, pk: unknown, value: object): MissingPkError {
  const fields = Object.keys(value)
  const cause =
    fields.length === 0
      ? 'The value is empty. Check the response.'
      : fields.includes('id')
        ? 'Its "id" must be a non-empty string, finite number or bigint.'
        : `It has the fields ${fields.slice(0, 8).join(', ')}; give ${key} a pk() that reads one of them, or, if it is inside, the schema { ${fields[0]}: ${key} }.`
  const given = typeof pk === 'string' ? JSON.stringify(pk) : isObject(pk) ? 'an object' : String(pk)
  return new MissingPkError(`${key}: pk() gave ${given}, which is no pk. ${cause}`, key, value)
}

/** A field with a schema. */
export interface PlannedField {
  readonly name: string
  readonly schema: unknown
  /** It shows what deserializers make of the stored value. */
  readonly isDeserialized: boolean
}

/** Facts about an entity class, found once instead of for each record. */
export interface Plan {
  readonly key: string
  /** The key is the name of the class, which bundlers change. */
  readonly derived: boolean
  /** Field names and schemas of `static schema`. */
  readonly fields: readonly PlannedField[]
  /** The `static schema` object that `fields` was read from. */
  readonly source: Fields
  /** Methods and accessors of the class. Payload fields with these names are not shown. */
  readonly members: ReadonlySet<string>
  /** The fields of the last record, none of which is such a name. */
  checked?: readonly string[]
  /** Messages that were already shown. */
  readonly warned: Set<string>
  /** See `sharedDefaults`. */
  shared?: readonly string[]
  /** The deserialized fields of a record. A record never changes. */
  readonly deserialized: WeakMap<object, Map<string, unknown>>
  /** Lifecycle methods that the class changed; the defaults are inlined. */
  readonly custom: { readonly process: boolean; readonly pk: boolean; readonly validate: boolean; readonly create: boolean; readonly merge: boolean }
}

const plans = new WeakMap<EntityClass, Plan>()
const defaults = new WeakMap<EntityClass, Fields>()

/** The plan of a class. Made again when its `static schema` has changed, as it does with circular references. */
export function planOf(entity: EntityClass): Plan {
  const known = plans.get(entity)
  if (known !== undefined && isCurrent(known, entity.schema)) return known
  const plan = makePlan(entity)
  plans.set(entity, plan)
  return plan
}

function isCurrent({ source, fields }: Plan, schema: Fields): boolean {
  return source === schema && fields.length === Object.keys(schema).length && fields.every(field => schema[field.name] === field.schema)
}

function makePlan(entity: EntityClass): Plan {
  const key: unknown = entity.key
  if (typeof key !== 'string' || key === '') throw new SchemaError('An entity class without a name needs a key: add `static key = "User"`.')
  if (isReserved(key)) throw new SchemaError(`"${key}" cannot be a key; give the class another \`static key\`.`)
  const source: unknown = entity.schema
  if (typeof source !== 'object' || source === null) throw new SchemaError(`${key}: static schema must map field names to schemas.`)
  refusePrivate(entity, key)
  const fields = Object.entries(source).map(([name, schema]: [string, unknown]) => ({ name, schema, isDeserialized: isDeserialized(schema) }))
  const isChanged = (...names: string[]): boolean => names.some(name => !Object.hasOwn(ownerOf(entity, name), '~base'))
  return {
    key,
    derived: !isChanged('key'),
    fields,
    source: source as Fields,
    members: memberNames(entity),
    warned: new Set(),
    deserialized: new WeakMap(),
    custom: {
      process: isChanged('process'),
      pk: isChanged('pk') || !Object.hasOwn((ownerOf(entity.prototype, 'pk') as { constructor: object }).constructor, '~base'),
      validate: isChanged('validate'),
      create: isChanged('createIfValid', 'fromJS'),
      merge: isChanged('shouldUpdate', 'shouldReorder', 'merge', 'mergeWithStore', 'mergeMetaWithStore') || (entity as { version?: unknown }).version !== undefined,
    },
  }
}

/** An instance without props. Its lists and objects are frozen, because every view without that field shows them. */
export function defaultsOf(entity: EntityClass): Fields {
  let made = defaults.get(entity)
  if (made === undefined) {
    const instance = new entity() as { [field: string]: unknown }
    const other = new entity() as Fields
    for (const field of Object.keys(instance)) {
      const value = instance[field]
      // A value that all instances share is the user's own.
      if (value !== other[field] && (Array.isArray(value) || isPlain(value))) instance[field] = take(value)
    }
    defaults.set(entity, (made = Object.freeze(instance)))
  }
  return made
}

/** Fields whose default is a list or an object: views without the field share the frozen default. */
export function sharedDefaults(entity: EntityClass, plan: Plan): readonly string[] {
  return (plan.shared ??= Object.keys(defaultsOf(entity)).filter(field => {
    const value = defaultsOf(entity)[field]
    return (Array.isArray(value) || isPlain(value)) && !plan.members.has(field)
  }))
}

/** The object in the prototype chain of `from` that has `name`. */
function ownerOf(from: object, name: string): object {
  return chainOf(from).find(at => Object.hasOwn(at, name))!
}

function chainOf(from: object): object[] {
  const above = Object.getPrototypeOf(from) as object | null
  return above === null ? [from] : [from, ...chainOf(above)]
}

/** Live objects are proxies, which have no private members: methods that use them would throw later, in a render. */
function refusePrivate(entity: EntityClass, key: string): void {
  for (const at of chainOf(entity.prototype)) {
    const maker: unknown = Object.hasOwn(at, 'constructor') ? at.constructor : undefined
    if (typeof maker === 'function' && /\bthis\s*\.\s*#[\w$]/.test(Function.prototype.toString.call(maker))) {
      throw new SchemaError(`${key}: entity classes may not use #private members. Use plain fields.`)
    }
  }
}

/** Names of the class and of every object; not names that somebody added to `Object.prototype`, which a loop meets. */
function memberNames(entity: EntityClass): ReadonlySet<string> {
  const names = new Set<string>()
  for (const at of chainOf(entity.prototype)) {
    for (const name of Object.getOwnPropertyNames(at)) if (at !== Object.prototype || !at.propertyIsEnumerable(name)) names.add(name)
  }
  return names
}

/** Whether no field of a record has the name of a method or accessor. A record with the fields of the one before is not looked at again. */
export function hasOnlyData(plan: Plan, record: object): boolean {
  const names = Object.keys(record)
  const { checked } = plan
  if (checked?.length === names.length && checked.every((name, i) => name === names[i])) return true
  if (names.some(name => plan.members.has(name))) return false
  plan.checked = names
  return true
}

/** Warns once per class that a payload field has the name of a method or accessor. */
export function warnMember({ key, warned }: Plan, field: string): void {
  if (warned.has(field)) return
  warned.add(field)
  console.warn(`patchcord: a response has the field "${field}", which is a method or accessor of ${key}: views show that. Rename it in process() to see the data.`)
}
