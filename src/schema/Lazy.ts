import { denormalizeWith, handlerOf, queryKeyOf } from './dispatch.ts'
import { Schema, type NormalizeHost, type QueryHost, type ViewHost } from './interface.ts'
import type { Denormalize, Stored } from './types.ts'

/**
 * A relation that a parent's view does not follow: the view keeps the pks, and `.query` reads them when asked.
 *
 * @example
 * class User extends Entity {
 *   friends: string[] = []
 *   static override schema = { friends: new schema.Lazy([User]) }
 * }
 */
export class Lazy<S> extends Schema<Stored<S>> {
  /** Reads what the parent kept: `denormalize(lazy.query, user.friends, state)`. */
  readonly query: Schema<Denormalize<S>>

  constructor(inner: S) {
    super()
    this.query = new Followed(inner)
  }

  /** @internal */
  override get followed(): Schema {
    return this.query
  }

  override normalize(input: unknown, parent: unknown, key: string, host: NormalizeHost): unknown {
    return this.query.normalize(input, parent, key, host)
  }

  override denormalize(stored: unknown): unknown {
    return stored
  }
}

/** The other half of a lazy relation. */
class Followed<S> extends Schema<Denormalize<S>> {
  readonly #inner: S

  constructor(inner: S) {
    super()
    this.#inner = inner
  }

  override normalize(input: unknown, parent: unknown, key: string, host: NormalizeHost): unknown {
    return host.visit(this.#inner, input, parent, key)
  }

  override denormalize(stored: unknown, host: ViewHost): unknown {
    return denormalizeWith(this.#inner, stored, host)
  }

  /** What the parent kept is itself the first argument. Lists and maps are answered as they are; others know what is kept of them. */
  override queryKey(args: readonly unknown[], host: QueryHost): unknown {
    const asked = handlerOf(this.#inner)?.queryKey ?? Schema.prototype.queryKey
    return typeof args[0] === 'object' && asked === Schema.prototype.queryKey ? args[0] : queryKeyOf(this.#inner, args, host)
  }
}
