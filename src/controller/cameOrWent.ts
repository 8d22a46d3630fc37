import { forEachRow } from '../store/changes.ts'
import type { State } from '../store/state.ts'
import type { Target } from './readerOf.ts'

/** The row of this pk that came or went. */
export function cameOrWent(before: State, after: State, pk: unknown): Target | undefined {
  let found: Target | undefined
  forEachRow(before, after, (cell, old, now) => {
    if ((old === undefined || now === undefined) && cell.pk === pk) found = { key: cell.table.key, pk: cell.pk }
  })
  return found
}
