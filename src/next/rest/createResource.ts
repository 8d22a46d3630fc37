import { Collection, type CollectionOptions } from '../schema/Collection.ts'
import { extended } from '../endpoint/Endpoint.ts'
import type { NonFilterKeys } from '../schema/filter.ts'
import type { EntityClass } from '../schema/interface.ts'
import { isEntityClass } from '../schema/compile.ts'
import { Invalidate } from '../schema/Invalidate.ts'
import { Variants } from '../schema/Variants.ts'
import type { Union } from '../schema/Union.ts'
import { expected } from './optimistic.ts'
import { resourceOf, type Resource } from './Resource.ts'
import { RestEndpoint } from './RestEndpoint.ts'
import { listPath, parseTemplate } from './template.ts'
import type { AnyBody, ListPath, PathArgs, Payload, RestOptions } from './types.ts'
import { undo } from './undo.ts'

/**
 * Options of `createResource`. Those of endpoints go to every member.
 *
 * @example
 * const options: ResourceOptions = { path: '/todos/:id', schema: Todo, optimistic: true, pollFrequency: 60_000 }
 */
export interface ResourceOptions extends RestOptions {
  readonly path: string
  readonly schema: unknown
  /** Mutations show before they are answered. */
  readonly optimistic?: boolean
  /** The class of the members. */
  readonly Endpoint?: new (options: never) => Pick<RestEndpoint, 'url' | 'getRequestInit' | 'parseResponse'>
  /** The class of the list's schema. */
  readonly Collection?: new (definition: never, options?: CollectionOptions) => Collection<unknown>
  /** Which arguments of the list say how it is shown, and not what is in it. */
  readonly nonFilterArgumentKeys?: NonFilterKeys
}

type Said<O, K extends string, Otherwise> = O extends { readonly [N in K]: infer V } ? V : Otherwise

/** What may be sent for an entity: its fields, nested ones in any form. */
type BodyOf<S> = S extends EntityClass
  ? {
      readonly [K in keyof InstanceType<S> as InstanceType<S>[K] extends (...args: never[]) => unknown ? never : K]?: S extends {
        readonly schema: { readonly [N in K]: unknown }
      }
        ? unknown
        : InstanceType<S>[K] | null | undefined
    }
  : AnyBody

/**
 * The members that `createResource` makes.
 *
 * @example
 * type Get = ResourceMembers<'/todos/:id', typeof Todo, object>['get']
 */
export interface ResourceMembers<P extends string, S, O> {
  readonly get: RestEndpoint<{ readonly path: P; readonly schema: S }>
  readonly getList: RestEndpoint<
    {
      readonly path: ListPath<P>
      readonly schema: Collection<[S]>
      readonly itemPath: P
      readonly searchParams: Said<O, 'searchParams', unknown>
      readonly body: Said<O, 'body', BodyOf<S> | readonly BodyOf<S>[] | FormData>
    } & Pick<O, 'paginationField' & keyof O>
  >
  readonly update: RestEndpoint<{ readonly path: P; readonly method: 'PUT'; readonly schema: S; readonly body: Said<O, 'body', BodyOf<S> | FormData> }>
  readonly partialUpdate: RestEndpoint<{ readonly path: P; readonly method: 'PATCH'; readonly schema: S; readonly body: Said<O, 'body', BodyOf<S> | FormData> }>
  readonly delete: RestEndpoint<{
    readonly path: P
    readonly method: 'DELETE'
    readonly schema: S extends EntityClass | Union<infer _> ? Invalidate<S> : S
    process(value: unknown, ...args: unknown[]): Payload<S> | PathArgs<P>
  }>
}

/**
 * Six endpoints over one path and one schema: `get`, `getList`, `getList.push`, `update`, `partialUpdate`, `delete`.
 *
 * @example
 * const TodoResource = createResource({ urlPrefix: 'https://api.example.com', path: '/todos/:id', schema: Todo, optimistic: true })
 * await TodoResource.partialUpdate({ id: 1 }, { done: true }) // PATCH https://api.example.com/todos/1
 */
export function createResource<const O extends ResourceOptions>(options: O & ThisType<RestEndpoint>): Resource<ResourceMembers<O['path'], O['schema'], O>> {
  const { path = '', schema, optimistic, Endpoint = RestEndpoint, Collection: List = Collection, nonFilterArgumentKeys, body, searchParams, paginationField, ...extra } = options as ResourceOptions
  const says = (name: string, value: unknown): object => (Object.hasOwn(options, name) ? { [name]: value } : {})
  const shows = (expect: unknown): object => (optimistic ? { getOptimisticResponse: expect } : {})
  const label = (typeof schema === 'function' && (schema as { key?: string }).key) || path
  const make = (name: string, own: object): object => {
    const all = { ...extra, path, schema, name: `${label}.${name}`, '~home': undefined, ...own }
    // Once for the constructor and once more over the fields of the class: what is said here wins.
    return extended(new (Endpoint as new (options: object) => object)(all), all)
  }
  const sent = says('body', body)
  const changed = { ...sent, getUndo: undo.change }
  const remove = make('delete', { method: 'DELETE', schema: isEntityClass(schema) || schema instanceof Variants ? new Invalidate(schema as never) : schema, getUndo: undo.delete, ...shows(expected.gone) })
  const { process } = remove as { process: Process }
  const members = {
    get: make('get', {}),
    getList: make('getList', {
      path: listPath(parseTemplate(path)),
      itemPath: path,
      schema: new List([schema] as never, nonFilterArgumentKeys && { nonFilterArgumentKeys }),
      ...sent,
      ...says('searchParams', searchParams),
      ...says('paginationField', paginationField),
      '~create': { getUndo: undo.create, ...shows(expected.sent) },
      '~change': { getUndo: undo.change, ...shows(expected.merged) },
    }),
    update: make('update', { method: 'PUT', ...changed, ...shows(expected.sent) }),
    partialUpdate: make('partialUpdate', { method: 'PATCH', ...changed, ...shows(expected.merged) }),
    delete: extended(remove, {
      process(this: object, value: unknown, ...args: unknown[]): unknown {
        return isFilled(value) ? process.call(this, value, ...args) : args[0]
      },
    }),
  }
  return resourceOf(members) as never
}

/**
 * The same as `createResource`.
 *
 * @example
 * const Todos = resource({ path: '/todos/:id', schema: Todo })
 */
export const resource: typeof createResource = createResource

type Process = (this: object, value: unknown, ...args: unknown[]) => unknown

function isFilled(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}
