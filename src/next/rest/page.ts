import { SchemaError } from '../base/errors.ts'
import { recordKey } from '../base/keys.ts'
import { isObject, isPlain } from '../base/plain.ts'
import { Collection } from '../schema/Collection.ts'
import { append } from '../schema/Creation.ts'
import { compile } from '../schema/compile.ts'
import type { Fields } from '../schema/interface.ts'
import type { UrlParams } from './fill.ts'

/** From the arguments of a page to those of the list that it belongs to. */
export type ListArgs = (...args: never) => object

/** What a page needs of its list. */
interface List {
  readonly name: string
  readonly schema: unknown
  key(...args: never[]): string
}

/** The first collection in a schema. */
export function collectionIn(schema: unknown, wanted: string): Collection {
  const found = find(schema)
  if (found === undefined) throw new SchemaError(`${wanted} needs a schema with a collection: new schema.Collection([Entity]).`)
  return found
}

/** The fields of an object schema. */
function shapeOf(schema: unknown): Fields | undefined {
  return (compile(schema) as { readonly shape?: Fields } | undefined)?.shape
}

function find(schema: unknown): Collection | undefined {
  if (schema instanceof Collection) return schema
  // `push` of a query over a collection acts on that collection.
  if (isObject(schema) && 'inner' in schema) return find(schema.inner)
  for (const member of Object.values(shapeOf(schema) ?? {})) {
    const found = find(member)
    if (found !== undefined) return found
  }
  return undefined
}

/** The options that make a list a page of it: what comes is appended to the list that the other arguments name. */
export function pageOptions(list: List, cursor: string | ListArgs): object {
  const collection = collectionIn(list.schema, 'paginated')
  const listArgs = (args: readonly unknown[]): readonly unknown[] => {
    if (typeof cursor === 'string') return [without(args[0] as UrlParams | undefined, cursor), ...args.slice(1)]
    const rest = cursor(...(args as never))
    return Array.isArray(rest) ? (rest as unknown[]) : [rest]
  }
  const { argsKey, nestKey } = collection.options
  const page =
    nestKey && !argsKey
      ? collection.paginate
      : collection.addWith(append, (...args) => {
          const pk = collection.pk(undefined, undefined, '', listArgs(args))
          return collectionKey => recordKey(collectionKey) === pk
        })
  return {
    name: `${list.name}.getPage`,
    schema: replaced(list.schema, collection, page),
    // The same address as the list's, asked for another purpose: its result has another shape.
    // And by the page's own `this`, because it may be extended: then it has another address.
    key(this: List, ...args: never[]): string {
      return `${list.key.apply(this, args)} page`
    },
    ...(list.schema !== collection && {
      update: (result: unknown, ...args: unknown[]) => ({
        [list.key(...(listArgs(args) as never[]))]: (previous: unknown) => turned(list.schema, collection, previous, result),
      }),
    }),
  }
}

function without(params: UrlParams | undefined, name: string): UrlParams {
  return Object.fromEntries(Object.entries(params ?? {}).filter(([each]) => each !== name))
}

/** `schema` with `next` in place of `collection`. */
function replaced(schema: unknown, collection: Collection, next: unknown): unknown {
  if (schema === collection) return next
  const shape = shapeOf(schema)
  return shape && Object.fromEntries(Object.entries(shape).map(([field, member]) => [field, find(member) === collection ? replaced(member, collection, next) : member]))
}

/** The list's result after a page: the page's members, and the list's own collection. */
function turned(schema: unknown, collection: Collection, previous: unknown, result: unknown): unknown {
  if (schema === collection || !isPlain(previous) || !isPlain(result)) return previous
  const next: { [field: string]: unknown } = { ...previous, ...result }
  for (const [field, member] of Object.entries(shapeOf(schema) ?? {})) {
    // A page that leaves out what the schema names, as the last one does with its cursor, says that there is none.
    next[field] = find(member) === collection ? turned(member, collection, previous[field], result[field]) : result[field]
  }
  return next
}
