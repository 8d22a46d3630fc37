import type { EndpointOptions, Override } from '../endpoint/types.ts'
import type { Collection } from '../schema/Collection.ts'
import type { Creation } from '../schema/Creation.ts'
import type { EntityClass, Schema } from '../schema/interface.ts'
import type { Move } from '../schema/Creation.ts'
import type { Object as ObjectSchema } from '../schema/Object.ts'
import type { Field, Missing } from '../schema/types.ts'
import type { Content } from './response.ts'

type Lower = 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm' | 'n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z'
type Start = Lower | Uppercase<Lower> | '_'
type Rest = Start | '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'

/** The name at the start of `T` and what follows it; the name is '' when there is none. */
type Name<T extends string, N extends string = ''> = T extends `${infer C}${infer R}`
  ? C extends (N extends '' ? Start : Rest)
    ? Name<R, `${N}${C}`>
    : [N, T]
  : [N, T]

/** The parameters of a template, marked: `id`, `?id` for an optional one, `*id` for a wildcard, `?*id` for both. */
type Marks<P extends string> = P extends `${string}${'{' | '*' | '\\'}${string}` ? Scan<P> : Colons<P>

/** Templates without groups and wildcards, which are nearly all, are split at their colons. */
type Colons<P extends string, Found = never> = P extends `${string}:${infer R}`
  ? Name<R> extends [infer N extends string, infer After extends string]
    ? Colons<After, N extends '' ? Found : Found | (After extends `?${string}` ? `?${N}` : N)>
    : never
  : Found

/** All others are read character by character; `Depth` has a member for each open group. */
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
type Part<M> = M extends `${string}*${string}` ? string[] : string | number

/**
 * The arguments that a path template asks for.
 *
 * @example
 * type A = PathArgs<'/groups/:group/users/:id?'> // { group: string | number; id?: string | number | undefined }
 */
export type PathArgs<P extends string> = string extends P
  ? { [name: string]: unknown }
  : // Inferred and mapped once more, so that messages show an object and not how it was made.
    { [M in Marks<P> as M extends `?${string}` ? never : Bare<M> & string]: Part<M> } & {
        [M in Marks<P> as M extends `?${string}` ? Bare<M> & string : never]?: Part<M> | undefined
      } extends infer T
    ? { [K in keyof T]: T[K] }
    : never

/**
 * Where the list is: the template up to its last parameter.
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
 * What may be said of a REST endpoint. Methods may be annotated with the arguments that they expect.
 *
 * @example
 * new RestEndpoint({ path: '/users/:id', method: 'PATCH', body: {} as { name: string }, schema: User })
 */
export interface RestOptions extends EndpointOptions {
  /** The template of the path: `/users/:id`. */
  readonly path?: string
  /** What the path is appended to: the origin, and what all paths begin with. */
  readonly urlPrefix?: string
  readonly method?: string
  /** Its type is that of the body; undefined means that there is none. */
  readonly body?: unknown
  /** Its type is that of the arguments which are not in the path. */
  readonly searchParams?: unknown
  /** How to read the body of an answer, whatever its content-type says. */
  readonly content?: Content
  /** The argument that names a page; see `getPage`. */
  readonly paginationField?: string
  /** Where one member of the list is, for `remove` and `move`; resources say it. */
  readonly itemPath?: string
  url?(urlParams?: object): string
  searchToString?(params: { readonly [name: string]: unknown }): string
  getRequestInit?(body?: unknown): RequestInit | Promise<RequestInit>
  // Not by the name that a page has for it, which the types of Node do not know.
  getHeaders?(headers: { [name: string]: string }): NonNullable<RequestInit['headers']> | Promise<NonNullable<RequestInit['headers']>>
  fetchResponse?(input: string, init: RequestInit): Promise<Response>
  parseResponse?(response: Response): Promise<unknown>
  process?(value: unknown, ...args: unknown[]): unknown
}

type Of<O, K extends string> = O extends { readonly [N in K]: infer V } ? V : undefined
type PathOf<O> = O extends { readonly path: infer P extends string } ? P : string
/** `string` for one that is only known at run time. */
type MethodOf<O> = O extends { readonly method: infer M extends string } ? (string extends M ? string : Uppercase<M>) : O extends { readonly sideEffect: true } ? 'POST' : 'GET'

/** The arguments for the URL: those of the path, and those of the query. Those of the query alone are no intersection: beside `{}` anything would do for them. */
type UrlArgs<O> = [keyof PathArgs<PathOf<O>>] extends [never]
  ? O extends { readonly searchParams: unknown } ? Searched<O> : {}
  : PathArgs<PathOf<O>> & Searched<O>

/** What a query may have where nothing is said. An interface has no index signature, so that alone would refuse its objects. */
type AnySearch = { readonly [name: string]: unknown } | object | undefined

/**
 * What may be sent where nothing is said.
 *
 * @example
 * const body: AnyBody = new FormData()
 */
export type AnyBody = object | string | null

/** The arguments for the body: none, one, or one that may be left out. */
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
/** The names in any of the forms that `T` may have. */
type Keys<T> = T extends unknown ? keyof T : never
type ParamArgs<O, T> = [Keys<T>] extends [never] ? [] : HasRequired<T> extends true ? [urlParams: T] : PathOf<O> extends infer P ? (string extends P ? [urlParams?: object] : [urlParams?: T]) : never

/** A body after optional parameters needs something in their place. */
type Join<P, B extends readonly unknown[]> = P extends [urlParams?: infer U] ? [urlParams: U | undefined, ...B] : B

/**
 * The arguments of an endpoint with the options `O`. Where the path has no parameter, one argument is the body.
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
 * What a direct call resolves with: what `process` gives, or else the answer as it came.
 *
 * @example
 * type A = RestResult<{ path: '/size'; process(value: unknown): number }> // number
 */
export type RestResult<O> = O extends { process(...args: infer _): infer R } ? Awaited<R> : O extends { readonly schema: infer S } ? Payload<S> : unknown

/**
 * What the answer for a schema looks like before anything is made of it: fields, but neither classes nor dates.
 *
 * @example
 * type A = Payload<[typeof Todo]> // { id: number; title: string; done: boolean }[]
 */
export type Payload<S> = S extends Collection<infer D>
  ? Payload<D>
  : S extends Creation<infer D>
    ? Member<D>
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
type Member<D> = Payload<D> extends readonly (infer E)[] ? E : Payload<D>

/** The schema that the options `O` state. */
export type SchemaOf<O> = Of<O, 'schema'>
/** Whether an endpoint with the options `O` changes something. */
export type SideEffectOf<O> = O extends { readonly sideEffect: infer E extends boolean }
  ? E
  : RestOptions extends O
    ? boolean
    : string extends MethodOf<O>
      ? boolean
      : MethodOf<O> extends 'GET' | 'HEAD' | 'OPTIONS'
        ? false
        : true

/** What the first collection in `S` is a collection of. */
type Listed<S> = S extends Collection<infer D> ? D : S extends ObjectSchema<infer F> ? { [K in keyof F]: Listed<F[K]> }[keyof F] : S extends Schema | EntityClass | readonly unknown[] ? never : S extends object ? { [K in keyof S]: Listed<S[K]> }[keyof S] : never

/** `T` where there may be a list, and else why there is none: `push` of an endpoint without a collection throws. */
export type OfList<O, T> = [Listed<SchemaOf<O>>] extends [never]
  ? RestOptions extends O ? T : unknown extends SchemaOf<O> ? T : 'There is no schema.Collection in the schema of this endpoint.'
  : T

/**
 * The options of what `push`, `unshift` and `assign` make.
 *
 * @example
 * type A = CreateOptions<{ path: '/todos'; schema: schema.Collection<[typeof Todo]> }>['method'] // 'POST'
 */
export type CreateOptions<O> = Override<O, { readonly method: 'POST'; readonly schema: Creation<Listed<SchemaOf<O>>> }>
/** Where one member of the list is. */
type ItemPath<O> = O extends { readonly itemPath: infer P } ? P : PathOf<O>
/**
 * The options of what `remove` makes.
 *
 * @example
 * type A = RemoveOptions<{ path: '/todos'; itemPath: '/todos/:id'; schema: schema.Collection<[typeof Todo]> }>['path'] // '/todos/:id'
 */
export type RemoveOptions<O> = Override<Omit<O, 'searchParams'>, { readonly method: 'PATCH'; readonly path: ItemPath<O>; readonly schema: Creation<Listed<SchemaOf<O>>> }>
/**
 * The options of what `move` makes.
 *
 * @example
 * type A = MoveOptions<{ path: '/todos'; itemPath: '/todos/:id'; schema: schema.Collection<[typeof Todo]> }>['path'] // '/todos/:id'
 */
export type MoveOptions<O> = Override<Omit<O, 'searchParams'>, { readonly method: 'PATCH'; readonly path: ItemPath<O>; readonly schema: Move<Listed<SchemaOf<O>>> }>

/** The options of a page: its cursor is the argument `F`, or its arguments are those of the function `F`. */
export type PageOptions<O, F> = F extends string
  ? Override<O, { readonly searchParams: Searched<O> & { readonly [K in F]: string | number } }>
  : F extends (...args: infer A) => unknown
    ? Override<O, { readonly '~args': A }>
    : never
type Searched<O> = O extends { readonly searchParams: infer S } ? Query<unknown extends S ? AnySearch : S> : unknown
type Query<S> = [S] extends [undefined] ? unknown : undefined extends S ? Partial<NonNullable<S>> : S
