import type { Clock } from '../base/clock.ts'
import { PatchcordError } from '../base/errors.ts'
import type { Stamp } from '../base/stamp.ts'
import { Draft } from '../store/draft.ts'
import type { State } from '../store/state.ts'
import type { Cause, Store } from '../store/store.ts'
import { Held } from './held.ts'
import { Intents } from './intent.ts'
import { createLog, type Log } from './log.ts'
import { keepSeen, type Shown } from './visible.ts'

/** What a change came to: the next base, and what is given to whoever asked for it. */
export interface Changed<T> {
  readonly base: State
  readonly given: T
}

/** How a change takes its course: done to the base in one piece, seen through the intents, and told of once. */
export interface Course {
  readonly log: Log
  readonly intents: Intents
  /** The next place: later than every other, whatever the clock does. What nobody says the time of is fresh for a minute. */
  now(expiresAt?: number): Stamp
  /** What comes next is later than `fetchedAt`. */
  pass(fetchedAt: number): void
  /** Lets `work` make the next base, and publishes what differs in the end. `ready` is called just before. */
  change<T>(cause: Cause, work: () => Changed<T>, ready?: (given: T) => void): T
  /** Lets `work` write to a draft of `base`; what it throws leaves everything as it was. */
  attempt<T>(base: State, work: (draft: Draft) => T): Changed<T>
  /** What has nothing left to wait for goes into the base. */
  sink(base: State): State
}

export function createCourse(store: Store, clock: Clock, report: (error: unknown) => void): Course {
  const log = createLog()
  const intents = new Intents()
  let last = 0
  let busy = false
  /** The change under way has done several things to the base, one after the other. */
  let sunk = false

  function now(expiresAt = clock.now() + 60_000): Stamp {
    const date = clock.date()
    // Not Math.max: a clock that gives no number must not make all places that follow none.
    last = date > last ? date : last + 1
    return Object.freeze({ fetchedAt: last, date: Number.isNaN(date) ? last : date, expiresAt })
  }

  function attempt<T>(base: State, work: (draft: Draft) => T): Changed<T> {
    const draft = new Draft(base)
    try {
      const given = work(draft)
      const next = draft.finish()
      log.accept()
      return { base: next, given }
    } catch (error) {
      draft.abandon()
      log.refuse()
      throw error
    }
  }

  /** Without intents, before and after, the base has kept all references itself. */
  function shownOver(base: State, layered: boolean): Shown {
    if (!layered) return { base, view: base }
    const shown = keepSeen({ base: store.base, view: store.state }, { base, view: intents.over(base) }, !sunk)
    intents.rebase(base, shown.base)
    return shown
  }

  return {
    log,
    intents,
    now,
    attempt,
    pass: fetchedAt => void (last = Math.max(last, fetchedAt)),
    change(cause, work, ready) {
      // What was written inside would be lost: the next version is being made from the last one.
      if (busy) throw new PatchcordError('NESTED', 'Something that a write calls (a merge, an updater, an optimistic answer) cannot write. Write after it.')
      busy = true
      sunk = false
      const layered = intents.size > 0
      let changed: ReturnType<typeof work>
      let shown: Shown
      try {
        changed = work()
        shown = shownOver(changed.base, layered || intents.size > 0)
      } finally {
        busy = false
      }
      ready?.(changed.given)
      store.advance(shown.base, shown.view, cause)
      return changed.given
    },
    sink(base) {
      let at = base
      for (const intent of [...intents.keys()]) {
        if (!(intent instanceof Held) || intents.overlap(intent.footprint, intent)) continue
        intents.delete(intent)
        sunk = true
        const before = at
        try {
          at = attempt(before, draft => {
            const work = intent.prepare(draft)
            const item = log.land(draft, now(intent.expiresAt), work)
            if (intent.handle !== undefined) intent.handle.item = item
          }).base
          intent.handle?.writer?.sunk(before, at)
        } catch (error) {
          // It was done when it was made; that it cannot be done again must not stop the others. An updater then does nothing.
          if (!intent.isUpdater) report(error)
        }
      }
      return at
    },
  }
}
