import { TimeoutError, type NetworkError } from '../base/errors.ts'
import { runEndpoint } from '../endpoint/run.ts'
import type { Transport } from '../endpoint/types.ts'
import { failure } from '../rest/failure.ts'
import { createGate } from './gate.ts'
import type { FetchAction, ManagerHost } from './manager.ts'
import { mayRetry, retryAfter, type RetryOptions } from './retry.ts'

/**
 * How requests are sent.
 *
 * @example
 * const network = createNetwork({ timeout: 10_000, retry: false })
 */
export interface NetworkOptions {
  /** Sends; the platform's `fetch` unless given. */
  readonly fetch?: Transport | undefined
  /** Milliseconds that one attempt may take, until its body is read; 30,000 unless given. */
  readonly timeout?: number | undefined
  /** How failed requests are tried again; false: never. Only those that cannot do harm twice are. */
  readonly retry?: RetryOptions | false | undefined
  /** How many requests are under way at a time; 16 unless given. */
  readonly concurrency?: number | undefined
  /** Chance, from 0 to 1; `Math.random` unless given. */
  readonly random?: (() => number) | undefined
}

/** One request, from its slot through its attempts to its one `answer` or `fail`. */
export interface Call {
  /** Called when it may go. */
  send(): void
  /** Ends it when its signal has, whatever it is waiting for. */
  onAbort(): void
}

/** What all calls of a network share. Gives what carries one request out, and calls `done` after its end. */
export function createLine({ fetch: transport, timeout = 30_000, retry, concurrency = 16, random = Math.random }: NetworkOptions): (action: FetchAction, host: ManagerHost, done: () => void) => Call {
  const { attempts = 3, base = 500, cap = 30_000 } = retry || {}
  // Sixteen: a page of rows in one or two rounds where requests share a connection, and a bound for storms. Past
  // six to a host, without HTTP/2, a browser queues by itself.
  const slots = createGate(concurrency)

  return (action, host, done) => {
    const { signal } = action
    const { clock, platform } = host
    let sent = 0
    /** The attempt that is under way. An earlier one may still answer, and is not listened to. */
    let attempt: AbortController | undefined
    /** It sends a stream, and that can be read only once. */
    let streams = false
    let stopWaiting = (): void => {}

    signal.addEventListener('abort', onAbort)
    return { send, onAbort }

    function onAbort(): void {
      const running = attempt
      const error = failure(undefined, signal, action.key)
      settle(() => action.fail(error))
      running?.abort(error)
    }

    function settle(tell: () => void): void {
      attempt = undefined
      stopWaiting()
      signal.removeEventListener('abort', onAbort)
      try {
        tell()
      } finally {
        slots.leave(run)
        done()
      }
    }

    function send(): void {
      // An attempt that fails for want of a network is none: wait for it. The first one may know better than the platform.
      if (sent > 0 && !platform.online()) {
        // One watch for as long as it takes: a platform may go through its listeners while they come and go.
        stopWaiting = platform.watch(() => {
          if (!platform.online()) return
          stopWaiting()
          send()
        })
        return
      }
      slots.enter(run)
    }

    function run(): void {
      const mine = (attempt = new AbortController())
      sent++
      stopWaiting = clock.after(timeout, () => {
        const error = new TimeoutError(`${action.key} did not answer within ${timeout} ms. Raise \`timeout\` if it needs longer.`)
        failed(error)
        mine.abort(error)
      })
      const current = (): boolean => attempt === mine
      // What it throws at once is a rejection like any other.
      new Promise(resolve => {
        const args = action.args as unknown[]
        streams = args.some(arg => Symbol.asyncIterator in Object(arg))
        resolve(runEndpoint(action.endpoint, args, { signal: mine.signal, transport }))
      })
        .then(
          value => current() && settle(() => action.answer(value)),
          (error: unknown) => current() && failed(error),
        )
        // Whoever waits is told, also when it cannot be told why it failed.
        .catch((error: unknown) => (current() ? settle(() => action.fail(error)) : host.report(error)))
    }

    function failed(error: unknown): void {
      const date = clock.date()
      const asked = retryAfter(error, date)
      if (asked !== undefined) (error as NetworkError).retryAt = date + asked
      if (streams || sent >= (retry === false ? 1 : attempts) || (asked ?? 0) > cap || !mayRetry(action.endpoint, error)) return settle(() => action.fail(error))
      attempt = undefined
      stopWaiting()
      // Doubles with each attempt; the upper half of it by chance, so that those who failed together do not come back together.
      const wait = Math.min(cap, base * 2 ** (sent - 1)) * (0.5 + random() / 2)
      stopWaiting = clock.after(Math.max(asked ?? 0, wait), send, true)
      slots.leave(run)
    }
  }
}
