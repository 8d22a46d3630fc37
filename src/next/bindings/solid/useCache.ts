import type { ReadEndpoint, ViewOf } from '../../index.ts'
import type { AccessorArgs } from './args.ts'
import { memo } from './reactive.ts'
import { createRead, isMissing, readingOf, type Reading } from './reading.ts'

/**
 * Reads an endpoint without ever fetching: undefined where `useSuspense` would wait.
 *
 * @example
 * const me = useCache(UserResource.get, { id: 'me' })
 * return <Show when={me()} fallback={<Login />}>{user => user().name}</Show>
 */
export function useCache<E extends ReadEndpoint>(endpoint: E, ...args: AccessorArgs<Parameters<E>>): Reading<ViewOf<E>> {
  const read = createRead(endpoint, args)
  return readingOf(read, memo(() => (isMissing(read.cause()) ? undefined : read.data())))
}
