import type { Clock } from '../base/clock.ts'
import { PatchcordError } from '../base/errors.ts'

/** So many requests for one key in a second, that readers make by themselves, are a circle. */
const LIMIT = 20
const WINDOW = 1000

/** Stops readers who ask, spoil the answer and ask again: an effect that invalidates what it reads would do so for ever. */
export class Breaker {
  readonly #clock: Clock
  readonly #report: (error: unknown) => void
  readonly #counts = new Map<string, number>()
  #since = -Infinity

  constructor(clock: Clock, report: (error: unknown) => void) {
    this.#clock = clock
    this.#report = report
  }

  /** A reader is about to ask for `key`. Throws when that goes round in a circle, and reports it once. */
  pass(key: string): void {
    const now = this.#clock.now()
    if (now - this.#since >= WINDOW) {
      this.#since = now
      this.#counts.clear()
    }
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    if (count <= LIMIT) return
    const error = new PatchcordError('LOOP', `${key} was fetched ${LIMIT} times within a second because its answers did not last. Do not invalidate inside of what reads it.`)
    if (count === LIMIT + 1) this.#report(error)
    throw error
  }
}
