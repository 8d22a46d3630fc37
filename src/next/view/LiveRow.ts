import { hasOwn, isPlain } from '../base/plain.ts'
import type { Fields } from '../schema/interface.ts'
import type { Cell } from '../store/cell.ts'
import type { Row } from '../store/State.ts'
import type { Source, Tracker } from './tracker.ts'

/** One row as live objects see it: a source for each field that somebody reads. */
export class LiveRow {
  readonly #tracker: Tracker
  cell: Cell
  /** The last record; a deleted row keeps its last values. */
  #record: Row | undefined
  #isPresent: boolean
  /** A temporary row became this one, which already had live objects. */
  #successor: LiveRow | undefined
  readonly #predecessors: LiveRow[] = []
  #presence: Source | undefined
  #whole: Source | undefined
  #keys: Source | undefined
  #fields: Map<string, Source> | undefined
  /** Live objects and memos of this row, by class or schema. */
  readonly #made = new Map<unknown, unknown>()

  constructor(tracker: Tracker, cell: Cell, row: Row | undefined) {
    this.#tracker = tracker
    this.cell = cell
    this.#record = row
    this.#isPresent = row !== undefined
  }

  get current(): LiveRow {
    return this.#successor?.current ?? this
  }

  /** Whether the row exists. Tracked. */
  get isPresent(): boolean {
    if (this.#tracker.isTracking()) (this.#presence ??= this.#source()).track()
    return this.current.#isPresent
  }

  /** The whole row. Tracked. */
  get record(): Row | undefined {
    if (this.#tracker.isTracking()) (this.#whole ??= this.#source()).track()
    return this.current.#record
  }

  /** The names of the fields of the record. Tracked. */
  get names(): readonly string[] {
    if (this.#tracker.isTracking()) (this.#keys ??= this.#source()).track()
    return Object.keys(this.current.#record ?? {})
  }

  /** Whether the row is a plain object. Tracked by its presence: the shape of a result does not change. */
  get isPlain(): boolean {
    return this.isPresent && isPlain(this.current.#record)
  }

  /** One field of the record. Tracked. */
  field(name: string): unknown {
    if (this.#tracker.isTracking()) {
      this.#fields ??= new Map()
      let source = this.#fields.get(name)
      if (source === undefined) this.#fields.set(name, (source = this.#source()))
      source.track()
    }
    const record = this.current.#record as Fields | undefined
    return record !== undefined && hasOwn(record, name) ? record[name] : undefined
  }

  /** What was made once for `key`. */
  once<T>(key: unknown, make: () => T): T {
    if (!this.#made.has(key)) this.#made.set(key, make())
    return this.#made.get(key) as T
  }

  /** Wakes the readers of what differs. */
  change(row: Row | undefined): void {
    for (const predecessor of this.#predecessors) predecessor.change(row)
    const wasPresent = this.#isPresent
    this.#isPresent = row !== undefined
    const before = this.#record as Fields | undefined
    if (row !== undefined) this.#record = row
    if (wasPresent !== this.#isPresent) this.#presence?.trigger()
    if (row === undefined || before === row) return
    this.#whole?.trigger()
    if (this.#keys && Object.keys(before ?? {}).join() !== Object.keys(row).join()) this.#keys.trigger()
    if (this.#fields) for (const [name, source] of this.#fields) if (fieldOf(before, name) !== fieldOf(row as Fields, name)) source.trigger()
  }

  /** From now on this row shows another one: what changes that one wakes the readers of this one too. */
  follow(successor: LiveRow): void {
    this.#successor = successor
    successor.#predecessors.push(this)
    for (const source of [this.#presence, this.#whole, this.#keys, ...(this.#fields?.values() ?? [])]) source?.trigger()
  }

  #source(): Source {
    return this.#tracker.source(this)
  }
}

function fieldOf(record: Fields | undefined, name: string): unknown {
  return record !== undefined && hasOwn(record, name) ? record[name] : undefined
}

/** The live row behind a live object. */
export const ROW: unique symbol = Symbol('row')

export interface LiveTarget {
  readonly [ROW]: LiveRow
}
