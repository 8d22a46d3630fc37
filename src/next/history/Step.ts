import type { Controller } from '../controller/Controller.ts'
import type { RowName } from '../controller/Requests.ts'
import type { Kept } from './inverse.ts'
import type { RowRenaming } from './renameRow.ts'

/** What steps need of their history. */
export interface StepHost {
  readonly controller: Controller
  /** Removes a step that came to nothing, unless it is being undone or redone. */
  remove(step: Step): void
  /** A row was created again under another pk: all steps use that from now on. */
  renameRow(renaming: RowRenaming): void
}

/** One action of the user. */
export interface Step {
  readonly isDone: boolean
  /** The rows that it is about. */
  rows(): readonly RowName[]
  /** Afterwards it is still done if it cannot be undone. */
  undo(): Promise<readonly Kept[]>
  redo(): Promise<readonly Kept[]>
  /** The user changed direction while it is being undone or redone. */
  steer(isUndone: boolean): void
  /** Temporary pks became real. */
  renameTemporary(names: ReadonlyMap<string, string>): void
  renameRow(renaming: RowRenaming): void
}
