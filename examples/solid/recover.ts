import { createEffect, onCleanup } from 'solid-js'

/** Asks again every few seconds while the last answer was an error. */
export function recover(reading: { readonly error: unknown; refetch(): unknown }): void {
  createEffect(() => {
    if (reading.error === undefined) return
    const timer = setTimeout(() => reading.refetch(), 3000)
    onCleanup(() => clearTimeout(timer))
  })
}
