import { SchemaError } from '../base/errors.ts'
import { isEntityClass, nameOf, type Shape } from './dispatch.ts'
import { Schema, type EntityClass, type Fields, type NormalizeHost } from './interface.ts'
import { missingPk, usablePk } from './pk.ts'
import { Alternatives, type Attribute } from './polymorphic.ts'

/** A class of entities, abstract ones included, or what tells several apart by itself. */
type Deletable = EntityClass | (abstract new () => { pk(): unknown }) | { readonly '~union': true }

/**
 * Says that an entity is deleted. Takes the object, its pk, or a list of either; an object without a pk
 * (`{ ok: true }`) means the entity of the endpoint's first argument.
 *
 * @example
 * const remove = new RestEndpoint({ path: '/todos/:id', method: 'DELETE', schema: new schema.Invalidate(Todo) })
 */
export class Invalidate<D = unknown> extends Schema<string | string[]> {
  readonly #types: Alternatives

  constructor(definition: D & Deletable)
  constructor(definition: D & Shape, attribute: Attribute)
  constructor(definition: D, attribute?: Attribute) {
    super()
    const types = alternativesOf(definition, attribute)
    if (types === undefined) throw new SchemaError(`schema.Invalidate takes an entity, a union, or a mapping with an attribute, not ${nameOf(definition)}.`)
    this.#types = types
  }

  /** Merges `definition` into the constructor's; for circular references. */
  define(definition: Shape): void {
    this.#types.define(definition)
  }

  /** @internal */
  override get takesPk(): boolean {
    return true
  }

  override normalize(input: unknown, parent: unknown, key: string, host: NormalizeHost): unknown {
    if (Array.isArray(input)) return Object.freeze(Array.from(input, (item: unknown) => this.#remove(item, parent, key, host)))
    return this.#remove(input, parent, key, host)
  }

  /** What was deleted has no view; its pk remains. */
  override denormalize(stored: unknown): unknown {
    return stored
  }

  #remove(input: unknown, parent: unknown, key: string, host: NormalizeHost): unknown {
    const object = typeof input === 'object' && input !== null ? input : undefined
    const entity = this.#entityOf(input, parent, key, host)
    if (entity === undefined) return host.own(input)
    const label = host.meet(entity).plan!.key
    const given: unknown = object === undefined ? input : entity.pk(object, parent, key, host.args)
    const pk = usablePk(given, object ?? {}) ?? (object && fromArgs(entity, host))
    if (pk === undefined) throw missingPk(label, given, object ?? {})
    host.remove(entity, pk)
    return pk
  }

  /** The input tells which one it is, where there are several; when it does not say, the first argument does. */
  #entityOf(input: unknown, parent: unknown, key: string, host: NormalizeHost): EntityClass | undefined {
    const types = this.#types
    const name = (source: unknown): string | undefined => types.nameFor(source, parent, key)
    return (types.attribute === undefined ? types.definition : types.named(name(input) ?? name(host.args[0]))) as EntityClass | undefined
  }
}

/** The entities that `definition` is, or is one of; undefined when it is none. */
export function alternativesOf(definition: unknown, attribute?: Attribute): Alternatives | undefined {
  // A union has them. It is not found by its class, so that who has no unions does not load it.
  const { alternatives } = (definition ?? {}) as { readonly alternatives?: unknown }
  if (alternatives instanceof Alternatives) return alternatives
  return isEntityClass(definition) || attribute !== undefined ? new Alternatives('schema.Invalidate', definition, attribute) : undefined
}

function fromArgs(entity: EntityClass, host: NormalizeHost): string | undefined {
  const arg = host.args[0]
  if (typeof arg === 'string' || typeof arg === 'number') return usablePk(arg, {})
  return typeof arg === 'object' && arg !== null ? usablePk(entity.pk(arg as Fields, undefined, '', host.args), arg) : undefined
}
