import { createLive, type Denormalize, type Entity, type Live, type Tracker } from '../../../src/index.ts'
import { tracker as signals } from '../../support/tracker.ts'
import { ViewClient } from './client.ts'

export { watch } from './watch.ts'

/** A client whose views are read as live objects. */
export class LiveStore extends ViewClient {
  readonly live: Live
  readonly #tracker: Tracker

  constructor(tracker: Tracker = signals) {
    super()
    this.#tracker = tracker
    this.live = createLive(this.controller, tracker)
  }

  get<T = unknown>(schema: unknown, ...args: unknown[]): T {
    return this.live.query<unknown>(schema, ...(args as never[])) as T
  }

  /** Through a memo: whoever reads the data does not run again because its status has changed. */
  result<T = unknown>(schema: unknown, key: string, args: readonly unknown[] = []): T {
    return this.#tracker.memo(() => this.live.getResponse(this.endpoint(schema, key), ...(args as never[])).data)() as T
  }

  query<S>(schema: S, ...args: unknown[]): Denormalize<S> | undefined {
    return this.get(schema, ...args)
  }

  entity<E extends new () => Entity>(entity: E, pk: string): InstanceType<E> | undefined {
    return this.get(entity, pk)
  }
}
