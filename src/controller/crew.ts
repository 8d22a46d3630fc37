import type { Action, Manager, ManagerHost } from '../managers/manager.ts'
import type { Commit } from '../store/store.ts'

/** The managers of a controller, in their order. What one of them throws while it is told of something stops nobody. */
export interface Crew {
  start(host: ManagerHost): void
  /** True when one of them carries it out; those after it are not asked. */
  offer(action: Action): boolean
  tell(commit: Commit): void
  stop(): void
}

export function createCrew(all: readonly Manager[], report: (error: unknown) => void): Crew {
  let managers = all
  return {
    start(host) {
      for (const manager of managers) manager.start?.(host)
    },
    offer(action) {
      for (const manager of managers) {
        try {
          if (manager.action?.(action) === true) return true
        } catch (error) {
          report(error)
        }
      }
      return false
    },
    tell(commit) {
      for (const manager of managers) {
        // Not through a function of its own: this is done for every write.
        try {
          manager.commit?.(commit)
        } catch (error) {
          report(error)
        }
      }
    },
    stop() {
      // Who has stopped is told of nothing more.
      managers = []
      for (const manager of all) {
        try {
          manager.stop?.()
        } catch (error) {
          report(error)
        }
      }
    },
  }
}
