import { compareVectors, NOTHING, VectorEditor, type Vector } from './vector.ts'

/** What a table holds for one pk: the fields of an entity, or the members of a collection. */
export type Row = { readonly [field: string]: unknown } | readonly unknown[]

/** One version of one table: records by slot, and when each slot was first filled. */
export class Rows<T = Row> {
  declare readonly records: Vector<T>
  declare readonly size: number
  /** The next arrival number. */
  declare readonly next: number
  /** Slots below this arrived one after the other: the arrival number of each is the slot itself. Nearly always all of them. */
  declare readonly dense: number
  /** The arrival numbers of the others: branches of one state share slots and not histories. */
  declare readonly late: Vector<number>

  constructor(records: Vector<T> = NOTHING, size = 0, next = 0, dense = 0, late: Vector<number> = NOTHING) {
    this.records = records
    this.size = size
    this.next = next
    this.dense = dense
    this.late = late
  }

  /** The arrival number of a slot. It outlives the record: a row that is deleted and restored comes back to its old place. */
  born(slot: number): number | undefined {
    return slot < this.dense ? slot : this.late.get(slot)
  }

  /** The filled slots, in the order of their first arrival. */
  slots(): number[] {
    const slots: number[] = []
    let sorted = true
    let last = -1
    this.records.forEach(slot => {
      const born = this.born(slot)!
      if (born < last) sorted = false
      last = born
      slots.push(slot)
    })
    return sorted ? slots : slots.sort((a, b) => this.born(a)! - this.born(b)!)
  }
}

/** Of a table that nobody has written to. */
export const NO_ROWS: Rows<never> = /* @__PURE__ */ new Rows<never>()

/** Writes the next version of a table. */
export class RowsEditor<T = Row> {
  readonly #before: Rows<T>
  readonly #records: VectorEditor<T>
  #late: VectorEditor<number> | undefined
  #size: number
  #next: number
  #dense: number
  #changes = 0
  /** More than records has changed. */
  #moved = false

  constructor(before: Rows<T>) {
    this.#before = before
    this.#records = new VectorEditor(before.records)
    this.#size = before.size
    this.#next = before.next
    this.#dense = before.dense
  }

  get(slot: number): T | undefined {
    return this.#records.get(slot)
  }

  /** Says whether the slot held until now what it held before. */
  set(slot: number, record: T | undefined): boolean {
    const old = this.#records.get(slot)
    if (Object.is(old, record)) return false
    if (old === undefined) {
      this.#size++
      if (slot >= this.#dense) this.#arrive(slot)
    } else if (record === undefined) {
      this.#size--
    }
    this.#changes++
    this.#records.set(slot, record)
    return old === this.#before.records.get(slot)
  }

  /** Fills a slot that was never filled. */
  insert(slot: number, record: T): void {
    this.#size++
    this.#changes++
    if (slot >= this.#dense) this.#arrive(slot)
    this.#records.set(slot, record)
  }

  /** The arrival number of a slot is another than by the order of writing. */
  arriveAt(slot: number, number: number): void {
    this.#late ??= new VectorEditor(this.#before.late)
    if ((slot < this.#dense ? slot : this.#late.get(slot)) === number) return
    for (; this.#dense > slot; this.#dense--) this.#late.set(this.#dense - 1, this.#dense - 1)
    this.#late.set(slot, number)
    // It may have come and gone: then nothing has arrived so far.
    this.#next = Math.max(this.#next, number + 1)
    this.#moved = true
  }

  /** Empties a slot for good. Should its row ever come back, it is a new one. */
  drop(slot: number): void {
    const late = (this.#late ??= new VectorEditor(this.#before.late))
    if (this.#records.get(slot) !== undefined) this.#size--
    else if (late.get(slot) === undefined) return
    this.#moved = true
    this.#records.drop(slot)
    late.drop(slot)
  }

  #arrive(slot: number): void {
    if (slot === this.#next && slot === this.#dense) {
      this.#dense = ++this.#next
      return
    }
    this.#late ??= new VectorEditor(this.#before.late)
    if (this.#late.get(slot) === undefined) this.#late.set(slot, this.#next++)
  }

  /** The next version; the very same rows when, in the end, nothing differs. */
  finish(): Rows<T> {
    if (this.#changes === 0 && !this.#moved) return this.#before
    const records = this.#records.finish()
    // A row may have been changed and changed back: then pages differ, and their contents do not.
    if (this.#changes > 1 && !this.#moved && !compareVectors(this.#before.records, records, () => true)) return this.#before
    return new Rows(records, this.#size, this.#next, this.#dense, this.#late?.finish() ?? this.#before.late)
  }
}

/** A slot that is filled in both versions and stands elsewhere in the order of arrival: what was only expected has become real. */
export function movedSlot(before: Rows<unknown>, after: Rows<unknown>): number | undefined {
  // Nobody has arrived: nearly always.
  if (before.late === after.late && before.dense === after.dense) return undefined
  let found: number | undefined
  const moved = (slot: number): boolean => {
    if (before.records.get(slot) === undefined || after.records.get(slot) === undefined || before.born(slot) === after.born(slot)) return false
    found = slot
    return true
  }
  if (compareVectors(before.late, after.late, moved)) return found
  // Below both the numbers are the slots themselves; without late arrivals there is nothing that could have stood elsewhere.
  if (before.late.root === undefined && after.late.root === undefined) return undefined
  for (let slot = Math.min(before.dense, after.dense); slot < Math.max(before.dense, after.dense); slot++) if (moved(slot)) return slot
  return undefined
}
