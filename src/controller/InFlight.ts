import { AbortError } from '../base/errors.ts'
import { attempt, markHandled } from '../base/report.ts'

/** One listener per signal, however many wait by it: Node warns of a leak at the eleventh. */
class AbortListeners extends Set<() => void> {
  handleEvent(): void {
    this.forEach(listener => listener())
  }
}

const listenersOf = new WeakMap<AbortSignal, AbortListeners>()

/** Calls `listener` when the signal aborts, unless the returned function was called before. */
function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const listeners = listenersOf.get(signal) ?? new AbortListeners()
  listenersOf.set(signal, listeners)
  signal.addEventListener('abort', listeners.add(listener))
  return () => {
    listeners.delete(listener)
    if (!listeners.size) signal.removeEventListener('abort', listeners)
  }
}

/** Called when a request ends: with its value, or with its error. */
export type OnEnd = (isDone: boolean, value: unknown) => void

/** A request in flight, and everybody who waits for it. It settles once. */
export class InFlight {
  /** Never unhandled: whoever wants the error awaits it. */
  declare readonly promise: Promise<unknown>
  /** Notified when it settles: the promise, and the calls that wait for this one. */
  readonly dependents: { readonly go: (value: unknown) => void; readonly fail: (error: unknown) => void }[] = []
  /** Requests with one lane are sent one after the other. A read has the key of the list that it is, or is a page of. */
  lane = ''
  isSettled = false
  /** They may change while the request waits for a real pk. */
  declare readonly keys: () => readonly string[]
  readonly abort: AbortController = new AbortController()
  readonly #onEnd: OnEnd
  readonly #batch: (work: () => void) => void
  /** How many wait; infinite once somebody waits who cannot leave. */
  #waiting = 0

  /** `onEnd` runs however it ends; `batch` wakes readers after what it runs. */
  constructor(keys: () => readonly string[], onEnd: OnEnd, batch: (work: () => void) => void) {
    this.keys = keys
    this.#onEnd = onEnd
    this.#batch = batch
    this.promise = markHandled(new Promise<unknown>((go, fail) => void this.dependents.push({ go, fail })))
  }

  /** Settles with what `outcome` returns or throws. */
  settle(outcome: () => unknown): void {
    if (this.isSettled) return
    this.isSettled = true
    this.#batch(() => {
      let value: unknown
      let isDone = true
      attempt(() => void (value = outcome()), error => {
        value = error
        isDone = false
      })
      this.#onEnd(isDone, value)
      // At the network too, before those are sent that wait for it.
      if (!isDone) this.abort.abort(value)
      for (const { go, fail } of this.dependents) (isDone ? go : fail)(value)
    })
  }

  /** Ends it for everybody. Returns the error. */
  readonly fail: <E>(error: E) => E = error => {
    this.settle(() => {
      throw error
    })
    return error
  }

  /** The outcome for one more who waits. With a signal one may leave alone; when all have left, the request ends. */
  join(signal: AbortSignal | undefined): Promise<unknown> {
    if (!signal) {
      this.#waiting = Infinity
      return this.promise
    }
    this.#waiting++
    return markHandled(
      new Promise<unknown>((resolve, reject) => {
        const leave = (): void => {
          stay()
          if (this.isSettled) return
          const error = new AbortError(undefined, { cause: signal.reason })
          reject(error)
          if (!--this.#waiting) this.fail(error)
        }
        const stay = onAbort(signal, leave)
        this.promise.finally(stay).then(resolve, reject)
        if (signal.aborted) leave()
      }),
    )
  }
}
