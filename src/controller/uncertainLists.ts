import { parseObject } from '../base/keys.ts'
import type { Operation } from '../normalize/operations.ts'
import { pagingIn, type CollectionKey } from '../schema/filter.ts'
import type { CollectionSource } from '../schema/interface.ts'
import type { Cell } from '../store/cell.ts'
import type { State } from '../store/State.ts'

/**
 * The stored lists that may have other members at the server, or the same in another order: they may contain a new row
 * that the store did not add, are sorted by what has changed, or are a page from which a row was deleted or moved.
 */
export function uncertainLists(operations: readonly Operation[], after: State, before: State = after): Cell[] {
  return operations.flatMap(operation => {
    const tables = operation.type === 'members' ? [operation.table] : operation.type === 'remove' ? after.directory!.tables.filter(({ owner }) => (owner as Partial<CollectionSource> | undefined)?.contains) : []
    return tables.flatMap(({ owner, bySlot }) => bySlot.filter(cell => {
      const list = after.read(cell)
      const key = list && (parseObject(cell.pk) as CollectionKey | undefined)
      if (!key) return false
      // A list that is only sorted has all of its rows.
      const isPaged = Object.keys(key).some(name => pagingIn(name)?.[1])
      if (operation.type === 'members') return (isPaged && before.read(cell) !== list) || operation.unsure?.(key, list, (type, pk) => after.row(type, pk))
      return isPaged && (owner as CollectionSource).contains(list, operation.cell.table.key, operation.cell.pk)
    }))
  })
}
