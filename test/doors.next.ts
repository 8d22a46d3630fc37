// The front door of version 2 with the names that version 1 had on the controller, so that one suite can be aimed at both.
import { Controller as NextController, subscribe, type AnyEndpoint, type ControllerOptions, type Manager, type PollingHost } from '../src/next/index.ts'
import { createHistory, historyOf, type History } from '../src/next/history/index.ts'

export * from '../src/next/index.ts'
export { createHistory, historyOf } from '../src/next/history/index.ts'
/** Without a history of its own. */
export { Controller as BareController } from '../src/next/index.ts'

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

/** Version 1's manager, by version 2's function. */
export const createPolling = (): Manager => {
  const subscriptions: { readonly key: string; readonly endpoint: AnyEndpoint; readonly end: () => void }[] = []
  let polling: Manager | undefined
  let host: PollingHost
  return {
    start(controller) {
      const manager = (make: () => Manager): Manager => {
        if (polling === undefined) (polling = make()).start?.(controller)
        return polling
      }
      host = Object.assign(Object.create(controller) as PollingHost, { manager })
    },
    action(action) {
      const { type, endpoint, key } = action as { readonly type: string; readonly endpoint: AnyEndpoint; readonly key: string }
      if (type === 'subscribe') subscriptions.push({ key, endpoint, end: subscribe(host, endpoint) })
      else if (type === 'unsubscribe') {
        const alike = subscriptions.filter(each => each.key === key && each.endpoint.pollFrequency === endpoint.pollFrequency)
        const leaving = alike.find(each => each.endpoint === endpoint) ?? alike.at(-1)
        if (leaving) subscriptions.splice(subscriptions.indexOf(leaving), 1)[0]!.end()
      } else polling?.action?.(action)
    },
    stop: () => polling?.stop?.(),
  }
}
