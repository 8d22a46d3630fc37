import type { AnyEndpoint, ReadEndpoint, ViewOf } from '../../index.ts'
import type { MaybeArgs } from './types.ts'
import { useProvided } from './useController.ts'
import { keyOf, useFresh, useReading } from './useReading.ts'

/**
 * Reads an endpoint, and fetches when what is there is stale. While there is nothing to show, the component waits
 * under its `Suspense`; what fails for good is thrown to its error boundary. It is rendered again only when the value
 * is another one.
 *
 * @example
 * function Title({ id }: { id: string }) {
 *   const todo = useSuspense(TodoResource.get, { id })
 *   return <h1>{todo.title}</h1>
 * }
 */
export function useSuspense<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): ViewOf<E>
export function useSuspense<E extends ReadEndpoint>(endpoint: E, ...args: MaybeArgs<E>): ViewOf<E> | undefined
export function useSuspense(endpoint: AnyEndpoint, ...args: readonly unknown[]): unknown {
  const reading = useReading(useProvided(), endpoint, args, keyOf(endpoint, args))
  const data = reading?.take()
  // Only what is shown is followed: a component that is woken while it waits is not rendered again by some boundaries.
  void reading?.signal.value
  useFresh(reading)
  return data
}
