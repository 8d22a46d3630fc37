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

/** A change of members: it is meant for every collection of its table, also for those that become known beneath it later. */
interface Change {
  readonly item: Item
  readonly step: Members
}

/**
 * What was done to the base while an older read is under way. When that lands, it is put where it began, and what was
 * done later to the same cells is done again: to those cells only, from the version that they had there.
 */
export class Log {
  readonly #open = new Set<Read>()
  readonly #columns = new Map<Cell, Column>()
  readonly #changes = new Map<CellTable, readonly Change[]>()
  // What the landing under way has made of them; kept when it ends well.
  readonly #nextColumns = new Map<Cell, Column>()
  readonly #nextChanges = new Map<CellTable, readonly Change[]>()
  /** The rows that changes of members looked at. */
  readonly #looked = new WeakMap<Step, Set<Cell>>()
  /** Cells whose past has become another. */
  readonly #rewritten = new Set<Cell>()
  readonly #arrivals = new Arrivals()
  #size = 0

  /** Whether anything at `place` may have to be done again, or done beneath something. */
  keeps(place: number): boolean {
    return this.#columns.size > 0 || this.#changes.size > 0 || this.#logs(place)
  }

  begin(read: Read): void {
    this.#open.add(read)
  }

  /** A read has landed or left. What no other read can come beneath is forgotten. */
  end(read: Read): void {
    read.done = true
    const oldest = this.oldest
    if (!this.#open.delete(read) || this.oldest === oldest) return
    const place = this.oldest
    if (place === Infinity) return this.clear()
    this.#arrivals.forget(place)
    for (const [cell, column] of this.#columns) this.#keep(cell, column.above(place))
    for (const [table, changes] of this.#changes) this.#keepChanges(table, changes.filter(({ item }) => item.stamp.fetchedAt >= place))
  }

  /** Forgets all that was done. Reads that are under way stay so. */
  clear(): void {
    this.#columns.clear()
    this.#changes.clear()
    this.#arrivals.clear()
    this.#size = 0
  }

  /** Nothing that is under way will land any more. */
  reset(): void {
    this.#open.clear()
    this.clear()
  }

  /** Does something to the base, at its place. */
  land(draft: Draft, stamp: Stamp, { operations, edits }: Work): Item {
    const item = { stamp }
    if (!this.keeps(stamp.fetchedAt)) {
      fold(draft, operations, stamp, true)
      for (const edit of edits) runStep(draft, edit, stamp)
      return item
    }
    for (const step of operations) {
      if (step instanceof Members) this.#landChange(draft, item, step)
      else this.#landStep(draft, item, step, step.cell)
    }
    for (const edit of edits) this.#landStep(draft, item, edit, edit.cell)
    this.#lookAgain(draft)
    this.#arrivals.land(draft, stamp.fetchedAt)
    return item
  }

  /** Takes `item` out, as if it had never been done; false when it is no longer known what that would mean. */
  withdraw(draft: Draft, item: Item): boolean {
    let found = false
    for (const [cell, { floor, entries }] of this.#columns) {
      const from = entries.findIndex(entry => entry.item === item)
      if (from < 0) continue
      found = true
      this.#refold(draft, cell, floor, entries.filter(entry => entry.item !== item), from, from)
    }
    if (!found) return false
    for (const [table, changes] of this.#changes) this.#nextChanges.set(table, changes.filter(change => change.item !== item))
    this.#lookAgain(draft)
    return true
  }

  /** The landing ended well. Past the limit everything is forgotten, and reads that are under way are overtaken. */
  accept(): void {
    this.#arrivals.accept()
    if (this.#nextColumns.size + this.#nextChanges.size + this.#rewritten.size === 0) return
    for (const [cell, column] of this.#nextColumns) this.#keep(cell, column)
    for (const [table, changes] of this.#nextChanges) this.#keepChanges(table, changes)
    this.refuse()
    if (this.#size <= LIMIT) return
    for (const read of this.#open) read.overtaken = true
    this.reset()
  }

  /** The landing failed: nothing has happened. */
  refuse(): void {
    this.#arrivals.refuse()
    this.#nextColumns.clear()
    this.#nextChanges.clear()
    this.#rewritten.clear()
  }

  /** Whether something of this cell is kept. */
  has(cell: Cell): boolean {
    return this.#columns.has(cell)
  }

  forEachCell(visit: (cell: Cell) => void): void {
    for (const cell of this.#columns.keys()) visit(cell)
  }

  #landStep(draft: Draft, item: Item, step: Step, cell: Cell): void {
    const place = item.stamp.fetchedAt
    const known = this.#column(cell)
    const column = known ?? this.#unchanged(draft, cell)
    if (column !== undefined && column.top > place) {
      const at = column.indexFor(place)
      const entries = [...column.entries]
      entries.splice(at, 0, { item, step, value: undefined, stamp: undefined })
      this.#refold(draft, cell, column.floor, entries, at, at + 1)
      if (!isResult(cell) && entries[at]!.value !== undefined) this.#arrivals.meet(cell)
      return
    }
    const before = versionOf(draft, cell)
    if (step instanceof Members) putVersion(draft, cell, stepFrom(draft, step, item.stamp, cell, before, this.#host(draft, item, step)))
    else runStep(draft, step, item.stamp)
    const after = versionOf(draft, cell)
    if (!isResult(cell) && after.value !== undefined) this.#arrivals.meet(cell)
    if (!this.#logs(place)) return
    if (step instanceof Members && known === undefined && after.value === before.value) return
    this.#nextColumns.set(cell, new Column(column?.floor ?? before, [...(column?.entries ?? []), { item, step, ...after }]))
  }

  #landChange(draft: Draft, item: Item, step: Members): void {
    const place = item.stamp.fetchedAt
    const changes = this.#changesOf(step.table)
    for (const cell of this.#collections(draft, step.table)) this.#landStep(draft, item, step, cell)
    if (!this.#logs(place)) return
    const later = changes.findIndex(change => change.item.stamp.fetchedAt > place)
    const at = later < 0 ? changes.length : later
    this.#nextChanges.set(step.table, [...changes.slice(0, at), { item, step }, ...changes.slice(at)])
  }

  /** A collection that no change of members has changed so far, with all of them: others may, once its past is another. */
  #unchanged(draft: Draft, cell: Cell): Column | undefined {
    const changes = this.#changesOf(cell.table)
    if (changes.length === 0 || isResult(cell)) return undefined
    const version = versionOf(draft, cell)
    return new Column(version, changes.map(({ item, step }) => ({ item, step, ...version })))
  }

  /** Does the entries from `from` on again, at least up to `sure`; stops as soon as nothing is different any more. */
  #refold(draft: Draft, cell: Cell, floor: Version, entries: Entry[], from: number, sure: number): void {
    let version = from > 0 ? entries[from - 1]! : floor
    for (let i = from; i < entries.length; i++) {
      const { item, step, value, stamp } = entries[i]!
      const next = stepFrom(draft, step, item.stamp, cell, version, this.#host(draft, item, step))
      const shared = share(value, next.value)
      if (i >= sure && shared === value && next.stamp === stamp) break
      entries[i] = { item, step, value: shared, stamp: next.stamp }
      version = entries[i]!
    }
    this.#nextColumns.set(cell, new Column(floor, entries))
    this.#rewritten.add(cell)
    putVersion(draft, cell, entries[entries.length - 1] ?? floor)
  }

  /** Changes of members that looked at a row whose past has become another are made again. */
  #lookAgain(draft: Draft): void {
    if (this.#rewritten.size === 0) return
    const rewritten = [...this.#rewritten]
    for (const table of new Set([...this.#changes.keys(), ...this.#nextChanges.keys()])) {
      const changes = this.#changesOf(table)
      if (!changes.some(({ step }) => rewritten.some(cell => this.#looked.get(step)?.has(cell)))) continue
      for (const cell of this.#collections(draft, table)) {
        const { floor, entries } = this.#column(cell) ?? this.#unchanged(draft, cell)!
        this.#refold(draft, cell, floor, [...entries], 0, entries.length)
      }
    }
  }

  /** What a change of members may look at: the rows as they were at its place. */
  #host(draft: Draft, item: Item, step: Step): MembershipHost {
    const look = (key: string, pk: string): Cell | undefined => {
      const cell = cellOf(draft, key, pk)
      if (cell !== undefined) obtain(this.#looked, step, () => new Set()).add(cell)
      return cell
    }
    const place = item.stamp.fetchedAt
    return {
      before: (key, pk) => {
        const cell = look(key, pk)
        const column = cell && this.#column(cell)
        if (column === undefined) return cell && rowOf(draft.before, cell)
        return column.before(column.firstFrom(place)).value as object | undefined
      },
      now: (key, pk) => {
        const cell = look(key, pk)
        const column = cell && this.#column(cell)
        return column === undefined ? cell && draft.row(cell) : (column.before(column.indexFor(place)).value as object | undefined)
      },
    }
  }

  /** The collections of a table that are there, or were. */
  #collections(draft: Draft, table: CellTable): Set<Cell> {
    const cells = new Set(draft.filled(table))
    for (const columns of [this.#columns, this.#nextColumns]) for (const cell of columns.keys()) if (cell.table === table) cells.add(cell)
    return cells
  }

  /** Where the oldest read under way began. */
  get oldest(): number {
    for (const read of this.#open) return read.fetchedAt
    return Infinity
  }

  #logs(place: number): boolean {
    return this.oldest < place
  }

  #column(cell: Cell): Column | undefined {
    return this.#nextColumns.get(cell) ?? this.#columns.get(cell)
  }

  #changesOf(table: CellTable): readonly Change[] {
    return this.#nextChanges.get(table) ?? this.#changes.get(table) ?? []
  }

  #keep(cell: Cell, column: Column): void {
    this.#size += column.entries.length - (this.#columns.get(cell)?.entries.length ?? 0)
    if (column.entries.length > 0) this.#columns.set(cell, column)
    else this.#columns.delete(cell)
  }

  #keepChanges(table: CellTable, changes: readonly Change[]): void {
    this.#size += changes.length - (this.#changes.get(table)?.length ?? 0)
    if (changes.length > 0) this.#changes.set(table, changes)
    else this.#changes.delete(table)
  }
}
