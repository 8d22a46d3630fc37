import { fold } from '../normalize/fold.ts'
import type { Operation } from '../normalize/operations.ts'
import { Draft } from '../store/Draft.ts'
import type { State } from '../store/State.ts'
import type { LogEntry } from './Log.ts'
import { ENDLESS, type Layer } from './PendingCall.ts'
import { targetsOf, type Targets } from './targets.ts'

/** Makes the operations again with renamed pks; undefined when none of the names occurs in them. */
type Prepare = (names: ReadonlyMap<string, string>) => readonly Operation[] | undefined

/** A local write or an answer that waits above an older pending call, because in the base it would lie beneath it. */
export class DeferredWrite implements Layer {
  readonly targets: Targets
  readonly isLocal: boolean
  /** Until when the answer is fresh; undefined for a local write. */
  readonly expiresAt: number | undefined
  /** Called when it moves into the base. */
  onFlush: ((before: State, after: State) => void) | undefined
  /** Called when it is dropped: a call that it depends on failed, or its row is gone. */
  onDrop: (() => void) | undefined
  operations: readonly Operation[]
  /** Where it stands once it moved into the base. */
  entry: LogEntry | undefined
  readonly #prepare: Prepare
  #beneath: State | undefined
  #above: State | undefined

  constructor(operations: readonly Operation[], targets: Targets, prepare: Prepare, { isLocal, expiresAt }: { readonly isLocal: boolean; readonly expiresAt?: number | undefined }) {
    this.operations = operations
    this.targets = new Set([...targets, ...targetsOf(operations)])
    this.#prepare = prepare
    this.isLocal = isLocal
    this.expiresAt = expiresAt
  }

  /** Throws what the write throws over `state`. */
  check(state: State): void {
    fold(new Draft(state), this.operations, { stamp: ENDLESS, pending: true })
  }

  over(beneath: State): State {
    if (this.#beneath !== beneath) {
      this.#above = this.#run(beneath)
      this.#beneath = beneath
    }
    return this.#above!
  }

  rename(names: ReadonlyMap<string, string>): void {
    for (const from of names.keys()) this.targets.delete(from)
    const operations = this.#prepare(names)
    if (operations === undefined) return
    this.operations = operations
    for (const target of targetsOf(operations)) this.targets.add(target)
    this.#beneath = undefined
  }

  #run(beneath: State): State {
    try {
      const draft = new Draft(beneath)
      fold(draft, this.operations, { stamp: ENDLESS, pending: true })
      return draft.finish()
    } catch {
      // It worked when it was made; over another state it has no effect.
      return beneath
    }
  }
}
