import type { ReadEndpoint, ViewOf } from '../../index.ts'
import type { AccessorArgs } from './args.ts'
import { isServer } from './reactive.ts'
import { createRead, isMissing, keepFresh, readingOf, type Reading } from './reading.ts'

/**
 * Data, loading, error. Do not take it apart: its members are followed where they are read.
 *
 * @example
 * const todos: DLE<Todo[]> = useDLE(TodoResource.getList)
 * return <button disabled={todos.loading} onClick={() => todos.refetch()}>Again</button>
 */
export interface DLE<T> extends Pick<Reading<T>, 'error' | 'loading' | 'refetch'> {
  readonly data: T | undefined
}

/**
 * Reads an endpoint, and fetches when what is there is stale. Neither waits nor throws.
 *
 * @example
 * const todos = useDLE(TodoResource.getList)
 * return <Show when={!todos.loading} fallback="…">{todos.data?.length} things to do</Show>
 */
export function useDLE<E extends ReadEndpoint>(endpoint: E, ...args: AccessorArgs<Parameters<E>>): DLE<ViewOf<E>> {
  const read = createRead(endpoint, args)
  keepFresh(read, true)
  // A server asks for nothing here. What is missing is loading to it and to the page that begins, so that they show the same.
  const state = isServer ? () => ({ ...read.state(), loading: isMissing(read.cause()) }) : read.state
  return Object.defineProperty(readingOf({ ...read, state }, read.data), 'data', { get: read.data }) as Reading<ViewOf<E>> & DLE<ViewOf<E>>
}
