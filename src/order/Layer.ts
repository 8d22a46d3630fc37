import { rename } from '../base/parts.ts'
import { attempt } from '../base/report.ts'
import type { Stamp } from '../base/stamp.ts'
import type { AnyEndpoint, Snap } from '../endpoint/types.ts'
import type { Operation } from '../normalize/fold.ts'
import type { Parts } from '../normalize/normalize.ts'
import { Cell, type Directory, type State, type Table } from '../store/State.ts'
import { answerParts } from './answer.ts'
import { apply, type LogEntry } from './Log.ts'
import { targetsOf, targetsOfCall, type Targets } from './targets.ts'
import type { RealPks, TemporaryPks } from './TemporaryPks.ts'

const ENDLESS: Stamp = /* @__PURE__ */ Object.freeze({ fetchedAt: Infinity, date: 0, expiresAt: 0 })

/** Something that is shown over the base: a pending call, or a write that waits for one. */
export abstract class Layer {
  readonly targets: Targets = new Set()
  /** The state that the layer last ran over; undefined when it has to run again. */
  declare protected beneath: State | undefined
  #above: State | undefined

  /** The state with this layer over `beneath`. Over the same state it does not run again. */
  apply(beneath: State): State {
    if (this.beneath !== beneath) {
      this.#above = this.run(beneath)
      this.beneath = beneath
    }
    return this.#above!
  }

  addTargets(targets: Iterable<Cell | Table | string>): void {
    for (const target of targets) this.targets.add(target)
  }

  /** The state with `operations` over `beneath`. They count as newer than every answer of the server. */
  addTo(beneath: State, operations: readonly Operation[]): State {
    return apply(beneath, { operations, stamp: ENDLESS, pending: true })
  }

  /** Replaces temporary pks by real ones. */
  abstract rename(names: RealPks): void
  protected abstract run(beneath: State): State
}

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

/** Thrown, or returned, by an optimistic response that has nothing to show. */
export const ABORT: unique symbol = Symbol('abort')

/** The part of a timeline that pending calls use. */
interface CallHost {
  readonly temporaryPks: TemporaryPks<PendingCall>
  readonly directory: Directory
  readonly base: State
  readonly confirmed: State
  readonly host: { snapOf(state: State): Snap; report(error: unknown): void }
}

/** A mutation from when it is made until it settles. Its optimistic response runs again whenever the state beneath it changes. */
export class PendingCall extends Layer {
  /** Begins its temporary pks. */
  declare readonly id: string
  declare readonly epoch: number
  declare readonly endpoint: AnyEndpoint
  /** As they are to be sent: temporary pks that became real are replaced. */
  declare args: readonly unknown[]
  /** The base when the call was made. */
  declare readonly before: State
  /** What the server had confirmed when the call was sent, or now, while it is not; with its own answer when it has settled. */
  declare confirmed: State
  /** The last optimistic response that showed something, taken apart: others may refer to what it created. */
  declare parts: Parts | undefined
  /** The tables of its temporary pks. */
  readonly temporary: Map<string, string> = new Map()
  /** It was undone while it is in flight: its optimistic response does not show. */
  isHidden = false
  /** 0 until the request is sent; from then on the value of `Requests.#turn` at that time, which is never 0. */
  sentAt = 0
  readonly #timeline: CallHost
  /** Undefined before the first run; false if that run had nothing to show (`snap.abort`): then the call shows nothing until it is answered. */
  #shows: boolean | undefined

  constructor(id: string, epoch: number, endpoint: AnyEndpoint, args: readonly unknown[], timeline: CallHost) {
    super()
    this.id = id
    this.epoch = epoch
    this.before = timeline.base
    this.confirmed = timeline.confirmed
    this.endpoint = endpoint
    this.args = args
    this.#timeline = timeline
    this.#findTargets()
  }

  /** The row that the call is about, where its arguments tell. */
  get target(): { readonly key: string; readonly pk: string } | undefined {
    const cell = [...this.targets].find(target => target instanceof Cell)
    return cell && { key: cell.table.key, pk: cell.pk }
  }

  /** Calls with one lane are sent one after the other: those to one entity. */
  get lane(): string {
    const { target, endpoint } = this
    return endpoint.serial === false ? this.id : target ? `${target.key} ${target.pk}` : endpoint.key(...this.args)
  }

  override apply(beneath: State): State {
    return this.#shows !== false && !this.isHidden && this.endpoint.getOptimisticResponse ? super.apply(beneath) : beneath
  }

  rename(names: RealPks): void {
    const args = rename(this.args, names)
    if (args !== this.args) this.address(args)
  }

  /** Gives it other arguments before it is sent. */
  address(args: readonly unknown[]): void {
    this.args = args
    this.beneath = undefined
    this.#findTargets()
  }

  /** Gives membership changes the states in which the call was made and sent. They tell which lists the row was in, also if an answer has changed the row since. */
  noteStates(operations: readonly Operation[]): void {
    for (const operation of operations) if (operation.type === 'members') operation.earlier = [this.before, this.confirmed]
  }

  #findTargets(): void {
    this.targets.clear()
    this.addTargets([...targetsOfCall(this.endpoint, this.args, this.#timeline.directory), ...this.temporary.keys(), ...this.#timeline.temporaryPks.mentioned(this.args)])
  }

  protected run(beneath: State): State {
    const { endpoint, args } = this
    const { directory, host } = this.#timeline
    if (!this.sentAt) this.confirmed = this.#timeline.confirmed
    // A response that throws shows nothing over this state, and is asked again over the next one. Only an error of the first run is reported.
    const above = attempt(() => {
      const value = endpoint.getOptimisticResponse!(host.snapOf(beneath), ...args)
      if (value === ABORT) throw ABORT
      const answer = { endpoint, value, args, key: endpoint.sideEffect ? undefined : endpoint.key(...args), expiresAt: 0 }
      const parts = answerParts(answer, directory, host.report, (table, position) => this.#temporaryPk(table, position))
      this.noteStates(parts.operations)
      const after = this.addTo(beneath, parts.operations)
      this.parts = parts
      return after
    }, error => {
      if (error === ABORT) this.#shows ??= false
      else if (this.#shows === undefined) host.report(error)
    })
    this.#shows ??= true
    return above ?? beneath
  }

  #temporaryPk(table: string, position: number): string {
    const pk = this.#timeline.temporaryPks.make(this, position)
    this.temporary.set(pk, table)
    this.targets.add(pk)
    return pk
  }
}
