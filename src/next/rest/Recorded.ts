import { identityOf } from '../schema/Creation.ts'
import { Schema, type ViewHost } from '../schema/interface.ts'

/**
 * The record of an entity as it is stored. A view cannot always be taken in again: what a deserializer or a query has made
 * is no longer what it was made of.
 */
export class Recorded extends Schema<object | undefined> {
  readonly #of: unknown

  constructor(of: unknown) {
    super()
    this.#of = of
  }

  override normalize(input: unknown): unknown {
    return input
  }

  override denormalize(stored: unknown, host: ViewHost): unknown {
    const found = identityOf(this.#of, stored)
    return found ? host.record(found.key, found.pk) : host.visit(this.#of, stored)
  }

  override queryKey(args: readonly unknown[], host: ViewHost): unknown {
    return host.queryKey(this.#of, args)
  }
}
