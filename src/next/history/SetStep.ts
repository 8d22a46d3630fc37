import type { RowName } from '../controller/Requests.ts'
import type { LocalWrite } from '../order/answer.ts'
import { rename } from '../order/TemporaryPks.ts'
import type { LocalSet } from '../order/Timeline.ts'
import { inverseOf, rowChanges, type Kept, type RowChange } from './inverse.ts'
import { renameRow, type RowRenaming } from './renameRow.ts'
import type { Step, StepHost } from './Step.ts'

/** A local write. */
export class SetStep implements Step {
  isDone = true
  readonly #host: StepHost
  #write: LocalWrite
  #handle: LocalSet = {}
  #changes: readonly RowChange[] = []

  constructor(host: StepHost, write: LocalWrite) {
    this.#host = host
    this.#write = write
  }

  /** Runs the write, and notes what it changed before any reader hears of it. */
  run(write: (handle: LocalSet) => void): void {
    const { timeline } = this.#host.controller
    const before = timeline.visible
    this.#handle = {
      onFlush: (from, to) => {
        this.#changes = rowChanges(from, to)
        if (this.#changes.length === 0) this.#host.remove(this)
      },
      onDrop: () => this.#host.remove(this),
    }
    write(this.#handle)
    this.#changes = rowChanges(before, timeline.visible)
    this.isDone = true
  }

  rows(): readonly RowName[] {
    return this.#changes
  }

  async undo(): Promise<readonly Kept[]> {
    const { controller } = this.#host
    const { timeline } = controller
    return controller.batch(() => {
      const { patches, kept } = timeline.withdraw(this.#handle, { cause: 'undo' }) ? { patches: [], kept: [] } : inverseOf(this.#changes, timeline.confirmed)
      timeline.apply(patches, [], { cause: 'undo' })
      this.isDone = false
      return kept
    })
  }

  async redo(): Promise<readonly Kept[]> {
    const { controller } = this.#host
    controller.batch(() => this.run(handle => void controller.timeline.set(this.#write, { cause: 'redo' }, handle)))
    return []
  }

  steer(): void {
    // It takes no time.
  }

  renameTemporary(names: ReadonlyMap<string, string>): void {
    const { schema, args, value } = this.#write
    this.#changes = rename(this.#changes, names)
    this.#write = { schema, args: rename(args, names), value: rename(value, names) }
  }

  renameRow(renaming: RowRenaming): void {
    const { schema } = this.#write
    const { directory } = this.#host.controller.timeline
    const [value, ...args] = renameRow([this.#write.value, ...this.#write.args], renaming, schema)
    this.#write = { schema, args, value }
    this.#changes = this.#changes.map(({ key, pk, before, after }) => {
      const owner = directory.find(key)?.owner
      return { key, pk: key === renaming.key && pk === renaming.from ? renaming.to : pk, before: renameRow(before, renaming, owner), after: renameRow(after, renaming, owner) }
    })
  }
}
