import type { AnyEndpoint } from '../endpoint/types.ts'
import type { Place } from '../order/timeline.ts'

/** How much a read may trust what it is shown. */
export const INVALID_STATUS = 1
export const INVALID_IF_STALE = 2
export const VALID = 3

/** What is known of one endpoint key beside its result. It is no data: it is in no patch, and has wakes of its own. */
export interface Status {
  /** Who answers for it. */
  readonly endpoint: AnyEndpoint | undefined
  readonly args: readonly unknown[]
  /** The place of the newest answer; undefined before the first. */
  readonly fetchedAt: number | undefined
  /** Wall time of that answer. */
  readonly date: number
  /** Until when it is fresh, on the monotonic clock. */
  readonly expiresAt: number
  /** Answers from before this place do not count. */
  readonly invalidAt: number
  /** Answers from before this place are not fresh. */
  readonly expiredAt: number
  /** Another number each time that it was invalidated, expired or forgotten: whoever shows it asks again. */
  readonly markedAt: number
  readonly error: unknown
  /** Until when the error is not tried again. */
  readonly errorUntil: number
  /** How many requests are under way. */
  readonly fetching: number
}

const UNKNOWN: Status = /* @__PURE__ */ Object.freeze({
  endpoint: undefined,
  args: [],
  fetchedAt: undefined,
  date: 0,
  expiresAt: 0,
  invalidAt: -1,
  expiredAt: -1,
  markedAt: -1,
  error: undefined,
  errorUntil: 0,
  fetching: 0,
})

/** Freshness, errors and requests under way, by endpoint key. */
export class Freshness {
  readonly #byKey = new Map<string, Status>()
  #unknown = UNKNOWN
  readonly #listeners = new Set<(key: string) => void>()

  get(key: string): Status {
    return this.#byKey.get(key) ?? this.#unknown
  }

  keys(): IterableIterator<string> {
    return this.#byKey.keys()
  }

  /** Calls `listener` with each key whose status changed. */
  subscribe(listener: (key: string) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** An answer that was asked for at `place`. An older one than the newest says nothing. */
  answered(key: string, { fetchedAt, date }: Place, expiresAt: number, endpoint: AnyEndpoint | undefined, args: readonly unknown[]): void {
    const known = this.get(key)
    if (known.fetchedAt !== undefined && fetchedAt < known.fetchedAt) return
    const next = copyOf(known)
    next.endpoint = endpoint
    next.args = args
    next.fetchedAt = fetchedAt
    next.date = date
    next.expiresAt = fetchedAt < known.expiredAt ? 0 : expiresAt
    next.error = undefined
    next.errorUntil = 0
    this.#set(key, next)
  }

  /** A request that was made at `place` came to nothing. What a later one has answered stands; and nobody asked for it any more once it was invalidated. */
  failed(key: string, fetchedAt: number, error: unknown, errorUntil: number, endpoint: AnyEndpoint, args: readonly unknown[]): void {
    const known = this.get(key)
    if (fetchedAt < Math.max(known.fetchedAt ?? 0, known.invalidAt)) return
    this.#set(key, Object.assign(copyOf(known), { endpoint, args, error, errorUntil }))
  }

  fetching(key: string, change: 1 | -1): void {
    const next = copyOf(this.get(key))
    next.fetching += change
    this.#set(key, next)
  }

  invalidate(keys: readonly string[], place: number): void {
    for (const key of keys) {
      const next = copyOf(this.get(key))
      next.invalidAt = next.markedAt = place
      next.error = undefined
      next.errorUntil = 0
      this.#set(key, next)
    }
  }

  expire(keys: readonly string[], place: number): void {
    for (const key of keys) {
      const next = copyOf(this.get(key))
      next.expiredAt = next.markedAt = place
      next.expiresAt = next.errorUntil = 0
      this.#set(key, next)
    }
  }

  /** Nobody will ask for it again. */
  forget(key: string): void {
    if (this.#byKey.delete(key)) this.#tell(key)
  }

  /** Forgets all; whoever looked at something is told. */
  clear(): void {
    const all = [...this.#byKey]
    this.#byKey.clear()
    // Below all places, so that it is no number that was there before.
    this.#unknown = { ...UNKNOWN, markedAt: this.#unknown.markedAt - 1 }
    // A request whose answer is just being told of is over only after this.
    for (const [key, { fetching }] of all) if (fetching > 0) this.#byKey.set(key, { ...this.#unknown, fetching })
    for (const [key] of all) this.#tell(key)
  }

  #set(key: string, status: Status): void {
    this.#byKey.set(key, status)
    this.#tell(key)
  }

  #tell(key: string): void {
    for (const listener of this.#listeners) listener(key)
  }
}

/** Not a spread: of eleven fields, V8 takes twenty times as long for that. */
function copyOf(known: Status): { -readonly [field in keyof Status]: Status[field] } {
  const { endpoint, args, fetchedAt, date, expiresAt, invalidAt, expiredAt, markedAt, error, errorUntil, fetching } = known
  return { endpoint, args, fetchedAt, date, expiresAt, invalidAt, expiredAt, markedAt, error, errorUntil, fetching }
}

/** Whether the newest answer was asked for before the last invalidation. */
export function isInvalid({ fetchedAt, invalidAt }: Status): boolean {
  return invalidAt >= 0 && (fetchedAt === undefined || fetchedAt < invalidAt)
}
