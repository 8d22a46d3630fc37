import { PatchError } from '../base/errors.ts'
import { equal, isObject, take } from '../base/plain.ts'
import type { Controller } from '../controller/Controller.ts'
import type { EditOperation } from '../normalize/operations.ts'
import { hasProto, locate, stampDraft } from '../store/applyPatches.ts'
import type { Cell } from '../store/cell.ts'
import { eachStampChange } from '../store/changes.ts'
import { Draft } from '../store/Draft.ts'
import { stampsBetween, type StampGroup } from '../store/patches.ts'
import { emptyState, type Row, type State } from '../store/State.ts'
import { readChange, shiftTimes, type Change, type KeyStatus, type RowPatch } from './Change.ts'
import { incomingRow } from './incomingRow.ts'
import { positions, rowPatches } from './rowPatches.ts'

/**
 * Collects the changes of confirmed data.
 *
 * @example
 * const tracker: ChangeTracker = trackChanges(controller, { origin: 'example' })
 * await controller.fetch(TodoResource.getList)
 * console.log(tracker.take()?.patches.length)
 */
export interface ChangeTracker {
  /** What changed since the last call; undefined when nothing did. */
  readonly take: () => Change | undefined
  /** Everything that is confirmed. */
  readonly all: () => Change
  /**
   * Takes in a change of another tracker, which belongs to this one from then on. Rows that are newer here stay. Of two
   * rows at one position the same one wins everywhere, or with `isEarlier` the one that is here. Throws a `PatchError`
   * when it is no change. Returns false when a row that was deleted here was confirmed there later: then `all` of the
   * other tracker is needed.
   */
  readonly apply: (change: unknown, isEarlier?: boolean) => boolean
  readonly stop: () => void
}

/**
 * Options of `trackChanges`.
 *
 * @example
 * const options: TrackOptions = { origin: 'socket', onChange: () => console.log('there is a change to take') }
 */
export interface TrackOptions {
  /** The `origin` of the commits that `apply` makes. The tracker does not return them. */
  readonly origin: string
  /** Commits of these origins are not returned either. */
  readonly ignores?: readonly string[]
  /** Called when there is something to take. */
  readonly onChange?: () => void
}

/**
 * Tracks the confirmed data of a controller, to bring it somewhere else: to another tab, to a disk. Pending calls are
 * left out until the server confirms them.
 *
 * @example
 * const [here, there] = [new Controller(), new Controller()]
 * const target = trackChanges(there, { origin: 'here' })
 * const source = trackChanges(here, { origin: 'there', onChange: () => queueMicrotask(() => target.apply(source.take() ?? source.all())) })
 */
export function trackChanges(controller: Controller, { origin, ignores = [], onChange = () => {} }: TrackOptions): ChangeTracker {
  const { timeline, freshness, clock } = controller
  const ignored: unknown[] = ['gc', origin, ...ignores]
  /** The confirmed state up to which changes were collected. */
  let last = timeline.base
  let patches: RowPatch[] = []
  let stamps: StampGroup[] = []
  let isApplying = false
  /** Keys whose status has changed, and the position of the last change of each that others know of. */
  const touched = new Set<string>()
  const known = new Map<string, number>()

  const ahead = (): number => clock.date() - clock.now()
  const statusOf = (key: string): KeyStatus => {
    const { fetchedAt = null, date, expiresAt, invalidAt, expiredAt } = freshness.get(key)
    return [key, fetchedAt, date, expiresAt, invalidAt, expiredAt]
  }
  const isNews = (status: KeyStatus): boolean => changedAt(status) > (known.get(status[0]) ?? -1)

  /** Collects what changed up to `state`. */
  const collect = (state: State = timeline.base): void => {
    patches.push(...rowPatches(last, state, timeline.now(0).fetchedAt))
    stamps.push(...stampsBetween(last, state))
    last = state
  }
  const stops = [
    controller.subscribePatches(({ base, origin: from, cause }) => {
      if (base.before === base.after) return
      if (cause === 'reset') [patches, stamps] = [[], []]
      else if (ignored.includes(from)) collect(base.before)
      else return onChange()
      last = base.after
    }),
    freshness.subscribe(key => {
      if (isApplying || !isNews(statusOf(key))) return
      touched.add(key)
      onChange()
    }),
  ]

  return {
    take() {
      collect()
      const change = { patches, stamps, freshness: [...touched].map(statusOf).filter(isNews) }
      for (const status of change.freshness) known.set(status[0], changedAt(status))
      touched.clear()
      patches = []
      stamps = []
      return change.patches.length + change.stamps.length + change.freshness.length > 0 ? shiftTimes(change, ahead()) : undefined
    },

    all() {
      collect()
      return shiftTimes({
        patches: rowPatches(emptyState, timeline.base),
        stamps: stampsBetween(emptyState, timeline.base),
        freshness: [...freshness.keys()].map(statusOf).filter(status => changedAt(status) >= 0),
      }, ahead())
    },

    apply(given, isEarlier) {
      // What is done here must be known before it is compared with what comes in.
      collect()
      const { base, directory } = timeline
      const change = shiftTimes(readChange(given), -ahead())
      const draft = new Draft(emptyState, directory)
      stampDraft(draft, change.stamps)
      const rows = new Map<Cell, RowPatch | undefined>()
      eachStampChange(emptyState, draft.finish(), cell => void rows.set(cell, undefined))
      for (const patch of change.patches) {
        const { cell, path } = locate(draft, patch)
        const isRow = isObject(patch.value) || patch.value === undefined || cell.table.ordinal < 0
        if (path.length > 0 || !isRow || hasProto(patch.value)) throw new PatchError('A change has patches of whole rows, without a key "__proto__".', patch)
        // The sender collected two changes of this row: `before` is the row before the first one.
        const first = rows.get(cell)
        rows.set(cell, first ? { ...patch, before: first.before } : patch)
      }
      const answers = new Map(change.freshness.map(([key, fetchedAt]) => [key, { fetchedAt }]))
      let isComplete = true
      let [date, newest] = [0, 0]
      const operations: EditOperation[] = []
      for (const [cell, patch] of rows) {
        const isResult = cell.table.ordinal < 0
        const stamp = draft.stamp(cell)
        const own = base.stamp(cell)
        const at = Math.max(patch?.at ?? -1, (isResult ? answers.get(cell.pk) : stamp)?.fetchedAt ?? -1)
        const ownAt = Math.max(positions.get(cell) ?? -1, (isResult ? freshness.get(cell.pk) : own)?.fetchedAt ?? -1)
        const row = stamp?.deleted ? undefined : (take(patch?.value, false) as Row | undefined)
        const hasRow = Boolean(patch ?? stamp?.deleted)
        const existing = base.read(cell)
        // Most rows of a whole state are here already.
        if (at === ownAt && (!hasRow || equal(existing, row))) continue
        // Both were written at the same position. Every tab must choose the same row: the deletion, or the one with the greater JSON.
        const wins = existing === undefined || (!isEarlier && (stamp?.deleted || JSON.stringify(row) > JSON.stringify(existing)))
        const isNewer = at === ownAt ? !own?.deleted && wins : at > ownAt
        operations.push(incomingRow(cell, { row, hasRow, before: patch?.before, stamp, isNewer }))
        date = Math.max(date, stamp?.date ?? 0)
        newest = Math.max(newest, at)
        if (isNewer && patch?.at) positions.set(cell, at)
        // It was written again where the sender did not know of its deletion.
        if (isNewer && !patch && own?.deleted && !stamp?.deleted) isComplete = false
      }
      controller.batch(() => {
        isApplying = true
        try {
          timeline.raise(newest)
          for (const error of timeline.landAll([() => operations], { cause: 'applyPatches', origin }, timeline.positionAt(date || clock.date()))) throw error
          for (const [key, fetchedAt, answeredAt, expiresAt, invalidAt, expiredAt] of change.freshness) {
            const mine = freshness.get(key)
            if (expiredAt > mine.expiredAt) freshness.expire([key], expiredAt)
            if (invalidAt > mine.invalidAt) freshness.invalidate([key], invalidAt)
            if (fetchedAt !== null) freshness.answered(key, { fetchedAt, date: answeredAt }, expiresAt!, mine.endpoint, mine.args)
            if (!touched.has(key)) known.set(key, changedAt(statusOf(key)))
          }
        } finally {
          isApplying = false
        }
      })
      return isComplete
    },

    stop() {
      for (const stop of stops) stop()
    },
  }
}

/** The last position at which something about a key changed. */
function changedAt([, fetchedAt, , , invalidAt, expiredAt]: KeyStatus): number {
  return Math.max(fetchedAt ?? -1, invalidAt, expiredAt)
}
