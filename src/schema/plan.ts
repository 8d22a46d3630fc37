import { SchemaError } from '../base/errors.ts'
import { isReserved } from '../base/keys.ts'
import { isPlain, own } from '../base/plain.ts'
import { nextBlank } from './blank.ts'
import { comparers, type Comparer } from './compare.ts'
import { copiers, type Copier, type Layout } from './copy.ts'
import { makers, type Maker, type Names } from './instance.ts'

/** What is worth knowing about an entity class before its ten thousandth record arrives. */
export interface Plan extends Names, Layout, Functions {
  /** The key is the name of the class, which bundlers change. */
  readonly derived: boolean
  /** Those of them that views show: what the class has itself is its own. */
  readonly shown: Plan['fields']
  readonly byName: ReadonlyMap<string, unknown>
  /** The `static schema` object that `fields` was read from. */
  readonly source: object
  /** An instance without props. */
  readonly defaults: { readonly [field: string]: unknown }
  /** The lifecycle methods that the class, or one it extends, has changed. */
  readonly custom: Overrides
}

/** What is done to the rows of a class, by functions that are its own or those of all others. */
export interface Functions {
  /** Which of them; the first are for all who have none of their own. */
  readonly family: number
  /** Makes instances. */
  readonly make: Maker
  /** Copies records. */
  readonly copy: Copier
  /** Compares them. */
  readonly compare: Comparer
}

/** True where a default was overridden, and must be called rather than known. */
export interface Overrides {
  readonly process: boolean
  /** `static pk`. */
  readonly pk: boolean
  /** `pk()`: the method itself, because looking it up takes longer than running it. */
  readonly instancePk: ((this: object, parent?: unknown, key?: string, args?: readonly unknown[]) => unknown) | undefined
  readonly validate: boolean
  readonly create: boolean
  readonly merge: boolean
}

/** The part of an entity class that a plan is made of. */
export interface PlanSource {
  new (): object
  readonly prototype: object
  readonly key: string
  readonly schema: { readonly [field: string]: unknown }
}

const plans = new WeakMap<PlanSource, Plan>()
/** How many classes have functions of their own. */
let owners = 0
/** So many rows of a class are worth a function. */
const MANY = 100

/** The plan of a class; made again when its `static schema` has changed, as it does with circular references. */
export function planOf(entity: PlanSource): Plan {
  const known = plans.get(entity)
  if (known !== undefined && isCurrent(known, entity.schema)) return known
  const plan = makePlan(entity, known)
  plans.set(entity, plan)
  return plan
}

/**
 * So many rows of a class have come: if they are many, it gets functions of its own, while there are any left. Not at once,
 * because most classes of an application have a few rows, and would take them from those that have thousands.
 */
export function noteRows(plan: Plan, rows: number): void {
  if (rows >= MANY && plan.family === 0 && owners + 1 < copiers.length) Object.assign(plan, functionsOf(++owners))
}

function functionsOf(family: number): Functions {
  return { family, make: makers[family]!, copy: copiers[family]!, compare: comparers[family]! }
}

function isCurrent(plan: Plan, source: { readonly [field: string]: unknown }): boolean {
  if (plan.source !== source) return false
  let count = 0
  for (const name in source) {
    if (!Object.hasOwn(source, name)) continue
    count++
    if (plan.byName.get(name) !== source[name]) return false
  }
  return count === plan.fields.length
}

function makePlan(entity: PlanSource, known: Plan | undefined): Plan {
  const key = checkedKey(entity)
  refusePrivate(entity, key)
  const source = entity.schema
  if (typeof source !== 'object' || source === null) {
    throw new SchemaError(`${key}: static schema must be an object that maps field names to schemas.`)
  }
  const fields = Object.entries(source)
  const members = known?.members ?? memberNames(entity)
  return Object.assign(new Defaults(entity), {
    key,
    derived: !isChanged(entity, 'key'),
    fields,
    shown: fields.filter(([name]) => !members.has(name)),
    byName: new Map(fields),
    source,
    members,
    plain: known?.plain ?? [],
    blank: known?.blank ?? nextBlank(),
    ...functionsOf(known?.family ?? 0),
    warned: known?.warned ?? new Set(),
    custom: known?.custom ?? overridesOf(entity),
  })
}

/** A class, because V8 makes a dictionary of a literal that has a getter, and every look at a plan would be a hash. */
class Defaults {
  readonly #entity: PlanSource
  #made: Plan['defaults'] | undefined

  constructor(entity: PlanSource) {
    this.#entity = entity
  }

  get defaults(): Plan['defaults'] {
    // Frozen, because every view of the class asks it which fields are required.
    return (this.#made ??= Object.freeze(closed(this.#entity)))
  }
}

/** An instance whose lists and objects nobody can write into: the live objects of every store show them. What all instances share is the user's own. */
function closed(entity: new () => object): Plan['defaults'] {
  const [made, other] = [new entity(), new entity()] as { [field: string]: unknown }[]
  for (const field of Object.keys(made!)) {
    const value = made![field]
    if (value !== other![field] && (Array.isArray(value) || isPlain(value))) made![field] = own(value)
  }
  return made!
}

function overridesOf(entity: PlanSource): Overrides {
  const changed = (...names: string[]): boolean => names.some(name => isChanged(entity, name))
  return {
    process: changed('process'),
    pk: changed('pk'),
    instancePk: Object.hasOwn((ownerOf(entity.prototype, 'pk') as { constructor: object }).constructor, '~base')
      ? undefined
      : (entity.prototype as { pk: NonNullable<Overrides['instancePk']> }).pk,
    validate: changed('validate'),
    create: changed('createIfValid', 'fromJS'),
    merge: changed('shouldUpdate', 'shouldReorder', 'merge', 'mergeWithStore', 'mergeMetaWithStore') || (entity as { version?: unknown }).version !== undefined,
  }
}

/** Whether the class, or one that it extends, states `name` itself. */
function isChanged(entity: PlanSource, name: string): boolean {
  return !Object.hasOwn(ownerOf(entity, name), '~base')
}

/** The object in the chain of `from` that states `name`. */
function ownerOf(from: object, name: string): object {
  return chainOf(from).find(at => Object.hasOwn(at, name))!
}

/** An object, and all that it inherits from. */
function chainOf(from: object): object[] {
  const above = Object.getPrototypeOf(from) as object | null
  return above === null ? [from] : [from, ...chainOf(above)]
}

function checkedKey(entity: PlanSource): string {
  const key: unknown = entity.key
  if (typeof key !== 'string' || key === '') {
    throw new SchemaError('An entity class without a name needs a key: add `static key = "User"`.')
  }
  if (isReserved(key)) {
    throw new SchemaError(`"${key}" cannot be the key of an entity; give the class another \`static key\`.`)
  }
  return key
}

/** Live objects are proxies, and a proxy has no private members: methods that use them would throw later, in a render. */
function refusePrivate(entity: PlanSource, key: string): void {
  // By the prototypes: there a mixin's class stands too, which the chain of statics passes by.
  for (const at of chainOf(entity.prototype)) {
    const maker: unknown = Object.hasOwn(at, 'constructor') ? at.constructor : undefined
    if (typeof maker === 'function' && /\bthis\s*\.\s*#[\w$]/.test(Function.prototype.toString.call(maker))) {
      throw new SchemaError(`${key}: entity classes may not use #private members; use a plain field, or a function outside of the class.`)
    }
  }
}

/** Methods and accessors of the class, and what every object inherits; not what somebody has put on `Object.prototype`, which a loop meets. */
function memberNames(entity: PlanSource): ReadonlySet<string> {
  const names = new Set<string>()
  for (const at of chainOf(entity.prototype)) {
    for (const name of Object.getOwnPropertyNames(at)) if (at !== Object.prototype || !Object.prototype.propertyIsEnumerable(name)) names.add(name)
  }
  return names
}
