import { isObject } from '../base/plain.ts'
import { extended } from '../endpoint/Endpoint.ts'
import type { KnownOptions } from '../endpoint/types.ts'
import { Collection, type CollectionOptions } from '../schema/Collection.ts'
import { isEntityClass } from '../schema/compile.ts'
import type { NonFilterKeys } from '../schema/filter.ts'
import type { EntityClass } from '../schema/interface.ts'
import { Invalidate } from '../schema/Invalidate.ts'
import type { Union } from '../schema/Union.ts'
import { Variants } from '../schema/Variants.ts'
import { optimistic, undo } from './mutations.ts'
import { resourceOf, type Resource } from './Resource.ts'
import { RestEndpoint } from './RestEndpoint.ts'
import { Template } from './template.ts'
import type { AnyBody, ListPath, PathArgs, PartOf, Payload, RestOptions } from './types.ts'

/**
 * Options of `createResource`. Endpoint options apply to every member.
 *
 * @example
 * const options: ResourceOptions = { path: '/todos/:id', schema: Todo, optimistic: true, pollFrequency: 60_000 }
 */
export interface ResourceOptions extends RestOptions {
  readonly path: string
  readonly schema: unknown
  /** Mutations are visible before the server responds. */
  readonly optimistic?: boolean
  /** The class of the members. Typed by its prototype, because the compiler would instantiate a generic constructor. */
  readonly Endpoint?: { readonly prototype: Pick<RestEndpoint, 'url' | 'getRequestInit' | 'parseResponse'> }
  /** The class of the list's schema. */
  readonly Collection?: new (definition: never, options?: CollectionOptions) => Collection<unknown>
  /** Arguments of the list that sort or limit it, and do not decide which entities belong to it. */
  readonly nonFilterArgumentKeys?: NonFilterKeys
}

/** The names of the options: those of the library, and the members of the given `Endpoint` class. */
type ResourceOptionNames<O> = keyof ResourceOptions | (O extends { readonly Endpoint: { readonly prototype: infer E } } ? keyof E : never)

type OptionOr<O, K extends string, Default> = O extends { readonly [N in K]: infer V } ? V : Default

/** The body for an entity: its fields, nested ones in any form. */
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
 * The members that `createResource` returns.
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
      readonly searchParams: OptionOr<O, 'searchParams', unknown>
      readonly body: OptionOr<O, 'body', BodyOf<S> | readonly BodyOf<S>[] | FormData>
    } & Pick<O, 'paginationField' & keyof O>
  >
  readonly update: RestEndpoint<{ readonly path: P; readonly method: 'PUT'; readonly schema: S; readonly body: OptionOr<O, 'body', BodyOf<S> | FormData> }>
  readonly partialUpdate: RestEndpoint<{ readonly path: P; readonly method: 'PATCH'; readonly schema: S; readonly body: PartOf<OptionOr<O, 'body', BodyOf<S> | FormData>> }>
  readonly delete: RestEndpoint<{
    readonly path: P
    readonly method: 'DELETE'
    readonly schema: S extends EntityClass | Union<infer _> ? Invalidate<S> : S
    process(value: unknown, ...args: unknown[]): Payload<S> | PathArgs<P>
  } & (S extends Union<infer _> ? { readonly searchParams: unknown } : {})>
}

/**
 * Creates six endpoints with one path and one schema: `get`, `getList`, `getList.push`, `update`, `partialUpdate`, `delete`.
 *
 * @example
 * const TodoResource = createResource({ urlPrefix: 'https://api.example.com', path: '/todos/:id', schema: Todo, optimistic: true })
 * await TodoResource.partialUpdate({ id: 1 }, { done: true }) // PATCH https://api.example.com/todos/1
 */
export function createResource<const O extends ResourceOptions>(
  options: O & KnownOptions<O, ResourceOptionNames<O>> & ThisType<RestEndpoint>,
): Resource<ResourceMembers<O['path'], O['schema'], O>> {
  const { path = '', schema, optimistic: isOptimistic, Endpoint = RestEndpoint, Collection: List = Collection, nonFilterArgumentKeys, body, searchParams, paginationField, ...shared } = options as ResourceOptions
  // `body: undefined` means no body, so an absent option must stay absent.
  const given = (members: object): object => Object.fromEntries(Object.entries(members).filter(([name]) => Object.hasOwn(options, name)))
  const mutation = (getUndo: unknown, getOptimisticResponse: unknown): object => ({ getUndo, ...(isOptimistic && { getOptimisticResponse }) })
  const label = (typeof schema === 'function' && (schema as { key?: string }).key) || path
  const create = (name: string, own: object): object => {
    const all = { ...shared, path, schema, name: `${label}.${name}`, '~siblings': undefined, ...own }
    // Options are set once more after the constructor, because they win over the fields of the class.
    return extended(new (Endpoint as new (options: object) => object)(all), all)
  }
  const isDeletable = isEntityClass(schema) || schema instanceof Variants
  const remove = create('delete', { method: 'DELETE', schema: isDeletable ? new Invalidate(schema as never) : schema, ...mutation(undo.delete, optimistic.delete) })
  const { process } = remove as { process(this: object, value: unknown, ...args: unknown[]): unknown }
  return resourceOf({
    get: create('get', {}),
    getList: create('getList', {
      path: new Template(path).listPath,
      itemPath: path,
      schema: new List([schema] as never, nonFilterArgumentKeys && { nonFilterArgumentKeys }),
      ...given({ body, searchParams, paginationField }),
      '~create': mutation(undo.create, optimistic.send),
      '~change': mutation(undo.change, optimistic.merge),
    }),
    update: create('update', { method: 'PUT', ...given({ body }), ...mutation(undo.change, optimistic.send) }),
    partialUpdate: create('partialUpdate', { method: 'PATCH', ...given({ body }), ...mutation(undo.change, optimistic.merge) }),
    delete: extended(remove, {
      process(this: object, value: unknown, ...args: unknown[]): unknown {
        return (isObject(value) && Object.keys(value).length && process.call(this, value, ...args)) || args[0]
      },
    }),
  }) as never
}

/**
 * The same as `createResource`.
 *
 * @example
 * const Todos = resource({ path: '/todos/:id', schema: Todo })
 */
export const resource: typeof createResource = createResource
