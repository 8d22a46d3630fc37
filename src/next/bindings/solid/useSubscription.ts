import { subscribe, type ReadEndpoint } from '../../index.ts'
import type { AccessorArgs } from './args.ts'
import { useBinding } from './context.ts'
import { follow } from './reactive.ts'
import { createCall } from './reading.ts'

/**
 * Polls an endpoint, every `pollFrequency` milliseconds, for as long as the component lives.
 *
 * @example
 * useSubscription(PriceResource.get, () => ({ symbol: props.symbol }))
 * const price = useCache(PriceResource.get, () => ({ symbol: props.symbol }))
 * return <b>{price()?.value ?? '…'}</b>
 */
export function useSubscription<E extends ReadEndpoint>(endpoint: E, ...args: AccessorArgs<Parameters<E>>): void {
  const { controller } = useBinding()
  follow(createCall(endpoint, args), ({ args: now, fault }) => {
    if (fault !== undefined) throw fault
    if (now === undefined) return undefined
    return subscribe(controller, endpoint, ...now)
  })
}
