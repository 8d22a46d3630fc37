import { handlerOf, queryKeyOf, shapeOf, type Shape } from './dispatch.ts'
import { INVALID, Schema, type NormalizeHost, type QueryHost, type ViewHost } from './interface.ts'
import type { Denormalize } from './types.ts'

/**
 * Something computed from what the store knows. `process` is not called while its input is not there.
 *
 * @example
 * const remaining = new schema.Query(new schema.All(Todo), todos => todos.filter(todo => !todo.done).length)
 */
export class Query<S, R, P extends readonly unknown[] = readonly unknown[]> extends Schema<R> {
  /** @internal */ readonly inner: S
  /** @internal */ readonly process: (entries: Denormalize<S>, ...args: P) => R

  constructor(inner: S, process: (entries: Denormalize<S>, ...args: P) => R) {
    super()
    this.inner = inner
    this.process = process
  }

  /** @internal */
  override get computes(): boolean {
    return true
  }

  override normalize(input: unknown, parent: unknown, key: string, host: NormalizeHost): unknown {
    return host.visit(this.inner, input, parent, key)
  }

  override denormalize(stored: unknown, host: ViewHost): unknown {
    const entries = host.settled(this.inner, stored)
    if (entries === undefined || entries === INVALID || this.#lacksMember(entries)) return undefined
    return host.computed(this, entries, () => this.process(entries as Denormalize<S>, ...(host.args as P)))
  }

  /** In a join every member that has a schema is an input. A plain value, such as a cursor, may be left out. */
  #lacksMember(entries: unknown): boolean {
    const members = shapeOf(this.inner) ?? {}
    return Object.keys(members).some(name => isInput(members[name]) && (entries as Shape)[name] === undefined)
  }

  override queryKey(args: readonly unknown[], host: QueryHost): unknown {
    return queryKeyOf(this.inner, args, host)
  }
}

function isInput(schema: unknown): boolean {
  return (typeof schema === 'object' && schema !== null) || handlerOf(schema) !== undefined
}
