import { PatchcordError } from '../base/errors.ts'
import type { ManagerHost } from '../network/Manager.ts'

/** This many requests for one key that readers make by themselves, each within a second of the one before, are a loop. */
const LIMIT = 20
const PAUSE = 1000

/**
 * Stops readers that fetch, spoil the answer and fetch again: an effect that invalidates what it reads would never end.
 * A reader that an answer wakes may ask for the same key once more; slower loops are counted.
 */
export class LoopBreaker {
  readonly #host: Pick<ManagerHost, 'clock' | 'report'>
  /** Keys that were asked for within the last second. */
  readonly #counts = new Map<string, { readonly times: number; readonly at: number }>()
  /** Keys whose answers are waking readers now, and whether they were asked for because of an answer to the same key. */
  readonly #waking = new Map<string, boolean>()
  readonly #askedAgain = new Set<string>()
  /** The end of the last request, by an answer for a key or by a failure. An object of its own each time, so that two in one millisecond differ. */
  declare lastEnd: { readonly key: string | undefined; readonly at: number } | undefined

  constructor(host: Pick<ManagerHost, 'clock' | 'report'>) {
    this.#host = host
  }

  /** Runs `work`, which lands an answer for `key` and wakes its readers, or a failure. */
  wake(key: string, isFailure: boolean, work: () => void): void {
    this.#waking.set(key, this.#askedAgain.delete(key))
    this.lastEnd = { key: isFailure ? undefined : key, at: this.#host.clock.now() }
    try {
      work()
    } finally {
      this.#waking.delete(key)
    }
  }

  /** Whether the answer for `key` has just arrived: to the readers it wakes it is fresh, however short it lasts. */
  isWaking(key: string): boolean {
    return this.#waking.has(key)
  }

  /** A reader is about to ask for `key`. Throws when that is a loop, and reports it once. */
  check(key: string): void {
    const again = this.#waking.get(key)
    if (again === false) this.#askedAgain.add(key)
    const now = this.#host.clock.now()
    for (const [old, { at }] of this.#counts) if (now - at >= PAUSE) this.#counts.delete(old)
    const times = Math.max((this.#counts.get(key)?.times ?? 0) + 1, again ? LIMIT + 1 : 0)
    this.#counts.set(key, { times, at: now })
    if (times <= LIMIT) return
    const error = new PatchcordError('LOOP', `${key} is fetched in a loop. Do not invalidate it in a reader.`)
    if (times === LIMIT + 1) this.#host.report(error)
    throw error
  }
}
