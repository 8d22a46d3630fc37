import { batch, computed, Signal, untracked } from '@preact/signals-core'
import type { Cell } from '../store/State.ts'

/**
 * Something that readers depend on. Its dependents keep it alive.
 *
 * @example
 * const makeSource = (): Source => {
 *   const version = signal(0)
 *   return { track: () => void version.value, trigger: () => void version.value++ }
 * }
 */
export interface Source {
  /** Makes whoever is running depend on this. */
  track(): void
  /** Says that it changed: whoever depends on it runs again, once the batch is over. */
  trigger(): void
}

/**
 * The part of a reactive library that live objects use. They are the same for all; how a read is remembered and how
 * readers are notified is the library's own.
 *
 * @example
 * const tracker: Tracker = {
 *   isTracking: () => true,
 *   source: () => {
 *     const version = signal(0)
 *     return { track: () => void version.value, trigger: () => void version.value++ }
 *   },
 *   untracked,
 *   batch,
 *   memo: compute => {
 *     const value = computed(compute)
 *     return () => value.value
 *   },
 * }
 * const live = createLive(controller, tracker)
 */
export interface Tracker {
  /** Whether somebody is running whose reads count. Where a library does not say, true. */
  isTracking(): boolean
  /** A new source. It keeps `owner` alive for as long as anybody depends on it. */
  source(owner?: object): Source
  /** The result of `read`, without making the current computation depend on it. */
  untracked<T>(read: () => T): T
  /** Runs `work`; whoever depends on what it triggers runs once, after it. */
  batch(work: () => void): void
  /**
   * The result of `compute`, computed again when something that it read has changed. Its readers run again when
   * the value is another, not when it was computed again. While nobody depends on it, it depends on nothing.
   */
  memo<T>(compute: () => T): () => T
  /** @internal Called with a row and its part whose readers wake; for devtools. */
  onWake?: ((cell: Cell, part: unknown) => void) | undefined
}

/** A signal that is raised by one at each change. It refers to its owner: an effect that depends on the signal keeps the owner in memory. */
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
