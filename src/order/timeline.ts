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
import { Call, type Mutation } from './call.ts'
import { createCourse } from './course.ts'
import { Footprint } from './footprint.ts'
import { applyForeign, foreignEdits, newestOf } from './foreign.ts'
import { Held, prepareSource, type LocalSet, type Source } from './held.ts'
import type { Intents } from './intent.ts'
import { Names } from './names.ts'
import type { Place, Read } from './place.ts'
import { asEntity, cautious, prepareAnswer } from './prepare.ts'
import { matchCreated, type Moved } from './temporary.ts'

/**
 * The order in which things count. The base holds what was said: reads lie where they started, everything else where
 * it landed. Over it lie the intents: calls that are not settled, in the order in which they were made, and what must
 * stay above one of them. Base and intents together are what everybody sees.
 */
export interface Timeline {
  /** Temporary pks. */
  readonly names: Names
  /** Calls that are not settled, and what waits for them. */
  readonly intents: Intents
  /** What was said so far: the base, and over it the answers that must wait. */
  told(): State
  /** Calls `listener` for each temporary pk that has become real, just before the commit that shows it. */
  onMove(listener: (key: string, from: string, to: string) => void): void
  /** The place of something that needs none kept for it. What was said at a `date` before all reads under way lies beneath them. */
  now(date?: number): Stamp
  /** A read starts. It keeps its place until it lands or leaves. */
  begin(): Place
  /** The answer of a read, at its place. Gives the stored result. It lands once; after a reset it is a `ResetError`. */
  land(place: Place, answer: Answer, cause: Cause): unknown
  /** A read ends without an answer. After it has landed this does nothing: the controller calls it at the end of every read. */
  leave(place: Place): void
  /** An answer that belongs where it lands. */
  receive(answer: Answer, cause: Cause): unknown
  /** A write of this client's own. What is given back can be withdrawn. */
  set(write: LocalWrite, cause: Cause): LocalSet
  /** Takes a local write back out of the order, as if it had never been; false when it can no longer be told from the rest. One that has gone with what it spoke of is out already. */
  withdraw(handle: unknown, cause: Cause): boolean
  /** Patches from outside: all of them, or none and a `PatchError`. What they remove is deleted, unless their origin is `gc`. */
  apply(write: ForeignWrite, cause: Cause): void
  /** Takes away what nobody needs. It is not deleted, and nothing of it is remembered. What a read may still land beneath stays. */
  collect(cells: Iterable<Cell>, cause: Cause): void
  /** Calls `visit` for the cells that something under way will write to, or go back to. */
  holds(visit: (cell: Cell) => void): void
  /** A call is made. What it expects shows at once, until it is settled or fails. `ready` is called before; where it throws, no call was made. What it makes is called as by the call `id` that came to nothing. */
  call(endpoint: AnyEndpoint, args: readonly unknown[], ready?: (call: Mutation) => void, id?: number): Mutation
  /**
   * The answer of a call; what it had expected goes in the same commit. Gives the stored result. A call is settled once;
   * after a reset it is a `ResetError`. Where the answer cannot be taken in, the call is still open, and is to fail.
   */
  settle(mutation: Mutation, answer: Answer, cause: Cause): unknown
  /** A call came to nothing. After it is settled this does nothing: the controller calls it at the end of every call. */
  fail(mutation: Mutation, cause: Cause): void
  /** Forgets everything. What was under way before this never lands. */
  reset(cause: Cause): void
}

export function createTimeline(store: Store, clock: Clock, snapOf: (state: State) => Snap, report: (error: unknown) => void): Timeline {
  const { intents, log, now, pass, change, attempt, sink } = createCourse(store, clock, report)
  const names = new Names(intents)
  const host = { snapOf, report, names }
  const movers: Parameters<Timeline['onMove']>[0][] = []
  let calls = 0
  let epoch = 0

  /** What began before a reset is over; also when it was a listener of its own commit who reset. */
  function check(begun: { readonly epoch: number }): void {
    if (begun.epoch !== epoch) throw new ResetError()
  }

  function receive(answer: Answer, stamp: Stamp, cause: Cause, overtaken = false): unknown {
    return change<unknown>(cause, () =>
      attempt(store.base, draft => {
        const { operations, edits, result } = prepareAnswer(draft, answer, log.keeps(stamp.fetchedAt))
        log.land(draft, stamp, { operations, edits: overtaken ? cautious(edits, operations) : edits })
        return result
      }),
    )
  }

  /** What an updater has to wait for: a call about its record, or whoever shows a record that the base does not have. */
  function waitsFor({ write, pk }: Extract<Source, { pk: string }>): Footprint | undefined {
    if (typeof write.value !== 'function' || intents.size === 0) return undefined
    const { key } = asEntity(write.schema)
    const about = new Footprint()
    about.add(key, pk)
    about.addMentions(names.mentioned(write.args))
    if (intents.overlap(about)) return about
    if (readRow(store.base, key, pk) !== undefined) return undefined
    return intents.find(after => readRow(after, key, pk) !== undefined)?.footprint
  }

  function pkOf({ schema, args }: LocalWrite): string {
    const found = queryKey(schema, args, store.state)
    // What is not there is named in the error by what was asked for.
    return typeof found === 'string' ? found : text(args[0])
  }

  function tell(moved: readonly Moved[]): void {
    for (const { key, from, to } of moved) {
      for (const mover of movers) {
        try {
          mover(key, from, to)
        } catch (error) {
          report(error)
        }
      }
    }
  }

  const timeline: Timeline = {
    names,
    intents,
    told() {
      let at = store.base
      for (const intent of intents.keys()) if (intent instanceof Held && !intent.handle) at = intent.show(at)
      return at
    },
    onMove: listener => void movers.push(listener),
    now(date = Infinity) {
      const { oldest } = log
      return date < oldest && oldest < Infinity ? Object.freeze({ fetchedAt: oldest - 1, date, expiresAt: 0 }) : now(0)
    },
    begin() {
      const { fetchedAt, date } = now(0)
      const read: Read = { fetchedAt, date, epoch, overtaken: false, done: false }
      log.begin(read)
      return read
    },
    land(place, answer, cause) {
      const read = place as Read
      check(read)
      if (read.done) return undefined
      const { fetchedAt, date } = read
      try {
        const stored = receive(answer, Object.freeze({ fetchedAt, date, expiresAt: answer.expiresAt }), cause, read.overtaken)
        check(read)
        return stored
      } finally {
        log.end(read)
      }
    },
    leave: place => log.end(place as Read),
    receive: (answer, cause) => receive(answer, now(answer.expiresAt), cause),
    set({ schema, args, value }, cause) {
      const write = { schema, args: names.current(args), value: names.current(value) }
      const handle: LocalSet = {}
      return change(cause, () => {
        const { base, state } = store
        const source: Source = { write, pk: typeof value === 'function' ? pkOf(write) : '' }
        const about = waitsFor(source)
        if (about !== undefined) {
          const { given } = attempt(state, draft => new Held(source, prepareSource(draft, source, true), names, handle))
          given.footprint.include(about)
          intents.add(given)
          return { base, given: handle }
        }
        return attempt(base, draft => {
          const stamp = now()
          const prepared = prepareSource(draft, source, intents.size > 0 || log.keeps(stamp.fetchedAt))
          const held = intents.size > 0 ? new Held(source, prepared, names, handle) : undefined
          if (held !== undefined && intents.overlap(held.footprint)) intents.add(held)
          else handle.item = log.land(draft, stamp, prepared)
          return handle
        })
      })
    },
    withdraw(handle, cause) {
      const { held, item } = handle as LocalSet
      return change<boolean>(cause, () => {
        if (held === undefined || item !== undefined) return attempt(store.base, draft => item !== undefined && log.withdraw(draft, item))
        intents.delete(held)
        return { base: sink(store.base), given: true }
      })
    },
    apply(write, cause) {
      const lost = cause.origin === 'gc'
      const newest = newestOf(write)
      change(cause, () =>
        attempt(store.base, draft => {
          // What was written down lies where its stamps say: a read that began after them is newer.
          const stamp = timeline.now(cause.origin === 'hydrate' ? newest : Infinity)
          if (log.keeps(stamp.fetchedAt)) log.land(draft, stamp, { operations: [], edits: foreignEdits(draft, write, stamp, lost) })
          else applyForeign(draft, write, stamp, lost)
          pass(newest)
        }),
      )
    },
    collect(cells, cause) {
      change(cause, () =>
        attempt(store.base, draft => {
          for (const cell of cells) if (!log.has(cell)) draft.drop(cell)
        }),
      )
    },
    holds(visit) {
      const { base } = store
      log.forEachCell(visit)
      for (const { footprint, prepared } of intents.keys()) {
        for (const step of [...(prepared?.operations ?? []), ...(prepared?.edits ?? [])]) if ('cell' in step) visit(step.cell)
        for (const [key, pks] of footprint.rows) {
          for (const pk of pks) {
            const cell = cellOf(base, key, pk)
            if (cell !== undefined) visit(cell)
          }
        }
        for (const key of footprint.tables) cellsOf(base, key)?.forEach(visit)
      }
    },
    call(endpoint, given, ready, id = ++calls) {
      const args = names.current(given)
      return change<Mutation>({ cause: 'call' }, () => {
        const call = new Call(id, epoch, store.base, endpoint, args, host)
        // What throws here, because a pk fits in no address, throws before anything has happened.
        ready?.(call)
        intents.add(call)
        return { base: call.before, given: call }
      })
    },
    settle(mutation, answer, cause) {
      const call = mutation as Call
      check(call)
      if (!intents.has(call)) return undefined
      let moved: readonly Moved[] = []
      const stored = change<unknown>(
        cause,
        () => {
          const source = { answer, before: call.before, sent: call.said }
          const waits = intents.overlap(call.footprint, call)
          const { base, given: prepared } = attempt(store.base, draft => {
            const stamp = now(answer.expiresAt)
            const prepared = prepareSource(draft, source, waits || log.keeps(stamp.fetchedAt))
            if (!waits) log.land(draft, stamp, prepared)
            return prepared
          })
          moved = call.expected === undefined ? [] : matchCreated(call.expected, prepared, pk => call.temporary.get(pk))
          const held = waits ? new Held(source, prepared, names) : undefined
          held?.footprint.include(call.footprint)
          // Before what waits for it is done over it.
          call.said = held ? held.show(timeline.told()) : base
          intents.replace(call, held)
          names.move(moved, held)
          return { base: sink(base), given: prepared.result }
        },
        () => tell(moved),
      )
      check(call)
      return stored
    },
    fail(mutation, cause) {
      const call = mutation as Call
      if (!intents.has(call)) return
      change(cause, () => {
        intents.delete(call)
        // What speaks of something that will never be goes with it.
        for (const intent of [...intents.keys()]) {
          if (!(intent instanceof Held) || ![...(intent.footprint.rows.get('') ?? [])].some(pk => call.temporary.has(pk))) continue
          intents.delete(intent)
          intent.handle?.writer?.lost()
        }
        return { base: sink(store.base), given: undefined }
      })
    },
    reset(cause) {
      change(cause, () => {
        epoch++
        intents.clear()
        log.reset()
        names.clear()
        // The cells stay: views of what is gone hang on them.
        return { base: Object.freeze({ ...emptyState, cells: store.state.cells }), given: undefined }
      })
    },
  }
  return timeline
}

export type { Mutation } from './call.ts'
export type { LocalSet } from './held.ts'
export type { Place } from './place.ts'
