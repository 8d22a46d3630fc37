import type { CellChange } from '../store/patches.ts'
import { indexText } from '../store/SecondaryIndex.ts'
import type { Table } from '../store/State.ts'

/** Names the rows of a table that have a value in a field, which is followed from now on; undefined for a value that is not indexed. */
export function indexName({ key, indexes }: Table, field: string, value: unknown): string | undefined {
  indexes.set(field, indexes.get(field))
  const text = indexText({ value }, 'value')
  return text === undefined ? undefined : JSON.stringify([key, field, text])
}

/** The names of what a change concerns beside its row: the table, if a row comes or goes, and values that were looked up. */
export function namesOf({ cell: { table }, before, after }: CellChange): string[] {
  const names = before === undefined || after === undefined ? [table.key] : []
  for (const field of table.indexes.keys()) {
    const [from, to] = [indexText(before, field), indexText(after, field)]
    if (from !== to) names.push(...[from, to].flatMap(text => indexName(table, field, text) ?? []))
  }
  return names
}
