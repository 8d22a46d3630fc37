import type { Accessor } from 'solid-js'
import type { ReadEndpoint, ViewOf } from '../../index.ts'
import type { AccessorArgs } from './args.ts'
import { memo, solidTracker } from './reactive.ts'
import { createRead, isAnswer } from './reading.ts'

/**
 * Fetches when what is there is stale, and gives the promise: to begin early what is read further down.
 *
 * @example
 * useFetch(TodoResource.getList)
 * return <Suspense><Todos /></Suspense>
 */
export function useFetch<E extends ReadEndpoint>(endpoint: E, ...args: AccessorArgs<Parameters<E>>): Accessor<Promise<ViewOf<E> | undefined> | undefined> {
  const { cause, fetchIfStale } = createRead(endpoint, args)
  // Asks as it is computed, so that nobody who reads it is early and gets the promise for other arguments.
  const asked = memo<Asked<ViewOf<E>> | undefined>(before => {
    const now = cause()
    if (now === undefined) return undefined
    return { cause: now, promise: before && isAnswer(now, before.cause) ? before.promise : solidTracker.untracked(fetchIfStale) }
  })
  return () => asked()?.promise
}

interface Asked<T> {
  readonly cause: string
  readonly promise: Promise<T | undefined>
}
