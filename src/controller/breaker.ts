import type { Clock } from '../base/clock.ts'
import { PatchcordError } from '../base/errors.ts'

/** So many requests for one key that readers make by themselves, none a second after the one before it, are a circle. */
const LIMIT = 20
const PAUSE = 1000
/** So many keys are watched; past that those that are at rest are forgotten. */
const KEYS = 1000

interface Count {
  times: number
  last: number
}

/** Stops readers who ask, spoil the answer and ask again: an effect that invalidates what it reads would do so for ever. */
export class Breaker {
  readonly #clock: Clock
  readonly #report: (error: unknown) => void
  readonly #counts = new Map<string, Count>()

  constructor(clock: Clock, report: (error: unknown) => void) {
    this.#clock = clock
    this.#report = report
  }

  /** A reader is about to ask for `key`. Throws when that goes round in a circle, and reports it once. */
  pass(key: string): void {
    const now = this.#clock.now()
    if (this.#counts.size > KEYS) this.#counts.forEach(({ last }, each) => now - last >= PAUSE && this.#counts.delete(each))
    const count = this.#counts.get(key) ?? { times: 0, last: now }
    this.#counts.set(key, count)
    count.times = now - count.last >= PAUSE ? 1 : count.times + 1
    count.last = now
    if (count.times <= LIMIT) return
    const error = new PatchcordError('LOOP', `${key} was fetched ${LIMIT} times without a pause because its answers did not last. Do not invalidate inside of what reads it.`)
    if (count.times === LIMIT + 1) this.#report(error)
    throw error
  }
}
