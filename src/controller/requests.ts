import type { Clock } from '../base/clock.ts'
import { AbortError, NetworkError, PatchcordError, ResetError } from '../base/errors.ts'
import type { AnyEndpoint } from '../endpoint/types.ts'
import type { FetchAction } from '../managers/manager.ts'
import { answerOf, type Answer } from '../order/answer.ts'
import type { Mutation, Place, Timeline } from '../order/timeline.ts'
import type { Fields } from '../schema/interface.ts'
import { readResult, readRow, type State } from '../store/state.ts'
import { forEachRow } from '../store/changes.ts'
import { createBreaker, type Breaker } from './breaker.ts'
import { Flight } from './flight.ts'
import type { Freshness } from './freshness.ts'
import { quiet } from './quiet.ts'
import { keyOf } from './responses.ts'
import { createOverlaps, type Overlaps } from './overlaps.ts'
import type { Reader, Target } from './readerOf.ts'
import type { CallWatcher, Settled } from './steps.ts'

/** What requests need of their controller. */
export interface RequestHost {
  readonly timeline: Timeline
  readonly freshness: Freshness
  readonly clock: Clock
  /** Lets managers see the action; true when one of them carries it out. */
  offer(action: FetchAction): boolean
  /** Runs `work`, and wakes readers after it. */
  together<T>(work: () => T): T
  /** The view of what has just been answered. */
  shown(answer: Answer, stored: unknown): unknown
  /** What the server has said so far. */
  base(): State
  report(error: unknown): void
  /** A read that shows this row. */
  readerOf(target: Target): Reader | undefined
  /** Whether a row is fetched again when nobody can say what the server has of it. */
  readonly revalidates: boolean
}

/** The requests under way. Reads of one key are one request; calls that change something are one each. */
export class Requests {
  readonly #host: RequestHost
  /** Reads that others may still join. */
  readonly #reads = new Map<string, Flight>()
  readonly #flights = new Set<Flight>()
  readonly #calls = new Map<Mutation, Flight>()
  readonly #overlaps: Overlaps
  /** The places of reads under way, the oldest first. */
  readonly #places = new Set<Place>()
  /** Rows in doubt that nobody shows but, it may be, a read that is under way; and since when. */
  readonly #doubts = new Map<Target, number>()
  readonly #breaker: Breaker
  /** Everything is being ended: what that leaves in doubt is not asked for. */
  #ending = false

  constructor(host: RequestHost) {
    this.#host = host
    this.#breaker = createBreaker(host.clock, host.report)
    this.#overlaps = createOverlaps(target => this.#doubt(target))
  }

  /** Throws when readers ask for `key` in a circle. To join what is under way is no asking. */
  mayAsk(key: string): void {
    if (!this.#reads.has(key)) this.#breaker.pass(key)
  }

  /** Whether those who read `key` are being told of its answer. */
  wakes(key: string): boolean {
    return this.#breaker.wakes(key)
  }

  /** `watch` is asked for somebody to tell what becomes of a call that changes something. */
  start(endpoint: AnyEndpoint, args: readonly unknown[], watch: () => CallWatcher): Promise<unknown> {
    const { signal } = endpoint
    try {
      if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason })
      if (endpoint.sideEffect) return this.#call(endpoint, args, keyOf(endpoint, args), watch).join(signal)
      const creations = this.#creations(args).map(({ promise }) => promise)
      if (creations.length > 0) return quiet(Promise.all(creations).then(() => this.start(endpoint, args, watch)))
      const named = this.#host.timeline.names.current(args)
      const key = keyOf(endpoint, named)
      return (this.#reads.get(key) ?? this.#read(endpoint, named, key)).join(signal)
    } catch (error) {
      return quiet(Promise.reject(error))
    }
  }

  /** A read of its own, whoever is asking already: what is under way may have seen less. */
  again(endpoint: AnyEndpoint, args: readonly unknown[]): void {
    const key = keyOf(endpoint, args)
    this.part(key)
    this.#read(endpoint, args, key)
  }

  /** From here on a read of `key` is a new request; the one under way may end. */
  part(key: string): void {
    this.#reads.delete(key)
  }

  abort(key: string): void {
    this.#endEach(flight => flight.isFor(key), () => new AbortError())
  }

  /** Ends everything. */
  endAll(makeError: () => Error): void {
    this.#ending = true
    this.#doubts.clear()
    this.#endEach(() => true, makeError)
    this.#ending = false
  }

  /** The last one first: the end of one lets another go that has waited for it, and that is to end too. */
  #endEach(which: (flight: Flight) => boolean, makeError: () => Error): void {
    for (const flight of [...this.#flights].filter(which).reverse()) this.#end(flight, makeError())
  }

  #end(flight: Flight, error: Error): void {
    this.#host.together(() => flight.end(error))
  }

  #read(endpoint: AnyEndpoint, args: readonly unknown[], key: string): Flight {
    const { timeline, freshness, together } = this.#host
    const place = timeline.begin()
    this.#places.add(place)
    const flight = this.#open(each => each === key, () => {
      if (this.#reads.get(key) === flight) this.#reads.delete(key)
      timeline.leave(place)
      freshness.fetching(key, -1)
      this.#ended(place)
    })
    this.#reads.set(key, flight)
    together(() => freshness.fetching(key, 1))
    this.#send({
      type: 'fetch',
      endpoint,
      args,
      key,
      signal: flight.signal,
      lane: undefined,
      outcome: flight.promise,
      answer: value => this.#breaker.wake(key, () => together(() => flight.settle(() => this.#landed(endpoint, args, key, place, value)))),
      fail: error => this.#breaker.wake(key, () => together(() => flight.settle(() => this.#failed(endpoint, args, key, place, error)))),
    })
    return flight
  }

  #call(endpoint: AnyEndpoint, args: readonly unknown[], key: string, watch: () => CallWatcher): Flight {
    const { timeline, together, base } = this.#host
    // What cannot be called is nothing to watch; and what readers do when they see what it expects comes after it.
    const [mutation, watcher] = together(() => [timeline.call(endpoint, args), watch()] as const)
    let over: ReturnType<Overlaps> = () => {}
    let settled = false
    let failure: unknown
    let undone = false
    const flight = this.#open(each => each === key || each === keyOf(endpoint, mutation.args), () => {
      this.#calls.delete(mutation)
      timeline.fail(mutation, { cause: 'fail' })
      if (!settled) watcher.failed()
      over(failure, undone)
    })
    this.#calls.set(mutation, flight)
    /** The base when its arguments were last asked for, to go out. */
    let sent: State | undefined
    const answer = (value: unknown): unknown => {
      const shown = this.#settled(mutation, value, watcher, sent)
      settled = true
      return shown
    }
    const fail = (error: unknown): void =>
      together(() =>
        flight.settle(() => {
          failure = error
          throw error
        }),
      )
    const send = (): void => {
      if (flight.settled) return
      // Only now: what it is about may have had a temporary pk until now.
      over = this.#overlaps(mutation)
      this.#send({
        type: 'fetch',
        endpoint,
        get args() {
          sent = base()
          return mutation.args
        },
        key,
        signal: flight.signal,
        lane: mutation.lane,
        outcome: flight.promise,
        answer: value => together(() => flight.settle(() => answer(value))),
        fail,
      })
    }
    watcher.called(() => {
      undone = true
      this.#end(flight, new AbortError('The call was undone.'))
    })
    // A temporary pk is never sent, by a read neither: the call waits for the one that makes it real, and fails with it.
    const creations = this.#creations(args)
    let left = creations.length
    if (left === 0) send()
    for (const { heirs } of creations) heirs.push({ go: () => void (--left === 0 && send()), fail })
    return flight
  }

  /** The calls that make what these arguments speak of by temporary pks. */
  #creations(args: readonly unknown[]): Flight[] {
    return this.#host.timeline.names.awaited(args).map(each => this.#calls.get(each)!)
  }

  #open(isFor: Flight['isFor'], over: () => void): Flight {
    const flight = new Flight(isFor, each => {
      this.#flights.delete(each)
      over()
    })
    this.#flights.add(flight)
    return flight
  }

  #send(action: FetchAction): void {
    try {
      if (!this.#host.offer(action)) throw new PatchcordError('UNSENT', 'No manager carries out requests. Keep the default ones, or give one that does.')
    } catch (error) {
      action.fail(error)
    }
  }

  /** Nobody can say what the server has of this row: whoever shows it asks again, now or when a read that is under way turns out to. */
  #doubt(target: Target): void {
    const { revalidates, readerOf, timeline } = this.#host
    if (this.#ending || !revalidates) return
    const reader = readerOf(target)
    if (reader !== undefined) this.again(reader.endpoint, reader.args)
    else if (this.#places.size > 0) this.#doubts.set(target, timeline.now().fetchedAt)
  }

  /** A read has ended. One that starts after a doubt answers it by itself. */
  #ended(place: Place): void {
    this.#places.delete(place)
    const [oldest] = this.#places
    for (const [target, since] of this.#doubts) {
      const reader = this.#host.readerOf(target)
      if (reader !== undefined || oldest === undefined || oldest.fetchedAt > since) this.#doubts.delete(target)
      if (reader !== undefined && place.fetchedAt < since) this.again(reader.endpoint, reader.args)
    }
  }

  #landed(endpoint: AnyEndpoint, args: readonly unknown[], key: string, place: Place, value: unknown): unknown {
    const { timeline, freshness, shown } = this.#host
    const answer = this.#answer(endpoint, args, key, value)
    try {
      const stored = timeline.land(place, answer, { cause: 'fetch' })
      freshness.answered(key, place, answer.expiresAt, endpoint, args)
      return shown(answer, stored)
    } catch (error) {
      return this.#failed(endpoint, args, key, place, error)
    }
  }

  #failed(endpoint: AnyEndpoint, args: readonly unknown[], key: string, place: Place, error: unknown): unknown {
    const { freshness, clock, shown, base } = this.#host
    const known = freshness.get(key)
    if (known.fetchedAt !== undefined && error instanceof NetworkError && error.status === 304) {
      // The server says that what we have is what there is.
      const answer = this.#answer(endpoint, args, key, readResult(base(), key))
      freshness.answered(key, place, answer.expiresAt, endpoint, args)
      return shown(answer, undefined)
    }
    if (!(error instanceof AbortError || error instanceof ResetError)) freshness.failed(key, place.fetchedAt, error, clock.now() + endpoint.errorExpiryLength, endpoint, args)
    throw error
  }

  #settled(mutation: Mutation, value: unknown, watcher: CallWatcher, sent: State = this.#host.base()): unknown {
    const { timeline, shown, base } = this.#host
    const { endpoint, args } = mutation
    const answer = this.#answer(endpoint, args, undefined, value)
    const [last, stored] = [base(), timeline.settle(mutation, answer, { cause: 'fetch' })]
    const target = mutation.target ?? madeBy(sent, base(), stored)
    const record = (state: State): Fields | undefined => target && (readRow(state, target.key, target.pk) as Fields | undefined)
    const after = record(base())
    // A read that was answered first may tell of a change already; what is deleted is what was there last.
    watcher.settled({ args, target, previous: record(after ? sent : last), after, result: value, pk: typeof stored === 'string' ? stored : undefined })
    return shown(answer, stored)
  }

  #answer(endpoint: AnyEndpoint, args: readonly unknown[], key: string | undefined, value: unknown): Answer {
    return answerOf(endpoint, args, key, value, this.#host.clock.now() + endpoint.dataExpiryLength)
  }
}

/** The row of this pk that was not there before. */
function madeBy(before: State, after: State, pk: unknown): Settled['target'] {
  let made: Settled['target']
  forEachRow(before, after, (cell, old) => {
    if (old === undefined && cell.pk === pk) made = { key: cell.table.key, pk: cell.pk }
  })
  return made
}
