import { computed } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { AnyEndpoint, ReadEndpoint, ViewOf } from '../../index.ts'
import { Blocked } from './reading.ts'
import type { MaybeArgs } from './types.ts'
import { useProvided } from './useController.ts'
import { keyOf, useFresh, useReading } from './useReading.ts'
import { useReadSignal } from './useReadSignal.ts'

/**
 * The same as `useSuspense`, as a signal: one for as long as the component is mounted, whatever its arguments become.
 * Put it, or a computed of it, into JSX: when the data changes, the text node does, and the component is not rendered
 * again.
 *
 * @example
 * function Title({ id }: { id: string }) {
 *   const todo = useSuspenseSignal(TodoResource.get, { id })
 *   return <h1>{useComputed(() => todo.value.title)}</h1>
 * }
 */
export function useSuspenseSignal<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): ReadonlySignal<ViewOf<E>>
export function useSuspenseSignal<E extends ReadEndpoint>(endpoint: E, ...args: MaybeArgs<E>): ReadonlySignal<ViewOf<E> | undefined>
export function useSuspenseSignal(endpoint: AnyEndpoint, ...args: readonly unknown[]): ReadonlySignal<unknown> {
  const key = keyOf(endpoint, args)
  const reading = useReading(useProvided(), endpoint, args, key)
  reading?.take()
  // Not only whether: what is in the way may become something else, which must be waited for or thrown.
  const blocked = useMemo(() => computed(() => reading?.signal.value instanceof Blocked && reading.signal.value), [reading])
  void blocked.value
  useFresh(reading)
  return useReadSignal(
    () => {
      let last: unknown
      return () => {
        const value = reading?.signal.value
        // Who reads it hears of what has gone before the component does, and may not be shown nothing.
        return (last = !(value instanceof Blocked) ? value : value.response.data === undefined ? last : value.response.data)
      }
    },
    [reading],
    key,
  )
}
