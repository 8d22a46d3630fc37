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
    return this.#managers.some(manager => manager.action?.(action) === true)
  }

  tell(commit: Commit): void {
    for (const manager of this.#managers) this.#guard(() => manager.commit?.(commit))
  }

  stop(): void {
    for (const manager of this.#managers) this.#guard(() => manager.stop?.())
  }

  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#report(error)
    }
  }
}
