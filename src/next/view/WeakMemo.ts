import { isObject } from '../base/plain.ts'
import { keepView } from './keepView.ts'
import type { Tracker } from './tracker.ts'

/**
 * A memo that lives for as long as somebody depends on it. For as long as somebody holds the list or object that it
 * showed last, it shows that one again while the members are the same.
 */
export class WeakMemo {
  readonly #tracker: Tracker
  readonly #compute: () => unknown
  #memo: WeakRef<{ readonly read: () => unknown }> | undefined
  #last: WeakRef<object> | undefined

  constructor(tracker: Tracker, compute: () => unknown) {
    this.#tracker = tracker
    this.#compute = compute
  }

  read(): unknown {
    let memo = this.#memo?.deref()
    if (memo === undefined) {
      // The computation refers to the memo: whoever depends on it keeps the memo alive.
      const made = (memo = { read: this.#tracker.memo((): unknown => (void made, this.#next())) })
      this.#memo = new WeakRef(memo)
    }
    return memo.read()
  }

  #next(): unknown {
    const last = this.#last?.deref()
    const value = keepView(last, this.#compute())
    if (isObject(value) && value !== last) this.#last = new WeakRef(value)
    return value
  }
}
