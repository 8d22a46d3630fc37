import { PatchcordError } from '../base/errors.ts'
import { equal } from '../base/plain.ts'
import { markHandled } from '../base/report.ts'
import type { CallObserver, CallOutcome, RowName } from '../controller/Requests.ts'
import type { AnyEndpoint } from '../endpoint/types.ts'
import type { PendingCall } from '../order/PendingCall.ts'
import { rename } from '../order/TemporaryPks.ts'
import type { Fields } from '../schema/interface.ts'
import type { Kept } from './inverse.ts'
import { mentions, renameRow, type RowRenaming } from './renameRow.ts'
import type { Step, StepHost } from './Step.ts'

/** A call in flight. */
interface Sent {
  readonly call: PendingCall
  readonly abort: () => void
  readonly outcome: Promise<unknown>
}

/** A mutation. */
export class CallStep implements Step, CallObserver {
  isDone = true
  readonly #host: StepHost
  readonly #endpoint: AnyEndpoint
  #args: readonly unknown[]
  #target: RowName | undefined
  #lane: string | undefined
  #sent: Sent | undefined
  #outcome: CallOutcome | undefined
  /** The id of a call that failed. Its temporary pks are used again when it is made again. */
  #failedId: number | undefined
  /** The call that undoes it, in flight. */
  #compensation: Sent | undefined
  #undoing: Promise<readonly Kept[]> | undefined

  constructor(host: StepHost, endpoint: AnyEndpoint, args: readonly unknown[]) {
    this.#host = host
    this.#endpoint = endpoint
    this.#args = args
  }

  called(call: PendingCall, abort: () => void, outcome: Promise<unknown>): void {
    this.#sent = { call, abort, outcome }
    this.#lane = call.lane
    this.#target = call.target ?? this.#target
  }

  settled(outcome: CallOutcome): void {
    const before = this.#outcome?.pk
    const isUnwanted = this.#sent!.call.isHidden
    this.#sent = undefined
    this.#outcome = outcome
    this.#args = outcome.args
    this.#target = outcome.target
    this.isDone = true
    this.#recreated(before, outcome.pk)
    // In the same batch, so that no reader sees what was undone.
    if (isUnwanted) this.#compensate()
  }

  failed(call: PendingCall): void {
    this.#sent = undefined
    this.#failedId = call.id
    this.#args = call.args
    this.isDone = false
    this.#host.remove(this)
  }

  rows(): readonly RowName[] {
    return this.#target ? [this.#target] : []
  }

  async undo(): Promise<readonly Kept[]> {
    const sent = this.#sent
    if (!sent) this.#compensate()
    else {
      this.steer(true)
      await sent.outcome.catch(() => {})
    }
    return this.#undoing ?? []
  }

  async redo(): Promise<readonly Kept[]> {
    await (this.#sent?.outcome ?? this.#start())
    return []
  }

  steer(isUndone: boolean): void {
    const { controller } = this.#host
    const sent = this.#sent
    const compensation = this.#compensation
    if (compensation) {
      if (isUndone) sent?.abort()
      else if (!compensation.call.isSent) compensation.abort()
      // In one lane it waits for the compensation, and goes before what the user does next. A deleted row has another pk then.
      else if (this.#outcome?.after && compensation.call.lane === this.#lane) void this.#start()
    } else if (sent) {
      // The server may do a call that was sent: it is hidden now, and compensated when it was done.
      if (!isUndone || (sent.call.isSent && this.#endpoint.getUndo)) controller.batch(() => controller.timeline.hide(sent.call, isUndone, { cause: isUndone ? 'undo' : 'redo' }))
      else sent.abort()
    }
  }

  renameTemporary(names: ReadonlyMap<string, string>): void {
    this.#args = rename(this.#args, names)
  }

  renameRow(renaming: RowRenaming): void {
    const { key, from, to } = renaming
    const { report, timeline } = this.#host.controller
    const { schema } = this.#endpoint
    const target = this.#target
    const outcome = this.#outcome
    const owner = target && timeline.directory.find(target.key)?.owner
    const isTarget = target?.key === key && target.pk === from
    const args = renameRow(this.#args, renaming, schema, isTarget && owner)
    if (isTarget && outcome?.previous && args === this.#args && mentions(args, from)) {
      report(new PatchcordError('RENAME', `${key} ${from} was created again as ${to}, and the arguments of ${this.#endpoint.name} do not tell where they name it. That call can no longer be undone or redone.`))
      return this.#host.remove(this)
    }
    this.#args = args
    if (isTarget) this.#target = { key, pk: to }
    if (!outcome) return
    const { previous, after, result, pk } = outcome
    this.#outcome = { ...outcome, previous: renameRow(previous, renaming, owner), after: renameRow(after, renaming, owner), result: renameRow(result, renaming, schema, isTarget && owner), pk: isTarget && pk === from ? to : pk }
  }

  #start(): Promise<unknown> {
    return this.#host.controller.requests.start(this.#endpoint, this.#args, () => this, this.#outcome ? undefined : this.#failedId)
  }

  #recreated(from: string | undefined, to: string | undefined): void {
    if (this.#target && from !== undefined && to !== undefined && from !== to) this.#host.renameRow({ key: this.#target.key, from, to })
  }

  /** Sends the request that undoes a settled call, unless it is in flight or the endpoint has none. */
  #compensate(): void {
    if (this.#undoing) return
    const { previous, kept } = this.#guarded()
    const undo = this.#endpoint.getUndo?.({ previous, result: this.#outcome!.result }, ...(this.#args as unknown[]))
    if (undo === undefined) return
    const request = this.#host.controller.requests.start(undo.endpoint, undo.args, () => ({
      called: (call, abort, outcome) => void (this.#compensation = { call, abort, outcome }),
      settled: ({ pk }) => {
        this.#compensation = undefined
        this.isDone = false
        this.#recreated(this.#target?.pk, pk)
      },
      failed: () => {
        this.#compensation = undefined
        this.#sent?.abort()
        this.isDone = true
      },
    }))
    this.#undoing = markHandled(request.then(() => kept).finally(() => void (this.#undoing = undefined)))
  }

  /** The record before the call, with the present values of fields that somebody else has changed since. */
  #guarded(): { readonly previous: Fields | undefined; readonly kept: readonly Kept[] } {
    const { previous, after } = this.#outcome!
    const target = this.#target
    const { visible } = this.#host.controller.timeline
    const cell = target && visible.cell(target.key, target.pk)
    const now = cell && (visible.read(cell) as Fields | undefined)
    if (!previous || !after || !now) return { previous, kept: [] }
    const changed = Object.keys(after).filter(field => !equal(now[field], after[field]) && !equal(previous[field], after[field]))
    return { previous: { ...previous, ...Object.fromEntries(changed.map(field => [field, now[field]])) }, kept: changed.map(field => ({ ...target, field })) }
  }
}
