import { NetworkError, TimeoutError } from '../base/errors.ts'
import { runEndpoint } from '../endpoint/run.ts'
import type { Transport } from '../endpoint/types.ts'
import { failure } from '../rest/failure.ts'
import { createGate, type Gate } from './Gate.ts'
import type { FetchAction, Manager, ManagerHost } from './Manager.ts'
import { mayRepeat, mayRetry, retryAfter, type RetryOptions } from './retry.ts'

/**
 * How requests are sent.
 *
 * @example
 * const network = createNetwork({ timeout: 10_000, retry: false })
 */
export interface NetworkOptions {
  /** Sends requests; the platform's `fetch` unless given. */
  readonly fetch?: Transport | undefined
  /** Milliseconds for one attempt, headers and body; 30,000 unless given. */
  readonly timeout?: number | undefined
  /** How failed requests are retried; false: never. Only requests that may arrive twice are. */
  readonly retry?: RetryOptions | false | undefined
  /** How many requests are in flight at a time; 16 unless given. */
  readonly concurrency?: number | undefined
  /** A number from 0 to 1; `Math.random` unless given. */
  readonly random?: (() => number) | undefined
}

/**
 * The manager that sends requests: timeout, retry, one lane per entity, a limit on concurrency.
 *
 * @example
 * const network = createNetwork({ concurrency: 4 })
 */
export function createNetwork(options: NetworkOptions = {}): Manager {
  const lanes = new Map<unknown, Gate>()
  // Sixteen: a page of rows in one or two rounds where requests share a connection, and a bound for storms.
  const slots = createGate(options.concurrency ?? 16)
  let host: ManagerHost
  return {
    start: controller => void (host = controller),
    action(action) {
      if (action.type !== 'fetch') return
      // A request without a lane has one of its own.
      const { lane = action } = action
      const gate = lanes.get(lane) ?? createGate(1)
      lanes.set(lane, gate)
      const send = createRequest(action, host, options, slots, () => {
        if (gate.leave(send) && lanes.get(lane) === gate) lanes.delete(lane)
      })
      if (action.signal.aborted) send()
      else gate.enter(send)
      return true
    },
  }
}

/** One request, from its slot through its attempts to its one `answer` or `fail`. Returns the function that sends it. */
function createRequest(action: FetchAction, { clock, platform, report }: ManagerHost, options: NetworkOptions, slots: Gate, done: () => void): () => void {
  const { endpoint, key, signal } = action
  const { fetch: transport, timeout = 30_000, retry, random = Math.random } = options
  const { attempts = 3, base = 500, cap = 30_000 }: RetryOptions = retry === false ? { attempts: 1 } : (retry ?? {})
  let sent = 0
  /** The attempt in flight. An earlier one may still answer, and is ignored. */
  let current: AbortController | undefined
  /** A stream can be sent only once. */
  let streams = false
  let stopWaiting = (): void => {}

  const send = (): void => {
    if (signal.aborted) return abort()
    // The first attempt is made even when the platform says that it is offline: it may be wrong.
    if (!sent || platform.online()) return slots.enter(start)
    stopWaiting = platform.watch(() => {
      if (!platform.online()) return
      stopWaiting()
      send()
    })
  }

  const start = (): void => {
    const attempt = (current = new AbortController())
    const isCurrent = (): boolean => current === attempt
    sent++
    stopWaiting = clock.after(timeout, () => {
      const error = new TimeoutError(`${key} took longer than ${timeout} ms. Set a longer \`timeout\`.`)
      failed(error)
      attempt.abort(error)
    })
    new Promise(resolve => {
      const args = action.args as unknown[]
      streams = args.some(arg => Symbol.asyncIterator in Object(arg))
      resolve(runEndpoint(endpoint, args, { signal: attempt.signal, transport }))
    })
      .then(
        value => isCurrent() && settle(() => action.answer(value)),
        (error: unknown) => isCurrent() && failed(error),
      )
      .catch((error: unknown) => (isCurrent() ? fail(error) : report(error)))
  }

  const failed = (error: unknown): void => {
    const date = clock.date()
    const asked = retryAfter(error, date)
    if (asked > 0) (error as NetworkError).retryAt = date + asked
    const repeats = mayRepeat(endpoint)
    if (!repeats && !platform.online() && error instanceof NetworkError && !error.status) {
      return fail(new NetworkError(`${key} was not sent: the device is offline. Send it again when it is online.`, { cause: error }))
    }
    if (!repeats || streams || sent >= attempts || asked > cap || !mayRetry(error)) return fail(error)
    current = undefined
    stopWaiting()
    // The delay doubles with each attempt. Half of it is random: requests that failed at the same time are repeated at different times.
    const wait = Math.min(cap, base * 2 ** (sent - 1)) * (0.5 + random() / 2)
    stopWaiting = clock.after(Math.max(asked, wait), send, true)
    slots.leave(start)
  }

  const abort = (): void => {
    const running = current
    const error = failure(undefined, signal, key)
    fail(error)
    running?.abort(error)
  }

  const fail = (error: unknown): void => settle(() => action.fail(error))

  const settle = (tell: () => void): void => {
    current = undefined
    stopWaiting()
    signal.removeEventListener('abort', abort)
    try {
      tell()
    } finally {
      slots.leave(start)
      done()
    }
  }

  signal.addEventListener('abort', abort)
  return send
}
