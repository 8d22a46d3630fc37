import { replaceParts } from '../base/parts.ts'
import { isObject } from '../base/plain.ts'
import { attempt } from '../base/report.ts'
import { ResponseWalk } from '../normalize/ResponseWalk.ts'
import type { EntityClass } from '../schema/interface.ts'
import { Directory } from '../store/State.ts'

/** A row that was created again under another pk, or whose temporary pk became real. */
export interface RowRenaming {
  readonly key: string
  readonly from: string
  readonly to: string
}

/**
 * Arguments and records with the new pk: in the parameter that names the row, in its own pk and in relation fields.
 * Another field may have the same number. So each candidate is replaced by a number that is no pk: where a walk takes
 * that for the pk of a row, the field names the row.
 */
export function renameRow<T extends readonly unknown[]>(values: T, { key, from, to }: RowRenaming, schemas: readonly unknown[]): T {
  // A number stays a number, if the new pk is one.
  const like = (part: unknown, pk: string): unknown => (typeof part === 'number' && `${+pk}` === pk ? +pk : pk)
  const marks = new Set<unknown>()
  const marked = replaceParts(values, part => {
    if (isObject(part) || String(part) !== from) return part
    const mark = like(part, `${9e15 + marks.size}`)
    marks.add(mark)
    return mark
  })
  if (!marks.size) return values
  const found = rowsIn(marked, schemas)
  return replaceParts(marked, part => (marks.has(part) ? like(part, found.includes(`${key} ${part as string}`) ? to : from) : part))
}

/** The rows that a walk finds in arguments and records, as `key pk`. */
export function rowsIn(values: readonly unknown[], schemas: readonly unknown[]): string[] {
  const found: string[] = []
  const walk = new (class extends ResponseWalk {
    override entity(entity: EntityClass, ...rest: [input: unknown, parent: unknown, field: string]): unknown {
      const pk = super.entity(entity, ...rest)
      found.push(`${entity.key} ${pk as string}`)
      return pk
    }

    override remove(entity: EntityClass, pk: string): void {
      found.push(`${entity.key} ${pk}`)
    }
  })(new Directory(), values, { copies: true, temporaryPk: () => ' ' })
  // A body names the row only beside the URL parameters. The arguments of a list name rows as its members do.
  const merged: unknown = Object.assign({ id: 0 }, ...values)
  // What does not look like an answer names no row.
  for (const value of [...values, merged, [merged]]) for (const schema of schemas) attempt(() => walk.visit(schema, value, value, ''))
  return found
}
