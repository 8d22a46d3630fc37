import { obtain } from '../base/obtain.ts'
import type { Cell, CellTable } from '../store/cell.ts'
import type { Draft } from '../store/draft.ts'
import { rowsOf } from '../store/state.ts'

/** A row that came to be at a place. */
interface Arrival {
  readonly cell: Cell
  readonly place: number
}

/** The rows of one table that came to be where something may still come beneath; the number of each follows from `start`. */
interface Era {
  readonly start: number
  readonly rows: readonly Arrival[]
  /** Of each of them. What only changes rows that are there must not cost a look at all that came. */
  readonly places: ReadonlyMap<Cell, number>
}

/**
 * Rows stand in the order of the places at which each was first said, whoever was delivered first. Mostly that is the
 * order in which they land; what lands beneath others is put between them.
 */
export class Arrivals {
  readonly #eras = new Map<CellTable, Era>()
  /** What the landings under way have made of them; kept when all ends well. */
  readonly #next = new Map<CellTable, Era>()
  /** The rows of what is landing, by table. */
  readonly #met = new Map<CellTable, Set<Cell>>()

  /** What is landing has left a row there, at its place. */
  meet(cell: Cell): void {
    obtain(this.#met, cell.table, () => new Set()).add(cell)
  }

  /** All of it has been done, at `place`. */
  land(draft: Draft, place: number): void {
    for (const [table, cells] of this.#met) {
      const known = rowsOf(draft.before, table)
      const { start, rows, places } = this.#next.get(table) ?? this.#eras.get(table) ?? { start: known.next, rows: [], places: new Map() }
      const fresh = new Set([...cells].filter(cell => (places.get(cell) ?? (known.born(cell.slot) === undefined ? Infinity : 0)) > place))
      if (fresh.size === 0) continue
      const others = rows.filter(({ cell }) => !fresh.has(cell))
      const later = others.findIndex(row => row.place > place)
      const at = later < 0 ? others.length : later
      const next = [...others.slice(0, at), ...[...fresh].map(cell => ({ cell, place })), ...others.slice(at)]
      for (let i = at; i < next.length; i++) draft.arriveAt(next[i]!.cell, start + i)
      this.#next.set(table, { start, rows: next, places: placesOf(next) })
    }
    this.#met.clear()
  }

  accept(): void {
    // Nearly always: to clear a map costs something, though there is nothing in it.
    if (this.#next.size + this.#met.size === 0) return
    for (const [table, era] of this.#next) this.#eras.set(table, era)
    this.refuse()
  }

  refuse(): void {
    this.#next.clear()
    this.#met.clear()
  }

  /** Nothing comes beneath `place` any more. */
  forget(place: number): void {
    for (const [table, { start, rows }] of this.#eras) {
      const at = rows.findIndex(row => row.place >= place)
      const left = rows.slice(at)
      if (at < 0) this.#eras.delete(table)
      else if (at > 0) this.#eras.set(table, { start: start + at, rows: left, places: placesOf(left) })
    }
  }

  clear(): void {
    this.#eras.clear()
  }
}

function placesOf(rows: readonly Arrival[]): Map<Cell, number> {
  return new Map(rows.map(({ cell, place }) => [cell, place]))
}
