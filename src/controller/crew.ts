import type { Action, Manager, ManagerHost } from '../managers/manager.ts'
import type { Commit } from '../store/store.ts'

/** The managers of a controller, in their order. What one of them throws stops nobody. */
export interface Crew {
  /** Starts all, the `given` ones last: what they ask for while they start is carried out. */
  start(host: ManagerHost, given: readonly Manager[]): void
  /** True when one of them carries it out; those after it are not asked. */
  offer(action: Action): boolean
  tell(commit: Commit): void
  stop(): void
}

export function createCrew(all: readonly Manager[], report: (error: unknown) => void): Crew {
  const managers = [...all]
  const started: Manager[] = []
  return {
    start(host, given) {
      each([...all.filter(manager => !given.includes(manager)), ...given], manager => {
        // One that was started before it may have ended all.
        if (managers.length > 0 && started.push(manager)) manager.start?.(host)
      })
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
      // Who has stopped is told of nothing more; in place, for this may be while they are told of something.
      managers.length = 0
      each(started, manager => manager.stop?.())
    },
  }

  function each(some: readonly Manager[], act: (manager: Manager) => void): void {
    for (const manager of some) {
      try {
        act(manager)
      } catch (error) {
        report(error)
      }
    }
  }
}
