import { parseObject } from '../base/keys.ts'
import type { Operation } from '../normalize/operations.ts'
import { pagingIn, type CollectionKey } from '../schema/filter.ts'
import type { CollectionSource } from '../schema/interface.ts'
import type { Cell, Table } from '../store/cell.ts'
import type { State } from '../store/State.ts'

/**
 * The stored lists that may have other members at the server, or the same in another order: they may contain a new row
 * that the store did not add, are sorted by what has changed, or are a page from which a row was deleted or moved.
 */
export function uncertainLists(operations: readonly Operation[], after: State, before: State = after): Cell[] {
  const uncertain: Cell[] = []
  for (const operation of operations) {
    if (operation.type === 'members') {
      for (const { cell, key, isPaged } of listsOf(operation.table, after)) {
        const list = after.read(cell)!
        if ((isPaged && before.read(cell) !== list) || operation.unsure?.(key, list, (type, pk) => after.row(type, pk))) uncertain.push(cell)
      }
    } else if (operation.type === 'remove') {
      const { table, pk } = operation.cell
      for (const each of before.directory!.tables) {
        const owner = each.owner as Partial<CollectionSource> | undefined
        if (!owner?.contains) continue
        for (const { cell, isPaged } of listsOf(each, before)) if (isPaged && owner.contains(before.read(cell)!, table.key, pk)) uncertain.push(cell)
      }
    }
  }
  return uncertain
}

function listsOf(table: Table, state: State): { readonly cell: Cell; readonly key: CollectionKey; readonly isPaged: boolean }[] {
  return table.bySlot.flatMap(cell => {
    const key = state.read(cell) && (parseObject(cell.pk) as CollectionKey | undefined)
    // A list that is only sorted has all of its rows.
    return key ? [{ cell, key, isPaged: Object.keys(key).some(name => pagingIn(name)?.[1]) }] : []
  })
}
