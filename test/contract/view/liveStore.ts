import { effect } from '@preact/signals-core'
import { createLive, type Denormalize, type Entity, type Live, type Tracker } from '../../../src/index.ts'
import { tracker as signals } from '../../support/tracker.ts'
import { ViewClient } from './client.ts'

/** Reads of live objects, by schema and arguments, by endpoint key, and by pk. */
export interface LiveReads {
  query<S>(schema: S, args?: readonly unknown[]): Denormalize<S> | undefined
  result<S>(schema: S, key: string, args?: readonly unknown[]): Denormalize<S> | undefined
  entity<E extends new () => Entity>(entity: E, pk: string): InstanceType<E> | undefined
  dispose(): void
}

/** A client whose views are read as live objects. */
export class LiveStore extends ViewClient {
  readonly live: LiveReads

  constructor(tracker: Tracker = signals) {
    super()
    this.live = this.read(tracker)
  }

  /** Live objects of their own, over the same store. */
  read(tracker: Tracker = signals): LiveReads {
    const live: Live = createLive(this.controller, tracker)
    return {
      query: (schema, args = []) => live.query(schema, ...(args as never)),
      // Through a memo: whoever reads the data does not run again because its status has changed.
      result: (schema, key, args = []) => tracker.memo(() => live.getResponse(this.endpoint(schema, key), ...(args as never[])).data)() as never,
      entity: (entity, pk) => live.query<unknown>(entity, pk) as never,
      dispose: () => live.dispose(),
    }
  }

  /** Takes in several responses in one commit. */
  write(...responses: Parameters<ViewClient['writeAll']>[0]): void {
    this.writeAll(responses)
  }

  /** Forgets the result of an endpoint. */
  forget(key: string): void {
    this.commit([{ op: 'remove', path: ['endpoints', key] }])
  }

  /** Takes rows away as a collection of garbage does: nothing says that they were deleted. */
  collect(key: string, ...pks: string[]): void {
    this.commit(pks.map(pk => ({ op: 'remove', path: ['entities', key, pk] })))
  }
}

/** What an effect saw, run by run. */
export interface Watch<T> {
  readonly runs: number
  readonly last: T
  /** How often it ran since this was last asked. */
  fresh(): number
  stop(): void
}

/** Reads in an effect, and counts. */
export function watch<T>(read: () => T): Watch<T> {
  let runs = 0
  let asked = 0
  let last: T
  const stop = effect(() => {
    runs++
    last = read()
  })
  return {
    get runs() {
      return runs
    },
    get last() {
      return last
    },
    fresh() {
      const count = runs - asked
      asked = runs
      return count
    },
    stop,
  }
}
