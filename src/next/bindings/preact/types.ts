import type { AnyEndpoint } from '../../index.ts'

/**
 * The arguments of an endpoint, or `null` in place of the first: not yet.
 *
 * @example
 * type A = MaybeArgs<typeof getUser> // [{ id: string | number } | null]
 */
export type MaybeArgs<E extends AnyEndpoint> = Parameters<E> extends [infer First, ...infer Rest] ? [First | null, ...Rest] : Parameters<E> | [null | undefined]
