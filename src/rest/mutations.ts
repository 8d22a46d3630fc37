import { equal, isObject, type Plain } from '../base/plain.ts'
import { extended } from '../endpoint/Endpoint.ts'
import type { AnyEndpoint, Snap, UndoCall, UndoContext } from '../endpoint/types.ts'
import { Collection } from '../schema/Collection.ts'
import { isEntityClass, traitsOf } from '../schema/compile.ts'
import type { Fields } from '../schema/interface.ts'
import { isData } from './http.ts'
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
    return Array.isArray(data) ? data.map(each => ({ ...params, ...(each as object) })) : { ...params, ...data }
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
  /** Sends the previous values of the fields that changed. For a field that the row did not have, it sends the default of the class, or `null` without one. A PUT has the others as they were sent; a PATCH leaves out those that somebody else has changed since. */
  change(this: ResourceMember, { previous, after, result, conflicts = {}, recordOf }: UndoContext, ...args: readonly unknown[]): UndoCall | null | undefined {
    const [params, body] = splitArgs(this, args)
    // A list of changes, such as a JSON Patch, does not name fields.
    if (!previous || !isData(body) || Array.isArray(body)) return undefined
    const isPatch = this.method === 'PATCH'
    const schema = this['~siblings']().get?.schema
    const [was, pks] = [body, {}].map(like => wireOf(schema, previous, like, recordOf) as Plain) as [Plain, Plain]
    // An answer without the field does not show whether it changed. Nested rows that were sent as objects may have changed while their pks stayed.
    const isSame = (field: string): boolean => Object.hasOwn(Object(result), field) && equal(previous[field], after?.[field]) && [pks, body as Plain].some(each => equal(was[field], each[field]))
    const changed = Object.keys(body as object).filter(field => !(isPatch && Object.hasOwn(conflicts, field)) && !isSame(field))
    if (!changed.length) return null
    const before = isPatch ? {} : { ...(body as Plain) }
    // The user has seen the default of a field that the row did not have.
    const values: Plain = { ...(isEntityClass(schema) && new schema()), ...was }
    for (const field of changed) if (Object.hasOwn(was, field) || !Object.hasOwn(previous, field)) before[field] = values[field] ?? null
    return { endpoint: extended(this, { schema: this['~undoSchema'] ?? this.schema }) as AnyEndpoint, args: joinArgs(this, params, before) }
  },

  /** Deletes the created entity. */
  create(this: ResourceMember, { after, result }: UndoContext, ...args: readonly unknown[]): UndoCall | undefined {
    const { delete: endpoint, get } = this['~siblings']()
    const params = endpoint && paramsFor(endpoint, { ...(result as object), ...after, ...splitArgs(this, args)[0] }, get)
    return params && { endpoint, args: [params] }
  },

  /** Creates the deleted entity again, with the stored record as the body. */
  delete(this: ResourceMember, { previous }: UndoContext, deleted: unknown): UndoCall | undefined {
    const endpoint = this['~siblings']().getList?.push
    const params = endpoint && previous && paramsFor(endpoint, { ...previous, ...(deleted as UrlParams) })
    return params && { endpoint, args: joinArgs(endpoint, params, wireOf(this['~siblings']().get?.schema, previous)) }
  },
}

/**
 * A stored value as a server expects it. Stored pks are strings: where the entity class declares a numeric id, it expects
 * a number; of several types, also the attribute. Where `like`, the body of a call, had a row as an object, the row is an
 * object. The pks of nested collections mean nothing to a server.
 */
function wireOf(schema: unknown, stored: unknown, like?: unknown, recordOf?: UndoContext['recordOf']): unknown {
  if (isEntityClass(schema)) {
    const record = isObject(stored) ? stored : isObject(like) && recordOf?.(schema.key, stored as string)
    if (record) return wireOf(schema.schema, record, like, recordOf)
    return typeof (new schema() as Fields)['id'] === 'number' && String(Number(stored)) === stored ? Number(stored) : stored
  }
  const { member, shape, attribute, resolve } = traitsOf(schema)
  const type = resolve?.call(schema, stored)
  if (type) return { ...(typeof attribute === 'string' && { [attribute]: (stored as Fields)['schema'] }), id: wireOf(...type) }
  const parts = Object(like) as Fields
  const example = Object.values(parts).find(isObject)
  if (Array.isArray(stored)) return stored.map(each => wireOf(member, each, example, recordOf))
  if (!isObject(stored)) return stored
  return Object.fromEntries(Object.entries(stored).flatMap(([name, value]) => (shape?.[name] instanceof Collection ? [] : [[name, wireOf(member ?? shape?.[name], value, member ? example : parts[name], recordOf)]])))
}

/** The URL parameters of `endpoint`, taken from `fields`. The last one may be the pk under another name. One of several types needs its attribute. */
function paramsFor(endpoint: RoutedEndpoint, fields: UrlParams, get?: ResourceMember): UrlParams | undefined {
  const params: { [name: string]: unknown } = {}
  const names = [...routeOf(endpoint).template.names]
  for (const name of names) {
    params[name] = fields[name] ?? (name === names.at(-1) ? (get?.schema as { pk?(value: object): unknown } | undefined)?.pk?.(fields) : undefined)
    if (params[name] === undefined) return undefined
  }
  const { attribute } = traitsOf(get?.schema)
  if (typeof attribute === 'string') params[attribute] = fields[attribute]
  return params
}
