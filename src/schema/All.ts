import type { MemberView } from './Array.ts'
import { handlerOf, normalizeList, type Shape } from './dispatch.ts'
import { Schema, type Fields, type NormalizeHost, type QueryHost, type ViewHost } from './interface.ts'
import type { Attribute } from './polymorphic.ts'
import { Tagging } from './Tagging.ts'

/**
 * Every entity of a type that the store knows, in the order of arrival.
 *
 * @example
 * const todos = denormalize(new schema.All(Todo), [], state)
 */
export class All<D = unknown, A extends Attribute | undefined = string | ((value: Fields, parent: Fields, key: string) => unknown) | undefined> extends Schema<MemberView<D, A>[]> {
  readonly #member: Tagging

  constructor(definition: D, attribute?: A) {
    super()
    this.#member = new Tagging('schema.All', definition, attribute)
  }

  /** @internal The types that a member may have. */
  typeKeys(): unknown[] {
    return this.#member.types()
  }

  /** Merges `definition` into the constructor's; for circular references. */
  define(definition: Shape): void {
    this.#member.define(definition)
  }

  override normalize(input: unknown, parent: unknown, key: string, host: NormalizeHost): unknown {
    return normalizeList(this.#member.attribute === undefined ? this.#member.definition : this.#member, input, parent, key, host)
  }

  /** Always asks the tables; what a response listed says nothing about what is there now. */
  override denormalize(_stored: unknown, host: ViewHost): unknown {
    // Several attribute values may mean one class, whose entities are there once.
    const types = [...new Set(this.#member.types())]
    const lists = types.map(type => host.all((type as { key: string }).key))
    if (types.length === 1) return lists[0] && host.list(types[0], lists[0])
    const views = lists.flatMap((pks, at) => (pks === undefined ? [] : [host.settled([types[at]], pks) as readonly unknown[]]))
    return views.length === 0 ? undefined : host.computed(this, views, () => Object.freeze(views.flat()))
  }

  override queryKey(_args: readonly unknown[], host: QueryHost): unknown {
    return this.#member.types().some(type => handlerOf(type) && host.known((type as { key: string }).key)) ? [] : undefined
  }
}
