import { AbortError } from '../base/errors.ts'
import type { Exits } from './exits.ts'
import { quiet } from './quiet.ts'

/** A request under way, and everybody who waits for it. It is settled once; what comes after that is nothing. */
export interface Flight {
  /** Whether this is its key. It may have two: arguments may have had a temporary pk. */
  readonly isFor: (key: string) => boolean
  /** Those who wait for it to go on themselves. They hear of it before anybody else can do something. */
  readonly heirs: { readonly go: () => void; readonly fail: (error: unknown) => void }[]
  /** Never unhandled: whoever wants the error awaits it. */
  readonly promise: Promise<unknown>
  readonly signal: AbortSignal
  readonly settled: boolean
  /** Settles with what `give` gives, or throws. Does nothing when it is settled already. */
  settle(give: () => unknown): void
  /** Ends it for everybody, at the network too. */
  end(error: Error): void
  /** The outcome for one more who waits. With a signal one may leave alone; when all have left, the request ends. */
  join(signal: AbortSignal | undefined): Promise<unknown>
}

/**
 * `over` undoes or counts what is to be undone or counted when it is over, however it ends, and does not throw; `together`
 * runs what ends it, and wakes readers after that; who may leave alone does so by `exits`.
 */
export function createFlight(isFor: Flight['isFor'], over: () => void, together: (work: () => void) => void, exits: Exits): Flight {
  const heirs: Flight['heirs'] = []
  const abort = new AbortController()
  let settled = false
  /** How many wait; without end once somebody does who cannot leave. */
  let waiting = 0
  let resolve!: (value: unknown) => void
  let reject!: (error: unknown) => void
  const promise = quiet(new Promise<unknown>((...both) => ([resolve, reject] = both)))

  function settle(give: () => unknown): void {
    if (settled) return
    settled = true
    together(() => settleWith(give))
  }

  function settleWith(give: () => unknown): void {
    let tell: () => void
    try {
      const value = give()
      tell = () => {
        resolve(value)
        for (const { go } of heirs) go()
      }
    } catch (error) {
      tell = () => {
        reject(error)
        for (const { fail } of heirs) fail(error)
      }
    }
    over()
    tell()
  }

  function end(error: Error): void {
    together(() => {
      settle(() => {
        throw error
      })
      abort.abort(error)
    })
  }

  return {
    isFor,
    heirs,
    promise,
    signal: abort.signal,
    get settled() {
      return settled
    },
    settle,
    end,
    join(signal) {
      if (signal === undefined) {
        waiting = Infinity
        return promise
      }
      waiting++
      return quiet(new Promise<unknown>((give, refuse) => {
        const leave = (): void => {
          stay()
          // What it came to is told of already, and stands.
          if (settled) return
          const error = new AbortError(undefined, { cause: signal.reason })
          refuse(error)
          if (--waiting === 0) end(error)
        }
        const stay = exits(signal, leave)
        promise.then(stay, stay)
        promise.then(give, refuse)
        if (signal.aborted) leave()
      }))
    },
  }
}
