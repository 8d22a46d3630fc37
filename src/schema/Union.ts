import { SchemaError } from '../base/errors.ts'
import { nameOf } from './describe.ts'
import type { Fields } from './interface.ts'
import type { Denormalize } from './types.ts'
import { Variants, type Attribute } from './Variants.ts'

/**
 * One of several entities; an attribute distinguishes them.
 *
 * @example
 * new schema.Union({ text: TextPost, image: ImagePost }, 'type')
 */
export class Union<D extends Fields = Fields, A extends Attribute = string | ((value: Fields, parent: Fields, key: string) => unknown)> extends Variants<Denormalize<D[keyof D]>> {
  /** Type-level only. */
  declare readonly '~union': true

  constructor(definition: D, attribute: A) {
    if (attribute === undefined) throw new SchemaError(`schema.Union of ${nameOf(definition)} needs an attribute, a field or function that tells the types apart.`)
    super('schema.Union', definition, attribute)
  }
}
