import type { ReadonlySignal } from '@preact/signals-core'
import { createSignal, onCleanup, type Accessor } from 'solid-js'

/** A signal of the library as an accessor of Solid. */
export function follow<T>(signal: ReadonlySignal<T>): Accessor<T> {
  const [value, setValue] = createSignal(signal.peek())
  onCleanup(signal.subscribe(next => setValue(() => next)))
  return value
}
