import type { Denormalize } from '../schema/types.ts'
import type { State } from '../store/state.ts'
import { assemble } from './assembly.ts'

/**
 * The view of what `normalize` gave for a response: frozen instances of the entity classes, nested fields resolved.
 * Pure: the same arguments give an equal view, made anew.
 *
 * @example
 * const [first] = denormalize([Todo], ['1'], state) ?? []
 */
export function denormalize<S>(schema: S, result: unknown, state: State, args: readonly unknown[] = []): Denormalize<S> | undefined {
  return assemble(schema, result, state, args) as Denormalize<S> | undefined
}
