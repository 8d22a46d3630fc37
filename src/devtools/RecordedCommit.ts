import type { Commit } from '../order/Commit.ts'
import type { Patch } from '../store/immer.ts'
import { changesBetween, type CellChange } from '../store/patches.ts'
import type { State } from '../store/State.ts'
import { rowText, viewText, type ViewName } from './names.ts'
import type { RecordedRequest } from './RecordedRequest.ts'

/** How many names a list has. */
const MOST_NAMES = 200

/** Views or signals: how many, and the names of the first ones. */
export class NameList {
  count = 0
  readonly names: ViewName[] = []

  add(nameOf: () => ViewName): void {
    if (++this.count <= MOST_NAMES) this.names.push(nameOf())
  }

  /** For a session file: cells have no meaning elsewhere. */
  toJSON(): object {
    return { count: this.count, names: this.names.map(viewText) }
  }
}

/**
 * One commit with what it was due to and what it did.
 *
 * @example
 * const { recording } = devtools(controller, { panel: false })
 * controller.set(Todo, { id: 7, title: 'sow' })
 * const commit: RecordedCommit | undefined = recording.commits.at(-1)
 * console.log(commit?.cause, commit?.changedRows, commit?.patches[0]?.op) // set [ 'Todo 7' ] add
 */
export class RecordedCommit {
  declare readonly id: number
  cause = ''
  declare origin: string | undefined
  /** Milliseconds since the page was opened. */
  time = 0
  declare before: State
  declare after: State
  /** The key of the endpoint that it is due to. */
  declare endpoint: string | undefined
  /** Milliseconds from the answer, or the write, until all readers were notified. Of local writes only measured while the panel is open. */
  declare duration: number | undefined
  declare request: RecordedRequest | undefined
  /** How many changes of the page followed; undefined if the panel was closed. */
  declare mutations: number | undefined
  /** @internal */ declare change: Commit
  /** @internal */ declare rebuilt: NameList | undefined
  /** @internal */ declare woken: NameList | undefined
  #changed: number | undefined

  /** @internal */
  constructor(id: number) {
    this.id = id
  }

  /** Wall time. */
  get at(): number {
    return performance.timeOrigin + this.time
  }

  get patches(): readonly Patch[] {
    return this.change.patches
  }

  get inversePatches(): readonly Patch[] {
    return this.change.inversePatches
  }

  /** The patches of the confirmed state, where they differ from those of the visible one. */
  get basePatches(): readonly Patch[] | undefined {
    const { base } = this.change
    return base === this.change ? undefined : base.patches
  }

  /** @internal */
  get changes(): CellChange[] {
    return changesBetween(this.before, this.after)
  }

  /** How many rows and results differ. */
  get changed(): number {
    return (this.#changed ??= this.changes.length)
  }

  /** The rows that differ: `Todo 5`, or the key of an endpoint. */
  get changedRows(): readonly string[] {
    return this.changes.map(({ cell }) => rowText(cell))
  }

  /** How many views were rebuilt. */
  get rebuiltCount(): number {
    return this.rebuilt?.count ?? 0
  }

  /** How many signals woke. */
  get wokenCount(): number {
    return this.woken?.count ?? 0
  }

  /** The views that were rebuilt; the first 200. */
  get rebuiltViews(): readonly string[] {
    return this.rebuilt?.names.map(viewText) ?? []
  }

  /** The signals that woke; the first 200. */
  get wokenSignals(): readonly string[] {
    return this.woken?.names.map(viewText) ?? []
  }
}
