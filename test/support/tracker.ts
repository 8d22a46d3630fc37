import { batch, computed, signal, untracked } from '@preact/signals-core'
import type { Source, Tracker } from '../../src/index.ts'

/** Tracks live objects with signals, as an application would with `createLive`. */
export const tracker: Tracker = {
  isTracking: () => true,
  source(owner): Source {
    const version = signal(0)
    // Whoever depends on the signal keeps the owner alive.
    Object.assign(version, { owner })
    let changes = 0
    // Not `version.value++`: an effect that writes must not depend on what it changes.
    return { track: () => void version.value, trigger: () => void (version.value = ++changes) }
  },
  untracked,
  batch,
  memo(compute) {
    const memo = computed(compute)
    return () => memo.value
  },
}
