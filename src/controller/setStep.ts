import type { LocalWrite } from '../order/answer.ts'
import { renamed } from '../order/temporary.ts'
import type { LocalSet } from '../order/timeline.ts'
import type { State } from '../store/state.ts'
import { addressed } from './addressed.ts'
import { changesOf, inverseOf, type Kept, type RowChange } from './inverse.ts'
import type { Step, StepHost, Written } from './step.ts'

/** A local write. Every one makes one of these, so that it is a class: functions of its own would take a tenth of the time of the write. */
export class SetStep implements Step {
  readonly #host: StepHost
  readonly #vanish: (step: Step) => void
  #write: LocalWrite
  #handle!: LocalSet
  #changes!: readonly RowChange[]
  undone = false

  /** `vanish` takes a step out of the history that came to nothing. */
  constructor(host: StepHost, write: LocalWrite, written: Written, vanish: (step: Step) => void) {
    this.#host = host
    this.#write = write
    this.#vanish = vanish
    this.#note(written)
  }

  rows(): readonly RowChange[] {
    return this.#changes
  }

  async undo(): Promise<readonly Kept[]> {
    if (this.#host.withdraw(this.#handle)) return []
    const { patches, kept } = inverseOf(this.#changes, this.#host.told())
    this.#host.patch(patches)
    return kept
  }

  async redo(): Promise<void> {
    this.#host.write(this.#write, 'redo', written => this.#note(written))
  }

  readdress(key: string, from: string, to: string, temporary: boolean): void {
    const { schema, args, value } = this.#write
    if (temporary) {
      const names = new Map([[from, to]])
      this.#changes = renamed(this.#changes, names)
      this.#write = { schema, args: renamed(args, names), value: renamed(value, names) }
      return
    }
    const renaming = { key, from, to }
    const is = (change: RowChange): boolean => change.key === key && change.pk === from
    const about = this.#changes.some(is)
    this.#changes = this.#changes.map(change => (is(change) ? { ...change, pk: to } : change))
    this.#write = { schema, args: addressed(schema, args, about, renaming), value: addressed(schema, [value], about, renaming)[0] }
  }

  sunk(before: State, after: State): void {
    this.#changes = changesOf(before, after)
    if (this.#changes.length === 0) this.lost()
  }

  lost(): void {
    this.#vanish(this)
  }

  /** Anew each time that it is done: others may have changed what it is done over. */
  #note({ handle, before, after }: Written): void {
    this.#handle = handle
    handle.writer = this
    this.sunk(before, after)
  }
}
