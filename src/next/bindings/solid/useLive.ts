import type { ReadEndpoint, ViewOf } from '../../index.ts'
import type { AccessorArgs } from './args.ts'
import type { Reading } from './reading.ts'
import { useSubscription } from './useSubscription.ts'
import { useSuspense } from './useSuspense.ts'

/**
 * `useSuspense` and `useSubscription` in one: reads an endpoint, and polls it for as long as the component lives.
 *
 * @example
 * const price = useLive(PriceResource.get, () => ({ symbol: props.symbol }))
 * return <b>{price()?.value}</b>
 */
export function useLive<E extends ReadEndpoint>(endpoint: E, ...args: AccessorArgs<Parameters<E>>): Reading<ViewOf<E>> {
  useSubscription(endpoint, ...args)
  return useSuspense(endpoint, ...args)
}
