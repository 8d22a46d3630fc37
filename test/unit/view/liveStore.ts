import { schema } from '../../../src/index.ts'
import type { Tracker } from '../../../src/index.ts'
import { share } from '../../../src/base/plain.ts'
import { normalizeInto } from '../../../src/normalize/normalize.ts'
import type { Row } from '../../../src/store/rows.ts'
import { createStore, type Store } from '../../../src/store/store.ts'
import { signalTracker } from '../../../src/view/signalTracker.ts'
import { transact } from '../store/transact.ts'
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
