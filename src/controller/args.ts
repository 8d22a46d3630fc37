/**
 * Arguments with something after them; where all arguments may be left out, that alone.
 *
 * @example
 * type A = WithResponse<[{ id: number }]> // [{ id: number }, response: unknown]
 */
export type WithResponse<A extends readonly unknown[]> = [...Required<A>, response: unknown] | ([] extends A ? [response: unknown] : never)

/** Arguments, and what stands after them. */
export function split(rest: readonly unknown[]): [args: never[], last: unknown] {
  return [rest.slice(0, -1) as never[], rest[rest.length - 1]]
}
