import { PatchError } from '../base/errors.ts'
import { isObject } from '../base/plain.ts'
import type { Patch } from '../store/immer.ts'
import type { StampGroup } from '../store/patches.ts'
import type { Row } from '../store/State.ts'

/**
 * A patch of a whole row. Lists, and records that lost a field, come with what was there before.
 *
 * @example
 * const patch: RowPatch = { op: 'replace', path: ['entities', 'Todo', '1'], value: { id: 1, title: 'sow' } }
 */
export interface RowPatch extends Patch {
  readonly value?: Row | undefined
  /** The position of a write that left the stamp of the row as it was. */
  readonly at?: number | undefined
  readonly before?: Row | undefined
}

/**
 * What is known of one endpoint key. Positions are comparable on one machine; times are wall times.
 *
 * @example
 * const fetched = ([key, fetchedAt]: KeyStatus): string => `${key} ${fetchedAt === null ? 'was never fetched' : 'is there'}`
 */
export type KeyStatus = readonly [key: string, fetchedAt: number | null, date: number, expiresAt: number | null, invalidAt: number, expiredAt: number]

/**
 * A change of confirmed data as plain data: patches of whole rows, their stamps, and the freshness of results.
 * Times are wall times: another tab has another clock.
 *
 * @example
 * const tracker = trackChanges(controller, { origin: 'example' })
 * const change: Change = tracker.all()
 */
export interface Change {
  readonly patches: readonly RowPatch[]
  readonly stamps: readonly StampGroup[]
  readonly freshness: readonly KeyStatus[]
}

/** The change with its times on another clock. JSON has no Infinity: a time is `null` then. */
export function shiftTimes({ patches, stamps, freshness }: Change, by: number): Change {
  return {
    patches,
    stamps: stamps.map(group => ({ ...group, stamp: group.stamp && { ...group.stamp, expiresAt: (group.stamp.expiresAt ?? Infinity) + by } })),
    freshness: freshness.map(([key, fetchedAt, date, expiresAt, ...marks]) => [key, fetchedAt, date, (expiresAt ?? Infinity) + by, ...marks]),
  }
}

/** Checks that something from outside is a change. Data at an infinite position could never be replaced by newer data, so it is refused. */
export function readChange(given: unknown): Change {
  const change = (isObject(given) ? given : {}) as Change
  const { patches, stamps, freshness } = change
  const isPosition = (time: unknown): boolean => Number.isFinite(time) && (time as number) < 2 ** 52
  const isStatus = (status: KeyStatus): boolean => Array.isArray(status) && typeof status[0] === 'string' && [status[1] ?? 0, status[2], status[4], status[5]].every(isPosition) && !Number.isNaN(Number(status[3]))
  if ([patches, stamps, freshness].every(Array.isArray) && freshness.every(isStatus) && [...patches.map(patch => patch?.at), ...stamps.map(group => group?.stamp?.fetchedAt)].every(at => isPosition(at ?? 0))) return change
  throw new PatchError('A change is what `take` or `all` of a tracker has returned.', given)
}
