import { text } from '../base/keys.ts'
import { isPlain } from '../base/plain.ts'
import { classesIn, footprintOfCall } from '../order/footprint.ts'
import { isEntityClass } from '../schema/dispatch.ts'
import type { Fields } from '../schema/interface.ts'
import { planOf } from '../schema/plan.ts'

/** (key, from) is called (key, to). */
export interface Renaming {
  readonly key: string
  readonly from: string
  readonly to: string
}

/** `args` that say so: `about` it in the one parameter that names it, as others may have the same number; and wherever a class says that it is spoken of. */
export function addressed(schema: unknown, args: readonly unknown[], about: boolean, renaming: Renaming): readonly unknown[] {
  return spoken(schema, about ? named(schema, args, renaming) : args, renaming)
}

function named(schema: unknown, args: readonly unknown[], { key, from, to }: Renaming): readonly unknown[] {
  const [params, ...rest] = args
  for (const other of text(params) === from ? [like(params, to)] : withOne(params, from, to)) {
    const { target, tables } = footprintOfCall({ schema }, [other, ...rest])
    // Where arguments do not say a type, the answer has said what they are about; a creation's are about nothing that has a pk.
    if (target ? target.key === key && target.pk === to : tables.size === 0) return [other, ...rest]
  }
  return args
}

/** `values`, arguments or records, with other names in the fields of relations, and for those that name themselves. */
export function spoken<T>(schema: unknown, values: readonly T[], renaming: Renaming): readonly T[] {
  const classes = classesIn(schema, values)
  return values.map(value => classes.reduce<unknown>((said, each) => renamedIn(each, said, renaming), value) as T)
}

/** `done`: what it has met, because a value may lead back to itself. */
function renamedIn(schema: unknown, said: unknown, renaming: Renaming, done: Map<unknown, object> = new Map()): unknown {
  if (Array.isArray(said)) return said.map(each => renamedIn(Array.isArray(schema) ? schema[0] : schema, each, renaming, done))
  if (!isEntityClass(schema)) return said
  const { key, from, to } = renaming
  const itself = schema.key === key
  if (!isPlain(said)) return itself && text(said) === from ? like(said, to) : said
  const known = done.get(said)
  if (known !== undefined) return known
  const isCalled = (value: Fields, pk: string): boolean => footprintOfCall({ schema }, [value]).target?.pk === pk
  const own = itself && isCalled(said, from) && withOne(said, from, to).find(each => isCalled(each, to))
  const next: { [field: string]: unknown } = { ...(own || said) }
  done.set(said, next)
  for (const [field, inner] of planOf(schema).fields) if (Object.hasOwn(next, field)) next[field] = renamedIn(inner, next[field], renaming, done)
  return next
}

/** `params` with `to` in one of the fields that have `from`, for each of them. */
function withOne(params: unknown, from: string, to: string): Fields[] {
  if (!isPlain(params)) return []
  return Object.keys(params).flatMap(name => (text(params[name]) === from ? [{ ...params, [name]: like(params[name], to) }] : []))
}

/** A number stays one, unless what was made again is called by something else. */
function like(said: unknown, to: string): unknown {
  return typeof said === 'number' && text(Number(to)) === to ? Number(to) : to
}
