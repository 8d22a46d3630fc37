import type { Clock } from '../base/clock.ts'
import { PatchcordError } from '../base/errors.ts'

/** So many requests for one key that readers make by themselves, none a second after the one before it, are a circle. */
const LIMIT = 20
const PAUSE = 1000

interface Count {
  readonly times: number
  readonly last: number
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
  /** The keys that are not at rest, the one that was asked for last at the end. */
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
      for (const [each, { last }] of counts) {
        if (now - last < PAUSE) break
        counts.delete(each)
      }
      const times = Math.max((counts.get(key)?.times ?? 0) + 1, again ? LIMIT + 1 : 0)
      counts.delete(key)
      counts.set(key, { times, last: now })
      if (times <= LIMIT) return
      const error = new PatchcordError('LOOP', `${key} is fetched again and again because its answers do not last. Do not invalidate inside of what reads it.`)
      if (times === LIMIT + 1) report(error)
      throw error
    },
  }
}
