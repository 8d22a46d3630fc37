import { computed } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { AnyEndpoint, ViewOf } from '../../src/index.ts'
import { Blocked, look } from './reading.ts'
import type { MaybeArgs } from './types.ts'
import { useController } from './useController.ts'
import { keyOf } from './useReading.ts'

/**
 * The same as `useCache`, as a signal.
 *
 * @example
 * const me = useCacheSignal(UserResource.get, { id: 'me' })
 * return <p>{useComputed(() => me.value?.name ?? 'nobody')}</p>
 */
export function useCacheSignal<E extends AnyEndpoint>(endpoint: E, ...args: MaybeArgs<E>): ReadonlySignal<ViewOf<E> | undefined> {
  const controller = useController()
  const key = keyOf(endpoint, args)
  return useMemo(() => {
    if (key === undefined) return computed(() => undefined)
    return computed(
      () => {
        const value = look(controller, endpoint, args)
        return (value instanceof Blocked ? value.data : value) as ViewOf<E> | undefined
      },
      { name: key },
    )
  }, [controller, key, endpoint.schema])
}
