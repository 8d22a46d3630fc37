import type { Commit, StateChange } from '../order/Commit.ts'
import { changesBetween, type CellChange } from '../store/changes.ts'
import type { Patch } from '../store/immer.ts'
import type { State } from '../store/State.ts'
import type { RecordedRequest } from './RecordedRequest.ts'
import { rowText, viewText, type ViewName } from './names.ts'

/** How many views a commit names. */
const MOST_NAMES = 200
const NO_NAMES: readonly ViewName[] = []

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
  // Declared, and set in the constructor: there is one of these for each write, and fields with initializers take longer.
  declare id: number
  /** Milliseconds since the page was opened. */
  declare time: number
  /** The key of the endpoint that it is due to. */
  declare endpoint: string | undefined
  /** Milliseconds from the answer, or the write, until all readers were notified. Of local writes only measured while the panel is open. */
  declare duration: number | undefined
  declare request: RecordedRequest | undefined
  /** How many rows and results differ. */
  declare readonly changed: number
  /** How many changes of the page followed; undefined if the panel was closed. */
  declare mutations: number | undefined
  /** How many views were rebuilt. */
  declare rebuiltCount: number
  /** How many signals woke. */
  declare wokenCount: number
  /** @internal About how many bytes it keeps alive. */ declare bytes: number
  /** @internal */ declare change: StateChange & { readonly cause: string; readonly origin: string | undefined }
  /** @internal */ declare rebuilt: ViewName[]
  /** @internal */ declare woken: ViewName[]

  constructor(changed: number, bytes: number) {
    this.id = this.time = this.rebuiltCount = this.wokenCount = 0
    this.endpoint = this.duration = this.request = this.mutations = undefined
    this.changed = changed
    this.bytes = bytes
    this.change = undefined as never
    this.rebuilt = this.woken = NO_NAMES as ViewName[]
  }

  get cause(): string {
    return this.change.cause
  }

  get origin(): string | undefined {
    return this.change.origin
  }

  /** Wall time. */
  get at(): number {
    return performance.timeOrigin + this.time
  }

  get before(): State {
    return this.change.before
  }

  get after(): State {
    return this.change.after
  }

  get patches(): readonly Patch[] {
    return this.change.patches
  }

  get inversePatches(): readonly Patch[] {
    return this.change.inversePatches
  }

  /** The patches of the confirmed state, where they differ from those of the visible one. */
  get basePatches(): readonly Patch[] | undefined {
    const { base } = this.change as Partial<Commit>
    return base === undefined || base === this.change ? undefined : base.patches
  }

  /** @internal */
  get changes(): CellChange[] {
    return changesBetween(this.before, this.after)
  }

  /** The rows that differ: `Todo 5`, or the key of an endpoint. */
  get changedRows(): readonly string[] {
    return this.changes.map(({ cell }) => rowText(cell))
  }

  /** The views that were rebuilt; the first 200. */
  get rebuiltViews(): readonly string[] {
    return this.rebuilt.map(viewText)
  }

  /** The signals that woke; the first 200. */
  get wokenSignals(): readonly string[] {
    return this.woken.map(viewText)
  }

  /** @internal */
  noteRebuilt(nameOf: () => ViewName): void {
    if (this.rebuiltCount++ === 0) this.rebuilt = [nameOf()]
    else if (this.rebuiltCount <= MOST_NAMES) this.rebuilt.push(nameOf())
  }

  /** @internal */
  noteWoken(nameOf: () => ViewName): void {
    if (this.wokenCount++ === 0) this.woken = [nameOf()]
    else if (this.wokenCount <= MOST_NAMES) this.woken.push(nameOf())
  }
}
