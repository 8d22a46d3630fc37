import { text } from '../base/keys.ts'
import { isObject, type Plain } from '../base/plain.ts'
import { ResponseWalk } from '../normalize/ResponseWalk.ts'
import { partsOf } from '../order/TemporaryPks.ts'
import type { EntityClass } from '../schema/interface.ts'
import { Directory } from '../store/cell.ts'

/** A row that was created again under another pk. */
export interface RowRenaming {
  readonly key: string
  readonly from: string
  readonly to: string
}

/** Whether `pk` occurs anywhere in `value`. */
export function mentions(value: unknown, pk: string): boolean {
  return [...partsOf(value).keys()].some(part => !isObject(part) && text(part) === pk)
}

/**
 * Arguments of a call, or a record, with the new pk: in the parameter that names the row, in its own pk and in relation
 * fields. Another field may have the same number, so each one is tried: it names the row if a walk with one of the
 * schemas then finds the new pk.
 */
export function renameRow<T>(value: T, { key, from, to }: RowRenaming, ...schemas: readonly unknown[]): T {
  const parts = partsOf(value)
  const copies = [...parts.values()].filter(isObject) as Plain[]
  for (const copy of copies) for (const name of Object.keys(copy)) copy[name] = parts.get(copy[name]) ?? copy[name]
  const next = parts.get(value)
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
  return renamed.length > 0 ? (next as T) : value
}

function namesRow(schema: unknown, value: unknown, key: string, pk: string): boolean {
  const directory = new Directory()
  const args = Array.isArray(value) ? (value as unknown[]) : []
  // A body is walked with and without the parameters: it may name the row too.
  for (const input of Array.isArray(value) ? [{ ...(args[1] as object), ...(args[0] as object) }, ...args] : [value]) {
    try {
      new ReferenceWalk(directory, args).visit(schema, input, input, '')
    } catch {
      // It does not look like an answer, so it does not name a row by that.
    }
  }
  return directory.find(key)?.find(pk) !== undefined
}

/** A walk that also notes rows of which only the pk is given. */
class ReferenceWalk extends ResponseWalk {
  readonly #directory: Directory

  constructor(directory: Directory, args: readonly unknown[]) {
    super(directory, args, { copies: true, temporaryPk: () => '' })
    this.#directory = directory
  }

  override entity(entity: EntityClass, input: unknown, parent: unknown, key: string): unknown {
    const pk = super.entity(entity, input, parent, key)
    if (typeof pk === 'string') this.#directory.table(entity.key).cell(pk)
    return pk
  }
}
