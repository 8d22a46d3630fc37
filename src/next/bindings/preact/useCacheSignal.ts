import type { ReadonlySignal } from '@preact/signals'
import type { ReadEndpoint, ViewOf } from '../../index.ts'
import { Blocked, look } from './reading.ts'
import type { MaybeArgs } from './types.ts'
import { useController } from './useController.ts'
import { keyOf } from './useReading.ts'
import { useReadSignal } from './useReadSignal.ts'

/**
 * The same as `useCache`, as a signal: one for as long as the component is mounted, whatever its arguments become.
 *
 * @example
 * const me = useCacheSignal(UserResource.get, { id: 'me' })
 * return <p>{useComputed(() => me.value?.name ?? 'nobody')}</p>
 */
export function useCacheSignal<E extends ReadEndpoint>(endpoint: E, ...args: MaybeArgs<E>): ReadonlySignal<ViewOf<E> | undefined> {
  const controller = useController()
  const key = keyOf(endpoint, args)
  return useReadSignal(
    () => () => {
      const value = key === undefined ? undefined : look(controller, endpoint, args)
      return (value instanceof Blocked ? value.data : value) as ViewOf<E> | undefined
    },
    [controller, key, endpoint.schema],
    key,
  )
}
