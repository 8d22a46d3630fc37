import { isObject } from '../base/plain.ts'
import { Schema, type ViewHost, type Walk } from './interface.ts'
import { Query } from './Query.ts'
import type { Denormalize, Stored } from './types.ts'

/**
 * A relation that a parent's view does not follow: the view keeps the pks, and `.query` reads them on demand.
 *
 * @example
 * class User extends Entity {
 *   friends: string[] = []
 *   static override schema = { friends: new schema.Lazy([User]) }
 * }
 */
export class Lazy<S> extends Schema<Stored<S>> {
  /** Reads the stored value of the parent's field: `denormalize(lazy.query, user.friends, state)`. */
  declare readonly query: Schema<Denormalize<S>>

  constructor(inner: S) {
    super()
    this.query = new LazyQuery(inner, view => view)
  }

  override normalize(input: unknown, parent: unknown, key: string, walk: Walk): unknown {
    return this.query.normalize(input, parent, key, walk)
  }

  override denormalize(stored: unknown): unknown {
    return stored
  }
}

/** The reading half of a lazy relation. */
class LazyQuery<S> extends Query<S, Denormalize<S>> {
  /** The first argument is the stored value of the parent's field. */
  override queryKey(args: readonly unknown[], host: ViewHost): unknown {
    return super.queryKey(args, host) ?? (isObject(args[0]) ? args[0] : undefined)
  }
}
