import { PatchcordError } from '../base/errors.ts'
import type { AnyEndpoint } from '../endpoint/types.ts'
import type { Position } from '../order/Timeline.ts'

/** The status of one endpoint key, beside its result. It is not data: it is in no patch, and it wakes its own readers. */
export interface Status {
  readonly endpoint?: AnyEndpoint | undefined
  readonly args: readonly unknown[]
  /** The position of the newest answer; 0 while there is none. */
  readonly fetchedAt: number
  /** Wall time at that position. */
  readonly date: number
  /** The keys of the pages that were appended to this list, the first one first. */
  readonly pages: readonly string[]
  /** Of a page: the result that had its cursor. */
  readonly before?: unknown
  /** Until when it is fresh, on the monotonic clock. */
  readonly expiresAt: number
  /** Answers from before this position do not count. */
  readonly invalidAt: number
  /** Answers from before this position are not fresh. */
  readonly expiredAt: number
  /** Changes each time the key is invalidated, expired or forgotten: whoever shows it asks again. */
  readonly markedAt: number
  readonly error?: unknown
  /** Until when the error is not retried. */
  readonly errorUntil: number
  /** How many requests are in flight. */
  readonly inFlight: number
}

const UNKNOWN: Status = /* @__PURE__ */ Object.freeze({ args: [], fetchedAt: 0, date: 0, pages: [], expiresAt: 0, invalidAt: -1, expiredAt: -1, markedAt: -1, errorUntil: 0, inFlight: 0 })

/** Freshness, errors and requests in flight, by endpoint key. */
export class Freshness {
  readonly #byKey = new Map<string, Status>()
  readonly #listeners = new Set<(key: string, isPosition?: boolean) => void>()
  #unknown = UNKNOWN

  get(key: string): Status {
    return this.#byKey.get(key) ?? this.#unknown
  }

  keys(): IterableIterator<string> {
    return this.#byKey.keys()
  }

  /** Calls `listener` with each key whose status changes; `isPosition` when it was answered, expired or invalidated. */
  subscribe(listener: (key: string, isPosition?: boolean) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** An answer to a request from `position`. One that is older than the newest says nothing. `before`: for a page, the result that has its cursor. */
  answered(key: string, { fetchedAt, date }: Position, expiresAt: number, endpoint: AnyEndpoint | undefined, args: readonly unknown[], before?: unknown): void {
    const known = this.get(key)
    if (fetchedAt < known.fetchedAt) return
    const list = endpoint?.['~pageOf']?.(...args) ?? key
    const listed = this.get(list)
    // A page without its list was appended to nothing.
    if (list !== key && listed.fetchedAt) this.setPages(list, [...listed.pages, key])
    // An answer from before an invalidation says nothing about a failure that came after it.
    const { error, errorUntil } = fetchedAt < known.invalidAt ? known : UNKNOWN
    this.#set(key, { ...known, endpoint, args, before: known.before ?? before, fetchedAt, date, expiresAt: fetchedAt < known.expiredAt ? 0 : expiresAt, error, errorUntil }, true)
  }

  setPages(list: string, pages: readonly string[]): void {
    this.#byKey.set(list, { ...this.get(list), pages: [...new Set(pages)] })
  }

  /** A request from this position failed. A later answer stands. */
  failed(key: string, { fetchedAt }: Position, error: unknown = new PatchcordError('FAILED', `${key} failed.`), now: number, endpoint: AnyEndpoint, args: readonly unknown[]): void {
    const known = this.get(key)
    if (fetchedAt >= Math.max(known.fetchedAt, known.invalidAt)) this.#set(key, { ...known, endpoint, args, error, errorUntil: now + endpoint.errorExpiryLength })
  }

  changeInFlight(key: string, by: 1 | -1): void {
    const known = this.get(key)
    this.#set(key, { ...known, inFlight: known.inFlight + by })
  }

  invalidate(keys: readonly string[], position: number): void {
    for (const key of keys) this.#set(key, { ...this.get(key), invalidAt: position, markedAt: position, error: undefined, errorUntil: 0 }, true)
  }

  expire(keys: readonly string[], position: number): void {
    for (const key of keys) this.#set(key, { ...this.get(key), expiredAt: position, markedAt: position, expiresAt: 0, errorUntil: 0 }, true)
  }

  forget(key: string): void {
    if (this.#byKey.delete(key)) this.touch(key)
  }

  /** Forgets everything, and wakes everybody who reads one of `keys`: nothing may be known of a key that is read. */
  clear(keys: readonly string[]): void {
    // Below all positions, so that it differs from every earlier mark.
    this.#unknown = { ...UNKNOWN, markedAt: this.#unknown.markedAt - 1 }
    // A request whose answer is being landed ends only after this.
    for (const [key, { inFlight }] of this.#byKey) {
      if (inFlight) this.#byKey.set(key, { ...this.#unknown, inFlight })
      else this.#byKey.delete(key)
    }
    for (const key of keys) this.touch(key)
  }

  #set(key: string, status: Status, isPosition?: boolean): void {
    this.#byKey.set(key, status)
    this.touch(key, isPosition)
  }

  /** Tells that something about a key changed. */
  touch(key: string, isPosition?: boolean): void {
    for (const listener of this.#listeners) listener(key, isPosition)
  }
}
