import { effect } from '@preact/signals-core'
import { schema } from '../../../src/index.ts'
import type { Tracker } from '../../../src/index.ts'
import { share } from '../../../src/base/plain.ts'
import { normalizeInto } from '../../../src/normalize/normalize.ts'
import type { Row } from '../../../src/store/rows.ts'
import { createStore, type Store } from '../../../src/store/store.ts'
import { signalTracker } from '../../../src/view/signalTracker.ts'
import { transact } from '../../unit/store/transact.ts'
import { liveViews, type LiveObjectViews } from './liveViews.ts'

/** A store with live objects over it, and a clock that counts writes. */
export class LiveStore {
  readonly store: Store = createStore()
  readonly live: LiveObjectViews
  readonly errors: unknown[] = []
  #now = 0

  constructor(tracker: Tracker = signalTracker) {
    this.live = liveViews(this.store, error => this.errors.push(error), tracker)
  }

  /** Takes in several responses in one commit; gives the result of the last. */
  write(...responses: (readonly [schema: unknown, input: unknown, args?: readonly unknown[]])[]): unknown {
    const at = ++this.#now
    const meta = { fetchedAt: at, date: at, expiresAt: at + 1000 }
    return transact(this.store, draft => responses.map(([schema, input, args = []]) => normalizeInto(draft, schema, input, args, meta)).at(-1))
  }

  /** Takes in a response and keeps its result under an endpoint's key. */
  respond(key: string, schema: unknown, input: unknown, args: readonly unknown[] = []): void {
    const at = ++this.#now
    transact(this.store, draft => {
      const result = normalizeInto(draft, schema, input, args, { fetchedAt: at, date: at, expiresAt: at + 1000 })
      const cell = draft.intern(draft.cells.endpoints, key)
      draft.write(cell, share(draft.row(cell), result) as Row)
    })
  }

  /** Forgets the result of an endpoint. */
  forget(key: string): void {
    transact(this.store, draft => draft.write(draft.intern(draft.cells.endpoints, key), undefined))
  }

  remove(entity: unknown, ...pks: string[]): void {
    this.write([new schema.Invalidate(entity as never), pks])
  }

  /** Takes rows away as a collection of garbage does: nothing says that they were deleted. */
  collect(key: string, ...pks: string[]): void {
    transact(this.store, draft => {
      for (const pk of pks) {
        const cell = draft.intern(draft.cells.table(key), pk)
        draft.write(cell, undefined)
        draft.mark(cell, undefined)
      }
    })
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
