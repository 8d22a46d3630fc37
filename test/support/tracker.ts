import { batch, computed, signal, untracked } from '@preact/signals-core'
import type { Source, Tracker } from '../../src/index.ts'

/** Tracks live objects with signals, as an application would with `createLive`. */
export const tracker: Tracker = {
  isTracking: () => true,
  source(owner): Source {
    const version = signal(0)
    let changes = 0
    const source: Source = {
      track: () => void version.value,
      // Not `version.value++`: an effect that writes must not depend on what it changes.
      trigger: () => void (version.value = ++changes),
    }
    // Whoever depends on the signal keeps the source and its owner alive.
    Object.assign(version, { owner, source })
    return source
  },
  untracked,
  batch,
  memo(compute) {
    const memo = computed(compute)
    return () => memo.value
  },
}
