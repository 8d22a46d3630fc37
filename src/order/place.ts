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
export class Read implements Place {
  readonly fetchedAt: number
  readonly date: number
  /** A read from before a reset never lands. */
  readonly epoch: number
  /** It took so long that what came after it could not be kept: it can no longer be put where it belongs. */
  overtaken = false
  done = false

  constructor(fetchedAt: number, date: number, epoch: number) {
    this.fetchedAt = fetchedAt
    this.date = date
    this.epoch = epoch
  }
}

/** Something to be done to the base, and its place there. Operations are done before edits. */
export class Item {
  stamp: Stamp
  readonly operations: readonly Operation[]
  readonly edits: readonly Edit[]

  constructor(stamp: Stamp, operations: readonly Operation[], edits: readonly Edit[]) {
    this.stamp = stamp
    this.operations = operations
    this.edits = edits
  }
}
