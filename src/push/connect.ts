import type { ReadonlySignal } from '@preact/signals-core'
import type { Controller } from '../controller/Controller.ts'
import type { Manager } from '../network/Manager.ts'
import { createStream, type ConnectOptions, type PushStatus } from './createStream.ts'

/**
 * A connection to a stream.
 *
 * @example
 * const stream: PushConnection = connect(controller, { url: '/stream', types: { Todo } })
 * console.log(stream.status.value) // connecting
 */
export interface PushConnection {
  readonly status: ReadonlySignal<PushStatus>
  /** The id of the last message that is in the store. */
  readonly lastId: () => string | undefined
  /** Ends the connection. The data stays. */
  readonly stop: () => void
}

/**
 * Lets a stream of the server write into the store, until `stop` is called or the controller is disposed of. After a
 * disconnect the stream goes on where it was; where the server cannot, what is on screen is fetched again. `useLive` of
 * an endpoint with `stream: true` does not poll while there is a connection.
 *
 * @example
 * const stream = connect(controller, { url: '/stream', types: { Todo, User } })
 * stream.stop()
 */
export function connect(controller: Controller, options: ConnectOptions): PushConnection {
  const { streams } = controller.manager(createStreams)
  const { status, lastId, ...manager } = createStream(controller, options)
  streams.add(manager)
  return { status, lastId, stop: () => streams.delete(manager) && manager.stop() }
}

/** The streams of a controller. */
function createStreams(): Manager & { readonly streams: Set<Manager> } {
  const streams = new Set<Manager>()
  return {
    streams,
    action(action) {
      for (const stream of streams) stream.action!(action)
    },
    stop() {
      for (const stream of streams) stream.stop!()
    },
  }
}
