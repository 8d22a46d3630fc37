import type { Accessor } from 'solid-js'
import type { AnyEndpoint, ViewOf } from '../../src/index.ts'
import type { AccessorArgs } from './args.ts'
import { createRead, keepFresh } from './reading.ts'

/**
 * Fetches when what is there is stale, and gives the promise: to begin early what is read further down.
 *
 * @example
 * useFetch(TodoResource.getList)
 * return <Suspense><Todos /></Suspense>
 */
export function useFetch<E extends AnyEndpoint>(endpoint: E, ...args: AccessorArgs<Parameters<E>>): Accessor<Promise<ViewOf<E> | undefined> | undefined> {
  const read = createRead(endpoint, args)
  let promise: Promise<ViewOf<E> | undefined> | undefined
  const ask = (): typeof promise => (promise = read.fetchIfStale())
  keepFresh(read, true, ask)
  return () => (read.cause() === undefined ? undefined : (promise ?? ask()))
}
