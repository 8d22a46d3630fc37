import type { Controller } from '../controller/Controller.ts'
import type { Kept } from './inverse.ts'
import type { RowRenaming } from './renameRow.ts'

/** The part of a history that its steps use. */
export interface StepHost {
  readonly controller: Controller
  /** Removes a step that came to nothing, unless it is being undone or redone. */
  remove(step: Step): void
  /** Renames a row in all steps. */
  rename(renaming: RowRenaming): void
}

/** One action of the user. */
export interface Step {
  isDone: boolean
  /** The rows that it is about, as `key pk`. */
  rows(): readonly string[]
  /** The rows that it names, where these are more than those that it is about. */
  names?(): readonly string[]
  /** Afterwards it is still done if it cannot be undone. */
  undo(): Promise<readonly Kept[]>
  redo(): Promise<unknown>
  /** Does at once what can be done at once to a call in flight, when the user changes direction. */
  steer?(isUndone: boolean): void
  rename(renaming: RowRenaming): void
}
