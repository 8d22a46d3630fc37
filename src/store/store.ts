import { reportUncaught } from '../base/report.ts'
import { patchDraft, stampDraft } from './apply.ts'
import { Cells, type Cell } from './cell.ts'
import { forEachResult, forEachRow, type RowVisit } from './changes.ts'
import { diffStamps, diffStates } from './diff.ts'
import { Draft } from './draft.ts'
import type { Patch } from './immer.ts'
import { emptyState, type State } from './state.ts'

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
 * One step of a store from one version to the next.
 *
 * @example
 * controller.subscribePatches((commit: Commit) => console.log(commit.cause, commit.inversePatches[0]?.op)) // set remove
 * controller.set(Todo, { id: 9, title: 'sow' })
 */
export class Commit implements Cause {
  declare readonly cause: string
  declare readonly origin: string | undefined
  declare readonly before: State
  declare readonly after: State
  /** The same step of the base: what the server has said, without what is only expected. The very same states where nothing is. */
  declare readonly base: { readonly before: State; readonly after: State }
  #patches: readonly Patch[] | undefined
  #inverse: readonly Patch[] | undefined
  #ofBase: Commit | undefined

  constructor(before: State, after: State, { cause, origin }: Cause, base: Commit['base'] = { before, after }) {
    this.before = before
    this.after = after
    this.cause = cause
    this.origin = origin
    this.base = base
  }

  /** From `before` to `after`; worked out when asked for. */
  get patches(): readonly Patch[] {
    return (this.#patches ??= diffStates(this.before, this.after))
  }

  /** From `after` back to `before`. */
  get inversePatches(): readonly Patch[] {
    return (this.#inverse ??= diffStates(this.after, this.before))
  }

  /** The patches of the base. */
  get basePatches(): readonly Patch[] {
    return this.#baseStep.patches
  }

  /** The way back for the base. */
  get baseInversePatches(): readonly Patch[] {
    return this.#baseStep.inversePatches
  }

  get #baseStep(): Commit {
    const { before, after } = this.base
    return before === this.before && after === this.after ? this : (this.#ofBase ??= new Commit(before, after, this))
  }

  /** Calls `visit` for each row that differs, and for each absent row whose mark "deleted" does. */
  forEachRow(visit: RowVisit): void {
    forEachRow(this.before, this.after, visit)
  }

  /** Calls `visit` for each endpoint whose result differs. */
  forEachResult(visit: (cell: Cell) => void): void {
    forEachResult(this.before, this.after, visit)
  }
}

/** Told of every commit, in order. */
export type CommitListener = (commit: Commit) => void

/**
 * The one place that moves: it holds the newest version of the state, and `advance` is the only way to another.
 * Its cells are its own; views and signals hang on them.
 */
export interface Store {
  /** The newest version. Keeping it is a snapshot. */
  readonly state: State
  /** The newest version without what is only expected; the same as `state` where nothing is. */
  readonly base: State
  /** Listens to every commit; the returned function ends it. */
  subscribe(listener: CommitListener): () => void
  /**
   * Moves on to other versions, which whoever calls this has made from these. A listener may do so too; the others then
   * hear of it after what they are being told now.
   */
  advance(base: State, next: State, cause: Cause): void
}

export function createStore(initial: State = emptyState, report: (error: unknown) => void = reportUncaught): Store {
  const draft = new Draft(Object.freeze({ ...emptyState, cells: new Cells() }))
  // What another lineage knows, as patches: they name rows, and not its cells.
  patchDraft(draft, diffStates(emptyState, initial))
  stampDraft(draft, diffStamps(emptyState, initial))
  const first = draft.finish()
  /** Another list for every change of it: whoever is being told goes on with the one that it began with. */
  let listeners: readonly CommitListener[] = []
  const queue: Commit[] = []
  let telling = false

  const store = {
    state: first,
    base: first,

    subscribe(listener: CommitListener): () => void {
      if (!listeners.includes(listener)) listeners = [...listeners, listener]
      return () => {
        listeners = listeners.filter(each => each !== listener)
      }
    },

    advance(base: State, next: State, cause: Cause): void {
      if (next === store.state && base === store.base) return
      const commit = new Commit(store.state, next, cause, { before: store.base, after: base })
      store.state = next
      store.base = base
      if (telling) return void queue.push(commit)
      telling = true
      try {
        for (let now: Commit | undefined = commit; now !== undefined; now = queue.shift()) tell(now)
      } finally {
        telling = false
      }
    },
  }
  return store

  function tell(commit: Commit): void {
    const told = listeners
    for (const listener of told) {
      try {
        // Who was sent away by somebody before it in line hears no more.
        if (listeners === told || listeners.includes(listener)) listener(commit)
      } catch (error) {
        report(error)
      }
    }
  }
}
