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

/** Stops readers who go round in a circle. */
export interface Breaker {
  /** Does `work`, which takes in an answer for `key` and wakes its readers. */
  wake<T>(key: string, work: () => T): T
  /** Whether the answer for `key` has only just come: to those whom it wakes it is fresh, however short it lasts. */
  wakes(key: string): boolean
  /** A reader is about to ask for `key`. Throws when that goes round in a circle, and reports it once. */
  pass(key: string): void
}

/**
 * Stops readers who ask, spoil the answer and ask again: an effect that invalidates what it reads would do so for ever.
 * Whoever is woken by an answer may ask for the same once more, and whom that wakes may not. Those who take their time
 * over it are counted.
 */
export function createBreaker(clock: Clock, report: (error: unknown) => void): Breaker {
  const counts = new Map<string, Count>()
  /** The keys whose answers are waking readers now, and whether they were asked for because of an answer to the same. */
  const waking = new Map<string, boolean>()
  /** The keys that were asked for so. */
  const askedAgain = new Set<string>()

  return {
    wake(key, work) {
      const outer = waking.get(key)
      waking.set(key, askedAgain.delete(key))
      try {
        return work()
      } finally {
        if (outer === undefined) waking.delete(key)
        else waking.set(key, outer)
      }
    },
    wakes: key => waking.has(key),
    pass(key) {
      const again = waking.get(key)
      if (again === false) askedAgain.add(key)
      const now = clock.now()
      if (counts.size > KEYS) counts.forEach(({ last }, each) => now - last >= PAUSE && counts.delete(each))
      const count = counts.get(key) ?? { times: 0, last: now }
      counts.set(key, count)
      count.times = now - count.last >= PAUSE ? 1 : count.times + 1
      count.last = now
      if (again) count.times = Math.max(count.times, LIMIT + 1)
      if (count.times <= LIMIT) return
      const error = new PatchcordError('LOOP', `${key} is fetched again and again because its answers do not last. Do not invalidate inside of what reads it.`)
      if (count.times === LIMIT + 1) report(error)
      throw error
    },
  }
}
