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

/** Something to be done to the base, and its place there. Operations are done before edits. */
export interface Item {
  readonly stamp: Stamp
  readonly operations: readonly Operation[]
  readonly edits: readonly Edit[]
}
