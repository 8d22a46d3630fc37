import { text } from '../base/keys.ts'
import { isPlain } from '../base/plain.ts'
import { rowIn, targetsOfCall } from '../order/targets.ts'
import { isEntityClass } from '../schema/compile.ts'
import type { Fields } from '../schema/interface.ts'
import { planOf } from '../schema/plan.ts'
import { typesOf } from '../schema/Variants.ts'
import { Directory } from '../store/cell.ts'

/** A row that was created again under another pk. */
export interface RowRenaming {
  readonly key: string
  readonly from: string
  readonly to: string
}

/** Arguments of a later step with the new pk: in the one parameter that names the row, and in relation fields. */
export function renameInArgs(schema: unknown, args: readonly unknown[], isTarget: boolean, renaming: RowRenaming): readonly unknown[] {
  return (isTarget ? renameTarget(schema, args, renaming) : args).map(value => renameInValue(schema, value, renaming))
}

/** Only the parameter that names the row: another one may have the same number. */
function renameTarget(schema: unknown, args: readonly unknown[], { key, from, to }: RowRenaming): readonly unknown[] {
  const [params, ...rest] = args
  for (const other of text(params) === from ? [like(params, to)] : variantsOf(params, from, to)) {
    const targets = targetsOfCall({ schema }, [other, ...rest], new Directory())
    const row = rowIn(targets)
    if (row ? row.table.key === key && row.pk === to : targets.size === 0) return [other, ...rest]
  }
  return args
}

/** A record or body with the new pk in relation fields, and in its own pk. */
export function renameInValue(schema: unknown, value: unknown, renaming: RowRenaming, seen: Map<unknown, unknown> = new Map()): unknown {
  const [type] = entityTypes(schema)
  if (type === undefined || seen.has(value)) return seen.get(value) ?? value
  if (Array.isArray(value)) return value.map(each => renameInValue(type, each, renaming, seen))
  const { key, from, to } = renaming
  if (!isPlain(value)) return type.key === key && text(value) === from && (typeof value === 'string' || typeof value === 'number') && schema !== undefined && seen.size > 0 ? like(value, to) : value
  const hasPk = (record: Fields, pk: string): boolean => String(type.pk(record)) === pk
  const own = type.key === key && hasPk(value, from) ? variantsOf(value, from, to).find(record => hasPk(record, to)) : undefined
  const next: { [field: string]: unknown } = { ...(own ?? value) }
  seen.set(value, next)
  for (const [field, inner] of planOf(type).fields) if (Object.hasOwn(next, field)) next[field] = renameInValue(inner, next[field], renaming, seen)
  return next
}

/** The entity classes behind a schema of an endpoint or a field. */
function entityTypes(schema: unknown): import('../schema/interface.ts').EntityClass[] {
  if (isEntityClass(schema)) return [schema]
  if (Array.isArray(schema)) return entityTypes(schema[0])
  const { memberSchema, target, inner } = (schema ?? {}) as { memberSchema?: unknown; target?: { memberSchema?: unknown }; inner?: unknown }
  const found = memberSchema ?? target?.memberSchema ?? inner
  return found === undefined ? typesOf(schema).filter(isEntityClass) : entityTypes(found)
}

/** `params` with `to` in one of the fields that have `from`, for each of them. */
function variantsOf(params: unknown, from: string, to: string): Fields[] {
  if (!isPlain(params)) return []
  return Object.keys(params).flatMap(name => (text(params[name]) === from ? [{ ...params, [name]: like(params[name], to) }] : []))
}

/** A number stays a number, if the new pk is one. */
function like(value: unknown, to: string): unknown {
  return typeof value === 'number' && text(Number(to)) === to ? Number(to) : to
}
