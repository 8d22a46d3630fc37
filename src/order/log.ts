import { obtain } from '../base/obtain.ts'
import { share } from '../base/plain.ts'
import type { Stamp } from '../base/stamp.ts'
import { fold } from '../normalize/fold.ts'
import { Members } from '../normalize/operation.ts'
import type { MembershipHost } from '../schema/interface.ts'
import type { Cell, CellTable } from '../store/cell.ts'
import type { Draft } from '../store/draft.ts'
import { cellOf, rowOf } from '../store/state.ts'
import { Arrivals } from './arrivals.ts'
import { Column, type Entry } from './column.ts'
import type { Item, Read, Work } from './place.ts'
import { isResult, putVersion, runStep, stepFrom, versionOf, type Step, type Version } from './step.ts'

/** So many entries are kept; past that a read that is still under way has been overtaken. */
const LIMIT = 10_000

/** What was done to some keys, and what the landing under way makes of it; that is kept when it ends well. */
interface Kept<K> {
  readonly kept: Map<K, Column>
  readonly next: Map<K, Column>
}

/**
 * What was done to the base while an older read is under way. When that lands, it is put where it began, and what was
 * done later to the same cells is done again: to those cells only, from the version that they had there.
 */
export interface Log {
  /** Where the oldest read under way began. */
  readonly oldest: number
  /** Whether anything at `place` may have to be done again, or done beneath something. */
  keeps(place: number): boolean
  begin(read: Read): void
  /** A read has landed or left. What no other read can come beneath is forgotten. */
  end(read: Read): void
  /** Forgets all that was done. Nothing that is under way will land any more. */
  reset(): void
  /** Does something to the base, at its place. */
  land(draft: Draft, stamp: Stamp, work: Work): Item
  /** Takes `item` out, as if it had never been done; false when it is no longer known what that would mean. */
  withdraw(draft: Draft, item: Item): boolean
  /** The landing ended well. Past the limit everything is forgotten, and reads that are under way are overtaken. */
  accept(): void
  /** The landing failed: nothing has happened. */
  refuse(): void
  /** Whether something of this cell is kept. */
  has(cell: Cell): boolean
  forEachCell(visit: (cell: Cell) => void): void
}

export function createLog(): Log {
  const open = new Set<Read>()
  const columns: Kept<Cell> = { kept: new Map(), next: new Map() }
  /** Changes of members: they are meant for every collection of their table, also for those that become known beneath them later. */
  const changes: Kept<CellTable> = { kept: new Map(), next: new Map() }
  /** The rows that changes of members looked at. */
  const looked = new WeakMap<Step, Set<Cell>>()
  /** Cells whose past has become another. */
  const rewritten = new Set<Cell>()
  const arrivals = new Arrivals()
  let size = 0

  const oldest = (): number => {
    for (const read of open) return read.fetchedAt
    return Infinity
  }
  const logs = (place: number): boolean => oldest() < place

  function keep<K>({ kept }: Kept<K>, key: K, column: Column): void {
    const count = column.entries.length
    size += count - (kept.get(key)?.entries.length ?? 0)
    if (count > 0) kept.set(key, column)
    else kept.delete(key)
  }

  function forget(): void {
    columns.kept.clear()
    changes.kept.clear()
    arrivals.clear()
    size = 0
  }

  function landStep(draft: Draft, item: Item, step: Step, cell: Cell): void {
    const place = item.stamp.fetchedAt
    const known = latest(columns, cell)
    const column = known ?? unchanged(draft, cell)
    if (column !== undefined && column.top > place) {
      const at = column.indexFor(place)
      const entries = column.with(at, { item, step, ...NOTHING })
      refold(draft, cell, column.floor, entries, at, at + 1)
      if (!isResult(cell) && entries[at]!.value !== undefined) arrivals.meet(cell)
      return
    }
    const before = versionOf(draft, cell)
    if (step instanceof Members) putVersion(draft, cell, stepFrom(draft, step, item.stamp, cell, before, hostOf(draft, item, step)))
    else runStep(draft, step, item.stamp)
    const after = versionOf(draft, cell)
    if (!isResult(cell) && after.value !== undefined) arrivals.meet(cell)
    if (!logs(place)) return
    if (step instanceof Members && known === undefined && after.value === before.value) return
    columns.next.set(cell, new Column(column?.floor ?? before, [...(column?.entries ?? []), { item, step, ...after }]))
  }

  function landChange(draft: Draft, item: Item, step: Members): void {
    const place = item.stamp.fetchedAt
    const { table } = step
    const column = latest(changes, table) ?? new Column(NOTHING, [])
    for (const cell of collections(draft, table)) landStep(draft, item, step, cell)
    if (logs(place)) changes.next.set(table, new Column(NOTHING, column.with(column.indexFor(place), { item, step, ...NOTHING })))
  }

  /** A collection that no change of members has changed so far, with all of them: others may, once its past is another. */
  function unchanged(draft: Draft, cell: Cell): Column | undefined {
    const column = latest(changes, cell.table)
    if (!column?.entries.length || isResult(cell)) return undefined
    const version = versionOf(draft, cell)
    return new Column(version, column.entries.map(entry => ({ ...entry, ...version })))
  }

  /** Does the entries from `from` on again, at least up to `sure`; stops as soon as nothing is different any more. */
  function refold(draft: Draft, cell: Cell, floor: Version, entries: Entry[], from: number, sure: number): void {
    let version = from > 0 ? entries[from - 1]! : floor
    for (let i = from; i < entries.length; i++) {
      const { item, step, value, stamp } = entries[i]!
      const next = stepFrom(draft, step, item.stamp, cell, version, hostOf(draft, item, step))
      const shared = share(value, next.value)
      if (i >= sure && shared === value && next.stamp === stamp) break
      entries[i] = { item, step, value: shared, stamp: next.stamp }
      version = entries[i]!
    }
    columns.next.set(cell, new Column(floor, entries))
    rewritten.add(cell)
    putVersion(draft, cell, entries[entries.length - 1] ?? floor)
  }

  /** Changes of members that looked at a row whose past has become another are made again. */
  function lookAgain(draft: Draft): void {
    if (rewritten.size === 0) return
    const cells = [...rewritten]
    for (const table of new Set([...changes.kept.keys(), ...changes.next.keys()])) {
      if (!latest(changes, table)!.entries.some(({ step }) => cells.some(cell => looked.get(step)?.has(cell)))) continue
      for (const cell of collections(draft, table)) {
        const { floor, entries } = latest(columns, cell) ?? unchanged(draft, cell)!
        refold(draft, cell, floor, [...entries], 0, entries.length)
      }
    }
  }

  /** What a change of members may look at: the rows as they were at its place. */
  function hostOf(draft: Draft, item: Item, step: Step): MembershipHost {
    const look = (key: string, pk: string): Cell | undefined => {
      const cell = cellOf(draft, key, pk)
      if (cell !== undefined) obtain(looked, step, () => new Set()).add(cell)
      return cell
    }
    const place = item.stamp.fetchedAt
    return {
      before: (key, pk) => {
        const cell = look(key, pk)
        const column = cell && latest(columns, cell)
        if (column === undefined) return cell && rowOf(draft.before, cell)
        return column.before(column.firstFrom(place)).value as object | undefined
      },
      now: (key, pk) => {
        const cell = look(key, pk)
        const column = cell && latest(columns, cell)
        return column === undefined ? cell && draft.row(cell) : (column.before(column.indexFor(place)).value as object | undefined)
      },
    }
  }

  /** The collections of a table that are there, or were. */
  function collections(draft: Draft, table: CellTable): Set<Cell> {
    const cells = new Set(draft.filled(table))
    for (const cell of [...columns.kept.keys(), ...columns.next.keys()]) if (cell.table === table) cells.add(cell)
    return cells
  }

  const log: Log = {
    get oldest() {
      return oldest()
    },

    keeps: place => columns.kept.size > 0 || changes.kept.size > 0 || logs(place),

    begin: read => void open.add(read),

    end(read) {
      read.done = true
      const before = oldest()
      if (!open.delete(read) || oldest() === before) return
      const place = oldest()
      if (place === Infinity) return forget()
      arrivals.forget(place)
      for (const [cell, column] of columns.kept) keep(columns, cell, column.above(place))
      for (const [table, column] of changes.kept) keep(changes, table, column.above(place))
    },

    reset() {
      open.clear()
      forget()
    },

    land(draft, stamp, { operations, edits }) {
      const item = { stamp }
      if (!log.keeps(stamp.fetchedAt)) {
        fold(draft, operations, stamp, true)
        for (const edit of edits) runStep(draft, edit, stamp)
        return item
      }
      for (const step of operations) {
        if (step instanceof Members) landChange(draft, item, step)
        else landStep(draft, item, step, step.cell)
      }
      for (const edit of edits) landStep(draft, item, edit, edit.cell)
      lookAgain(draft)
      arrivals.land(draft, stamp.fetchedAt)
      return item
    },

    withdraw(draft, item) {
      let found = false
      for (const [cell, { floor, entries }] of columns.kept) {
        const from = entries.findIndex(entry => entry.item === item)
        if (from < 0) continue
        found = true
        refold(draft, cell, floor, entries.filter(entry => entry.item !== item), from, from)
      }
      if (!found) return false
      for (const [table, { entries }] of changes.kept) changes.next.set(table, new Column(NOTHING, entries.filter(entry => entry.item !== item)))
      lookAgain(draft)
      return true
    },

    accept() {
      arrivals.accept()
      if (columns.next.size + changes.next.size + rewritten.size === 0) return
      for (const [cell, column] of columns.next) keep(columns, cell, column)
      for (const [table, column] of changes.next) keep(changes, table, column)
      log.refuse()
      if (size <= LIMIT) return
      for (const read of open) read.overtaken = true
      log.reset()
    },

    refuse() {
      arrivals.refuse()
      columns.next.clear()
      changes.next.clear()
      rewritten.clear()
    },

    has: cell => columns.kept.has(cell),

    forEachCell: visit => columns.kept.forEach((_, cell) => visit(cell)),
  }
  return log
}

/** The version of what was never there. */
const NOTHING: Version = { value: undefined, stamp: undefined }

function latest<K>({ kept, next }: Kept<K>, key: K): Column | undefined {
  return next.get(key) ?? kept.get(key)
}
