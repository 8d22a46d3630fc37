import { normalizeList } from './dispatch.ts'
import { Schema, type Fields, type NormalizeHost, type ViewHost } from './interface.ts'
import type { Attribute } from './polymorphic.ts'
import { Tagging, type Resolved } from './Tagging.ts'
import type { Denormalize } from './types.ts'

/** What a member of a list of `D`, or, where an attribute is given, of the types of the mapping `D`, looks like. */
export type MemberView<D, A> = undefined extends A ? Denormalize<D> : D extends object ? Denormalize<D[keyof D]> : never

/**
 * A list of one type, or of several told apart by an attribute. Shorthand: `[S]`.
 *
 * @example
 * new schema.Array({ text: TextPost, image: ImagePost }, 'type')
 */
class ArraySchema<D = unknown, A extends Attribute | undefined = string | ((value: Fields, parent: Fields, key: string) => unknown) | undefined> extends Schema<MemberView<D, A>[]> {
  readonly #member: Tagging
  /** Set where members need no telling apart: then this is the shorthand's code. */
  readonly #single: boolean

  constructor(definition: D, attribute?: A) {
    super()
    this.#member = new Tagging('schema.Array', definition, attribute)
    this.#single = attribute === undefined
  }

  /** @internal The types that a member may have. */
  typeKeys(): unknown[] {
    return this.#member.types()
  }

  /** @internal What the name of a collection of it stands in. */
  get brackets(): string {
    return '[]'
  }

  /** @internal What a stored member is. */
  resolve(stored: unknown): Resolved | undefined {
    return this.#member.resolve(stored)
  }

  /** Merges `definition` into the constructor's; for circular references. */
  define(definition: { readonly [name: string]: unknown }): void {
    this.#member.define(definition)
  }

  override normalize(input: unknown, parent: unknown, key: string, host: NormalizeHost): unknown {
    return normalizeList(this.#single ? this.#member.definition : this.#member, input, parent, key, host)
  }

  override denormalize(stored: unknown, host: ViewHost): unknown {
    return Array.isArray(stored) ? host.list(this.#single ? this.#member.definition : this.#member, stored) : stored
  }
}

export { ArraySchema as Array }
