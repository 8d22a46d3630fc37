/**
 * A value, or a function that gives it: then what reads it follows it.
 *
 * @example
 * type A = MaybeAccessor<number> // number | (() => number)
 */
export type MaybeAccessor<T> = T | (() => T)

/**
 * Arguments of an endpoint, each as a value or an accessor. `null` as the first means: not yet.
 *
 * @example
 * type A = AccessorArgs<[{ id: number }]> // [MaybeAccessor<{ id: number } | null>]
 */
export type AccessorArgs<A extends readonly unknown[]> = { [K in keyof A]: MaybeAccessor<K extends '0' ? A[K] | null : A[K]> } | (A extends readonly [] ? NotYet : never)

/** What has no arguments may have to wait all the same. */
type NotYet = [notYet: MaybeAccessor<null | undefined>]

/** The arguments as they are now; undefined for "not yet". */
export function resolveArgs(args: readonly unknown[]): unknown[] | undefined {
  const now = args.map(each => (typeof each === 'function' ? (each as () => unknown)() : each))
  return now[0] === null ? undefined : now
}
