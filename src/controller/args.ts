/**
 * Arguments with something after them; where all arguments may be left out, that alone.
 *
 * @example
 * type A = WithResponse<[{ id: number }]> // [{ id: number }, response: unknown]
 */
export type WithResponse<A extends readonly unknown[]> = [...Required<A>, response: unknown] | ([] extends A ? [response: unknown] : never)
