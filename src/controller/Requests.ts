import { AbortError, NetworkError, PatchcordError, ResetError } from '../base/errors.ts'
import { partsOf, rename } from '../base/parts.ts'
import { equal, isPlain } from '../base/plain.ts'
import { attempt, markHandled } from '../base/report.ts'
import { fullArgs, isAdopted } from '../endpoint/Endpoint.ts'
import type { AnyEndpoint } from '../endpoint/types.ts'
import type { ManagerHost } from '../network/Manager.ts'
import type { Answer } from '../order/answer.ts'
import type { PendingCall } from '../order/Layer.ts'
import type { OpenRead } from '../order/Log.ts'
import type { Timeline } from '../order/Timeline.ts'
import type { Fields } from '../schema/interface.ts'
import { Cell, type State, type Table } from '../store/State.ts'
import { Reach } from '../view/Reach.ts'
import type { Freshness } from './Freshness.ts'
import { InFlight, type OnEnd } from './InFlight.ts'
import { uncertainLists } from './uncertainLists.ts'

/** A row. */
export interface RowName {
  readonly key: string
  readonly pk: string
}

/** The result of a settled call. */
export interface CallOutcome {
  /** The row that the call was about. */
  readonly target: RowName | undefined
  /** The confirmed record before and after. */
  readonly previous: Fields | undefined
  readonly after: Fields | undefined
  /** The records of all rows in the answer before the call, by `key pk`. */
  readonly records: ReadonlyMap<string, Fields | undefined>
  /** The processed answer. */
  readonly result: unknown
  /** The pk in the answer. */
  readonly pk: string | undefined
}

/** A call that was made. */
export interface StartedCall {
  readonly call: PendingCall
  readonly abort: () => void
  /** Settles after the observer heard of it. */
  readonly outcome: Promise<unknown>
}

/** Notified of the outcome of a call; for the history. */
export interface CallObserver {
  called?(started: StartedCall): void
  settled?(outcome: CallOutcome): void
  /** `isUndone`: it was ended by `abort`. */
  failed?(isUndone: boolean): void
}

/** This many requests for one key that readers make by themselves, each within a second of the one before, are a loop. */
const LIMIT = 20
const PAUSE = 1000

/** Called when a call is made: who observes it. */
type Observe = () => CallObserver | undefined

/** The part of a controller that requests use. */
export interface RequestHost extends Pick<ManagerHost, 'clock' | 'dispatch' | 'report'> {
  readonly timeline: Timeline
  readonly freshness: Freshness
  /** Runs `work`, and wakes readers after it. */
  readonly batch: <T>(work: () => T) => T
  /** The view of an answer. */
  readonly viewOf: (answer: Answer, stored?: unknown) => unknown
}

/**
 * All requests in flight. A read is shared by everybody who asks for its key; a call is one request each. A call waits
 * for the creation of every temporary pk in its arguments, then for its lane, then it is sent.
 */
export class Requests {
  /**
   * How and when the last read ended: with an answer for `key`, or, without a key, with a failure. Undefined after a call
   * has expired reads, because asking again is no loop then. Every end is a new object: readers compare them by reference.
   */
  declare lastEnd: { readonly key: string | undefined; readonly at: number } | undefined
  /** Keys whose answers are waking readers now: to these readers an answer is fresh, however short it lasts. */
  readonly waking: Set<string> = new Set()
  /** Keys that readers have asked for within the last second: how often, and when last. */
  readonly #asked = new Map<string, { readonly times: number; readonly at: number }>()
  readonly #host: RequestHost
  /** Reads that others may still join. */
  readonly #reads = new Map<string, InFlight>()
  readonly #all = new Set<InFlight>()
  /** In the order in which calls with one lane are sent. */
  readonly #calls = new Map<PendingCall, InFlight>()
  /** Lists whose pages are being fetched again, by key. Reads of a list and of its pages wait for each other: pages are appended in the order in which they arrive. */
  readonly #refreshes = new Map<string, Promise<void>>()
  /** Sends the calls that were made inside of the running commit. */
  readonly #unsent: (() => void)[] = []
  /** Rises by one with every call that ends. It starts at 1, because 0 means "not sent" in `PendingCall.sentAt`. */
  #turn = 1
  /** By target: the value of `#turn` when the last call ended that had the target in its arguments or in its answer. Empty while no call is in flight. */
  readonly #ends = new Map<Cell | Table | string, number>()
  /** How many requests are ending, each because of the one before. */
  #depth = 0
  /** Rows of which the server may have another version. */
  readonly #uncertain = new Set<Cell>()
  /** Whether an uncertain row is fetched again. */
  readonly #revalidates: boolean

  constructor(host: RequestHost, revalidates: boolean) {
    this.#host = host
    this.#revalidates = revalidates
  }

  /**
   * Runs `fetch` for a reader that asks for `key`. A reader that fetches, spoils the answer and fetches again would never
   * end: that is reported once, and slowed down to one request a second. One that does so inside of the answer is stopped
   * after the second request.
   */
  pace<T>(key: string, fetch: () => Promise<T>, weight: number = this.waking.has(key) ? LIMIT / 2 : 1): Promise<T> {
    if (this.#reads.has(key)) return fetch()
    const { clock, report } = this.#host
    const now = clock.now()
    // A key that is asked for goes to the end of the map, so those that were asked for long ago are in front.
    for (const [old, each] of this.#asked) {
      if (now - each.at < PAUSE) break
      this.#asked.delete(old)
    }
    const { times, at } = this.#asked.get(key) ?? { times: 0, at: now }
    const next = times + weight
    // Another reader may wait already.
    const wait = next > LIMIT ? (at > now ? at : at + PAUSE) - now : 0
    this.#asked.delete(key)
    this.#asked.set(key, { times: next, at: now + wait })
    if (!wait) return fetch()
    const error = new PatchcordError('LOOP', `${key} loops. Do not expire it in readers.`)
    if (times <= LIMIT) report(error)
    if (weight > 1) throw error
    return markHandled(new Promise<void>(go => clock.after(wait, go, true)).then(fetch))
  }

  start(endpoint: AnyEndpoint, args: readonly unknown[], observe?: Observe, id?: string): Promise<unknown> {
    const { signal } = endpoint
    const { timeline, batch } = this.#host
    try {
      if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason })
      if (endpoint.sideEffect) return batch(() => this.#call(endpoint, args, observe, id)).join(signal)
      const resolved = timeline.temporaryPks.resolveForCall(args)
      const key = endpoint.key(...resolved)
      const list = endpoint['~pageOf']?.(...resolved) ?? key
      const awaited = [this.#creationsIn(args).map(({ promise }) => promise), this.#refreshes.get(list) ?? [...this.#reads.values()].find(read => read.lane === list)?.promise.catch(() => {}) ?? []].flat()
      return (this.#reads.get(key) ?? (awaited.length ? this.#readAfter(awaited, endpoint, args, key, list) : this.#read(endpoint, resolved, key))).join(signal)
    } catch (error) {
      return markHandled(Promise.reject(error as Error))
    }
  }

  /** From now on a read of `key` is a new request; the one in flight may end. */
  separate(key: string): void {
    this.#reads.delete(key)
  }

  /** Ends the requests for `key`, or all. Calls in the order of their lanes, the last one first: the end of one lets another go that waited for it, and that is to end too. */
  end(makeError: () => Error, key?: string): void {
    this.#settling(() => {
      for (const request of [...this.#all, ...this.#calls.values()].reverse()) attempt(() => (!key || request.keys().includes(key)) && request.fail(makeError()), this.#host.report)
      if (!key) this.#uncertain.clear()
    })
  }

  /** `before` is given when a page of a list is fetched again: the result that the cursor was taken from. */
  #read(endpoint: AnyEndpoint, args: readonly unknown[], key: string, before?: unknown): InFlight {
    const list = endpoint['~pageOf']?.(...args)
    // Such a page does not write its cursor into the list: the list has that of its last page until all pages are there.
    const taken = before ? withOption(endpoint, 'update') : endpoint
    before ??= list && this.#resultOf(list)
    const { timeline, freshness, clock, batch, viewOf } = this.#host
    const read = timeline.begin()
    let hasPages = false
    const request = this.#open(() => [key], () => {
      if (this.#reads.get(key) === request) this.#reads.delete(key)
      if (!hasPages) timeline.leave(read)
      freshness.changeInFlight(key, -1)
    })
    request.lane = list ?? key
    this.#reads.set(key, request)
    batch(() => freshness.changeInFlight(key, 1))
    const failed = (error: unknown): unknown => {
      if (freshness.get(key).fetchedAt && error instanceof NetworkError && error.status === 304) {
        // The server confirms what the store has.
        const answer = this.#answer(endpoint, args, this.#resultOf(key), key)
        freshness.answered(key, read, answer.expiresAt, endpoint, args)
        return viewOf(answer)
      }
      if (!(error instanceof AbortError || error instanceof ResetError)) freshness.failed(key, read, error, clock.now(), endpoint, args)
      throw error
    }
    const landed = (value: unknown): unknown => {
      const answer = this.#answer(taken, args, value, key)
      const [page] = freshness.get(key).pages
      // Without its key: the result of the list stays, with the collection and the cursor of the last page.
      const first = page ? { ...answer, endpoint: withOption(endpoint, 'schema', freshness.get(page).endpoint!['~firstPage']), key: undefined } : answer
      try {
        const { confirmed } = timeline
        const stored = timeline.land(read, first)
        freshness.answered(key, read, answer.expiresAt, endpoint, args, before)
        if (this.#isBehind(read, key, confirmed)) {
          this.#reads.delete(key)
          void this.pace(key, () => this.#read(endpoint, args, key).promise, 1)
        } else if (page) {
          hasPages = true
          // The stored result is frozen, so it is copied again.
          this.#refreshes.set(key, this.#refreshPages(read, { ...answer, value: stored, adopt: false }, key))
        }
        return viewOf(answer, stored)
      } catch (error) {
        return failed(error)
      }
    }
    const settle = (outcome: (value: unknown) => unknown) => (value: unknown): void => {
      if (request.isSettled) return
      this.waking.add(key)
      this.lastEnd = { key: outcome === failed ? undefined : key, at: clock.now() }
      attempt(() => request.settle(() => outcome(value)), this.#host.report)
      this.waking.delete(key)
    }
    const fail = settle(failed)
    attempt(() => this.#host.dispatch({ type: 'fetch', endpoint, args, key, signal: request.abort.signal, outcome: request.promise, answer: settle(landed), fail }), fail)
    return request
  }

  /**
   * Fetches the pages of a list again, one after the other. Then the list is its first page, at the position of its
   * read, and the pages, which were asked for later, follow it. If one fails, the list stays as it is.
   */
  async #refreshPages(read: OpenRead, answer: Answer, list: string): Promise<void> {
    const { timeline, freshness, batch, report } = this.#host
    try {
      await this.#refreshes.get(list)
      let { value } = answer
      let update: unknown
      const renewed: string[] = []
      for (const page of freshness.get(list).pages) {
        const { endpoint, args: old, before } = freshness.get(page)
        const args = follow(endpoint!, old, list, before, value)
        const key = endpoint!.key(...args)
        // The new answer has no cursor: there is no next page.
        if (key === `${list} page`) break
        const members = await (this.#reads.get(key) ?? this.#read(endpoint!, args, key, value)).promise.catch(() => null)
        // The page has the error.
        if (members === null) return
        const last = (value = this.#resultOf(key))
        update = () => endpoint!.update?.(last, ...args)
        // Beyond the last page there is nothing, however often somebody asked for more.
        if ((members as readonly unknown[]).length === 0) break
        renewed.push(key)
      }
      freshness.setPages(list, renewed)
      batch(() => {
        const { confirmed } = timeline
        timeline.land(read, { ...answer, endpoint: withOption(answer.endpoint, 'update', update) })
        if (this.#isBehind(read, list, confirmed)) freshness.expire([list], timeline.now().fetchedAt)
      })
    } catch (error) {
      if (!(error instanceof ResetError)) report(error)
    } finally {
      this.#refreshes.delete(list)
      timeline.leave(read)
    }
  }

  /** Whether the answer of a read may lack something: the server may have made it before it handled a call that has ended since. Lists that it has changed expire then. */
  #isBehind(read: OpenRead, key: string, before: State): boolean {
    const { freshness, timeline: { confirmed } } = this.#host
    this.#expire(uncertainLists(read.above.flat(), confirmed).filter(cell => before.read(cell) !== confirmed.read(cell)))
    return freshness.get(key).expiredAt > read.fetchedAt
  }

  /** A read that has to wait: until the entities in its arguments are created, or until another read of the same list has ended. A page that has waited is asked for with the cursor that the list has by then. */
  #readAfter(awaited: readonly Promise<unknown>[], endpoint: AnyEndpoint, args: readonly unknown[], key: string, list: string): InFlight {
    const { freshness, batch } = this.#host
    const before = this.#resultOf(list)
    const request = this.#open(() => [key], () => freshness.changeInFlight(key, -1))
    batch(() => freshness.changeInFlight(key, 1))
    Promise.all(awaited).then(() => request.settle(() => this.start(endpoint, follow(endpoint, args, list, before, this.#resultOf(list)))), request.fail)
    return request
  }

  /** The call is known before anybody sees its optimistic response: whoever sees it may end it, or make another call after it. */
  #call(endpoint: AnyEndpoint, args: readonly unknown[], observe: Observe | undefined, id?: string): InFlight {
    let request!: InFlight
    // A key that cannot be made throws before anybody records the call.
    const call = this.#host.timeline.call(endpoint, args, made => void (request = this.#prepareCall(made, endpoint.key(...made.args), observe?.())), id)
    // If the controller was disposed of, the call fails when it is sent.
    attempt(() => this.#host.dispatch({ type: 'call', call, outcome: request.promise }))
    for (let send = this.#unsent.shift(); send; send = this.#unsent.shift()) send()
    return request
  }

  #prepareCall(call: PendingCall, key: string, observer: CallObserver = {}): InFlight {
    const { timeline, batch } = this.#host
    const { endpoint } = call
    let isUndone = false
    const request = this.#open(() => [key, endpoint.key(...call.args)], (isDone, value) => {
      this.#calls.delete(call)
      const drop = (): void => timeline.fail(call)
      // If the call was ended by user code inside of a write, it goes after that write.
      attempt(drop, () => queueMicrotask(() => batch(drop)))
      if (!isDone) {
        observer.failed?.(isUndone)
        // An aborted call may have reached the server; a conflict means that the server has something else than we thought.
        if (call.sentAt && !(value instanceof ResetError)) this.#noteEnd(call, value instanceof AbortError || (value instanceof NetworkError && ([409, 412] as unknown[]).includes(value.status)))
      }
    })
    this.#joinLane(call, request)
    const noteSent = (): void => void Object.assign(call, { confirmed: timeline.confirmed, sentAt: this.#turn })
    const send = (): void => {
      if (request.isSettled) return
      const [first = this.#beforeInLane(request)] = this.#creationsIn(call.args)
      if (first) return void first.dependents.push({ go: send, fail: send })
      attempt(() => {
        // A creation that was answered with fewer rows than expected has settled too.
        timeline.temporaryPks.resolveForCall(call.args)
        this.#host.dispatch({
          type: 'fetch',
          endpoint,
          call: call.id,
          get args() {
            // The user has undone the call while it waited to be sent again.
            if (call.isHidden) throw abort()
            if (!call.sentAt) noteSent()
            return timeline.temporaryPks.resolveForCall(call.args)
          },
          key,
          signal: request.abort.signal,
          outcome: request.promise,
          answer: value => request.settle(() => this.#land(call, value, observer)),
          fail: request.fail,
        })
      }, request.fail)
    }
    const abort = (): Error => {
      isUndone = true
      return request.fail(new AbortError('Undone.'))
    }
    observer.called?.({ call, abort, outcome: request.promise })
    for (const { dependents } of this.#creationsIn(call.args)) dependents.push({ go: () => {}, fail: request.fail })
    this.#unsent.push(send)
    return request
  }

  /** The call goes behind all others, and with them behind those in its lane. */
  #joinLane(call: PendingCall, request: InFlight): void {
    request.lane = call.lane
    this.#calls.delete(call)
    this.#calls.set(call, request)
  }

  /** The last request before this one in its lane. */
  #beforeInLane(request: InFlight): InFlight | undefined {
    let before: InFlight | undefined
    for (const each of this.#calls.values()) {
      if (each === request) return before
      if (each.lane === request.lane) before = each
    }
    return undefined
  }

  #land(call: PendingCall, value: unknown, observer: CallObserver): unknown {
    const { timeline, viewOf } = this.#host
    const { endpoint, args, confirmed: sent } = call
    const answer = this.#answer(endpoint, args, value)
    const last = timeline.confirmed
    const { result: stored, operations, created } = timeline.settle(call, answer, covering => {
      for (const { cell } of covering) if (!isVersioned(cell)) this.#uncertain.add(cell)
    })
    // A call that has waited for the real pk of its row is sent after those that knew it. One that cannot be sent with that pk fails where it is.
    if (created.length) for (const [each, request] of [...this.#calls]) attempt(() => request.lane === each.lane || this.#joinLane(each, request))
    const written = operations.flatMap(operation => (operation.type === 'write' || operation.type === 'remove' ? operation : []))
    // Not rows that the call has created: every other call about such a row came later.
    this.#noteEnd(call, false, new Set(written.flatMap(({ cell, isFirst }: { readonly cell: Cell; readonly isFirst?: boolean }) => (isFirst ? [] : cell))), last)
    // Reads that show such a list are no longer fresh.
    this.#expire(uncertainLists(operations, timeline.confirmed, last))
    // Before the history hears of it, which may undo it at once.
    const view = viewOf(answer, stored)
    // Of several created rows none is the one. The stored form of a union is `{ id, schema }`.
    const row = created.length === 1 ? created[0] : written.find(({ cell }) => cell.isEntity && cell.pk === ((Object(stored) as { readonly id?: unknown }).id ?? stored))?.cell
    const target = call.target ?? (row && { key: row.table.key, pk: row.pk })
    const recordIn = (state: State): Fields | undefined => target && state.row(target.key, target.pk)
    const after = recordIn(call.confirmed)
    // A read or a push that came before the answer may show the change already. A deleted record is what was there last.
    observer.settled?.({ target, previous: recordIn(after ? sent : last) ?? recordIn(sent), after, records: new Map(written.map(({ cell }) => [`${cell.table.key} ${cell.pk}`, sent.read(cell) as Fields | undefined])), result: value, pk: row?.pk })
    return view
  }

  /** The keys of the reads that were made before and show one of these cells. */
  showing(cells: readonly Cell[]): string[] {
    const { timeline: { confirmed }, freshness } = this.#host
    const wanted = new Set(cells)
    const tables = new Set(cells.map(({ table }) => table.key))
    return [...freshness.keys()].filter(key => {
      const { endpoint, args } = freshness.get(key)
      const result = this.#resultOf(key)
      // The schema of a restored answer is unknown until it is read here, but a list in it has a pk that nothing else has.
      if (!endpoint) return [...partsOf(result).keys()].some(part => cells.some(({ pk }) => pk === part))
      let isVisible = false
      const reach = new Reach(confirmed, cell => (isVisible ||= wanted.has(cell)), tables)
      // A read without an answer of its own can show rows of other responses.
      reach.follow(endpoint.schema, () => result ?? reach.queryKey(endpoint.schema, reach.args), fullArgs(endpoint, args))
      return isVisible
    })
  }

  #expire(cells: readonly Cell[]): void {
    const { timeline, freshness } = this.#host
    const keys = cells.length ? this.showing(cells) : []
    // What readers fetch because of a call is no loop.
    for (const key of keys) {
      this.#asked.delete(key)
      this.lastEnd = undefined
    }
    freshness.expire(keys, timeline.now().fetchedAt)
  }

  #resultOf(key: string): unknown {
    return this.#host.timeline.confirmed.result(key)
  }

  #creationsIn(args: readonly unknown[]): InFlight[] {
    return this.#host.timeline.temporaryPks.awaited(args).flatMap(call => this.#calls.get(call) ?? [])
  }

  #open(keys: () => readonly string[], onEnd: OnEnd): InFlight {
    const request = new InFlight(keys, (...ended) => {
      this.#all.delete(request)
      onEnd(...ended)
    }, this.#settling)
    this.#all.add(request)
    return request
  }

  /** Runs `work`, which ends a request. Nothing is fetched because of that before all calls that wait for it have ended with it. */
  readonly #settling = (work: () => void): void =>
    this.#host.batch(() => {
      this.#depth++
      work()
      if (!--this.#depth) this.#fetchUncertain()
    })

  #answer(endpoint: AnyEndpoint, args: readonly unknown[], value: unknown, key?: string): Answer {
    return { endpoint, args, key, value, expiresAt: this.#host.clock.now() + endpoint.dataExpiryLength, adopt: endpoint.adopt === true || isAdopted(value) }
  }

  /**
   * Nobody knows in which order the server handled calls that were in flight at the same time. If another call about a
   * row has ended since this one was sent, the row is uncertain; unless the answer has the record that is stored
   * already, or the class has a `version`, which tells the newer record. `before`: the confirmed state without the answer.
   */
  #noteEnd({ targets, confirmed, sentAt }: PendingCall, isUncertain: boolean, written: ReadonlySet<Cell> = new Set(), before: State = confirmed): void {
    this.#turn++
    // A creation has the table of its lists as a target.
    const hasMet = (cell: Cell): boolean => [cell, cell.table].some(each => this.#ends.get(each)! > sentAt)
    const isConfirmed = (cell: Cell): unknown => (isVersioned(cell) && before.read(cell)) || (written.has(cell) && equal(before.read(cell), confirmed.read(cell)))
    for (const target of new Set([...targets, ...written])) {
      if (target instanceof Cell && (isUncertain || (hasMet(target) && !isConfirmed(target)))) {
        this.#uncertain.add(target)
        // A deleted row has come back, and is in all of its lists again. One of them is fetched to check it; the others expire.
        if (written.has(target) && before.stamp(target)?.deleted) this.#expire([target])
      }
      this.#ends.set(target, this.#turn)
    }
  }

  /** Fetches the uncertain rows that no call in flight can change. Each is fetched by a read that shows it: one of this row alone, else one that was answered before, else any. */
  #fetchUncertain(): void {
    const { freshness } = this.#host
    const calls = [...this.#calls.keys()]
    const keys = new Set<string>()
    for (const cell of this.#uncertain) {
      if (calls.some(({ target, targets }) => !target || targets.has(cell))) continue
      const reads = this.showing([cell]).filter(each => freshness.get(each).endpoint)
      const key = reads.find(each => (freshness.get(each).endpoint!.schema as { readonly key?: unknown } | undefined)?.key === cell.table.key) ?? reads.find(each => freshness.get(each).fetchedAt) ?? reads[0]
      if (key && this.#revalidates) keys.add(key)
      // No read shows it yet. One that is in flight may.
      if (key || !this.#reads.size) this.#uncertain.delete(cell)
    }
    if (!calls.length) this.#ends.clear()
    for (const key of keys) this.#read(freshness.get(key).endpoint!, freshness.get(key).args, key)
  }
}

/** Whether the records themselves tell which is newer. */
function isVersioned({ table }: Cell): unknown {
  return (table.owner as { readonly version?: unknown } | undefined)?.version
}

/** The endpoint with another value for one option. */
function withOption(endpoint: Answer['endpoint'], name: string, value?: unknown): AnyEndpoint {
  return Object.create(endpoint, { [name]: { value } }) as AnyEndpoint
}

/** The arguments of a page with the cursor in the result `now`, where they had that in `before`. If that makes them the arguments of a page of another list, the text was no cursor, and they stay as they are. */
function follow(endpoint: AnyEndpoint, args: readonly unknown[], list: string, before: unknown, now: unknown): readonly unknown[] {
  const renamed = rename(args, newTexts(before, now))
  return endpoint['~pageOf']?.(...renamed) === list ? renamed : args
}

/** The texts of the result `before`, each with the value that `now` has under the same name. One of them is the cursor of the next page, and is replaced by the new one. A text that is gone is replaced by an empty list, which adds nothing to a URL. Numbers are not replaced: they are page numbers or offsets. */
function newTexts(before: unknown, now: unknown, texts: Map<string, unknown> = new Map()): ReadonlyMap<string, unknown> {
  if (isPlain(before)) for (const name of Object.keys(before)) newTexts(before[name], (now as Fields | undefined)?.[name], texts)
  else if (typeof before === 'string') texts.set(before, now || [])
  return texts
}
