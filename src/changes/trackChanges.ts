import { equal, isObject, keep, take } from '../base/plain.ts'
import type { Controller } from '../controller/Controller.ts'
import type { EditOperation } from '../normalize/fold.ts'
import { rebase } from '../normalize/rebase.ts'
import { hasProto, locate, stampDraft } from '../store/applyPatches.ts'
import { Draft } from '../store/Draft.ts'
import { eachStampChange, stampsBetween, type StampGroup } from '../store/patches.ts'
import { emptyState, type Cell, type Row, type State } from '../store/State.ts'
import { checkChange, isPosition, type Change, type KeyStatus, type RowPatch } from './Change.ts'
import { rowPatches } from './rowPatches.ts'

/** The positions of writes that left the stamp of their row as it was. All trackers of a store know them. */
const positions = /* @__PURE__ */ new WeakMap<Cell, number>()

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
  /** Keys that were answered, expired or invalidated here. */
  const touched = new Set<string>()

  const ahead = (): number => clock.date() - clock.now()
  const changeOf = (patches: RowPatch[], stamps: readonly StampGroup[], keys: Iterable<string>): Change => ({
    patches,
    stamps,
    freshness: Array.from(keys, key => {
      const { fetchedAt, date, expiresAt, invalidAt, expiredAt } = freshness.get(key)
      return { key, fetchedAt, date, expiresAt, invalidAt, expiredAt }
    }),
    ahead: ahead(),
  })
  const positionOf = (cell: Cell): number => Math.max(positions.get(cell) ?? -1, (!cell.isEntity ? freshness.get(cell.pk) : last.stamp(cell))?.fetchedAt ?? -1)

  /** Collects what changed up to `state`. */
  const collect = (state: State = timeline.base): void => {
    const before = last
    const { fetchedAt } = timeline.now(0)
    last = state
    stamps.push(...stampsBetween(before, last))
    const write = (cell: Cell): number => {
      if (cell.isEntity && before.stamp(cell) === last.stamp(cell)) positions.set(cell, fetchedAt)
      return positionOf(cell)
    }
    patches.push(...rowPatches(before, last, write))
  }
  /** What was collected; from now on it is known. */
  const clear = (): Change => {
    const change = changeOf(patches, stamps, touched)
    patches = []
    stamps = []
    touched.clear()
    return change
  }
  const stops = [
    controller.subscribePatches(({ base, origin: from, cause }) => {
      if (base.before === base.after) return
      if (cause === 'reset') clear()
      else if (ignored.includes(from)) collect(base.before)
      else return onChange()
      last = base.after
    }),
    freshness.subscribe((key, isPosition) => {
      if (!isPosition) return
      touched.add(key)
      onChange()
    }),
  ]

  return {
    take() {
      collect()
      const change = clear()
      return [change.patches, change.stamps, change.freshness].some(({ length }) => length) ? change : undefined
    },

    all() {
      collect()
      return changeOf(rowPatches(emptyState, last, positionOf), stampsBetween(emptyState, last), freshness.keys())
    },

    apply(given, isEarlier) {
      // What is done here must be known before it is compared with what comes in.
      collect()
      const change = (given ?? {}) as Change
      checkChange([change.patches, change.stamps, change.freshness].every(Array.isArray) && Number.isFinite(change.ahead), given)
      for (const status of change.freshness) {
        const { key, fetchedAt = 0, date, expiresAt, invalidAt, expiredAt } = Object(status) as KeyStatus
        checkChange(typeof key === 'string' && [fetchedAt, date, invalidAt, expiredAt].every(isPosition) && expiresAt! >= 0, status)
      }
      const by = change.ahead - ahead()
      const draft = new Draft(emptyState, timeline.directory)
      // JSON has no Infinity.
      stampDraft(draft, change.stamps.map(group => ({ ...group, stamp: group?.stamp && { ...group.stamp, expiresAt: (group.stamp.expiresAt ?? Infinity) + by } })))
      const rows = new Map<Cell, RowPatch | undefined>()
      eachStampChange(emptyState, draft.finish(), cell => void rows.set(cell, undefined))
      for (const patch of change.patches) {
        const { cell, path } = locate(draft, patch)
        checkChange(path.length === 0 && !hasProto(patch.value), patch)
        // The sender collected two changes of this row: `before` is the row before the first one.
        rows.set(cell, { ...patch, before: (rows.get(cell) ?? patch).before })
      }
      let isComplete = true
      let newest = 0
      const operations: EditOperation[] = []
      for (const [cell, patch] of rows) {
        const isEntity = cell.isEntity
        const stamp = draft.stamp(cell)
        const existing = last.read(cell)
        const at = Math.max(patch?.at ?? -1, stamp?.fetchedAt ?? -1)
        const ownAt = positionOf(cell)
        const before = patch?.before ?? {}
        const row = stamp?.deleted ? undefined : (take(patch?.value, false) as Row | undefined)
        checkChange(isPosition(at) && (!isEntity || isObject(row ?? before)), patch)
        /** The row that is here was confirmed. */
        const isConfirmed = !patch && !stamp!.deleted
        // Most rows of a whole state are here already.
        if (isConfirmed ? at <= ownAt : at === ownAt && equal(existing, row)) continue
        // Of two rows at one position every tab must choose the same one.
        const isNewer = at === ownAt ? !existing || (!isEarlier && JSON.stringify([row]) > JSON.stringify([existing])) : at > ownAt
        operations.push({
          type: 'edit',
          cell,
          apply(target) {
            const current = target.read(cell)
            const known = target.stamp(cell)
            // A later read may have landed beneath it.
            const isOver = isNewer && at >= (known?.fetchedAt ?? -1)
            if (!isOver && known?.deleted) return
            const below = isConfirmed ? undefined : isOver ? current : row
            const above = isConfirmed || !isOver ? current : row
            // The later row, with the fields that only the earlier one has.
            const next = below && above && isEntity ? rebase(below, { before, after: above, fields: Object.keys({ ...before, ...above }) }) : above
            target.write(cell, keep(current, next) as Row)
            // A stamp alone says nothing about a row that is not here.
            if (isOver && stamp && (next || stamp.deleted)) target.setStamp(cell, stamp)
          },
        })
        newest = Math.max(newest, at)
        if (isNewer && at !== stamp?.fetchedAt) positions.set(cell, at)
        // It was written again where the sender did not know of its deletion.
        isComplete &&= !(isConfirmed && last.stamp(cell)?.deleted)
      }
      // If the change has no answer of a read that is newer than ours, a call over there has made it. Reads that are in flight here may have been answered before the server handled that call: they expire, and are made again.
      const isCall = operations.length && change.freshness.every(({ key, fetchedAt }) => fetchedAt <= freshness.get(key).fetchedAt)
      controller.batch(() => {
        timeline.raise(newest)
        for (const error of timeline.landAll([() => operations], { cause: 'applyPatches', origin }, timeline.positionAt(newest))) throw error
        for (const { key, fetchedAt, date, expiresAt, invalidAt, expiredAt } of change.freshness) {
          const mine = freshness.get(key)
          const isOwn = touched.has(key)
          if (expiredAt > mine.expiredAt) freshness.expire([key], expiredAt)
          if (invalidAt > mine.invalidAt) freshness.invalidate([key], invalidAt)
          if (fetchedAt) freshness.answered(key, { fetchedAt, date }, (expiresAt ?? Infinity) + by, mine.endpoint, mine.args)
          if (!isOwn) touched.delete(key)
        }
        if (isCall) controller.expireAll({ testKey: key => !!freshness.get(key).inFlight })
      })
      return isComplete
    },

    stop: () => stops.forEach(stop => stop()),
  }
}
