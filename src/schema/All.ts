import { isObject } from '../base/plain.ts'
import type { Fields, ViewHost, Walk } from './interface.ts'
import { Many, typesOf, type Attribute, type MemberView } from './Variants.ts'

/**
 * Every entity of a type in the store, in order of arrival.
 *
 * @example
 * const todos = denormalize(new schema.All(Todo), [], state)
 */
export class All<D = unknown, A extends Attribute | undefined = string | ((value: Fields, parent: Fields, key: string) => unknown) | undefined> extends Many<MemberView<D, A>[]> {

  constructor(definition: D, attribute?: A) {
    super('schema.All', definition, attribute)
  }

  override normalize(input: unknown, parent: unknown, key: string, walk: Walk): unknown {
    return walk.list(this.member, Array.isArray(input) ? input : isObject(input) ? Object.values(input) : [], parent, key)
  }

  /** Always asks the tables: a response says nothing about which entities exist now. */
  override denormalize(_stored: unknown, host: ViewHost): unknown {
    // Several attribute values may mean one class.
    const types = [...new Set(typesOf(this.member))]
    const views = types.map(type => host.list(type, host.all((type as { key: string }).key) ?? []))
    return types.length === 1 ? views[0] : host.computed(this, views, () => Object.freeze(views.flat()))
  }

  override queryKey(_args: readonly unknown[], host: ViewHost): unknown {
    return typesOf(this.member).some(type => host.all((type as { key?: string }).key ?? '') !== undefined) ? [] : undefined
  }
}
