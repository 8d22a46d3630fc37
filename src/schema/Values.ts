import { ValidationError } from '../base/errors.ts'
import { put } from '../base/plain.ts'
import type { MemberView } from './Array.ts'
import { denormalizeMember, describe, PROTO_DROPPED, type Shape } from './dispatch.ts'
import { INVALID, Schema, type Fields, type NormalizeHost, type ViewHost } from './interface.ts'
import type { Attribute } from './polymorphic.ts'
import { Tagging, type Resolved } from './Tagging.ts'

/**
 * An object with any number of string keys, all of whose values are of one type, or of several told apart by an attribute.
 *
 * @example
 * new schema.Values(Price) // { EUR: { … }, USD: { … } }
 */
export class Values<D = unknown, A extends Attribute | undefined = string | ((value: Fields, parent: Fields, key: string) => unknown) | undefined> extends Schema<{ [name: string]: MemberView<D, A> }> {
  readonly #member: Tagging

  constructor(definition: D, attribute?: A) {
    super()
    this.#member = new Tagging('schema.Values', definition, attribute)
  }

  /** @internal The types that a member may have. */
  typeKeys(): unknown[] {
    return this.#member.types()
  }

  /** @internal What the name of a collection of it stands in. */
  get brackets(): string {
    return '{}'
  }

  /** @internal What a stored member is. */
  resolve(stored: unknown): Resolved | undefined {
    return this.#member.resolve(stored)
  }

  /** Merges `definition` into the constructor's; for circular references. */
  define(definition: Shape): void {
    this.#member.define(definition)
  }

  /** Entries that are `null` or undefined are dropped. */
  override normalize(input: unknown, _parent: unknown, _key: string, host: NormalizeHost): unknown {
    if (typeof input === 'boolean') return input
    if (typeof input !== 'object' || input === null) throw new ValidationError(`Expected an object of values, found ${describe(input)}.`, input)
    const stored: { [name: string]: unknown } = {}
    for (const name of Object.keys(input)) {
      const value = (input as Shape)[name]
      if (value === null || value === undefined) continue
      if (name === '__proto__') host.warn(PROTO_DROPPED)
      else put(stored, name, this.#member.normalize(value, input, name, host))
    }
    return Object.freeze(stored)
  }

  /** Entries that are not there, or must not be shown, are left out. */
  override denormalize(stored: unknown, host: ViewHost): unknown {
    if (typeof stored !== 'object' || stored === null) return stored
    const view: { [name: string]: unknown } = {}
    for (const name of Object.keys(stored)) {
      const member =
        this.#member.attribute === undefined
          ? denormalizeMember(this.#member.definition, stored, name, host)
          : this.#member.denormalize((stored as Shape)[name], host)
      if (member !== undefined && member !== null && member !== INVALID) put(view, name, member)
    }
    return Object.freeze(view)
  }
}
