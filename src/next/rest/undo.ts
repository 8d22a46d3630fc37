import { extended } from '../endpoint/Endpoint.ts'
import type { AnyEndpoint, UndoCall, UndoContext } from '../endpoint/types.ts'
import { Collection } from '../schema/Collection.ts'
import { isEntityClass } from '../schema/compile.ts'
import type { Fields } from '../schema/interface.ts'
import { joinArgs, routeFor, splitArgs, type Addressed } from './args.ts'
import { isFields } from './body.ts'
import type { UrlParams } from './fill.ts'
import type { Member } from './Resource.ts'

type Other = Addressed & AnyEndpoint

/** The calls that take the calls of a resource back. Each concerns what the request named, and nothing else that its answer changed. */
export const undo = {
  /** The previous values of the fields that were sent; null for those that were not there. */
  change(this: Member, { previous }: UndoContext, ...args: readonly unknown[]): UndoCall | undefined {
    const [params, body] = splitArgs(this, args)
    if (previous === undefined || !isFields(body)) return undefined
    const before = written(this, Object.keys(body).map(field => [field, Object.hasOwn(previous, field) ? previous[field] : null]))
    const back = this['~back']
    return { endpoint: (back ? extended(this, { schema: back }) : this) as AnyEndpoint, args: joinArgs(this, params ?? {}, before) }
  },

  /** Deletes what was made. */
  create(this: Member, { result }: UndoContext, ...args: readonly unknown[]): UndoCall | undefined {
    const { delete: remove, get } = this['~home']() as { readonly delete?: Other; readonly get?: Member }
    const params = remove && isFields(result) && addressOf(remove, { ...result, ...splitArgs(this, args)[0] }, get)
    return params ? { endpoint: remove, args: [params] } : undefined
  },

  /** Makes what was deleted again, with what was stored as the body. */
  delete(this: Member, { previous }: UndoContext, deleted: unknown): UndoCall | undefined {
    const { getList } = this['~home']() as { readonly getList?: { readonly push: Other } }
    const create = getList?.push
    const params = create && previous && addressOf(create, { ...previous, ...(deleted as UrlParams) })
    return params ? { endpoint: create, args: joinArgs(create, params, written(this, Object.entries(previous))) } : undefined
  },
}

/** Stored fields as a server knows them: no server knows a nested collection by the name that it is stored under. */
function written(member: Member, stored: readonly (readonly [field: string, value: unknown])[]): Fields {
  const { get } = member['~home']() as { readonly get?: Member }
  const fields = (get?.schema as { readonly schema?: Fields } | undefined)?.schema
  return Object.fromEntries(stored.filter(([field]) => !(fields?.[field] instanceof Collection)).map(([field, value]) => [field, reference(fields?.[field], value)]))
}

/** What is stored is the name of what it refers to. That is a number again where its class says that ids are. */
function reference(schema: unknown, stored: unknown): unknown {
  if (Array.isArray(schema) && Array.isArray(stored)) return stored.map(each => reference(schema[0], each))
  const numbered = typeof stored === 'string' && isEntityClass(schema) && typeof (new schema() as Fields)['id'] === 'number'
  return numbered && String(Number(stored)) === stored ? Number(stored) : stored
}

/** The parameters that `endpoint` needs, out of `known`; the last one may be the pk under another name. */
function addressOf(endpoint: Addressed, known: UrlParams, get?: Member): UrlParams | undefined {
  const params: { [name: string]: unknown } = {}
  const names = [...routeFor(endpoint).template.names]
  for (const name of names) {
    params[name] = known[name] ?? (name === names.at(-1) ? (get?.schema as { pk?(value: object): unknown } | undefined)?.pk?.(known) : undefined)
    if (params[name] === undefined) return undefined
  }
  return params
}
