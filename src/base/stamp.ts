/**
 * When something was fetched, in what order, and until when it is fresh. Lifecycle methods get it beside a record.
 *
 * @example
 * class Draft extends Entity {
 *   id = 0
 *   static override key = 'Draft'
 *   // By the wall clock, which may have been set back.
 *   static override shouldReorder(existing: Meta, incoming: Meta): boolean {
 *     return incoming.date < existing.date
 *   }
 * }
 */
export interface Meta {
  /** Milliseconds; strictly increasing in the order of requests. */
  readonly fetchedAt: number
  /** Wall time at this position: when a read started, when anything else landed. */
  readonly date: number
  readonly expiresAt: number
}

/**
 * Bookkeeping of one row. Frozen, and shared by all rows of a response.
 *
 * @example
 * const { stamps } = normalize(new schema.Invalidate(Todo), { id: 1 })
 * const stamp: Stamp | null | undefined = stamps[0]?.stamp
 * console.log(stamp?.deleted) // true
 */
export interface Stamp extends Meta {
  /** The row was deleted, as opposed to never known. */
  readonly deleted?: true
}
