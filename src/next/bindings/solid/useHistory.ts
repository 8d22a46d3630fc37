import type { Accessor } from 'solid-js'
import { historyOf, type History } from '../../history/index.ts'
import { useBinding } from './context.ts'
import { fromSignal } from './reactive.ts'

/**
 * The history of a controller; what changes in it is given by accessors.
 *
 * @example
 * const history: HistoryAccessors = useHistory()
 * return <Show when={history.error()}>That could not be undone.</Show>
 */
export interface HistoryAccessors extends Pick<History, 'undo' | 'redo' | 'group' | 'clear'> {
  readonly canUndo: Accessor<boolean>
  readonly canRedo: Accessor<boolean>
  /** What the last undo or redo failed with. */
  readonly error: Accessor<unknown>
}

/**
 * What the user has done, to be undone and done again.
 *
 * @example
 * const { undo, canUndo } = useHistory()
 * return <button disabled={!canUndo()} onClick={undo}>Undo</button>
 */
export function useHistory(): HistoryAccessors {
  const { undo, redo, group, clear, canUndo, canRedo, error } = historyOf(useBinding().controller)
  return { undo, redo, group, clear, canUndo: fromSignal(canUndo), canRedo: fromSignal(canRedo), error: fromSignal(error) }
}
