import type { EndpointOptions, Override } from '../endpoint/types.ts'
import type { Collection } from '../schema/Collection.ts'
import type { Creation, Move } from '../schema/Creation.ts'
import type { EntityClass, Schema } from '../schema/interface.ts'
import type { Object as ObjectSchema } from '../schema/Object.ts'
import type { Query as QuerySchema } from '../schema/Query.ts'
import type { Field, Missing } from '../schema/types.ts'
import type { Content } from './http.ts'

type Lower = 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm' | 'n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z'
type Start = Lower | Uppercase<Lower> | '_'
type Rest = Start | '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'

/** The name at the start of `T` and the text after it; '' when there is no name. */
type Name<T extends string, N extends string = ''> = T extends `${infer C}${infer R}`
  ? C extends (N extends '' ? Start : Rest)
    ? Name<R, `${N}${C}`>
    : [N, T]
  : [N, T]

/** The parameters of a template with marks: `id`, optional `?id`, wildcard `*id`, optional wildcard `?*id`. */
type Marks<P extends string> = P extends `${string}${'{' | '*' | '\\'}${string}` ? Scan<P> : Colons<P>

/** Most templates have no groups or wildcards and can be split at their colons, which is fast. */
type Colons<P extends string, Found = never> = P extends `${string}:${infer R}`
  ? Name<R> extends [infer N extends string, infer After extends string]
    ? Colons<After, N extends '' ? Found : Found | (After extends `?${string}` ? `?${N}` : N)>
    : never
  : Found

/** Reads other templates character by character. `Depth` has a member for each open group. */
type Scan<P extends string, Found = never, Depth extends 0[] = []> = P extends `${infer C}${infer R}`
  ? C extends '\\'
    ? R extends `${string}${infer After}` ? Scan<After, Found, Depth> : Found
    : C extends '{'
      ? Scan<R, Found, [...Depth, 0]>
      : C extends '}'
        ? Scan<R, Found, Depth extends [0, ...infer D extends 0[]] ? D : []>
        : C extends ':' | '*'
          ? Name<R> extends [infer N extends string, infer After extends string]
            ? Scan<After, N extends '' ? Found : Found | `${Depth extends [] ? (After extends `?${string}` ? '?' : '') : '?'}${C extends '*' ? '*' : ''}${N}`, Depth>
            : never
          : Scan<R, Found, Depth>
  : Found

type Bare<M> = M extends `?${infer N}` ? Bare<N> : M extends `*${infer N}` ? N : M
type PathValue<M> = M extends `${string}*${string}` ? string[] : string | number

/**
 * The arguments of a path template.
 *
 * @example
 * type A = PathArgs<'/groups/:group/users/:id?'> // { group: string | number; id?: string | number | undefined }
 */
export type PathArgs<P extends string> = string extends P
  ? { [name: string]: unknown }
  : // Mapped once more, so that compiler messages show an object instead of this type.
    { [M in Marks<P> as M extends `?${string}` ? never : Bare<M> & string]: PathValue<M> } & {
        [M in Marks<P> as M extends `?${string}` ? Bare<M> & string : never]?: PathValue<M> | undefined
      } extends infer T
    ? { [K in keyof T]: T[K] }
    : never

/**
 * The path of the list: the template up to its last parameter.
 *
 * @example
 * type A = ListPath<'/groups/:group/users/:id'> // '/groups/:group/users'
 */
export type ListPath<P extends string> = string extends P ? string : P extends `${string}${'*' | '\\'}${string}` ? string : Trimmed<Cut<P>>
type Cut<P extends string, Done extends string = '', Found extends string = ''> = P extends `${infer A}:${infer B}`
  ? Cut<B, `${Done}${A}:`, B extends `${Start}${string}` ? `${Done}${A}` : Found>
  : Found
type Trimmed<P extends string> = P extends `${infer A}/` | `${infer A}{` ? Trimmed<A> : P extends '' ? '/' : P

/**
 * The options of a REST endpoint. Methods may declare narrower argument types.
 *
 * @example
 * new RestEndpoint({ path: '/users/:id', method: 'PATCH', body: {} as { name: string }, schema: User })
 */
export interface RestOptions extends EndpointOptions {
  /** The path template, such as `/users/:id`. */
  readonly path?: string
  /** The text before the path: an origin, a common path, or both. */
  readonly urlPrefix?: string
  readonly method?: string
  /** Settings for every request, such as `credentials`, `mode` or `headers`. `getRequestInit` adds to them. */
  readonly requestInit?: RequestInit
  /** Declares the type of the body; `undefined` means no body. */
  readonly body?: unknown
  /** Declares the type of the arguments that are not in the path. */
  readonly searchParams?: unknown
  /** How to read the body of a response, whatever its content type is. */
  readonly content?: Content
  /** The argument that selects a page; see `getPage`. */
  readonly paginationField?: string
  /** The path of one item of the list, for `remove` and `move`. Resources set it. */
  readonly itemPath?: string
  url?(urlParams?: object): string
  searchToString?(params: { readonly [name: string]: unknown }): string
  getRequestInit?(body?: unknown): RequestInit | Promise<RequestInit>
  // Not `HeadersInit`, which the types of Node do not declare.
  getHeaders?(headers: { [name: string]: string }): NonNullable<RequestInit['headers']> | Promise<NonNullable<RequestInit['headers']>>
  fetchResponse?(input: string, init: RequestInit): Promise<Response>
  parseResponse?(response: Response): Promise<unknown>
  process?(value: unknown, ...args: unknown[]): unknown
}

type Of<O, K extends string> = O extends { readonly [N in K]: infer V } ? V : undefined
type PathOf<O> = O extends { readonly path: infer P extends string } ? P : string
/** `string` when the method is only known at run time. */
type MethodOf<O> = O extends { readonly method: infer M extends string } ? (string extends M ? string : Uppercase<M>) : O extends { readonly sideEffect: true } ? 'POST' : 'GET'

/** The arguments for the path and the query. Query arguments alone are not intersected with `{}`, which would accept anything. */
type UrlArgs<O> = [keyof PathArgs<PathOf<O>>] extends [never]
  ? O extends { readonly searchParams: unknown } ? Searched<O> : {}
  : PathArgs<PathOf<O>> & Searched<O>

/** The query when `searchParams` has no type. `object` accepts interfaces, which have no index signature. */
type AnySearch = { readonly [name: string]: unknown } | object | undefined

/**
 * The body when `body` has no type.
 *
 * @example
 * const body: AnyBody = new FormData()
 */
export type AnyBody = object | string | null

/** The body argument: none, required, or optional. */
type BodyArgs<O> = string extends MethodOf<O>
  ? [body?: AnyBody]
  : MethodOf<O> extends 'GET' | 'HEAD' | 'OPTIONS'
    ? []
    : O extends { readonly body: infer B }
      ? unknown extends B
        ? [body?: B]
        : [B] extends [undefined]
          ? []
          : undefined extends B
            ? [body?: B]
            : [body: B]
      : MethodOf<O> extends 'DELETE'
        ? []
        : [body?: AnyBody]

type HasRequired<T> = {} extends T ? false : true
/** The names in all members of the union `T`. */
type Keys<T> = T extends unknown ? keyof T : never
type ParamArgs<O, T> = [Keys<T>] extends [never] ? [] : HasRequired<T> extends true ? [urlParams: T] : PathOf<O> extends infer P ? (string extends P ? [urlParams?: object] : [urlParams?: T]) : never

/** Before a body, optional URL parameters must be passed, at least as `undefined`. */
type Join<P, B extends readonly unknown[]> = P extends [urlParams?: infer U] ? [urlParams: U | undefined, ...B] : B

/**
 * The arguments of an endpoint with the options `O`. When the path has no parameter, a single argument is the body.
 *
 * @example
 * type A = RestArgs<{ path: '/users/:id'; method: 'PATCH'; body: { name: string } }> // [{ id: string | number }, { name: string }]
 */
export type RestArgs<O> = O extends { readonly '~args': infer A extends unknown[] }
  ? A
  : RestOptions extends O
    ? [urlParams?: object, body?: unknown]
  : BodyArgs<O> extends []
    ? ParamArgs<O, UrlArgs<O>>
    : HasRequired<UrlArgs<O>> extends true
      ? [...ParamArgs<O, UrlArgs<O>>, ...BodyArgs<O>]
      : [Marks<PathOf<O>>] extends [never]
        ? BodyArgs<O> | ([Keys<UrlArgs<O>>] extends [never] ? never : Join<ParamArgs<O, UrlArgs<O>>, BodyArgs<O>>)
        : Join<ParamArgs<O, UrlArgs<O>>, BodyArgs<O>>

/**
 * The value of a direct call: the result of `process`, or else the response as the server sent it.
 *
 * @example
 * type A = RestResult<{ path: '/size'; process(value: unknown): number }> // number
 */
export type RestResult<O> = O extends { process(...args: infer _): infer R } ? Awaited<R> : O extends { readonly schema: infer S } ? Payload<S> : unknown

/**
 * The response for a schema as the server sends it: fields, without classes or dates.
 *
 * @example
 * type A = Payload<[typeof Todo]> // { id: number; title: string; done: boolean }[]
 */
export type Payload<S> = S extends Collection<infer D>
  ? Payload<D>
  : S extends Creation<infer D>
    ? ElementOf<D>
    : S extends Schema<infer V>
      ? V
      : S extends EntityClass
        ? { [K in keyof InstanceType<S> as InstanceType<S>[K] extends (...args: never[]) => unknown ? never : K]: S extends { readonly schema: { readonly [N in K]: infer F } } ? Payload<F> : InstanceType<S>[K] }
        : S extends readonly (infer E)[]
          ? Payload<E>[]
          : S extends (...args: never[]) => unknown
            ? unknown
            : S extends new (...args: never[]) => unknown
              ? unknown
              : S extends string
                ? string
                : S extends number
                  ? number
                  : S extends boolean
                    ? boolean
                    : S extends object
                      ? { -readonly [K in keyof S]: Payload<Field<S[K]>> | Missing<S[K]> }
                      : unknown
type ElementOf<D> = Payload<D> extends readonly (infer E)[] ? E : Payload<D>

/** The schema in the options `O`. */
export type SchemaOf<O> = Of<O, 'schema'>
/** Whether an endpoint with the options `O` has a side effect. */
export type SideEffectOf<O> = O extends { readonly sideEffect: infer E extends boolean }
  ? E
  : RestOptions extends O
    ? boolean
    : string extends MethodOf<O>
      ? boolean
      : MethodOf<O> extends 'GET' | 'HEAD' | 'OPTIONS'
        ? false
        : true

/** The definition of the first collection in `S`. */
type Listed<S> = S extends Collection<infer D> ? D : S extends QuerySchema<infer I, infer _R, infer _P> ? Listed<I> : S extends ObjectSchema<infer F> ? { [K in keyof F]: Listed<F[K]> }[keyof F] : S extends Schema | EntityClass | readonly unknown[] ? never : S extends object ? { [K in keyof S]: Listed<S[K]> }[keyof S] : never

/** `T` when the schema may contain a collection, else the message that the compiler shows. */
export type OfList<O, T> = [Listed<SchemaOf<O>>] extends [never]
  ? RestOptions extends O ? T : unknown extends SchemaOf<O> ? T : 'There is no schema.Collection in the schema of this endpoint.'
  : T

/**
 * The options of `push`, `unshift` and `assign`.
 *
 * @example
 * type A = CreateOptions<{ path: '/todos'; schema: schema.Collection<[typeof Todo]> }>['method'] // 'POST'
 */
export type CreateOptions<O> = Override<O, { readonly method: 'POST'; readonly schema: Creation<Listed<SchemaOf<O>>> }>
/** A part of the body `B`. Forms, texts and lists are not divided. */
export type PartOf<B> = unknown extends B ? B : B extends FormData | string | readonly unknown[] | undefined | null ? B : Partial<B>
/** What `remove` and `move` send: a PATCH to the path of one item, with a part of the body. */
type ItemOptions<O> = { readonly method: 'PATCH'; readonly path: ItemPath<O> } & (O extends { readonly body: infer B } ? { readonly body: PartOf<B> } : unknown)
/** The path of one item of the list. */
type ItemPath<O> = O extends { readonly itemPath: infer P } ? P : PathOf<O>
/**
 * The options of `remove`.
 *
 * @example
 * type A = RemoveOptions<{ path: '/todos'; itemPath: '/todos/:id'; schema: schema.Collection<[typeof Todo]> }>['path'] // '/todos/:id'
 */
export type RemoveOptions<O> = Override<Omit<O, 'searchParams'>, ItemOptions<O> & { readonly schema: Creation<Listed<SchemaOf<O>>> }>
/**
 * The options of `move`.
 *
 * @example
 * type A = MoveOptions<{ path: '/todos'; itemPath: '/todos/:id'; schema: schema.Collection<[typeof Todo]> }>['path'] // '/todos/:id'
 */
export type MoveOptions<O> = Override<Omit<O, 'searchParams'>, ItemOptions<O> & { readonly schema: Move<Listed<SchemaOf<O>>> }>

/** The options of a page. `F` is the name of the cursor argument, or a function whose arguments are those of the page. */
export type PageOptions<O, F> = F extends string
  ? Override<O, { readonly searchParams: Searched<O> & { readonly [K in F]: string | number } }>
  : F extends (...args: infer A) => unknown
    ? Override<O, { readonly '~args': A }>
    : never
type Searched<O> = O extends { readonly searchParams: infer S } ? QueryOf<unknown extends S ? AnySearch : S> : unknown
type QueryOf<S> = [S] extends [undefined] ? unknown : undefined extends S ? Partial<NonNullable<S>> : S
