import type { AnyEndpoint } from '../endpoint/types.ts'
import type { LocalWrite } from '../order/answer.ts'
import type { LocalSet, Mutation } from '../order/timeline.ts'
import type { Fields } from '../schema/interface.ts'
import type { State } from '../store/state.ts'
import type { inverseOf, Kept } from './inverse.ts'
import type { Target } from './readerOf.ts'

/** What a step needs to be taken back and done again. */
export interface StepHost {
  /** What was said so far. */
  told(): State
  /** Sends a call that enters no history, in place of the call `id` if that came to nothing; gives the pk that its answer names, if it names one. */
  send(endpoint: AnyEndpoint, args: readonly unknown[], watcher: CallWatcher, id?: number): Promise<unknown>
  /** Takes a local write out of the order of things; false when it is too late for that. */
  withdraw(handle: LocalSet): boolean
  /** Writes locally. `note` is told what that did, before anybody who reads it. */
  write(write: LocalWrite, cause: 'set' | 'redo', note: (written: Written) => void): void
  patch(patches: ReturnType<typeof inverseOf>['patches']): void
  /** (key, from) is called (key, to) from now on: later calls are to be addressed to that. */
  readdress(key: string, from: string, to: string): void
}

/** What a local write did. */
export interface Written {
  readonly handle: LocalSet
  readonly before: State
  readonly after: State
}

/** Told what becomes of a call. */
export interface CallWatcher {
  /** It is under way, about `target`; `abort` ends it. */
  called?(abort: () => void, target: Settled['target']): void
  settled(outcome: Settled): void
  failed?(call: Mutation): void
}

/** What a settled call did. */
export interface Settled {
  readonly args: readonly unknown[]
  /** The row that it was about, if it was about one. */
  readonly target: { readonly key: string; readonly pk: string } | undefined
  readonly previous: Fields | undefined
  readonly after: Fields | undefined
  /** The processed answer. */
  readonly result: unknown
  /** The pk of what was answered. */
  readonly pk: string | undefined
}

/** One thing that the user did. `undo` gives undefined when it cannot be taken back. */
export interface Step {
  /** Whether it is taken back, or being so, until it is done again. */
  undone: boolean
  /** The rows that it is about. */
  rows(): readonly Target[]
  /** Ends it where it is under way. */
  end?(): void
  undo(): Promise<readonly Kept[]> | undefined
  redo(): Promise<unknown>
  /** What it was about is called otherwise now. A temporary pk is so wherever it is spoken of. */
  readdress(key: string, from: string, to: string, temporary: boolean): void
}
