import type { Patch } from '../store/immer.ts'
import { patchesBetween } from '../store/patches.ts'
import type { State } from '../store/State.ts'

/**
 * Why a commit happened, and who caused it.
 *
 * @example
 * controller.subscribePatches(({ cause, origin }: Cause) => console.log(cause, origin)) // applyPatches tab-2
 * controller.applyPatches([{ op: 'add', path: ['entities', 'Todo', '9'], value: { id: 9 } }], { origin: 'tab-2' })
 */
export interface Cause {
  /** The action: `setResponse`, `set`, `applyPatches`, … */
  readonly cause: string
  /** The origin; undefined for this store itself. */
  readonly origin?: string | undefined
}

/**
 * One step of a store from one state to the next.
 *
 * @example
 * controller.subscribePatches((commit: Commit) => console.log(commit.cause, commit.inversePatches[0]?.op)) // set remove
 * controller.set(Todo, { id: 9, title: 'sow' })
 */
export class Commit implements Cause {
  declare readonly before: State
  declare readonly after: State
  declare readonly cause: string
  declare readonly origin: string | undefined
  /** The same step of the confirmed state, without pending calls. */
  declare readonly base: Commit
  #patches: readonly Patch[] | undefined
  #inverse: readonly Patch[] | undefined

  constructor(before: State, after: State, { cause, origin }: Cause, base?: Commit) {
    this.before = before
    this.after = after
    this.cause = cause
    this.origin = origin
    this.base = base && (base.before !== before || base.after !== after) ? base : this
  }

  /** The patches from `before` to `after`, computed when they are asked for. */
  get patches(): readonly Patch[] {
    return (this.#patches ??= patchesBetween(this.before, this.after))
  }

  get inversePatches(): readonly Patch[] {
    return (this.#inverse ??= patchesBetween(this.after, this.before))
  }
}
