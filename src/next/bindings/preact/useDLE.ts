import { computed } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { ReadEndpoint, ViewOf } from '../../index.ts'
import { Blocked } from './reading.ts'
import type { MaybeArgs } from './types.ts'
import { useProvided } from './useController.ts'
import { keyOf, useFresh, useReading } from './useReading.ts'

/**
 * Data, loading, error.
 *
 * @example
 * const { data, error }: DLE<Todo[]> = useDLE(TodoResource.getList)
 * return <p>{error ? 'Out of reach.' : data?.length}</p>
 */
export interface DLE<T> {
  readonly data: T | undefined
  /** Whether a request for it is under way, with data on show or without. */
  readonly loading: boolean
  /** What the last request came to, when it failed. */
  readonly error: unknown
  /** Asks again, whether it is fresh or not. Nobody has to await it. */
  refetch(): Promise<T | undefined>
}

/**
 * Reads an endpoint, and fetches when what is there is stale. Neither waits nor throws.
 *
 * @example
 * const { data, loading, error, refetch } = useDLE(TodoResource.getList)
 * if (loading) return <p>…</p>
 * if (error) return <button onClick={refetch}>Try again</button>
 * return <p>{data?.length} things to do</p>
 */
export function useDLE<E extends ReadEndpoint>(endpoint: E, ...args: MaybeArgs<E>): DLE<ViewOf<E>> {
  const provided = useProvided()
  const { controller } = provided
  const given = args as Parameters<E>
  let key: string | undefined
  let fault: unknown
  try {
    key = keyOf(endpoint, args)
  } catch (error) {
    fault = error
  }
  const reading = useReading(provided, endpoint, args, key)
  const state = useMemo(() => {
    let last: DLE<ViewOf<E>> | undefined
    const refetch = (): Promise<ViewOf<E> | undefined> =>
      reading ? (controller.fetch(reading.endpoint, ...reading.args) as Promise<ViewOf<E>>) : Promise.resolve(undefined)
    return computed(() => {
      const value = reading?.signal.value
      const blocked = value instanceof Blocked
      const over = blocked && reading?.over.value === value
      // What has just come is shown, stale at once or not.
      const data = (!blocked ? value : over && value.response.expiryStatus !== 1 ? value.response.data : value.data) as ViewOf<E> | undefined
      const error = reading && controller.getError(endpoint, ...given)
      const loading = reading !== undefined && (controller.isFetching(endpoint, ...given) || (blocked && error === undefined && !over))
      return last && last.data === data && last.error === error && last.loading === loading ? last : (last = { data, loading, error, refetch })
    })
  }, [provided, reading])
  const shown = state.value
  useFresh(reading, shown.data === undefined)
  return fault === undefined ? shown : { data: undefined, loading: false, error: fault, refetch: () => controller.fetch(endpoint, ...given) }
}
