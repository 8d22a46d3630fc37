import { text } from '../base/keys.ts'
import { isObject, type Plain } from '../base/plain.ts'
import { ResponseWalk } from '../normalize/ResponseWalk.ts'
import { partsOf, rename } from '../order/TemporaryPks.ts'
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
 * Another field may have the same number, so each one is tried: it names the row if a walk then finds the new pk.
 */
export function renameRow<T extends readonly unknown[]>(values: T, { key, from, to, isTemporary }: RowRenaming, schemas: readonly unknown[]): T {
  if (isTemporary) return rename(values, new Map([[from, to]]))
  const parts = partsOf(values)
  const copies = [...parts.values()].filter(isObject) as Plain[]
  for (const copy of copies) for (const name of Object.keys(copy)) copy[name] = parts.get(copy[name]) ?? copy[name]
  const next = parts.get(values) as unknown as T
  const renamed: (() => void)[] = []
  for (const copy of copies) {
    for (const name of Object.keys(copy)) {
      const old = copy[name]
      if (isObject(old) || text(old) !== from) continue
      // A number stays a number, if the new pk is one.
      const put = (): void => void (copy[name] = typeof old === 'number' && text(Number(to)) === to ? Number(to) : to)
      put()
      if (schemas.some(schema => schema && namesRow(schema, next, key, to))) renamed.push(put)
      copy[name] = old
    }
  }
  for (const put of renamed) put()
  return next
}

function namesRow(schema: unknown, values: readonly unknown[], key: string, pk: string): boolean {
  let isFound = false
  const walk = new (class extends ResponseWalk {
    override entity(entity: EntityClass, input: unknown, parent: unknown, field: string): unknown {
      const found = super.entity(entity, input, parent, field)
      isFound ||= entity.key === key && found === pk
      return found
    }

    override remove(entity: EntityClass, found: string): void {
      isFound ||= entity.key === key && found === pk
    }
  })(new Directory(), values, { copies: true, temporaryPk: () => ' ' })
  for (const each of [...values, null]) {
    try {
      // A body names the row only beside the URL parameters.
      const value: unknown = each ?? Object.assign({}, ...values)
      walk.visit(schema, value, value, '')
    } catch {
      // It does not look like an answer, so it does not name a row by that.
    }
  }
  return isFound
}
