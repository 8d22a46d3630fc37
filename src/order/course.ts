import type { Clock } from '../base/clock.ts'
import { PatchcordError } from '../base/errors.ts'
import type { Stamp } from '../base/stamp.ts'
import { Draft } from '../store/draft.ts'
import type { State } from '../store/state.ts'
import type { Cause, Store } from '../store/store.ts'
import { Held } from './held.ts'
import { Intents } from './intent.ts'
import { Log } from './log.ts'
import { keepSeen, type Shown } from './visible.ts'

/** What a change came to: the next base, and what is given to whoever asked for it. */
export interface Changed<T> {
  readonly base: State
  readonly given: T
}

/** How a change takes its course: done to the base in one piece, seen through the intents, and told of once. */
export class Course {
  readonly log: Log = new Log()
  readonly intents: Intents = new Intents()
  readonly report: (error: unknown) => void
  readonly #store: Store
  readonly #clock: Clock
  #last = 0
  #busy = false
  /** The change under way has done several things to the base, one after the other. */
  #sunk = false

  constructor(store: Store, clock: Clock, report: (error: unknown) => void) {
    this.#store = store
    this.#clock = clock
    this.report = report
  }

  /** The next place: later than every other, whatever the clock does. */
  now(expiresAt = 0): Stamp {
    const date = this.#clock.date()
    // Not Math.max: a clock that gives no number must not make all places that follow none.
    this.#last = date > this.#last ? date : this.#last + 1
    return Object.freeze({ fetchedAt: this.#last, date: Number.isNaN(date) ? this.#last : date, expiresAt })
  }

  /** What comes next is later than `fetchedAt`. */
  pass(fetchedAt: number): void {
    this.#last = Math.max(this.#last, fetchedAt)
  }

  /** Lets `work` make the next base, and publishes what differs in the end. `ready` is called just before. */
  change<T>(cause: Cause, work: () => Changed<T>, ready?: () => void): T {
    // What was written inside would be lost: the next version is being made from the last one.
    if (this.#busy) throw new PatchcordError('NESTED', 'Something that a write calls (a merge, an updater, an optimistic answer) cannot write. Write after it.')
    this.#busy = true
    this.#sunk = false
    const layered = this.intents.size > 0
    let shown: Shown
    let given: T
    try {
      const changed = work()
      given = changed.given
      shown = this.#shown(changed.base, layered || this.intents.size > 0)
    } finally {
      this.#busy = false
    }
    ready?.()
    this.#store.advance(shown.base, shown.view, cause)
    return given
  }

  /** Lets `work` write to a draft of `base`; what it throws leaves everything as it was. */
  attempt<T>(base: State, work: (draft: Draft) => T): Changed<T> {
    const draft = new Draft(base)
    try {
      const given = work(draft)
      const next = draft.finish()
      this.log.accept()
      return { base: next, given }
    } catch (error) {
      draft.abandon()
      this.log.refuse()
      throw error
    }
  }

  /** What has nothing left to wait for goes into the base. */
  sink(base: State): State {
    let at = base
    for (const intent of [...this.intents]) {
      if (!(intent instanceof Held) || this.intents.overlap(intent.footprint, intent)) continue
      this.intents.delete(intent)
      this.#sunk = true
      try {
        at = this.attempt(at, draft => {
          const { operations, edits } = intent.prepare(draft)
          const item = { stamp: this.now(intent.expiresAt), operations, edits }
          this.log.land(draft, item)
          if (intent.handle !== undefined) intent.handle.item = item
        }).base
      } catch (error) {
        // It was done when it was made; that it cannot be done again must not stop the others. An updater then does nothing.
        if (!intent.isUpdater) this.report(error)
      }
    }
    return at
  }

  /** Without intents, before and after, the base has kept all references itself. */
  #shown(base: State, layered: boolean): Shown {
    if (!layered) return { base, view: base }
    const { base: last, state } = this.#store
    const shown = keepSeen({ base: last, view: state }, { base, view: this.intents.over(base) }, !this.#sunk)
    this.intents.rebase(base, shown.base)
    return shown
  }
}
