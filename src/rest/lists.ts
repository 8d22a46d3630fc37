import { SchemaError } from '../base/errors.ts'
import { recordKey } from '../base/keys.ts'
import { isPlain } from '../base/plain.ts'
import { boundMethods, CALLBACKS, extended } from '../endpoint/Endpoint.ts'
import { Collection } from '../schema/Collection.ts'
import { append, type Members } from '../schema/Creation.ts'
import { traitsOf } from '../schema/compile.ts'
import type { CollectionFilter } from '../schema/filter.ts'
import { Schema, type Fields } from '../schema/interface.ts'
import type { UrlParams } from './template.ts'

/** Maps the arguments of a page to those of its list. */
export type ListArgs = (...args: never) => object

/** The members of a list endpoint that its derived endpoints depend on. */
export interface List {
  readonly name: string
  readonly schema: unknown
  readonly itemPath: string | undefined
  /** Options of a resource for derived mutations: optimistic responses and undo. */
  readonly '~create'?: object
  readonly '~change'?: object
  /** The arguments of `bind`. */
  readonly '~bound'?: readonly unknown[]
}

/** Derives the endpoint that changes the list in the way `kind`. `remove` and `move` send to the path of one item. */
export function derive(list: List, kind: 'push' | 'unshift' | 'assign' | 'remove' | 'move'): object {
  const [collection] = locate(list.schema, kind)
  const { itemPath } = list
  const options =
    kind === 'remove' || kind === 'move'
      ? { method: 'PATCH', ...(itemPath && { path: itemPath, itemPath: undefined }), ...(kind === 'remove' && { '~undoSchema': collection.push }), ...list['~change'] }
      : { method: 'POST', ...list['~create'] }
  return extended(list, { name: `${list.name}.${kind}`, schema: collection[kind], ...options, ...boundMethods(options, list['~bound'] ?? [], CALLBACKS) })
}

/** The fields of an object schema; of a query, those of its input. */
function shapeOf(schema: unknown): Fields {
  return traitsOf(inputOf(schema)).shape ?? {}
}

/** The input of a query, which creations and pages change. Any other schema itself. */
function inputOf(schema: unknown): unknown {
  return schema instanceof Schema && 'inner' in schema ? inputOf(schema.inner) : schema
}

/** The first collection in a schema, and the fields that lead to it. */
function locate(schema: unknown, kind: string): [Collection, ...path: string[]] {
  const find = (part: unknown, ...path: string[]): [Collection, ...string[]][] => {
    const input = inputOf(part)
    return input instanceof Collection ? [[input, ...path]] : Object.entries(shapeOf(input)).flatMap(([field, member]) => find(member, ...path, field))
  }
  const [found] = find(schema)
  if (!found) throw new SchemaError(`${kind} needs a schema with a collection: new schema.Collection([Entity]).`)
  return found
}

/** The options that turn a list endpoint into one of its pages: the response is appended to the list. */
export function pageOptions(list: List & { key(...args: never[]): string }, cursor: string | ListArgs): object {
  const [collection, ...path] = locate(list.schema, 'paginated')
  const listArgs = (args: readonly unknown[]): readonly unknown[] => {
    if (typeof cursor === 'string') {
      const { [cursor]: _, ...others } = (args[0] ?? {}) as UrlParams
      return [others, ...args.slice(1)]
    }
    return [cursor(...(args as never))].flat()
  }
  const pageOf = (...args: readonly unknown[]): string => list.key(...(listArgs(args) as never[]))
  const { argsKey, nestKey } = collection.options
  const isNamed = !nestKey || argsKey
  const namedBy = (argsOf: typeof listArgs): CollectionFilter => (...args) => {
    const pk = collection.pk(undefined, undefined, '', argsOf(args))
    return collectionKey => recordKey(collectionKey) === pk
  }
  const page = isNamed ? collection.addWith(append, namedBy(listArgs)) : collection.paginate
  // The first page again: it goes before what later pages have appended.
  const first = isNamed ? collection.addWith((members: Members, refreshed: Members) => append(refreshed, members), namedBy(args => args)) : page
  return {
    name: `${list.name}.getPage`,
    schema: replace(list.schema, path, page),
    // The URL is that of a list with the same arguments, but the result has another shape.
    // `this` may be an extended page with another URL.
    key(this: object, ...args: never[]): string {
      return `${list.key.apply(this, args)} page`
    },
    '~pageOf': pageOf,
    '~firstPage': replace(list.schema, path, first),
    ...(path.length > 0 && {
      update: (result: unknown, ...args: unknown[]) => ({ [pageOf(...args)]: (previous: unknown) => mergePage(list.schema, path, previous, result) }),
    }),
  }
}

/** `schema` with `next` at `path`. */
function replace(schema: unknown, [field, ...path]: readonly string[], next: unknown): unknown {
  return field === undefined ? next : { ...shapeOf(schema), [field]: replace(shapeOf(schema)[field], path, next) }
}

/** The result of the list after a page: the members of the page, and the collection of the list at `path`. */
function mergePage(schema: unknown, [field, ...path]: readonly string[], previous: unknown, result: unknown): unknown {
  if (field === undefined || !isPlain(previous) || !isPlain(result)) return previous
  const shape = shapeOf(schema)
  // A field that the page lacks, such as the cursor on the last page, is removed.
  const absent = Object.fromEntries(Object.keys(shape).map(name => [name]))
  return { ...previous, ...absent, ...result, [field]: mergePage(shape[field], path, previous[field], result[field]) }
}
