import type { AnyEndpoint } from '../../src/index.ts'
import type { MaybeArgs } from './types.ts'
import { useController } from './useController.ts'
import { useMounted } from './useMounted.ts'
import { keyOf } from './useReading.ts'

/**
 * Polls an endpoint, every `pollFrequency` milliseconds, for as long as the component is mounted.
 *
 * @example
 * useSubscription(PriceResource.get, { symbol })
 * return <b>{useCache(PriceResource.get, { symbol })?.value ?? '…'}</b>
 */
export function useSubscription<E extends AnyEndpoint>(endpoint: E, ...args: MaybeArgs<E>): void {
  const controller = useController()
  const key = keyOf(endpoint, args)
  useMounted(() => {
    if (key === undefined) return undefined
    const given = args as Parameters<E>
    controller.subscribe(endpoint, ...given)
    return () => controller.unsubscribe(endpoint, ...given)
  }, [controller, key, endpoint.pollFrequency])
}
