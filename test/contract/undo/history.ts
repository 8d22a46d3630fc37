import type { ReadonlySignal } from '@preact/signals-core'
import * as door from '../../../src/index.ts'
import type { Controller, ControllerOptions } from '../../../src/index.ts'

/** The verbs that a group gets. */
export type GroupVerbs = Pick<Controller, 'fetch' | 'set'>

/** The history of version 2. */
export interface History {
  readonly canUndo: ReadonlySignal<boolean>
  readonly canRedo: ReadonlySignal<boolean>
  readonly error: ReadonlySignal<unknown>
  readonly undo: () => Promise<{ readonly kept: readonly object[] }>
  readonly redo: () => Promise<void>
  readonly group: <T>(work: (verbs: GroupVerbs) => T) => T
  readonly clear: () => void
}

interface Door {
  readonly createHistory: (controller: Controller, options?: { readonly limit?: number }) => History
  readonly historyOf: (controller: Controller) => History
  /** A controller without a history. */
  readonly BareController: new (options?: ControllerOptions) => Controller
}

/** Undefined when the suite is aimed at version 1. */
export const { createHistory, historyOf, BareController } = door as unknown as Door
