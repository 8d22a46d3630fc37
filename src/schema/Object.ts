import { ValidationError } from '../base/errors.ts'
import { hasOwn, isObject, put, type Plain } from '../base/plain.ts'
import { describe } from './describe.ts'
import { INVALID, Schema, type Fields, type ViewHost, type Walk } from './interface.ts'
import type { Denormalize, Field, Missing } from './types.ts'

/**
 * An object with known fields. Shorthand: `{ field: S }`.
 *
 * @example
 * new schema.Object({ results: [Todo], total: 0 })
 */
class ObjectSchema<D extends Fields = Fields> extends Schema<{ -readonly [K in keyof D]: Denormalize<Field<D[K]>> | Missing<D[K]> }> {
  /** @internal The fields and their schemas. */
  declare shape: Fields

  constructor(definition: D) {
    super()
    this.shape = definition
  }

  /** Merges `definition` into the constructor's; for circular references. */
  define(definition: Fields): void {
    this.shape = { ...this.shape, ...definition }
  }

  override normalize(input: unknown, _parent: unknown, _key: string, walk: Walk): unknown {
    if (typeof input === 'boolean') return input
    const { shape } = this
    if (!isObject(input)) throw new ValidationError(`Expected an object with ${Object.keys(shape).join(', ')}, found ${describe(input)}.`, input)
    if (Array.isArray(input)) return walk.take(input)
    return Object.freeze(walk.fields(shape, input))
  }

  /** One INVALID member makes the whole object INVALID. */
  override denormalize(stored: unknown, host: ViewHost): unknown {
    if (!isObject(stored) || Array.isArray(stored)) return stored
    const view: Plain = {}
    for (const field of Object.keys(stored)) {
      const value = (stored as Plain)[field]
      const member = hasOwn(this.shape, field) ? host.visit(this.shape[field], value) : value
      if (member === INVALID) return INVALID
      put(view, field, member)
    }
    return Object.freeze(view)
  }

  /** Answered when each field that has a schema is; a plain member shows its own value. */
  override queryKey(args: readonly unknown[], host: ViewHost): unknown {
    const found: Plain = {}
    let answers = 0
    for (const field of Object.keys(this.shape)) {
      const schema = this.shape[field]
      const isPlainMember = !isObject(schema) && typeof schema !== 'function'
      const key = isPlainMember ? schema : host.queryKey(schema, args)
      if (key === undefined && !isPlainMember) return undefined
      if (!isPlainMember) answers++
      if (key !== undefined) put(found, field, key)
    }
    return answers > 0 ? found : undefined
  }
}

export { ObjectSchema as Object }
