import { copyOf, type Plain } from '../base/plain.ts'
import type { Stamp } from '../base/stamp.ts'
import { Directory, NO_ROWS, rowIn, Rows, State, type Cell, type Row } from './State.ts'
import { compareVectors, vectorGet, vectorPut, type Vector } from './vector.ts'

let drafts = 0

/** The one way to write. It copies the pages it touches, once. A draft that fails is dropped. */
export class Draft {
  declare readonly before: State
  declare readonly directory: Directory
  readonly #id = ++drafts
  #entities: (Rows | undefined)[] | undefined
  #endpoints: Rows
  #stamps: (Vector<Stamp> | undefined)[] | undefined
  #hasRemoved = false
  #marks: object | undefined
  #copies: Set<object> | undefined

  constructor(state: State, directory: Directory = state.directory ?? new Directory()) {
    this.before = state
    this.directory = directory
    this.#endpoints = state.endpoints
  }

  read({ table, slot }: Cell): Row | undefined {
    return this.#rows(table.ordinal).get(slot)
  }

  stamp({ table, slot }: Cell): Stamp | undefined {
    return vectorGet((this.#stamps ?? this.before.stamps)[table.ordinal], slot)
  }

  /** Stores `row`; undefined removes it. */
  write(cell: Cell, row: Row | undefined): void {
    const { slot, table: { ordinal } } = cell
    cell.idleAt = 0
    if (row === undefined) this.#hasRemoved = true
    const rows = this.#rows(ordinal)
    if (rows.owner === this.#id) return rows.put(slot, row)
    if (rows.get(slot) === row) return
    const own = new Rows(this.#id, rows)
    if (ordinal < 0) this.#endpoints = own
    else (this.#entities ??= [...this.before.entities])[ordinal] = own
    own.put(slot, row)
  }

  /** A copy of a row, or of a part of one, that may be changed in place; what this draft copied before is not copied again. */
  copy<T extends Plain | unknown[]>(part: object): T {
    if (this.owns(part)) return part as T
    const copy = Array.isArray(part) ? [...(part as unknown[])] : copyOf(part)
    ;(this.#copies ??= new Set()).add(copy)
    return copy as T
  }

  /** Whether it is such a copy. */
  owns(part: object): part is Plain {
    return this.#copies?.has(part) === true && !Object.isFrozen(part)
  }

  setStamp(cell: Cell, stamp?: Stamp): void {
    const { slot, table: { ordinal } } = cell
    cell.idleAt = 0
    if (stamp?.deleted !== this.stamp(cell)?.deleted) this.#marks ??= {}
    const stamps = (this.#stamps ??= [...this.before.stamps])
    stamps[ordinal] = vectorPut(stamps[ordinal], slot, stamp, this.#id)
  }

  /** The next state; the very same when nothing was written. */
  finish(): State {
    const { entities, endpoints, stamps, marks } = this.before
    if (this.#hasRemoved && this.#entities) {
      // A row that was removed and written again may be the same in the end.
      this.#entities.forEach((rows, i) => isSame(rows, entities[i]) && (this.#entities![i] = entities[i]))
      if (this.#entities.every((rows, i) => rows === entities[i])) this.#entities = undefined
    }
    if (!this.#entities && !this.#stamps && this.#endpoints === endpoints) return this.before
    return Object.freeze(new State(this.directory, this.#entities ?? entities, this.#endpoints, this.#stamps ?? stamps, this.#marks ?? marks))
  }

  #rows(ordinal: number): Rows {
    return ordinal < 0 ? this.#endpoints : ((this.#entities ?? this.before.entities)[ordinal] ?? NO_ROWS)
  }
}

function isSame(a: Rows | undefined, b: Rows | undefined): boolean {
  let same = a !== b && (a?.size ?? 0) === (b?.size ?? 0)
  if (same) compareVectors(a?.records, b?.records, (_, from, to) => (same &&= rowIn(from) === rowIn(to)))
  return same
}
