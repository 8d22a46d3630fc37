import { own, share } from '../base/plain.ts'
import type { Stamp } from '../base/stamp.ts'
import type { MembershipHost } from '../schema/interface.ts'
import { foldMembers, foldRow } from '../normalize/fold.ts'
import { Members, type Operation } from '../normalize/operation.ts'
import type { Cell } from '../store/cell.ts'
import type { Draft, RowWriting } from '../store/draft.ts'
import type { Row } from '../store/rows.ts'

/** What a cell holds at one place: a record or a result, and the stamp of a record. */
export interface Version {
  readonly value: unknown
  readonly stamp: Stamp | undefined
}

/** One thing to be done to one cell, or, for members, to all collections of a table. It can be done to any version. */
export type Step = Operation | Edit

/** A change that is no operation of a response: an updater, a result, something from outside. */
export class Edit {
  declare readonly cell: Cell
  declare readonly change: (before: Version, draft: Draft, at: Stamp) => Version

  constructor(cell: Cell, change: (before: Version, draft: Draft, at: Stamp) => Version) {
    this.cell = cell
    this.change = change
  }
}

/** The result of an endpoint, as answered. */
export function resultEdit(cell: Cell, stored: unknown): Edit {
  return new Edit(cell, () => ({ value: stored, stamp: undefined }))
}

/** The result of another endpoint, changed by what was answered here; nothing where there is none. */
export function updateEdit(cell: Cell, change: (previous: never) => unknown): Edit {
  return new Edit(cell, before => (before.value === undefined ? before : { value: own(change(before.value as never)), stamp: undefined }))
}

/** Results stand beside the tables. */
export function isResult(cell: Cell): boolean {
  return cell.table.ordinal < 0
}

export function versionOf(draft: Draft, cell: Cell): Version {
  return { value: draft.row(cell), stamp: isResult(cell) ? undefined : draft.stamp(cell) }
}

/** Writes what differs; what is equal keeps its reference. */
export function putVersion(draft: Draft, cell: Cell, { value, stamp }: Version): void {
  const row = draft.row(cell)
  const next = share(row, value) as Row | undefined
  // A result has no stamp by which the collection of garbage would see that it was said again.
  if (next !== row || isResult(cell)) draft.write(cell, next)
  if (!isResult(cell) && draft.stamp(cell) !== stamp) draft.mark(cell, stamp)
}

/** Does one step to its cell of a draft. */
export function runStep(draft: Draft, step: Exclude<Step, Members>, at: Stamp): void {
  if (step instanceof Edit) putVersion(draft, step.cell, step.change(versionOf(draft, step.cell), draft, at))
  else foldRow(draft, step, at)
}

/** What a step makes of a version of a cell. `host` answers a change of members for the other rows at that place. */
export function stepFrom(draft: Draft, step: Step, at: Stamp, cell: Cell, before: Version, host: MembershipHost): Version {
  if (step instanceof Edit) {
    try {
      return step.change(before, draft, at)
    } catch {
      // It worked when it was first done; over another version it may not, and then it does nothing.
      return before
    }
  }
  let { value, stamp } = before
  // A step asks for its own cell only: `host` answers for the others.
  const there: RowWriting = {
    before: draft.before,
    row: () => value as Row | undefined,
    write: (_, record) => (value = record),
    stamp: () => stamp,
    mark: (_, next) => void (stamp = next),
  }
  if (step instanceof Members) foldMembers(there, step, [cell], host)
  else foldRow(there, step, at)
  return value === before.value && stamp === before.stamp ? before : { value, stamp }
}
