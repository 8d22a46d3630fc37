import type { Clock } from '../base/clock.ts'
import { PatchcordError, ResetError } from '../base/errors.ts'
import { rename, replaceParts } from '../base/parts.ts'
import { keep } from '../base/plain.ts'
import { attempt } from '../base/report.ts'
import type { Stamp } from '../base/stamp.ts'
import type { AnyEndpoint, Snap } from '../endpoint/types.ts'
import type { EditOperation, Operation } from '../normalize/fold.ts'
import type { Parts } from '../normalize/normalize.ts'
import { Draft } from '../store/Draft.ts'
import type { Patch } from '../store/immer.ts'
import { changesBetween, eachChange, type CellChange, type StampGroup } from '../store/patches.ts'
import { State, type Directory } from '../store/State.ts'
import { answerParts, updatedPk, writeOperations, type Answer, type LocalWrite } from './answer.ts'
import { changeOperations } from './changeOperations.ts'
import { Commit, type Cause } from './Commit.ts'
import { markFirst, matchCreated, moveBehind, type Renamed } from './creations.ts'
import { DeferredWrite, PendingCall, type Layer, type WriteObserver } from './Layer.ts'
import { Log, type OpenRead } from './Log.ts'
import { overlaps, type Targets } from './targets.ts'
import { TemporaryPks, type RealPks } from './TemporaryPks.ts'

/** A position in the order. */
export type Position = Pick<Stamp, 'fetchedAt' | 'date'>

export interface TimelineHost {
  readonly clock: Clock
  snapOf(state: State): Snap
  report(error: unknown): void
  /** Called before the commit in which temporary pks become real. */
  renamed(names: readonly Renamed[]): void
  /** Shows a commit to everybody. */
  publish(commit: Commit): void
}

/**
 * The order of reads and writes. `base` is everything that has landed. A read counts from when it started; the answer of a
 * call, a local write and patches count from when they landed. `visible` is the base with the pending calls, and the writes that wait for them, run over it.
 */
export class Timeline {
  declare base: State
  declare visible: State
  declare directory: Directory
  readonly temporaryPks: TemporaryPks<PendingCall> = new TemporaryPks()
  declare readonly host: TimelineHost
  readonly #log: Log
  /** What is shown over the base, the oldest first. */
  layers: readonly Layer[] = []
  #epoch = 0
  #last = 0
  #isBusy = false

  constructor(state: State, host: TimelineHost) {
    this.base = this.visible = state
    this.directory = state.directory!
    this.host = host
    this.#log = new Log(state)
  }

  /** Whether nothing is open: no read, no pending call. */
  get isIdle(): boolean {
    return !this.layers.length && this.#log.oldest === Infinity
  }

  /** What the server has confirmed: the base, and over it the answers that wait until an older call has settled. */
  get confirmed(): State {
    return this.layers.reduce((state, layer) => (layer instanceof DeferredWrite && layer.expiresAt !== undefined ? layer.apply(state) : state), this.base)
  }

  /** Takes the next position: later than every other one, whatever the clock does. Data without an expiry of its own is fresh for a minute. */
  now(expiresAt: number = this.host.clock.now() + 60_000): Stamp {
    const date = this.host.clock.date()
    // Not Math.max: a clock that returns NaN must not spoil all later positions.
    this.#last = date > this.#last ? date : this.#last + 1
    return Object.freeze({ fetchedAt: this.#last, date: date >= 0 ? date : this.#last, expiresAt })
  }

  /** The position of data that was written at `date`: below every read that started later. */
  positionAt(date: number): Stamp {
    const { oldest } = this.#log
    return date < oldest && oldest < Infinity ? Object.freeze({ fetchedAt: oldest - 1, date, expiresAt: 0 }) : this.now(0)
  }

  /** A read starts. It keeps its position until it ends. */
  begin(): OpenRead {
    return this.#log.begin({ ...this.now(0), epoch: this.#epoch, overtaken: false, above: [] }, this.base)
  }

  /** An answer of a read, at its position. Returns the stored result. */
  land(read: OpenRead, answer: Answer): unknown {
    return this.receive(answer, { cause: 'fetch' }, Object.freeze({ fetchedAt: read.fetchedAt, date: read.date, expiresAt: answer.expiresAt }), read)
  }

  /** A read ends: nothing lands at its position any more. */
  leave(read: OpenRead): void {
    this.#log.end(read, this.base)
  }

  /** Stores an answer, at a new position unless `stamp` gives one. Returns the stored result. */
  receive(answer: Answer, cause: Cause, stamp: Stamp = this.now(answer.expiresAt), read?: OpenRead): unknown {
    return this.#change<unknown>(cause, () => {
      const { operations, result } = answerParts(answer, this.directory, this.host.report)
      return { base: this.#log.land(this.base, { operations, stamp, overtaken: read?.overtaken }), given: result }
    }, read)
  }

  /** A local write. Readers see it at once; it can be withdrawn. */
  set(write: LocalWrite, cause: Cause, observer: WriteObserver = {}): DeferredWrite {
    const { temporaryPks, directory } = this
    let current: LocalWrite = { ...write, args: temporaryPks.resolveForCall(write.args), value: temporaryPks.resolveForCall(write.value) }
    return this.#change(cause, () => {
      let pk = updatedPk(current, this.visible)
      const prepare = (names: RealPks): readonly Operation[] | undefined => {
        const next = { ...current, args: rename(current.args, names), value: rename(current.value, names) }
        const nextPk = pk && `${names.get(pk) ?? pk}`
        if (next.args === current.args && next.value === current.value && nextPk === pk) return undefined
        current = next
        pk = nextPk
        return writeOperations(current, pk, directory)
      }
      const deferred = new DeferredWrite(writeOperations(current, pk, directory), prepare, observer)
      deferred.addTargets(temporaryPks.mentioned([current.args, current.value]))
      const blocker = this.#blockerOf(deferred)
      if (blocker === undefined) {
        deferred.entry = { operations: deferred.operations, stamp: this.now() }
        return { base: this.#log.land(this.base, deferred.entry), given: deferred }
      }
      deferred.addTargets(blocker)
      // If it throws, nothing is written.
      deferred.addTo(this.visible, deferred.operations)
      return { layers: [...this.layers, deferred], given: deferred }
    })
  }

  /** Takes a local write out of the order, as if it had never been made; false when it has left the log. */
  withdraw(write: DeferredWrite, cause: Cause): boolean {
    return this.#change(cause, () => {
      if (this.layers.includes(write)) return { layers: this.layers.filter(layer => layer !== write), given: true }
      const base = write.entry && this.#log.withdraw(this.base, write.entry)
      return { base, given: base !== undefined }
    })
  }

  /** Patches from outside: all of them, or none and a `PatchError`. */
  apply(patches: readonly Patch[], stamps: readonly StampGroup[], cause: Cause, position: Stamp = this.now(0)): void {
    const write = (base: State): readonly Operation[] => {
      const operations = changeOperations(base, patches, stamps, position, cause.origin !== 'gc')
      for (const { stamp } of stamps) this.raise(stamp?.fetchedAt ?? 0)
      return operations
    }
    for (const error of this.landAll([write], cause, position)) throw error
  }

  /** Positions that are given from now on are above this one. */
  raise(position: number): void {
    this.#last = Math.max(this.#last, position)
  }

  /** Many writes in one commit, each where it lands, or at `position`. Returns the errors of those that did not land. */
  landAll(writes: readonly ((base: State, stamp: Stamp) => readonly Operation[])[], cause: Cause, position?: Stamp): unknown[] {
    return this.#change(cause, () => {
      let { base } = this
      const given: unknown[] = []
      for (const write of writes) attempt(() => {
        const stamp = position ?? this.now()
        base = this.#log.land(base, { operations: write(base, stamp), stamp })
      }, error => given.push(error))
      return { base, given }
    })
  }

  /** A call is made. Its optimistic response shows at once. `ready` runs before; if it throws, no call was made. */
  call(endpoint: AnyEndpoint, given: readonly unknown[], ready?: (call: PendingCall) => void, id: string = this.temporaryPks.nextId()): PendingCall {
    this.temporaryPks.called(id)
    // Copied, because the caller may change its objects before the call is sent.
    const args = this.temporaryPks.resolveForCall(replaceParts(given))
    return this.#change({ cause: 'call' }, () => {
      const call = new PendingCall(id, this.#epoch, endpoint, args, this)
      ready?.(call)
      return { layers: [...this.layers, call], given: call }
    })
  }

  /**
   * The answer of a call; its optimistic response goes in the same commit. An answer that has to wait for an older call
   * goes into the base later. `onLate` is called then, with those of its changes that cover something that was written
   * after the answer came.
   */
  settle(call: PendingCall, answer: Answer, onLate: (covering: CellChange[]) => void): Parts {
    return this.#change<Parts>({ cause: 'fetch' }, () => {
      const parts = answerParts(answer, this.directory, this.host.report)
      call.noteStates(parts.operations)
      this.#log.ended(parts.operations)
      markFirst(parts, call.before)
      const names = call.parts ? matchCreated(call, parts) : []
      const earlier = this.layers.slice(0, this.layers.indexOf(call))
      let { base } = this
      let layers = this.layers.filter(layer => layer !== call)
      let waiting: DeferredWrite | undefined
      if (earlier.some(layer => overlaps(layer.targets, call.targets))) {
        const { fetchedAt } = this.now()
        // Written before this step, or by it; other answers that are flushed in it came earlier.
        const flushed = (before: State, after: State): void => onLate(changesBetween(before, after).filter(({ cell }) => (this.base.stamp(cell)?.fetchedAt ?? 0) > fetchedAt))
        const deferred = (waiting = new DeferredWrite(parts.operations, undefined, { flushed }, answer.expiresAt))
        deferred.addTargets(call.targets)
        call.confirmed = deferred.apply(this.confirmed)
        layers = this.layers.map(layer => (layer === call ? deferred : layer))
      } else base = call.confirmed = this.#log.land(base, { operations: parts.operations, stamp: this.now(answer.expiresAt) })
      const realPk = (pk: string, { id }: { readonly id?: unknown } = {}): string | number => (id === Number(pk) ? (id as number) : pk)
      const byName = new Map(names.map(({ from, to }) => [from.pk, realPk(to.pk, call.confirmed.read(to))]))
      this.temporaryPks.settle(call, byName)
      if (byName.size) {
        layers = moveBehind(layers, names, waiting)
        for (const layer of layers) layer.rename(byName)
        attempt(() => this.host.renamed(names), this.host.report)
      }
      return { base, layers, given: parts }
    }, call)
  }

  /** Runs `work`, which changes a pending call, and shows what follows from that. */
  alter(work: () => void, cause: string): void {
    this.#change({ cause }, () => ({ given: work() }))
  }

  /** A call came to nothing. Writes that refer to what it would have created go with it. */
  fail(call: PendingCall): void {
    if (!this.layers.includes(call)) return
    this.#change({ cause: 'fail' }, () => {
      const isLost = (layer: Layer): layer is DeferredWrite => layer instanceof DeferredWrite && [...call.temporary.keys()].some(pk => layer.targets.has(pk))
      this.temporaryPks.settle(call, new Map())
      for (const layer of this.layers) if (isLost(layer)) layer.observer?.dropped?.()
      return { layers: this.layers.filter(layer => layer !== call && !isLost(layer)), given: undefined }
    })
  }

  /** Forgets everything. Requests in flight never land. */
  reset(): void {
    this.replace(Object.freeze(new State(this.directory)), { cause: 'reset' }, () => {
      this.#epoch++
      this.temporaryPks.clear()
    })
  }

  /** Starts again from `state`, with nothing over it. */
  replace(state: State, cause: Cause, before?: () => void): void {
    this.#change(cause, () => {
      before?.()
      this.directory = state.directory!
      this.#log.reset(state)
      return { base: state, layers: [], given: undefined }
    })
  }

  /** Throws for a request from before the last reset. */
  #check(request: { readonly epoch: number } | undefined): void {
    if (request && request.epoch !== this.#epoch) throw new ResetError()
  }

  /** The targets that keep a local write above a pending call: its own, if they overlap those of a layer, else those of the call that shows the row. Undefined when it can go into the base. */
  #blockerOf({ operations, targets }: DeferredWrite): Targets | undefined {
    if (this.layers.some(layer => overlaps(layer.targets, targets))) return targets
    const [update] = operations as readonly [EditOperation?]
    if (!update?.nested || this.base.read(update.cell)) return undefined
    // An updater of a row that only a pending call shows waits for that call.
    let state = this.base
    for (const layer of this.layers) {
      state = layer.apply(state)
      if (state.read(update.cell)) return layer.targets
    }
    return undefined
  }

  /** The one step forward: deferred writes that nothing older overlaps are flushed, and the layers run over the new base. `request`: the one that is answered. */
  #change<T>(cause: Cause, work: () => { readonly base?: State | undefined; readonly layers?: readonly Layer[]; readonly given: T }, request?: { readonly epoch: number }): T {
    this.#check(request)
    if (this.#isBusy) throw new PatchcordError('NESTED', 'A merge, an updater or an optimistic response cannot write. Write after it.')
    this.#isBusy = true
    let commit: Commit
    let step: ReturnType<typeof work>
    try {
      step = work()
      const layers: Layer[] = []
      const { base: before } = this
      let base = (this.base = step.base ?? before)
      for (const layer of step.layers ?? this.layers) {
        if (layer instanceof DeferredWrite && !layers.some(each => overlaps(each.targets, layer.targets))) base = this.#flush(base, layer)
        else layers.push(layer)
      }
      if (this.layers.length) base = keepRows(this.visible, base)
      // Before the layers run: a call that is not sent yet asks what is confirmed now.
      this.base = base
      this.layers = layers
      let visible = layers.reduce((state, layer) => layer.apply(state), base)
      if (visible !== base) visible = keepRows(this.visible, visible)
      // A rollback that changes nothing is no commit.
      if (visible !== base && base === before && changesBetween(this.visible, visible).length === 0) visible = this.visible
      commit = new Commit(this.visible, visible, cause, new Commit(before, base, cause))
      this.visible = visible
    } finally {
      this.#isBusy = false
    }
    if (commit.before !== commit.after || commit.base.before !== commit.base.after) this.host.publish(commit)
    // A reader of the commit may have reset the store.
    this.#check(request)
    return step.given
  }

  #flush(base: State, deferred: DeferredWrite): State {
    // The write worked when it was made. If it throws now, that is reported, and the other writes go on.
    return attempt(() => {
      const entry = (deferred.entry = { operations: deferred.operations, stamp: this.now(deferred.expiresAt), isReplay: true })
      const next = this.#log.land(base, entry)
      if (deferred.expiresAt !== undefined) this.#log.ended(deferred.operations)
      deferred.observer?.flushed?.(base, next)
      return next
    }, this.host.report) ?? base
  }
}

/** `next` with the rows of `visible` where they are equal: a view of an unchanged row keeps its reference. */
function keepRows(visible: State, next: State): State {
  const draft = new Draft(next)
  eachChange(visible, next, (cell, old, row) => {
    const reused = keep(old, row)
    if (reused !== row) draft.write(cell, reused)
  })
  return draft.finish()
}
