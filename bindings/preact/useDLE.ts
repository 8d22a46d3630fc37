import { computed } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { AnyEndpoint, ViewOf } from '../../src/index.ts'
import { Blocked } from './reading.ts'
import type { MaybeArgs } from './types.ts'
import { useProvided } from './useController.ts'
import { keyOf, useFresh, useReading } from './useReading.ts'

/** Data, loading, error. */
export interface DLE<T> {
  readonly data: T | undefined
  /** Whether a request for it is under way, with data on show or without. */
  readonly loading: boolean
  /** What the last request came to, when it failed. */
  readonly error: unknown
}

/**
 * Reads an endpoint, and fetches when what is there is stale. Neither waits nor throws.
 *
 * @example
 * const { data, loading, error } = useDLE(TodoResource.getList)
 * if (loading) return <p>…</p>
 */
export function useDLE<E extends AnyEndpoint>(endpoint: E, ...args: MaybeArgs<E>): DLE<ViewOf<E>> {
  const provided = useProvided()
  let key: string | undefined
  let fault: unknown
  try {
    key = keyOf(endpoint, args)
  } catch (error) {
    fault = error
  }
  const reading = useReading(provided, endpoint, args, key)
  const state = useMemo(() => {
    const { controller } = provided
    const given = args as Parameters<E>
    let last: DLE<unknown> | undefined
    return computed(() => {
      const value = reading?.signal.value
      const blocked = value instanceof Blocked
      const data = blocked ? value.data : value
      const error = reading && controller.getError(endpoint, ...given)
      const loading = reading !== undefined && (controller.isFetching(endpoint, ...given) || (blocked && error === undefined && reading.over.value !== value))
      return last && last.data === data && last.error === error && last.loading === loading ? last : (last = { data, loading, error })
    })
  }, [provided, reading])
  const shown = state.value as DLE<ViewOf<E>>
  useFresh(reading, shown.data === undefined)
  return fault === undefined ? shown : { data: undefined, loading: false, error: fault }
}
