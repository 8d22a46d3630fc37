import { AbortError } from '../base/errors.ts'
import type { Transport } from '../endpoint/types.ts'
import { createLine } from './call.ts'
import { createGate, type Gate } from './gate.ts'
import type { Manager, ManagerHost } from './manager.ts'
import type { RetryOptions } from './retry.ts'

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

/**
 * The manager that carries requests out: when they go, how often, and for how long.
 *
 * @example
 * const network = createNetwork({ concurrency: 4 })
 */
export function createNetwork(options: NetworkOptions = {}): Manager {
  const call = createLine(options)
  const lanes = new Map<string, Gate>()
  /** What ends each request that is not settled. */
  const open = new Set<(error: unknown) => void>()
  let host: ManagerHost
  return {
    start(controller) {
      host = controller
    },
    action(action) {
      if (action.type !== 'fetch') return
      const { lane, signal } = action
      const gate = lane === undefined ? undefined : (lanes.get(lane) ?? createGate(1))
      const { send, end, onAbort } = call(action, host, () => {
        open.delete(end)
        gate?.leave(send)
        // Whoever was let in may have ended too, and another lane may stand in its place by now.
        if (gate?.isEmpty() && lanes.get(lane!) === gate) lanes.delete(lane!)
      })
      open.add(end)
      if (signal.aborted) onAbort()
      else if (!gate) send()
      else {
        lanes.set(lane!, gate)
        gate.enter(send)
      }
      return true
    },
    stop() {
      for (const end of open) end(new AbortError('The controller was disposed of.'))
    },
  }
}
