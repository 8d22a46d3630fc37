import { PathError, SchemaError } from '../base/errors.ts'
import { Endpoint, extended } from '../endpoint/Endpoint.ts'
import type { EndpointMembers, Override, Reads, Transport } from '../endpoint/types.ts'
import { routeFor, splitArgs, takesBody } from './args.ts'
import { bodyInit, bodyKey } from './body.ts'
import { failure } from './failure.ts'
import { fillTemplate, type UrlParams } from './fill.ts'
import { guardedInit, ownInit, plainHeaders } from './headers.ts'
import { matchTemplate } from './match.ts'
import { checkOrigin } from './origin.ts'
import { collectionIn, pageOptions, type ListArgs } from './page.ts'
import { readResponse, type Content } from './response.ts'
import { searchToString } from './search.ts'
import type { CreateOptions, MoveOptions, OfList, PageOptions, RemoveOptions, RestArgs, RestOptions, RestResult, SchemaOf, SideEffectOf } from './types.ts'

/** Typed by its members alone, because `extend` of a REST endpoint takes and gives more than that of its base. */
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
  readonly body: unknown
  readonly searchParams: unknown
  readonly content: Content | undefined
  readonly paginationField: string | undefined
  readonly itemPath: string | undefined
}

/**
 * HTTP as an endpoint: a path template, a method, a schema. Each step of a request is a method, to be overridden by an
 * option, by `extend`, or in a subclass with `super`.
 *
 * @example
 * const getUser = new RestEndpoint({ urlPrefix: 'https://api.example.com', path: '/users/:id', schema: User })
 * await getUser({ id: 1 }) // GET https://api.example.com/users/1
 */
// eslint-disable-next-line typescript/no-unsafe-declaration-merging -- see above
export class RestEndpoint<const O = RestOptions> extends Base {
  constructor(options: O & RestOptions & ThisType<RestEndpoint>) {
    super(undefined, options)
  }

  /** Every request passes through here: address and init, response, value. */
  async fetch(...args: RestArgs<O>): Promise<RestResult<O>> {
    const [params, body] = splitArgs(this, args)
    const url = this.url(params)
    checkOrigin(routeFor(this), url)
    const init = ownInit(await this.getRequestInit(body))
    const { signal } = this
    // An override may have forgotten it, or have one of its own, and then nobody else could end the request.
    if (signal && init.signal !== signal) init.signal = init.signal ? AbortSignal.any([signal, init.signal]) : signal
    // Without it a change would be sent as a read, and seem to be made.
    init.method ??= this.method.toUpperCase()
    init.headers = await this.getHeaders(plainHeaders(init.headers))
    const response = await this.fetchResponse(url, init)
    let value: unknown
    try {
      value = await this.parseResponse(response)
    } catch (error) {
      // An override may read the body by itself; that an abort ended it is still an abort.
      throw init.signal?.aborted ? failure(error, init.signal, url) : error
    }
    return (await this.process(value, ...(args as unknown[]))) as RestResult<O>
  }

  /** The address for these parameters: the path filled, the others as its query. */
  url(urlParams?: object): string {
    const { template, prefix, origin } = routeFor(this)
    const params = (urlParams ?? {}) as UrlParams
    const url = prefix + fillTemplate(template, params) || '/'
    // A group that is left out at the start may leave two slashes, and those are a host.
    if (origin === '' && url.startsWith('//')) throw new PathError(`"${url}", of the path "${template.source}", would be another host.`)
    const others = Object.fromEntries(Object.entries(params).filter(([name]) => !template.names.has(name)))
    const search = this.searchToString(others)
    return search === '' ? url : `${url}?${search}`
  }

  /** The query of the parameters that are not in the path. */
  searchToString(params: { readonly [name: string]: unknown }): string {
    return searchToString(params)
  }

  /** What to send with `body`. May be overridden by a method that gives a promise; this one does not. */
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
    const { signal } = this
    return { method: this.method.toUpperCase(), ...(signal && { signal }), ...bodyInit(body) }
  }

  /** The headers of every request; `headers` are those that the init has, by lower-case names. */
  getHeaders(headers: { [name: string]: string }): NonNullable<RequestInit['headers']> | Promise<NonNullable<RequestInit['headers']>> {
    return headers
  }

  /** Sends, by the transport of this run or the platform's. */
  async fetchResponse(input: string, init: RequestInit): Promise<Response> {
    // A variable, because a browser's fetch refuses to be a method of anything else.
    const send: Transport = this.transport ?? globalThis.fetch
    const guarded = guardedInit(init)
    try {
      return await send(input, guarded)
    } catch (error) {
      const hint = guarded.redirect === 'error' ? ' (redirects are refused, as headers would go along; see getRequestInit)' : ''
      throw failure(error, guarded.signal, `${guarded.method ?? 'GET'} ${input}${hint}`)
    }
  }

  /** The value of a response; an error when it is not ok, or not what the schema waits for. */
  parseResponse(response: Response): Promise<unknown> {
    return readResponse(this, response)
  }

  /** What to make of the value before it is normalized. */
  process(value: unknown, ..._args: unknown[]): unknown {
    return value
  }

  /** `METHOD url`, and for a read that has a body that too. */
  key(...args: RestArgs<O>): string {
    const [params, body] = splitArgs(this, args)
    const key = `${this.method.toUpperCase()} ${this.url(params)}`
    return !this.sideEffect && takesBody(this) ? `${key} ${bodyKey(body)}` : key
  }

  override testKey(key: string): boolean {
    const { template, prefix } = routeFor(this)
    const start = `${this.method.toUpperCase()} ${prefix}`
    if (!key.startsWith(start)) return false
    const path = key.slice(start.length).split(/[? ]/, 1)[0]!
    return matchTemplate(template, path) || (path === '/' && matchTemplate(template, ''))
  }

  /** Another endpoint: this one, with `options` over everything that it is or inherits. */
  extend<const P extends RestOptions>(options: P & ThisType<RestEndpoint>): RestEndpoint<Override<O, P>> {
    return extended(this, options) as RestEndpoint<Override<O, P>>
  }

  /** POST: what is created goes to the end of the lists that it belongs to. */
  get push(): OfList<O, RestEndpoint<CreateOptions<O>>> {
    return creator(this, 'push') as never
  }

  /** POST: what is created goes to the start. */
  get unshift(): OfList<O, RestEndpoint<CreateOptions<O>>> {
    return creator(this, 'unshift') as never
  }

  /** POST: what is created is set by name, in collections over `schema.Values`. */
  get assign(): OfList<O, RestEndpoint<CreateOptions<O>>> {
    return creator(this, 'assign') as never
  }

  /** PATCH: the entity leaves the lists that the arguments name. */
  get remove(): OfList<O, RestEndpoint<RemoveOptions<O>>> {
    return changer(this, 'remove') as never
  }

  /** PATCH: the entity leaves the lists that it no longer belongs to, and enters those that it does. */
  get move(): OfList<O, RestEndpoint<MoveOptions<O>>> {
    return changer(this, 'move') as never
  }

  /**
   * The next page: fetched with `field`, or with arguments from which a function makes those of the list, and
   * appended to that list. Other members of the answer take the page's values.
   */
  paginated<const F extends string | ListArgs>(cursor: F): RestEndpoint<PageOptions<O, F>> {
    return extended(this, pageOptions(this as never, cursor)) as RestEndpoint<PageOptions<O, F>>
  }

  /** The same as `paginated`. */
  paginate<const F extends string | ListArgs>(cursor: F): RestEndpoint<PageOptions<O, F>> {
    return this.paginated(cursor)
  }

  /** The next page, by the argument that `paginationField` names. */
  get getPage(): RestEndpoint<PageOptions<O, O extends { readonly paginationField: infer F extends string } ? F : never>> {
    const field = this.paginationField
    if (!field) throw new SchemaError('getPage needs paginationField: the argument that says which page.')
    return this.paginated(field) as never
  }
}

type Maker = 'push' | 'unshift' | 'assign' | 'remove' | 'move'

function creator(list: Listing, how: Maker): object {
  return derived(list, how, { method: 'POST', ...list['~create'] })
}

function changer(list: Listing, how: Maker): object {
  const { itemPath } = list
  // What has left its lists comes back to them.
  const back = how === 'remove' && { '~back': collectionIn(list.schema, how).push }
  return derived(list, how, { method: 'PATCH', ...back, ...(itemPath && { path: itemPath, itemPath: undefined }), ...list['~change'] })
}

/** A list, and what a resource has given it for the endpoints that are made of it: optimistic answers, and ways back. */
interface Listing {
  readonly name: string
  readonly schema: unknown
  readonly itemPath: string | undefined
  readonly '~create'?: object
  readonly '~change'?: object
}

function derived(list: Listing, how: Maker, options: object): object {
  return extended(list, { name: `${list.name}.${how}`, schema: collectionIn(list.schema, how)[how], ...options })
}
