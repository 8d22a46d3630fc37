import { text } from '../base/keys.ts'
import { isObject } from '../base/plain.ts'
import { attempt } from '../base/report.ts'
import { ResponseWalk } from '../normalize/ResponseWalk.ts'
import { replaceParts } from '../order/TemporaryPks.ts'
import type { EntityClass } from '../schema/interface.ts'
import { Directory } from '../store/cell.ts'

/** A row that was created again under another pk, or whose temporary pk became real. */
export interface RowRenaming {
  readonly key: string
  readonly from: string
  readonly to: string
  readonly isTemporary?: boolean
}

/**
 * Arguments and records with the new pk: in the parameter that names the row, in its own pk and in relation fields.
 * Another field may have the same number. So each of them gets a pk of its own that no row has: those name the row that
 * a walk then finds.
 */
export function renameRow<T extends readonly unknown[]>(values: T, { key, from, to, isTemporary }: RowRenaming, schemas: readonly unknown[]): T {
  if (isTemporary) return replaceParts(values, part => (part === from ? to : part))
  const pkOf = (part: unknown): string => (isObject(part) ? '' : text(part))
  // A number stays a number, if the new pk is one.
  const like = (part: unknown, pk: string): unknown => (typeof part === 'number' && text(Number(pk)) === pk ? Number(pk) : pk)
  const marks = new Set<string>()
  const marked = replaceParts(values, part => {
    if (pkOf(part) !== from) return part
    const mark = `${Number.MAX_SAFE_INTEGER - marks.size}`
    marks.add(mark)
    return like(part, mark)
  })
  const found = pksIn(marked, key, schemas)
  return replaceParts(marked, part => (marks.has(pkOf(part)) ? like(part, found.has(pkOf(part)) ? to : from) : part))
}

/** The pks of one type that a walk finds in arguments and records. */
export function pksIn(values: readonly unknown[], key: string, schemas: readonly unknown[]): Set<unknown> {
  const found = new Set<unknown>()
  const walk = new (class extends ResponseWalk {
    override entity(entity: EntityClass, input: unknown, parent: unknown, field: string): unknown {
      const pk = super.entity(entity, input, parent, field)
      if (entity.key === key) found.add(pk)
      return pk
    }

    override remove(entity: EntityClass, pk: string): void {
      if (entity.key === key) found.add(pk)
    }
  })(new Directory(), values, { copies: true, temporaryPk: () => ' ' })
  // A body names the row only beside the URL parameters. What does not look like an answer names no row by that.
  const visit = (value: unknown): void => schemas.forEach(schema => attempt(() => walk.visit(schema, value, value, ''), () => {}))
  values.forEach(visit)
  attempt(() => visit(Object.assign({}, ...values)), () => {})
  return found
}
