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

/**
 * Stops readers who ask, spoil the answer and ask again: an effect that invalidates what it reads would do so for ever.
 * Whoever is woken by an answer may ask for the same once more, and whom that wakes may not. Those who take their time
 * over it are counted.
 */
export class Breaker {
  readonly #clock: Clock
  readonly #report: (error: unknown) => void
  readonly #counts = new Map<string, Count>()
  /** The keys whose answers are waking readers now, and whether they were asked for because of an answer to the same. */
  readonly #waking = new Map<string, boolean>()
  /** The keys that were asked for so. */
  readonly #again = new Set<string>()

  constructor(clock: Clock, report: (error: unknown) => void) {
    this.#clock = clock
    this.#report = report
  }

  /** Does `work`, which takes in an answer for `key` and wakes its readers. */
  wake<T>(key: string, work: () => T): T {
    const outer = this.#waking.get(key)
    this.#waking.set(key, this.#again.delete(key))
    try {
      return work()
    } finally {
      if (outer === undefined) this.#waking.delete(key)
      else this.#waking.set(key, outer)
    }
  }

  /** Whether the answer for `key` has only just come: to those whom it wakes it is fresh, however short it lasts. */
  wakes(key: string): boolean {
    return this.#waking.has(key)
  }

  /** A reader is about to ask for `key`. Throws when that goes round in a circle, and reports it once. */
  pass(key: string): void {
    const again = this.#waking.get(key)
    if (again === false) this.#again.add(key)
    const now = this.#clock.now()
    if (this.#counts.size > KEYS) this.#counts.forEach(({ last }, each) => now - last >= PAUSE && this.#counts.delete(each))
    const count = this.#counts.get(key) ?? { times: 0, last: now }
    this.#counts.set(key, count)
    count.times = now - count.last >= PAUSE ? 1 : count.times + 1
    count.last = now
    if (again) count.times = Math.max(count.times, LIMIT + 1)
    if (count.times <= LIMIT) return
    const error = new PatchcordError('LOOP', `${key} is fetched again and again because its answers do not last. Do not invalidate inside of what reads it.`)
    if (count.times === LIMIT + 1) this.#report(error)
    throw error
  }
}
