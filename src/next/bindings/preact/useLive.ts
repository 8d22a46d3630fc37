import type { ReadEndpoint, ViewOf } from '../../index.ts'
import type { MaybeArgs } from './types.ts'
import { useSubscription } from './useSubscription.ts'
import { useSuspense } from './useSuspense.ts'

/**
 * `useSuspense` and `useSubscription` in one: reads an endpoint, and polls it for as long as the component is mounted.
 *
 * @example
 * const price = useLive(PriceResource.get, { symbol })
 * return <b>{price.value}</b>
 */
export function useLive<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): ViewOf<E>
export function useLive<E extends ReadEndpoint>(endpoint: E, ...args: MaybeArgs<E>): ViewOf<E> | undefined
export function useLive<E extends ReadEndpoint>(endpoint: E, ...args: MaybeArgs<E>): ViewOf<E> | undefined {
  const data = useSuspense(endpoint, ...args)
  useSubscription(endpoint, ...args)
  return data
}
