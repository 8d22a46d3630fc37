import type { Clock } from '../base/clock.ts'
import { PatchcordError } from '../base/errors.ts'

/** This many requests for one key that readers make by themselves, each within a second of the one before, are a loop. */
const LIMIT = 20
const PAUSE = 1000

/** When a request ended, by an answer or a failure of the server. Each end is an object of its own, so that two in one millisecond differ. */
type RequestEnd = { readonly at: number }

/**
 * Stops readers that fetch, spoil the answer and fetch again: an effect that invalidates what it reads would never end.
 * A reader that an answer wakes may ask for the same key once more; slower loops are counted.
 */
export class LoopBreaker {
  readonly #clock: Clock
  readonly #report: (error: unknown) => void
  /** Keys that were asked for within the last second, the latest at the end. */
  readonly #counts = new Map<string, { readonly times: number; readonly at: number }>()
  /** Keys whose answers are waking readers now, and whether they were asked for because of an answer to the same key. */
  readonly #waking = new Map<string, boolean>()
  readonly #askedAgain = new Set<string>()
  /** The ends of requests within the last second, by key. */
  readonly #ends = new Map<string, RequestEnd>()

  constructor(clock: Clock, report: (error: unknown) => void) {
    this.#clock = clock
    this.#report = report
  }

  /** Runs `work`, which lands an answer for `key` and wakes its readers. */
  wake(key: string, work: () => void): void {
    const outer = this.#waking.get(key)
    this.#waking.set(key, this.#askedAgain.delete(key))
    const now = this.#clock.now()
    forget(this.#ends, now)
    this.#ends.delete(key)
    this.#ends.set(key, { at: now })
    try {
      work()
    } finally {
      if (outer === undefined) this.#waking.delete(key)
      else this.#waking.set(key, outer)
    }
  }

  /** Whether the answer for `key` has just arrived: to the readers it wakes it is fresh, however short it lasts. */
  isWaking(key: string): boolean {
    return this.#waking.has(key)
  }

  /** The end of the last request for `key` that was not aborted; undefined if that was more than a second ago. */
  lastEnd(key: string): RequestEnd | undefined {
    return this.#ends.get(key)
  }

  /** A reader is about to ask for `key`. Throws when that is a loop, and reports it once. */
  check(key: string): void {
    const again = this.#waking.get(key)
    if (again === false) this.#askedAgain.add(key)
    const now = this.#clock.now()
    forget(this.#counts, now)
    const times = Math.max((this.#counts.get(key)?.times ?? 0) + 1, again ? LIMIT + 1 : 0)
    this.#counts.delete(key)
    this.#counts.set(key, { times, at: now })
    if (times <= LIMIT) return
    const error = new PatchcordError('LOOP', `${key} is fetched in a loop. Do not invalidate it in an effect that reads it.`)
    if (times === LIMIT + 1) this.#report(error)
    throw error
  }
}

/** Deletes old entries. The oldest are the first. */
function forget(map: Map<string, RequestEnd>, now: number): void {
  for (const [key, { at }] of map) {
    if (now - at < PAUSE) return
    map.delete(key)
  }
}
