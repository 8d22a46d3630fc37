import { PatchcordError } from '../base/errors.ts'
import { hasOwn, isPlain } from '../base/plain.ts'
import type { EntityClass, Fields } from '../schema/interface.ts'
import type { Cell, Row } from '../store/State.ts'
import type { Source, Tracker } from './tracker.ts'

/** The fields of live objects: of a class, or of a result that is a plain object. */
export interface Shape {
  readonly label: string
  readonly schema: Fields
  readonly defaults: Fields
  /** Methods and accessors, which are not fields. */
  readonly members: ReadonlySet<string>
  readonly deserialized: WeakMap<object, Map<string, unknown>>
}

const ROW: unique symbol = Symbol('row')

interface LiveTarget {
  readonly [ROW]: LiveRow
}

export type LiveHandler = ProxyHandler<LiveTarget>

/** A live object: it has the fields of a row and the methods of a prototype. */
export function makeObject(row: LiveRow, proto: object, handler: LiveHandler): object {
  return new Proxy<LiveTarget>(Object.defineProperty(Object.create(proto) as LiveTarget, ROW, { value: row, configurable: true }), handler)
}

/** How the live objects of one shape are read: they look like objects with own data, and cannot be written to. */
export function makeHandler({ label, defaults, members }: Shape, tracker: Tracker, read: (row: LiveRow, name: string) => unknown): LiveHandler {
  const isField = (name: string | symbol): name is string => typeof name === 'string' && !members.has(name)
  const names = (target: LiveTarget): string[] => [...new Set([...Object.keys(defaults), ...target[ROW].names])].filter(isField)
  const refuse = (): never => {
    throw new PatchcordError('READ_ONLY', `A live ${label} is read only. Write with controller.set.`)
  }
  return {
    get: (target, name, receiver) => (isField(name) ? read(target[ROW], name) : Reflect.get(Object.getPrototypeOf(target) as object, name, receiver)),
    has: (target, name) => name in (Object.getPrototypeOf(target) as object) || names(target).includes(name as string),
    ownKeys: names,
    getOwnPropertyDescriptor: (target, name) =>
      names(target).includes(name as string) ? { value: tracker.untracked(() => read(target[ROW], name as string)), enumerable: true, configurable: true, writable: false } : undefined,
    set: refuse,
    defineProperty: refuse,
    deleteProperty: refuse,
    preventExtensions: refuse,
    setPrototypeOf: refuse,
  }
}

/** The dependencies of readers beside single fields. */
const PRESENCE: unique symbol = Symbol('presence')
const RECORD: unique symbol = Symbol('record')
const NAMES: unique symbol = Symbol('names')

/** One row as live objects show it: its last record, and a source for each part of it that somebody reads. */
export class LiveRow {
  readonly #tracker: Tracker
  declare cell: Cell
  /** The row whose changes reach this one. Referenced, so that it is not collected earlier. */
  declare readonly origin: LiveRow | undefined
  /** Called when the snapshot or the record has changed; the view graph does not keep it alive. */
  declare listener: (() => void) | undefined
  /** The row as those classes show it that may refuse a record, or that make their instances themselves. */
  declare byClass: Map<EntityClass, LiveRow> | undefined
  #record: Row | undefined
  #isVisible: boolean
  /** Sources by field, live objects and memos by class or schema. Linked, because they are few and a Map takes 200 bytes. */
  #parts: RowPart | undefined
  /** A row with a temporary pk that became this one after both had live objects. */
  #followers: LiveRow[] | undefined

  constructor(tracker: Tracker, cell: Cell, record: Row | undefined, origin?: LiveRow) {
    this.#tracker = tracker
    this.cell = cell
    this.#record = record
    this.#isVisible = record !== undefined
    this.origin = origin
  }

  /** Whether there is a record that may be shown. Tracked. */
  get isVisible(): boolean {
    this.#track(PRESENCE)
    return this.#isVisible
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

  /** The classes and collections that its live objects were made for, among names of fields; undefined stands for the row itself. */
  get classes(): unknown[] {
    const keys: unknown[] = [undefined, ...(this.byClass?.keys() ?? [])]
    for (let part = this.#parts; part; part = part.next) keys.push(part.key)
    return keys
  }

  /** The row has another cell now, and so have those that follow it. */
  moveTo(cell: Cell): void {
    this.cell = cell
    for (const row of [...(this.byClass?.values() ?? []), ...(this.#followers ?? [])]) row.moveTo(cell)
  }

  /** The value for `key`, made on first use. */
  once<T>(key: unknown, make: () => T): T {
    let part = this.#parts
    while (part && part.key !== key) part = part.next
    if (!part) {
      const value = make()
      part = this.#parts = { key, value, next: this.#parts }
    }
    return part.value as T
  }

  /** Shows the next record, or none, and wakes the readers of what differs. */
  change(record: Row | undefined): void {
    this.#followers?.forEach(follower => follower.change(record))
    // The graph does not tell of a record that leads to the same snapshot.
    this.byClass?.forEach(row => row.#isVisible && row.listener?.())
    const before = this.#record
    const wasVisible = this.#isVisible
    this.#isVisible = record !== undefined
    this.#record = record ?? before
    // A result that turns from an object into a list is shown in another way.
    if (wasVisible !== this.#isVisible || isPlain(before) !== isPlain(this.#record)) this.wakePresence()
    if (this.#record === before) return
    this.#wake(key => key === RECORD || (key === NAMES ? namesOf(before) !== namesOf(record) : typeof key === 'string' && fieldOf(before, key) !== fieldOf(record, key)))
  }

  /** Wakes those who asked whether the row is shown: it may be missing for another reason now. */
  wakePresence(): void {
    this.#wake(key => key === PRESENCE)
  }

  /** From now on `temporary` shows what this row shows. */
  lead(temporary: LiveRow): void {
    ;(this.#followers ??= []).push(temporary)
    temporary.once(this, () => this)
    temporary.change(this.#isVisible ? this.#record : undefined)
  }

  #track(key: string | symbol): void {
    if (this.#tracker.isTracking()) this.once(key, () => this.#tracker.source(this)).track()
  }

  #wake(isChanged: (key: unknown) => boolean): void {
    const wake = ({ key, value }: RowPart): void => (this.#tracker.onWake?.(this.cell, key), (value as Source).trigger())
    for (let part = this.#parts; part; part = part.next) if (isChanged(part.key)) wake(part)
  }
}

interface RowPart {
  readonly key: unknown
  readonly value: unknown
  readonly next: RowPart | undefined
}

function fieldOf(record: Row | undefined, name: string): unknown {
  return record !== undefined && hasOwn(record, name) ? (record as Fields)[name] : undefined
}

function namesOf(record: Row | undefined): string {
  return Object.keys(record ?? {}).join('\n')
}
