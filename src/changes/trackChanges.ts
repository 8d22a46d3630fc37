import { PatchError } from '../base/errors.ts'
import { hasOwn, isObject, isPlain, put, take, type Plain } from '../base/plain.ts'
import type { Stamp } from '../base/stamp.ts'
import type { Controller } from '../controller/Controller.ts'
import { hasProto, locate, stampDraft } from '../store/applyPatches.ts'
import type { Cell } from '../store/cell.ts'
import { eachStampChange } from '../store/changes.ts'
import { Draft } from '../store/Draft.ts'
import type { Patch } from '../store/immer.ts'
import { isShared, stampsBetween, type StampGroup } from '../store/patches.ts'
import { emptyState, type Row, type State } from '../store/State.ts'
import { fieldPatches, WHOLE } from './fieldPatches.ts'
import { Incoming } from './Incoming.ts'
import { Recent, type Author } from './Recent.ts'

/**
 * What is known of one endpoint key. Positions are comparable on one machine; times are wall times.
 *
 * @example
 * const fetched = ([key, fetchedAt]: KeyStatus): string => `${key} ${fetchedAt === null ? 'was never fetched' : 'is there'}`
 */
export type KeyStatus = readonly [key: string, fetchedAt: number | null, date: number, expiresAt: number | null, invalidAt: number, expiredAt: number]

/**
 * A change of confirmed data as plain data: patches of rows and of fields, their stamps, and the freshness of results.
 * Times are wall times: another tab has another clock.
 *
 * @example
 * const tracker = trackChanges(controller, { origin: 'example' })
 * const change: Change = tracker.all()
 */
export interface Change {
  /** When it was collected. */
  readonly at: number
  readonly patches: readonly Patch[]
  readonly stamps: readonly StampGroup[]
  readonly freshness: readonly KeyStatus[]
}

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
   * Takes in a change of another tracker, which belongs to this one from then on. Data that is newer here stays. Throws a `PatchError` when it is no change, and
   * returns false when it is about a row that is not here: then `all` of the other tracker is needed.
   */
  readonly apply: (change: unknown, author?: Author) => boolean
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
  /** The name of this tracker in an `Author`. */
  readonly name?: string
}

const NOBODY: Author = /* @__PURE__ */ Object.freeze({ by: '', n: 0, seen: {} })

/**
 * Tracks the confirmed data of a controller, to bring it somewhere else: to another tab, to a disk. Pending calls are
 * left out until the server confirms them.
 *
 * @example
 * const [here, there] = [new Controller(), new Controller()]
 * const target = trackChanges(there, { origin: 'here' })
 * const source = trackChanges(here, { origin: 'there', onChange: () => queueMicrotask(() => target.apply(source.take() ?? source.all())) })
 */
export function trackChanges(controller: Controller, { origin, ignores = [], onChange = () => {}, name = NOBODY.by }: TrackOptions): ChangeTracker {
  const { timeline, freshness, clock } = controller
  const ignored = ['gc', origin, ...ignores]
  const recent = new Recent()
  /** The confirmed state up to which changes were collected. */
  let last = timeline.base
  let patches: Patch[] = []
  let stamps: StampGroup[] = []
  let taken = 0
  let isApplying = false
  /** Keys whose status has changed, and what was last known of each elsewhere. */
  const touched = new Set<string>()
  const known = new Map<string, string>()

  const now = (): number => timeline.now(0).fetchedAt
  const ahead = (): number => clock.date() - clock.now()
  const statusOf = (key: string, offset: number): KeyStatus => {
    const { fetchedAt = null, date, expiresAt, invalidAt, expiredAt } = freshness.get(key)
    return [key, fetchedAt, date, expiresAt + offset, invalidAt, expiredAt]
  }
  const isKnown = ([, fetchedAt, , , invalidAt, expiredAt]: KeyStatus): boolean => fetchedAt !== null || invalidAt >= 0 || expiredAt >= 0
  /** Without the time of expiry, which moves with the wall clock. */
  const signature = ([, fetchedAt, , , invalidAt, expiredAt]: KeyStatus): string => `${fetchedAt} ${invalidAt} ${expiredAt}`
  const atWallTime = (groups: readonly StampGroup[], offset: number): StampGroup[] => groups.map(group => ({ ...group, stamp: group.stamp && { ...group.stamp, expiresAt: group.stamp.expiresAt + offset } }))

  /** Collects what changed up to `state`. */
  const collect = (state: State, at: number): void => {
    if (state === last) return
    patches.push(...fieldPatches(last, state, (cell, field, before) => recent.note(cell, field, { at: state.stamp(cell) === last.stamp(cell) ? at : (state.stamp(cell)?.fetchedAt ?? at), by: name, n: taken + 1, before })))
    stamps.push(...atWallTime(stampsBetween(last, state), ahead()))
    last = state
  }
  const stops = [
    controller.subscribePatches(({ base, origin: from, cause }) => {
      if (base.before === base.after) return
      if (cause === 'reset') {
        patches = []
        stamps = []
        last = base.after
      } else if (from !== undefined && ignored.includes(from)) {
        collect(base.before, now())
        last = base.after
      } else onChange()
    }),
    freshness.subscribe(key => {
      const status = statusOf(key, 0)
      if (isApplying || !isKnown(status) || known.get(key) === signature(status)) return
      touched.add(key)
      onChange()
    }),
  ]

  return {
    take() {
      const at = now()
      collect(timeline.base, at)
      const offset = ahead()
      const statuses = [...touched].map(key => statusOf(key, offset)).filter(status => isKnown(status) && known.get(status[0]) !== signature(status))
      for (const status of statuses) known.set(status[0], signature(status))
      touched.clear()
      if (patches.length + stamps.length + statuses.length === 0) return undefined
      const change = { at, patches, stamps, freshness: statuses }
      taken++
      patches = []
      stamps = []
      return change
    },

    all() {
      const offset = ahead()
      return {
        at: now(),
        patches: fieldPatches(emptyState, timeline.base),
        stamps: atWallTime(stampsBetween(emptyState, timeline.base), offset),
        freshness: [...freshness.keys()].map(key => statusOf(key, offset)).filter(isKnown),
      }
    },

    apply(given, author = NOBODY) {
      // What is done here must be known before it is compared with what comes in.
      collect(timeline.base, now())
      const { base, directory } = timeline
      const offset = ahead()
      const change = readChange(given, offset)
      const statuses = new Map(change.freshness.map(status => [status[0], status]))
      const draft = new Draft(emptyState, directory)
      stampDraft(draft, change.stamps)
      const rows = new Map<Cell, Incoming>()
      let isComplete = true

      const rowOf = (cell: Cell): Incoming => {
        let entry = rows.get(cell)
        if (entry) return entry
        const isResult = cell.table.ordinal < 0
        const stamp = isResult ? undefined : draft.stamp(cell)
        const own = base.stamp(cell)
        const row = base.read(cell)
        const at = (isResult ? statuses.get(cell.pk)?.[1] : stamp?.fetchedAt) ?? change.at
        const knownAt = (isResult ? freshness.get(cell.pk).fetchedAt : own?.fetchedAt) ?? -Infinity
        // Of a write and a deletion at the same position, the deletion wins.
        const isNewer = own === undefined || (stamp?.fetchedAt ?? 0) > knownAt || (stamp?.fetchedAt === knownAt && stamp.deleted === true && !own.deleted)
        entry = new Incoming(cell, row, { at, knownAt, stamp: isNewer ? stamp : undefined, isDeleted: own?.deleted === true && knownAt >= at })
        rows.set(cell, entry)
        return entry
      }
      const setField = (entry: Incoming, field: string, value: unknown, fallback: number): void => {
        const record = entry.after as Plain
        const current = hasOwn(record, field) ? record[field] : undefined
        const chosen = recent.choose(entry.cell, field, { current, value }, { at: entry.positions.at, known: current === undefined && value !== undefined ? -Infinity : fallback, author })
        if (chosen === current) return
        entry.set(withField(record, field, chosen), field)
      }
      for (const patch of change.patches) {
        const { cell, path } = locate(draft, patch)
        if (path.length > 1) throw new PatchError('A change has patches of rows and of fields, and none that goes deeper.', patch)
        const value = patch.op === 'remove' ? undefined : valueOf(patch)
        const entry = rowOf(cell)
        const { after: row, positions: { at, knownAt, isDeleted } } = entry
        if (isDeleted) continue
        if (path.length === 1) {
          if (isPlain(row)) setField(entry, String(path[0]), value, at < recent.horizon ? knownAt : -Infinity)
          else isComplete = false
        } else if (patch.op === 'add' && isPlain(row) && isPlain(value) && cell.table.ordinal >= 0) {
          for (const field of Object.keys(value)) setField(entry, field, value[field], knownAt)
        } else {
          const chosen = row === undefined && author === NOBODY ? value : recent.choose(cell, WHOLE, { current: row, value }, { at, known: row === undefined ? -Infinity : knownAt, author })
          if (chosen !== row) entry.replace(chosen as Row)
        }
      }
      let [date, last] = [0, 0]
      eachStampChange(emptyState, draft.finish(), cell => {
        const entry = rowOf(cell)
        const { stamp } = entry.positions
        if (stamp === undefined) return
        date = Math.max(date, stamp.date)
        last = Math.max(last, stamp.fetchedAt)
        // Also where the sender never had the row.
        if (stamp.deleted) entry.replace(undefined)
        else if (entry.after === undefined && base.stamp(cell)?.deleted) isComplete = false
      })
      const operations = [...rows.values()].filter(({ isChange }) => isChange)
      controller.batch(() => {
        isApplying = true
        try {
          timeline.raise(last)
          if (operations.length > 0) for (const error of timeline.landAll([() => operations], { cause: 'applyPatches', origin }, timeline.positionAt(date || clock.date()))) throw error
          for (const status of change.freshness) {
            const [key, fetchedAt, answeredAt, expiresAt, invalidAt, expiredAt] = status
            const mine = freshness.get(key)
            const answered = Math.max(fetchedAt ?? -Infinity, mine.fetchedAt ?? -Infinity)
            if (expiredAt > Math.max(mine.expiredAt, answered)) freshness.expire([key], expiredAt)
            if (invalidAt > Math.max(mine.invalidAt, answered)) freshness.invalidate([key], invalidAt)
            if (fetchedAt !== null && fetchedAt === answered && fetchedAt !== mine.fetchedAt) freshness.answered(key, { fetchedAt, date: answeredAt }, (expiresAt ?? Infinity) - offset, mine.endpoint, mine.args)
            if (!touched.has(key)) known.set(key, signature(statusOf(key, 0)))
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

function withField(record: Plain, field: string, value: unknown): Plain {
  const next = { ...record }
  if (value === undefined) delete next[field]
  else put(next, field, value)
  return Object.freeze(next)
}

function valueOf(patch: Patch): unknown {
  if (isShared(patch.value)) return patch.value
  if (hasProto(patch.value) || patch.path.includes('__proto__')) throw new PatchError('A change has no key "__proto__".', patch)
  return take(patch.value, false)
}

/** A checked change, with stamps on the clock of this controller. JSON has no Infinity: a time is `null` then. */
function readChange(given: unknown, offset: number): Change {
  const { at, patches, stamps, freshness } = (isObject(given) ? given : {}) as Partial<Change>
  const isTime = (time: unknown): time is number => Number.isFinite(time) && (time as number) < 2 ** 52
  if (!isTime(at) || ![patches, stamps, freshness].every(Array.isArray)) throw new PatchError('A change is { at, patches, stamps, freshness }.', given)
  for (const status of freshness!) {
    const [key, fetchedAt, date, expiresAt, ...positions] = Array.isArray(status) ? (status as unknown as KeyStatus) : []
    if (typeof key !== 'string' || ![fetchedAt ?? 0, date, ...positions].every(isTime) || positions.length !== 2 || Number.isNaN(Number(expiresAt))) throw new PatchError('The freshness of a change is a list of [key, fetchedAt, date, expiresAt, invalidAt, expiredAt].', status)
  }
  const own = stamps!.map(group => {
    const { fetchedAt, date, expiresAt, deleted } = (group?.stamp ?? {}) as Partial<Stamp>
    if (group?.stamp && !isTime(fetchedAt)) throw new PatchError('A stamp has a position.', group)
    return { ...group, stamp: group?.stamp && { fetchedAt: fetchedAt!, date: date!, expiresAt: (expiresAt ?? Infinity) - offset, ...(deleted === true && { deleted }) } }
  })
  return { at, patches: patches!, stamps: own, freshness: freshness! }
}
