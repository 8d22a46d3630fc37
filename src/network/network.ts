import { NetworkError, ParseError, TimeoutError } from '../base/errors.ts'
import { errorPolicy, runEndpoint } from '../endpoint/Endpoint.ts'
import type { AnyEndpoint, Transport } from '../endpoint/types.ts'
import { failure } from '../rest/http.ts'
import type { FetchAction, Manager, ManagerHost } from './Manager.ts'

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
 * The manager that sends requests: timeout, retry, a limit on concurrency.
 *
 * @example
 * const network = createNetwork({ concurrency: 4 })
 */
export function createNetwork(options: NetworkOptions = {}): Manager {
  // Sixteen: a page of rows in one or two rounds where requests share a connection, and a bound for storms.
  const slots = createGate(options.concurrency ?? 16)
  let host: ManagerHost
  return {
    start: controller => void (host = controller),
    action(action) {
      if (action.type !== 'fetch') return
      sendRequest(action, host, options, slots)
      return true
    },
  }
}

/** One request, from its slot through its attempts to its one `answer` or `fail`. */
function sendRequest(action: FetchAction, { clock, platform, report }: ManagerHost, options: NetworkOptions, slots: Gate): void {
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
    if (asked) (error as NetworkError).retryAt = date + asked
    const repeats = mayRepeat(endpoint)
    if (!repeats && !platform.online() && error instanceof NetworkError && !error.status) {
      return fail(new NetworkError(`${key} was not sent: the device is offline. Send it again later.`, { cause: error }))
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
    }
  }

  signal.addEventListener('abort', abort)
  send()
}

/** Admits a limited number at a time; the others wait in line, first come, first served. */
interface Gate {
  /** Calls `go` when there is room, at once if there is. */
  enter(go: () => void): void
  /** Frees the slot of `go`, and lets the next one in. If `go` is still waiting, it stops waiting. */
  leave(go: () => void): void
}

function createGate(limit: number): Gate {
  const inside = new Set<() => void>()
  const line = new Set<() => void>()
  const enter = (go: () => void): void => {
    if (inside.size >= limit) return void line.add(go)
    inside.add(go)
    go()
  }
  return {
    enter,
    leave(go) {
      line.delete(go)
      const [next] = inside.delete(go) ? line : []
      if (next && line.delete(next)) enter(next)
    },
  }
}

/**
 * How a request that failed is tried again.
 *
 * @example
 * new Controller({ retry: { attempts: 5, base: 200 } })
 */
export interface RetryOptions {
  /** How often a request is sent at most, the first time included; 3 unless given. */
  readonly attempts?: number
  /** Milliseconds before the second attempt, doubled for each that follows; 500 unless given. */
  readonly base?: number
  /** Milliseconds beyond which nothing waits, not even when the server asks for it; 30,000 unless given. */
  readonly cap?: number
}

/** Whether a request may arrive at the server twice. */
function mayRepeat(endpoint: AnyEndpoint): boolean {
  return !endpoint.sideEffect || /^(put|delete)$/i.test((endpoint as { readonly method?: string }).method ?? '')
}

/** Whether another attempt can help: the failure says nothing about the request. */
function mayRetry(error: unknown): boolean {
  return errorPolicy(error) === 'soft' && !(error instanceof ParseError)
}

/** The milliseconds that the server asks to wait, in seconds or by a date. */
function retryAfter(error: unknown, now: number): number {
  const asked = (error instanceof NetworkError && error.response?.headers?.get('retry-after')?.trim()) || ''
  // Only a date as HTTP spells it: engines read a date into almost any text.
  const wait = /^\d+$/.test(asked) ? Number(asked) * 1000 : /^[a-z]+, .+ gmt$/i.test(asked) ? Date.parse(asked) - now : 0
  return wait > 0 ? wait : 0
}
