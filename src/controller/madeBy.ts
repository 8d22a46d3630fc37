import { forEachRow } from '../store/changes.ts'
import type { State } from '../store/state.ts'
import type { Target } from './readerOf.ts'

/** The row of this pk that was not there before. */
export function madeBy(before: State, after: State, pk: unknown): Target | undefined {
  let made: Target | undefined
  forEachRow(before, after, (cell, old) => {
    if (old === undefined && cell.pk === pk) made = { key: cell.table.key, pk: cell.pk }
  })
  return made
}
