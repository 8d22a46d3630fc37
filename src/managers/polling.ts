import type { AnyEndpoint } from '../endpoint/types.ts'
import type { Manager, ManagerHost } from './manager.ts'
import type { RetryOptions } from './retry.ts'

interface Subscriber {
  readonly endpoint: AnyEndpoint
  readonly args: readonly unknown[]
}

/** What is subscribed to under one key. */
interface Poll {
  readonly subscribers: Subscriber[]
  /** When the last fetch was over; undefined before the first. */
  since?: number
  /** How long the server wants to be left alone after that. */
  rest?: number
  /** Cancels the timer; undefined while none runs: because a fetch does, or because nobody looks. */
  cancel?: (() => void) | undefined
  /** The fetch that is under way. */
  running?: object | undefined
}

/**
 * The manager that fetches again and again what somebody has subscribed to, at the smallest `pollFrequency` of its
 * key; at once if what is there is stale. It stands still while the page is hidden or offline, and catches up on return.
 * A server that asks to be left alone is, for up to `cap`.
 *
 * @example
 * const polling = createPolling()
 */
export function createPolling({ cap = 30_000 }: RetryOptions = {}): Manager {
  const polls = new Map<string, Poll>()
  let host: ManagerHost
  let unwatch = (): void => {}
  return {
    start(controller) {
      host = controller
      unwatch = host.platform.watch(() => {
        for (const poll of polls.values()) if (!poll.cancel && !poll.running) fetch(poll)
      })
    },
    action(action) {
      if (action.type === 'reset') polls.forEach(restart)
      if ((action.type !== 'subscribe' && action.type !== 'unsubscribe') || !(action.endpoint.pollFrequency! > 0)) return
      const { key, endpoint } = action
      const poll: Poll = polls.get(key) ?? { subscribers: [] }
      const { subscribers } = poll
      if (action.type === 'subscribe') subscribers.push(action)
      else {
        // Itself, or one like it: an endpoint may be made anew for every call.
        const alike = subscribers.filter(each => each.endpoint.pollFrequency === endpoint.pollFrequency)
        const leaving = alike.find(each => each.endpoint === endpoint) ?? alike.at(-1)
        if (leaving !== undefined) subscribers.splice(subscribers.indexOf(leaving), 1)
      }
      if (subscribers.length > 0) polls.set(key, poll)
      else polls.delete(key)
      schedule(poll)
    },
    stop() {
      unwatch()
      for (const poll of polls.values()) {
        poll.subscribers.length = 0
        schedule(poll)
      }
      polls.clear()
    },
  }

  function schedule(poll: Poll): void {
    poll.cancel?.()
    poll.cancel = undefined
    if (poll.running || poll.subscribers.length === 0) return
    const { clock } = host
    const { since, rest = 0 } = poll
    const wait = since === undefined ? 0 : since + Math.max(rest, fastest(poll).endpoint.pollFrequency!) - clock.now()
    poll.cancel = clock.after(Math.max(0, wait), () => {
      poll.cancel = undefined
      fetch(poll)
    })
  }

  function fetch(poll: Poll): void {
    const { platform } = host
    if (!platform.online() || !platform.visible()) return
    const { endpoint, args } = fastest(poll)
    // Whoever subscribes has often just fetched.
    const running = host[poll.since === undefined ? 'fetchIfStale' : 'fetch'](endpoint, ...(args as unknown[]))
    poll.running = running
    const settled = (error?: unknown): void => {
      if (poll.running === running) restart(poll, error)
    }
    running.then(() => settled(), settled)
  }

  /** From now, the whole interval. After a reset too: who is logged out by what he fetches would otherwise never rest. */
  function restart(poll: Poll, error?: unknown): void {
    const { clock } = host
    const { retryAt = 0 } = (error ?? {}) as { readonly retryAt?: number | undefined }
    poll.running = undefined
    poll.since = clock.now()
    poll.rest = Math.min(cap, retryAt - clock.date())
    schedule(poll)
  }
}

function fastest({ subscribers }: Poll): Subscriber {
  return subscribers.reduce((first, next) => (next.endpoint.pollFrequency! < first.endpoint.pollFrequency! ? next : first))
}
