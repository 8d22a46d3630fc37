import type { AnyEndpoint, ReadEndpoint } from '../endpoint/types.ts'
import type { Manager, ManagerHost } from './Manager.ts'

interface Subscriber {
  readonly endpoint: AnyEndpoint
  readonly args: readonly unknown[]
}

/** The subscriptions of one key. */
interface Poll {
  readonly key: string
  readonly subscribers: Set<Subscriber>
  /** When the last fetch ended; undefined before the first. */
  lastAt?: number
  /** How long the server asked to wait after that. */
  pause?: number
  /** Cancels the timer. */
  cancel?: (() => void) | undefined
  /** The fetch in flight. */
  running?: object | undefined
  /** The stored data was fresh, and nothing was sent: the interval goes on. */
  isFresh?: boolean
}

/**
 * A host that polling can be added to.
 *
 * @example
 * const host: PollingHost = controller
 * const stop = subscribe(host, PriceResource.get, { symbol: 'EUR' })
 */
export interface PollingHost extends ManagerHost {
  manager<M extends Manager>(make: () => M): M
  /** @internal Takes over the subscriptions to endpoints with `stream: true`. Set by a stream. */
  follow?: (key: string) => () => void
}

/** A server that asks for more time is polled again after this long at the latest. */
const PAUSE_LIMIT = 30_000

/**
 * Polls the endpoint every `pollFrequency` milliseconds, at the smallest interval that anybody asked for, until the
 * returned function is called. Pauses while the page is hidden or offline, and catches up when it returns. An endpoint
 * with `stream: true` does not poll when there is a stream of `patchcord/push`.
 *
 * @example
 * const stop = subscribe(controller, PriceResource.get, { symbol: 'EUR' })
 * stop()
 */
export function subscribe<E extends ReadEndpoint>(controller: PollingHost, endpoint: E, ...args: Parameters<E>): () => void {
  if (endpoint.stream && controller.follow) return controller.follow(endpoint.key(...args))
  return endpoint.pollFrequency! > 0 ? controller.manager(createPolling).add(endpoint.key(...args), { endpoint, args }) : () => {}
}

interface Polling extends Manager {
  add(key: string, subscriber: Subscriber): () => void
}

function createPolling(): Polling {
  const polls = new Map<string, Poll>()
  let host: ManagerHost
  let unwatch: (() => void) | undefined

  const schedule = (poll: Poll): void => {
    poll.cancel?.()
    poll.cancel = undefined
    if (rests(poll)) return
    const { lastAt, pause = 0 } = poll
    if (lastAt === undefined) return run(poll)
    const wait = lastAt + Math.max(pause, fastest(poll).endpoint.pollFrequency!) - host.clock.now()
    poll.cancel = host.clock.after(Math.max(0, wait), () => {
      poll.cancel = undefined
      run(poll)
    })
  }

  const run = (poll: Poll): void => {
    if (!host.platform.online() || !host.platform.visible()) return
    const { key, lastAt } = poll
    const isTaken = lastAt !== undefined && host.dispatch({ type: 'poll', key, interval: fastest(poll).endpoint.pollFrequency!, send: () => send(poll), skip: () => restart(poll) })
    if (!isTaken) void send(poll)
  }

  const send = async (poll: Poll): Promise<void> => {
    // A manager may have waited for so long that nobody wants it any more.
    if (rests(poll)) return
    const { endpoint, args } = fastest(poll)
    poll.isFresh = poll.lastAt === undefined
    // A subscriber has often just fetched.
    const running = (poll.running = host[poll.isFresh ? 'fetchIfStale' : 'fetch'](endpoint, ...(args as unknown[])))
    poll.lastAt ??= host.clock.now()
    if (poll.isFresh) schedule(poll)
    const settled = (error?: unknown): void => {
      if (poll.running === running) restart(poll, error)
    }
    await running.then(() => settled(), settled)
  }

  /** Waits for a whole interval, also after a reset: a poll that is logged out by its own answer would never rest. */
  const restart = (poll: Poll, error?: unknown): void => {
    const { retryAt = 0 } = (error ?? {}) as { readonly retryAt?: number | undefined }
    poll.running = undefined
    poll.lastAt = host.clock.now()
    poll.pause = Math.min(PAUSE_LIMIT, retryAt - host.clock.date())
    schedule(poll)
  }

  return {
    start(controller) {
      host = controller
      unwatch = host.platform.watch(() => {
        for (const poll of polls.values()) if (!poll.cancel && !poll.running) run(poll)
      })
    },
    action(action) {
      if (action.type === 'reset') for (const poll of polls.values()) restart(poll)
      const poll = action.type === 'fetch' && polls.get(action.key)
      if (poll) poll.isFresh = false
    },
    stop() {
      unwatch?.()
      for (const poll of polls.values()) {
        poll.subscribers.clear()
        schedule(poll)
      }
    },
    add(key, subscriber) {
      const poll: Poll = polls.get(key) ?? { key, subscribers: new Set() }
      polls.set(key, poll)
      poll.subscribers.add(subscriber)
      schedule(poll)
      return () => {
        if (!poll.subscribers.delete(subscriber)) return
        if (!poll.subscribers.size && polls.get(key) === poll) polls.delete(key)
        schedule(poll)
      }
    },
  }
}

/** Whether nothing is to be sent now: a request is in flight, or nobody subscribes any more. */
function rests({ running, isFresh, subscribers }: Poll): boolean {
  return (running && !isFresh) || !subscribers.size
}

function fastest({ subscribers }: Poll): Subscriber {
  return [...subscribers].sort((a, b) => a.endpoint.pollFrequency! - b.endpoint.pollFrequency!)[0]!
}
