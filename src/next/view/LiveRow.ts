import { hasOwn, isPlain } from '../base/plain.ts'
import type { EntityClass, Fields } from '../schema/interface.ts'
import type { Cell } from '../store/cell.ts'
import type { Row } from '../store/State.ts'
import type { Source, Tracker } from './tracker.ts'

/** Stand for the whole record, and for the names of its fields, among the sources of a row. */
const RECORD: unique symbol = Symbol('record')
const NAMES: unique symbol = Symbol('names')

/** A key and its value in a short linked list. Rows have few of them, and a Map takes 200 bytes. */
interface Link {
  readonly key: unknown
  readonly value: unknown
  readonly next: Link | undefined
}

/** One row as live objects show it: its last record, and a source for each part of it that somebody reads. */
export class LiveRow {
  readonly #tracker: Tracker
  cell: Cell
  /** The row whose changes reach this one, kept alive by this one. */
  origin: LiveRow | undefined
  /** Called by the view graph, which does not keep it alive. */
  listener: (() => void) | undefined
  /** The row as those classes show it that may refuse a record, or that make their instances themselves. */
  byClass: Map<EntityClass, LiveRow> | undefined
  #record: Row | undefined
  #isShown = false
  #presence: Source | undefined
  /** By part of the record. */
  #sources: Link | undefined
  /** Live objects and memos, by class or schema. */
  #made: Link | undefined
  /** Rows with a temporary pk that became this one after both had live objects. */
  #followers: LiveRow[] | undefined

  constructor(tracker: Tracker, cell: Cell, row?: Row) {
    this.#tracker = tracker
    this.cell = cell
    this.#record = row
    this.#isShown = row !== undefined
  }

  /** Whether there is a record that may be shown. Tracked. */
  get isShown(): boolean {
    if (this.#tracker.isTracking()) (this.#presence ??= this.#tracker.source(this)).track()
    return this.#isShown
  }

  /** The record that was shown last: live objects of a deleted row keep their values. Not tracked. */
  get last(): Row | undefined {
    return this.#record
  }

  /** The whole record. Tracked. */
  get record(): Row | undefined {
    this.#track(RECORD)
    return this.#record
  }

  /** The names of the fields of the record. Tracked. */
  get names(): readonly string[] {
    this.#track(NAMES)
    return Object.keys(this.#record ?? {})
  }

  /** One field of the record. Tracked. */
  field(name: string): unknown {
    this.#track(name)
    return fieldOf(this.#record, name)
  }

  /** The value for `key`, made on first use. */
  once<T>(key: unknown, make: () => T): T {
    const known = find(this.#made, key)
    if (known !== undefined) return known.value as T
    const value = make()
    this.#made = { key, value, next: this.#made }
    return value
  }

  /** Shows the next record, or none, and wakes the readers of what differs. */
  change(row: Row | undefined): void {
    this.#followers?.forEach(follower => follower.change(row))
    const before = this.#record
    const isShown = row !== undefined
    // A result that turns from an object into a list is shown in another way.
    if (isShown !== this.#isShown || (isShown && isPlain(before) !== isPlain(row))) this.wakePresence()
    this.#isShown = isShown
    if (row === undefined || row === before) return
    this.#record = row
    for (let link = this.#sources; link !== undefined; link = link.next) if (differs(link.key as string, before, row)) (link.value as Source).trigger()
  }

  /** Wakes those who asked whether the row is shown: it may be missing for another reason now. */
  wakePresence(): void {
    this.#presence?.trigger()
  }

  /** From now on this row shows what `real` shows. */
  follow(real: LiveRow): void {
    this.origin = real
    ;(real.#followers ??= []).push(this)
    this.change(real.#isShown ? real.#record : undefined)
  }

  #track(part: string | symbol): void {
    if (!this.#tracker.isTracking()) return
    const link = find(this.#sources, part) ?? (this.#sources = { key: part, value: this.#tracker.source(this), next: this.#sources })
    ;(link.value as Source).track()
  }
}

function find(first: Link | undefined, key: unknown): Link | undefined {
  let link = first
  while (link !== undefined && link.key !== key) link = link.next
  return link
}

function fieldOf(record: Row | undefined, name: string): unknown {
  return record !== undefined && hasOwn(record, name) ? (record as Fields)[name] : undefined
}

function differs(part: string | symbol, before: Row | undefined, after: Row): boolean {
  if (part === RECORD) return true
  if (part === NAMES) return Object.keys(before ?? {}).join('\n') !== Object.keys(after).join('\n')
  return fieldOf(before, part as string) !== fieldOf(after, part as string)
}

/** The live row behind a live object. */
export const ROW: unique symbol = Symbol('row')

export interface LiveTarget {
  readonly [ROW]: LiveRow
}
