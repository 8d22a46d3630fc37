import { SchemaError } from '../base/errors.ts'
import { isObject } from '../base/plain.ts'
import { isEntityClass } from './compile.ts'
import { nameOf } from './describe.ts'
import { Schema, type EntityClass, type Fields, type ViewHost, type Walk } from './interface.ts'
import { missingPk, planOf, usablePk } from './plan.ts'
import type { Denormalize } from './types.ts'
import { Variants, type Attribute } from './Variants.ts'

/** A class of entities, abstract ones included, or a union. */
type Deletable = EntityClass | (abstract new () => { pk(): unknown }) | { readonly '~union': true }

/**
 * Marks an entity as deleted. Takes the object, its pk, or a list of either; an object without a pk
 * (`{ ok: true }`) means the entity of the endpoint's first argument.
 *
 * @example
 * const remove = new RestEndpoint({ path: '/todos/:id', method: 'DELETE', schema: new schema.Invalidate(Todo), process: (value, params) => value ?? params })
 */
export class Invalidate<D = unknown> extends Schema<Denormalize<D>> {
  /** @internal A pk alone is a whole response. */ readonly takesPk: boolean = true
  readonly #type: unknown

  constructor(definition: D & Deletable)
  constructor(definition: D & Fields, attribute: Attribute)
  constructor(definition: D, attribute?: Attribute) {
    super()
    this.#type = attribute === undefined ? definition : new Variants('schema.Invalidate', definition, attribute)
    if (!(this.#type instanceof Variants) && !isEntityClass(definition)) {
      throw new SchemaError(`schema.Invalidate takes an entity, a union, or a mapping with an attribute, not ${nameOf(definition)}.`)
    }
  }

  /** Merges `definition` into the constructor's; for circular references. */
  define(definition: Fields): void {
    if (this.#type instanceof Variants) this.#type.define(definition)
  }

  override normalize(input: unknown, parent: unknown, key: string, walk: Walk): unknown {
    if (Array.isArray(input)) return Object.freeze(Array.from(input, (item: unknown) => this.#remove(item, parent, key, walk)))
    return this.#remove(input, parent, key, walk)
  }

  /** A deleted entity has no view; its pk remains. */
  override denormalize(stored: unknown, _host: ViewHost): unknown {
    return stored
  }

  /** @internal What a call resolves with: an instance with the fields of the answer. */
  answerView(value: unknown, args: readonly unknown[]): unknown {
    if (Array.isArray(value)) return value.map(item => this.answerView(item, args))
    const [arg] = args
    const fields: object = { ...(isObject(arg) && arg), ...(isObject(value) ? value : { id: value }) }
    const entity = this.#entityOf(value, value, '', args)
    return entity && 'fromJS' in entity ? Object.freeze((entity as unknown as { fromJS(props: object): object }).fromJS(fields)) : value
  }

  /** The class of what is deleted: of several, the one that the input or the first argument names. */
  #entityOf(input: unknown, parent: unknown, key: string, args: readonly unknown[]): EntityClass | undefined {
    const type = this.#type
    return (type instanceof Variants ? type.named(type.nameFor(input, parent, key) ?? type.nameFor(args[0], parent, key)) : type) as EntityClass | undefined
  }

  #remove(input: unknown, parent: unknown, key: string, walk: Walk): unknown {
    const entity = this.#entityOf(input, parent, key, walk.args)
    // The type of the row is unknown: `normalize` warns of that, and nothing is deleted.
    if (!entity) return (this.#type as Variants).normalize(input, parent, key, walk)
    const given = (value: unknown): unknown => (isObject(value) ? entity.pk(value, parent, key, walk.args) : value)
    const pkOf = (value: unknown): string | undefined => usablePk(given(value), Object(value) as object)
    const pk = pkOf(input) ?? (isObject(input) ? pkOf(walk.args[0]) : undefined)
    if (!pk) throw missingPk(planOf(entity).key, given(input), Object(input) as object)
    walk.remove(entity, pk)
    return pk
  }
}
