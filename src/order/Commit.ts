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
  /** What was done: `setResponse`, `set`, `applyPatches`, … */
  readonly cause: string
  /** Who did it; undefined for this store itself. */
  readonly origin?: string | undefined
}

/**
 * One step of a store from one state to the next. Patches are computed when they are asked for.
 *
 * @example
 * controller.subscribePatches((commit: Commit) => console.log(commit.cause, commit.inversePatches[0]?.op)) // set remove
 * controller.set(Todo, { id: 9, title: 'sow' })
 */
export class Commit implements Cause {
  readonly cause: string
  readonly origin: string | undefined
  readonly before: State
  readonly after: State
  /** The same step of the confirmed state, without pending calls. */
  readonly base: { readonly before: State; readonly after: State }
  readonly #memo = new Map<State, readonly Patch[]>()
  readonly #baseMemo = new Map<State, readonly Patch[]>()

  constructor(before: State, after: State, { cause, origin }: Cause, base: Commit['base'] = { before, after }) {
    this.before = before
    this.after = after
    this.cause = cause
    this.origin = origin
    this.base = base
  }

  get patches(): readonly Patch[] {
    return between(this.#memo, this.before, this.after)
  }

  get inversePatches(): readonly Patch[] {
    return between(this.#memo, this.after, this.before)
  }

  /** The patches of the confirmed state. */
  get basePatches(): readonly Patch[] {
    return between(this.#isBase ? this.#memo : this.#baseMemo, this.base.before, this.base.after)
  }

  get baseInversePatches(): readonly Patch[] {
    return between(this.#isBase ? this.#memo : this.#baseMemo, this.base.after, this.base.before)
  }

  get #isBase(): boolean {
    return this.base.before === this.before && this.base.after === this.after
  }
}

function between(memo: Map<State, readonly Patch[]>, from: State, to: State): readonly Patch[] {
  let patches = memo.get(to)
  if (patches === undefined) memo.set(to, (patches = patchesBetween(from, to)))
  return patches
}
