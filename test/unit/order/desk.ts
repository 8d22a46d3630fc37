import { systemClock } from '../../../src/index.ts'
import type { AnyEndpoint, Commit, State } from '../../../src/index.ts'
import { createTimeline, type Timeline, type LocalSet, type Mutation, type Place } from '../../../src/order/timeline.ts'
import { cellOf, readResult, readRow, stampOf } from '../../../src/store/state.ts'
import { createStore, type Store } from '../../../src/store/store.ts'
import { calls, reads } from '../../laws/order/shop.ts'
import { answerOf } from './answerOf.ts'
import { snapOfState } from './snapOfState.ts'

/** A store with its timeline, and short words for what happens there. */
export class Desk {
  readonly errors: unknown[] = []
  readonly commits: Commit[] = []
  readonly store: Store = createStore(undefined, error => this.errors.push(error))
  readonly timeline: Timeline
  time = 1000

  constructor() {
    this.timeline = createTimeline(this.store, { ...systemClock, date: () => this.time }, snapOfState, error => this.errors.push(error))
    this.store.subscribe(commit => void this.commits.push(commit))
  }

  /** The server says something, here and now. */
  receive(endpoint: AnyEndpoint, value: unknown, ...args: unknown[]): unknown {
    return this.timeline.receive(answerOf(endpoint, args, value), { cause: 'fetch' })
  }

  land(place: Place, endpoint: AnyEndpoint, value: unknown, ...args: unknown[]): unknown {
    return this.timeline.land(place, answerOf(endpoint, args, value), { cause: 'fetch' })
  }

  call(name: keyof typeof calls, ...args: unknown[]): Mutation {
    return this.timeline.call(calls[name], args)
  }

  settle(mutation: Mutation, value: unknown): unknown {
    return this.timeline.settle(mutation, answerOf(mutation.endpoint, mutation.args, value), { cause: 'fetch' })
  }

  fail(mutation: Mutation): void {
    this.timeline.fail(mutation, { cause: 'fail' })
  }

  set(schema: unknown, args: unknown, value: unknown): LocalSet {
    return this.timeline.set({ schema, args: [args], value }, { cause: 'set' })
  }

  todo(id: string, state: State = this.store.state): Record<string, unknown> | undefined {
    return readRow(state, 'Todo', id) as Record<string, unknown> | undefined
  }

  list(state: State = this.store.state): readonly unknown[] | undefined {
    return readRow(state, '[Todo]', '{}') as readonly unknown[] | undefined
  }

  result(key: string): unknown {
    return readResult(this.store.state, key)
  }

  deleted(id: string, state: State = this.store.state): boolean {
    const cell = cellOf(state, 'Todo', id)
    return cell !== undefined && stampOf(state, cell)?.deleted === true
  }
}

export { calls, reads }
