import { AbortError } from '../base/errors.ts'
import { quiet } from './quiet.ts'

/** A request under way, and everybody who waits for it. It is settled once; what comes after that is nothing. */
export class Flight {
  /** Whether this is its key. It may have two: arguments may have had a temporary pk. */
  readonly isFor: (key: string) => boolean
  /** Those who wait for it to go on themselves. They hear of it before anybody else can do something. */
  readonly heirs: { readonly go: () => void; readonly fail: (error: unknown) => void }[] = []
  /** Never unhandled: whoever wants the error awaits it. */
  readonly promise: Promise<unknown>
  readonly #abort = new AbortController()
  #resolve!: (value: unknown) => void
  #reject!: (error: unknown) => void
  /** What is to be undone or counted when it is over, however it ends. */
  readonly #over: (flight: Flight) => void
  #settled = false
  /** How many wait; without end once somebody does who cannot leave. */
  #waiting = 0

  constructor(isFor: (key: string) => boolean, over: (flight: Flight) => void) {
    this.isFor = isFor
    this.#over = over
    this.promise = quiet(
      new Promise((resolve, reject) => {
        this.#resolve = resolve
        this.#reject = reject
      }),
    )
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get settled(): boolean {
    return this.#settled
  }

  /** Settles with what `give` gives, or throws. Does nothing when it is settled already. */
  settle(give: () => unknown): void {
    if (this.#settled) return
    this.#settled = true
    let tell: () => void
    try {
      const value = give()
      tell = () => {
        this.#resolve(value)
        for (const { go } of this.heirs) go()
      }
    } catch (error) {
      tell = () => {
        this.#reject(error)
        for (const { fail } of this.heirs) fail(error)
      }
    }
    // Whatever goes wrong at the end, those who wait are told.
    try {
      this.#over(this)
    } finally {
      tell()
    }
  }

  /** Ends it for everybody, at the network too. */
  end(error: Error): void {
    this.settle(() => {
      throw error
    })
    this.#abort.abort(error)
  }

  /** The outcome for one more who waits. With a signal one may leave alone; when all have left, the request ends. */
  join(signal: AbortSignal | undefined): Promise<unknown> {
    if (signal === undefined) {
      this.#waiting = Infinity
      return this.promise
    }
    this.#waiting++
    return quiet(new Promise<unknown>((resolve, reject) => {
      const leave = (): void => {
        signal.removeEventListener('abort', leave)
        const error = new AbortError(undefined, { cause: signal.reason })
        reject(error)
        if (--this.#waiting === 0) this.end(error)
      }
      if (signal.aborted) return leave()
      signal.addEventListener('abort', leave)
      const stay = (): void => signal.removeEventListener('abort', leave)
      this.promise.then(stay, stay)
      this.promise.then(resolve, reject)
    }))
  }
}
