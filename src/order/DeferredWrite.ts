import { attempt } from '../base/report.ts'
import type { Operation } from '../normalize/operations.ts'
import type { State } from '../store/State.ts'
import { Layer } from './Layer.ts'
import type { LogEntry } from './Log.ts'
import { targetsOf } from './targets.ts'
import type { RealPks } from './TemporaryPks.ts'

/** Returns the operations with renamed pks, or undefined when they contain none of the names. Answers have no such function: their calls were sent without temporary pks. */
type Prepare = (names: RealPks) => readonly Operation[] | undefined

/** Notified of the outcome of a deferred write. */
export interface WriteObserver {
  /** It moved into the base. */
  flushed?(before: State, after: State): void
  /** A call that it depends on failed. */
  dropped?(): void
}

/** A local write or an answer. It waits above an older pending call, because in the base it would lie beneath it. */
export class DeferredWrite extends Layer {
  declare operations: readonly Operation[]
  /** Where it stands in the log, once it is in the base. */
  declare entry: LogEntry | undefined
  /** Undefined for an answer. */
  declare readonly observer: WriteObserver | undefined
  /** Until when the answer is fresh; undefined for a local write. */
  declare readonly expiresAt: number | undefined
  readonly #prepare: Prepare | undefined

  constructor(operations: readonly Operation[], prepare?: Prepare, observer?: WriteObserver, expiresAt?: number) {
    super()
    this.operations = operations
    this.#prepare = prepare
    this.observer = observer
    this.expiresAt = expiresAt
    this.addTargets(targetsOf(operations))
  }

  rename(names: RealPks): void {
    for (const from of names.keys()) this.targets.delete(from)
    const operations = this.#prepare?.(names)
    if (!operations) return
    this.operations = operations
    this.addTargets(targetsOf(operations))
    this.beneath = undefined
  }

  protected run(beneath: State): State {
    // It worked when it was made; over another state it may have no effect.
    return attempt(() => this.addTo(beneath, this.operations)) ?? beneath
  }
}
