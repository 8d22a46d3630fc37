import type { Stamp } from '../base/stamp.ts'
import type { Operation } from '../normalize/operation.ts'
import type { Edit } from './step.ts'

/** Where a read stands in the order of things: where it started. */
export interface Place {
  /** Strictly increasing, whatever the clock does. */
  readonly fetchedAt: number
  readonly date: number
}

/** A read from when it starts until it lands or leaves. */
export interface Read extends Place {
  /** A read from before a reset never lands. */
  readonly epoch: number
  /** It took so long that what came after it could not be kept: it can no longer be put where it belongs. */
  overtaken: boolean
  done: boolean
}

/** Something that was done to the base, known by its place there. */
export interface Item {
  readonly stamp: Stamp
}

/** What is to be done to the base. Operations come before edits. */
export interface Work {
  readonly operations: readonly Operation[]
  readonly edits: readonly Edit[]
}
