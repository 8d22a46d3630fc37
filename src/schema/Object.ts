import { denormalizeObject, normalizeObject, queryKeyOf, type Shape } from './dispatch.ts'
import { Schema, type NormalizeHost, type QueryHost, type ViewHost } from './interface.ts'
import type { Denormalize, Field, Missing } from './types.ts'

/**
 * An object with known fields. Shorthand: `{ field: S }`.
 *
 * @example
 * new schema.Object({ results: [Todo], total: 0 })
 */
class ObjectSchema<D extends Shape = Shape> extends Schema<{ -readonly [K in keyof D]: Denormalize<Field<D[K]>> | Missing<D[K]> }> {
  #shape: Shape

  constructor(definition: D) {
    super()
    this.#shape = definition
  }

  /** The fields and their schemas. */
  override get shape(): Shape {
    return this.#shape
  }

  /** Merges `definition` into the constructor's; for circular references. */
  define(definition: Shape): void {
    this.#shape = { ...this.#shape, ...definition }
  }

  override normalize(input: unknown, _parent: unknown, _key: string, host: NormalizeHost): unknown {
    return normalizeObject(this.#shape, input, host)
  }

  override denormalize(stored: unknown, host: ViewHost): unknown {
    return denormalizeObject(this.#shape, stored, host)
  }

  override queryKey(args: readonly unknown[], host: QueryHost): unknown {
    return queryKeyOf(this.#shape, args, host)
  }
}

export { ObjectSchema as Object }
