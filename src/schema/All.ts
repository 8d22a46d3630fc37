import { isObject } from '../base/plain.ts'
import { Schema, type Fields, type ViewHost, type Walk } from './interface.ts'
import { Element, type Attribute, type MemberView } from './Variants.ts'

/**
 * Every entity of a type in the store, in order of arrival.
 *
 * @example
 * const todos = denormalize(new schema.All(Todo), [], state)
 */
export class All<D = unknown, A extends Attribute | undefined = string | ((value: Fields, parent: Fields, key: string) => unknown) | undefined> extends Schema<MemberView<D, A>[]> {
  /** @internal */ readonly element: Element

  constructor(definition: D, attribute?: A) {
    super()
    this.element = new Element('schema.All', definition, attribute)
  }

  /** Merges `definition` into the constructor's; for circular references. */
  define(definition: Fields): void {
    this.element.define(definition)
  }

  override normalize(input: unknown, parent: unknown, key: string, walk: Walk): unknown {
    return walk.list(this.element.schema, Array.isArray(input) ? input : isObject(input) ? Object.values(input) : [], parent, key)
  }

  /** Always asks the tables: a response says nothing about which entities exist now. */
  override denormalize(_stored: unknown, host: ViewHost): unknown {
    // Several attribute values may mean one class.
    const types = [...new Set(this.element.types)]
    const views = types.flatMap(type => {
      const pks = host.all((type as { key: string }).key)
      return pks === undefined ? [] : [host.list(type, pks) as readonly unknown[]]
    })
    if (views.length === 0) return undefined
    return types.length === 1 ? views[0] : host.computed(this, views, () => Object.freeze(views.flat()))
  }

  override queryKey(_args: readonly unknown[], host: ViewHost): unknown {
    return this.element.types.some(type => host.all((type as { key?: string }).key ?? '') !== undefined) ? [] : undefined
  }
}
