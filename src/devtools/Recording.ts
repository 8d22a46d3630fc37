import type { Controller } from '../controller/Controller.ts'
import type { PendingCall } from '../order/Layer.ts'
import type { Travel } from './createTravel.ts'
import type { PendingChange, Reason } from './inspect.ts'
import type { RecordedCommit } from './RecordedCommit.ts'
import type { RecordedRequest } from './RecordedRequest.ts'

/**
 * The last 1,000 commits of a controller, or the last 10 MB of them, and its requests.
 *
 * @example
 * const recording: Recording = devtools(controller, { panel: false }).recording
 * controller.set(Todo, { id: 7, title: 'sow' })
 * console.log(recording.commits.map(({ cause }) => cause)) // [ 'set' ]
 */
export interface Recording {
  /** The oldest first. */
  readonly commits: readonly RecordedCommit[]
  /** The last 300. */
  readonly requests: readonly RecordedRequest[]
  /** About how many bytes the commits keep alive. */
  readonly bytes: number
  /** Calls that have not settled and writes that wait for them, the oldest first. */
  readonly pending: readonly PendingChange[]
  /** The last ten commits that changed a row or a view: `Todo 5`, `GET /todos`. */
  reasons(name: string): readonly Reason[]
  /** The views that show a row, themselves or through others. */
  dependents(name: string): readonly string[]
  /** Who keeps a row from being collected, a sentence each. */
  keepers(name: string): readonly string[]
  /** The recording as the text of a file, which the panel of another page can open. */
  export(): string
  /** Forgets all commits. */
  clear(): void
  /** Calls `listener` after every change, until the returned function is called. */
  subscribe(listener: () => void): () => void
  /** @internal */ readonly controller: Controller
  /** @internal */ readonly travel: Travel
  /** @internal Starts to record; a recording that was stopped goes on. */
  resume(): void
  /** @internal Stops recording; what there is stays. */
  stop(): void
  /** @internal The request that carries a pending call, once it was sent. */
  readonly requestOf: (call: PendingCall) => RecordedRequest | undefined
  /** @internal Adds DOM mutations that followed the last commit. */
  noteMutations(count: number): void
}
