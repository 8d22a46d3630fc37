import { computed, signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'

/**
 * A signal of what the function gives that `make` makes, anew when something in `inputs` has changed. The signal stays the
 * same: what was computed from it, or follows it, would otherwise go on with what they were.
 */
export function useReadSignal<T>(make: () => () => T, inputs: readonly unknown[], name: string | undefined): ReadonlySignal<T> {
  const read = useMemo(make, inputs)
  const { source, value } = useMemo(() => {
    const source = signal(read)
    return { source, value: computed(() => source.value()) }
  }, [])
  source.value = read
  return Object.assign(value, { name })
}
