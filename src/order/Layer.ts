import type { Stamp } from '../base/stamp.ts'
import type { Operation } from '../normalize/operations.ts'
import type { Cell, Table } from '../store/cell.ts'
import type { State } from '../store/State.ts'
import { apply } from './Log.ts'
import type { Targets } from './targets.ts'
import type { RealPks } from './TemporaryPks.ts'

const ENDLESS: Stamp = /* @__PURE__ */ Object.freeze({ fetchedAt: Infinity, date: 0, expiresAt: 0 })

/** Something that is shown over the base: a pending call, or a write that waits for one. */
export abstract class Layer {
  readonly targets: Targets = new Set()
  /** The state that the layer last ran over; undefined when it has to run again. */
  declare protected beneath: State | undefined
  #above: State | undefined

  /** The state with this layer over `beneath`. Over the same state it does not run again. */
  apply(beneath: State): State {
    if (this.beneath !== beneath) {
      this.#above = this.run(beneath)
      this.beneath = beneath
    }
    return this.#above!
  }

  addTargets(targets: Iterable<Cell | Table | string>): void {
    for (const target of targets) this.targets.add(target)
  }

  /** The state with `operations` over `beneath`. They count as newer than every answer of the server. */
  addTo(beneath: State, operations: readonly Operation[]): State {
    return apply(beneath, { operations, stamp: ENDLESS, pending: true })
  }

  /** Replaces temporary pks by real ones. */
  abstract rename(names: RealPks): void
  protected abstract run(beneath: State): State
}
