import { NetworkError, ParseError, PatchcordError, TimeoutError } from '../base/errors.ts'
import { canonical } from '../base/keys.ts'
import { Callable, callable, define, type Bag } from './callable.ts'
import type { AnyEndpoint, EndpointMembers, EndpointOptions, KnownOptions, Override, Reads, RemainingArgs, Transport } from './types.ts'

/**
 * A function that fetches data.
 *
 * @example
 * const getTime: FetchFunction = async () => Date.now()
 */
export type FetchFunction = (...args: never) => Promise<unknown>

/** The fetch function after `extend`. */
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
 * An asynchronous function with a schema, a key and a lifetime, which a controller can run.
 *
 * @example
 * const getTime = new Endpoint(async ({ zone }: { zone: string }) => (await fetch(`/time/${zone}`)).json(), { name: 'getTime' })
 * await getTime({ zone: 'utc' })
 */
// eslint-disable-next-line typescript/no-unsafe-declaration-merging -- see above
export class Endpoint<F extends FetchFunction = FetchFunction, O extends EndpointOptions = EndpointOptions> extends Callable {
  constructor(fetch: F | undefined, options?: O & ThisType<Endpoint>) {
    super()
    // Not stored as `fetch`: an own property would hide the method of a subclass from `super.fetch`.
    define(this, { name: fetch?.name, '~fetch': fetch })
    define(this, options ?? {})
  }

  /** Every run goes through this method. */
  fetch(...args: Parameters<F>): ReturnType<F> {
    return Reflect.apply((this as unknown as { '~fetch': F })['~fetch'], this, args) as ReturnType<F>
  }

  /** Identifies a request. Equal arguments have the same key, in any order of their members. */
  key(...args: Parameters<F>): string {
    if (!this.name) {
      throw new PatchcordError('NAME', 'An endpoint without a name has no key. Give it one: new Endpoint(fn, { name }).')
    }
    return `${this.name} ${canonical(args.slice(0, args.findLastIndex(arg => arg !== undefined) + 1))}`
  }

  testKey(key: string): boolean {
    return key.startsWith(`${this.name} [`)
  }

  errorPolicy(error: unknown): 'hard' | 'soft' | undefined {
    return errorPolicy(error)
  }

  /**
   * Returns another endpoint with `options` over everything that this one has or inherits. With a new `fetch` and
   * neither `name` nor `key`, the name of that function becomes the name of the endpoint.
   */
  extend<P extends EndpointOptions>(options: P & KnownOptions<P, keyof EndpointOptions | keyof this> & ThisType<Endpoint>): Endpoint<Refetch<F, P>, Override<O, P>> {
    const next = extended(this, options)
    // Without a prototype: a polluted `Object.prototype` has no say.
    const { fetch, name, key } = Object.assign(Object.create(null), options) as EndpointOptions
    // A function written inside of the options is called `fetch`, which identifies nothing.
    if (fetch?.name && fetch.name !== 'fetch' && !name && !key) define(next, { name: fetch.name })
    return next as Endpoint<Refetch<F, P>, Override<O, P>>
  }

  /** Returns an endpoint that puts `args` before its own arguments. Its key contains them. */
  bind<const A extends Partial<Parameters<F>>>(_thisArg: unknown, ...args: A): Endpoint<(...args: RemainingArgs<Parameters<F>, A>) => ReturnType<F>, O> {
    return bound(this, args) as never
  }
}

/** @internal Copies `endpoint` and sets `options` on the copy. The constructor does not run again. */
export function extended(endpoint: object, options: object): object {
  const next = callable(Object.getPrototypeOf(endpoint) as object)
  define(next, endpoint)
  define(next, options)
  return next
}

/** @internal See `Endpoint.bind`. */
export function bound(endpoint: object, first: readonly unknown[]): object {
  return extended(endpoint, { '~bound': fullArgs(endpoint, first), ...boundMethods(endpoint, first, ['fetch', 'key', ...CALLBACKS]) })
}

/** @internal Members that get the arguments of a call after a value of ours: `snap`, the undo context, the result. */
export const CALLBACKS: readonly string[] = ['getOptimisticResponse', 'getUndo', 'update']

/** @internal The methods of `owner` with these names, with `first` before the arguments that they are called with. */
export function boundMethods(owner: object, first: readonly unknown[], names: readonly string[]): Bag {
  const options: Bag = {}
  for (const name of names) {
    const method = (owner as Bag)[name] as ((...args: unknown[]) => unknown) | undefined
    const before = CALLBACKS.includes(name) ? 1 : 0
    if (method) options[name] = function (this: unknown, ...args: unknown[]): unknown {
      args.splice(before, 0, ...first)
      return method.apply(this, args)
    }
  }
  return options
}

/** @internal The arguments of a call, with those of `bind` before them. Schemas and rows are identified by these. */
export function fullArgs(endpoint: object, args: readonly unknown[]): readonly unknown[] {
  return ((endpoint as Bag)['~bound'] as unknown[] | undefined)?.concat(args) ?? args
}

/** Settings of one run of an endpoint. */
interface RunOptions {
  readonly signal?: AbortSignal | undefined
  readonly transport?: Transport | undefined
}

/**
 * Runs `endpoint` with a `this` derived from it, which carries the signal and the transport of this run. The endpoint
 * itself, which others may be running, does not change.
 *
 * @example
 * const abort = new AbortController()
 * const user = await runEndpoint(UserResource.get, [{ id: 1 }], { signal: abort.signal })
 */
export function runEndpoint<E extends AnyEndpoint>(endpoint: E, args: Parameters<E>, { signal, transport }: RunOptions = {}): ReturnType<E> {
  const run = Object.create(endpoint) as AnyEndpoint
  define(run, { signal, transport })
  return run.fetch(...args) as ReturnType<E>
}

/**
 * Errors that say nothing about the data are soft: the data stays visible beside the error. These are transport
 * failures, server errors, timeouts, "try later", and responses that cannot be parsed.
 */
export function errorPolicy(error: unknown): 'hard' | 'soft' {
  if (error instanceof TimeoutError || error instanceof ParseError) return 'soft'
  const status = (error as { status?: number } | null | undefined)?.status
  if (status === undefined) return error instanceof NetworkError ? 'soft' : 'hard'
  return status >= 500 || status === 408 || status === 429 ? 'soft' : 'hard'
}

/** Values that nobody but the store refers to. The store may rewrite and freeze them instead of copying them. */
const adopted: WeakSet<object> = /* @__PURE__ */ new WeakSet()

/** Hands `value` over to the store: the caller must not use it afterwards. */
export function markAdopted(value: object): void {
  adopted.add(value)
}

/** Whether the store may use `value` without a copy. */
export function isAdopted(value: unknown): boolean {
  return adopted.has(value as object)
}
