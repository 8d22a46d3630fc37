import { PatchcordError } from '../base/errors.ts'
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
export interface Freshness {
  get(key: string): Status
  keys(): IterableIterator<string>
  /** Calls `listener` with each key whose status changed. */
  subscribe(listener: (key: string) => void): () => void
  /** An answer that was asked for at `place`. An older one than the newest says nothing. */
  answered(key: string, place: Place, expiresAt: number, endpoint: AnyEndpoint | undefined, args: readonly unknown[]): void
  /** A request that was made at `place` came to nothing. What a later one has answered stands; and nobody asked for it any more once it was invalidated. */
  failed(key: string, fetchedAt: number, error: unknown, errorUntil: number, endpoint: AnyEndpoint, args: readonly unknown[]): void
  fetching(key: string, change: 1 | -1): void
  invalidate(keys: readonly string[], place: number): void
  expire(keys: readonly string[], place: number): void
  /** Nobody will ask for it again. */
  forget(key: string): void
  /** Forgets all; whoever looked at something is told. */
  clear(): void
}

export function createFreshness(): Freshness {
  const byKey = new Map<string, Status>()
  const listeners = new Set<(key: string) => void>()
  let unknown = UNKNOWN

  const get = (key: string): Status => byKey.get(key) ?? unknown
  const tell = (key: string): void => listeners.forEach(listener => listener(key))
  const change = (key: string, by: (next: Changing) => void): void => {
    const next = copyOf(get(key))
    by(next)
    byKey.set(key, next)
    tell(key)
  }
  const forgive = (next: Changing): void => {
    next.error = undefined
    next.errorUntil = 0
  }

  return {
    get,
    keys: () => byKey.keys(),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    answered(key, { fetchedAt, date }, expiresAt, endpoint, args) {
      if (fetchedAt < (get(key).fetchedAt ?? -Infinity)) return
      change(key, next => {
        next.endpoint = endpoint
        next.args = args
        next.fetchedAt = fetchedAt
        next.date = date
        next.expiresAt = fetchedAt < next.expiredAt ? 0 : expiresAt
        // An answer from before an invalidation says nothing of a failure that came after it.
        if (!isInvalid(next)) forgive(next)
      })
    },
    failed(key, fetchedAt, error = new PatchcordError('FAILED', `${key} failed without an error.`), errorUntil, endpoint, args) {
      const known = get(key)
      if (fetchedAt < Math.max(known.fetchedAt ?? 0, known.invalidAt)) return
      change(key, next => void Object.assign(next, { endpoint, args, error, errorUntil }))
    },
    fetching: (key, by) => change(key, next => void (next.fetching += by)),
    invalidate(keys, place) {
      for (const key of keys) {
        change(key, next => {
          next.invalidAt = next.markedAt = place
          forgive(next)
        })
      }
    },
    expire(keys, place) {
      for (const key of keys) {
        change(key, next => {
          next.expiredAt = next.markedAt = place
          next.expiresAt = next.errorUntil = 0
        })
      }
    },
    forget: key => void (byKey.delete(key) && tell(key)),
    clear() {
      const all = [...byKey]
      byKey.clear()
      // Below all places, so that it is no number that was there before.
      unknown = { ...UNKNOWN, markedAt: unknown.markedAt - 1 }
      // A request whose answer is just being told of is over only after this.
      for (const [key, { fetching }] of all) if (fetching > 0) byKey.set(key, { ...unknown, fetching })
      for (const [key] of all) tell(key)
    },
  }
}

type Changing = { -readonly [field in keyof Status]: Status[field] }

/** Not a spread: of eleven fields, V8 takes twenty times as long for that. */
function copyOf(known: Status): Changing {
  const { endpoint, args, fetchedAt, date, expiresAt, invalidAt, expiredAt, markedAt, error, errorUntil, fetching } = known
  return { endpoint, args, fetchedAt, date, expiresAt, invalidAt, expiredAt, markedAt, error, errorUntil, fetching }
}

/** Whether the newest answer was asked for before the last invalidation. */
export function isInvalid({ fetchedAt, invalidAt }: Status): boolean {
  return invalidAt >= 0 && (fetchedAt === undefined || fetchedAt < invalidAt)
}
