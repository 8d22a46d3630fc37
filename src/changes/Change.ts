import { PatchError } from '../base/errors.ts'
import type { Status } from '../controller/Freshness.ts'
import type { Patch } from '../store/immer.ts'
import type { StampGroup } from '../store/patches.ts'
import type { Row } from '../store/State.ts'

/**
 * A patch of a whole row.
 *
 * @example
 * const patch: RowPatch = { op: 'replace', path: ['entities', 'Todo', '1'], value: { id: 1, title: 'sow' }, at: Date.now() }
 */
export interface RowPatch extends Patch {
  readonly value?: Row | undefined
  /** The position at which the row was written: that of its stamp, or a later one. */
  readonly at: number
  /** What was there before, of lists and of records that lost a field. */
  readonly before?: Row | undefined
}

/**
 * What is known of one endpoint key. Positions are comparable on one machine.
 *
 * @example
 * const line = ({ key, fetchedAt }: KeyStatus): string => `${key} ${fetchedAt ? 'was fetched' : 'was never fetched'}`
 */
export interface KeyStatus extends Pick<Status, 'fetchedAt' | 'date' | 'invalidAt' | 'expiredAt'> {
  readonly key: string
  /** `null` stands for Infinity, which JSON does not have. */
  readonly expiresAt: number | null
}

/**
 * What has changed in the confirmed data, as plain data: patches of whole rows, stamps, and the freshness of results.
 *
 * @example
 * const tracker = trackChanges(controller, { origin: 'example' })
 * const change: Change = tracker.all()
 */
export interface Change {
  readonly patches: readonly RowPatch[]
  /** Also those of rows that a response confirmed without a change. */
  readonly stamps: readonly StampGroup[]
  readonly freshness: readonly KeyStatus[]
  /** By how many milliseconds wall time is ahead of the clock that `expiresAt` belongs to: another tab has another clock. */
  readonly ahead: number
}

/** Throws unless something from outside is what a tracker returned. */
export function checkChange(isValid: unknown, given: unknown): void {
  if (!isValid) throw new PatchError('Pass a change.', given)
}

/** Data at an infinite position could never be replaced by newer data. */
export function isPosition(at: unknown): boolean {
  return Number.isFinite(at) && (at as number) < 2 ** 52
}
