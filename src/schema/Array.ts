import { ValidationError } from '../base/errors.ts'
import { isObject } from '../base/plain.ts'
import { describe, nameOf } from './describe.ts'
import type { Fields, ViewHost, Walk } from './interface.ts'
import { Many, typesOf, type Attribute, type MemberView } from './Variants.ts'

/**
 * A list of one type, or of several that an attribute distinguishes. Shorthand: `[S]`.
 *
 * @example
 * new schema.Array({ text: TextPost, image: ImagePost }, 'type')
 */
class ArraySchema<D = unknown, A extends Attribute | undefined = string | ((value: Fields, parent: Fields, key: string) => unknown) | undefined> extends Many<MemberView<D, A>[]> {
  /** @internal Encloses the key of a collection. */ readonly brackets: string = '[]'

  constructor(definition: D, attribute?: A) {
    super('schema.Array', definition, attribute)
  }

  override normalize(input: unknown, parent: unknown, key: string, walk: Walk): unknown {
    if (typeof input === 'boolean') return input
    const { member } = this
    if (!isObject(input)) throw new ValidationError(`Expected a list of ${nameOf(member)}, found ${describe(input)}.`, input)
    return walk.list(member, Array.isArray(input) ? input : listIn(input, member), parent, key)
  }

  override denormalize(stored: unknown, host: ViewHost): unknown {
    return Array.isArray(stored) ? host.list(this.member, stored) : stored
  }
}

/** The values of an object, as a list. Where entities or objects are expected, all values must be objects: otherwise the object wraps the list, or reports an error, and is refused. */
function listIn(input: object, schema: unknown): unknown[] {
  const values: unknown[] = Object.values(input)
  if (typesOf(schema).some(type => (isObject(type) ? 'normalize' in type : !('key' in Object(type)))) || values.every(value => isObject(value) && !Array.isArray(value))) return values
  const fields = Object.keys(input)
  const wrapped = fields.find(field => Array.isArray((input as Fields)[field]))
  const shape = fields.map(field => `${field}: ${field === wrapped ? `new schema.Collection([${nameOf(schema)}])` : typeof (input as Fields)[field] === 'number' ? 0 : "''"}`)
  throw new ValidationError(`Expected a list of ${nameOf(schema)}, found an object with ${fields.join(', ')}.${wrapped ? ` Use the schema { ${shape.join(', ')} }.` : ''}`, input)
}

export { ArraySchema as Array }
