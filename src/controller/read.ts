import type { ReadonlySignal } from '@preact/signals-core'
import type { AnyEndpoint, ViewOf } from '../endpoint/types.ts'
import type { Denormalize } from '../schema/types.ts'

/**
 * A read of a schema or an endpoint.
 *
 * @example
 * const read: Read<'value'> = controller.live
 * const title = read(Todo, { id: 1 })?.title
 */
export interface Read<As extends 'signal' | 'value'> {
  <E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): Given<As, ViewOf<E>>
  <S>(schema: S, ...args: readonly unknown[]): Given<As, Denormalize<S>>
}

type Given<As, T> = As extends 'signal' ? ReadonlySignal<T | undefined> : T | undefined

export function isEndpoint(target: unknown): target is AnyEndpoint {
  return typeof target === 'function' && 'testKey' in target
}
