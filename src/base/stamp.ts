/** When something was fetched, in what order, and until when it is fresh. What lifecycle methods are told of a record. */
export interface Meta {
  /** Milliseconds; strictly increasing in the order of requests. */
  readonly fetchedAt: number
  /** Wall time of the answer. */
  readonly date: number
  readonly expiresAt: number
}

/** Bookkeeping of one row. Frozen, and shared by all rows of a response. */
export interface Stamp extends Meta {
  /** The row was deleted, as opposed to never known. */
  readonly deleted?: true
}
