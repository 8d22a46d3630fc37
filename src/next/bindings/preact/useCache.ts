import type { ReadEndpoint, ViewOf } from '../../index.ts'
import type { MaybeArgs } from './types.ts'
import { useCacheSignal } from './useCacheSignal.ts'

/**
 * Reads an endpoint without ever fetching: undefined where `useSuspense` would wait.
 *
 * @example
 * const me = useCache(UserResource.get, { id: 'me' })
 * return me ? <p>{me.name}</p> : <Login />
 */
export function useCache<E extends ReadEndpoint>(endpoint: E, ...args: MaybeArgs<E>): ViewOf<E> | undefined {
  return useCacheSignal(endpoint, ...args).value
}
