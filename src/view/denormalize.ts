import { asDepthError } from '../base/plain.ts'
import { identityOf } from '../schema/Creation.ts'
import type { Denormalize } from '../schema/types.ts'
import type { Row, State } from '../store/State.ts'
import { Builder, withoutInvalid } from './Builder.ts'

/**
 * The view of what `normalize` returned for a response: frozen instances of the entity classes, nested fields resolved.
 * Pure: the same arguments give an equal view, made anew.
 *
 * @example
 * const [first] = denormalize([Todo], ['1'], state) ?? []
 */
export function denormalize<S>(schema: S, result: unknown, state: State, args: readonly unknown[] = []): Denormalize<S> | undefined {
  return valid(() => new Builder(state, args).visit(schema, result)) as Denormalize<S> | undefined
}

function valid(build: () => unknown): unknown {
  try {
    return withoutInvalid(build())
  } catch (error) {
    throw asDepthError(error)
  }
}

/** The view that `state` has for these arguments; undefined when it cannot answer them. */
export function queryState<S>(schema: S, args: readonly unknown[], state: State): Denormalize<S> | undefined {
  const builder = new Builder(state, args)
  return valid(() => builder.visit(schema, builder.queryKey(schema, args))) as Denormalize<S> | undefined
}

/** The stored record of the entity or variant that `state` has for these arguments. */
export function queryRecord(schema: unknown, args: readonly unknown[], state: State): Row | undefined {
  const identity = identityOf(schema, new Builder(state, args).queryKey(schema, args))
  return identity && state.row(identity.key, identity.pk)
}
