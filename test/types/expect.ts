/** Whether two types are the same, and not only assignable to each other. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles only for true. */
export type Expect<T extends true> = T

/** A value of a type, for calls that are compiled and never run. */
export declare function a<T>(): T
