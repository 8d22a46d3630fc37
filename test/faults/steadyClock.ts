import type { Clock } from '../../src/index.ts'
import { createClock } from '../../src/testing/index.ts'

/** A clock that goes by the turns of the event loop, a millisecond each. */
export interface SteadyClock extends Clock {
  stop(): void
}

/**
 * Time as the requests have it. On a machine that is busy elsewhere, seconds may pass in which neither client nor
 * server does anything; a deadline on the wall clock would then end what was never late. With `jumps`, the date that it
 * tells goes an hour ahead and back all the time, and time itself does not.
 */
export function steadyClock(jumps = false): SteadyClock {
  const clock = createClock(Date.now())
  let turn = 0
  const turns = setInterval(() => {
    clock.advance(1)
    // As a user or a time server may: an hour on, an hour back, and two at once.
    if (jumps && ++turn % 7 === 0) clock.setDate(clock.date() + [1, -1, -1, 1][(turn / 7) % 4]! * 3_600_000)
  }, 1)
  return { now: clock.now, date: clock.date, after: clock.after, stop: () => clearInterval(turns) }
}
