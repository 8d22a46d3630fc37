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
  const lanes = new Map<string, Gate>()
  // Sixteen: a page of rows in one or two rounds where requests share a connection, and a bound for storms.
  const slots = createGate(options.concurrency ?? 16)
  let host: ManagerHost
  return {
    start(controller) {
      host = controller
    },
    action(action) {
      if (action.type !== 'fetch') return
      const { lane } = action
      const gate = lane === undefined ? undefined : (lanes.get(lane) ?? createGate(1))
      const attempts = new Attempts(action, host, options, slots, () => {
        gate?.leave(send)
        if (gate?.isEmpty && lanes.get(lane!) === gate) lanes.delete(lane!)
      })
      const send = (): void => attempts.send()
      if (!gate || action.signal.aborted) send()
      else {
        lanes.set(lane!, gate)
        gate.enter(send)
      }
      return true
    },
  }
}

/** One request, from its slot through its attempts to its one `answer` or `fail`. */
class Attempts {
  readonly #action: FetchAction
  readonly #host: ManagerHost
  readonly #options: NetworkOptions
  readonly #slots: Gate
  readonly #done: () => void
  #sent = 0
  /** The attempt in flight. An earlier one may still answer, and is ignored. */
  #attempt: AbortController | undefined
  /** A stream can be sent only once. */
  #streams = false
  #isSettled = false
  #stopWaiting = (): void => {}
  readonly #run = (): void => this.#start()
  readonly #onAbort = (): void => this.#abort()

  constructor(action: FetchAction, host: ManagerHost, options: NetworkOptions, slots: Gate, done: () => void) {
    this.#action = action
    this.#host = host
    this.#options = options
    this.#slots = slots
    this.#done = done
    action.signal.addEventListener('abort', this.#onAbort)
  }

  send(): void {
    if (this.#action.signal.aborted) return this.#abort()
    const { platform } = this.#host
    // The first attempt is made even when the platform says that it is offline: it may be wrong.
    if (this.#sent === 0 || platform.online()) return this.#slots.enter(this.#run)
    this.#stopWaiting = platform.watch(() => {
      if (!platform.online()) return
      this.#stopWaiting()
      this.send()
    })
  }

  #start(): void {
    const { endpoint, key } = this.#action
    const { fetch: transport, timeout = 30_000 } = this.#options
    const attempt = (this.#attempt = new AbortController())
    this.#sent++
    this.#stopWaiting = this.#host.clock.after(timeout, () => {
      const error = new TimeoutError(`${key} did not answer within ${timeout} ms. Raise \`timeout\` if it needs longer.`)
      this.#failed(error)
      attempt.abort(error)
    })
    const isCurrent = (): boolean => this.#attempt === attempt
    new Promise(resolve => {
      const args = this.#action.args as unknown[]
      this.#streams = args.some(arg => Symbol.asyncIterator in Object(arg))
      resolve(runEndpoint(endpoint, args, { signal: attempt.signal, transport }))
    })
      .then(
        value => isCurrent() && this.#settle(() => this.#action.answer(value)),
        (error: unknown) => isCurrent() && this.#failed(error),
      )
      .catch((error: unknown) => (isCurrent() ? this.#settle(() => this.#action.fail(error)) : this.#host.report(error)))
  }

  #failed(error: unknown): void {
    const { clock, platform } = this.#host
    const { retry, random = Math.random } = this.#options
    const { attempts = 3, base = 500, cap = 30_000 } = retry || {}
    const date = clock.date()
    const asked = retryAfter(error, date)
    if (asked !== undefined) (error as NetworkError).retryAt = date + asked
    const { endpoint } = this.#action
    if (!platform.online() && error instanceof NetworkError && error.status === undefined && !mayRepeat(endpoint)) {
      const offline = new NetworkError(`${this.#action.key} was not sent: the device is offline, and this request may not be repeated. Send it again when it is online.`, { cause: error })
      return this.#settle(() => this.#action.fail(offline))
    }
    if (this.#streams || this.#sent >= (retry === false ? 1 : attempts) || (asked ?? 0) > cap || !mayRetry(endpoint, error)) return this.#settle(() => this.#action.fail(error))
    this.#attempt = undefined
    this.#stopWaiting()
    // Doubles with each attempt; the upper half is random, so that requests that failed at once do not return at once.
    const wait = Math.min(cap, base * 2 ** (this.#sent - 1)) * (0.5 + random() / 2)
    this.#stopWaiting = clock.after(Math.max(asked ?? 0, wait), () => this.send(), true)
    this.#slots.leave(this.#run)
  }

  #abort(): void {
    const { signal, key, fail } = this.#action
    const running = this.#attempt
    const error = failure(undefined, signal, key)
    this.#settle(() => fail(error))
    running?.abort(error)
  }

  #settle(tell: () => void): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.#attempt = undefined
    this.#stopWaiting()
    this.#action.signal.removeEventListener('abort', this.#onAbort)
    try {
      tell()
    } finally {
      this.#slots.leave(this.#run)
      this.#done()
    }
  }
}
