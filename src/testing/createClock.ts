import { PatchcordError } from '../base/errors.ts'
import type { Clock } from '../base/clock.ts'

/**
 * A clock that moves only when you advance it.
 *
 * @example
 * const clock: HandClock = createClock()
 * clock.after(100, () => {})
 * console.log(clock.pending) // 1
 */
export interface HandClock extends Clock {
  /** Moves time on by `ms` and runs what falls due on the way, in order of time and then of arrival. */
  advance(ms: number): void
  /** Sets wall time alone, backwards too, as a user or a time server may. */
  setDate(date: number): void
  /** How many timers wait. */
  readonly pending: number
}

/**
 * A hand-wound clock to give to what takes a `clock`.
 *
 * @example
 * const clock = createClock()
 * clock.after(100, () => console.log('rings'))
 * clock.advance(99)
 * clock.advance(1) // rings
 */
export function createClock(date: number = 0): HandClock {
  const timers = new Set<Timer>()
  let now = 0
  let wall = date

  const moveTo = (time: number): void => {
    wall += time - now
    now = time
  }

  return {
    now: () => now,
    date: () => wall,
    after(ms, callback) {
      const timer: Timer = { due: now + (ms > 0 ? ms : 0), callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    advance(ms) {
      if (!(ms >= 0)) {
        throw new PatchcordError('CLOCK', `advance() needs milliseconds of 0 or more, not ${ms}. Use setDate() to turn wall time back.`)
      }
      const end = now + ms
      // Looked up anew each time: what runs may set timers that fall due before the end, or cancel others.
      for (let next = earliest(timers); next !== undefined && next.due <= end; next = earliest(timers)) {
        timers.delete(next)
        moveTo(next.due)
        next.callback()
      }
      // A callback may have advanced the clock itself, and further.
      moveTo(Math.max(end, now))
    },
    setDate(next) {
      wall = next
    },
    get pending() {
      return timers.size
    },
  }
}

interface Timer {
  readonly due: number
  readonly callback: () => void
}

/** The first to fall due; of equals the first that was set, because a Set keeps that order. */
function earliest(timers: Set<Timer>): Timer | undefined {
  let first: Timer | undefined
  for (const timer of timers) if (first === undefined || timer.due < first.due) first = timer
  return first
}
