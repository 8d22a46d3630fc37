import { equal, isObject } from '../base/plain.ts'
import { extended } from '../endpoint/Endpoint.ts'
import type { AnyEndpoint, Snap, UndoCall, UndoContext } from '../endpoint/types.ts'
import { Collection } from '../schema/Collection.ts'
import { isEntityClass } from '../schema/compile.ts'
import type { Fields } from '../schema/interface.ts'
import { isData } from './request.ts'
import { joinArgs, routeOf, splitArgs, type RoutedEndpoint } from './route.ts'
import type { UrlParams } from './template.ts'

/** A member of a resource, with access to the other members. */
export interface ResourceMember extends RoutedEndpoint {
  readonly schema: unknown
  readonly '~siblings': () => { readonly get?: ResourceMember; readonly delete?: AnyRoutedEndpoint; readonly getList?: { readonly push: AnyRoutedEndpoint } }
  /** The schema of the undo request, where it differs. */
  readonly '~undoSchema'?: unknown
}

type AnyRoutedEndpoint = RoutedEndpoint & AnyEndpoint

/** The optimistic responses of the members of a resource. A file or a stream has none. */
export const optimistic = {
  /** Create and update: the body with the URL parameters. */
  send(this: RoutedEndpoint, snap: Snap, ...args: readonly unknown[]): unknown {
    const [params, body] = splitArgs(this, args)
    const data = dataOf(body, snap)
    return Array.isArray(data) ? data.map((each: object) => ({ ...params, ...each })) : { ...params, ...data }
  },

  /** Partial update: the body over the stored record. Nothing is shown when there is no record. */
  merge(this: ResourceMember, snap: Snap, ...args: readonly unknown[]): unknown {
    const [params, body] = splitArgs(this, args)
    const { schema } = this['~siblings']().get!
    const record = snap['~record']?.(schema, [params]) ?? (snap.get(schema, params) as object | undefined)
    const data = dataOf(body, snap)
    if (!record || Array.isArray(data)) throw snap.abort
    return { ...params, ...record, ...data }
  },

  /** Delete: the URL parameters identify the entity. */
  delete(this: RoutedEndpoint, _snap: Snap, params: unknown): unknown {
    return params
  },
}

/** The data in a body; the text fields of a form. */
function dataOf(body: unknown, snap: Snap): object {
  if (body instanceof FormData) return Object.fromEntries([...body].filter(([, value]) => typeof value === 'string'))
  if (!isData(body)) throw snap.abort
  return body as object
}

/** The undo requests of the members of a resource. Each reverts only what its request changed. */
export const undo = {
  /** Sends the previous values of the fields in the body, `null` for absent ones. The undo of a PATCH leaves out fields that the PATCH did not change, and those that somebody else has changed since. */
  change(this: ResourceMember, { previous, conflicts = {} }: UndoContext, ...args: readonly unknown[]): UndoCall | undefined {
    const [params, body] = splitArgs(this, args)
    // A list of changes, such as a JSON Patch, does not name fields.
    if (!previous || !isData(body) || Array.isArray(body)) return undefined
    let fields = Object.keys(body as object)
    if (this.method === 'PATCH') {
      const own = fields.filter(field => !Object.hasOwn(conflicts, field))
      const changed = own.filter(field => !equal((body as Fields)[field], previous[field]))
      if (fields.length && !own.length) return undefined
      fields = changed.length ? changed : own
    }
    const before = bodyOf(this, fields.map(field => [field, Object.hasOwn(previous, field) ? previous[field] : null]))
    return { endpoint: extended(this, { schema: this['~undoSchema'] ?? this.schema }) as AnyEndpoint, args: joinArgs(this, params ?? {}, before) }
  },

  /** Deletes the created entity. */
  create(this: ResourceMember, { result }: UndoContext, ...args: readonly unknown[]): UndoCall | undefined {
    const { delete: endpoint, get } = this['~siblings']()
    const params = endpoint && isObject(result) && paramsFor(endpoint, { ...result, ...splitArgs(this, args)[0] }, get)
    return params ? { endpoint, args: [params] } : undefined
  },

  /** Creates the deleted entity again, with the stored record as the body. */
  delete(this: ResourceMember, { previous }: UndoContext, deleted: unknown): UndoCall | undefined {
    const endpoint = this['~siblings']().getList?.push
    const params = endpoint && previous && paramsFor(endpoint, { ...previous, ...(deleted as UrlParams) })
    return params ? { endpoint, args: joinArgs(endpoint, params, bodyOf(this, Object.entries(previous))) } : undefined
  },
}

/** Stored fields as a body. The pks of nested collections mean nothing to a server. */
function bodyOf(member: ResourceMember, stored: readonly (readonly [field: string, value: unknown])[]): Fields {
  const fields = (member['~siblings']().get?.schema as { readonly schema?: Fields } | undefined)?.schema
  return Object.fromEntries(stored.filter(([field]) => !(fields?.[field] instanceof Collection)).map(([field, value]) => [field, referenceOf(fields?.[field], value)]))
}

/** Stored pks are strings. Where the entity class declares a numeric id, the server expects a number. */
function referenceOf(schema: unknown, stored: unknown): unknown {
  if (Array.isArray(schema) && Array.isArray(stored)) return stored.map(each => referenceOf(schema[0], each))
  const isNumeric = typeof stored === 'string' && isEntityClass(schema) && typeof (new schema() as Fields)['id'] === 'number'
  return isNumeric && String(Number(stored)) === stored ? Number(stored) : stored
}

/** The URL parameters of `endpoint`, taken from `fields`. The last one may be the pk under another name. */
function paramsFor(endpoint: RoutedEndpoint, fields: UrlParams, get?: ResourceMember): UrlParams | undefined {
  const params: { [name: string]: unknown } = {}
  const names = [...routeOf(endpoint).template.names]
  for (const name of names) {
    params[name] = fields[name] ?? (name === names.at(-1) ? (get?.schema as { pk?(value: object): unknown } | undefined)?.pk?.(fields) : undefined)
    if (params[name] === undefined) return undefined
  }
  return params
}
