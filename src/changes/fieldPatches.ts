import { equal, hasOwn, isPlain, type Plain } from '../base/plain.ts'
import type { Cell } from '../store/cell.ts'
import { eachChange } from '../store/changes.ts'
import type { Patch } from '../store/immer.ts'
import { pathOf } from '../store/patches.ts'
import type { Row, State } from '../store/State.ts'

/** The name of a whole row among its fields. A field of that name is part of a whole row too. */
export const WHOLE = ''

/**
 * Patches of rows and of their fields. None goes deeper: an index in a list means something else once somebody has
 * inserted a member, and these patches are applied to documents that others have changed. `visit` gets each changed
 * field with its value before.
 */
export function fieldPatches(from: State, to: State, visit: (cell: Cell, field: string, before: unknown) => void = () => {}): Patch[] {
  const added: { readonly rank: number; readonly patch: Patch }[] = []
  const others: Patch[] = []
  eachChange(from, to, (cell, before, after) => {
    const path = pathOf(cell)
    if (before !== undefined && after !== undefined && hasFields(cell, before) && hasFields(cell, after)) {
      for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
        const [old, value] = [before, after].map(row => (hasOwn(row, field) ? row[field] : undefined))
        if (equal(old, value)) continue
        visit(cell, field, old)
        others.push(hasOwn(after, field) ? { op: 'replace', path: [...path, field], value } : { op: 'remove', path: [...path, field] })
      }
    } else if (!equal(before, after)) {
      visit(cell, WHOLE, before)
      if (after === undefined) others.push({ op: 'remove', path })
      else if (before === undefined) added.push({ rank: to.rows(cell.table).rank(cell.slot), patch: { op: 'add', path, value: after } })
      else others.push({ op: 'replace', path, value: after })
    }
  })
  // Rows of a table arrive elsewhere in the same order.
  return [...added.sort((a, b) => a.rank - b.rank).map(({ patch }) => patch), ...others]
}

/** Records have fields. Lists and results are taken as a whole. */
function hasFields(cell: Cell, row: Row): row is Plain {
  return cell.table.ordinal >= 0 && isPlain(row)
}
