import { compareVectors, Vector, VectorEditor } from './vector.ts'

/** What a table holds for one pk: the fields of an entity, or the members of a collection. */
export type Row = { readonly [field: string]: unknown } | readonly unknown[]

/** One version of one table: records by slot, and when each slot was first filled. */
export class Rows<T = Row> {
  readonly records: Vector<T>
  /**
   * The arrival number of each slot. It outlives the record: a row that is deleted and restored comes back
   * to its old place. Nearly always slot order, but branches of one state share slots and not histories.
   */
  readonly born: Vector<number>
  readonly size: number
  /** The next arrival number. */
  readonly next: number

  constructor(records: Vector<T> = new Vector<T>(), born: Vector<number> = new Vector<number>(), size = 0, next = 0) {
    this.records = records
    this.born = born
    this.size = size
    this.next = next
  }

  /** The filled slots, in the order of their first arrival. */
  slots(): number[] {
    const slots: number[] = []
    let sorted = true
    let last = -1
    this.records.forEach(slot => {
      const born = this.born.get(slot)!
      if (born < last) sorted = false
      last = born
      slots.push(slot)
    })
    return sorted ? slots : slots.sort((a, b) => this.born.get(a)! - this.born.get(b)!)
  }
}

/** Writes the next version of a table. */
export class RowsEditor<T = Row> {
  readonly #before: Rows<T>
  readonly #records: VectorEditor<T>
  readonly #born: VectorEditor<number>
  #size: number
  #next: number

  constructor(before: Rows<T>) {
    this.#before = before
    this.#records = new VectorEditor(before.records)
    this.#born = new VectorEditor(before.born)
    this.#size = before.size
    this.#next = before.next
  }

  get(slot: number): T | undefined {
    return this.#records.get(slot)
  }

  set(slot: number, record: T | undefined): void {
    const old = this.#records.get(slot)
    if (Object.is(old, record)) return
    if (old === undefined) {
      this.#size++
      if (this.#born.get(slot) === undefined) this.#born.set(slot, this.#next++)
    } else if (record === undefined) {
      this.#size--
    }
    this.#records.set(slot, record)
  }

  /** The next version; the very same rows when, in the end, nothing differs. */
  finish(): Rows<T> {
    const records = this.#records.finish()
    // A row may have been changed and changed back: then pages differ, and their contents do not.
    if (!compareVectors(this.#before.records, records, () => true)) return this.#before
    return new Rows(records, this.#born.finish(), this.#size, this.#next)
  }
}
