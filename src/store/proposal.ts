import type { Stamp } from '../base/stamp.ts'
import type { StampGroup } from './apply.ts'
import type { Cell } from './cell.ts'
import { diffStamps, diffValues, pathOf, spliceList } from './diff.ts'
import { Draft, type Added, type Made } from './draft.ts'
import type { Patch } from './immer.ts'
import { remember } from './origin.ts'
import type { Row } from './rows.ts'
import type { Splice } from './splices.ts'
import { rowOf, type State } from './state.ts'

/** Not a push: V8 takes a list that began empty for one of numbers, and then calls instead of writing. */
function append<T>(list: T[], value: T): void {
  list[list.length] = value
}

/**
 * A draft that says by which patches it differs, and is applied when they are. Until then it leaves no trace in the
 * cells, which all versions of the state share.
 */
export class Proposal extends Draft {
  /** New rows, for as long as nothing else is written, and a patch for each. */
  readonly #added: Added[] = []
  readonly #patches: Patch[] = []
  /** What was written after that, in the order of first writes. */
  readonly #written: Cell[] = []
  /** For lists that were written once: the one change that made them, where the writer said so. */
  #splices: Map<Cell, Splice> | undefined
  /** The stamp of the response, and who got it, by table. Comparing the state with that before would say the same, and takes longer. */
  #stamp: Stamp | undefined
  readonly #marked: (string[] | undefined)[] = []
  /** There were others, or deletions. */
  #mixed = false
  /** Something was changed again, and may stand in a list twice because of that. */
  #back = false
  /** What was taken back. */
  #withdrawn: Made | undefined

  override insert(added: Added, stamp: Stamp): void {
    super.insert(added, stamp)
    const { cell, record } = added
    this.#note(cell, stamp)
    if (this.#written.length > 0) append(this.#written, cell)
    else {
      append(this.#added, added)
      append(this.#patches, { op: 'add', path: pathOf(cell), value: record })
    }
  }

  override write(cell: Cell, record: Row | undefined, splice?: Splice): boolean {
    const first = super.write(cell, record)
    if (first) append(this.#written, cell)
    else this.#back = true
    if (first && splice !== undefined) (this.#splices ??= new Map()).set(cell, splice)
    else this.#splices?.delete(cell)
    return first
  }

  override mark(cell: Cell, stamp: Stamp | undefined): void {
    super.mark(cell, stamp)
    this.#note(cell, stamp)
  }

  #note({ pk, table }: Cell, stamp: Stamp | undefined): void {
    this.#stamp ??= stamp
    // A response may delete a row twice, but it writes each once.
    if (stamp === undefined || stamp.deleted || stamp !== this.#stamp) this.#mixed = true
    const pks = this.#marked[table.ordinal]
    if (pks === undefined) this.#marked[table.ordinal] = [pk]
    else append(pks, pk)
  }

  /** The stamps as they travel. */
  #groups(after: State): readonly StampGroup[] {
    if (this.#mixed) return diffStamps(this.before, after)
    const groups: StampGroup[] = []
    for (const { key, ordinal } of this.cells.tables) {
      const pks = this.#marked[ordinal]
      if (pks !== undefined) groups.push(Object.freeze({ key, pks: Object.freeze(pks), stamp: this.#stamp! }))
    }
    return Object.freeze(groups)
  }

  /** What leads from the state to what was written, and the stamps that go with it. Ends the draft. */
  patches(): { readonly patches: readonly Patch[]; readonly stamps: readonly StampGroup[] } {
    const written = this.#back ? new Set([...this.#added.map(({ cell }) => cell), ...this.#written]) : this.#written
    const patches = this.#back ? [] : this.#patches
    const marks: (Added | Patch)[] = this.#back ? [] : this.#added
    for (const cell of written) {
      const row = this.row(cell)
      const before = rowOf(this.before, cell)
      if (before === row) continue
      const path = pathOf(cell)
      if (before === undefined) {
        append(patches, { op: 'add', path, value: row })
        append(marks, { cell, record: row! })
        continue
      }
      if (row === undefined) patches.push({ op: 'remove', path })
      else {
        const splice = this.#splices?.get(cell)
        if (splice === undefined || !spliceList(path, splice, row as readonly unknown[], patches)) diffValues(path, before, row, patches)
      }
      for (let at = marks.length; at < patches.length; at++) marks.push({ ...patches[at]!, path: [...patches[at]!.path] })
    }
    const after = this.finish()
    const stamps = this.#groups(after)
    remember(patches, { draft: this, after, stamps, marks })
    // Cells of a state that had none are nobody else's.
    if (this.before.cells !== undefined) this.#withdrawn = this.abandon()
    return { patches, stamps }
  }

  /** Puts back what was taken back; false, and nothing done, when something else has come in its place. */
  restore(): boolean {
    // Where no cell has ever gone, all that were made are still there.
    if (!this.#withdrawn && this.cells.tables.every(({ size, slots }) => size === slots)) return true
    const { tables, cells } = this.#withdrawn ?? { tables: [], cells: this.made().cells }
    const fits = tables.every(table => this.cells.canAdopt(table)) && cells.every(cell => cell?.table.canAdopt(cell))
    if (!fits) return false
    for (const table of tables) this.cells.adopt(table)
    for (let i = cells.length - 1; i >= 0; i--) cells[i]!.table.adopt(cells[i]!)
    return true
  }
}
