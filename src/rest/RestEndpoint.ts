import { PathError, SchemaError } from '../base/errors.ts'
import { isObject } from '../base/plain.ts'
import { bound, Endpoint, extended, markAdopted } from '../endpoint/Endpoint.ts'
import type { EndpointMembers, KnownOptions, Override, Reads, RemainingArgs, Transport } from '../endpoint/types.ts'
import { bodyKey, failure, guardedInit, ownInit, plainHeaders, readResponse, requireOk, withBody, type Content } from './http.ts'
import { derive, pageOptions, type ListArgs } from './lists.ts'
import { checkOrigin, routeOf, searchToString, splitArgs, takesBody } from './route.ts'
import type { CreateOptions, MoveOptions, OfList, PageOptions, RemoveOptions, RestArgs, RestOptions, RestResult, SchemaOf, SideEffectOf } from './types.ts'

/** Typed by its members alone, because `extend` and `bind` of a REST endpoint have other types than those of its base. */
const Base: new (fetch: undefined, options: object) => EndpointMembers = Endpoint as never

/** The members of a REST endpoint with the options `O`. */
// eslint-disable-next-line typescript/no-unsafe-declaration-merging -- a class cannot declare that its instances are callable
export interface RestEndpoint<O = RestOptions> {
  (...args: RestArgs<O>): Promise<RestResult<O>>
  readonly schema: SchemaOf<O>
  readonly sideEffect: SideEffectOf<O>
  /** Type-level only. */
  readonly '~reads': Reads<SideEffectOf<O>>
  readonly path: O extends { readonly path: infer P } ? P : string | undefined
  readonly urlPrefix: string | undefined
  readonly method: string
  readonly requestInit: RequestInit | undefined
  readonly body: unknown
  readonly searchParams: unknown
  readonly content: Content | undefined
  readonly paginationField: string | undefined
  readonly itemPath: string | undefined
}

type BoundEndpoint<O, A extends readonly unknown[]> = Endpoint<
  (...args: RemainingArgs<RestArgs<O>, A>) => Promise<RestResult<O>>,
  { readonly schema: SchemaOf<O>; readonly sideEffect: SideEffectOf<O> }
> & { readonly [K in 'push' | 'unshift' | 'assign']: OfList<O, BoundEndpoint<CreateOptions<O>, A>> }

/**
 * An HTTP endpoint: a path template, a method and a schema. Each step of a request is a method. Override it with an
 * option, with `extend`, or in a subclass with `super`.
 *
 * @example
 * const getUser = new RestEndpoint({ urlPrefix: 'https://api.example.com', path: '/users/:id', schema: User })
 * await getUser({ id: 1 }) // GET https://api.example.com/users/1
 */
// eslint-disable-next-line typescript/no-unsafe-declaration-merging -- see above
export class RestEndpoint<const O = RestOptions> extends Base {
  constructor(options: O & RestOptions & KnownOptions<O, keyof RestOptions> & ThisType<RestEndpoint>) {
    super(undefined, options)
  }

  /** Every request goes through this method: URL and init, response, value. */
  async fetch(...args: RestArgs<O>): Promise<RestResult<O>> {
    const [params, body] = splitArgs(this, args)
    const url = this.url(params)
    checkOrigin(routeOf(this), url)
    const init = ownInit(await this.getRequestInit(body))
    const { signal } = this
    // An overridden getRequestInit may omit the signal or use another one. The request must still be abortable.
    if (signal && init.signal !== signal) init.signal = init.signal ? AbortSignal.any([signal, init.signal]) : signal
    // Without a method, a mutation would be sent as GET.
    init.method ??= this.method.toUpperCase()
    init.headers = await this.getHeaders(plainHeaders(init.headers))
    let value: unknown
    try {
      value = await this.parseResponse(await this.fetchResponse(url, init))
    } catch (error) {
      // When the request is aborted, an overridden method may reject with any error.
      throw init.signal?.aborted ? failure(error, init.signal, url) : error
    }
    const result = await this.process(value, ...(args as unknown[]))
    const { fetch, parseResponse, process } = RestEndpoint.prototype
    // The caller of a direct call (`this` is the endpoint itself) keeps the value. In a run of a controller nobody does.
    if (isObject(result) && typeof (this as unknown) === 'object' && this.fetch === fetch && this.parseResponse === parseResponse && this.process === process) markAdopted(result)
    return result as RestResult<O>
  }

  /** The URL for these parameters. Parameters that are not in the path become the query. */
  url(urlParams?: object): string {
    const { template, prefix, origin } = routeOf(this)
    const params: { [name: string]: unknown } = { ...urlParams }
    const url = prefix + template.fill(params) || '/'
    // Without an optional group at its start, a path can begin with two slashes, which would name a host.
    if (!origin && url.startsWith('//')) throw new PathError(`"${url}" is another host.`)
    for (const name of template.names) delete params[name]
    const search = this.searchToString(params)
    return search ? url + template.separator + search : url
  }

  /** The query string of the parameters that are not in the path. */
  searchToString(params: { readonly [name: string]: unknown }): string {
    return searchToString(params)
  }

  /** The request init for `body`. An override may return a promise. */
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
    return withBody({ ...this.requestInit, method: this.method.toUpperCase(), ...(this.signal && { signal: this.signal }) }, body)
  }

  /** The headers of the request. `headers` are those of the init, with lower-case names. */
  getHeaders(headers: { [name: string]: string }): NonNullable<RequestInit['headers']> | Promise<NonNullable<RequestInit['headers']>> {
    return headers
  }

  /** Sends the request with the transport of this run. Throws a `NetworkError` when the response is not ok. */
  async fetchResponse(input: string, init: RequestInit): Promise<Response> {
    // A browser's `fetch` cannot be called as a method of another object.
    const send: Transport = this.transport ?? globalThis.fetch
    const guarded = guardedInit(init)
    const { method = 'GET', redirect, signal } = guarded
    let response: Response
    try {
      response = await send(input, guarded)
    } catch (error) {
      const hint = redirect === 'error' ? ' (redirects are refused)' : ''
      throw failure(error, signal, `${method} ${input}${hint}`)
    }
    return requireOk(response, method, response.url || input)
  }

  /** The value of a response. Throws when it is not what the schema expects. */
  parseResponse(response: Response): Promise<unknown> {
    return readResponse(this, response)
  }

  /** Transforms the value before it is normalized. */
  process(value: unknown, ..._args: unknown[]): unknown {
    return value
  }

  /** `METHOD url`, followed by the body for reads that have one. */
  key(...args: RestArgs<O>): string {
    const [params, body] = splitArgs(this, args)
    const key = `${this.method.toUpperCase()} ${this.url(params)}`
    return takesBody(this) && !this.sideEffect ? `${key} ${bodyKey(body)}` : key
  }

  override testKey(key: string): boolean {
    const { template, prefix } = routeOf(this)
    const start = `${this.method.toUpperCase()} ${prefix}`
    if (!key.startsWith(start)) return false
    const url = key.slice(start.length).split(' ', 1)[0]!
    // A path without its optional parts may be empty, which is sent as "/".
    return template.matches(url) || (url.startsWith('/') && template.matches(url.slice(1)))
  }

  /** Returns another endpoint with `options` over everything that this one has or inherits. */
  extend<const P extends RestOptions>(options: P & KnownOptions<P, keyof RestOptions | keyof this> & ThisType<RestEndpoint>): RestEndpoint<Override<O, P>> {
    return extended(this, options) as RestEndpoint<Override<O, P>>
  }

  /** Returns an endpoint that puts `args` before its own arguments. Its key contains them. */
  bind<const A extends readonly unknown[] & Partial<RestArgs<O>>>(_thisArg: unknown, ...args: A): BoundEndpoint<O, A> {
    return bound(this, args) as never
  }

  /** POST: adds the created entity to the end of the lists that it belongs to. */
  get push(): OfList<O, RestEndpoint<CreateOptions<O>>> {
    return derive(this, 'push') as never
  }

  /** POST: adds the created entity to the start of the lists that it belongs to. */
  get unshift(): OfList<O, RestEndpoint<CreateOptions<O>>> {
    return derive(this, 'unshift') as never
  }

  /** POST: sets the created entity by name in collections over `schema.Values`. */
  get assign(): OfList<O, RestEndpoint<CreateOptions<O>>> {
    return derive(this, 'assign') as never
  }

  /** PATCH: removes the entity from the lists that the arguments name. */
  get remove(): OfList<O, RestEndpoint<RemoveOptions<O>>> {
    return derive(this, 'remove') as never
  }

  /** PATCH: moves the entity from the lists that it no longer belongs to into those that it now belongs to. */
  get move(): OfList<O, RestEndpoint<MoveOptions<O>>> {
    return derive(this, 'move') as never
  }

  /**
   * The endpoint of the next pages. `cursor` is the name of the argument that selects a page, or a function from the
   * arguments of a page to those of its list. A page is appended to its list; other members of the response replace
   * those of the list.
   */
  paginated<const F extends string | ListArgs>(cursor: F): RestEndpoint<PageOptions<O, F>> {
    return extended(this, pageOptions(this as never, cursor)) as RestEndpoint<PageOptions<O, F>>
  }

  /** The same as `paginated`. */
  paginate<const F extends string | ListArgs>(cursor: F): RestEndpoint<PageOptions<O, F>> {
    return this.paginated(cursor)
  }

  /** The endpoint of the next pages, with `paginationField` as the cursor. */
  get getPage(): RestEndpoint<PageOptions<O, O extends { readonly paginationField: infer F extends string } ? F : never>> {
    const field = this.paginationField
    if (!field) throw new SchemaError('getPage needs a paginationField.')
    return this.paginated(field) as never
  }
}
