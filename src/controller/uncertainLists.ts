import { parseObject } from '../base/keys.ts'
import type { Operation } from '../normalize/fold.ts'
import { pagingIn, type CollectionKey } from '../schema/filter.ts'
import type { Cell, State } from '../store/State.ts'

/**
 * The stored lists that may have other members at the server, or the same in another order. Such a list may contain a
 * new row that the store did not add, is sorted by what has changed, or is a page from which a row was moved. After a
 * deletion, that is every list of the type with paging arguments: the rows of later pages move forward by one.
 */
export function uncertainLists(operations: readonly Operation[], after: State, before: State = after): Cell[] {
  return operations.flatMap(operation => {
    const { type } = operation
    // Restored tables know no schema, but the key of a list names the types of its members.
    const tables = type === 'members' ? [operation.table] : type === 'remove' ? after.directory!.tables.filter(({ key }) => key.slice(1, -1).split(';').includes(operation.cell.table.key)) : []
    return tables.flatMap(({ bySlot }) => bySlot.filter(cell => {
      const list = after.read(cell)
      const key = list && (parseObject(cell.pk) as CollectionKey | undefined)
      if (!key) return false
      // A list that is only sorted has all of its rows.
      const isPaged = Object.keys(key).some(name => pagingIn(name)?.[1])
      return (isPaged && (type === 'remove' || before.read(cell) !== list)) || (type === 'members' && operation.unsure?.(key, list, (entity, pk) => after.row(entity, pk)))
    }))
  })
}
