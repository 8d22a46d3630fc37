import { effect } from '@preact/signals-core'
import { ReadRequests, readStatus, type AnyEndpoint, type Controller } from '../../../src/index.ts'

/** A reader that is on screen: asks whenever it has to, as a component does. */
export function effectOf<E extends AnyEndpoint>(controller: Controller, endpoint: E, ...args: Parameters<E>): { readonly data: () => unknown; readonly stop: () => void } {
  const requests = new ReadRequests(controller)
  let data: unknown
  const stop = effect(() => {
    const status = readStatus(controller, controller, endpoint, args)
    data = status.data
    requests.ask(endpoint, args, status)?.catch(() => {})
  })
  return {
    data: () => data,
    stop: () => {
      stop()
      requests.leave()
    },
  }
}
