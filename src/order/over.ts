import type { Stamp } from '../base/stamp.ts'
import { fold, UNSTAMPED } from '../normalize/fold.ts'
import type { Cell } from '../store/cell.ts'
import { Draft } from '../store/draft.ts'
import type { Prepared } from './prepare.ts'
import { putVersion, versionOf } from './step.ts'

/** What is only expected counts as newer than everything that was ever said. */
const ENDLESS: Stamp = /* @__PURE__ */ Object.freeze({ fetchedAt: Infinity, date: 0, expiresAt: 0 })

/**
 * A draft of what lies over the base: it shows, and gains no freshness. Stamps stay what they are beneath; only the mark
 * "deleted" follows the row.
 */
export class Over extends Draft {
  add({ operations, edits }: Prepared): void {
    fold(this, operations, ENDLESS)
    for (const { cell, change } of edits) {
      const before = versionOf(this, cell)
      putVersion(this, cell, { value: change(before, this, ENDLESS).value, stamp: before.stamp })
    }
  }

  override mark(cell: Cell, stamp: Stamp | undefined): void {
    const beneath = this.stamp(cell)
    if (beneath?.deleted === stamp?.deleted) return
    const { deleted: _, ...times } = beneath ?? UNSTAMPED
    if (stamp?.deleted) super.mark(cell, Object.freeze({ ...times, deleted: true }))
    // A row that had no stamp before a layer deleted it has none now.
    else super.mark(cell, times.fetchedAt === 0 ? undefined : Object.freeze(times))
  }
}
