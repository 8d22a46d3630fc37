import { createLine, type NetworkOptions } from './call.ts'
import { createGate, type Gate } from './gate.ts'
import type { Manager, ManagerHost } from './manager.ts'

/**
 * The manager that carries requests out: when they go, how often, and for how long. Each ends by its signal, also when
 * the controller is disposed of.
 *
 * @example
 * const network = createNetwork({ concurrency: 4 })
 */
export function createNetwork(options: NetworkOptions = {}): Manager {
  const call = createLine(options)
  const lanes = new Map<string, Gate>()
  let host: ManagerHost
  return {
    start(controller) {
      host = controller
    },
    action(action) {
      if (action.type !== 'fetch') return
      const { lane, signal } = action
      const gate = lane === undefined ? undefined : (lanes.get(lane) ?? createGate(1))
      const { send, onAbort } = call(action, host, () => {
        gate?.leave(send)
        // Whoever was let in may have ended too, and another lane may stand in its place by now.
        if (gate?.isEmpty() && lanes.get(lane!) === gate) lanes.delete(lane!)
      })
      if (signal.aborted) onAbort()
      else if (!gate) send()
      else {
        lanes.set(lane!, gate)
        gate.enter(send)
      }
      return true
    },
  }
}
