import { equal } from '../base/plain.ts'
import type { Controller } from '../controller/Controller.ts'
import type { CallObserver, CallOutcome, RowName } from '../controller/Requests.ts'
import type { AnyEndpoint, UndoCall } from '../endpoint/types.ts'
import type { LocalWrite } from '../order/answer.ts'
import type { PendingCall } from '../order/PendingCall.ts'
import { rename } from '../order/TemporaryPks.ts'
import type { LocalSet } from '../order/Timeline.ts'
import type { Fields } from '../schema/interface.ts'
import { inverseOf, rowChanges, type Kept, type RowChange } from './inverse.ts'
import { renameInArgs, renameInValue, type RowRenaming } from './renameRow.ts'

/** What steps need of their history. */
export interface StepHost {
  readonly controller: Controller
  /** Removes a step that came to nothing. */
  remove(step: Step): void
  /** A row was created again under another pk: later steps must use that. */
  renameRow(renaming: RowRenaming): void
}

/** One thing that the user did. */
export interface Step {
  isUndone: boolean
  rows(): readonly RowName[]
  /** Undefined when it cannot be undone. */
  undo(): Promise<readonly Kept[]> | undefined
  redo(): Promise<unknown>
  renameTemporary(from: string, to: string): void
  renameRow(renaming: RowRenaming): void
}

/** A local write. */
export class SetStep implements Step {
  isUndone = false
  readonly #host: StepHost
  #write: LocalWrite
  #handle: LocalSet = {}
  #changes: readonly RowChange[] = []

  constructor(host: StepHost, write: LocalWrite) {
    this.#host = host
    this.#write = write
  }

  get isEmpty(): boolean {
    return this.#changes.length === 0
  }

  /** Runs the write, and notes what it changed before any reader hears of it. */
  run(write: (handle: LocalSet) => void): void {
    const { timeline } = this.#host.controller
    const before = timeline.visible
    const handle: LocalSet = (this.#handle = {
      onFlush: (from, to) => this.#note(rowChanges(from, to)),
      onDrop: () => this.#host.remove(this),
    })
    write(handle)
    this.#changes = rowChanges(before, timeline.visible)
  }

  rows(): readonly RowName[] {
    return this.#changes
  }

  async undo(): Promise<readonly Kept[]> {
    const { controller } = this.#host
    return controller.batch(() => {
      if (controller.timeline.withdraw(this.#handle, { cause: 'undo' })) return []
      const { patches, kept } = inverseOf(this.#changes, controller.timeline.confirmed)
      controller.timeline.apply(patches, [], { cause: 'undo' })
      return kept
    })
  }

  async redo(): Promise<void> {
    const { controller } = this.#host
    controller.batch(() => this.run(handle => void controller.timeline.set(this.#write, { cause: 'redo' }, handle)))
  }

  renameTemporary(from: string, to: string): void {
    const names = new Map([[from, to]])
    const { schema, args, value } = this.#write
    this.#changes = rename(this.#changes, names)
    this.#write = { schema, args: rename(args, names), value: rename(value, names) }
  }

  renameRow(renaming: RowRenaming): void {
    const { schema, args, value } = this.#write
    const isTarget = this.#changes.some(({ key, pk }) => key === renaming.key && pk === renaming.from)
    this.#changes = this.#changes.map(change => (change.key === renaming.key && change.pk === renaming.from ? { ...change, pk: renaming.to } : change))
    this.#write = { schema, args: renameInArgs(schema, args, isTarget, renaming), value: typeof value === 'function' ? value : renameInValue(schema, value, renaming) }
  }

  #note(changes: readonly RowChange[]): void {
    this.#changes = changes
    if (changes.length === 0) this.#host.remove(this)
  }
}

/** A mutation. */
export class CallStep implements Step, CallObserver {
  isUndone = false
  readonly #host: StepHost
  readonly #endpoint: AnyEndpoint
  #args: readonly unknown[]
  #call: PendingCall | undefined
  #abort: (() => void) | undefined
  #outcome: CallOutcome | undefined
  #target: RowName | undefined
  /** The id of a call that failed: made again under it, its temporary pks are the same. */
  #failedId: number | undefined
  /** Resolves when the call in flight has settled. */
  #settled: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined

  constructor(host: StepHost, endpoint: AnyEndpoint, args: readonly unknown[]) {
    this.#host = host
    this.#endpoint = endpoint
    this.#args = args
  }

  called(call: PendingCall, abort: () => void): void {
    this.#call = call
    this.#abort = abort
    this.#target = call.target ?? this.#target
    let resolve!: () => void
    const promise = new Promise<void>(settle => (resolve = settle))
    this.#settled = { promise, resolve }
  }

  settled(outcome: CallOutcome): void {
    const before = this.#outcome?.pk
    this.#end()
    this.#outcome = outcome
    this.#args = outcome.args
    this.#target = outcome.target
    if (before !== undefined && outcome.pk !== undefined && before !== outcome.pk && outcome.target) this.#host.renameRow({ key: outcome.target.key, from: before, to: outcome.pk })
  }

  failed(call: PendingCall): void {
    this.#end()
    this.#failedId = call.id
    this.#args = call.args
    // An undone call has not come to nothing: it can still be redone.
    if (!this.isUndone) this.#host.remove(this)
  }

  rows(): readonly RowName[] {
    return this.#target ? [this.#target] : []
  }

  undo(): Promise<readonly Kept[]> | undefined {
    const call = this.#call
    if (call === undefined) return this.#outcome ? this.#compensate() : Promise.resolve([])
    if (!call.isSent || !this.#endpoint.getUndo) {
      this.#abort!()
      return Promise.resolve([])
    }
    // The server may do it: its change disappears now, and is compensated if it did.
    const { controller } = this.#host
    controller.batch(() => controller.timeline.hide(call, { cause: 'undo' }))
    return this.#settled!.promise.then(() => (this.#outcome && this.isUndone ? (this.#compensate() ?? []) : []))
  }

  redo(): Promise<unknown> {
    return this.#host.controller.requests.start(this.#endpoint, this.#args, () => this, this.#outcome ? undefined : this.#failedId)
  }

  renameTemporary(from: string, to: string): void {
    this.#args = rename(this.#args, new Map([[from, to]]))
  }

  renameRow(renaming: RowRenaming): void {
    const { schema } = this.#endpoint
    const isTarget = this.#target?.key === renaming.key && this.#target.pk === renaming.from
    this.#args = renameInArgs(schema, this.#args, isTarget, renaming)
    if (this.#outcome?.previous) this.#outcome = { ...this.#outcome, args: this.#args, previous: renameInValue(schema, this.#outcome.previous, renaming) as Fields }
    if (!isTarget) return
    this.#target = { key: renaming.key, pk: renaming.to }
    if (this.#outcome) this.#outcome = { ...this.#outcome, args: this.#args, target: this.#target, result: renameInArgs(schema, [this.#outcome.result], true, renaming)[0], pk: renaming.to }
  }

  #end(): void {
    this.#call = this.#abort = undefined
    this.#settled?.resolve()
  }

  /** The request that takes a settled call back; undefined when the endpoint has none. */
  #compensate(): Promise<readonly Kept[]> | undefined {
    const { previous, kept } = this.#guarded()
    const outcome = this.#outcome!
    const undo: UndoCall | undefined = this.#endpoint.getUndo?.({ previous, result: outcome.result }, ...(outcome.args as unknown[]))
    if (undo === undefined) return undefined
    const target = this.#target
    let answered: string | undefined
    return this.#host.controller.requests.start(undo.endpoint, undo.args, () => ({ settled: ({ pk }) => void (answered = pk) })).then(() => {
      if (target !== undefined && answered !== undefined && answered !== target.pk) this.#host.renameRow({ key: target.key, from: target.pk, to: answered })
      return kept
    })
  }

  /** The record before the call; in fields that somebody else has changed since, what is there now. */
  #guarded(): { readonly previous: Fields | undefined; readonly kept: readonly Kept[] } {
    const { previous, after } = this.#outcome!
    const target = this.#target
    const { confirmed } = this.#host.controller.timeline
    const cell = target && confirmed.cell(target.key, target.pk)
    const now = cell && (confirmed.read(cell) as Fields | undefined)
    if (!previous || !after || !now) return { previous, kept: [] }
    const changed = Object.keys(after).filter(field => !equal(now[field], after[field]) && !equal(previous[field], after[field]))
    return { previous: { ...previous, ...Object.fromEntries(changed.map(field => [field, now[field]])) }, kept: changed.map(field => ({ ...target, field })) }
  }
}
