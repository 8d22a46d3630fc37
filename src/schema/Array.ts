import { ValidationError } from '../base/errors.ts'
import { isObject } from '../base/plain.ts'
import { describe, nameOf } from './describe.ts'
import { Schema, type Fields, type ViewHost, type Walk } from './interface.ts'
import { Element, type Attribute, type MemberView } from './Variants.ts'

/**
 * A list of one type, or of several told apart by an attribute. Shorthand: `[S]`.
 *
 * @example
 * new schema.Array({ text: TextPost, image: ImagePost }, 'type')
 */
class ArraySchema<D = unknown, A extends Attribute | undefined = string | ((value: Fields, parent: Fields, key: string) => unknown) | undefined> extends Schema<MemberView<D, A>[]> {
  /** @internal */ readonly element: Element
  /** @internal Encloses the key of a collection. */ readonly brackets: string = '[]'

  constructor(definition: D, attribute?: A) {
    super()
    this.element = new Element('schema.Array', definition, attribute)
  }

  /** Merges `definition` into the constructor's; for circular references. */
  define(definition: Fields): void {
    this.element.define(definition)
  }

  override normalize(input: unknown, parent: unknown, key: string, walk: Walk): unknown {
    if (typeof input === 'boolean') return input
    const { schema } = this.element
    if (!isObject(input)) throw new ValidationError(`Expected a list of ${nameOf(schema)}, found ${describe(input)}.`, input)
    return walk.list(schema, Array.isArray(input) ? input : listIn(input, schema), parent, key)
  }

  override denormalize(stored: unknown, host: ViewHost): unknown {
    return Array.isArray(stored) ? host.list(this.element.schema, stored) : stored
  }
}

/** The values of an object. An object that wraps the list is a common mistake, and its members are no entities. */
function listIn(input: object, schema: unknown): unknown[] {
  const values: unknown[] = Object.values(input)
  const wrapped = Object.entries(input).find(([, value]) => Array.isArray(value))
  if (wrapped && values.some(value => !isObject(value))) {
    const fields = Object.keys(input)
    const rest = fields.filter(field => field !== wrapped[0]).map(field => `, ${field}: ${typeof (input as Fields)[field] === 'number' ? '0' : "''"}`)
    throw new ValidationError(`Expected a list of ${nameOf(schema)}, found an object with ${fields.join(', ')}. Use the schema { ${wrapped[0]}: new schema.Collection([${nameOf(schema)}])${rest.join('')} }.`, input)
  }
  return values
}

export { ArraySchema as Array }
