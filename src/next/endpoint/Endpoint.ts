import { PatchcordError } from '../base/errors.ts'
import { canonical } from '../base/keys.ts'
import { callable, Callable, define, type Bag } from './callable.ts'
import { errorPolicy } from './errorPolicy.ts'
import type { EndpointMembers, EndpointOptions, Override, Reads } from './types.ts'

/**
 * A function that fetches something.
 *
 * @example
 * const getTime: FetchFunction = async () => Date.now()
 */
export type FetchFunction = (...args: never) => Promise<unknown>

/** What `extend` leaves of the fetch function. */
type Refetch<F, P> = P extends { readonly fetch: infer G extends FetchFunction } ? G : F

/** The members of an endpoint over `F` with the options `O`. */
// eslint-disable-next-line typescript/no-unsafe-declaration-merging -- a class cannot declare that its instances are callable
export interface Endpoint<F extends FetchFunction = FetchFunction, O extends EndpointOptions = EndpointOptions> extends EndpointMembers {
  (...args: Parameters<F>): ReturnType<F>
  readonly schema: O extends { readonly schema: infer S } ? S : undefined
  /** Type-level only. */
  readonly '~reads': Reads<O extends { readonly sideEffect: infer E } ? E : false>
}

/**
 * An asynchronous function that the store knows how to run: it has a schema, a key and a lifetime.
 *
 * @example
 * const getTime = new Endpoint(async ({ zone }: { zone: string }) => (await fetch(`/time/${zone}`)).json(), { name: 'getTime' })
 * await getTime({ zone: 'utc' })
 */
// eslint-disable-next-line typescript/no-unsafe-declaration-merging -- see above
export class Endpoint<F extends FetchFunction = FetchFunction, O extends EndpointOptions = EndpointOptions> extends Callable {
  constructor(fetch: F | undefined, options?: O & ThisType<Endpoint>) {
    super({
      name: fetch?.name ?? '',
      // Not under `fetch`: an own property would hide the method of a subclass, and `super.fetch` would have nothing to call.
      ...(fetch && { '~fetch': fetch }),
    })
    define(this, options ?? {})
  }

  /** Every run passes through here. */
  fetch(...args: Parameters<F>): ReturnType<F> {
    return Reflect.apply((this as unknown as { '~fetch': F })['~fetch'], this, args) as ReturnType<F>
  }

  /** The same for the same arguments, in whatever order their members stand. */
  key(...args: Parameters<F>): string {
    if (!this.name) {
      throw new PatchcordError('NAME', 'An endpoint without a name has no key. Give it one: new Endpoint(fn, { name }).')
    }
    let length = args.length
    while (length > 0 && args[length - 1] === undefined) length--
    return `${this.name} ${canonical(args.slice(0, length))}`
  }

  testKey(key: string): boolean {
    return key.startsWith(`${this.name} [`)
  }

  errorPolicy(error: unknown): 'hard' | 'soft' | undefined {
    return errorPolicy(error)
  }

  /** Another endpoint: this one, with `options` over everything that it is or inherits. */
  extend<P extends EndpointOptions>(options: P & ThisType<Endpoint>): Endpoint<Refetch<F, P>, Override<O, P>> {
    return extended(this, options) as Endpoint<Refetch<F, P>, Override<O, P>>
  }
}

/** @internal A copy of `endpoint` with `options` set on it. The constructor does not run again. */
export function extended(endpoint: object, options: object): object {
  const next = callable(Object.getPrototypeOf(endpoint) as object) as Bag
  define(next, endpoint)
  define(next, options)
  return next
}
