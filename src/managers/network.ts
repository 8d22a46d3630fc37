import { AbortError } from '../base/errors.ts'
import { createLine, type NetworkOptions } from './call.ts'
import { createGate, type Gate } from './gate.ts'
import type { Manager, ManagerHost } from './manager.ts'

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
