import type { Action, Manager, ManagerHost } from '../managers/manager.ts'
import type { Commit } from '../store/store.ts'

/** The managers of a controller, in their order. What one of them throws while it is told of something stops nobody. */
export class Crew {
  readonly #managers: readonly Manager[]
  readonly #report: (error: unknown) => void

  constructor(managers: readonly Manager[], report: (error: unknown) => void) {
    this.#managers = managers
    this.#report = report
  }

  start(host: ManagerHost): void {
    for (const manager of this.#managers) manager.start?.(host)
  }

  /** True when one of them carries it out; those after it are not asked. */
  offer(action: Action): boolean {
    for (const manager of this.#managers) {
      try {
        if (manager.action?.(action) === true) return true
      } catch (error) {
        this.#report(error)
      }
    }
    return false
  }

  tell(commit: Commit): void {
    for (const manager of this.#managers) {
      // Not through a function of its own: this is done for every write.
      try {
        manager.commit?.(commit)
      } catch (error) {
        this.#report(error)
      }
    }
  }

  stop(): void {
    for (const manager of this.#managers) {
      try {
        manager.stop?.()
      } catch (error) {
        this.#report(error)
      }
    }
  }
}
