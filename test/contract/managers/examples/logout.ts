import type { Manager, ManagerHost } from '../../../../src/index.ts'

/** Forgets everything when the server no longer knows who we are. */
export function createLogout(onLogout: () => void): Manager {
  let controller: ManagerHost
  return {
    start(host) {
      controller = host
    },
    action(action) {
      if (action.type !== 'fetch') return
      action.outcome.catch((error: { status?: number }) => {
        if (error.status !== 401) return
        controller.reset()
        onLogout()
      })
    },
  }
}
