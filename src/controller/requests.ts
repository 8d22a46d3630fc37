import type { Clock } from '../base/clock.ts'
import { AbortError, NetworkError, PatchcordError, ResetError } from '../base/errors.ts'
import type { AnyEndpoint } from '../endpoint/types.ts'
import type { FetchAction } from '../managers/manager.ts'
import { answerOf, type Answer } from '../order/answer.ts'
import type { Mutation, Timeline } from '../order/timeline.ts'
import type { Fields } from '../schema/interface.ts'
import { memberIdentity, memberPk } from '../schema/member.ts'
import { readResult, readRow, type State } from '../store/state.ts'
import { createBreaker } from './breaker.ts'
import { cameOrWent } from './cameOrWent.ts'
import { createDoubts } from './doubts.ts'
import { createExits } from './exits.ts'
import { createFlight, type Flight } from './flight.ts'
import type { Freshness } from './freshness.ts'
import { quiet } from './quiet.ts'
import { keyOf } from './responses.ts'
import { createOverlaps } from './overlaps.ts'
import type { Reader, Target } from './readerOf.ts'
import type { CallWatcher } from './step.ts'

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
  report(error: unknown): void
  /** A read that shows this row. */
  readerOf(target: Target): Reader | undefined
  /** Whether a row is fetched again when nobody can say what the server has of it. */
  readonly revalidates: boolean
}

/** The requests under way. Reads of one key are one request; calls that change something are one each. */
export interface Requests {
  /** Throws when readers ask for `key` in a circle. To join what is under way is no asking. */
  mayAsk(key: string): void
  /** Whether those who read `key` are being told of its answer. */
  wakes(key: string): boolean
  /** `watch` is asked for somebody to tell what becomes of a call that changes something. */
  start(endpoint: AnyEndpoint, args: readonly unknown[], watch: () => CallWatcher, id?: number): Promise<unknown>
  /** From here on a read of `key` is a new request; the one under way may end. */
  part(key: string): void
  abort(key: string): void
  /** Ends everything. */
  endAll(makeError: () => Error): void
}

export function createRequests(host: RequestHost): Requests {
  const { timeline, freshness, clock, together, shown, readerOf } = host
  const { told } = timeline
  /** Reads that others may still join. */
  const reads = new Map<string, Flight>()
  const flights = new Set<Flight>()
  const exits = createExits()
  const calls = new Map<Mutation, Flight>()
  /** What goes after the last call of each lane that waits for something to be made. */
  const late = new Map<unknown, (() => void)[]>()
  /** What sends the calls that have only just been made. */
  const unsent: (() => void)[] = []
  const doubts = createDoubts(readerOf, again, timeline)
  const breaker = createBreaker(clock, host.report)
  /** Everything is being ended: what that leaves in doubt is not asked for. */
  let ending = false

  /** Nobody can say what the server has of this row: whoever shows it asks again, now or when a read that is under way turns out to. */
  const overlaps = createOverlaps(target => {
    if (!ending && host.revalidates) doubts.add(target)
  })

  /** A read of its own, whoever is asking already: what is under way may have seen less. */
  function again({ endpoint, args }: Reader): void {
    read(endpoint, args, keyOf(endpoint, args))
  }

  function start(endpoint: AnyEndpoint, args: readonly unknown[], watch: () => CallWatcher, id?: number): Promise<unknown> {
    const { signal } = endpoint
    try {
      if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason })
      // What readers do when they see what it expects comes after it: to them it is under way.
      if (endpoint.sideEffect) return together(() => call(endpoint, args, keyOf(endpoint, args), watch, id)).join(signal)
      const creations = creationsOf(args)
      if (creations.length > 0) return waiting(creations, keyOf(endpoint, args), () => start(endpoint, args, watch)).join(signal)
      const named = timeline.names.current(args)
      const key = keyOf(endpoint, named)
      return (reads.get(key) ?? read(endpoint, named, key)).join(signal)
    } catch (error) {
      return quiet(Promise.reject(error))
    }
  }

  /** The last one first: the end of one lets another go that has waited for it, and that is to end too. */
  function endEach(which: (flight: Flight) => boolean, makeError: () => Error): void {
    for (const flight of [...flights].filter(which).reverse()) flight.end(makeError())
  }

  function read(endpoint: AnyEndpoint, args: readonly unknown[], key: string): Flight {
    const place = timeline.begin()
    doubts.begin(place)
    const flight = open(each => each === key, () => {
      if (reads.get(key) === flight) reads.delete(key)
      timeline.leave(place)
      freshness.fetching(key, -1)
      doubts.end(place)
    })
    reads.set(key, flight)
    together(() => freshness.fetching(key, 1))

    const landed = (value: unknown): unknown => {
      const answer = answered(endpoint, args, key, value)
      try {
        const stored = timeline.land(place, answer, { cause: 'fetch' })
        freshness.answered(key, place, answer.expiresAt, endpoint, args)
        return shown(answer, stored)
      } catch (error) {
        return failed(error)
      }
    }
    const failed = (error: unknown): unknown => {
      if (freshness.get(key).fetchedAt !== undefined && error instanceof NetworkError && error.status === 304) {
        // The server says that what we have is what there is.
        const answer = answered(endpoint, args, key, readResult(told(), key))
        freshness.answered(key, place, answer.expiresAt, endpoint, args)
        return shown(answer, undefined)
      }
      if (!(error instanceof AbortError || error instanceof ResetError)) freshness.failed(key, place.fetchedAt, error, clock.now() + endpoint.errorExpiryLength, endpoint, args)
      throw error
    }
    const settling = (give: (outcome: unknown) => unknown) => (outcome: unknown): void =>
      breaker.wake(key, () => flight.settle(() => give(outcome)))
    send({ type: 'fetch', endpoint, args, key, signal: flight.signal, lane: undefined, outcome: flight.promise, answer: settling(landed), fail: settling(failed) })
    return flight
  }

  /** A read that goes when what it speaks of has been made. Until then it can be ended like any other. */
  function waiting(creations: readonly Flight[], key: string, go: () => Promise<unknown>): Flight {
    const flight = open(each => each === key, () => freshness.fetching(key, -1))
    together(() => freshness.fetching(key, 1))
    Promise.all(creations.map(({ promise }) => promise)).then(() => flight.settle(go), (error: Error) => flight.end(error))
    return flight
  }

  /** It is known as a call before anybody sees what it expects: who does may end it, ask for what it makes, or make another one, which goes after it. */
  function call(endpoint: AnyEndpoint, args: readonly unknown[], key: string, watch: () => CallWatcher, id?: number): Flight {
    let flight!: Flight
    timeline.call(endpoint, args, mutation => void (flight = called(mutation, key, watch)), id)
    for (let go = unsent.shift(); go !== undefined; go = unsent.shift()) go()
    return flight
  }

  function called(mutation: Mutation, key: string, watch: () => CallWatcher): Flight {
    const { endpoint, lane = {} } = mutation
    const watcher = watch()
    let over: ReturnType<typeof overlaps> = () => {}
    let settled = false
    let failure: unknown
    let undone = false
    const after: (() => void)[] = []
    const gone = (): void => {
      if (late.get(lane) === after) late.delete(lane)
      for (const next of after.splice(0)) next()
    }
    const drop = (): void => timeline.fail(mutation, { cause: 'fail' })
    const flight = open(each => each === key || each === keyOf(endpoint, mutation.args), () => {
      calls.delete(mutation)
      try {
        drop()
      } catch {
        // It was ended by something that a write calls: then it goes after that.
        queueMicrotask(() => together(drop))
      }
      if (!settled) watcher.failed?.(mutation)
      over(failure, undone)
      gone()
    })
    calls.set(mutation, flight)
    const settling = (give: (outcome: unknown) => unknown) => (outcome: unknown): void => flight.settle(() => give(outcome))
    const fail = settling(error => {
      failure = error
      throw error
    })
    const go = (): void => {
      if (flight.settled) return
      try {
        over = overlaps(mutation) // Only now: what it is about may have had a temporary pk until now.
        send({
          type: 'fetch',
          endpoint,
          get args() {
            mutation.said = told()
            // Throws where a temporary pk is left: what it stood for was expected, and not made.
            return timeline.names.current(mutation.args)
          },
          key,
          signal: flight.signal,
          lane: mutation.lane,
          outcome: flight.promise,
          answer: settling(value => {
            const view = land(mutation, value, watcher)
            settled = true
            return view
          }),
          fail,
        })
      } catch (error) {
        fail(error) // The real pk may fit in no address.
      }
      gone()
    }
    watcher.called?.(() => {
      undone = true
      flight.end(new AbortError('The call was undone.'))
    }, mutation.target)
    // A temporary pk is never sent, by a read neither: the call waits for the one that makes it real, and fails with it.
    const creations = creationsOf(mutation.args)
    // What is about the same as a call that waits goes after it, in the order in which they were made.
    const before = late.get(lane)
    let left = creations.length + (before ? 1 : 0)
    const next = (): void => void (--left === 0 && go())
    if (left === 0) unsent.push(go)
    else late.set(lane, after)
    before?.push(next)
    for (const { heirs } of creations) heirs.push({ go: next, fail })
    return flight
  }

  /** What a call was answered, in its place. */
  function land(mutation: Mutation, value: unknown, watcher: CallWatcher): unknown {
    const { endpoint, args, said: sent } = mutation
    const answer = answered(endpoint, args, undefined, value)
    const [last, stored] = [told(), timeline.settle(mutation, answer, { cause: 'fetch' })]
    const pk = memberPk(stored)
    const target = mutation.target ?? memberIdentity(endpoint.schema, stored) ?? cameOrWent(sent, mutation.said, pk)
    const record = (state: State): Fields | undefined => target && (readRow(state, target.key, target.pk) as Fields | undefined)
    const after = record(mutation.said)
    // A read that was answered first may tell of a change already. What is deleted is what was there last.
    const previous = record(after ? sent : last)
    watcher.settled({ args, target, previous, after, result: value, pk })
    return shown(answer, stored)
  }

  /** The calls that make what these arguments speak of by temporary pks. */
  function creationsOf(args: readonly unknown[]): Flight[] {
    return timeline.names.awaited(args).map(each => calls.get(each)!)
  }

  function open(isFor: Flight['isFor'], over: () => void): Flight {
    const flight = createFlight(isFor, () => {
      flights.delete(flight)
      over()
    }, together, exits)
    flights.add(flight)
    return flight
  }

  function send(action: FetchAction): void {
    try {
      if (!host.offer(action)) throw new PatchcordError('UNSENT', 'No manager carries out requests. Keep the default ones, or give one that does.')
    } catch (error) {
      action.fail(error)
    }
  }

  function answered(endpoint: AnyEndpoint, args: readonly unknown[], key: string | undefined, value: unknown): Answer {
    return answerOf(endpoint, args, key, value, clock.now() + endpoint.dataExpiryLength)
  }

  return {
    mayAsk: key => void (reads.has(key) || breaker.pass(key)),
    wakes: breaker.wakes,
    start,
    part: key => void reads.delete(key),
    abort: key => endEach(flight => flight.isFor(key), () => new AbortError()),
    endAll(makeError) {
      ending = true
      doubts.clear()
      endEach(() => true, makeError)
      ending = false
    },
  }
}
