import type { Clock } from '../base/clock.ts'
import { ResetError } from '../base/errors.ts'
import { text } from '../base/keys.ts'
import type { Stamp } from '../base/stamp.ts'
import type { AnyEndpoint, Snap } from '../endpoint/types.ts'
import type { Cell } from '../store/cell.ts'
import { cellOf, cellsOf, emptyState, readRow, type State } from '../store/state.ts'
import type { Cause, Store } from '../store/store.ts'
import { queryKey } from '../view/query.ts'
import type { Answer, ForeignWrite, LocalWrite } from './answer.ts'
import { Call, type CallHost, type Mutation } from './call.ts'
import { Course, type Changed } from './course.ts'
import { Footprint } from './footprint.ts'
import { applyForeign, foreignEdits, newestOf } from './foreign.ts'
import { Held, prepareSource, type LocalSet, type Source } from './held.ts'
import { Names } from './names.ts'
import type { Place, Read } from './place.ts'
import { asEntity, cautious, prepareAnswer } from './prepare.ts'
import { matchCreated, type Moved } from './temporary.ts'

/**
 * The order in which things count. The base holds what was said: reads lie where they started, everything else where
 * it landed. Over it lie the intents: calls that are not settled, in the order in which they were made, and what must
 * stay above one of them. Base and intents together are what everybody sees.
 */
export class Timeline {
  readonly #store: Store
  readonly #course: Course
  /** Temporary pks. */
  readonly names: Names
  readonly #host: CallHost
  readonly #movers: ((key: string, from: string, to: string) => void)[] = []
  #calls = 0
  #epoch = 0

  constructor(store: Store, clock: Clock, snapOf: (state: State) => Snap, report: (error: unknown) => void) {
    this.#store = store
    this.#course = new Course(store, clock, report)
    this.names = new Names(this.#course.intents)
    this.#host = { snapOf, report, names: this.names }
  }

  /** How many calls show an optimistic answer. */
  get layers(): number {
    let count = 0
    for (const intent of this.#course.intents) if (intent instanceof Call && intent.optimistic) count++
    return count
  }

  /** Calls `listener` for each temporary pk that has become real, just before the commit that shows it. */
  onMove(listener: (key: string, from: string, to: string) => void): void {
    this.#movers.push(listener)
  }

  /** The place of something that needs none kept for it. What was said at a `date` before all reads under way lies beneath them. */
  now(date: number = Infinity): Stamp {
    const { oldest } = this.#course.log
    return date < oldest && oldest < Infinity ? Object.freeze({ fetchedAt: oldest - 1, date, expiresAt: 0 }) : this.#course.now()
  }

  /** A read starts. It keeps its place until it lands or leaves. */
  begin(): Place {
    const { fetchedAt, date } = this.#course.now()
    const read: Read = { fetchedAt, date, epoch: this.#epoch, overtaken: false, done: false }
    this.#course.log.begin(read)
    return read
  }

  /** The answer of a read, at its place. Gives the stored result. It lands once; after a reset it is a `ResetError`. */
  land(place: Place, answer: Answer, cause: Cause): unknown {
    const read = place as Read
    this.#check(read)
    if (read.done) return undefined
    const { fetchedAt, date } = read
    try {
      const stored = this.#receive(answer, Object.freeze({ fetchedAt, date, expiresAt: answer.expiresAt }), cause, read.overtaken)
      this.#check(read)
      return stored
    } finally {
      this.#course.log.end(read)
    }
  }

  /** A read ends without an answer. After it has landed this does nothing: the controller calls it at the end of every read. */
  leave(place: Place): void {
    this.#course.log.end(place as Read)
  }

  /** An answer that belongs where it lands. */
  receive(answer: Answer, cause: Cause): unknown {
    return this.#receive(answer, this.#course.now(answer.expiresAt), cause)
  }

  /** A write of this client's own. What is given back can be withdrawn. */
  set({ schema, args, value }: LocalWrite, cause: Cause): LocalSet {
    const { intents, log } = this.#course
    const write = { schema, args: this.names.current(args), value: this.names.current(value) }
    const handle: LocalSet = {}
    return this.#course.change(cause, () => {
      const { base, state } = this.#store
      const source: Source = { write, pk: typeof value === 'function' ? this.#pkOf(write) : '' }
      const about = this.#waitsFor(source)
      if (about !== undefined) {
        const { given } = this.#course.attempt(state, draft => new Held(source, prepareSource(draft, source, true), this.names.prefix, handle))
        given.footprint.include(about)
        intents.add(given)
        return { base, given: handle }
      }
      return this.#course.attempt(base, draft => {
        const stamp = this.#course.now(Infinity)
        const prepared = prepareSource(draft, source, intents.size > 0 || log.keeps(stamp.fetchedAt))
        const { operations, edits } = prepared
        const held = intents.size > 0 ? new Held(source, prepared, this.names.prefix, handle) : undefined
        if (held !== undefined && intents.overlap(held.footprint)) intents.add(held)
        else log.land(draft, (handle.item = { stamp, operations, edits }))
        return handle
      })
    })
  }

  /** Takes a local write back out of the order, as if it had never been; false when it can no longer be told from the rest. One that has gone with what it spoke of is out already. */
  withdraw(handle: unknown, cause: Cause): boolean {
    const { intents, log } = this.#course
    const { held, item } = handle as LocalSet
    return this.#course.change<boolean>(cause, () => {
      const { base } = this.#store
      if (held !== undefined && item === undefined) {
        intents.delete(held)
        return { base: this.#course.sink(base), given: true }
      }
      return this.#course.attempt(base, draft => item !== undefined && log.withdraw(draft, item))
    })
  }

  /** Patches from outside: all of them, or none and a `PatchError`. What they remove is deleted, unless their origin is `gc`. */
  apply(write: ForeignWrite, cause: Cause): void {
    const { log } = this.#course
    const lost = cause.origin === 'gc'
    const newest = newestOf(write)
    this.#course.change(cause, () =>
      this.#course.attempt(this.#store.base, draft => {
        // What was written down lies where its stamps say: a read that began after them is newer.
        const stamp = this.now(cause.origin === 'hydrate' ? newest : Infinity)
        if (log.keeps(stamp.fetchedAt)) log.land(draft, { stamp, operations: [], edits: foreignEdits(draft, write, stamp, lost) })
        else applyForeign(draft, write, stamp, lost)
        this.#course.pass(newest)
      }),
    )
  }

  /** Takes away what nobody needs. It is not deleted, and nothing of it is remembered. What a read may still land beneath stays. */
  collect(cells: Iterable<Cell>, cause: Cause): void {
    this.#course.change(cause, () =>
      this.#course.attempt(this.#store.base, draft => {
        for (const cell of cells) if (!this.#course.log.has(cell)) draft.drop(cell)
      }),
    )
  }

  /** Calls `visit` for the cells that something under way will write to, or go back to. */
  holds(visit: (cell: Cell) => void): void {
    const { base } = this.#store
    this.#course.log.forEachCell(visit)
    for (const { footprint, prepared } of this.#course.intents) {
      for (const step of [...(prepared?.operations ?? []), ...(prepared?.edits ?? [])]) if ('cell' in step) visit(step.cell)
      for (const [key, pks] of footprint.rows) {
        for (const pk of pks) {
          const cell = cellOf(base, key, pk)
          if (cell !== undefined) visit(cell)
        }
      }
      for (const key of footprint.tables) cellsOf(base, key)?.forEach(visit)
    }
  }

  /** A call is made. What it expects shows at once, until it is settled or fails. */
  call(endpoint: AnyEndpoint, given: readonly unknown[]): Mutation {
    const args = this.names.current(given)
    return this.#course.change({ cause: 'call' }, () => {
      const call = new Call(++this.#calls, this.#epoch, this.#store.base, endpoint, args, this.#host)
      this.#course.intents.add(call)
      return { base: call.before, given: call }
    })
  }

  /**
   * The answer of a call; what it had expected goes in the same commit. Gives the stored result. A call is settled once;
   * after a reset it is a `ResetError`. Where the answer cannot be taken in, the call is still open, and is to fail.
   */
  settle(mutation: Mutation, answer: Answer, cause: Cause): unknown {
    const { intents, log } = this.#course
    const call = mutation as Call
    this.#check(call)
    if (!intents.has(call)) return undefined
    let moved: readonly Moved[] = []
    const stored = this.#course.change<unknown>(
      cause,
      () => {
        const source = { answer, before: call.before }
        const waits = intents.overlap(call.footprint, call)
        const { base, given: prepared } = this.#course.attempt(this.#store.base, draft => {
          const stamp = this.#course.now(answer.expiresAt)
          const prepared = prepareSource(draft, source, waits || log.keeps(stamp.fetchedAt))
          const { operations, edits } = prepared
          if (!waits) log.land(draft, { stamp, operations, edits })
          return prepared
        })
        moved = call.prepared === undefined ? [] : matchCreated(call.prepared, prepared, pk => call.temporary.get(pk))
        const held = waits ? new Held(source, prepared, this.names.prefix) : undefined
        held?.footprint.include(call.footprint)
        intents.replace(call, held)
        this.names.move(moved, held)
        return { base: this.#course.sink(base), given: prepared.result }
      },
      () => this.#tell(moved),
    )
    this.#check(call)
    return stored
  }

  /** A call came to nothing. After it is settled this does nothing: the controller calls it at the end of every call. */
  fail(mutation: Mutation, cause: Cause): void {
    const { intents } = this.#course
    const call = mutation as Call
    if (!intents.has(call)) return
    this.#course.change(cause, () => {
      intents.delete(call)
      // What speaks of something that will never be goes with it.
      for (const intent of [...intents]) {
        const mentioned = intent.footprint.rows.get('') ?? []
        if (intent instanceof Held && [...mentioned].some(pk => call.temporary.has(pk))) intents.delete(intent)
      }
      return { base: this.#course.sink(this.#store.base), given: undefined }
    })
  }

  /** Forgets everything. What was under way before this never lands. */
  reset(cause: Cause): void {
    this.#course.change(cause, () => {
      this.#epoch++
      this.#course.intents.clear()
      this.#course.log.reset()
      this.names.clear()
      // The cells stay: views of what is gone hang on them.
      return { base: Object.freeze({ ...emptyState, cells: this.#store.cells }), given: undefined }
    })
  }

  /** What began before a reset is over; also when it was a listener of its own commit who reset. */
  #check({ epoch }: { readonly epoch: number }): void {
    if (epoch !== this.#epoch) throw new ResetError()
  }

  #receive(answer: Answer, stamp: Stamp, cause: Cause, overtaken = false): unknown {
    const { log } = this.#course
    return this.#course.change<unknown>(cause, (): Changed<unknown> =>
      this.#course.attempt(this.#store.base, draft => {
        const { operations, edits, result } = prepareAnswer(draft, answer, log.keeps(stamp.fetchedAt))
        log.land(draft, { stamp, operations, edits: overtaken ? cautious(edits, operations) : edits })
        return result
      }),
    )
  }

  /** What an updater has to wait for: a call about its record, or whoever shows a record that the base does not have. */
  #waitsFor({ write, pk }: Extract<Source, { pk: string }>): Footprint | undefined {
    const { intents } = this.#course
    if (typeof write.value !== 'function' || intents.size === 0) return undefined
    const { key } = asEntity(write.schema)
    const about = new Footprint()
    about.add(key, pk)
    about.addMentions(write.args, this.names.prefix)
    if (intents.overlap(about)) return about
    if (readRow(this.#store.base, key, pk) !== undefined) return undefined
    return intents.find(after => readRow(after, key, pk) !== undefined)?.footprint
  }

  #pkOf({ schema, args }: LocalWrite): string {
    const found = queryKey(schema, args, this.#store.state)
    // What is not there is named in the error by what was asked for.
    return typeof found === 'string' ? found : text(args[0])
  }

  #tell(moved: readonly Moved[]): void {
    for (const { key, from, to } of moved) {
      for (const mover of this.#movers) {
        try {
          mover(key, from, to)
        } catch (error) {
          this.#course.report(error)
        }
      }
    }
  }
}

export type { Mutation } from './call.ts'
export type { LocalSet } from './held.ts'
export type { Place } from './place.ts'
