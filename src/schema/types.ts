import type { EntityClass, Schema } from './interface.ts'

/**
 * The type of a view of `S`.
 *
 * @example
 * type Page = Denormalize<{ results: schema.Collection<[typeof Todo]>; cursor: '' }> // { results: Todo[]; cursor: string }
 */
export type Denormalize<S> = S extends Schema<infer V>
  ? V
  : S extends EntityClass
    ? InstanceType<S>
    : S extends readonly [infer E]
      ? Denormalize<E>[]
      : S extends readonly (infer E)[]
        ? Denormalize<E>[]
        : S extends DeserializerFunction
          ? Deserialized<S>
          : S extends string
            ? string
            : S extends number
              ? number
              : S extends boolean
                ? boolean
                : S extends object
                  ? { -readonly [K in keyof S]: Denormalize<Field<S[K]>> | Missing<S[K]> }
                  : unknown

/**
 * The arguments of a read of `S` without a request. For an entity: its pk, or an object with some of its fields. For a
 * query: what its function takes after the entries, if it takes anything.
 *
 * @example
 * const read = <S>(schema: S, ...args: QueryArgs<S>) => controller.get(schema, ...args)
 * read(Todo, { id: 1 })
 */
export type QueryArgs<S> = S extends EntityClass ? [of?: string | number | bigint | SomeFields<InstanceType<S>> | null, ...rest: unknown[]] : S extends { readonly inner: unknown; readonly process: (entries: never, ...args: infer P) => unknown } ? ProcessArgs<P> : readonly unknown[]
/** With `null` as the first one, nothing is read. A function that takes none may be of a list that does. */
type ProcessArgs<P extends readonly unknown[]> = P extends readonly [] ? readonly unknown[] : { [K in keyof P]: K extends '0' ? P[K] | null : P[K] }
/** Some fields of an entity; whatever there is for one that declares none. */
export type SomeFields<T> = [FieldNames<T>] extends [never] ? object : { readonly [K in FieldNames<T>]?: unknown }
type FieldNames<T> = { [K in keyof T]: T[K] extends (...args: never[]) => unknown ? never : K }[keyof T]

/** The schema of a field that may be something else instead: what is only `null` lets anything pass. */
export type Field<F> = null extends F ? (unknown extends F ? F : [F] extends [null | undefined] ? F : NonNullable<F>) : undefined extends F ? ([F] extends [undefined] ? F : NonNullable<F>) : F
/** The values that a field of this schema may have instead of a view: `next: '' as string | null` may be `null`. */
export type Missing<F> = null extends F ? (unknown extends F ? never : Extract<F, null | undefined>) : undefined extends F ? undefined : never

/** A class or function that makes a value of what is stored. */
type DeserializerFunction = (abstract new (...args: never[]) => unknown) | ((...args: never[]) => unknown)

/** A constructor gives its instances, also where it could be called plainly (`Date`); the wrappers are called plainly. */
type Deserialized<S> = S extends NumberConstructor
  ? number
  : S extends StringConstructor
    ? string
    : S extends BooleanConstructor
      ? boolean
      : S extends abstract new (...args: never[]) => infer T
        ? T
        : S extends (...args: never[]) => infer R
          ? R
          : never

/**
 * The stored form of a nested `S`: a pk, a list of pks, plain data.
 *
 * @example
 * type A = Stored<[typeof Todo]> // readonly string[]
 */
export type Stored<S> = S extends EntityClass
  ? string
  : S extends Schema<infer V>
    ? V extends readonly unknown[]
      ? readonly string[] | string
      : string | { readonly [field: string]: unknown }
    : S extends readonly (infer E)[]
      ? readonly Stored<E>[]
      : S extends (...args: never[]) => unknown
        ? unknown
        : S extends new (...args: never[]) => unknown
          ? string
          : S extends object
            ? { readonly [K in keyof S]: Stored<S[K]> }
            : unknown

/**
 * The record of an entity: its data fields, with nested entities as pks and deserialized fields as their JSON.
 *
 * @example
 * type A = RecordOf<typeof Todo> // { id: number; title: string; done: boolean }
 */
export type RecordOf<E> = E extends { readonly schema: infer Nested; new (): infer T }
  ? {
      // A class that says nothing of nesting has the schema of `Entity`, whose keys are all strings.
      -readonly [K in keyof T as T[K] extends (...args: never[]) => unknown ? never : K]: string extends keyof Nested
        ? Drafted<T[K]>
        : K extends keyof Nested
          ? Drafted<Stored<Nested[K]>> | Extract<T[K], null | undefined>
          : Drafted<T[K]>
    }
  : never

/** A record is there to be written to, down to its last list, whatever the views of it may forbid. */
type Drafted<T> = T extends string | number | boolean | bigint | ((...args: never[]) => unknown) ? T : T extends object ? { -readonly [K in keyof T]: Drafted<T[K]> } : T
