import type { Controller } from '../../../src/index.ts'

/** How often `dispose` was called on each controller that was watched. */
export class Disposals {
  #counts = new Map<Controller, number>()

  /** From now on counts; watching twice changes nothing. Defined anew, because methods may be fields of the instance. */
  watch(controller: Controller): Controller {
    if (this.#counts.has(controller)) return controller
    this.#counts.set(controller, 0)
    const dispose = controller.dispose.bind(controller)
    Object.defineProperty(controller, 'dispose', {
      configurable: true,
      value: () => {
        this.#counts.set(controller, this.of(controller) + 1)
        dispose()
      },
    })
    return controller
  }

  of(controller: Controller): number {
    return this.#counts.get(controller) ?? 0
  }
}
