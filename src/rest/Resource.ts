import { SchemaError } from '../base/errors.ts'
import { Endpoint, extended } from '../endpoint/Endpoint.ts'
import type { KnownOptions, Override } from '../endpoint/types.ts'
import type { Fields } from '../schema/interface.ts'
import type { RestEndpoint } from './RestEndpoint.ts'
import type { RestOptions } from './types.ts'

/**
 * Endpoints that share a path and a schema, with `extend` to add or change members.
 *
 * @example
 * const Users: Resource<{ get: typeof getUser }> = createResource({ path: '/users/:id', schema: User })
 */
export type Resource<M> = M & { readonly extend: Extend<M> }

/**
 * The three forms of `extend`.
 *
 * @example
 * UserResource.extend({ get: { path: '/v2/users/:id' } })
 * UserResource.extend('current', { path: '/me' })
 * UserResource.extend(Base => ({ search: Base.getList.extend({ path: '/search' }) }))
 */
export interface Extend<M> {
  /** Adds or changes the member `name`. A new member starts from `get`. */
  <const N extends string, const P extends RestOptions>(
    name: N,
    options: P & KnownOptions<P, OptionNames> & ThisType<RestEndpoint>,
  ): Resource<Merged<M, { readonly [K in N]: K extends keyof M ? Extended<M[K], P> : M extends { readonly get: infer G } ? Extended<G, P> : never }>>
  /**
   * Adds the members that a function returns, or changes the members that an object names. This is one signature
   * because with two the compiler types functions inside of the object by the first.
   */
  <const B extends Changes<M> | ((Base: Resource<M>) => object)>(
    changes: B & {
      readonly [K in keyof B]: K extends keyof M ? KnownOptions<B[K], OptionNames> : `There is no member "${K & string}" to change; add it with extend(name, options)`
    },
  ): Resource<Merged<M, B extends (...args: never[]) => infer N ? N : { readonly [K in keyof B & keyof M]: Extended<M[K], B[K]> }>>
}

/** Accepts any name, so that the message above reports unknown members. */
type Changes<M> = { readonly [K in keyof M]?: RestOptions } & { readonly [name: string]: RestOptions }
/** Not those of the member itself: to look into it costs the compiler more than all else here. */
type OptionNames = keyof RestOptions | keyof RestEndpoint
type Extended<E, P> = E extends RestEndpoint<infer O> ? RestEndpoint<Override<O, NonNullable<P>>> : never
type Merged<M, N> = { [K in keyof M | keyof N]: K extends keyof N ? N[K] : K extends keyof M ? M[K] : never }

/** Turns members into a resource: gives them access to each other, and adds `extend`. */
export function resourceOf(members: Fields): Fields {
  const resource: { [name: string]: unknown } = {}
  for (const [name, member] of Object.entries(members)) {
    // The undo of a create calls `delete`: that of this resource, not that of the resource it was extended from.
    resource[name] = member instanceof Endpoint && '~siblings' in member ? extended(member, { '~siblings': () => resource }) : member
  }
  resource['extend'] = (first: unknown, options?: RestOptions) => resourceOf({ ...members, ...changesOf(resource, members, first, options) })
  return resource
}

function changesOf(resource: Fields, members: Fields, first: unknown, options: RestOptions | undefined): Fields {
  if (typeof first === 'function') return (first as (Base: Fields) => Fields)(resource)
  if (typeof first === 'string') {
    // `User.current` beside `User.get`.
    const name = (members['get'] as { name: string }).name.replace(/[^.]*$/, first)
    return { [first]: extended(resource[Object.hasOwn(members, first) ? first : 'get'] as object, { name, ...options }) }
  }
  return Object.fromEntries(
    Object.entries(first as { [name: string]: object | undefined }).map(([name, change]) => {
      if (!Object.hasOwn(members, name)) {
        throw new SchemaError(`There is no member "${name}", only ${Object.keys(members).join(', ')}. Add it: extend("${name}", options).`)
      }
      return [name, extended(members[name] as object, change ?? {})]
    }),
  )
}
