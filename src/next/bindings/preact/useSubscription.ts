import { useRef } from 'preact/hooks'
import { subscribe, type ReadEndpoint } from '../../index.ts'
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
export function useSubscription<E extends ReadEndpoint>(endpoint: E, ...args: MaybeArgs<E>): void {
  const controller = useController()
  const key = keyOf(endpoint, args)
  const kept = useRef<(() => void) | undefined>(undefined)
  const end = (): void => {
    kept.current?.()
    kept.current = undefined
  }
  const inputs = [controller, key, endpoint.pollFrequency]
  useMounted(() => end, inputs)
  useMounted(() => {
    const given = args as Parameters<E>
    const stop = key === undefined ? undefined : subscribe(controller, endpoint, ...given)
    // After that, so that an endpoint that is created in each render takes over, and the interval goes on.
    end()
    kept.current = stop
    return undefined
  }, [...inputs, endpoint])
}
