import type { Stamp } from '../base/stamp.ts'
import type { StampGroup } from './apply.ts'
import type { Cell } from './cell.ts'
import { diffValues, spliceList } from './diff.ts'
import { Draft } from './draft.ts'
import { Grouping } from './grouping.ts'
import type { Patch } from './immer.ts'
import { remember } from './origin.ts'
import type { Row } from './rows.ts'
import type { Splice } from './splices.ts'
import { rowOf } from './state.ts'

/** Not a push: V8 takes a list that began empty for one of numbers, and then calls instead of writing. */
function append<T>(list: T[], value: T): void {
  list[list.length] = value
}

/**
 * A draft that says by which patches it differs, and is applied when they are. Until then it leaves no trace in the
 * cells, which all versions of the state share.
 */
export class Proposal extends Draft {
  /** In the order of their first write. */
  readonly #written: Cell[] = []
  /** The patches of the first of them, for as long as only new rows are written. */
  readonly #added: Patch[] = []
  readonly #stamps = new Grouping()
  /** For lists that were written once: the one change that made them, where the writer said so. */
  #splices: Map<Cell, Splice> | undefined
  /** Something was changed again, and may stand in a list twice because of that. */
  #back = false

  override insert(cell: Cell, record: Row, stamp: Stamp): void {
    super.insert(cell, record, stamp)
    if (this.#added.length === this.#written.length) append(this.#added, { op: 'add', path: pathOf(cell), value: record })
    append(this.#written, cell)
    this.#stamps.add(cell, stamp)
  }

  override write(cell: Cell, record: Row | undefined, splice?: Splice): boolean {
    const first = super.write(cell, record)
    if (first) append(this.#written, cell)
    else this.#back = true
    if (first && splice !== undefined) (this.#splices ??= new Map()).set(cell, splice)
    else this.#splices?.delete(cell)
    return first
  }

  override mark(cell: Cell, stamp: Stamp | undefined, known: Stamp | undefined = this.stamp(cell)): void {
    if (stamp === known) return
    // One that is marked again was written again, too: then each is counted once.
    this.#stamps.add(cell, stamp ?? null)
    super.mark(cell, stamp)
  }

  /** What leads from the state to what was written, and the stamps that go with it. Ends the draft. */
  patches(): { readonly patches: readonly Patch[]; readonly stamps: readonly StampGroup[] } {
    const written = this.#back ? [...new Set(this.#written)] : this.#written
    const patches = this.#back ? [] : this.#added
    // Of rows that were only added, the cells are those that were written.
    const marks: (Cell | Patch)[] = patches.length === written.length ? written : written.slice(0, patches.length)
    for (let i = patches.length; i < written.length; i++) {
      const cell = written[i]!
      const row = this.row(cell)
      const before = rowOf(this.before, cell)
      if (before === row) continue
      const path = pathOf(cell)
      if (before === undefined) {
        append(patches, { op: 'add', path, value: row })
        append(marks, cell)
        continue
      }
      if (row === undefined) patches.push({ op: 'remove', path })
      else {
        const splice = this.#splices?.get(cell)
        if (splice === undefined || !spliceList(path, splice, row as readonly unknown[], patches)) diffValues(path, before, row, patches)
      }
      for (let at = marks.length; at < patches.length; at++) marks.push({ ...patches[at]!, path: [...patches[at]!.path] })
    }
    const stamps = (this.#back ? this.#regrouped() : this.#stamps).finish()
    remember(patches, { draft: this, after: this.finish(), stamps, marks })
    // Cells of a state that had none are nobody else's.
    if (this.before.cells !== undefined) this.abandon()
    return { patches, stamps }
  }

  /** Each row once, with the stamp that it ends with. */
  #regrouped(): Grouping {
    const grouping = new Grouping()
    const cells = new Set(this.#stamps.finish().flatMap(({ key, pks }) => pks.map(pk => this.cells.table(key).find(pk)!)))
    for (const cell of cells) grouping.add(cell, this.stamp(cell) ?? null)
    return grouping
  }
}

function pathOf({ pk, table }: Cell): string[] {
  return ['entities', table.key, pk]
}
