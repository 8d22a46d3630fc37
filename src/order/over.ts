import type { Stamp } from '../base/stamp.ts'
import { fold } from '../normalize/fold.ts'
import type { Cell, CellTable } from '../store/cell.ts'
import type { Draft, Writing } from '../store/draft.ts'
import type { Row } from '../store/rows.ts'
import type { Prepared } from './prepare.ts'
import { putVersion, versionOf } from './step.ts'

/** What is only expected counts as newer than everything that was ever said. */
const ENDLESS: Stamp = /* @__PURE__ */ Object.freeze({ fetchedAt: Infinity, date: 0, expiresAt: 0 })
const UNSTAMPED: Stamp = /* @__PURE__ */ Object.freeze({ fetchedAt: 0, date: 0, expiresAt: 0 })

/** Does to a draft what is not in the base: it shows, and gains no freshness. */
export function foldOver(draft: Draft, { operations, edits }: Prepared): void {
  fold(new Over(draft), operations, ENDLESS)
  for (const edit of edits) {
    const before = versionOf(draft, edit.cell)
    putVersion(draft, edit.cell, { value: edit.change(before, draft, ENDLESS).value, stamp: before.stamp })
  }
}

/** A draft whose stamps stay what they are beneath; only the mark "deleted" follows the row. */
class Over implements Writing {
  readonly before: Writing['before']
  readonly cells: Writing['cells']
  readonly #draft: Draft

  constructor(draft: Draft) {
    this.before = draft.before
    this.cells = draft.cells
    this.#draft = draft
  }

  intern(table: CellTable, pk: string): Cell {
    return this.#draft.intern(table, pk)
  }

  row(cell: Cell): Row | undefined {
    return this.#draft.row(cell)
  }

  write(cell: Cell, record: Row | undefined): void {
    this.#draft.write(cell, record)
  }

  stamp(cell: Cell): Stamp | undefined {
    return this.#draft.stamp(cell)
  }

  mark(cell: Cell, stamp: Stamp | undefined): void {
    const beneath = this.#draft.stamp(cell)
    if (beneath?.deleted === stamp?.deleted) return
    const { deleted: _, ...times } = beneath ?? UNSTAMPED
    if (stamp?.deleted) this.#draft.mark(cell, Object.freeze({ ...times, deleted: true }))
    // A row that had no stamp before a layer deleted it has none now.
    else this.#draft.mark(cell, times.fetchedAt === 0 ? undefined : Object.freeze(times))
  }

  filled(table: CellTable): Cell[] {
    return this.#draft.filled(table)
  }
}
