import { batch, computed, Signal, untracked } from '@preact/signals-core'
import type { Source, Tracker } from './tracker.ts'

/** Counts changes. Effects refer to the signal that they read, and so to the owner. */
class SignalSource extends Signal<number> implements Source {
  declare readonly owner: object | undefined
  #changes = 0

  constructor(owner: object | undefined) {
    super(0)
    this.owner = owner
  }

  track(): void {
    void this.value
  }

  trigger(): void {
    // Not `this.value++`: a commit may come from inside an effect, which must not depend on what it changes.
    this.value = ++this.#changes
  }
}

/** Live objects for effects, computeds and components that read signals. */
export const signalTracker: Tracker = {
  isTracking: () => true,
  source: owner => new SignalSource(owner),
  untracked,
  batch,
  memo: compute => {
    const memo = computed(compute)
    return () => memo.value
  },
}
