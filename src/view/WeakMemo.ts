import { isObject } from '../base/plain.ts'
import type { EntityClass } from '../schema/interface.ts'
import { keepView } from './Builder.ts'
import type { LiveRow } from './LiveRow.ts'
import type { Tracker } from './tracker.ts'

/** The lists of entities that a memo last built, by class: the next build finds the rows of unchanged members there. */
export type BuiltLists = Map<EntityClass, { readonly members: readonly unknown[]; readonly rows: readonly LiveRow[] }>

interface ListMemo {
  readonly lists: BuiltLists
  readonly read: () => unknown
}

/**
 * A memo that lives for as long as somebody depends on it. For as long as somebody holds the list or object that it
 * showed last, it shows that one again while the members are the same.
 */
export class WeakMemo {
  readonly #tracker: Tracker
  readonly #compute: (lists: BuiltLists) => unknown
  #memo: WeakRef<ListMemo> | undefined
  #last: WeakRef<object> | undefined

  constructor(tracker: Tracker, compute: (lists: BuiltLists) => unknown) {
    this.#tracker = tracker
    this.#compute = compute
  }

  read(): unknown {
    let memo = this.#memo?.deref()
    if (!memo) {
      // The computation refers to the memo: whoever depends on it keeps the memo alive.
      const made: ListMemo = { lists: new Map(), read: this.#tracker.memo(() => this.#next(made.lists)) }
      memo = made
      this.#memo = new WeakRef(memo)
    }
    return memo.read()
  }

  #next(lists: BuiltLists): unknown {
    const last = this.#last?.deref()
    const value = keepView(last, this.#compute(lists))
    if (isObject(value) && value !== last) this.#last = new WeakRef(value)
    return value
  }
}
