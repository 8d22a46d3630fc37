import type { Stamp } from '../base/stamp.ts'
import type { Cell, Table } from '../store/cell.ts'
import type { State } from '../store/State.ts'
import type { Targets } from './targets.ts'

/** A layer counts as newer than every answer of the server. */
export const ENDLESS: Stamp = /* @__PURE__ */ Object.freeze({ fetchedAt: Infinity, date: 0, expiresAt: 0 })

/** Something that is shown over the base: a pending call, or a write that waits for one. */
export abstract class Layer {
  readonly targets: Targets = new Set()
  /** The state that the layer last ran over; undefined when it has to run again. */
  protected beneath: State | undefined
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

  /** Replaces temporary pks by real ones. `confirmed` is the state with the answer that has the real ones. */
  abstract rename(names: ReadonlyMap<string, string>, confirmed: State): void
  protected abstract run(beneath: State): State
}
