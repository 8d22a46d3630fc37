import { parseObject } from '../base/keys.ts'
import type { Operation } from '../normalize/operations.ts'
import { isPaging, type CollectionKey } from '../schema/filter.ts'
import type { CollectionSource } from '../schema/interface.ts'
import type { Cell, Table } from '../store/cell.ts'
import type { State } from '../store/State.ts'

/**
 * The stored lists that the server may have changed in another way than the store did: they did not take a new row that
 * they may contain, or they show a part of a list from which a row was deleted. `hinted` has the tables that a
 * warning has named already.
 */
export function uncertainLists(operations: readonly Operation[], before: State, after: State, hinted: Set<string>): Cell[] {
  const uncertain: Cell[] = []
  for (const operation of operations) {
    if (operation.type === 'members' && operation.takes) {
      const lists = listsOf(operation.table, after).map(({ cell, key }) => ({ cell, takes: operation.takes!(key, after.read(cell)!, (type, pk) => after.row(type, pk)) }))
      for (const { cell, takes } of lists) if (takes === 'maybe') uncertain.push(cell)
      if (lists.length > 0 && lists.every(({ takes }) => takes !== true) && !operation.readsRecords && !hinted.has(operation.table.key)) hint(operation.table, lists.map(({ cell }) => cell.pk), hinted)
    } else if (operation.type === 'remove') {
      const { table, pk } = operation.cell
      for (const each of before.directory!.tables) {
        const owner = each.owner as Partial<CollectionSource> | undefined
        if (!owner?.contains) continue
        for (const { cell, key } of listsOf(each, before)) if (Object.keys(key).some(isPaging) && owner.contains(before.read(cell)!, table.key, pk)) uncertain.push(cell)
      }
    }
  }
  return uncertain
}

function listsOf(table: Table, state: State): { readonly cell: Cell; readonly key: CollectionKey }[] {
  return table.bySlot.flatMap(cell => {
    const key = state.read(cell) && (parseObject(cell.pk) as CollectionKey | undefined)
    return key ? [{ cell, key }] : []
  })
}

function hint({ key }: Table, lists: readonly string[], hinted: Set<string>): void {
  hinted.add(key)
  console.warn(
    `patchcord: none of the stored lists ${key}: ${lists.slice(0, 5).join(', ')} took a new row: each has an argument that the row lacks. Name those that do not filter in nonFilterArgumentKeys.`,
  )
}
