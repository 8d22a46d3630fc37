import { computed } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { AnyEndpoint, ReadEndpoint, ViewOf } from '../../index.ts'
import type { MaybeArgs } from './types.ts'
import { useController } from './useController.ts'
import { keyOf } from './useReading.ts'

/**
 * Fetches when what is there is stale, and gives the promise: to begin early what is read further down.
 *
 * @example
 * function Page() {
 *   useFetch(TodoResource.getList)
 *   return <Suspense fallback="…"><Todos /></Suspense>
 * }
 */
export function useFetch<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): Promise<ViewOf<E>>
export function useFetch<E extends ReadEndpoint>(endpoint: E, ...args: MaybeArgs<E>): Promise<ViewOf<E>> | undefined
export function useFetch(endpoint: AnyEndpoint, ...args: readonly unknown[]): Promise<unknown> | undefined {
  const controller = useController()
  const key = keyOf(endpoint, args)
  const mark = useMemo(() => computed(() => (key === undefined ? undefined : controller.getResponse(endpoint, ...args).markedAt)), [controller, key])
  return useMemo(() => {
    if (key === undefined) return undefined
    const promise = controller.fetchIfStale(endpoint, ...args)
    // Whoever wants the error awaits it; nobody has to.
    promise.catch(() => {})
    return promise
  }, [controller, key, mark.value])
}
