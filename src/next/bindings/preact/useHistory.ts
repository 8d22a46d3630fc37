import { historyOf, type History } from '../../history/index.ts'
import { useController } from './useController.ts'

/**
 * What the user has done, to be undone and done again.
 *
 * @example
 * const { undo, canUndo } = useHistory()
 * return <button disabled={!canUndo.value} onClick={undo}>Undo</button>
 */
export function useHistory(): History {
  return historyOf(useController())
}
