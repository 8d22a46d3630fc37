import { SchemaError } from '../base/errors.ts'
import { Endpoint, extended } from '../endpoint/Endpoint.ts'
import type { Override } from '../endpoint/types.ts'
import type { Addressed } from './args.ts'
import type { RestEndpoint } from './RestEndpoint.ts'
import type { RestOptions } from './types.ts'

/**
 * Endpoints that share a path and a schema, and a way to make more of them.
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
  /** Adds a member, or changes one. A new one starts from `get`. */
  <const N extends string, const P extends RestOptions>(
    name: N,
    options: P & ThisType<RestEndpoint>,
  ): Resource<Merged<M, { readonly [K in N]: K extends keyof M ? Extended<M[K], P> : M extends { readonly get: infer G } ? Extended<G, P> : never }>>
  /**
   * Adds what a function makes of the members that there are, or changes those that an object names. One signature,
   * because the compiler tries several in turn, and reads functions within the object as the first of them would.
   */
  <const B extends Changes<M> | ((Base: Resource<M>) => object)>(
    changes: B & { readonly [K in Exclude<keyof B, keyof M>]: `There is no member "${K & string}" to change; add it with extend(name, options)` },
  ): Resource<Merged<M, B extends (...args: never[]) => infer N ? N : { readonly [K in keyof B & keyof M]: Extended<M[K], B[K]> }>>
}

/** Of any name, so that it is the message above that speaks of one that is not there. */
type Changes<M> = { readonly [K in keyof M]?: RestOptions } & { readonly [name: string]: RestOptions }
type Extended<E, P> = E extends RestEndpoint<infer O> ? RestEndpoint<Override<O, NonNullable<P>>> : never
type Merged<M, N> = { [K in keyof M | keyof N]: K extends keyof N ? N[K] : K extends keyof M ? M[K] : never }

interface Members {
  readonly [name: string]: unknown
}

/** A member, and the way to the others of its resource. */
export interface Member extends Addressed {
  readonly schema: unknown
  readonly '~home': () => Members
  /** What the answer of the call that takes it back is, where that is something else. */
  readonly '~back'?: unknown
}

/** Members as a resource: they know each other, and can be extended. */
export function resourceOf(members: Members): Members {
  const resource: { [name: string]: unknown } = {}
  for (const name of Object.keys(members)) {
    const member = members[name]
    // What leads from one member to another (the undo of a create is a delete) must lead to those of this resource.
    resource[name] = member instanceof Endpoint && '~home' in member ? extended(member, { '~home': () => resource }) : member
  }
  resource['extend'] = (first: unknown, options?: RestOptions) => resourceOf({ ...members, ...changesOf(resource, members, first, options) })
  return resource
}

function changesOf(resource: Members, members: Members, first: unknown, options: RestOptions | undefined): Members {
  if (typeof first === 'function') return (first as (Base: Members) => Members)(resource)
  if (typeof first === 'string') return { [first]: extended(resource[Object.hasOwn(members, first) ? first : 'get'] as object, { name: nameLike(members, first), ...options }) }
  const changes: { [name: string]: unknown } = {}
  for (const [name, change] of Object.entries(first as { [name: string]: object | undefined })) {
    if (!Object.hasOwn(members, name)) {
      throw new SchemaError(`There is no member "${name}" to change, only ${Object.keys(members).join(', ')}. Add it: extend("${name}", options).`)
    }
    changes[name] = extended(members[name] as object, change ?? {})
  }
  return changes
}

/** `User.current` beside `User.get`. */
function nameLike(members: Members, name: string): string {
  return (members['get'] as { name: string }).name.replace(/[^.]*$/, name)
}
