// The front door of version 2 with the names that version 1 had on the controller, so that one suite can be aimed at both.
import { Controller as NextController, subscribe, type AnyEndpoint, type ControllerOptions } from '../src/next/index.ts'
import { createHistory, historyOf, type History } from '../src/next/history/index.ts'

export * from '../src/next/index.ts'

export class Controller extends NextController {
  readonly #subscriptions: { readonly key: string; readonly frequency: number | undefined; readonly end: () => void }[] = []

  constructor(options: ControllerOptions & { readonly history?: { readonly limit?: number } } = {}) {
    super(options)
    createHistory(this, options.history)
  }

  get history(): History {
    return historyOf(this)
  }

  readonly subscribe = (endpoint: AnyEndpoint, ...args: unknown[]): void =>
    void this.#subscriptions.push({ key: endpoint.key(...args), frequency: endpoint.pollFrequency, end: subscribe(this, endpoint, ...args) })

  readonly unsubscribe = (endpoint: AnyEndpoint, ...args: unknown[]): void => {
    const at = this.#subscriptions.findIndex(({ key, frequency }) => key === endpoint.key(...args) && frequency === endpoint.pollFrequency)
    if (at >= 0) this.#subscriptions.splice(at, 1)[0]!.end()
  }
}

export const createPolling = (): object => ({})
