import { SchemaError } from '../base/errors.ts'
import { nameOf, queryKeyOf, type Shape } from './dispatch.ts'
import { Schema, type Fields, type NormalizeHost, type QueryHost, type ViewHost } from './interface.ts'
import type { Attribute } from './polymorphic.ts'
import { Tagging, type Resolved } from './Tagging.ts'
import type { Denormalize } from './types.ts'

/**
 * One of several entities, told apart by an attribute.
 *
 * @example
 * new schema.Union({ text: TextPost, image: ImagePost }, 'type')
 */
export class Union<D extends Shape = Shape, A extends Attribute = string | ((value: Fields, parent: Fields, key: string) => unknown)> extends Schema<Denormalize<D[keyof D]>> {
  /** Type-level only. */
  declare readonly '~union': true
  /** @internal */ readonly alternatives: Tagging

  constructor(definition: D, attribute: A) {
    super()
    if (attribute === undefined) {
      throw new SchemaError(`schema.Union of ${nameOf(definition)} needs an attribute: the name of the field, or a function, that tells the types apart.`)
    }
    this.alternatives = new Tagging('schema.Union', definition, attribute)
  }

  /** @internal The types that a member may have. */
  typeKeys(): unknown[] {
    return this.alternatives.types()
  }

  /** @internal What a stored member is. */
  resolve(stored: unknown): Resolved | undefined {
    return this.alternatives.resolve(stored)
  }

  /** Merges `definition` into the constructor's; for circular references. */
  define(definition: Shape): void {
    this.alternatives.define(definition)
  }

  override normalize(input: unknown, parent: unknown, key: string, host: NormalizeHost): unknown {
    return this.alternatives.normalize(input, parent, key, host)
  }

  override denormalize(stored: unknown, host: ViewHost): unknown {
    return this.alternatives.denormalize(stored, host)
  }

  /** What is stored of one, as it is; by the attribute of the first argument; without it, the first type that has the entity. */
  override queryKey(args: readonly unknown[], host: QueryHost): unknown {
    const stored = this.resolve(args[0])
    if (stored !== undefined) return queryKeyOf(stored[0], [stored[1]], host) && args[0]
    const given = this.alternatives.nameFor(args[0], undefined, '')
    const names = this.alternatives.named(given) === undefined ? Object.keys(this.alternatives.definition as Shape) : [given!]
    for (const name of names) {
      const id = queryKeyOf(this.alternatives.named(name), args, host)
      if (id !== undefined) return { id, schema: name }
    }
    return undefined
  }
}
