import { parseObject } from '../base/keys.ts'
import type { MembersOperation, Operation, RemoveOperation } from '../normalize/fold.ts'
import { pagingIn, type CollectionKey } from '../schema/filter.ts'
import type { Cell, State, Table } from '../store/State.ts'

type AnyOperation = Pick<Operation, 'type'> & Partial<Omit<MembersOperation, 'type'> & Omit<RemoveOperation, 'type'>>

/**
 * The stored lists that may have other members at the server, or the same in another order. Such a list may contain a
 * new row that the store did not add, or is sorted by what has changed. After a deletion or a move, that is every list of
 * the type with paging arguments: the rows of later pages move forward by one.
 */
export function uncertainLists(operations: readonly Operation[], after: State, before: State = after): Cell[] {
  const seen = new Set<Table>()
  return (operations as readonly AnyOperation[]).flatMap(({ type, unsure, readsRecords, table, cell: row }) => {
    // All deletions of one type give the same lists. Restored tables know no schema, but the key of a list names the types of its members.
    const isFirst = type === 'remove' && seen.size < seen.add(row!.table).size
    const tables = isFirst ? after.directory!.tables.filter(({ key }) => key.slice(1, -1).split(';').includes(row!.table.key)) : type === 'members' ? [table!] : []
    return tables.flatMap(({ bySlot }) => bySlot.filter(cell => {
      const list = after.read(cell)
      const key = list && (parseObject(cell.pk) as CollectionKey | undefined)
      // A list that is only sorted has all of its rows. Other lists are shorter after a move, and after a removal from lists.
      return key && (((readsRecords || !unsure || before.read(cell) !== list) && Object.keys(key).some(name => pagingIn(name)?.[1])) || unsure?.(key, list, (entity, pk) => after.row(entity, pk)))
    }))
  })
}
