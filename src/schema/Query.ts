import { isObject } from '../base/plain.ts'
import { isEntityClass, traitsOf } from './compile.ts'
import { isVisible, Schema, type Fields, type ViewHost, type Walk } from './interface.ts'
import type { Denormalize } from './types.ts'

/**
 * A value computed from what the store knows. `process` is not called while an input is missing.
 *
 * @example
 * const remaining = new schema.Query(new schema.All(Todo), todos => todos.filter(todo => !todo.done).length)
 */
export class Query<S, R, P extends readonly unknown[] = readonly unknown[]> extends Schema<R> {
  /** @internal Its view may be undefined. */ readonly computes: boolean = true
  /** The schema of what it computes from. */
  declare readonly inner: S
  /** Computes the value. Its arguments are those of a read. */
  declare readonly process: (entries: Denormalize<S>, ...args: P) => R

  constructor(inner: S, process: (entries: Denormalize<S>, ...args: P) => R) {
    super()
    this.inner = inner
    this.process = process
  }

  override normalize(input: unknown, parent: unknown, key: string, walk: Walk): unknown {
    return walk.visit(this.inner, input, parent, key)
  }

  override denormalize(stored: unknown, host: ViewHost): unknown {
    const entries = host.visit(this.inner, stored)
    if (!isVisible(entries) || this.#lacksInput(entries)) return undefined
    return host.computed(this, entries, () => this.process(entries as Denormalize<S>, ...(host.args as unknown as P)))
  }

  override queryKey(args: readonly unknown[], host: ViewHost): unknown {
    return host.queryKey(this.inner, args)
  }

  /** In a join every member that has a schema is an input. A plain member, such as a cursor, may be absent. */
  #lacksInput(entries: unknown): boolean {
    const { shape = {} } = traitsOf(this.inner)
    return Object.keys(shape).some(name => (isObject(shape[name]) || isEntityClass(shape[name])) && (entries as Fields)[name] === undefined)
  }
}
