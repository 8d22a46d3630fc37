import { computed, signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'

/**
 * A signal of what the function gives that `make` makes, anew when something in `inputs` has changed. The signal stays the
 * same: what was computed from it, or follows it, would otherwise go on with what they were. It stands still while the
 * component is away: Preact 10 takes the hooks of all below a boundary that waits, but leaves the texts that follow their
 * signals, which would go on beside those of the arguments that come after.
 */
export function useReadSignal<T>(make: () => () => T, inputs: readonly unknown[], name: string | undefined): ReadonlySignal<T> {
  const away = useRef(0)
  const times = away.current
  const read = useMemo(() => {
    const now = make()
    let last: T | undefined
    return () => (away.current === times || last === undefined ? (last = now()) : last)
  }, [times, ...inputs])
  const { source, value, leave } = useMemo(() => {
    const source = signal(read)
    return { source, value: computed(() => source.value()), leave: () => () => void away.current++ }
  }, [])
  source.value = read
  useLayoutEffect(leave, [])
  return Object.assign(value, { name })
}
