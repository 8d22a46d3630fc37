import type { Clock } from '../../src/index.ts'
import { createClock } from '../../src/testing/index.ts'

/** A clock that goes by the turns of the event loop, a millisecond each. */
export interface SteadyClock extends Clock {
  stop(): void
}

/**
 * Time as the requests have it. On a machine that is busy elsewhere, seconds may pass in which neither client nor
 * server does anything; a deadline on the wall clock would then end what was never late.
 */
export function steadyClock(): SteadyClock {
  const clock = createClock(Date.now())
  const turns = setInterval(() => clock.advance(1), 1)
  return { now: clock.now, date: clock.date, after: clock.after, stop: () => clearInterval(turns) }
}
